import { createFifo } from '../runtime/fifo.ts';

/**
 * Number of requests per tick from which an immediate resets the count. With fewer requests, the immediate would cost
 * more than the limit gains, so the count continues in the next tick.
 */
const countedFrom = 32;

/** Limits the requests per tick of the event loop. */
export interface TickLimit {
  /** Counts a request. @returns true if the tick is full; pass the request to `later` in this case */
  isFull(): boolean;
  /** Runs work in one of the next ticks, in order. Must not throw. */
  later(work: () => void): void;
}

/**
 * Keeps ticks of the event loop short. In one tick, libuv reads every readable connection, and repeats that up to 48
 * times while 1,024 connections have data. It would serve clients that send their next request right after a response
 * again and again: for seconds, no timer would run, no click would be written and no redirect sent. Deferring responses
 * prevents this, because clients wait for them before the next request. A tick also accepts only one new connection, so
 * long ticks would keep new clients waiting.
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
  /** Uses one immediate per request, so that the promises of a request settle before the next request. */
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
