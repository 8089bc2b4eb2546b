import type * as nodeFs from 'node:fs';
import type { tryLock } from './lock.ts';

/**
 * The part of `node:fs` that journals use; a parameter, so that tests can simulate failing disks and killed
 * processes.
 */
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
  /** Replaces the lock of a directory, for tests. */
  readonly tryLock?: typeof tryLock;
};

/** Returns true if the disk is full, or this user's quota is used up. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
