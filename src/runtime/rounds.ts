import { createLoop } from './loop.ts';
import type { Report } from './report.ts';
import type { Timers } from './timers.ts';

export interface BackgroundTaskOptions {
  /** Called before a round, by a read, so that an idle service writes nothing. */
  readonly hasWork?: () => boolean | Promise<boolean>;
  /**
   * Does a little of the work.
   * @param after where the slice before ended; 0 to begin
   * @returns where this one ended, a number above 0; undefined when nothing was left
   */
  readonly slice: (after: number) => Promise<number | undefined>;
  /**
   * Called before a round that only one of all processes needs to do.
   * @param everyMs how often there should be one
   * @returns whether this process does it
   */
  readonly acquireLease?: (everyMs: number) => Promise<boolean>;
  /** The sentence for the operator when a slice fails. */
  readonly fault: string;
  readonly onError: Report;
  /** From the end of a round to the next one, in ms. */
  readonly intervalMs?: number;
  /** From one slice to the next, in ms. */
  readonly pauseMs?: number;
  readonly timers?: Timers;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

export interface BackgroundTaskStats {
  /** At most how long work has waited, in seconds: since the last round that did all of it began. */
  readonly ageSeconds: number;
  readonly failures: number;
}

/** Background work in small slices, so that other writes go in between. */
export interface BackgroundTask {
  /** Begins with what an earlier process left. */
  start(): void;
  /** Waits for the slice under way, if any. What is left is done after the next start. Never rejects. */
  close(): Promise<void>;
  stats(): BackgroundTaskStats;
}

// After so many slices a round has a backlog, and shortens its pauses.
const slicesAtLeisure = 200;
const haste = 8;
/** The share of the interval after which a process may ask for the lease: its timer, or the database, may run a little early. */
const earliest = 0.9;

/**
 * Works round after round. A restart loses nothing: a round only remembers where its next slice begins. Of several processes
 * each works on what it finds, unless a lease gives the round to one of them.
 */
export function createRounds(options: BackgroundTaskOptions): BackgroundTask {
  const { hasWork = () => true, slice, acquireLease = async () => true, fault, onError } = options;
  const { intervalMs = 60_000, pauseMs = 40 } = options;
  const { clock = () => performance.now() } = options;
  let reached = 0;
  let roundBeganAt = clock();
  /** All work that existed at this time is done. The work of an earlier process counts from the start of this one. */
  let doneUpTo = roundBeganAt;
  let slices = 0;
  let fails = false;
  let failures = 0;

  /** @returns after how many ms the next one may follow */
  const work = async (): Promise<number> => {
    try {
      if (slices === 0) {
        const askedAt = clock();
        if (!(await hasWork())) {
          doneUpTo = askedAt;
          fails = false;
          return intervalMs;
        }
        if (!(await acquireLease(intervalMs * earliest))) {
          // Another process does what was there when the interval began.
          doneUpTo = Math.max(doneUpTo, clock() - intervalMs);
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
        doneUpTo = roundBeganAt;
        return intervalMs;
      }
      return slices < slicesAtLeisure ? pauseMs : pauseMs / haste;
    } catch (error) {
      if (!fails) onError(fault, { error });
      fails = true;
      failures += 1;
      return intervalMs;
    }
  };

  return {
    ...createLoop(pauseMs, work, options.timers),
    stats: () => ({ ageSeconds: (clock() - doneUpTo) / 1_000, failures }),
  };
}
