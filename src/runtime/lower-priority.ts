import { availableParallelism, constants, getPriority, setPriority } from 'node:os';

/** Sleeps in the middle of long work, so that another thread gets the processor that both share. */
export interface Breaks {
  /** @param mayPause whether nobody waits for what is begun here */
  begin(mayPause: boolean): void;
  /** Called often in between; sleeps when enough was done since the last time. */
  between(): void;
}

const stretchMs = 0.5;
const breakMs = 1;

/** @param isIdle whether still nobody waits; once somebody does, the work goes on to its end without a break */
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
 * Lets a thread wait for the one that answers visitors, where both want the same processor: it would take half of it.
 * A tenth it gets all the same. Only Linux gives each thread a priority of its own.
 * @param thread as the system numbers it; without it the one that calls
 */
export function lowerPriority(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, Math.min(lowest, getPriority() + stepsBelow));
  } catch {
    // Where it is forbidden, everything works as before.
  }
}
