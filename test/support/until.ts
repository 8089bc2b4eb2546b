import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until something holds, for as long as a busy machine may need.
 * @returns how long it took, ms
 * @throws Error with what was waited for in vain
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = 60_000, everyMs = 10 } = {},
): Promise<number> {
  const began = performance.now();
  for (; !(await holds()); await pause(everyMs)) {
    if (performance.now() - began > withinMs) throw new Error(`In vain for ${withinMs} ms: ${what}.`);
  }
  return performance.now() - began;
}
