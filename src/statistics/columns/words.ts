import type { DayClicks } from './day-clicks.ts';
import { combinedDimensions } from './dimensions.ts';
import { packLists, unpackLists } from './planes.ts';
import { orderByCount } from './sort.ts';
import { countsOf, numberTuples } from './tuples.ts';

/** Maximum number of distinct words, and of distinct campaigns, that a segment can store. */
const maxDistinct = 65_536;

export interface RankedWords {
  /** The words, one per line, most frequent first. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Word number of each click. */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** Assigns numbers to the words that occur, most frequent first, so that most numbers are small. */
export function rankWords(places: Uint32Array<ArrayBuffer>, words: readonly string[]): RankedWords {
  const { ranked, numbers } = rank(places, words.length);
  return { texts: packTexts(Array.from(ranked, (place) => words[place] as string)), numbers };
}

export interface PackedCombinations {
  readonly packed: Uint8Array<ArrayBuffer>;
  /** Combination number of each click. */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** Assigns numbers to the combinations of campaign and rule words that occur, most frequent first. */
export function packCombinations(clicks: DayClicks): PackedCombinations {
  const columns = combinedDimensions.map((dimension) => clicks.combined[dimension]);
  const { numberOf: places, first } = numberTuples(columns, clicks.length);
  const wordsAt = (place: number): readonly string[] =>
    columns.map((column) => clicks.words[column[first[place] as number] as number] ?? '');
  const { ranked, numbers } = rank(places, first.length);
  const combinations = Array.from(ranked, wordsAt);
  const words = [...new Set(combinations.flat())].sort();
  const numberOf = new Map(words.map((word, number) => [word, number]));
  const texts = packTexts(words);
  const lists = packLists([
    [combinations.length, texts.length],
    ...combinedDimensions.map((_, field) => combinations.map((of) => numberOf.get(of[field] ?? '') ?? 0)),
  ]);
  return { packed: new Uint8Array(Buffer.concat([lists, texts])), numbers };
}

export interface Combinations {
  readonly words: readonly string[];
  /** For each of `combinedDimensions`, the index into `words` for each combination. */
  readonly combinations: readonly ArrayLike<number>[];
}

export function unpackCombinations(bytes: Uint8Array<ArrayBuffer>): Combinations {
  const [count = 0, textLength = 0] = unpackLists(bytes)(2);
  const end = bytes.length - textLength;
  const next = unpackLists(bytes.subarray(0, end));
  next(2);
  const words = unpackTexts(bytes.subarray(end));
  // Segments written before a dimension was added have no words for the dimension.
  const without = new Uint32Array(count).fill(words.length);
  return {
    combinations: combinedDimensions.map(() => (next.isAtEnd() ? without : next(count))),
    words: [...words, ''],
  };
}

export function packTexts(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  if (texts.some((text) => text.includes('\n')))
    throw new RangeError('A dictionary value contains a line break.');
  return new TextEncoder().encode(texts.join('\n'));
}

export function unpackTexts(bytes: Uint8Array<ArrayBuffer>): readonly string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').split('\n');
}

/** Ranks the values that occur, most clicks first. Also returns the rank of each click's value. */
function rank(
  places: Uint32Array<ArrayBuffer>,
  range: number,
): { readonly ranked: Uint32Array<ArrayBuffer>; readonly numbers: Uint32Array<ArrayBuffer> } {
  const ranked = orderByCount(countsOf(places, range));
  if (ranked.length > maxDistinct) throw new RangeError('A segment can have at most 65,536 distinct values.');
  const rankOf = new Uint32Array(range);
  for (let number = 0; number < ranked.length; number += 1) rankOf[ranked[number] as number] = number;
  return { ranked, numbers: places.map((place) => rankOf[place] as number) };
}
