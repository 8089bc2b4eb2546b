import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a file new content in one step, readable by its owner only: a reader, and a start after a power cut, finds the
 * old content or the new one, never a part. A file that others could read, or a link of that name, is replaced and not
 * written to.
 * @throws what the file system says; the old file is then as it was
 */
export function replaceFile(path: string, content: string): void {
  const part = `${path}.part-${randomUUID().slice(0, 8)}`;
  try {
    writeFileSync(part, content, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  // Windows can neither open a folder nor needs to.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
