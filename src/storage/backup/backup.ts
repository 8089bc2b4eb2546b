import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Storage } from '../../model/storage.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { fileFindings, type OnProgress } from '../check/check.ts';
import { migrationStatusOf } from '../migrations/migrate.ts';
import { causeOf, connectionOn, openConnection, sqliteDialect } from '../sqlite/connection.ts';
import {
  hasDatabaseHeader,
  isWalDatabase,
  realPathOf,
  requireNotDatabaseFile,
} from '../sqlite/database-files.ts';
import { openSqlite } from '../sqlite/engine.ts';
import { databaseFileIn } from '../sqlite/url.ts';
import { appliedTo } from '../statements/clicks/clicks.ts';
import { addSeal, verifiedDigest } from './seal.ts';

/** Summary of a backup file. */
export interface BackupFacts {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the database in the backup, in hex. */
  readonly sha256: string;
  readonly schemaVersion: number;
  readonly accounts: number;
  readonly keys: number;
  /** Number of live links. */
  readonly links: number;
  readonly folders: number;
  readonly clicks: number;
}

export interface BackupOptions {
  readonly overwrite?: boolean;
  /** Reports progress in database pages. */
  readonly onProgress?: OnProgress;
  /**
   * Called after a snapshot is taken and before it is copied. Returns true to use this snapshot, false to take a new
   * one. Not called for a database with pending migrations.
   * @param appliedTo returns how much of a journal the snapshot contains, as an offset in the journal; 0 for an unknown
   * journal
   */
  readonly fits?: (appliedTo: (journal: string) => Promise<number>) => Promise<boolean>;
  /**
   * Called with the opened copy before it is sealed, to add clicks that so far exist only in journals. Not called for a
   * database with pending migrations, which is copied unchanged.
   */
  readonly complete?: (copy: Storage) => Promise<void>;
}

// Number of pages to copy per step. Between steps, the event loop runs and progress is reported.
const pagesPerStep = 500;
const copyPatienceMs = 600_000;

/** Returns a temporary file name that is unique across processes, even if two containers use the same process id. */
export function partOf(path: string, purpose: string): string {
  return `${path}.${purpose}-${randomUUID().slice(0, 8)}`;
}

/**
 * Checks that a backup may be written to a path.
 * @throws Error if the path is a database or a file that belongs to one, even with `overwrite`; if another file exists
 * there and `overwrite` is not set; or if the path is not a regular file
 */
function requireTarget(source: string, target: string, overwrite: boolean): void {
  requireNotDatabaseFile(source, target);
  const there = statSync(target, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory()) throw new Error(`${target} is a folder. Specify a file name.`);
  if (!overwrite)
    throw new Error(
      `${target} already exists. Specify another name, or pass --overwrite to replace the file.`,
    );
  if (!there.isFile()) throw new Error(`${target} is not a regular file. Specify another name.`);
  if (isWalDatabase(target))
    throw new Error(`${target} is a database, not a backup. Specify another name, or delete the file first.`);
}

/**
 * Writes a consistent backup from one snapshot, even while servers write to the database. The copy is verified and
 * synced under a temporary name and then renamed, so a file with the final name is always valid.
 * @throws Error when the target is not allowed (see `requireTarget`), there is no database, or the copy is invalid
 */
