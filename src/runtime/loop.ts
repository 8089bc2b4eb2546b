import { hasFaults, isFaulty, lateMs } from './fault-points.ts';
import type { Timers } from './timers.ts';

/** Repeated work that can be started and stopped. */
export interface Loop {
  start(): void;
  /** Waits for a run in progress and prevents further ones. Never rejects. */
  close(): Promise<void>;
}

/**
 * Repeats work with a pause before each run. The pause does not keep the process alive.
 * @param firstMs pause before the first run
 * @param work never rejects.
 * @returns the pause before the next run, ms
 */
export function createLoop(
  firstMs: number,
  work: () => Promise<number>,
  { setTimeout, clearTimeout }: Timers = globalThis,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  const after = (dueMs: number): void => {
    const ms = hasFaults && isFaulty('lateTimer') ? dueMs + lateMs : dueMs;
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
