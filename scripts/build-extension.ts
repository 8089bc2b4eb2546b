import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { zipOf } from '../dashboard/qr/zip.ts';

// Builds the browser extension as a folder and an archive for each browser family. Builds are reproducible.

const root = join(import.meta.dirname, '..');
const source = join(root, 'extension');

/** Manifest fields that only one browser family has. */
const own: Readonly<Record<'chrome' | 'firefox', object>> = {
  chrome: { background: { service_worker: 'background.js', type: 'module' } },
  firefox: {
    background: { scripts: ['background.js'], type: 'module' },
    minimum_chrome_version: undefined,
    browser_specific_settings: {
      gecko: {
        id: 'extension@linkfold.example',
        // The first Firefox version that asks users about data collection.
        strict_min_version: '140.0',
        data_collection_permissions: { required: ['authenticationInfo', 'browsingActivity'] },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  },
};

/** Builds the extension. @param out folder for `chrome/`, `firefox/` and their archives */
export async function buildExtension(out: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const manifest = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8')) as object;
  const { outputFiles } = await build({
    absWorkingDir: source,
    entryPoints: {
      ...{ popup: 'popup/popup.tsx', options: 'options/options.tsx', background: 'background/background.ts' },
      extension: 'extension.css',
    },
    outdir: '.',
    bundle: true,
    format: 'esm',
    target: ['chrome123', 'firefox140'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Minifies only the syntax. Extension stores review the code, so it must stay readable.
    minifySyntax: true,
    write: false,
    logLevel: 'error',
  });
  for (const [browser, more] of Object.entries(own)) {
    const folder = join(out, browser);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of ['_locales', 'icons'])
      cpSync(join(source, name), join(folder, name), { recursive: true });
    for (const page of ['popup', 'options'])
      cpSync(join(source, page, `${page}.html`), join(folder, `${page}.html`));
    for (const { path, contents } of outputFiles)
      writeFileSync(join(folder, path.slice(source.length)), contents);
    writeFileSync(
      join(folder, 'manifest.json'),
      `${JSON.stringify({ ...manifest, ...more, version }, undefined, 2)}\n`,
    );
    const files = globSync('**/*.*', { cwd: folder }).sort();
    const zip = zipOf(
      files.map((name) => ({ name, bytes: readFileSync(join(folder, name)) })),
      new Date(2020, 0, 1),
    );
    writeFileSync(join(out, `linkfold-extension-${version}-${browser}.zip`), await zip.bytes());
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist', 'extension') } },
  });
  await buildExtension(resolve(values.out));
}
