import { clickClasses } from '../domain/clicks/clicks.ts';
import {
  classCount,
  codedDimensions,
  quartersPerDay,
  ruleDimensions,
  utmDimensions,
} from './columns/dimensions.ts';
import { type Numbers, packLists, unpackLists } from './columns/planes.ts';
import { openSections, packSections } from './columns/sections.ts';
import { packTexts, unpackTexts } from './columns/words.ts';
import type { Answer, Breakdown, Counts } from './query.ts';

/**
 * The sums of one account and one UTC day, so that a breakdown of a year reads no clicks. Once for all clicks and once for
 * those of people: totals, by quarter of an hour, then for each of `rolledUpDimensions` the values of most clicks. Values of
 * dimensions with codes are the codes in decimal, as what they are called is the reader's affair. A file may have been
 * written before the last dimensions were known.
 */
export const rolledUpDimensions = [
  ...codedDimensions,
  ...utmDimensions,
  'region',
  'referrer',
  // Empty: links have a file of their own (`link-sums.ts`). In files of older programs those of most clicks are here.
  'link',
  // Roll-ups of older programs end before these.
  ...ruleDimensions,
] as const;
export type RolledUpDimension = (typeof rolledUpDimensions)[number];

/** Of which clicks there are sums, in the order of the file. */
export const rolledUpClicks = ['all', 'human'] as const;
export type RolledUpClicks = (typeof rolledUpClicks)[number];

export const humanCode = clickClasses.indexOf('human');

/** @param answers by `rolledUpClicks`, by `rolledUpDimensions`: a series of 96 buckets, and a breakdown */
export function packRollup(
  answers: readonly (readonly Answer[])[],
  maxValues: number,
): Uint8Array<ArrayBuffer> {
  return packSections(
    answers.flatMap((byDimension) => [
      packSeries(byDimension[0] ? [byDimension[0].totals] : []),
      packSeries(byDimension[0]?.series ?? []),
      ...byDimension.map(({ breakdown }, at) =>
        packValues(breakdown(rolledUpDimensions[at] === 'link' ? 0 : maxValues)),
      ),
    ]),
  );
}

function packSeries(series: Answer['series']): Uint8Array {
  return packLists([series.flatMap(({ classes }) => classes), series.map(({ visitors }) => visitors)]);
}

function packValues({ values, other }: Breakdown): Uint8Array {
  const texts = packTexts(values.map(({ value }) => value));
  const lists = packLists([
    [values.length, other.clicks, other.visitors, texts.length],
    values.map(({ clicks }) => clicks),
    values.map(({ visitors }) => visitors),
  ]);
  return Buffer.concat([lists, texts]);
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
