import type { Timers } from './timers.ts';

/** How long background work may block a tick, ms: requests that arrive meanwhile wait for it. */
const sliceMs = 2;

/** Call often in long work. @returns a promise to wait for if the tick has taken too long; undefined to continue */
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
