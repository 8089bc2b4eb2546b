import type * as nodeFs from 'node:fs';
import type { tryLock } from './lock.ts';

/**
 * The `node:fs` functions that journals use. They are a parameter, so that tests can simulate failing disks and killed
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
  /** Replaces the directory lock in tests. */
  readonly tryLock?: typeof tryLock;
};

/** Returns true if the error means that the disk is full or the user's quota is exhausted. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
