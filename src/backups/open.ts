import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { makeFolder } from '../runtime/files/make-folder.ts';
import type { BucketOptions } from './bucket.ts';
import type { BackupTarget } from './settings.ts';
import { type BackupStore, isBackupName, removeLeftovers } from './store.ts';

/** Opens a folder or a bucket. The S3 client is loaded only for buckets. */
export async function openBackupStore(target: BackupTarget, options: BucketOptions): Promise<BackupStore> {
  if ('folder' in target) return openFolder(target.folder);
  return (await import('./bucket.ts')).openBucket(target, options);
}

/** Returns the store for backups in a folder. */
function openFolder(folder: string): BackupStore {
  return {
    name: folder + sep,
    async list() {
      makeFolder(folder, 0o700);
      return readdirSync(folder)
        .filter(isBackupName)
        .sort()
        .map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
    },
    add(name, write) {
      makeFolder(folder, 0o700);
      removeLeftovers(folder);
      return write(join(folder, name));
    },
    read: (name, read) => read(join(folder, name)),
    async remove(name) {
      rmSync(join(folder, name));
    },
  };
}
