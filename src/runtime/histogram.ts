/** Counts values by ranges. An observation costs a few additions and allocates no memory. */
export interface Histogram {
  /** Inclusive upper ends of the ranges, ascending; the last range has none. */
  readonly bounds: readonly number[];
  /** Number of values by range, one more than `bounds`. */
  readonly counts: Float64Array;
  /** Returns the sum of all values. */
  sum(): number;
  /** @param times number of observations of this value */
  observe(value: number, times?: number): void;
}

/** Buckets from 0.1 ms to 10 s, in seconds: for operations that wait for a disk. */
export const secondsBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Powers of two, for batch sizes. */
export const sizeBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** @param bounds ascending */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    bounds,
    counts,
    sum: () => sum,
    observe(value, times = 1) {
      let range = 0;
      while (range < bounds.length && value > (bounds[range] ?? 0)) range += 1;
      counts[range] = (counts[range] ?? 0) + times;
      sum += value * times;
    },
  };
}

/** Runs work and observes its duration in seconds, unless it fails. */
export async function timed<T>(seconds: Histogram, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  seconds.observe((performance.now() - began) / 1_000);
  return result;
}
