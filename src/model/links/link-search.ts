import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import type { ListIdentity } from '../cursors.ts';
import { isId } from '../ids.ts';
import type { FolderFilter, StoredLink } from './link-records.ts';

/**
 * States of a live link. The state is the first of disabled, expired, exhausted and scheduled that applies. If none
 * applies, the link is active.
 */
export const linkStates = ['active', 'expired', 'scheduled', 'disabled', 'exhausted'] as const;
export type LinkState = (typeof linkStates)[number];

/** Sort keys for lists of links. */
export const linkSorts = ['createdAt', 'updatedAt', 'clicks', 'lastClickAt', 'expiresAt', 'title'] as const;
export type LinkSort = (typeof linkSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const tagMatches = ['any', 'all', 'none'] as const;

export const longestSearch = 200;
/** Maximum length of a manifest's name, in characters. */
export const longestManifestName = 64;
/** Maximum length of a comma-separated list of tag names to filter by, in characters. */
export const longestTagList = 1_050;
export const maxSearchWords = 8;

/** Returns the sort order. By default, titles and expiry times are ascending, and all other values are descending. */
export function orderOf(sort: LinkSort, order: SortOrder | undefined): SortOrder {
  return order ?? (sort === 'title' || sort === 'expiresAt' ? 'asc' : 'desc');
}

/** Filters for a list of live links. */
export interface LinkFilter {
  readonly folder: FolderFilter;
  readonly externalId?: string | undefined;
  readonly managedBy?: string | undefined;
  /** Folded words. A link must contain all of them. See {@link searchWords}. */
  readonly words: readonly string[];
  /** Ids of the links that may match; undefined if all links may match. */
  readonly ids?: readonly string[] | undefined;
  readonly status?: LinkState | undefined;
  /** True for archived links only, false for links that are not archived; undefined for both. */
  readonly archived?: boolean | undefined;
  /** Earliest creation time, ms since the epoch, inclusive. */
  readonly createdAfter?: number | undefined;
  /** Latest creation time, ms since the epoch, exclusive. */
  readonly createdBefore?: number | undefined;
  /** Host of the destination, with its port unless the port is the default. See {@link hostOf}. */
  readonly host?: string | undefined;
  /** Matches only links with a failing destination. */
  readonly destination?: 'failing' | undefined;
  readonly tags?: TagFilter | undefined;
  /** Host of the domain that the links must be on. `space` is the domain's space, empty for the shared domain. */
  readonly onHost?: string | undefined;
  readonly space?: string | undefined;
  /** Matches only links that the key's restrictions allow. */
  readonly restrictions?: ResolvedRestrictions | undefined;
}

/** Filter for links that have any, all or none of the given tags. Compares folded names, as a search compares words. */
export interface TagFilter {
  readonly match: (typeof tagMatches)[number];
  /** Folded names without duplicates. See {@link fold}. */
  readonly names: readonly string[];
}

/** Cursor in a sorted list: the link after which the list continues. */
export interface LinkPlace {
  /** Value of the sort key; null if the link has no such value, for example no title. */
  readonly key: number | string | null;
  readonly id: string;
}

export interface LinkSearch extends LinkFilter {
  readonly sort: LinkSort;
  readonly order: SortOrder;
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
  readonly after?: LinkPlace | undefined;
  /** Whether to count the total always, or only if counting is cheap. */
  readonly total: 'always' | 'cheap';
  /** Number of links to scan before an index is used. The default is a few thousand; only tests change it. */
  readonly walked?: number;
}

export interface FoundLinks {
  /**
   * Links on the page. A link's `clicks` includes the clicks in this process's journal up to the offset `appliedTo`.
   */
  readonly links: readonly { readonly link: StoredLink; readonly appliedTo: number }[];
  /** Number of matching links on all pages; null if not counted. */
  readonly total: number | null;
  /** Position of the last link on the page; null if there are no more links. */
  readonly last: LinkPlace | null;
}

const accents = /[\u0300-\u036f]/g;
const ascii = /^[\0-\x7f]*$/;

/** For letters and signs that Unicode does not decompose: what users type instead on a plain keyboard. */
const typedAs = new Map(
  Object.entries({
    "'": '‘’‚‛′‹›ʹʻʼʽˈ´`',
    '"': '“”„‟″«»',
    '-': '‐‑‒–—―−',
    ss: 'ßẞ',
    ae: 'æÆ',
    oe: 'œŒ',
    o: 'øØ',
    d: 'đĐðÐ',
    l: 'łŁ',
    h: 'ħĦ',
    i: 'ı',
    th: 'þÞ',
  }).flatMap(([plain, written]) => Array.from(written, (sign) => [sign, plain] as const)),
);

/**
 * Folds a string for case-insensitive search: removes case, accents, compatibility forms and typographic signs. Folds
 * each letter separately, so any part of a string folds to a part of the folded string. In ASCII strings, only capital
 * letters change, as with `lower` in both databases.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const signs = Array.from(text, (sign) => typedAs.get(sign) ?? sign).join('');
  const plain = signs.normalize('NFKD').replace(accents, '').normalize('NFKC');
  return Array.from(plain, (letter) => letter.toLowerCase()).join('');
}

export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Splits a search query into folded words, without duplicates. */
export function searchWords(search: string): string[] {
  return [...new Set(fold(search).split(/\s+/u))].filter((word) => word !== '');
}

/**
 * Minimum length, in characters, of a search word that matches anywhere. A shorter word matches only the start of a
 * code, unless it contains characters that codes cannot have.
 */
export const shortestPart = 3;

/** Returns true if a word is short and could start a code. Such a word matches only the start of codes. */
export function isCodePrefix(word: string): boolean {
  return word.length < shortestPart && /^[a-z0-9][a-z0-9_-]?$/.test(word);
}

/** Normalizes a host to its spelling in stored destinations. Returns undefined for a string that is not a host. */
export function hostOf(text: string): string | undefined {
  const given = text.trim();
  if (given === '' || /[/?#@\\\s]/.test(given)) return undefined;
  const url = URL.parse(`https://${given}`);
  return url === null || url.host === '' ? undefined : url.host.replace(/:80$/, '');
}

/** Returns a list's identity. The list's cursors contain a fingerprint of the identity. */
export function listOf(accountId: number, search: LinkSearch): ListIdentity {
  const { folder, externalId, words, status, archived, createdAfter, createdBefore } = search;
  const { host, tags, sort, order, onHost, destination, managedBy } = search;
  return [
    ...[accountId, folder, externalId, words, status, createdAfter, createdBefore],
    ...[host, tags, sort, order, archived, onHost, destination, managedBy],
  ];
}

/** Parses the position in a decoded cursor. */
export function linkPlaceIn([key, id, ...more]: readonly unknown[]): LinkPlace | undefined {
  return typeof id === 'string' && isId(id) && isKey(key) && more.length === 0 ? { key, id } : undefined;
}

function isKey(key: unknown): key is LinkPlace['key'] {
  return key === null || Number.isSafeInteger(key) || (typeof key === 'string' && !key.includes('\0'));
}
