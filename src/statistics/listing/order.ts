import { hash } from 'node:crypto';
import { codedDimensions, combinedDimensions } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import type { Dimension, Names } from '../query.ts';
import { readingOf } from '../reading.ts';
import type { ClickPosition } from './clicks-of-day.ts';

const numbers = ['link', ...codedDimensions] as const satisfies readonly Dimension[];
const words = ['region', 'referrer', ...combinedDimensions] as const satisfies readonly Dimension[];

/** Uses each code's number as its name, so that sort keys do not depend on the meaning of codes. */
const numericNames: Names = {
  codeName: (_, code) => code.toString(16),
  referrerKind: () => '',
  folderOf: () => '',
};

/** Maximum number of words per dimension, and of combinations, in a segment. */
const maxWords = 65_536;

/**
 * Returns a sort key for clicks in the same second: a short string that identifies a click's values, independently of
 * its segment. The key contains the link and the codes as numbers, and a digest of the words.
 */
type KeyOf = (click: ClickPosition) => string;

/** A click with its sort key. */
export interface KeyedClick extends ClickPosition {
  readonly key: string;
}

/** Sorts one second's clicks by key. */
export type SortClicks = (clicks: readonly ClickPosition[]) => readonly KeyedClick[];

/**
 * A sorted second is cached if its number of clicks is in this range. With fewer clicks, sorting is as fast as the
 * cache; with more, the cache would take several megabytes.
 */
const [fewClicks, manyClicks] = [200, 50_000];

/**
 * Creates a sort function that caches the last second with many clicks, because the next page usually continues in the
 * same second.
 */
export function createSortClicks(): SortClicks {
  let cached:
    | { readonly clicks: readonly ClickPosition[]; readonly sorted: readonly KeyedClick[] }
    | undefined;
  return (clicks) => {
    if (cached !== undefined && isSameList(clicks, cached.clicks)) return cached.sorted;
    const keyOf = createKeys();
    const sorted = clicks
      .map((click): KeyedClick => ({ ...click, key: keyOf(click) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    if (clicks.length > fewClicks && clicks.length <= manyClicks) cached = { clicks, sorted };
    return sorted;
  };
}

function isSameList(some: readonly ClickPosition[], others: readonly ClickPosition[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ block, row }, at) => others[at]?.block === block && others[at]?.row === row)
  );
}

function createKeys(): KeyOf {
  const digests = new Map<Segment, Map<number, string>>();
  const ofBlocks = new Map<Block, KeyOf>();
  return (click) => {
    const { segment, block } = click;
    const make = (): KeyOf =>
      createBlockKeys(
        segment,
        block,
        digests.getOrInsertComputed(segment, () => new Map()),
      );
    return ofBlocks.getOrInsertComputed(block, make)(click);
  };
}

/**
 * Creates a function that returns the sort keys of a block's clicks.
 * @param digests digests of words, keyed by the words' numbers in the segment; shared by all blocks of the segment,
 * because many clicks have the same words
 */
function createBlockKeys(segment: Segment, block: Block, digests: Map<number, string>): KeyOf {
  const read = (dimension: Dimension) => {
    const { isOfProfiles, numbers: column, textOf } = readingOf(dimension, segment, block, numericNames);
    const values = column();
    return {
      numberAt: ({ row, profile }: ClickPosition) => values[isOfProfiles ? profile : row] as number,
      textOf,
    };
  };
  const ofNumbers = numbers.map(read);
  const ofWords = words.map(read);
  const [region, referrer, combined] = ofWords as [
    ReturnType<typeof read>,
    ReturnType<typeof read>,
    ReturnType<typeof read>,
  ];
  return (click) => {
    const which =
      (region.numberAt(click) * maxWords + referrer.numberAt(click)) * maxWords + combined.numberAt(click);
    const digest = digests.getOrInsertComputed(which, () => {
      const texts = ofWords.map(({ numberAt, textOf }) => textOf(numberAt(click)));
      return hash('sha1', texts.join('\n'), 'base64url').slice(0, 12);
    });
    let key = '';
    for (const { numberAt, textOf } of ofNumbers) key += `${textOf(numberAt(click))}.`;
    return key + digest;
  };
}
