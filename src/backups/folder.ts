import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { makeFolder } from '../runtime/files/make-folder.ts';
import { type BackupStore, isBackupName, removeLeftovers } from './store.ts';

/** A folder of backups. */
export function openFolder(folder: string): BackupStore {
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
