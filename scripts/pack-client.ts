import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addCommonJs, bundleClient } from './client-commonjs.ts';

// Packs only the client as the package linkfold-client: one file with types and no dependencies. Publishes nothing.

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function manifest(): object {
  const { version, license } = JSON.parse(read('package.json')) as Record<'version' | 'license', string>;
  return {
    name: 'linkfold-client',
    version,
    description:
      'Typed API client for Linkfold, the self-hosted link shortener. Uses fetch and has no dependencies.',
    license,
    keywords: ['linkfold', 'url-shortener', 'short-links', 'api-client'],
    type: 'module',
    sideEffects: false,
    // For module resolution that ignores `exports`.
    main: './cjs/client.js',
    types: './cjs/client.d.ts',
    exports: {
      '.': {
        import: { types: './client.d.ts', default: './client.js' },
        require: { types: './cjs/client.d.ts', default: './cjs/client.js' },
      },
      './package.json': './package.json',
    },
    engines: { node: '>=20.3' },
  };
}

/**
 * Returns the client documentation with the package's name. Replaces links with their text, because the package does
 * not contain the link targets.
 */
function readme(): string {
  return read('docs/client.md')
    .replaceAll("'linkfold/client'", "'linkfold-client'")
    .replaceAll(/\[([^\]]+)\]\((?!#)[^)]*\)/g, '$1');
}

async function packInto(destination: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'linkfold-client-'));
  try {
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const project = join(root, 'tsconfig.client.json');
    execFileSync(
      compiler,
      ['-p', project, '--emitDeclarationOnly', '--rootDir', join(root, 'src', 'client'), '--outDir', folder],
      { stdio: ['ignore', 2, 2] },
    );
    await bundleClient(folder, 'esm');
    await addCommonJs(folder);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    writeFileSync(join(folder, 'README.md'), readme());
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', destination], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { values } = parseArgs({ options: { 'pack-destination': { type: 'string', default: '.' } } });
await packInto(resolve(values['pack-destination']));
