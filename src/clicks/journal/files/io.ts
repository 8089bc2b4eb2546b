import type * as nodeFs from 'node:fs';
import type { tryLock } from './lock.ts';

/** The part of `node:fs` on which journals live; given, so that tests can make a disk fail, and a process die. */
export type JournalFs = Pick<
  typeof nodeFs,
  | 'openSync'
  | 'writeSync'
  | 'ftruncateSync'
  | 'closeSync'
  | 'unlinkSync'
  | 'fdatasync'
  | 'fsync'
  | 'fsyncSync'
  | 'existsSync'
  | 'readdirSync'
  | 'readFile'
  | 'writeFile'
  | 'unlink'
  | 'mkdirSync'
  | 'rmdirSync'
> & {
  /** How a directory is owned, where that is not by a lock of the machine's own. */
  readonly tryLock?: typeof tryLock;
};

/** Whether the disk said that there is no more space, or no more for this user. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
