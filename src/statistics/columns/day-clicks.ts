import {
  type CodedDimension,
  type CombinedDimension,
  codedDimensions,
  combinedDimensions,
} from './dimensions.ts';

/** Value of `visitor` for clicks without a visitor hash. These clicks do not add to the number of visitors. */
export const noVisitor = 0;

/**
 * The clicks of one account and UTC day as columns, in the order in which they were counted. Clicks in the same second
 * are therefore in chronological order.
 */
export interface DayClicks {
  readonly length: number;
  /** Row IDs of links in the database, below 2^32. */
  readonly link: Uint32Array<ArrayBuffer>;
  /** Seconds since the start of the day. Milliseconds are dropped. */
  readonly second: Uint32Array<ArrayBuffer>;
  /** Keyed hash of the visitor, or `noVisitor`. All of a visitor's clicks on the day have the same hash. */
  readonly visitor: Uint32Array<ArrayBuffer>;
  readonly codes: Readonly<Record<CodedDimension, Uint16Array<ArrayBuffer>>>;
  /** Indexes into `words`. */
  readonly region: Uint32Array<ArrayBuffer>;
  readonly referrer: Uint32Array<ArrayBuffer>;
  readonly combined: Readonly<Record<CombinedDimension, Uint32Array<ArrayBuffer>>>;
  /** Strings without line breaks. The first string is empty and means unknown. */
  readonly words: readonly string[];
}

/** Allocates columns for `length` clicks, filled with zeros. */
export function allocateDayClicks(length: number, words: readonly string[]): DayClicks {
  const numbers = (): Uint32Array<ArrayBuffer> => new Uint32Array(length);
  return {
    length,
    link: numbers(),
    second: numbers(),
    visitor: numbers(),
    codes: recordOf(codedDimensions, () => new Uint16Array(length)),
    region: numbers(),
    referrer: numbers(),
    combined: recordOf(combinedDimensions, numbers),
    words,
  };
}

/** Returns the clicks at the given indexes, in the order of the indexes. */
export function pickClicks(clicks: DayClicks, places: readonly number[]): DayClicks {
  const picked = allocateDayClicks(places.length, clicks.words);
  const copy = (to: Uint16Array | Uint32Array, from: Uint16Array | Uint32Array): void => {
    for (const [at, place] of places.entries()) to[at] = from[place] as number;
  };
  for (const name of ['link', 'second', 'visitor', 'region', 'referrer'] as const)
    copy(picked[name], clicks[name]);
  for (const name of codedDimensions) copy(picked.codes[name], clicks.codes[name]);
  for (const name of combinedDimensions) copy(picked.combined[name], clicks.combined[name]);
  return picked;
}

export function recordOf<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
