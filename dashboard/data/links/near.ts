import { useEffect, useState } from 'preact/hooks';
import { findMatches, matcher, noMatch, spellings, tokensOf } from '../../texts/matching.ts';
import { api } from '../client.ts';
import type { Link } from './links.ts';
import { rowsNow } from './list.ts';

const maxQueries = 8;
const maxPerQuery = 50;

/** Returns links similar to a search that has no results, most similar first. */
export function useNear(search: string): readonly Link[] {
  const [found, setFound] = useState<readonly Link[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    findNear(search, controller.signal).then(setFound, () => {});
    return () => controller.abort();
  }, [search]);
  return found;
}

/**
 * Finds links whose code or title resembles a search that has no results. Words may be spelled differently, and may
 * differ by one edit per four letters. Searches the loaded rows and sends a limited number of requests.
 */
export async function findNear(search: string, signal: AbortSignal): Promise<readonly Link[]> {
  const asked = queriesFor(search).map((query) =>
    api
      .listLinks(
        { search: query, cursor: '', limit: maxPerQuery, include: ['title', 'template'] },
        { signal },
      )
      .then(
        ({ data }): readonly Link[] => data,
        () => [],
      ),
  );
  const found = [...rowsNow(), ...(await Promise.all(asked)).flat()];
  const links = new Map(found.map((link) => [link.id, link]));
  return findMatches([...links.values()], search, (link) => [textOf(link)], { allowsTypos: true }).slice(
    0,
    6,
  );
}

/** Returns the search that the user probably meant, with each word spelled as it is in the link. */
export function meantBy(search: string, link: Link): string {
  const words = search.trim().split(/\s+/);
  return words
    .map((word) => {
      const rank = matcher(word, { allowsTypos: true });
      const [best = word] = tokensOf(textOf(link)).toSorted((a, b) => rank(a) - rank(b));
      return rank(best) < noMatch ? best : word;
    })
    .join(' ');
}

function textOf({ shortCode, title }: Link): string {
  return `${shortCode} ${title ?? ''}`;
}

/**
 * Returns alternative searches: other spellings; the search with one word removed; and the beginnings and ends of its
 * words, because a single typo rarely changes both.
 */
function queriesFor(search: string): readonly string[] {
  const words = search.trim().toLowerCase().split(/\s+/);
  const plain = search.toLowerCase().replace(/([aou])e/g, '$1');
  const without = words.length < 2 ? [] : words.map((_, at) => words.toSpliced(at, 1).join(' '));
  const parts = words.flatMap((word) => {
    const [ascii = word] = spellings(word);
    return [ascii.slice(0, 3), ascii.slice(-3), ascii.slice(0, 2), ...swaps(ascii)];
  });
  const all = [...spellings(search), plain, ...without, ...parts];
  return [...new Set(all)].filter((one) => one !== '' && one !== search).slice(0, maxQueries);
}

/**
 * Returns prefixes of a word, each with its last two letters swapped. These searches find a transposition in the middle
 * of a short word, which changes both the beginning and the end.
 */
function swaps(word: string): string[] {
  const from = Math.max(0, word.length - 4);
  return [0, 1, 2]
    .filter((at) => at >= from && at + 1 < word.length)
    .map((at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}`.slice(0, at + 2))
    .filter((part) => part.length >= 3);
}
