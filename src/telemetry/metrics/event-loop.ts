import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval for the event loop delay in ms. */
const resolution = 10;

/** Event loop delay by percentile, in seconds. */
export type EventLoopDelay = ReadonlyMap<string, number>;

/**
 * Starts measuring the event loop delay. Node's histogram records complete intervals, so the delay is the time in
 * excess of the sampling interval.
 * @returns a function that returns the delays since its last call, or the previous delays if nothing was measured since
 * then
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
