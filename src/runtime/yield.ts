import type { Timers } from './timers.ts';

/** Milliseconds for which background work may block a tick. Requests that arrive during this time have to wait. */
const sliceMs = 2;

/**
 * Call this often in a long computation.
 * @returns a promise to wait for if the tick has taken too long; undefined to continue
 */
export type Yield = () => Promise<void> | undefined;

/** Creates a {@link Yield} function. @param clock returns the time of a monotonic clock, in ms */
export function createYield(
  { setImmediate }: Pick<Timers, 'setImmediate'> = globalThis,
  clock: () => number = () => performance.now(),
): Yield {
  let endsAt = clock() + sliceMs;
  return () => {
    if (clock() < endsAt) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        endsAt = clock() + sliceMs;
        resolve();
      });
    });
  };
}
