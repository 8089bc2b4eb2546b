import { hasFaults, isFaulty } from './fault-points.ts';
import { createLoop } from './loop.ts';
import type { Report } from './report.ts';
import type { Timers } from './timers.ts';

export interface BackgroundTaskOptions {
  /**
   * Returns true if there is work to do. It is called before each run and only reads, so that an idle service writes
   * nothing.
   */
  readonly hasWork?: () => boolean | Promise<boolean>;
  /**
   * Does a small part of the work.
   * @param after position at which the previous slice ended; 0 for the first slice
   * @returns position at which this slice ended, above 0; undefined if no work is left
   */
  readonly slice: (after: number) => Promise<number | undefined>;
  /**
   * Acquires the right to run the task, if only one process should run it.
   * @param everyMs milliseconds between runs
   * @returns true if this process should run the task
   */
  readonly acquireLease?: (everyMs: number) => Promise<boolean>;
  /** Message for the operator when a slice fails. */
  readonly fault: string;
  readonly onError: Report;
  /** Milliseconds between the end of a run and the next run. */
  readonly intervalMs?: number;
  /** Milliseconds between two slices. */
  readonly pauseMs?: number;
  readonly timers?: Timers;
  /** Returns the time of a monotonic clock, in ms. */
  readonly clock?: () => number;
}

export interface BackgroundTaskStats {
  /** Upper bound on how long work has been pending, in seconds: the time since the start of the last complete run. */
  readonly ageSeconds: number;
  readonly failures: number;
}

/** A background task that runs in small slices, so that other writes can run in between. */
export interface BackgroundTask {
  /** Starts the task. The first run includes work left by an earlier process. */
  start(): void;
  /** Waits for a slice in progress. The remaining work is done after a restart. Never rejects. */
  close(): Promise<void>;
  stats(): BackgroundTaskStats;
}

// A run with more slices than this has a backlog, so its pauses are divided by `haste`.
const maxSlicesUnhurried = 200;
const haste = 8;
/**
 * Fraction of the interval after which a process may request the lease. It is less than 1, because timers and the
 * database's clock may be slightly early.
 */
const minFraction = 0.9;

/**
 * Creates a background task that runs regularly. A restart loses no work, because the only progress kept in memory is
 * the position of the next slice. Every process runs the task, unless a lease assigns each run to one process.
 */
export function createBackgroundTask(options: BackgroundTaskOptions): BackgroundTask {
  const { hasWork = () => true, slice, acquireLease = async () => true, fault, onError } = options;
  const { intervalMs = 60_000, pauseMs = 40 } = options;
  const { clock = () => performance.now() } = options;
  let reached = 0;
  let runBeganAt = clock();
  /**
   * All work that existed at this time is done. Initially the start time of this process, because the age of older work
   * is unknown.
   */
  let doneUntil = runBeganAt;
  let slices = 0;
  let fails = false;
  let failures = 0;

  /** Runs one slice. @returns the milliseconds until the next slice or run */
  const work = async (): Promise<number> => {
    try {
      if (slices === 0) {
        const askedAt = clock();
        if (!(await hasWork())) {
          doneUntil = askedAt;
          fails = false;
          return intervalMs;
        }
        const isOurs = await acquireLease(intervalMs * minFraction);
        if (!isOurs && !(hasFaults && isFaulty('expiredLease'))) {
          // Another process has the lease, and has done the work that existed when the interval began.
          doneUntil = Math.max(doneUntil, clock() - intervalMs);
          fails = false;
          return intervalMs;
        }
        runBeganAt = clock();
      }
      const end = await slice(reached);
      fails = false;
      reached = end ?? 0;
      slices = end === undefined ? 0 : slices + 1;
      if (end === undefined) {
        doneUntil = runBeganAt;
        return intervalMs;
      }
      return slices < maxSlicesUnhurried ? pauseMs : pauseMs / haste;
    } catch (error) {
      if (!fails) onError(fault, { error });
      fails = true;
      failures += 1;
      return intervalMs;
    }
  };

  return {
    ...createLoop(pauseMs, work, options.timers),
    stats: () => ({ ageSeconds: (clock() - doneUntil) / 1_000, failures }),
  };
}
