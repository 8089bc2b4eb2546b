import { createFifo } from './fifo.ts';

export interface SlicesOptions<T> {
  /** Must not throw. */
  readonly perform: (item: T) => void;
  /** So many are done at once while nothing waits. */
  readonly few: number;
  /** How much of a turn of the event loop others may take, ms; what their promises lead to counts. */
  readonly sliceMs: number;
  readonly clock?: () => number;
}

/** Work in the order in which it came. */
export interface Slices<T> {
  add(items: readonly T[]): void;
  /** How many were added and are not done. */
  length(): number;
  /** Does what is left at once. */
  finish(): void;
}

/** So many are done before the clock is asked again. */
const atOnce = 4;
/** More need not be prepared for one slice. */
const maxArmed = 64;

/** Does much work a little in each turn of the event loop, so that nobody else has to wait for all of it. */
export function createSlices<T>(options: SlicesOptions<T>): Slices<T> {
  const { perform, few, sliceMs, clock = () => performance.now() } = options;
  const waiting = createFifo<T>();
  let endsAt = 0;
  let isArmed = false;
  let armed = 0;

  /** Immediates of their own: by the next one the promises of this one are done, and the clock tells their cost. */
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
