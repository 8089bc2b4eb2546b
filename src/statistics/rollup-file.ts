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

/** Number of combined dimensions that come before `region` in a file. */
const initialCombined = 5;

/**
 * A roll-up's dimensions, in file order. A roll-up contains precomputed sums for one account and UTC day, so that a
 * breakdown of a year need not read clicks. The sums are stored once for all clicks and once for human clicks: totals,
 * sums per quarter of an hour, then for each dimension the values with the most clicks. Codes are stored in decimal,
 * because this folder does not know their names. Files written before a dimension was added lack its sums.
 */
export const rolledUpDimensions: readonly RolledUpDimension[] = [
  ...codedDimensions,
  ...combinedDimensions.slice(0, initialCombined),
  'region',
  'referrer',
  // Always empty, because sums per link are in a separate file (`link-sums.ts`).
  'link',
  ...combinedDimensions.slice(initialCombined),
] as const;

/** The kinds of clicks that have sums, in file order. */
export const rolledUpClicks = ['all', 'human'] as const;
export type RolledUpClicks = (typeof rolledUpClicks)[number];

export const humanCode = clickClasses.indexOf('human');

/** A day's sums for one kind of click. */
export interface RolledUpSums {
  /** Number of clicks, indexed by quarter of an hour × 4 + class. */
  readonly clicks: Float64Array;
  /** Number of visitors per quarter of an hour. */
  readonly visitors: Float64Array;
  /** Sums per dimension, in the order of `rolledUpDimensions`. */
  readonly values: readonly ValueSums[];
}

/** The sums of each value of a dimension. */
export interface ValueSums {
  readonly texts: readonly string[];
  readonly clicks: ArrayLike<number>;
  readonly visitors: ArrayLike<number>;
}

/**
 * Encodes a roll-up.
 * @param sums in the order of `rolledUpClicks`
 * @param maxValues maximum number of values per dimension; the rest are combined into one sum
 */
export function packRollup(sums: readonly RolledUpSums[], maxValues: number): Uint8Array<ArrayBuffer> {
  return packSections(
    sums.flatMap(({ clicks, visitors, values }) => [
      packLists([sumByClass(clicks), [visitors.reduce((sum, of) => sum + of, 0)]]),
      packLists([clicks, visitors]),
      ...values.map((of) => packValues(of, maxValues)),
    ]),
  );
}

function sumByClass(clicks: Float64Array): Float64Array {
  const totals = new Float64Array(classCount);
  for (const [cell, of] of clicks.entries())
    totals[cell % classCount] = (totals[cell % classCount] as number) + of;
  return totals;
}

/** Writes the values, most clicks first. */
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
  /** Returns the day's totals. */
  readonly totals: (of: RolledUpClicks) => RolledUpSeries;
  /** Returns the sums for the 96 quarters of an hour. */
  readonly quarters: (of: RolledUpClicks) => RolledUpSeries;
  readonly values: (of: RolledUpClicks, dimension: RolledUpDimension) => RolledUpValues;
}

export interface RolledUpSeries {
  /** Number of clicks, indexed by bucket × 4 + class. */
  readonly clicks: Numbers;
  /** Number of visitors per bucket. */
  readonly visitors: Numbers;
}

export interface RolledUpValues {
  readonly texts: readonly string[];
  /** Number of clicks for each of `texts`. */
  readonly clicks: Numbers;
  readonly visitors: Numbers;
  /** Sum of all values that are not in `texts`. */
  readonly other: Counts;
}

/**
 * Opens a roll-up. Each section is unpacked on first use and cached for the lifetime of the object.
 * @throws RangeError if the file is not a roll-up. If a section is damaged, its first use throws a RangeError.
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
      return place < sectionsOfEach ? once(first(of) + place, unpackValues) : unknownOnly(totals(of));
    },
  };
}

/** Returns the sums of a dimension that did not exist yet when the roll-up was written. */
function unknownOnly({ clicks, visitors }: RolledUpSeries): RolledUpValues {
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
