import { createFifo } from '../runtime/fifo.ts';

/**
 * Number of requests per tick from which an immediate resets the count; below it, the immediate would cost more than
 * the limit gains.
 */
const countedFrom = 32;

/** Limits the requests per tick of the event loop. */
export interface TickLimit {
  /** Counts a request. @returns true if the tick is full: then pass the request to `later` */
  isFull(): boolean;
  /** Runs work in one of the next ticks, in order. Must not throw. */
  later(work: () => void): void;
}

/**
 * Keeps ticks short. libuv reads every readable connection in a tick, and repeats that up to 48 times while 1,024 of
 * them have data. Clients that send again as soon as they are answered would be served over and over: for seconds no
 * timer would run, no click be written and no redirect be sent. A client that waits for its response does not send
 * again. A tick also accepts only one new connection, so long ticks would keep new clients waiting.
 * @param maxPerTick maximum number of requests answered per tick
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
  /** Each gets its own immediate: its promises settle before the next one. */
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
