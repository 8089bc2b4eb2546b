import { hasFaults, isFaulty, lateMs } from './fault-points.ts';
import type { Timers } from './timers.ts';

/** A function that is called repeatedly, and can be started and stopped. */
export interface Loop {
  start(): void;
  /** Waits for a run in progress and prevents further runs. Never rejects. */
  close(): Promise<void>;
}

/**
 * Creates a loop that calls a function with a pause before each call. The pause does not keep the process alive.
 * @param firstMs milliseconds before the first call
 * @param work never rejects; returns the milliseconds before the next call
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
