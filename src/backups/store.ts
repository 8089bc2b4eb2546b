import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A backup in a folder or bucket. */
export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

/** A folder or bucket of backups. Each method throws an Error whose message explains what failed. */
export interface BackupStore {
  /** Display name, such as `s3://my-backups/linkfold/`. */
  readonly name: string;
  /** Lists the backups, oldest first. */
  list(): Promise<readonly StoredBackup[]>;
  /**
   * Stores the backup that `write` creates, either completely or not at all, and verifies it by reading it back.
   * @param write writes a backup to the given path and verifies it
   */
  add<T>(name: string, write: (path: string) => Promise<T>): Promise<T>;
  /** Calls `read` with the path of a local copy of the backup. */
  read<T>(name: string, read: (path: string) => Promise<T>): Promise<T>;
  remove(name: string): Promise<void>;
}

const nameShape = /^linkfold-\d{8}T\d{6}Z\.db$/;

/**
 * Returns the name of a backup, such as `linkfold-20270301T030000Z.db`. Names sort by time.
 * @param now ms since the epoch
 */
export function backupName(now: number): string {
  return `linkfold-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
}

/**
 * Returns true for a name in the format of {@link backupName}. Other files in the folder or bucket are never touched.
 */
export function isBackupName(name: string): boolean {
  return nameShape.test(name);
}

/** Age in ms after which a partial file left behind by a killed backup is removed. */
const leftoverMs = 3_600_000;

/** Removes unfinished backups left behind by killed processes. */
export function removeLeftovers(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    if (!/^linkfold-\d{8}T\d{6}Z\.db\.part-/.test(name)) continue;
    const path = join(folder, name);
    if (statSync(path).mtimeMs < now - leftoverMs) rmSync(path, { force: true });
  }
}
