import type { Timers } from './timers.ts';

/** How long background work may hold a tick, ms: requests that arrive meanwhile wait for it. */
const sliceMs = 2;

/**
 * Called often in the middle of long work.
 * @returns a promise to wait for when the tick has had enough; undefined to continue at once
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
