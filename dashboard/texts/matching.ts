import { slipsBetween } from '../../src/runtime/spelling.ts';

const transliterations: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd' },
};

/**
 * Returns the lower-case spellings of a string, without accents. Includes spellings with transliterated umlauts, such
 * as `muenchen`.
 */
export function spellings(text: string): readonly string[] {
  const lower = text.trim().toLowerCase().normalize('NFC');
  if (/^[\x20-\x7e]*$/.test(lower)) return [lower];
  const stripped = lower
    .replace(/[æœßłđ]/g, (letter) => transliterations[letter] ?? letter)
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
  const long = lower.replace(/[^\x20-\x7e]/g, (letter) => transliterations[letter] ?? letter);
  return [...new Set([stripped, long.normalize('NFD').replace(/\p{M}/gu, '')])];
}

/** Rank for a string that does not match. */
export const noMatch = 5;

/**
 * Returns a function that ranks how well a string matches a query: 0 if equal, 1 if it starts with the query, 2 if its
 * words start with the query's words, 3 if it contains the query's words, and, if typos are allowed, 4 if words differ
 * by at most one edit per four letters.
 */
export function matcher(query: string, { allowsTypos = false } = {}): (text: string) => number {
  const queries = spellings(query).map((spelling) => spelling.split(/\s+/).filter(Boolean));
  return (text) => {
    const texts = spellings(text);
    return Math.min(...queries.flatMap((words) => texts.map((one) => rankOf(words, one, allowsTypos))));
  };
}

function rankOf(words: readonly string[], text: string, allowsTypos: boolean): number {
  const query = words.join(' ');
  if (text === query) return 0;
  if (text.startsWith(query)) return 1;
  const tokens = tokensOf(text);
  const ranks = words.map((word) => {
    if (tokens.some((token) => token.startsWith(word))) return 2;
    if (text.includes(word)) return 3;
    return allowsTypos && tokens.some((token) => isNear(word, token)) ? 4 : noMatch;
  });
  return Math.max(...ranks);
}

export function tokensOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/**
 * Returns true if `token`, or its prefix of the same length as `word`, differs by at most one edit per four letters.
 */
export function isNear(word: string, token: string): boolean {
  const most = Math.floor(word.length / 4);
  return [token, token.slice(0, word.length)].some((one) => slipsBetween(word, one, most + 1) <= most);
}

/** Returns the items that match a query, best match first. @param textsOf returns the strings to search */
export function findMatches<T>(
  items: readonly T[],
  query: string,
  textsOf: (item: T) => readonly string[],
  options?: { readonly allowsTypos?: boolean },
): readonly T[] {
  if (query.trim() === '') return items;
  const rank = matcher(query, options);
  return items
    .map((item) => ({ item, rank: Math.min(...textsOf(item).map(rank)) }))
    .filter((one) => one.rank < noMatch)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
