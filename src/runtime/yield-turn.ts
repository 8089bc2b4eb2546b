import type { Timers } from './timers.ts';

/** How long work in the background may hold a turn of the event loop, ms: visitors who come meanwhile wait for it. */
const sliceMs = 2;

/**
 * Asked again and again in the middle of long work.
 * @returns what to wait for when this turn has had enough of it; undefined to go on at once
 */
export type Yield = () => Promise<void> | undefined;

/** @param clock monotonic, ms */
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
