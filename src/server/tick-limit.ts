import { createFifo } from '../runtime/fifo.ts';

/** Requests in a tick from which an immediate resets the count; below, the immediate would cost more than the limit gives. */
const countedFrom = 32;

/** Bounds the requests that one tick of the event loop answers. */
export interface TickLimit {
  /** Counts a request. @returns whether the tick is full: then the request is to be given to `later` */
  isFull(): boolean;
  /** Does work in one of the next ticks, in order. Must not throw. */
  later(work: () => void): void;
}

/**
 * Keeps ticks short. In one tick libuv reads every connection that has data, and begins again up to 48 times while a
 * thousand of them have some. Clients that ask again as soon as they are answered would be answered again and again: for
 * seconds no timer would run, no click be written and no redirect leave. A client that waits for its answer does not ask
 * again. A tick also accepts one new connection only, so long ticks would keep new clients waiting.
 * @param maxPerTick requests that one tick answers
 */
export function createTickLimit(maxPerTick: number): TickLimit {
  const waiting = createFifo<() => void>();
  let count = 0;
  let armed = 0;

  const begin = (): void => {
    count = 0;
  };
  const next = (): void => {
    armed -= 1;
    waiting.removeFirst()?.();
    if (armed === 0) arm();
  };
  /** An immediate for each: its promises settle before the next one. */
  const arm = (): void => {
    for (; armed < Math.min(waiting.length(), maxPerTick); armed += 1) setImmediate(next);
  };

  return {
    isFull() {
      count += 1;
      if (count === countedFrom) setImmediate(begin);
      return count > maxPerTick || waiting.length() > 0;
    },
    later(work) {
      waiting.add(work);
      if (armed === 0) arm();
    },
  };
}
