import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Storage } from '../../model/storage.ts';
import { reasonOf } from '../../runtime/files/file-faults.ts';
import { fileFindings, type OnProgress } from '../check/check.ts';
import { migrationStatusOf } from '../migrations/migrate.ts';
import {
  type Connection,
  causeOf,
  connectionOn,
  openConnection,
  sqliteDialect,
} from '../sqlite/connection.ts';
import { hasLog, realPathOf, requireForeign, startsLikeDatabase } from '../sqlite/database-files.ts';
import { openSqlite } from '../sqlite/engine.ts';
import { databaseFileIn } from '../sqlite/url.ts';
import { appliedTo } from '../statements/clicks/clicks.ts';
import { addSeal, sealedContents } from './seal.ts';

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
  /** Counts pages of the database. */
  readonly onProgress?: OnProgress;
  /**
   * Asked when the snapshot is taken, before anything is copied, whether it is of use; else another one is taken. Not
   * for a database that lacks migrations.
   * @param appliedTo the snapshot's offset in a click journal; 0 for one that it does not know
   */
  readonly fits?: (appliedTo: (journal: string) => Promise<number>) => Promise<boolean>;
  /**
   * Given the copy, opened, before it is sealed: to add clicks that journals hold and the copied database did not.
   * Not called for a database that lacks migrations, which is copied as it is.
   */
  readonly complete?: (copy: Storage) => Promise<void>;
}

// Pages per step, between which the event loop goes on and progress is reported.
const pagesPerStep = 500;
const copyPatienceMs = 600_000;

/** A name beside a file that no other process gives, not even one with the same process id in another container. */
export function partOf(path: string, purpose: string): string {
  return `${path}.${purpose}-${randomUUID().slice(0, 8)}`;
}

/**
 * Makes sure that a backup of a database may have a name.
 * @throws Error when it would take the place of a database or of a file that belongs to one, whatever the caller
 *   allows; or of another file without `overwrite`; or cannot be a file
 */
function requireTarget(source: string, target: string, overwrite: boolean): void {
  requireForeign(source, target);
  const there = statSync(target, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory()) throw new Error(`${target} is a folder: name a file in it.`);
  if (!overwrite)
    throw new Error(`${target} exists already: give another name, or replace it with --overwrite.`);
  if (!there.isFile()) throw new Error(`${target} is not an ordinary file: give another name.`);
  if (hasLog(target))
    throw new Error(`${target} is a database, not a backup: give another name, or remove it yourself.`);
}

/**
 * Writes a consistent copy of the database, as of one moment, also while servers write to it. The copy is checked and
 * on the disk before it gets its name: a file with that name is sound.
 * @throws Error when the target is a database, belongs to one, or exists and may not be overwritten; when there is no
 *   database; or when the copy is not sound
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
  // Made before SQLite opens it, to be readable by its owner only.
  makePart(part, target);
  try {
    const complete = await copySnapshot(source, part, options);
    if (complete && options.complete !== undefined) {
      // Nobody waits for an answer from the copy: a busy machine may take its time.
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
async function copySnapshot(
  source: string,
  part: string,
  { onProgress, fits = async () => true }: BackupOptions,
): Promise<boolean> {
  const connection = openConnection(source, { readsOnly: true });
  try {
    // An open read transaction pins the snapshot. Without one, each write of another process starts the copy again:
    // measured under load, 600 times instead of never.
    connection.database.exec('BEGIN');
    const { pending } = await migrationStatusOf(connection, sqliteDialect);
    while (pending.length === 0 && !(await fits((journal) => appliedTo(connection, journal)))) {
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

/** A backup may be kept for years; the secrets that tell visitors apart live for two days. */
function forgetSalts(database: DatabaseSync): void {
  if (database.prepare(sqliteDialect.tableExists).get('visitor_salts') === undefined) return;
  database.exec('PRAGMA secure_delete = ON; DELETE FROM visitor_salts');
}

/** Makes the copy one file that needs no write-ahead log beside it. */
function closeLog(part: string): void {
  const database = new DatabaseSync(part);
  try {
    forgetSalts(database);
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/**
 * Proves that a file is a sound backup, and changes nothing: not the file, nor the folder it is in. For backups only,
 * which no process has open.
 * @throws Error that says what is wrong: no such file, not a Linkfold database, damaged, or of a newer program
 */
export async function verifyBackup(path: string): Promise<BackupFacts> {
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
    const { version } = await migrationStatusOf(connection, sqliteDialect);
    if (version === 0) throw new Error(`${path} is not a Linkfold database.`);
    const counts = connection.get<Counts>(countEverything, []);
    if (counts === undefined) throw new Error(`${path} cannot be counted.`);
    const clicks = counts.clicks + recentClicksIn(connection);
    const folders = counts.folders - deletedFoldersIn(connection, version);
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
}

type Counts = Omit<BackupFacts, 'path' | 'bytes' | 'sha256' | 'schemaVersion'>;

const countEverything = `
  SELECT (SELECT COUNT(*) FROM accounts) AS accounts, (SELECT COUNT(*) FROM api_keys) AS keys,
    (SELECT COUNT(*) FROM links WHERE deleted_at IS NULL) AS links, (SELECT COUNT(*) FROM folders) AS folders,
    (SELECT COALESCE(SUM(total), 0) FROM link_clicks) AS clicks`;

const countDeleted = 'SELECT COUNT(*) AS folders FROM folders WHERE deleted = 1';

const countRecent = 'SELECT COALESCE(SUM(clicks), 0) AS clicks FROM recent_clicks';

/** A backup of an older version has not all of the tables. */
function has(connection: Connection, table: string): boolean {
  return connection.get(sqliteDialect.tableExists, [table]) !== undefined;
}

function recentClicksIn(connection: Connection): number {
  return has(connection, 'recent_clicks')
    ? (connection.get<{ clicks: number }>(countRecent, [])?.clicks ?? 0)
    : 0;
}

function deletedFoldersIn(connection: Connection, version: number): number {
  return version < 7 ? 0 : (connection.get<{ folders: number }>(countDeleted, [])?.folders ?? 0);
}

/** Waits until the file's content is on the disk. Not for a database that this process has open: see `createFile`. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the names in a folder are on the disk. Windows cannot do that. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
