import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Ownership of a journal directory. Node has no file locks of its own, and a file with a pid in it outlives a killed
 * process. An open write transaction of SQLite is a lock that the kernel releases with the process, however it dies.
 * Nothing is ever written to that database.
 *
 * Never open the file `lock` in any other way: POSIX drops all locks of a process on a file when it closes any
 * descriptor of it.
 */
export interface Lock {
  release(): void;
}

export const lockFile = 'lock';
const busy = 5;

/** Takes the lock of a directory without waiting. @returns undefined when another owner, in any process, has it */
export function tryLock(directory: string): Lock | undefined {
  const database = new DatabaseSync(join(directory, lockFile), { timeout: 0 });
  try {
    // Else the lock would take 512 bytes, which a full disk does not have.
    database.exec('PRAGMA journal_mode = MEMORY');
    // Not EXCLUSIVE: two processes that ask for that at the same moment would see each other, and neither would get it.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === busy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Whether a process owns the directory at this moment. */
export function isLocked(directory: string): boolean {
  const lock = tryLock(directory);
  lock?.release();
  return lock === undefined;
}
