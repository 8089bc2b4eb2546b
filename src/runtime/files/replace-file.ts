import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { adoptOwner } from './adopt-owner.ts';

/**
 * Replaces a file's content atomically. Only the file's owner can read the new file. A reader finds either the old or
 * the new content, even after a power failure. An existing file is replaced, never written to, even if others can read
 * it or it is a symbolic link.
 * @throws the system error; the old file is then unchanged
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
  // Windows cannot sync a folder, and does not need to.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
