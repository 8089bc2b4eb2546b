import { createFifo } from '../../runtime/fifo.ts';

export interface SlicesOptions<T> {
  /** Processes one item. Must not throw. */
  readonly perform: (item: T) => void;
  /** If no work is pending, up to this many added items are processed immediately. */
  readonly few: number;
  /** Time limit per tick in ms, including the promise callbacks that the work triggers. */
  readonly sliceMs: number;
  readonly clock?: () => number;
}

/** A queue of items that are processed in order. */
export interface Slices<T> {
  add(items: readonly T[]): void;
  /** Number of pending items. */
  length(): number;
  /** Processes the remaining items immediately. */
  finish(): void;
}

/** Maximum number of items per `setImmediate` callback. */
const itemsPerCheck = 4;
/** Maximum number of `setImmediate` callbacks per tick. */
const maxArmed = 64;

/** Creates a queue that processes items for a few milliseconds per tick, so that other requests are not blocked. */
export function createSlices<T>(options: SlicesOptions<T>): Slices<T> {
  const { perform, few, sliceMs, clock = () => performance.now() } = options;
  const waiting = createFifo<T>();
  let endsAt = 0;
  let isArmed = false;
  let armed = 0;

  /**
   * Schedules a `setImmediate` callback for every `itemsPerCheck` items. Promise callbacks that the items trigger run
   * before the next `setImmediate` callback, so the time limit includes them.
   */
  const arm = (): void => {
    if (!isArmed) {
      isArmed = true;
      setImmediate(begin);
    }
    for (; armed < maxArmed && armed * itemsPerCheck < waiting.length(); armed += 1)
      setImmediate(performSome);
  };

  const begin = (): void => {
    isArmed = false;
    armed = 0;
    endsAt = clock() + sliceMs;
  };

  const performSome = (): void => {
    for (let count = 0; count < itemsPerCheck && clock() < endsAt; count += 1) {
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
