import type { BucketOptions } from './bucket.ts';
import type { BackupTarget } from './settings.ts';
import type { BackupStore } from './store.ts';

/** Opens a folder or bucket; the S3 client is loaded only for buckets. */
export async function openBackupStore(target: BackupTarget, options: BucketOptions): Promise<BackupStore> {
  if ('folder' in target) return (await import('./folder.ts')).openFolder(target.folder);
  return (await import('./bucket.ts')).openBucket(target, options);
}
