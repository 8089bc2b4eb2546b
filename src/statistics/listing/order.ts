import { hash } from 'node:crypto';
import { codedDimensions, combinedDimensions } from '../columns/dimensions.ts';
import type { Dimension, Names } from '../query.ts';
import { readingOf } from '../reading.ts';
import type { FoundClick } from './clicks-of-day.ts';

const words = ['region', 'referrer', ...combinedDimensions] as const satisfies readonly Dimension[];

/** Numbers are told as numbers, whatever they mean. */
const asNumbers: Names = {
  codeName: (_, code) => code.toString(16),
  referrerKind: () => '',
  folderOf: () => '',
};

/**
 * What a click says, as a short text: the order of clicks of one second, the same in whichever segment a click is. Link and
 * numbers come as they are, words as a digest.
 */
function keyOf({ segment, block, row, profile }: FoundClick): string {
  const textOf = (dimension: Dimension): string => {
    const { isOfProfiles, numbers, textOf: name } = readingOf(dimension, segment, block, asNumbers);
    return name(numbers()[isOfProfiles ? profile : row] as number);
  };
  const numbers = [textOf('link'), ...codedDimensions.map(textOf)].join('.');
  return `${numbers}.${hash('sha1', words.map(textOf).join('\n'), 'base64url').slice(0, 12)}`;
}

/** Gives a click's key, which is made once. */
export type KeyOf = (click: FoundClick) => string;

export function createKeys(): KeyOf {
  const known = new WeakMap<FoundClick, string>();
  return (click) => {
    let key = known.get(click);
    if (key === undefined) {
      key = keyOf(click);
      known.set(click, key);
    }
    return key;
  };
}

/** The latest first; of one second in the order of their keys. */
export function sortClicks(clicks: FoundClick[], keyOfClick: KeyOf): FoundClick[] {
  return clicks.sort((a, b) => {
    if (a.second !== b.second) return b.second - a.second;
    const [ofA, ofB] = [keyOfClick(a), keyOfClick(b)];
    return ofA < ofB ? -1 : ofA > ofB ? 1 : 0;
  });
}
