import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { type BackupConfig, backUpToStore } from './scheduled-backup.ts';

// Creates one backup on a thread of its own, so that checking a large file does not delay visitors. It ends with an error if the
// backup failed.
try {
  // On Linux this is the priority of the thread.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}
const { config, now } = workerData as { readonly config: BackupConfig; readonly now: number };
await backUpToStore(config, now, { onProgress() {}, onNewer() {} });
