import { join } from 'node:path';
import { openBackupStore } from '../backups/open.ts';
import { readTarget } from '../backups/settings.ts';
import { type BackupStore, backupName, isBackupName } from '../backups/store.ts';
import type { Config } from '../config.ts';
import type { BackupFacts } from '../storage/backup/backup.ts';
import { type BackupProgress, backup } from './operator.ts';

/** Settings for backups to `BACKUP_TO`. */
export type BackupConfig = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'BACKUP_TO'
  | 'BACKUP_KEEP'
  | 'BACKUP_S3_ENDPOINT'
  | 'BACKUP_S3_REGION'
  | 'BACKUP_S3_ACCESS_KEY_ID'
  | 'BACKUP_S3_SECRET_ACCESS_KEY'
>;

/**
 * Opens the backup store at `BACKUP_TO` or at another target.
 * @throws Error if neither target is set or the store does not exist
 */
export function backupStore(config: BackupConfig, target = config.BACKUP_TO): Promise<BackupStore> {
  if (target === null)
    throw new Error(
      'Specify a file, or set BACKUP_TO to a folder or a bucket such as s3://my-backups/linkfold.',
    );
  return openBackupStore(target, {
    workFolder: join(config.DATA_DIR, 'backup'),
    endpoint: config.BACKUP_S3_ENDPOINT,
    region: config.BACKUP_S3_REGION,
    accessKeyId: config.BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: config.BACKUP_S3_SECRET_ACCESS_KEY,
  });
}

/**
 * Backs up the database to `BACKUP_TO`, verifies the stored copy, then removes all but the newest `BACKUP_KEEP`
 * backups.
 * @param now time in ms since the epoch, used in the backup's name
 * @throws Error if the backup could not be created, stored or verified; in this case, no older backup is removed
 */
export async function backUpToStore(
  config: BackupConfig,
  now: number,
  progress: BackupProgress,
): Promise<BackupFacts & { readonly removed: readonly string[] }> {
  const store = await backupStore(config);
  const name = backupName(now);
  const facts = await store.add(name, (path) => backup(config, path, { ...progress, overwrite: true }));
  const kept = await store.list();
  const removed = kept.slice(0, Math.max(0, kept.length - config.BACKUP_KEEP)).map((old) => old.name);
  for (const old of removed) await store.remove(old);
  return { ...facts, path: store.name + name, removed };
}

/**
 * Calls `read` with the path of a backup file. If the backup is in a bucket, downloads it first.
 * @param given a path, or `s3://BUCKET/PREFIX/NAME`
 */
export async function withBackupFile<T>(
  config: BackupConfig,
  given: string,
  read: (path: string) => Promise<T>,
): Promise<T> {
  if (!given.startsWith('s3://')) return read(given);
  const [, folder = '', name = ''] = /^(.*\/)([^/]*)$/.exec(given) ?? [];
  if (!isBackupName(name))
    throw new Error(
      `${given} is not a backup: its name must be like ${backupName(0)}. See \`linkfold db backups\`.`,
    );
  return (await backupStore(config, readTarget(folder))).read(name, read);
}
