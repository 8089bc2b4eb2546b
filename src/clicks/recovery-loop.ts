import { createLoop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import { drainOrphans, type RecoveryOptions } from './recovery.ts';

export interface ClickRecoveryOptions extends Omit<RecoveryOptions, 'isStopped' | 'reported'> {
  readonly onInfo: Report;
  /** Interval between runs in ms. */
  readonly intervalMs?: number;
  /**
   * Pause after a failed run in ms. It is short, so that clicks are applied within five seconds of the end of a storage
   * outage.
   */
  readonly pauseAfterFaultMs?: number;
}

/** Applies the clicks that killed processes left in their journals, while the service runs. */
export interface ClickRecovery {
  /** Starts searching for journals without an owner, now and every few seconds. */
  start(): void;
  /**
   * Waits until the first run has ended, successfully or not.
   * @param withinMs maximum wait in ms; the run can take hours
   */
  caughtUp(withinMs: number): Promise<void>;
  /** Stops between two batches. The next process applies the rest. Never rejects. */
  close(): Promise<void>;
}

export function createClickRecovery(options: ClickRecoveryOptions): ClickRecovery {
  const { onError, onInfo, timers = globalThis, intervalMs = 8_000, pauseAfterFaultMs = 3_000 } = options;
  const reported = new Set<string>();
  const { setTimeout, clearTimeout } = timers;
  const { promise: firstRun, resolve: firstRunEnded } = Promise.withResolvers<void>();
  let isStopped = false;
  let isFailing = false;

  /** Applies orphaned journals. @returns delay until the next run in ms */
  const run = async (): Promise<number> => {
    try {
      const clicks = await drainOrphans({ ...options, reported, isStopped: () => isStopped });
      // Logged after a failure even if nothing was left to apply, to show that the failure has ended.
      if (clicks > 0 || isFailing) onInfo('Clicks from an earlier process were applied.', { clicks });
      isFailing = false;
      return intervalMs;
    } catch (error) {
      // Most likely the disk is full or storage is unavailable. The service continues with delayed statistics.
      if (!isFailing)
        onError('Clicks from an earlier process have not been applied yet. Linkfold will retry.', { error });
      isFailing = true;
      return pauseAfterFaultMs;
    } finally {
      firstRunEnded();
    }
  };
  const loop = createLoop(0, run, timers);

  return {
    start: loop.start,
    async caughtUp(withinMs) {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onInfo('Clicks from an earlier process are still being applied.');
        timeout.resolve();
      }, withinMs);
      await Promise.race([firstRun, timeout.promise]);
      clearTimeout(timer);
    },
    async close() {
      isStopped = true;
      await loop.close();
    },
  };
}
