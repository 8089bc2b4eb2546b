import { msPerDay, quartersPerDay, secondsPerDay, secondsPerQuarter } from './columns/dimensions.ts';
import type { Query } from './query.ts';

/** Maps the times in a UTC day to buckets. */
export interface DayBuckets {
  /**
   * The bucket that contains the whole day, or −1 if the day is outside the range. Undefined if the day spans several
   * buckets.
   */
  readonly only: number | undefined;
  /**
   * The bucket of each quarter of an hour, or of each second if a bucket starts within a quarter. −1 means outside the
   * range.
   */
  readonly bucketOf: Int32Array<ArrayBuffer>;
  readonly isBySecond: boolean;
}

export const outside = -1;

export function dayBuckets({ from, to, buckets }: Query, day: number): DayBuckets {
  const start = day * msPerDay;
  /** Returns the day's first second at or after a time. */
  const secondFrom = (at: number): number =>
    Math.min(secondsPerDay, Math.max(0, Math.ceil((at - start) / 1_000)));
  const first = secondFrom(from);
  const end = secondFrom(to);
  const begins = startsWithin(buckets, start);
  const cuts = [first, end, ...begins.map(({ at }) => secondFrom(at))];
  const isBySecond = cuts.some((second) => second % secondsPerQuarter !== 0);
  const unit = isBySecond ? 1 : secondsPerQuarter;
  const bucketOf = new Int32Array(isBySecond ? secondsPerDay : quartersPerDay).fill(outside);
  for (const [place, { bucket, at }] of begins.entries()) {
    const next = begins[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    bucketOf.fill(bucket, Math.max(first, secondFrom(at)) / unit, Math.min(end, secondFrom(next)) / unit);
  }
  const [one] = bucketOf;
  return { only: bucketOf.every((bucket) => bucket === one) ? one : undefined, bucketOf, isBySecond };
}

/** Returns the bucket in which the day starts, if any, and the buckets that start during the day. */
function startsWithin(
  buckets: Float64Array,
  start: number,
): { readonly bucket: number; readonly at: number }[] {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((buckets[middle] as number) <= start) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (let bucket = Math.max(0, low - 1); bucket < buckets.length; bucket += 1) {
    const at = buckets[bucket] as number;
    if (at >= start + msPerDay) break;
    found.push({ bucket, at });
  }
  return found;
}
