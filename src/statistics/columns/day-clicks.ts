import {
  type CodedDimension,
  type CombinedDimension,
  codedDimensions,
  combinedDimensions,
} from './dimensions.ts';

/** Of clicks of visitors that are not distinguished: they count no visitor. */
export const noVisitor = 0;

/**
 * The clicks of one account and one UTC day, in the order in which they were counted, a column each. Of clicks of the
 * same second the earlier in this order is the earlier click.
 */
export interface DayClicks {
  readonly length: number;
  /** Rows of links, as storage names them, below 2^32. */
  readonly link: Uint32Array<ArrayBuffer>;
  /** Seconds since the day began. Milliseconds are not kept. */
  readonly second: Uint32Array<ArrayBuffer>;
  /** The keyed hash of a visitor: two clicks of the day are of one visitor when it is the same. Or `noVisitor`. */
  readonly visitor: Uint32Array<ArrayBuffer>;
  readonly codes: Readonly<Record<CodedDimension, Uint16Array<ArrayBuffer>>>;
  /** Places in `words`. */
  readonly region: Uint32Array<ArrayBuffer>;
  readonly referrer: Uint32Array<ArrayBuffer>;
  readonly combined: Readonly<Record<CombinedDimension, Uint32Array<ArrayBuffer>>>;
  /** Texts without line breaks. The first is empty, which means unknown. */
  readonly words: readonly string[];
}

/** Columns of zeros for so many clicks. */
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

/** Some of the clicks, in the order of their places. */
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
