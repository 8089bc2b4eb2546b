import { slipsBetween } from '../../src/runtime/spelling.ts';

const transliterations: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd' },
};

/**
 * Returns the spellings of a text in lower case: without accents, and with umlauts also transliterated (`muenchen`).
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

/** Rank of a text that does not match. */
export const noMatch = 5;

/**
 * Ranks texts by how well they match a query: 0 for equality, then texts that start with it, texts with words that
 * start with its words, texts that contain its words, and, if typos are allowed, words within one edit per four
 * letters.
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

/** Returns true if a word, or its prefix of the typed length, differs by at most one edit per four letters. */
export function isNear(word: string, token: string): boolean {
  const most = Math.floor(word.length / 4);
  return [token, token.slice(0, word.length)].some((one) => slipsBetween(word, one, most + 1) <= most);
}

/** Returns the items that match a query, best match first. @param textsOf returns the texts to search */
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
