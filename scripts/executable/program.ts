import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from '../bundle-server.ts';

export const root = join(import.meta.dirname, '..', '..');
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

/** Source of upgrades for an executable. `isPackaged` means that a package manager or image provides them. */
export interface Upgrade {
  readonly url?: string;
  readonly key?: string;
  readonly isPackaged?: true;
}

/** Returns every file of the program, in a fixed order. @throws Error if bundling fails */
export async function programFiles(upgrade: Upgrade): Promise<Map<string, Uint8Array>> {
  const { name, type, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = new Map<string, Uint8Array>();
  const put = (path: string, text: string) => files.set(path, Buffer.from(text));
  put('package.json', `${JSON.stringify({ name, version, type, exports })}\n`);
  put('upgrade.json', `${JSON.stringify(upgrade)}\n`);
  put('start.cjs', 'module.exports = (path) => import(path);\n');
  for (const path of ['openapi.json', 'LICENSE', 'NOTICE']) files.set(path, readFileSync(join(root, path)));
  const bundle = await bundleServer(['pg-native']);
  if (!bundle.has('dashboard.json'))
    throw new Error('The dashboard is not built. Run: npm run build:dashboard');
  for (const [path, contents] of bundle) files.set(`dist/${path}`, contents);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}
