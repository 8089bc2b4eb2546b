import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval of the event loop, ms. */
const resolution = 10;

/** Event loop delay by percentile, in seconds. */
export type EventLoopDelay = ReadonlyMap<string, number>;

/**
 * Starts measuring the event loop delay. Node's histogram records whole intervals: the time above the resolution is the
 * delay.
 * @returns a function that returns the delays since its last call, or the previous ones if nothing was measured since
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
