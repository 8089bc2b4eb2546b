import type { Timers } from './timers.ts';

/** Work that is done again and again. */
export interface Loop {
  start(): void;
  /** Waits for the work under way, if any; none follows. Never rejects. */
  close(): Promise<void>;
}

/**
 * Does work again and again, with a pause before each run. The pause keeps no process alive.
 * @param firstMs the pause before the first
 * @param work never rejects. @returns the pause before the next one, ms
 */
export function createLoop(
  firstMs: number,
  work: () => Promise<number>,
  { setTimeout, clearTimeout }: Timers = globalThis,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const after = (ms: number): void => {
    timer = setTimeout(() => {
      running = work().then((pause) => {
        if (timer !== undefined) after(pause);
      });
    }, ms).unref();
  };

  return {
    start() {
      if (timer === undefined) after(firstMs);
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}
