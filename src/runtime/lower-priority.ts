import { availableParallelism, constants, getPriority, setPriority } from 'node:os';

/** Short pauses in a long computation, so that the thread that serves visitors can run if there is only one CPU. */
export interface Breaks {
  /** Starts a computation. @param mayPause false if a request is waiting for it */
  begin(mayPause: boolean): void;
  /** Sleeps if enough time has passed since the last pause. Call it often during the computation. */
  between(): void;
}

const stretchMs = 0.5;
const breakMs = 1;

/**
 * Creates pauses.
 * @param isIdle returns false as soon as a request is waiting; the computation then runs to its end without a pause
 */
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

/** Returns true if only one CPU is available to this process. */
export function hasOneProcessor(): boolean {
  return availableParallelism() === 1;
}

const { PRIORITY_BELOW_NORMAL: stepsBelow, PRIORITY_LOW: lowest } = constants.priority;

/**
 * Lowers the priority of a thread. If it shares a CPU with the thread that serves visitors, it then gets a tenth of the
 * CPU time instead of half. Only Linux supports priorities per thread.
 * @param thread system thread ID; the calling thread by default
 */
export function lowerPriority(thread = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(thread, Math.min(lowest, getPriority() + stepsBelow));
  } catch {
    // This process is not permitted to change priorities, so the thread keeps its priority.
  }
}
