import { type Answer, type Bucket, figureOf } from './answer.ts';
import type { ClickClass, Metric } from './state.ts';

/**
 * Returns the values of a chart's gridlines: four or five round numbers. The last is greater than or equal to the
 * largest value.
 */
export function ticksFor(largest: number): readonly number[] {
  if (largest <= 0) return [0, 1];
  if (largest <= 4) return Array.from({ length: largest + 1 }, (_, at) => at);
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Clicks are integers, so use no fractional steps.
  const step = Math.max(1, ([1, 2, 2.5, 3, 5, 10].find((one) => one * power >= rough) ?? 10) * power);
  const whole = power < 10 ? Math.ceil(step) : step;
  return Array.from({ length: Math.ceil(largest / whole) + 1 }, (_, at) => at * whole);
}

/** Maximum number of buckets shown as bars. Charts with more buckets are area charts. */
const maxBars = 62;

/** Segment of a stacked bar. Segments are ordered from the bottom up. */
export interface Part {
  readonly name: ClickClass | 'visitors';
  /** Lower edge as a fraction of the chart's height. `to` is the upper edge. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

export interface Bar {
  readonly bucket: Bucket;
  readonly total: number;
  readonly parts: readonly Part[];
  /** Bucket in the previous period. Undefined if there is none. */
  readonly before: { readonly bucket: Bucket; readonly total: number } | undefined;
  /** Whether the bucket has not ended yet, which means that its count can still grow. */
  readonly isOpen: boolean;
}

export interface Chart {
  readonly bars: readonly Bar[];
  readonly ticks: readonly number[];
  readonly top: number;
  readonly isArea: boolean;
  readonly isEmpty: boolean;
}

/**
 * Builds the chart for an API response.
 * @param now ms since the epoch
 */
export function chartOf(answer: Answer, metric: Metric, shown: readonly ClickClass[], now: number): Chart {
  const totalOf = (bucket: Bucket): number => figureOf(bucket, metric, shown);
  const before = answer.compare?.series ?? [];
  const largest = Math.max(0, ...answer.series.map(totalOf), ...before.map(totalOf));
  const ticks = ticksFor(largest);
  const top = ticks.at(-1) ?? 1;
  // Only the last bucket can be incomplete, because a range never ends later than the current time.
  const isLastOpen = Date.parse(answer.to) > now - openWithinMs;
  const bars = answer.series.map((bucket, at): Bar => {
    const earlier = before[at];
    return {
      bucket,
      total: totalOf(bucket),
      parts: partsOf(bucket, metric, shown, top),
      before: earlier === undefined ? undefined : { bucket: earlier, total: totalOf(earlier) },
      isOpen: isLastOpen && at === answer.series.length - 1,
    };
  });
  return { bars, ticks, top, isArea: bars.length > maxBars, isEmpty: largest === 0 };
}

/** The last bucket counts as incomplete if the response's range ended less than this many milliseconds ago. */
const openWithinMs = 15 * 60_000;

function partsOf(bucket: Bucket, metric: Metric, shown: readonly ClickClass[], top: number): Part[] {
  if (metric === 'visitors')
    return [{ name: 'visitors', from: 0, to: bucket.visitors / top, value: bucket.visitors }];
  let base = 0;
  return shown.map((name) => {
    const value = bucket[name];
    const from = base / top;
    base += value;
    return { name, from, to: base / top, value };
  });
}

/** Returns the index of the bar that a key press selects. @returns undefined if the chart ignores the key */
export function barFor(key: string, at: number | undefined, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, (at ?? count) - 1);
    case 'ArrowRight':
      return Math.min(count - 1, (at ?? -1) + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Returns the index of the bar under a point. @param share position as a fraction of the chart's width, 0 to 1 */
export function barAt(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(share * count)));
}

/** Returns the SVG path of a step line with one step per bucket. `width` and `height` are the chart's size. */
export function stepPath(values: readonly number[], top: number, width: number, height: number): string {
  const wide = width / Math.max(1, values.length);
  return values
    .map((value, at) => {
      const y = round(height * (1 - value / top));
      return `${at === 0 ? 'M0 ' : 'V'}${y}H${round((at + 1) * wide)}`;
    })
    .join('');
}

/** Returns the SVG path of a line through the centers of the buckets, for buckets that are too narrow for steps. */
export function linePath(values: readonly number[], top: number, width: number, height: number): string {
  const wide = width / Math.max(1, values.length);
  return `M${values.map((value, at) => `${round((at + 0.5) * wide)} ${round(height * (1 - value / top))}`).join('L')}`;
}

/**
 * Returns the SVG path of the area for a class. The upper and lower edges of the area run through the centers of the
 * buckets.
 */
export function areaPath(bars: readonly Bar[], part: number, width: number, height: number): string {
  const wide = width / Math.max(1, bars.length);
  const point = (share: number, at: number): string =>
    `${round((at + 0.5) * wide)} ${round(height * (1 - share))}`;
  const upper = bars.map((bar, at) => point(bar.parts[part]?.to ?? 0, at));
  const lower = bars.map((bar, at) => point(bar.parts[part]?.from ?? 0, at)).reverse();
  return `M${[...upper, ...lower].join('L')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Returns the indexes of the buckets with labels below the axis: the first, the last, and some at equal distances in
 * between.
 */
export function namedBuckets(count: number, room: number): readonly number[] {
  if (count <= room) return Array.from({ length: count }, (_, at) => at);
  const step = Math.ceil((count - 1) / Math.max(1, room - 1));
  const named = Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
  const last = count - 1;
  // The last bucket always has a label, so omit labels that are too close to it.
  return [...named.filter((at) => last - at >= step * 0.6), last];
}
