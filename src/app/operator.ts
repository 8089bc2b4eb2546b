import { userInfo } from 'node:os';
import { sep } from 'node:path';
import { openJournalSnapshot } from '../clicks/journal-snapshot.ts';
import { hasOwnedJournals } from '../clicks/journal/files/directory.ts';
import type { Config } from '../config.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';
import { adoptOwner } from '../runtime/files/adopt-owner.ts';
import { replaceFile } from '../runtime/files/replace-file.ts';
import { type BackupFacts, backupSqlite, verifyBackup } from '../storage/backup/backup.ts';
import { type RestoreFacts, restoreDatabase } from '../storage/backup/restore.ts';
import { checkDatabase, type OnProgress } from '../storage/check/check.ts';
import { type CopyFacts, type CopyOptions, copyDatabase } from '../storage/copy/copy.ts';
import { isPostgresUrl } from '../storage/db/url.ts';
import { migrationStatus, openStorage } from '../storage/open.ts';
import { postgresAddressIn } from '../storage/postgres/connections/url.ts';
import { isSameFile, realPathOf } from '../storage/sqlite/database-files.ts';
import { sqlitePathIn } from '../storage/sqlite/url.ts';
import { clicksDir, lastBackupFile, makeDataDir, randomBytes } from './installation.ts';

export type { BackupFacts, CopyFacts, RestoreFacts };

/** What the operator's commands work with, in addition to a running server or without one. */
export interface Tools {
  readonly storage: Storage;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  close(): Promise<void>;
}

/** A command sends one request after the other. */
function toolOptions(config: Config) {
  return {
    writesLater: true,
    connections: 3,
    patienceMs: config.DATABASE_TIMEOUT * 1_000,
  };
}

/** The database of this installation for display: a file, or where a server has it, without its password. */
export function databaseName({ DATABASE_URL: url }: Config): string {
  if (!isPostgresUrl(url)) return sqlitePathIn(url);
  const { user, host, port, database } = postgresAddressIn(url);
  return `postgres://${user}@${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null; // a process may run as a user that has no name
  }
}

/** Opens this installation's storage, migrated. Its writes are the operator's. */
export async function openTools(config: Config): Promise<Tools> {
  makeDataDir(config);
  const opened = await openStorage(config.DATABASE_URL, toolOptions(config));
  const author = { kind: 'operator', id: null, name: userName(), requestId: null, at: Date.now() } as const;
  const storage = { ...opened, ...opened.writesBy(author) };
  return { storage, now: Date.now, randomBytes, close: () => storage.close() };
}

/** Compares the schema with this program's and changes nothing. */
export function status(config: Config) {
  return migrationStatus(config.DATABASE_URL);
}

/** Brings the schema up to date, having made what is not there. @returns what was applied by name, and the version now */
export async function migrate(
  config: Config,
  options: { readonly onProgress: OnProgress; readonly onWait: () => void },
): Promise<{ applied: readonly string[]; version: number }> {
  const { pending } = await status(config);
  makeDataDir(config);
  const { onProgress, onWait } = options;
  const storage = await openStorage(config.DATABASE_URL, {
    ...toolOptions(config),
    onWait,
    onBackfill: (_migration, done, total) => onProgress(done, total),
  });
  await storage.close();
  return { applied: pending, version: (await status(config)).version };
}

export interface BackupProgress {
  readonly onProgress: OnProgress;
  /** Called with a journal's directory that holds clicks which only a newer program can read: the copy lacks them. */
  readonly onNewer: (directory: string) => void;
}

/**
 * Writes a verified copy of the database, with every click that was acknowledged before the call: those that are only
 * in journals yet are added to the copy.
 * @throws Error when the target exists and may not be overwritten, is in use by the service, or the copy is not sound
 */
export async function backup(
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  target: string,
  options: BackupProgress & { readonly overwrite: boolean },
): Promise<BackupFacts> {
  if (isInside(clicksDir(config), target) || isSameFile(lastBackupFile(config), target))
    throw new Error(`${target} is a file that the server writes: give another name.`);
  // Before the copy: a journal that is applied and removed in between would otherwise be in neither of them.
  let held = openJournalSnapshot(clicksDir(config));
  let facts: BackupFacts;
  try {
    facts = await backupSqlite(config.DATABASE_URL, target, {
      ...options,
      async fits(appliedTo) {
        if (await held.fits(appliedTo)) return true;
        held.close();
        held = openJournalSnapshot(clicksDir(config));
        return false;
      },
      async complete(copy) {
        for (const directory of await held.addTo(copy)) options.onNewer(directory);
      },
    });
  } finally {
    held.close();
  }
  if (isInside(config.DATA_DIR, target)) adoptOwner(target);
  try {
    replaceFile(lastBackupFile(config), `${new Date().toISOString()}\n`);
  } catch {} // The backup is whole; only the metric of its time is not.
  return facts;
}

function isInside(folder: string, path: string): boolean {
  return realPathOf(path).startsWith(realPathOf(folder) + sep);
}

/** Proves that a file is a sound backup. @throws Error that says what is wrong with it */
export function verify(file: string): Promise<BackupFacts> {
  return verifyBackup(file);
}

/**
 * Puts a proved backup in the place of the database; what was there is kept next to it.
 * @throws Error when the backup is not sound, or a process has the database open
 */
export function restore(
  config: Config,
  file: string,
  options: { readonly onProgress: OnProgress },
): Promise<RestoreFacts> {
  return restoreDatabase(config.DATABASE_URL, file, { ...options, isServed: () => isServed(config) });
}

/** Whether a server of this data directory runs, and works on a database in it. */
function isServed(config: Config): boolean {
  const isHere = isInside(config.DATA_DIR, sqlitePathIn(config.DATABASE_URL));
  return isHere && hasOwnedJournals(clicksDir(config));
}

/** What is wrong with the database, a sentence each; empty when it is sound. */
export function check(config: Config, options: { readonly onProgress: OnProgress }): Promise<string[]> {
  return checkDatabase(config.DATABASE_URL, options);
}

/**
 * Copies one database into another, of either engine, and compares the two.
 * @throws Error when FROM cannot be copied as it is, or TO holds something else; Failure STORAGE_UNAVAILABLE
 */
export function copy(from: string, to: string, options: CopyOptions): Promise<CopyFacts> {
  return copyDatabase(from, to, options);
}
