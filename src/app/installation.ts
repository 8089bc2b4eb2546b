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

/** Random bytes, drawn from the system in large pieces: a call costs more than the bytes. No byte is used twice. */
export const randomBytes: RandomBytes = (size) => {
  if (used + size > pool.length) {
    pool = randomFillSync(new Uint8Array(Math.max(poolSize, size)));
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
};

/** Where the click journals are. */
export function clicksDir(config: Pick<Config, 'DATA_DIR'>): string {
  return join(config.DATA_DIR, 'clicks');
}

/** Whether processes on other machines may use the database too. */
export function sharesDatabase(config: Config): boolean {
  return !config.DATABASE_URL.startsWith('sqlite:');
}

/** Creates the data directory. @throws Error that names it and says why it cannot be had */
export function makeDataDir(config: Config): void {
  try {
    makeFolder(config.DATA_DIR, 0o700);
  } catch (error) {
    throw dataDirProblem(config, error);
  }
}

/** An error of the system about a file in the data directory, as a sentence that names the directory; others unchanged. */
export function dataDirProblem({ DATA_DIR }: Config, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  const sentence = `DATA_DIR ${DATA_DIR} cannot be used: ${reasonOf(error)}. Name a folder in which this user may write.`;
  return new Error(sentence, { cause: error });
}

/** The file that says when the last backup was finished. */
export function lastBackupFile(config: Pick<Config, 'DATA_DIR'>): string {
  return join(config.DATA_DIR, 'last-backup');
}

/** When the last backup of this installation was finished, ms since the epoch; undefined when there is no record. */
export async function lastBackup(config: Pick<Config, 'DATA_DIR'>): Promise<number | undefined> {
  const text = await readFile(lastBackupFile(config), 'utf8').catch(() => '');
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? undefined : at;
}
