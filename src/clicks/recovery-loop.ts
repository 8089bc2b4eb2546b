import { createLoop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import { drainOrphans, type RecoveryOptions } from './recovery.ts';

export interface ClickRecoveryOptions extends Omit<RecoveryOptions, 'isStopped' | 'reported'> {
  readonly onInfo: Report;
  /** From the end of a look for journals to the next one, ms. */
  readonly intervalMs?: number;
  /** The same after one that failed, ms: storage that works again has the clicks within five seconds. */
  readonly pauseAfterFaultMs?: number;
}

/** Applies the clicks that killed processes left in their journals, while the service runs. */
export interface ClickRecovery {
  /** Looks for journals without an owner at once, and again every few seconds. */
  start(): void;
  /**
   * Waits for the end of the first look, whatever came of it.
   * @param withinMs and no longer: there may be hours of work
   */
  caughtUp(withinMs: number): Promise<void>;
  /** Stops between two batches; what is left is applied after the next start. Never rejects. */
  close(): Promise<void>;
}

export function createClickRecovery(options: ClickRecoveryOptions): ClickRecovery {
  const { onError, onInfo, timers = globalThis, intervalMs = 8_000, pauseAfterFaultMs = 3_000 } = options;
  const reported = new Set<string>();
  const { setTimeout, clearTimeout } = timers;
  const { promise: firstLook, resolve: firstLookEnded } = Promise.withResolvers<void>();
  let isStopped = false;
  let fails = false;

  /** @returns after how many ms the next one may follow */
  const look = async (): Promise<number> => {
    try {
      const clicks = await drainOrphans({ ...options, reported, isStopped: () => isStopped });
      // After a fault also when nothing was left to apply: the log says that it has ended.
      if (clicks > 0 || fails)
        onInfo('Clicks of an earlier process were brought into the figures.', { clicks });
      fails = false;
      return intervalMs;
    } catch (error) {
      // Most likely a full disk. The service continues with figures that lag.
      if (!fails) onError('Clicks of an earlier process cannot be brought into the figures yet.', { error });
      fails = true;
      return pauseAfterFaultMs;
    } finally {
      firstLookEnded();
    }
  };
  const loop = createLoop(0, look, timers);

  return {
    start: loop.start,
    async caughtUp(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onInfo('Clicks of an earlier process are still being brought into the figures.');
        late.resolve();
      }, withinMs);
      await Promise.race([firstLook, late.promise]);
      clearTimeout(timer);
    },
    async close() {
      isStopped = true;
      await loop.close();
    },
  };
}
