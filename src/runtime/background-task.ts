import { hasFaults, isFaulty } from './fault-points.ts';
import { createLoop } from './loop.ts';
import type { Report } from './report.ts';
import type { Timers } from './timers.ts';

export interface BackgroundTaskOptions {
  /** Checked before a run, with a read, so that an idle service writes nothing. */
  readonly hasWork?: () => boolean | Promise<boolean>;
  /**
   * Does a small part of the work.
   * @param after position at which the previous slice ended; 0 for the first
   * @returns position at which this slice ended, above 0; undefined if no work is left
   */
  readonly slice: (after: number) => Promise<number | undefined>;
  /**
   * Acquires a run, if only one of all processes needs to do it.
   * @param everyMs interval between runs
   * @returns whether this process does the run
   */
  readonly acquireLease?: (everyMs: number) => Promise<boolean>;
  /** Message for the operator when a slice fails. */
  readonly fault: string;
  readonly onError: Report;
  /** Pause between the end of a run and the next one, ms. */
  readonly intervalMs?: number;
  /** Pause between two slices, ms. */
  readonly pauseMs?: number;
  readonly timers?: Timers;
  /** Monotonic clock, ms. */
  readonly clock?: () => number;
}

export interface BackgroundTaskStats {
  /** Upper bound of how long work has waited, in seconds: the time since the start of the last complete run. */
  readonly ageSeconds: number;
  readonly failures: number;
}

/** Background work in small slices, so that other writes can run in between. */
export interface BackgroundTask {
  /** Starts. The first run includes work that an earlier process left. */
  start(): void;
  /** Waits for a slice in progress. The remaining work is done after the next start. Never rejects. */
  close(): Promise<void>;
  stats(): BackgroundTaskStats;
}

// A run with more slices than this has a backlog, so its pauses are shortened by the factor `haste`.
const maxSlicesUnhurried = 200;
const haste = 8;
/**
 * Fraction of the interval after which a process may request the lease: timers, and the database's clock, may be
 * slightly early.
 */
const minFraction = 0.9;

/**
 * Creates a background task that runs regularly. A restart loses nothing: a run only remembers where its next slice
 * begins. Each process runs it, unless a lease assigns the run to one of them.
 */
export function createBackgroundTask(options: BackgroundTaskOptions): BackgroundTask {
  const { hasWork = () => true, slice, acquireLease = async () => true, fault, onError } = options;
  const { intervalMs = 60_000, pauseMs = 40 } = options;
  const { clock = () => performance.now() } = options;
  let reached = 0;
  let roundBeganAt = clock();
  /**
   * All work that existed at this time is done. Initially the start of this process: the age of older work is unknown.
   */
  let doneUntil = roundBeganAt;
  let slices = 0;
  let fails = false;
  let failures = 0;

  /** @returns the pause before the next slice or run, ms */
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
          // Another process does the work that existed when the interval began.
          doneUntil = Math.max(doneUntil, clock() - intervalMs);
          fails = false;
          return intervalMs;
        }
        roundBeganAt = clock();
      }
      const end = await slice(reached);
      fails = false;
      reached = end ?? 0;
      slices = end === undefined ? 0 : slices + 1;
      if (end === undefined) {
        doneUntil = roundBeganAt;
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
