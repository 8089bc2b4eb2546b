import { createFifo } from '../../runtime/fifo.ts';

export interface SlicesOptions<T> {
  /** Must not throw. */
  readonly perform: (item: T) => void;
  /** Up to so many items are done at once while nothing waits. */
  readonly few: number;
  /** How much of a tick the work may take, ms; its promises count. */
  readonly sliceMs: number;
  readonly clock?: () => number;
}

/** A queue of work, done in order. */
export interface Slices<T> {
  add(items: readonly T[]): void;
  /** Items that were added and are not done. */
  length(): number;
  /** Does the rest at once. */
  finish(): void;
}

/** Items between two readings of the clock. */
const atOnce = 4;
/** Immediates for one tick. */
const maxArmed = 64;

/** Does work for a few milliseconds of each tick, so that other requests need not wait for all of it. */
export function createSlices<T>(options: SlicesOptions<T>): Slices<T> {
  const { perform, few, sliceMs, clock = () => performance.now() } = options;
  const waiting = createFifo<T>();
  let endsAt = 0;
  let isArmed = false;
  let armed = 0;

  /** An immediate for every few items: their promises settle before the next one, so the clock tells their whole cost. */
  const arm = (): void => {
    if (!isArmed) {
      isArmed = true;
      setImmediate(begin);
    }
    for (; armed < maxArmed && armed * atOnce < waiting.length(); armed += 1) setImmediate(performSome);
  };

  const begin = (): void => {
    isArmed = false;
    armed = 0;
    endsAt = clock() + sliceMs;
  };

  const performSome = (): void => {
    for (let count = 0; count < atOnce && clock() < endsAt; count += 1) {
      const item = waiting.removeFirst();
      if (item === undefined) return;
      perform(item);
    }
    if (waiting.length() > 0) arm();
  };

  return {
    add(items) {
      if (waiting.length() === 0 && items.length <= few) return items.forEach(perform);
      for (const item of items) waiting.add(item);
      arm();
    },
    length: waiting.length,
    finish: () => waiting.clear().forEach(perform),
  };
}
