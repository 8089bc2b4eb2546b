import { hash } from 'node:crypto';
import { codedDimensions, combinedDimensions } from '../columns/dimensions.ts';
import type { Block, Segment } from '../columns/segment.ts';
import type { Dimension, Names } from '../query.ts';
import { readingOf } from '../reading.ts';
import type { ClickPosition } from './clicks-of-day.ts';

const numbers = ['link', ...codedDimensions] as const satisfies readonly Dimension[];
const words = ['region', 'referrer', ...combinedDimensions] as const satisfies readonly Dimension[];

/** Numbers are told as numbers, whatever they mean. */
const asNumbers: Names = {
  codeName: (_, code) => code.toString(16),
  referrerKind: () => '',
  folderOf: () => '',
};

/** A segment numbers at most so many words of a kind, and so many combinations of them. */
const mostWords = 65_536;

/**
 * What a click says, as a short text: the order of clicks of one second, the same in whichever segment a click is. Link and
 * numbers come as they are, words as a digest.
 */
type KeyOf = (click: ClickPosition) => string;

/** A click with its key. */
export interface KeyedClick extends ClickPosition {
  readonly key: string;
}

/** Puts clicks of one second in the order of their keys. */
export type SortClicks = (clicks: readonly ClickPosition[]) => readonly KeyedClick[];

/** A second of fewer clicks is sorted as fast as it is found again; one of more takes some megabytes. */
const [fewClicks, manyClicks] = [200, 50_000];

/** Keeps the last second of many clicks that was sorted, as the next page mostly continues in it. */
export function createSortClicks(): SortClicks {
  let kept: { readonly clicks: readonly ClickPosition[]; readonly sorted: readonly KeyedClick[] } | undefined;
  return (clicks) => {
    if (kept !== undefined && areSame(clicks, kept.clicks)) return kept.sorted;
    const keyOf = createKeys();
    const sorted = clicks
      .map((click): KeyedClick => ({ ...click, key: keyOf(click) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    if (clicks.length > fewClicks && clicks.length <= manyClicks) kept = { clicks, sorted };
    return sorted;
  };
}

function areSame(some: readonly ClickPosition[], others: readonly ClickPosition[]): boolean {
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
      keysOf(
        segment,
        block,
        digests.getOrInsertComputed(segment, () => new Map()),
      );
    return ofBlocks.getOrInsertComputed(block, make)(click);
  };
}

/** @param digests of words by their numbers in the segment: most clicks share them with others */
function keysOf(segment: Segment, block: Block, digests: Map<number, string>): KeyOf {
  const read = (dimension: Dimension) => {
    const { isOfProfiles, numbers: column, textOf } = readingOf(dimension, segment, block, asNumbers);
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
      (region.numberAt(click) * mostWords + referrer.numberAt(click)) * mostWords + combined.numberAt(click);
    const digest = digests.getOrInsertComputed(which, () => {
      const texts = ofWords.map(({ numberAt, textOf }) => textOf(numberAt(click)));
      return hash('sha1', texts.join('\n'), 'base64url').slice(0, 12);
    });
    let key = '';
    for (const { numberAt, textOf } of ofNumbers) key += `${textOf(numberAt(click))}.`;
    return key + digest;
  };
}
