import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../domain/file-faults.ts';
import type { Storage } from '../domain/storage.ts';
import { addSeal, sealedContents } from './backup-seal.ts';
import { fileFindings, type OnProgress } from './check.ts';
import { migrationStatusOf } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import { type Connection, causeOf, connectionOn, openConnection, sqliteWords } from './sqlite-connection.ts';
import { sqlitePathIn } from './sqlite-url.ts';

/** What a backup holds. */
export interface BackupFacts {
  readonly path: string;
  readonly bytes: number;
  /** Of the database in it, in hex. */
  readonly sha256: string;
  readonly schemaVersion: number;
  readonly accounts: number;
  readonly keys: number;
  /** Live links. */
  readonly links: number;
  readonly folders: number;
  readonly clicks: number;
}

export interface BackupOptions {
  readonly overwrite?: boolean;
  /** Told in pages of the database. */
  readonly onProgress?: OnProgress;
  /**
   * Given the copy, opened, before it is sealed: to add clicks that journals hold and the copied database did not.
   * Not called for a database that lacks migrations, which is copied as it is.
   */
  readonly complete?: (copy: Storage) => Promise<void>;
}

// Pages per step, between which the event loop turns and progress is told.
const pagesPerStep = 500;

/**
 * Writes a consistent copy of the database, as of one moment, also while others write to it. The copy is proved and
 * on the disk before it gets its name: whatever has that name is sound.
 * @throws Error when the target exists and may not be overwritten, there is no database, or the copy is not sound
 */
export const backupSqlite = async (
  url: string,
  target: string,
  options: BackupOptions = {},
): Promise<BackupFacts> => {
  const source = sqlitePathIn(url);
  if (!existsSync(source)) throw new Error(`There is no database at ${source}.`);
  const refuse = (): void => {
    if (existsSync(target) && !options.overwrite) throw new Error(`${target} exists already.`);
  };
  refuse();
  const part = `${target}.part-${process.pid}`;
  // Made before SQLite opens it, to be readable by its owner only.
  makePart(part, target);
  try {
    const complete = await copySnapshot(source, part, options.onProgress);
    if (complete && options.complete !== undefined) {
      const copy = await openSqlite(part);
      try {
        await options.complete(copy);
      } finally {
        await copy.close();
      }
    }
    closeLog(part);
    addSeal(part);
    const facts = await verifyBackup(part);
    syncFile(part);
    refuse();
    renameSync(part, target);
    syncDirectory(dirname(target));
    return { ...facts, path: target };
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(part + suffix, { force: true });
    throw error;
  }
};

/** Makes the file that is to become the backup. */
function makePart(part: string, target: string): void {
  try {
    closeSync(openSync(part, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  } catch (error) {
    const folder = dirname(target);
    const why = existsSync(folder) ? reasonOf(error) : `there is no folder ${folder}`;
    throw new Error(`${target} cannot be written: ${why}.`, { cause: error });
  }
}

/** @returns whether the database has the schema of this program */
const copySnapshot = async (
  source: string,
  part: string,
  onProgress: OnProgress | undefined,
): Promise<boolean> => {
  const connection = openConnection(source, { readsOnly: true });
  try {
    // An open read transaction pins the snapshot. Without one, each write of another process starts the copy again:
    // measured under load, 600 times instead of never.
    connection.database.exec('BEGIN');
    const { pending } = await migrationStatusOf(connection, sqliteWords);
    await backup(connection.database, part, {
      rate: pagesPerStep,
      progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
    });
    const pages = connection.get<{ page_count: number }>('PRAGMA page_count', [])?.page_count ?? 0;
    onProgress?.(pages, pages);
    return pending.length === 0;
  } finally {
    connection.close();
  }
};

/** Makes the copy one file that needs no write-ahead log beside it. */
const closeLog = (part: string): void => {
  const database = new DatabaseSync(part);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
};

const magic = 'SQLite format 3\0';

/** Whether the file begins as SQLite's do. Not for a database that this process has open: see `createFile`. */
export const startsLikeDatabase = (path: string): boolean => {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(magic.length);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === magic;
  } finally {
    closeSync(file);
  }
};

/**
 * Proves that a file is a sound backup, and changes nothing: not the file, nor the folder it is in. For backups only,
 * which nobody has open.
 * @throws Error that says what is wrong: no such file, not a Linkfold database, damaged, or of a newer program
 */
export const verifyBackup = async (path: string): Promise<BackupFacts> => {
  if (!existsSync(path) || !statSync(path).isFile()) throw new Error(`There is no file ${path}.`);
  if (!startsLikeDatabase(path)) throw new Error(`${path} is not a SQLite database.`);
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) {
    throw new Error(`${path} is a database in use (a -wal file lies beside it), not a backup.`);
  }
  const contents = sealedContents(path);
  if (contents === undefined) throw new Error(`${path} is damaged: it is not what was sealed.`);
  const address = pathToFileURL(path);
  // Without this SQLite makes files beside the database, or fails on a medium it cannot write to.
  address.searchParams.set('immutable', '1');
  const connection = connectionOn(new DatabaseSync(address, { readOnly: true }));
  try {
    const findings = fileFindings(connection);
    if (findings.length > 0) throw new Error(`${path} is damaged: ${findings[0]}`);
    const { version } = await migrationStatusOf(connection, sqliteWords);
    if (version === 0) throw new Error(`${path} is not a Linkfold database.`);
    const counts = connection.get<Counts>(countEverything, []);
    if (counts === undefined) throw new Error(`${path} cannot be counted.`);
    const clicks = counts.clicks + recentClicksIn(connection);
    const folders = counts.folders - removedFoldersIn(connection);
    const bytes = statSync(path).size;
    return { path, bytes, sha256: contents.sha256, schemaVersion: version, ...counts, folders, clicks };
  } catch (error) {
    const thrown = causeOf(error);
    if (thrown instanceof Error && 'errcode' in thrown)
      throw new Error(`${path} is damaged: ${thrown.message}.`, { cause: error });
    throw error;
  } finally {
    connection.close();
  }
};

type Counts = Omit<BackupFacts, 'path' | 'bytes' | 'sha256' | 'schemaVersion'>;

const countEverything = `
  SELECT (SELECT COUNT(*) FROM accounts) AS accounts, (SELECT COUNT(*) FROM api_keys) AS keys,
    (SELECT COUNT(*) FROM links WHERE deleted_at IS NULL) AS links, (SELECT COUNT(*) FROM folders) AS folders,
    (SELECT COALESCE(SUM(total), 0) FROM link_clicks) AS clicks`;

const countRemovals = 'SELECT COUNT(*) AS folders FROM folder_removals';

const countRecent = 'SELECT COALESCE(SUM(clicks), 0) AS clicks FROM recent_clicks';

/** A backup of an older version has not all of the tables. */
const has = (connection: Connection, table: string): boolean =>
  connection.get(sqliteWords.tableExists, [table]) !== undefined;

const recentClicksIn = (connection: Connection): number =>
  has(connection, 'recent_clicks') ? (connection.get<{ clicks: number }>(countRecent, [])?.clicks ?? 0) : 0;

const removedFoldersIn = (connection: Connection): number =>
  has(connection, 'folder_removals')
    ? (connection.get<{ folders: number }>(countRemovals, [])?.folders ?? 0)
    : 0;

/** Waits until the file's content is on the disk. Not for a database that this process has open: see `createFile`. */
export const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Waits until the names in a folder are on the disk. Windows has no such thing. */
export const syncDirectory = (path: string): void => {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};
