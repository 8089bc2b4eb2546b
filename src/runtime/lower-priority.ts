import { availableParallelism, constants, getPriority, setPriority } from 'node:os';

/** Short pauses in long work, so that the thread that serves visitors can run if there is only one CPU. */
export interface Breaks {
  /** @param mayPause false if a request waits for this work */
  begin(mayPause: boolean): void;
  /** Call often during the work; sleeps if enough was done since the last pause. */
  between(): void;
}

const stretchMs = 0.5;
const breakMs = 1;

/** @param isIdle returns false as soon as a request waits: then the work runs to its end without a pause */
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

/** Returns true if this process may run on only one CPU. */
export function hasOneProcessor(): boolean {
  return availableParallelism() === 1;
}

const { PRIORITY_BELOW_NORMAL: stepsBelow, PRIORITY_LOW: lowest } = constants.priority;

/**
 * Lowers the priority of a thread: it gets a tenth instead of half of a CPU that it shares with the thread that serves
 * visitors. Only Linux supports priorities per thread.
 * @param thread system thread ID; the calling thread by default
 */
export function lowerPriority(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, Math.min(lowest, getPriority() + stepsBelow));
  } catch {
    // Not permitted: the thread keeps its priority.
  }
}
