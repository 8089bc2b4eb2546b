import { createFifo } from './fifo.ts';

/** Only what comes by the dozen is worth an immediate, which costs more than to count. */
const countedFrom = 32;

/** To be asked before a request is looked at. */
export interface TickLimit {
  /** Whether this turn has enough without this request, which it counts: then it is one for `later`. */
  isFull(): boolean;
  /** Does work in one of the next turns, in the order in which it came. Must not throw. */
  later(work: () => void): void;
}

/**
 * Keeps turns of the event loop short however many ask. A turn reads from every connection that has something, and while
 * there are a thousand of them it begins again, up to 48 times: those who ask again as soon as they are answered would be
 * answered again and again, and for seconds no timer runs, no click is written, no redirect leaves. Whoever waits for an
 * answer does not ask again. And a turn takes in one new connection, so that long ones would keep newcomers waiting.
 * @param maxPerTick requests that one turn answers
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
  /** An immediate for each: what its promises do is done before the next one. */
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
