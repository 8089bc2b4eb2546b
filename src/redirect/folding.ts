import type { Storage } from '../domain/storage.ts';
import type { Tell } from './directory.ts';
import type { Timers } from './machine.ts';
import type { FoldingStats } from './stats.ts';

export interface FoldingOptions {
  readonly storage: Pick<Storage, 'foldClicks' | 'takeTurn'>;
  /** Ms since the epoch, as other processes know it too. */
  readonly now?: () => number;
  /** A fault that the operator must know of. */
  readonly onAlarm: Tell;
  /** From the end of a round to the next one, in ms. */
  readonly intervalMs?: number;
  /** From one slice to the next, in ms. */
  readonly pauseMs?: number;
  /** So many sums (link, hour, class) are moved at a time. */
  readonly sumsPerSlice?: number;
  readonly timers?: Timers;
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

/** Moves recent clicks to where they stay, a little at a time. */
export interface Folding {
  /** Begins at once with what an earlier process left, at leisure. */
  start(): void;
  /** Waits for the slice under way, if any. What is left is moved after the next start. Never rejects. */
  close(): Promise<void>;
  stats(): FoldingStats;
}

// A round that has moved so many slices is of many links: it hurries, so that the table does not grow without end.
const slicesAtLeisure = 200;
const haste = 8;
/** Of an interval: who asks a little early, because its timer or the database was faster than last time, is not late. */
const earliest = 0.9;

/**
 * Folds the recent clicks round after round (docs/decisions/0012). Nothing is remembered that matters: where a round stood
 * is only where the next slice begins. Of all processes on a database one does a round, of everybody's clicks.
 */
export const createFolding = (options: FoldingOptions): Folding => {
  const { storage, onAlarm, intervalMs = 60_000, pauseMs = 40, sumsPerSlice = 250 } = options;
  const { setTimeout, clearTimeout } = options.timers ?? globalThis;
  const { clock = () => performance.now(), now = Date.now } = options;
  let afterRow = 0;
  let roundBeganAt = clock();
  /** Everything that was there then has been moved. What an earlier process left counts from this one's start. */
  let movedUpTo = roundBeganAt;
  let slices = 0;
  let fails = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  /** @returns after how many ms the next one may follow */
  const fold = async (): Promise<number> => {
    try {
      if (slices === 0) {
        if (!(await storage.takeTurn('fold', now(), intervalMs * earliest))) {
          // Somebody else moves what was there when the interval began.
          movedUpTo = Math.max(movedUpTo, clock() - intervalMs);
          fails = false;
          return intervalMs;
        }
        roundBeganAt = clock();
      }
      const reached = await storage.foldClicks(afterRow, sumsPerSlice);
      fails = false;
      afterRow = reached ?? 0;
      slices = reached === undefined ? 0 : slices + 1;
      if (reached === undefined) {
        movedUpTo = roundBeganAt;
        return intervalMs;
      }
      return slices < slicesAtLeisure ? pauseMs : pauseMs / haste;
    } catch (error) {
      const sentence =
        'Recent clicks, which count already, cannot be moved to the figures of their links yet.';
      if (!fails) onAlarm(sentence, { error });
      fails = true;
      failures += 1;
      return intervalMs;
    }
  };

  const after = (ms: number): void => {
    timer = setTimeout(() => {
      running = fold().then((pause) => {
        if (timer !== undefined) after(pause);
      });
    }, ms).unref();
  };

  return {
    start() {
      if (timer === undefined) after(pauseMs);
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
    stats: () => ({ ageSeconds: (clock() - movedUpTo) / 1_000, failures }),
  };
};
