import type { BreakdownPlace } from '../model/clicks/statistics.ts';
import { classCount } from './columns/dimensions.ts';
import type { Answer, BucketCounts, Counts } from './query.ts';

/** The running sums of a query. */
export interface Tally {
  /** Number of clicks, indexed by bucket × 4 + class. */
  readonly clicks: Float64Array<ArrayBuffer>;
  /** Number of visitors per bucket. */
  readonly visitors: Float64Array<ArrayBuffer>;
  /** Number of clicks per group. `groupOf` replaces the arrays with larger ones when it needs space. */
  groupClicks: Float64Array<ArrayBuffer>;
  groupVisitors: Float64Array<ArrayBuffer>;
  /** Returns a breakdown value's group number, and reserves space for its sums. @param value a string, or a link row */
  readonly groupOf: (value: string | number) => number;
  readonly answer: () => Answer;
}

export function createTally(buckets: number): Tally {
  const numbers = new Map<string, number>();
  const rows = createRowTable();
  const names: (string | number)[] = [];
  const tally: Tally = {
    clicks: new Float64Array(buckets * classCount),
    visitors: new Float64Array(buckets),
    groupClicks: new Float64Array(64),
    groupVisitors: new Float64Array(64),
    groupOf,
    answer,
  };
  return tally;

  function groupOf(value: string | number): number {
    const known = typeof value === 'number' ? rows.get(value) : (numbers.get(value) ?? -1);
    if (known >= 0) return known;
    const group = names.push(value) - 1;
    if (typeof value === 'number') rows.set(value, group);
    else numbers.set(value, group);
    if (group === tally.groupClicks.length) {
      tally.groupClicks = grow(tally.groupClicks);
      tally.groupVisitors = grow(tally.groupVisitors);
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
      countsOf: (value) => countsOf(numbers.get(value) ?? rows.get(Number(value))),
      valueCount: names.length,
      breakdown(limit, after) {
        const ranked = topGroups(names, tally.groupClicks, limit + 1, after);
        const values = ranked.slice(0, limit).map(({ value, group }) => ({ value, ...countsOf(group) }));
        const next = ranked.length > limit ? ranked[limit - 1] : undefined;
        const shown = values.reduce((a, b) => plus(a, b), { clicks: 0, visitors: 0 });
        const other = { clicks: totals.clicks - shown.clicks, visitors: totals.visitors - shown.visitors };
        return { values, other, next: next && { clicks: next.clicks, value: next.value } };
      },
    };
  }
}

interface RankedGroup {
  readonly value: string;
  readonly group: number;
  readonly clicks: number;
}

/**
 * Returns the values by descending number of clicks, then by name. Sorts only the values that may be on the page,
 * because there may be many values.
 */
function topGroups(
  values: readonly (string | number)[],
  clicksOf: Float64Array,
  limit: number,
  after: BreakdownPlace | undefined,
): readonly RankedGroup[] {
  const before = (a: RankedGroup, b: RankedGroup): number =>
    b.clicks - a.clicks || (a.value < b.value ? -1 : 1);
  const kept: RankedGroup[] = [];
  let least = 1;
  const most = after?.clicks ?? Number.POSITIVE_INFINITY;
  for (let group = 0; group < values.length; group += 1) {
    const clicks = clicksOf[group] as number;
    if (clicks < least || clicks > most) continue;
    const value = String(values[group]);
    if (after !== undefined && clicks === most && value <= after.value) continue;
    kept.push({ value, group, clicks });
    if (kept.length < 2 * limit + 1_000) continue;
    kept.sort(before).length = limit;
    least = kept.at(-1)?.clicks ?? least;
  }
  return kept.sort(before).slice(0, limit);
}

/**
 * A map from link rows to numbers. Rows are dense, so it uses an array; a hash table would cause a cache miss per
 * lookup.
 */
function createRowTable(): {
  readonly get: (row: number) => number;
  readonly set: (row: number, to: number) => void;
} {
  let places = new Int32Array(0);
  const overflow = new Map<number, number>();
  return {
    get: (row) => (row < places.length ? (places[row] as number) : (overflow.get(row) ?? -1)),
    set(row, to) {
      if (row >= maxTableRows) return void overflow.set(row, to);
      if (row >= places.length) {
        const wider = new Int32Array(2 ** (32 - Math.clz32(row))).fill(-1);
        wider.set(places);
        places = wider;
      }
      places[row] = to;
    },
  };
}

/** Maximum number of rows in the array. At this size, the array uses 16 MiB. */
const maxTableRows = 2 ** 22;

function grow(sums: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
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
