import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BackupFacts, startsLikeDatabase, syncDirectory, syncFile, verifyBackup } from './backup.ts';
import { digestOf, lengthOfContents } from './backup-seal.ts';
import type { OnProgress } from './check.ts';
import { makeFolder } from './folder.ts';
import { sqlitePathIn } from './sqlite-url.ts';

export interface RestoreOptions {
  /** Told in bytes. */
  readonly onProgress?: OnProgress;
  /** For the name of what was there before, ms since the epoch. */
  readonly now?: number;
}

export interface RestoreFacts extends BackupFacts {
  /** Where the database that was there is now; null when there was none. */
  readonly previous: string | null;
}

/**
 * Puts a backup in the place of the database. The backup is proved, copied without its seal and the copy proved before anything moves;
 * what was there is moved aside under a dated name, and nothing is ever deleted.
 * @throws Error when the backup is not sound, or a process has the database open
 */
export const restoreDatabase = async (
  url: string,
  backupPath: string,
  { onProgress, now = Date.now() }: RestoreOptions = {},
): Promise<RestoreFacts> => {
  const path = sqlitePathIn(url);
  const facts = await verifyBackup(backupPath);
  makeFolder(dirname(path));
  const part = `${path}.restoring-${process.pid}`;
  try {
    copyContents(backupPath, part, onProgress);
    syncFile(part);
    if (digestOf(part, statSync(part).size) !== facts.sha256)
      throw new Error('The copy is not what the backup holds. Nothing was replaced.');
    const previous = swap(path, part, now);
    syncDirectory(dirname(path));
    return { ...facts, path, previous };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
};

const bytesPerStep = 4_194_304;

const copyContents = (from: string, to: string, onProgress: OnProgress | undefined): void => {
  const total = lengthOfContents(from);
  const chunk = Buffer.alloc(bytesPerStep);
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      let done = 0;
      while (done < total) {
        const read = readSync(source, chunk, 0, Math.min(chunk.length, total - done), null);
        if (read === 0) break;
        for (let written = 0; written < read; ) written += writeSync(target, chunk, written, read - written);
        done += read;
        onProgress?.(done, total);
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
};

const filesBeside = ['-wal', '-shm'] as const;

/** Exchanges the files under a lock, so that no process can open the database in between and see half. */
const swap = (path: string, part: string, now: number): string | null => {
  if (!existsSync(path)) {
    // A log without its database would be read into the new one.
    const aside = asideName(path, now);
    for (const suffix of filesBeside) moveIfThere(path + suffix, aside + suffix);
    renameSync(part, path);
    return null;
  }
  const lock = lockUnused(path);
  try {
    const aside = asideName(path, now);
    for (const suffix of filesBeside) moveIfThere(path + suffix, aside + suffix);
    renameSync(path, aside);
    try {
      renameSync(part, path);
    } catch (error) {
      renameSync(aside, path);
      throw error;
    }
    return aside;
  } finally {
    lock?.close();
  }
};

/**
 * Makes sure that nobody has the database open, and moves its write-ahead log into it, so that it is whole where it
 * goes. A file too damaged to be opened has no users: it is moved as it is. This process must not have it open itself.
 * @throws Error when a process has it open
 */
const lockUnused = (path: string): DatabaseSync | undefined => {
  // To SQLite a database cut to nothing is an empty one, and the log beside it is stale: it would delete that log.
  if (!startsLikeDatabase(path)) return undefined;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Leaving WAL mode needs the database for oneself: one open connection anywhere is enough to refuse it.
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    const busy = 5;
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== busy) return undefined;
    throw new Error('The database is in use. Stop the server and every other linkfold command first.', {
      cause: error,
    });
  }
};

/** For example `linkfold.db.before-restore-20270301T090000Z`; never a name that is taken. */
const asideName = (path: string, now: number): string => {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `${path}.before-restore-${stamp}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
};

const moveIfThere = (from: string, to: string): void => {
  if (existsSync(from)) renameSync(from, to);
};
