import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { RandomBytes } from '../model/ids.ts';
import { isSystemError, reasonOf } from '../runtime/files/file-faults.ts';
import { makeFolder } from '../runtime/files/make-folder.ts';

const poolSize = 4_096;
let pool = new Uint8Array(0);
let used = 0;

/**
 * Returns random bytes. Reads them from the system in large blocks, because the system call costs more than generating
 * the bytes. No byte is used twice.
 */
export const randomBytes: RandomBytes = (size) => {
  if (used + size > pool.length) {
    pool = randomFillSync(new Uint8Array(Math.max(poolSize, size)));
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
};

/** Returns the click journal directory. */
export function clicksDir(config: Pick<Config, 'DATA_DIR'>): string {
  return join(config.DATA_DIR, 'clicks');
}

/** Returns true if processes on other machines may use the database too. */
export function sharesDatabase(config: Config): boolean {
  return !config.DATABASE_URL.startsWith('sqlite:');
}

/** Creates the data directory. @throws Error with the directory's path and the reason */
export function makeDataDir(config: Config): void {
  try {
    makeFolder(config.DATA_DIR, 0o700);
  } catch (error) {
    throw dataDirProblem(config, error);
  }
}

/**
 * Converts a system error about a file in the data directory to an error that names the directory. Returns other errors
 * unchanged.
 */
export function dataDirProblem({ DATA_DIR }: Config, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const sentence = `DATA_DIR ${DATA_DIR} cannot be used: ${reasonOf(error)}. Set it to a folder that this user can write to.`;
  return new Error(sentence, { cause: error });
}

/** Returns the path of the file that contains the time of the last successful backup. */
export function lastBackupFile(config: Pick<Config, 'DATA_DIR'>): string {
  return join(config.DATA_DIR, 'last-backup');
}

/** Returns the time of the last successful backup in ms since the epoch, or undefined if none is recorded. */
export async function lastBackup(config: Pick<Config, 'DATA_DIR'>): Promise<number | undefined> {
  const text = await readFile(lastBackupFile(config), 'utf8').catch(() => '');
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? undefined : at;
}
