import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How far apart the event loop is looked at, in ms. */
const resolution = 10;

/** Delays of the event loop by quantile, in seconds. */
export type EventLoopDelay = ReadonlyMap<string, number>;

/**
 * Begins to watch how late the event loop is. Node's histogram measures whole intervals: what is beyond the resolution
 * is delay.
 * @returns a function that answers for the time since its last call, or as before when nothing was measured since
 */
export function watchEventLoop(): () => EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  const delay = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1_000);
  let delays: EventLoopDelay = new Map(['0.5', '0.99', '1'].map((quantile) => [quantile, 0]));
  return () => {
    if (histogram.count === 0) return delays;
    delays = new Map([
      ['0.5', delay(histogram.percentile(50))],
      ['0.99', delay(histogram.percentile(99))],
      ['1', delay(histogram.max)],
    ]);
    histogram.reset();
    return delays;
  };
}
