import * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { awaitCallback, syncNames } from './journal/files/directory.ts';
import type { JournalFs } from './journal/files/io.ts';
import { fileOfSegment } from './journal/files/segment.ts';
import type { HeldSegment } from './journal-reader.ts';

/**
 * Keeps bytes of a segment for display to look at. They are on the disk when this resolves, so that the segment may go.
 * @param dir of all journals
 * @param name distinguishes it from other pieces of the segment
 * @returns the path of the copy
 */
export async function quarantine(
  { dir, fs = nodeFs }: { readonly dir: string; readonly fs?: JournalFs | undefined },
  { journal, segment }: HeldSegment,
  bytes: Buffer,
  name: string,
): Promise<string> {
  const folder = join(dir, 'quarantine');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${journal}-${basename(fileOfSegment(segment), '.jnl')}-${name}.bin`);
  await awaitCallback((done) => fs.writeFile(path, bytes, { mode: 0o600, flush: true }, done));
  // Windows can neither open a directory nor needs to.
  if (process.platform !== 'win32') for (const one of [folder, dirname(folder)]) await syncNames(one, fs);
  return path;
}
