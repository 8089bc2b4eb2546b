import * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { awaitCallback, syncDirectory } from './journal/files/directory.ts';
import type { JournalFs } from './journal/files/io.ts';
import { fileOfSegment } from './journal/files/segment.ts';
import type { ClosedSegment } from './journal-reader.ts';

/**
 * Copies bytes of a segment to the quarantine folder, for inspection by the operator. The copy is on disk when this
 * resolves, so that the segment may be removed.
 * @param dir directory of all journals
 * @param name distinguishes the copy from other pieces of the segment
 * @returns the path of the copy
 */
export async function quarantine(
  { dir, fs = nodeFs }: { readonly dir: string; readonly fs?: JournalFs | undefined },
  { journal, segment }: ClosedSegment,
  bytes: Buffer,
  name: string,
): Promise<string> {
  const folder = join(dir, 'quarantine');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${journal}-${basename(fileOfSegment(segment), '.jnl')}-${name}.bin`);
  await awaitCallback((done) => fs.writeFile(path, bytes, { mode: 0o600, flush: true }, done));
  // Windows cannot open a directory, and does not need to.
  if (process.platform !== 'win32') for (const one of [folder, dirname(folder)]) await syncDirectory(one, fs);
  return path;
}
