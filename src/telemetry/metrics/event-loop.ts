import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The interval at which the event loop is sampled, ms. */
const resolution = 10;

/** Delays of the event loop by percentile, in seconds. */
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
  let delays: EventLoopDelay = new Map(['50', '99', '100'].map((percentile) => [percentile, 0]));
  return () => {
    if (histogram.count === 0) return delays;
    delays = new Map([
      ['50', delay(histogram.percentile(50))],
      ['99', delay(histogram.percentile(99))],
      ['100', delay(histogram.max)],
    ]);
    histogram.reset();
    return delays;
  };
}
