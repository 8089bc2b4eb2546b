/** How often values fell into fixed ranges. Observing costs a few additions and keeps nothing. */
export interface Histogram {
  /** Upper ends of the ranges, ascending, each part of its range; the last range has no end. */
  readonly bounds: readonly number[];
  /** Observations by range, one more than `bounds`. */
  readonly counts: Float64Array;
  /** Of all values observed. */
  sum(): number;
  /** @param times how many observations of this value */
  observe(value: number, times?: number): void;
}

/** From 0.1 ms to 10 s, in seconds: for work that waits for a disk. */
export const secondsBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Powers of two, for sizes of batches. */
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

/** Runs work, and observes how many seconds it took unless it failed. */
export async function timed<T>(seconds: Histogram, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  seconds.observe((performance.now() - began) / 1_000);
  return result;
}
