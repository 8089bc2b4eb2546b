import { clickClasses } from '../model/clicks/clicks.ts';
import {
  type CodedDimension,
  type CombinedDimension,
  classCount,
  codedDimensions,
  combinedDimensions,
  quartersPerDay,
} from './columns/dimensions.ts';
import { type Numbers, packLists, unpackLists } from './columns/planes.ts';
import { openSections, packSections } from './columns/sections.ts';
import { orderByCount } from './columns/sort.ts';
import { packTexts, unpackTexts } from './columns/words.ts';
import type { Counts } from './query.ts';

export type RolledUpDimension = CodedDimension | CombinedDimension | 'region' | 'referrer' | 'link';

/** So many combined dimensions stand before `region`: those that there were first. */
const combinedOfFirst = 5;

/**
 * The sums of one account and one UTC day, so that a breakdown of a year reads no clicks. Once for all clicks and once for
 * those of people: totals, by quarter of an hour, then for each of `rolledUpDimensions` the values of most clicks. Values of
 * dimensions with codes are the codes in decimal, as what they are called is the reader's affair. A file may have been
 * written before the last dimensions were known.
 */
export const rolledUpDimensions: readonly RolledUpDimension[] = [
  ...codedDimensions,
  ...combinedDimensions.slice(0, combinedOfFirst),
  'region',
  'referrer',
  // Empty: links have a file of their own (`link-sums.ts`). In files of older programs those of most clicks are here.
  'link',
  // Roll-ups of older programs end before these.
  ...combinedDimensions.slice(combinedOfFirst),
] as const;

/** Of which clicks there are sums, in the order of the file. */
export const rolledUpClicks = ['all', 'human'] as const;
export type RolledUpClicks = (typeof rolledUpClicks)[number];

export const humanCode = clickClasses.indexOf('human');

/** What a day has of some of its clicks. */
export interface RolledUpSums {
  /** By quarter of an hour × 4 + class. */
  readonly clicks: Float64Array;
  /** By quarter. */
  readonly visitors: Float64Array;
  /** By `rolledUpDimensions`. */
  readonly values: readonly ValueSums[];
}

/** What different values have, by place. */
export interface ValueSums {
  readonly texts: readonly string[];
  readonly clicks: ArrayLike<number>;
  readonly visitors: ArrayLike<number>;
}

/** @param sums by `rolledUpClicks` @param maxValues of each dimension; those beyond are one sum */
export function packRollup(sums: readonly RolledUpSums[], maxValues: number): Uint8Array<ArrayBuffer> {
  return packSections(
    sums.flatMap(({ clicks, visitors, values }) => [
      packLists([totalsOf(clicks), [visitors.reduce((sum, of) => sum + of, 0)]]),
      packLists([clicks, visitors]),
      ...values.map((of) => packValues(of, maxValues)),
    ]),
  );
}

function totalsOf(clicks: Float64Array): Float64Array {
  const totals = new Float64Array(classCount);
  for (const [cell, of] of clicks.entries())
    totals[cell % classCount] = (totals[cell % classCount] as number) + of;
  return totals;
}

/** The values of most clicks first. */
function packValues({ texts, clicks, visitors }: ValueSums, maxValues: number): Uint8Array {
  const order = orderByCount(Uint32Array.from(clicks));
  const kept = order.subarray(0, maxValues);
  const other = { clicks: 0, visitors: 0 };
  for (const place of order.subarray(maxValues)) {
    other.clicks += clicks[place] as number;
    other.visitors += visitors[place] as number;
  }
  const lines = packTexts(Array.from(kept, (place) => texts[place] as string));
  const lists = packLists([
    [kept.length, other.clicks, other.visitors, lines.length],
    kept.map((place) => clicks[place] as number),
    kept.map((place) => visitors[place] as number),
  ]);
  return Buffer.concat([lists, lines]);
}

export interface Rollup {
  /** Of the whole day. */
  readonly totals: (of: RolledUpClicks) => RolledUpSeries;
  /** 96 of them. */
  readonly quarters: (of: RolledUpClicks) => RolledUpSeries;
  readonly values: (of: RolledUpClicks, dimension: RolledUpDimension) => RolledUpValues;
}

export interface RolledUpSeries {
  /** By bucket × 4 + class. */
  readonly clicks: Numbers;
  /** By bucket. */
  readonly visitors: Numbers;
}

export interface RolledUpValues {
  readonly texts: readonly string[];
  /** By text. */
  readonly clicks: Numbers;
  readonly visitors: Numbers;
  /** What further values have together. */
  readonly other: Counts;
}

/**
 * What is asked for is unpacked once, and kept as long as the object.
 * @throws RangeError when it is no roll-up, here or when something damaged is asked for
 */
export function openRollup(file: Uint8Array<ArrayBuffer>): Rollup {
  const read = openSections(file);
  const unpacked = new Map<number, RolledUpSeries | RolledUpValues>();
  const once = <T extends RolledUpSeries | RolledUpValues>(
    section: number,
    unpack: (bytes: Uint8Array<ArrayBuffer>) => T,
  ): T => {
    const known = unpacked.get(section) ?? unpack(read(section));
    unpacked.set(section, known);
    return known as T;
  };
  const sectionsOfEach = read.count / rolledUpClicks.length;
  const first = (of: RolledUpClicks): number => rolledUpClicks.indexOf(of) * sectionsOfEach;
  const totals = (of: RolledUpClicks): RolledUpSeries => once(first(of), (bytes) => unpackSeries(bytes, 1));
  return {
    totals,
    quarters: (of) => once(first(of) + 1, (bytes) => unpackSeries(bytes, quartersPerDay)),
    values(of, dimension) {
      const place = 2 + rolledUpDimensions.indexOf(dimension);
      return place < sectionsOfEach ? once(first(of) + place, unpackValues) : withoutWord(totals(of));
    },
  };
}

/** What a day has of a dimension that there was not yet when it was summed up. */
function withoutWord({ clicks, visitors }: RolledUpSeries): RolledUpValues {
  let sum = 0;
  for (const ofClass of clicks) sum += ofClass;
  return {
    texts: sum === 0 ? [] : [''],
    clicks: Uint32Array.of(sum),
    visitors,
    other: { clicks: 0, visitors: 0 },
  };
}

function unpackSeries(bytes: Uint8Array<ArrayBuffer>, buckets: number): RolledUpSeries {
  const next = unpackLists(bytes);
  return { clicks: next(buckets * classCount), visitors: next(buckets) };
}

function unpackValues(bytes: Uint8Array<ArrayBuffer>): RolledUpValues {
  const next = unpackLists(bytes);
  const [count = 0, clicks = 0, visitors = 0, textLength = 0] = next(4);
  return {
    clicks: next(count),
    visitors: next(count),
    other: { clicks, visitors },
    texts: count === 0 ? [] : unpackTexts(bytes.subarray(bytes.length - textLength)),
  };
}
