import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until something holds, for as long as a busy machine may need.
 * @returns how long it took, ms
 * @throws Error with what was waited for in vain
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { withinMs = 60_000, everyMs }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<number> {
  const began = performance.now();
  for (;;) {
    const isSo = await holds();
    const elapsed = performance.now() - began;
    if (isSo) return elapsed;
    if (elapsed > withinMs) throw new Error(`In vain for ${withinMs} ms: ${what}.`);
    // What takes longer is asked for more rarely: questions cost the machine as much as what they wait for.
    await pause(everyMs ?? Math.max(10, Math.min(elapsed / 10, 100)));
  }
}
