import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * A lock on a journal directory. Node has no file locks, and a pid file outlives a killed process. An open SQLite write
 * transaction is a lock that the kernel releases when the process ends, however it ends. Nothing is ever written to the
 * database.
 *
 * Never open the file `lock` in any other way: when a process closes any descriptor of a file, POSIX releases all of
 * the process's locks on that file.
 */
export interface Lock {
  release(): void;
}

export const lockFile = 'lock';
const busy = 5;

/**
 * Acquires a directory's lock without waiting.
 * @returns undefined if another owner, in this or another process, holds the lock
 */
export function tryLock(directory: string): Lock | undefined {
  const database = new DatabaseSync(join(directory, lockFile), { timeout: 0 });
  try {
    // Keeps the rollback journal in memory, because on disk it would need 512 bytes, which a full disk does not have.
    database.exec('PRAGMA journal_mode = MEMORY');
    // Not EXCLUSIVE: two processes that try at the same time would block each other, and neither would acquire the
    // lock.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === busy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Returns true if a process currently owns the directory. */
export function isLocked(directory: string): boolean {
  const lock = tryLock(directory);
  lock?.release();
  return lock === undefined;
}
