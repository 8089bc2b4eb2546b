import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { adoptOwner } from './adopt-owner.ts';

/**
 * Gives a file new content in one step, readable by its owner only. A reader, also after a power cut, finds the old content
 * or the new one, never a part. A file that other users could read, or a symbolic link of that name, is replaced and not
 * written to.
 * @throws what the file system says; the old file is then as it was
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const part = `${path}.part-${randomUUID().slice(0, 8)}`;
  try {
    writeFileSync(part, content, { mode: 0o600, flag: 'wx', flush: true });
    adoptOwner(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  // Windows cannot open a folder, and does not need to.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
