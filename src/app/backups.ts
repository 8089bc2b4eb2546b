import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isDue } from '../backups/schedule.ts';
import { type BackgroundTask, createBackgroundTask } from '../runtime/background-task.ts';
import type { Dependencies } from './dependencies.ts';
import { lastBackup } from './installation.ts';
import type { BackupConfig } from './scheduled-backup.ts';

const script = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'backup-thread.ts' : '../app/backup-thread.js',
);
/** Milliseconds between schedule checks. `retryAfterMs` is the pause after a failed backup. */
const checkEveryMs = 30_000;
const retryAfterMs = 600_000;

/**
 * Creates the task that runs backups on `BACKUP_SCHEDULE`. Returns undefined without a schedule, or if another worker
 * runs the backups.
 */
export function createBackups({ config, now, onError, overrides }: Dependencies): BackgroundTask | undefined {
  const { BACKUP_SCHEDULE: schedule } = config;
  const { peers, upkeepEveryMs = checkEveryMs } = overrides;
  if (schedule === null || (peers !== undefined && peers.number !== 1)) return undefined;
  let retryAt = 0;
  let thread: Worker | undefined;
  const task = createBackgroundTask({
    hasWork: async () => now() >= retryAt && isDue(schedule, await lastBackup(config), now()),
    async slice() {
      retryAt = now() + (overrides.upkeepEveryMs ?? retryAfterMs);
      thread = startThread(config, now());
      await ended(thread);
      retryAt = 0;
      return undefined;
    },
    fault: 'The scheduled backup failed. Retrying in 10 minutes; older backups are kept.',
    onError,
    intervalMs: upkeepEveryMs,
  });
  return {
    ...task,
    async close() {
      // Closing terminates a running backup. The next backup removes the partial file.
      const closed = task.close();
      await thread?.terminate();
      await closed;
    },
  };
}

function startThread(config: BackupConfig, now: number): Worker {
  const { DATA_DIR, DATABASE_URL, BACKUP_TO, BACKUP_KEEP } = config;
  const { BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY } =
    config;
  const needed: BackupConfig = {
    DATA_DIR,
    DATABASE_URL,
    BACKUP_TO,
    BACKUP_KEEP,
    BACKUP_S3_ENDPOINT,
    BACKUP_S3_REGION,
    BACKUP_S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY,
  };
  return new Worker(script, { workerData: { config: needed, now }, name: 'linkfold-backup', execArgv: [] });
}

/** Waits for a thread to end. @throws the error that ended the thread */
function ended(thread: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  thread.once('error', reject);
  // A thread terminated by close() has not completed its backup, so this counts as an error.
  thread.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The backup was interrupted.'))));
  return promise;
}
