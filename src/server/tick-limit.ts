import { createFifo } from '../runtime/fifo.ts';

/**
 * Once a tick has this many requests, an immediate is scheduled to reset the count. With fewer requests, the immediate
 * would cost more than the limit gains, so the count continues in the next tick.
 */
const countedFrom = 32;

/** Limits the number of requests per tick of the event loop. */
export interface TickLimit {
  /** Counts a request. @returns true if the tick is full. In this case, pass the request to `later` */
  isFull(): boolean;
  /** Runs work in one of the next ticks, in order. The work must not throw. */
  later(work: () => void): void;
}

/**
 * Creates a limit that keeps ticks of the event loop short. In one tick, libuv reads every readable connection, and
 * repeats this up to 48 times while 1,024 connections have data. Clients that send their next request right after a
 * response would be served again and again in the same tick. For seconds, no timer would run, no click would be written
 * and no redirect would be sent. Deferring responses prevents this, because clients wait for the response before the
 * next request. A tick also accepts only one new connection, so long ticks would keep new clients waiting.
 * @param maxPerTick maximum number of requests to handle per tick
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
  /** Schedules one immediate per request, so that a request's promises settle before the next request. */
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
