import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { adoptOwner } from '../../runtime/files/adopt-owner.ts';
import { makeFolder } from '../../runtime/files/make-folder.ts';
import type { OnProgress } from '../check/check.ts';
import { hasDatabaseHeader, realPathOf, requireNotDatabaseFile } from '../sqlite/database-files.ts';
import { sqlitePathIn } from '../sqlite/url.ts';
import { type BackupFacts, partOf, syncDirectory, syncFile, verifyBackup } from './backup.ts';
import { digestOf, lengthOfContents } from './seal.ts';

export interface RestoreOptions {
  /** Reports progress in bytes. */
  readonly onProgress?: OnProgress;
  /** Time to include in the replaced database's new name, in ms since the epoch. */
  readonly now?: number;
  /**
   * Returns true if a server is using the database. Called when SQLite cannot detect this because the file is missing
   * or damaged.
   */
  readonly isServed?: () => boolean;
}

export interface RestoreFacts extends BackupFacts {
  /** New path of the replaced database; null if there was no database. */
  readonly previous: string | null;
}

/**
 * Replaces the database with a backup. Verifies the backup and the unsealed copy before moving any file. The old
 * database is never deleted: it is renamed, with the time in its new name.
 * @throws Error when the backup is invalid or is the database itself, or a process has the database open
 */
export async function restoreDatabase(
  url: string,
  backupPath: string,
  { onProgress, now = Date.now(), isServed = () => false }: RestoreOptions = {},
): Promise<RestoreFacts> {
  // SQLite opens the target of a symbolic link, so that is the file to replace.
  const path = realPathOf(sqlitePathIn(url));
  requireNotDatabaseFile(path, backupPath);
  const facts = await verifyBackup(backupPath);
  makeFolder(dirname(path), 0o700);
  const part = partOf(path, 'restoring');
  try {
    copyContents(backupPath, part, onProgress);
    adoptOwner(part);
    syncFile(part);
    if (digestOf(part, statSync(part).size) !== facts.sha256)
      throw new Error('The copy differs from the backup. Nothing was replaced.');
    const previous = swap(path, part, now, isServed);
    syncDirectory(dirname(path));
    return { ...facts, path, previous };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

const bytesPerStep = 4_194_304;

function copyContents(from: string, to: string, onProgress: OnProgress | undefined): void {
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
}

const filesBeside = ['-wal', '-shm'] as const;

/**
 * Swaps the files under a lock. A complete database exists at the path at all times, so that no process creates an
 * empty one.
 * @returns the new path of the old database; null if there was no database
 */
function swap(path: string, part: string, now: number, isServed: () => boolean): string | null {
  const exists = existsSync(path);
  const lock = exists ? lockUnused(path) : undefined;
  try {
    if (lock === undefined && isServed()) throw inUse();
    const aside = asideName(path, now);
    // Moves the write-ahead log together with its database, because SQLite would otherwise apply the log to the new
    // database. A log exists only if the database could not be locked.
    for (const suffix of filesBeside) moveIfThere(path + suffix, aside + suffix);
    if (!exists) {
      placeNew(part, path);
      return null;
    }
    preserveAs(aside, path);
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
}

/** Returns true if the file system does not support hard links, or this user may not create them. */
function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

/**
 * Gives the old database a second name with a hard link, so that its path always exists. Renames the database if the
 * file system does not support hard links.
 */
function preserveAs(aside: string, path: string): void {
  try {
    linkSync(path, aside);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    renameSync(path, aside);
  }
}

/** Moves the new database to its path, unless another process has just created a database there. */
function placeNew(part: string, path: string): void {
  try {
    linkSync(part, path);
    unlinkSync(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(error);
    if (!hasNoLinks(error)) throw error;
    renameSync(part, path);
  }
}

function inUse(cause?: unknown): Error {
  return new Error('The database is in use. Stop the server and every other linkfold command first.', {
    cause,
  });
}

// SQLite primary result codes.
const busy = 5;
const corrupt = 11;
const notADatabase = 26;

/**
 * Checks that no process has the database open. Then checkpoints the write-ahead log, so that the file is complete.
 * This process must not have the database open.
 * @returns the connection that holds the lock; undefined if the file is too damaged to open, in which case SQLite
 * cannot detect other processes
 * @throws Error when a process has the database open, or this cannot be determined
 */
function lockUnused(path: string): DatabaseSync | undefined {
  // SQLite treats an empty file as an empty database, and would delete the file's log as stale.
  if (!hasDatabaseHeader(path)) return undefined;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // SQLite leaves WAL mode only when no other connection is open anywhere.
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    if (code === corrupt || code === notADatabase) return undefined;
    if (code === busy) throw inUse(error);
    throw new Error(
      `Cannot determine whether ${path} is in use: ${(error as Error).message}. Nothing was replaced.`,
      { cause: error },
    );
  }
}

/** Returns an unused name for the replaced database, such as `linkfold.db.before-restore-20270301T090000Z`. */
function asideName(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `${path}.before-restore-${stamp}`;
  let free = name;
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`;
  return free;
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
