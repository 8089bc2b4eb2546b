import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Platform } from '../executable/platforms.ts';
import { programFiles, root } from '../executable/program.ts';
import { seal } from '../executable/seal.ts';

/** The program's install location in packages and images. */
const installed = '/usr/lib/linkfold';

/**
 * Writes the program as packages and images install it: the executable in `usr/bin`, its files in `usr/lib/linkfold`.
 * @throws Error if the program cannot be built
 */
export async function writeTree(folder: string, platform: Platform): Promise<void> {
  const files = await programFiles({ isPackaged: true });
  for (const [path, contents] of files) put(join(folder, installed, path), contents);
  await seal([{ platform, output: join(folder, 'usr', 'bin', 'linkfold') }], files, installed);
  const documents = join(folder, 'usr', 'share', 'doc', 'linkfold');
  mkdirSync(documents, { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(documents, name));
}

/** Writes a world-readable file. */
export function put(path: string, contents: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents, { mode });
}
