import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { type BackupConfig, backUpToStore } from './scheduled-backup.ts';

// Creates one backup in a separate thread, so that verifying a large file does not delay visitors. The thread ends with
// an error if the backup fails.
try {
  // On Linux, this lowers the priority of this thread only.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {}
const { config, now } = workerData as { readonly config: BackupConfig; readonly now: number };
await backUpToStore(config, now, { onProgress() {}, onNewer() {} });
