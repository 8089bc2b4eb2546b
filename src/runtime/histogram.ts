/** Counts values per range. An observation costs a few additions and allocates no memory. */
export interface Histogram {
  /** Inclusive upper bounds of the ranges, ascending. The last range has no upper bound. */
  readonly bounds: readonly number[];
  /** Number of values per range. It has one more item than `bounds`. */
  readonly counts: Float64Array;
  /** Returns the sum of all values. */
  sum(): number;
  /** Counts a value. @param times number of observations of this value */
  observe(value: number, times?: number): void;
}

/** Upper bounds in seconds, from 0.1 ms to 10 s, for operations that wait for a disk. */
export const secondsBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Upper bounds for batch sizes, in powers of two. */
export const sizeBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Creates a histogram. @param bounds inclusive upper bounds, ascending */
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

/** Runs a function and adds its duration in seconds to a histogram, unless the function fails. */
export async function timed<T>(seconds: Histogram, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  seconds.observe((performance.now() - began) / 1_000);
  return result;
}
