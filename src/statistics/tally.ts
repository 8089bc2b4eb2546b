import { classCount } from './columns/dimensions.ts';
import type { Answer, BucketCounts, Counts } from './query.ts';

/** The sums of a question while it is answered. */
export interface Tally {
  /** By bucket × 4 + class. */
  readonly clicks: Float64Array<ArrayBuffer>;
  /** By bucket. */
  readonly visitors: Float64Array<ArrayBuffer>;
  /** By group; of the last width `groupOf` made room for. */
  groupClicks: Float64Array<ArrayBuffer>;
  groupVisitors: Float64Array<ArrayBuffer>;
  /** The number of a value of the breakdown, with room in the sums. */
  readonly groupOf: (value: string) => number;
  readonly answer: () => Answer;
}

export function createTally(buckets: number): Tally {
  const numbers = new Map<string, number>();
  const tally: Tally = {
    clicks: new Float64Array(buckets * classCount),
    visitors: new Float64Array(buckets),
    groupClicks: new Float64Array(64),
    groupVisitors: new Float64Array(64),
    groupOf,
    answer,
  };
  return tally;

  function groupOf(value: string): number {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    const group = numbers.size;
    numbers.set(value, group);
    if (group === tally.groupClicks.length) {
      tally.groupClicks = doubled(tally.groupClicks);
      tally.groupVisitors = doubled(tally.groupVisitors);
    }
    return group;
  }

  function answer(): Answer {
    const series = Array.from(tally.visitors, (visitors, bucket) => bucketCounts(tally, bucket, visitors));
    const totals = sumOf(series);
    const countsOf = (group: number): Counts => ({
      clicks: tally.groupClicks[group] ?? 0,
      visitors: tally.groupVisitors[group] ?? 0,
    });
    return {
      totals,
      series,
      countsOf: (value) => countsOf(numbers.get(value) ?? Number.NaN),
      breakdown(limit) {
        const values = mostClicked(numbers, tally.groupClicks, limit).map(({ value, group }) => ({
          value,
          ...countsOf(group),
        }));
        const shown = values.reduce((a, b) => plus(a, b), { clicks: 0, visitors: 0 });
        const other = { clicks: totals.clicks - shown.clicks, visitors: totals.visitors - shown.visitors };
        return { values, other };
      },
    };
  }
}

interface Ranked {
  readonly value: string;
  readonly group: number;
  readonly clicks: number;
}

/** The values of most clicks, then in the order of their names. Of many values only those are sorted that may be among them. */
function mostClicked(
  groups: ReadonlyMap<string, number>,
  clicksOf: Float64Array,
  limit: number,
): readonly Ranked[] {
  const before = (a: Ranked, b: Ranked): number => b.clicks - a.clicks || (a.value < b.value ? -1 : 1);
  const kept: Ranked[] = [];
  let least = 1;
  for (const [value, group] of groups) {
    const clicks = clicksOf[group] ?? 0;
    if (clicks < least) continue;
    kept.push({ value, group, clicks });
    if (kept.length < 2 * limit + 1_000) continue;
    kept.sort(before).length = limit;
    least = kept.at(-1)?.clicks ?? least;
  }
  return kept.sort(before).slice(0, limit);
}

function doubled(sums: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(sums.length * 2);
  wider.set(sums);
  return wider;
}

function bucketCounts(tally: Tally, bucket: number, visitors: number): BucketCounts {
  const classes = Array.from(tally.clicks.subarray(bucket * classCount, (bucket + 1) * classCount));
  return { clicks: classes.reduce((sum, clicks) => sum + clicks, 0), classes, visitors };
}

function sumOf(series: readonly BucketCounts[]): BucketCounts {
  const none: BucketCounts = { clicks: 0, visitors: 0, classes: new Array<number>(classCount).fill(0) };
  return series.reduce(
    (sum, bucket) => ({
      ...plus(sum, bucket),
      classes: sum.classes.map((clicks, at) => clicks + (bucket.classes[at] ?? 0)),
    }),
    none,
  );
}

function plus(a: Counts, b: Counts): Counts {
  return { clicks: a.clicks + b.clicks, visitors: a.visitors + b.visitors };
}
