import { createLoop } from './loop.ts';
import type { Report } from './report.ts';
import type { Timers } from './timers.ts';

export interface RoundsOptions {
  /** Asked before a round, by a read: where there is nothing to do, nothing is written. */
  readonly hasWork?: () => boolean | Promise<boolean>;
  /**
   * Does a little of the work.
   * @param after where the slice before ended; 0 to begin
   * @returns where this one ended, a number above 0; undefined when nothing was left
   */
  readonly slice: (after: number) => Promise<number | undefined>;
  /**
   * Asked before a round that only one of all processes needs to do.
   * @param everyMs how often there should be one
   * @returns whether this process does it
   */
  readonly acquireLease?: (everyMs: number) => Promise<boolean>;
  /** What the operator is told when a slice fails. */
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

export interface RoundsStats {
  /** At most how long work has waited, in seconds: since the last round that did all of it began. */
  readonly ageSeconds: number;
  readonly failures: number;
}

/** Work in the background that storage may do at any time: a little at a time, so that other writes go in between. */
export interface Rounds {
  /** Begins at once with what an earlier process left, at leisure. */
  start(): void;
  /** Waits for the slice under way, if any. What is left is done after the next start. Never rejects. */
  close(): Promise<void>;
  stats(): RoundsStats;
}

// A round that has done so many slices has much to do: it hurries, so that the work does not pile up.
const slicesAtLeisure = 200;
const haste = 8;
/** Of an interval: who asks a little early, because its timer or the database was faster than last time, is not late. */
const earliest = 0.9;

/**
 * Works round after round. Nothing is remembered that matters: where a round stood is only where the next slice begins.
 * Of several processes each does what it finds, unless they take turns.
 */
export function createRounds(options: RoundsOptions): Rounds {
  const { hasWork = () => true, slice, acquireLease = async () => true, fault, onError } = options;
  const { intervalMs = 60_000, pauseMs = 40 } = options;
  const { clock = () => performance.now() } = options;
  let reached = 0;
  let roundBeganAt = clock();
  /** Everything that was there then is done. What an earlier process left counts from this one's start. */
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
          // Somebody else does what was there when the interval began.
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
