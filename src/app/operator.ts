import { userInfo } from 'node:os';
import { sep } from 'node:path';
import { hasOwnedJournals } from '../clicks/journal/files/directory.ts';
import { openJournalSnapshot } from '../clicks/journal-snapshot.ts';
import type { Config } from '../config.ts';
import type { RandomBytes } from '../model/ids.ts';
import type { Storage } from '../model/storage.ts';
import { adoptOwner } from '../runtime/files/adopt-owner.ts';
import { replaceFile } from '../runtime/files/replace-file.ts';
import { type BackupFacts, backupSqlite, verifyBackup } from '../storage/backup/backup.ts';
import { type RestoreFacts, restoreDatabase } from '../storage/backup/restore.ts';
import { checkDatabase, type OnProgress } from '../storage/check/check.ts';
import { isPostgresUrl } from '../storage/db/url.ts';
import { migrationStatus, openStorage } from '../storage/open.ts';
import { postgresAddressIn } from '../storage/postgres/connections/url.ts';
import { isSameFile, realPathOf } from '../storage/sqlite/database-files.ts';
import { sqlitePathIn } from '../storage/sqlite/url.ts';
import { clicksDir, lastBackupFile, makeDataDir, randomBytes } from './installation.ts';

export { type CopyFacts, copyDatabase as copy } from '../storage/copy/copy.ts';
export { type BackupFacts, type RestoreFacts, verifyBackup as verify };

/** Dependencies of operator commands, which work whether or not a server is running. */
export interface Tools {
  readonly storage: Storage;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  close(): Promise<void>;
}

/**
 * Returns storage options for commands. A few connections are enough, because a command sends its queries one by one.
 */
function toolOptions(config: Config) {
  return {
    writesLater: true,
    connections: 3,
    patienceMs: config.DATABASE_TIMEOUT * 1_000,
  };
}

/** Returns the database's name for display: a file path, or the server's URL without the password. */
export function databaseName({ DATABASE_URL: url }: Config): string {
  if (!isPostgresUrl(url)) return sqlitePathIn(url);
  const { user, host, port, database } = postgresAddressIn(url);
  return `postgres://${user}@${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null; // the operating system may have no name for the user that runs this process
  }
}

/** Opens this installation's storage, migrated to the current schema. Writes are attributed to the operator. */
export async function openTools(config: Config): Promise<Tools> {
  makeDataDir(config);
  const opened = await openStorage(config.DATABASE_URL, toolOptions(config));
  const author = { kind: 'operator', id: null, name: userName(), requestId: null, at: Date.now() } as const;
  const storage = { ...opened, ...opened.writesBy(author) };
  return { storage, now: Date.now, randomBytes, close: () => storage.close() };
}

/** Compares the database schema with this version's schema. Changes nothing. */
export function status(config: Config) {
  return migrationStatus(config.DATABASE_URL);
}

/** Creates or migrates the schema. @returns the names of the applied migrations, and the current version */
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
  /**
   * Called for each journal directory with clicks that only a newer version can read. The backup does not include these
   * clicks.
   */
  readonly onNewer: (directory: string) => void;
}

/**
 * Writes a verified backup of the database. It includes every click acknowledged before the call, even if the click is
 * only in a journal so far.
 * @throws Error if the target exists and must not be overwritten, the service uses the target, or the backup is corrupt
 */
export async function backup(
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>,
  target: string,
  options: BackupProgress & { readonly overwrite: boolean },
): Promise<BackupFacts> {
  if (isInside(clicksDir(config), target) || isSameFile(lastBackupFile(config), target))
    throw new Error(`${target} belongs to the server. Choose another name.`);
  // The journals are opened before the backup starts. Otherwise, if a journal were applied and removed during the
  // backup, its clicks would be missing from both the backup and the journals.
  let journals = openJournalSnapshot(clicksDir(config));
  let facts: BackupFacts;
  try {
    facts = await backupSqlite(config.DATABASE_URL, target, {
      ...options,
      async fits(appliedTo) {
        if (await journals.fits(appliedTo)) return true;
        journals.close();
        journals = openJournalSnapshot(clicksDir(config));
        return false;
      },
      async complete(copy) {
        for (const directory of await journals.addTo(copy)) options.onNewer(directory);
      },
    });
  } finally {
    journals.close();
  }
  if (isInside(config.DATA_DIR, target)) adoptOwner(target);
  try {
    replaceFile(lastBackupFile(config), `${new Date().toISOString()}\n`);
  } catch {} // The backup is complete; only its time, which metrics show, is not stored.
  return facts;
}

function isInside(folder: string, path: string): boolean {
  return realPathOf(path).startsWith(realPathOf(folder) + sep);
}

/**
 * Replaces the database with a verified backup. The previous database is kept next to it.
 * @throws Error if the backup is corrupt, or a process has the database open
 */
export function restore(
  config: Config,
  file: string,
  options: { readonly onProgress: OnProgress },
): Promise<RestoreFacts> {
  return restoreDatabase(config.DATABASE_URL, file, { ...options, isServed: () => isServed(config) });
}

/** Returns true if the database is in this data directory, and a running server is using the directory. */
function isServed(config: Config): boolean {
  const isHere = isInside(config.DATA_DIR, sqlitePathIn(config.DATABASE_URL));
  return isHere && hasOwnedJournals(clicksDir(config));
}

/** Returns the problems found in the database, one sentence each. The list is empty if the database is intact. */
export function check(config: Config, options: { readonly onProgress: OnProgress }): Promise<string[]> {
  return checkDatabase(config.DATABASE_URL, options);
}