export async function backupSqlite(
  url: string,
  target: string,
  options: BackupOptions = {},
): Promise<BackupFacts> {
  const source = databaseFileIn(url);
  const refuse = (): void => requireTarget(realPathOf(source), target, options.overwrite === true);
  refuse();
  const part = partOf(target, 'part');
  // Creates the file before SQLite does, with permissions that let only the file's owner read it.
  createPart(part, target);
  try {
    const complete = await copySnapshot(source, part, options);
    if (complete && options.complete !== undefined) {
      // No client waits for the copy, so its reads may take longer on a busy machine.
      const copy = await openSqlite(part, { readPatienceMs: copyPatienceMs });
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
}

/** Creates the backup's temporary file. */
function createPart(part: string, target: string): void {
  try {
    closeSync(openSync(part, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  } catch (error) {
    const folder = dirname(target);
    const why = existsSync(folder) ? reasonOf(error) : `the folder ${folder} does not exist`;
    throw new Error(`Could not write ${target}: ${why}.`, { cause: error });
  }
}

/** Copies a snapshot of the database. @returns true if the snapshot has this program's schema */
async function copySnapshot(
  source: string,
  part: string,
  { onProgress, fits = async () => true }: BackupOptions,
): Promise<boolean> {
  const connection = openConnection(source, { readsOnly: true });
  try {
    // An open read transaction pins the snapshot. Without it, every write by another process restarts the copy. Under
    // load, the copy restarted 600 times.
    connection.database.exec('BEGIN');
    const { pending } = await migrationStatusOf(connection, sqliteDialect);
    while (pending.length === 0 && !(await fits(async (journal) => appliedTo(connection, journal)))) {
      connection.database.exec('ROLLBACK; BEGIN');
    }
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
}

/** Deletes visitor salts: they must not outlive two days, but a backup may be stored for years. */
function deleteSalts(database: DatabaseSync): void {
  if (database.prepare(sqliteDialect.tableExists).get('visitor_salts') === undefined) return;
  database.exec('PRAGMA secure_delete = ON; DELETE FROM visitor_salts');
}

/** Converts the copy to a single file without a write-ahead log. */
function closeLog(part: string): void {
  const database = new DatabaseSync(part);
  try {
    deleteSalts(database);
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/**
 * Verifies a backup without changing the file or its folder. Use it only for backups: no process may have the file
 * open.
 * @throws Error that names the problem: no such file, not a Linkfold database, damaged, or from a newer version
 */
export async function verifyBackup(path: string): Promise<BackupFacts> {
  if (!existsSync(path) || !statSync(path).isFile()) throw new Error(`There is no file ${path}.`);
  if (!hasDatabaseHeader(path)) throw new Error(`${path} is not a SQLite database.`);
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) {
    throw new Error(`${path} is a database in use (it has a -wal file), not a backup.`);
  }
  const sha256 = verifiedDigest(path);
  if (sha256 === undefined) throw new Error(`${path} is damaged: its checksum does not match.`);
  const address = pathToFileURL(path);
  // Without `immutable`, SQLite would create files next to the database, or fail on a read-only medium.
  address.searchParams.set('immutable', '1');
  const connection = connectionOn(new DatabaseSync(address, { readOnly: true }));
  try {
    const findings = fileFindings(connection);
    if (findings.length > 0) throw new Error(`${path} is damaged: ${findings[0]}`);
    const { version } = await migrationStatusOf(connection, sqliteDialect);
    if (version === 0) throw new Error(`${path} is not a Linkfold database.`);
    const counts = connection.get<Counts>(countEverything, []);
    if (counts === undefined) throw new Error(`Could not count the records in ${path}.`);
    const bytes = statSync(path).size;
    return { path, bytes, sha256, schemaVersion: version, ...counts };
  } catch (error) {
    const thrown = causeOf(error);
    if (thrown instanceof Error && 'errcode' in thrown)
      throw new Error(`${path} is damaged: ${thrown.message}.`, { cause: error });
    throw error;
  } finally {
    connection.close();
  }
}

type Counts = Omit<BackupFacts, 'path' | 'bytes' | 'sha256' | 'schemaVersion'>;

const countEverything = `
  SELECT (SELECT COUNT(*) FROM accounts) AS accounts, (SELECT COUNT(*) FROM api_keys) AS keys,
    (SELECT COUNT(*) FROM links WHERE deleted_at IS NULL) AS links, (SELECT COUNT(*) FROM folders WHERE deleted = 0) AS folders,
    (SELECT COALESCE(SUM(total), 0) FROM link_clicks) + (SELECT COALESCE(SUM(clicks), 0) FROM recent_clicks) AS clicks`;

/** Syncs a file to disk. Don't use it for a database that this process has open: see `createFile`. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a directory to disk. Not supported on Windows. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
