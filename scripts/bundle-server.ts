import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

// Bundles the program into about 130 files instead of 750 modules, for dist/ and the executable.

const root = join(import.meta.dirname, '..');
/** Entry points of processes and threads. */
const entries =
  'src/{main,app/backup-thread,workers/worker,storage/sqlite/{writer,reader,statistics},storage/postgres/statistics,external/block-lists/loader,runtime/bcrypt-thread}.ts';
const files = ['api/reference/files/*', 'clicks/dimensions/countries.bin.br'];

/**
 * Bundles the program with all of its dependencies.
 * @param external packages that are not bundled
 * @returns file contents, keyed by path in `dist`
 * @throws Error if bundling fails
 */
export async function bundleServer(external: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: globSync(entries, { cwd: root }),
    outbase: 'src',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    external: [...external],
    // Resolves packages in the same way as Node, because scripts/ensure-deps.mjs deletes the variants for bundlers.
    conditions: [],
    // Defines `require`, because CommonJS packages use it to load Node's modules.
    banner: {
      js: "import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);",
    },
    legalComments: 'none',
    plugins: [placed, named(external)],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const made = new Map<string, Uint8Array>();
  for (const { path, contents } of outputFiles) made.set(relative(join(root, 'dist'), path), contents);
  for (const path of globSync(files, { cwd: join(root, 'src') }))
    made.set(path, readFileSync(join(root, 'src', path)));
  const dashboard = join(root, '.dashboard.json');
  if (existsSync(dashboard)) made.set('dashboard.json', readFileSync(dashboard));
  return made.set('licenses.txt', Buffer.from(licensesOf(metafile)));
}

/** Returns the names and full texts of the bundled packages' licenses. */
function licensesOf({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(packages)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      ) as Readonly<Record<'name' | 'version' | 'license', string>>;
      const texts = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: join(root, folder) });
      const text = texts.map((path) => readFileSync(join(root, folder, path), 'utf8').trim()).join('\n\n');
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Replaces import.meta, which modules use to find thread scripts and data files. In a bundled file, it must still
 * return the module's original path.
 */
const placed: Plugin = {
  name: 'placed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const place = `./dist/${relative(join(root, 'src'), path).replace(/\.ts$/, '.js')}`;
      const url = `new URL(${JSON.stringify(place)}, import.meta.resolve('linkfold/package.json'))`;
      const contents = text
        .replaceAll('import.meta.url', `${url}.href`)
        .replaceAll('import.meta.filename', `process.getBuiltinModule('url').fileURLToPath(${url})`)
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('url').fileURLToPath(new URL('.', ${url}))`,
        );
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Makes dynamic imports of CommonJS packages return the named exports that Node detects. Without this, bundled packages
 * would have only a default export.
 */
function named(external: readonly string[]): Plugin {
  const isExternal = (path: string) => external.some((one) => path.startsWith(one.replace('*', '')));
  return {
    name: 'named',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, async ({ kind, path }) => {
        if (kind !== 'dynamic-import' || path.startsWith('node:') || isExternal(path)) return undefined;
        // Node adds an export named `module.exports` to every CommonJS module, so this export identifies them.
        return 'module.exports' in (await import(path)) ? { path, namespace: 'named' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'named' }, async ({ path }) => {
        const names = Object.keys(await import(path)).filter((name) =>
          /^(?!default$)[A-Za-z]\w*$/.test(name),
        );
        const contents = `import * as all from '${path}'; export const { ${names.join(', ')} } = all; export { default } from '${path}';`;
        return { contents, resolveDir: root };
      });
    },
  };
}
