import { availableParallelism, constants, getPriority, setPriority } from 'node:os';

/** Sleeps in the middle of long work, so that the thread that answers visitors gets the one processor. */
export interface Breaks {
  /** @param mayPause false when a request waits for this work */
  begin(mayPause: boolean): void;
  /** Called often in between; sleeps when enough was done since the last time. */
  between(): void;
}

const stretchMs = 0.5;
const breakMs = 1;

/** @param isIdle false as soon as a request waits: then the work continues to its end without a break */
export function createBreaks(isIdle: () => boolean): Breaks {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let mayPause = false;
  let since = 0;
  return {
    begin(may) {
      mayPause = may;
      since = performance.now();
    },
    between() {
      if (!mayPause || performance.now() - since < stretchMs) return;
      mayPause = isIdle();
      if (mayPause) Atomics.wait(never, 0, 0, breakMs);
      since = performance.now();
    },
  };
}

/** Whether this process may run on one processor only. */
export function hasOneProcessor(): boolean {
  return availableParallelism() === 1;
}

const { PRIORITY_BELOW_NORMAL: stepsBelow, PRIORITY_LOW: lowest } = constants.priority;

/**
 * Lowers the priority of a thread, so that it takes a tenth and not half of a processor that the thread that answers
 * visitors wants too. Only Linux gives each thread a priority of its own.
 * @param thread its number in the system; the calling thread by default
 */
export function lowerPriority(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, Math.min(lowest, getPriority() + stepsBelow));
  } catch {
    // Forbidden here: the thread keeps its priority.
  }
}
