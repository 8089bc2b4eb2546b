import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a condition holds. The default timeout allows for a busy machine.
 * @returns the waiting time in ms
 * @throws Error with the condition's description if it times out
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
    if (elapsed > withinMs) throw new Error(`Timed out after ${withinMs} ms: ${what}.`);
    // Pauses grow with the waiting time, because polling also takes time on a busy machine.
    await pause(everyMs ?? Math.max(10, Math.min(elapsed / 10, 100)));
  }
}
