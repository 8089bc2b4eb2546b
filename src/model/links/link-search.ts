import { createHash } from 'node:crypto';
import type { ResolvedRestrictions } from '../accounts/reach.ts';
import { isId } from '../ids.ts';
import type { FolderFilter, StoredLink } from './link-records.ts';

/** What a live link is: switched off, past its end, used up, before its beginning, or at work; the first that is true. */
export const linkStates = ['active', 'expired', 'scheduled', 'disabled', 'exhausted'] as const;
export type LinkState = (typeof linkStates)[number];

/** What a list of links can be sorted by. */
export const linkSorts = ['createdAt', 'updatedAt', 'clicks', 'lastClickAt', 'expiresAt', 'title'] as const;
export type LinkSort = (typeof linkSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const tagMatches = ['any', 'all', 'none'] as const;

export const longestSearch = 200;
/** Characters of the name of a manifest. */
export const longestManifestName = 64;
/** Of the names of all tags that a list is filtered by, with their commas. */
export const longestTagList = 1_050;
export const maxSearchWords = 8;

/** The order of a list that names none: titles from A, what expires next, and otherwise the latest or largest first. */
export function orderOf(sort: LinkSort, order: SortOrder | undefined): SortOrder {
  return order ?? (sort === 'title' || sort === 'expiresAt' ? 'asc' : 'desc');
}

/** Which live links a list holds. */
export interface LinkFilter {
  readonly folder: FolderFilter;
  readonly externalId?: string | undefined;
  readonly managedBy?: string | undefined;
  /** Folded words, each of which a link must have; see {@link searchWords}. */
  readonly words: readonly string[];
  /** Ids of the only links that may match; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  readonly status?: LinkState | undefined;
  /** Whether they were put away; undefined for both. */
  readonly archived?: boolean | undefined;
  /** From this time on, ms since the epoch. */
  readonly createdAfter?: number | undefined;
  /** Up to this time, without it, ms since the epoch. */
  readonly createdBefore?: number | undefined;
  /** Host of the destination, with its port unless that is the usual one; see {@link hostOf}. */
  readonly host?: string | undefined;
  /** Only links to what is in trouble. */
  readonly destination?: 'failing' | undefined;
  readonly tags?: TagFilter | undefined;
  /** The host of the domain on which the links stand, and its space; empty for the shared one. */
  readonly onHost?: string | undefined;
  readonly space?: string | undefined;
  /** Only links within. */
  readonly reach?: ResolvedRestrictions | undefined;
}

/** Links that have any, all or none of some tags. Names are compared folded, as words of a search are. */
export interface TagFilter {
  readonly match: (typeof tagMatches)[number];
  /** Folded names, each once; see {@link fold}. */
  readonly names: readonly string[];
}

/** A place in a sorted list: right behind this link. */
export interface LinkPlace {
  /** What the list is sorted by; null for a link that has none, such as a title. */
  readonly key: number | string | null;
  readonly id: string;
}

export interface LinkSearch extends LinkFilter {
  readonly sort: LinkSort;
  readonly order: SortOrder;
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
  readonly behind?: LinkPlace | undefined;
  /** Whether the total is wanted at any price, or only where it costs little. */
  readonly total: 'always' | 'cheap';
  /** How many links of the list are looked through before an index is asked; some thousands unless a test says so. */
  readonly walked?: number;
}

export interface FoundLinks {
  /** Each with the offset of this process's journal that its clicks include. */
  readonly links: readonly { readonly link: StoredLink; readonly appliedTo: number }[];
  /** How many links match, on all pages; null where that was not counted. */
  readonly total: number | null;
  /** The place of the last link when there are more behind it. */
  readonly last: LinkPlace | null;
}

const accents = /[\u0300-\u036f]/g;
const ascii = /^[\0-\x7f]*$/;

/** Letters and signs that Unicode does not decompose, and how people type them on a plain keyboard. */
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
 * Folds a text for comparison in searches: without case, accents, compatibility forms and typographic signs. It folds letter by
 * letter, so that a part of a text is folded as the whole is. Of ASCII it changes only capitals, as `lower` does in both databases.
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

/** The folded words of a search, each once. */
export function searchWords(search: string): string[] {
  return [...new Set(fold(search).split(/\s+/u))].filter((word) => word !== '');
}

/** Words with fewer characters search for the beginning of a code, unless they have other characters than codes. */
export const shortestPart = 3;

/** Returns true if a word is searched for only at the beginning of codes: short, and made of their characters. */
export function isCodePrefix(word: string): boolean {
  return word.length < shortestPart && /^[a-z0-9][a-z0-9_-]?$/.test(word);
}

/** The host as a destination that browsers follow spells it; undefined when the text is no host. */
export function hostOf(text: string): string | undefined {
  const given = text.trim();
  if (given === '' || /[/?#@\\\s]/.test(given)) return undefined;
  const url = URL.parse(`https://${given}`);
  return url === null || url.host === '' ? undefined : url.host.replace(/:80$/, '');
}

/** Everything of a list but its page: a cursor leads on only in the list that it came from. */
function fingerprintOf(accountId: number, search: LinkSearch): string {
  const { folder, externalId, words, status, archived, createdAfter, createdBefore } = search;
  const { host, tags, sort, order, onHost, destination, managedBy } = search;
  const list = [
    accountId,
    folder,
    externalId,
    words,
    status,
    createdAfter,
    createdBefore,
    host,
    tags,
    sort,
    order,
    archived,
    onHost,
    // Cursors from before stay good.
    ...(destination === undefined ? [] : [destination]),
    ...(managedBy === undefined ? [] : ['managedBy', managedBy]),
  ];
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

/** What a client gets to continue behind a place. */
export function cursorOf(accountId: number, search: LinkSearch, { key, id }: LinkPlace): string {
  return Buffer.from(JSON.stringify([fingerprintOf(accountId, search), key, id])).toString('base64url');
}

/** The place that a cursor names; `foreign` when it is of another list, undefined when the text is no cursor. */
export function placeOf(
  accountId: number,
  search: LinkSearch,
  cursor: string,
): LinkPlace | 'foreign' | undefined {
  const parts = partsOf(cursor);
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [fingerprint, key, id] = parts as unknown[];
  if (typeof id !== 'string' || !isId(id) || !isKey(key)) return undefined;
  return fingerprint === fingerprintOf(accountId, search) ? { key, id } : 'foreign';
}

function isKey(key: unknown): key is LinkPlace['key'] {
  return key === null || Number.isSafeInteger(key) || (typeof key === 'string' && !key.includes('\0'));
}

function partsOf(cursor: string): unknown {
  if (!/^[\w-]{1,4000}$/.test(cursor)) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
