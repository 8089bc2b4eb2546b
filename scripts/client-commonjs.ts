import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/** Bundles the client as one file. The file is not minified, so that stack traces contain function names. */
export async function bundleClient(folder: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/client/client.ts'],
    outdir: folder,
    bundle: true,
    format,
    target: 'es2022',
    logLevel: 'error',
  });
}

/**
 * Adds the client as CommonJS to a folder that contains its declarations. Copies the declarations to `cjs/`, because a
 * folder's package.json determines its module type.
 */
export async function addCommonJs(folder: string): Promise<void> {
  const target = join(folder, 'cjs');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
  for (const file of globSync('*.d.ts', { cwd: folder }))
    copyFileSync(join(folder, file), join(target, file));
  await bundleClient(target, 'cjs');
}

if (import.meta.main) await addCommonJs(resolve(process.argv[2] ?? ''));
