import type { DayClicks } from './day-clicks.ts';
import { combinedDimensions } from './dimensions.ts';
import { packLists, unpackLists } from './planes.ts';

/** More different words or campaigns than a segment can number. */
const maxDistinct = 65_536;

export interface RankedWords {
  /** The texts, a line each, those of most clicks first. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** By click: the number of its text. */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** Numbers the words that occur by how often they do, so that most numbers are small. */
export function rankWords(places: Uint32Array<ArrayBuffer>, words: readonly string[]): RankedWords {
  const textOf = (place: number): string => words[place] ?? '';
  const { ranked, numbers } = rank(places, textOf);
  return { texts: packTexts(ranked.map(textOf)), numbers };
}

export interface PackedCombinations {
  readonly packed: Uint8Array<ArrayBuffer>;
  /** By click: the number of its combination. */
  readonly numbers: Uint32Array<ArrayBuffer>;
}

/** Numbers the combinations of words of campaigns and rules that occur, those of most clicks first. */
export function packCombinations(clicks: DayClicks): PackedCombinations {
  const columns = combinedDimensions.map((dimension) => clicks.combined[dimension]);
  const combinationOf = new Map<string, number>();
  const firstClicks: number[] = [];
  const places = new Uint32Array(clicks.length);
  for (let click = 0; click < clicks.length; click += 1) {
    const key = columns.map((column) => column[click]).join();
    let place = combinationOf.get(key);
    if (place === undefined) {
      place = firstClicks.length;
      combinationOf.set(key, place);
      firstClicks.push(click);
    }
    places[click] = place;
  }
  const wordsAt = (place: number): readonly string[] =>
    columns.map((column) => clicks.words[column[firstClicks[place] ?? 0] as number] ?? '');
  const { ranked, numbers } = rank(places, (place) => wordsAt(place).join('\n'));
  const combinations = ranked.map(wordsAt);
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
  /** In the order of `combinedDimensions`, by combination: places in `words`. */
  readonly combinations: readonly ArrayLike<number>[];
}

export function unpackCombinations(bytes: Uint8Array<ArrayBuffer>): Combinations {
  const [count = 0, textLength = 0] = unpackLists(bytes)(2);
  const end = bytes.length - textLength;
  const next = unpackLists(bytes.subarray(0, end));
  next(2);
  const words = unpackTexts(bytes.subarray(end));
  // A segment of an older program ends before the later dimensions: of them its clicks have no word.
  const without = new Uint32Array(count).fill(words.length);
  return {
    combinations: combinedDimensions.map(() => (next.isAtEnd() ? without : next(count))),
    words: [...words, ''],
  };
}

export function packTexts(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  if (texts.some((text) => text.includes('\n'))) throw new RangeError('A word has no line break.');
  return new TextEncoder().encode(texts.join('\n'));
}

export function unpackTexts(bytes: Uint8Array<ArrayBuffer>): readonly string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').split('\n');
}

/** The places that occur, by falling number of clicks and then by text; and each click's rank. */
function rank(
  places: Uint32Array<ArrayBuffer>,
  textOf: (place: number) => string,
): { readonly ranked: readonly number[]; readonly numbers: Uint32Array<ArrayBuffer> } {
  const counts = new Map<number, number>();
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  const ranked = [...counts]
    .map(([place, count]) => ({ place, count, text: textOf(place) }))
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
    .map(({ place }) => place);
  if (ranked.length > maxDistinct) throw new RangeError('A segment has at most 65,536 different words.');
  const numberOf = new Map(ranked.map((place, number) => [place, number]));
  return { ranked, numbers: places.map((place) => numberOf.get(place) ?? 0) };
}
