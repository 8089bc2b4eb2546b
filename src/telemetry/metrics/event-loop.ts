import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The interval at which the event loop is sampled, ms. */
const resolution = 10;

/** Delays of the event loop by quantile, in seconds. */
export type EventLoopDelay = ReadonlyMap<string, number>;

/**
 * Begins to measure the delay of the event loop. Node's histogram holds whole intervals: the part beyond the resolution
 * is delay.
 * @returns a function that returns the delays since its last call, or the former ones when nothing was measured since
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
