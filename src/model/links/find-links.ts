import type { Context } from '../context.ts';
import { readCursor, writeCursor } from '../cursors.ts';
import { hostIn } from '../domains/hosts.ts';
import { invalidCursor, type Problem, problem } from '../failures.ts';
import { parseTimestamp } from '../timestamps.ts';
import type { Link } from './link-records.ts';
import {
  fold,
  hostOf,
  type LinkSearch,
  type LinkSort,
  type LinkState,
  linkPlaceIn,
  listOf,
  maxSearchWords,
  orderOf,
  type SortOrder,
  searchWords,
  type TagFilter,
} from './link-search.ts';
import { withClicks } from './links.ts';
import { folderFilter } from './lists.ts';
import { resolveWords } from './short-url-search.ts';
import { maxTagsOfLink, tagName } from './tags.ts';

/** A client's query for {@link findLinks}: filters, sort order and page. */
export interface SearchQuery {
  readonly search?: string | undefined;
  readonly sort?: LinkSort | undefined;
  readonly order?: SortOrder | undefined;
  readonly status?: LinkState | undefined;
  readonly archived?: 'true' | 'false' | undefined;
  /** Validated ISO 8601 time. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly destinationHost?: string | undefined;
  readonly destination?: 'failing' | undefined;
  /** Tag names, separated by commas. */
  readonly tag?: string | undefined;
  readonly tagMatch?: TagFilter['match'] | undefined;
  readonly folderId?: string | undefined;
  /** Host of the domain that the links are on. */
  readonly domain?: string | undefined;
  readonly externalId?: string | undefined;
  readonly managedBy?: string | undefined;
  readonly limit: number;
  /** Page number, starting at 1. With page numbers, the total is always counted, even if counting is expensive. */
  readonly page?: number | undefined;
  /** Cursor of the page; an empty string for the first page. */
  readonly cursor?: string | undefined;
}

/**
 * Converts a query, except for its cursor, to a storage search. Returns undefined if the folder filter cannot match any
 * folder.
 */
function searchOf(context: Context, query: SearchQuery): LinkSearch | undefined {
  const folder = folderFilter(query.folderId);
  if (folder === undefined) return undefined;
  const { sort = 'createdAt', limit, page = 1, status, externalId, destinationHost } = query;
  return {
    folder,
    externalId,
    status,
    sort,
    limit,
    now: context.now(),
    archived: query.archived === undefined ? undefined : query.archived === 'true',
    words: searchWords(query.search ?? ''),
    createdAfter: timeIn(query.createdAfter),
    createdBefore: timeIn(query.createdBefore),
    host: destinationHost === undefined ? undefined : hostOf(destinationHost),
    destination: query.destination,
    managedBy: query.managedBy,
    tags: tagsIn(query),
    onHost: query.domain?.toLowerCase(),
    order: orderOf(sort, query.order),
    offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER),
    total: query.cursor === undefined ? 'always' : 'cheap',
  };
}

/** Returns a query's tag filter; undefined if it has none. */
function tagsIn({ tag, tagMatch = 'any' }: SearchQuery): TagFilter | undefined {
  const names = [...new Set((tag ?? '').split(',').map((name) => fold(tagName(name))))];
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? undefined : { match: tagMatch, names: given };
}

/** Returns the validation errors in a query that schema validation does not catch. */
export function searchProblems(context: Context, accountId: number, query: SearchQuery): Problem[] {
  const problems: Problem[] = [];
  const wrong = (field: string, reason: Problem['reason'], message: string): void =>
    void problems.push(problem(field, reason, message));
  if (searchWords(query.search ?? '').length > maxSearchWords)
    wrong('search', 'too_long', `search must have at most ${maxSearchWords} words.`);
  for (const field of ['createdAfter', 'createdBefore'] as const)
    if (query[field] !== undefined && timeIn(query[field]) === undefined)
      wrong(
        field,
        'invalid_format',
        `${field} must be an ISO 8601 date or time, such as 2027-01-31T09:00:00Z.`,
      );
  if (query.destinationHost !== undefined && hostOf(query.destinationHost) === undefined)
    wrong(
      'destinationHost',
      'invalid_format',
      'destinationHost must be a host, such as example.com, without scheme or path.',
    );
  if ((tagsIn(query)?.names.length ?? 0) > maxTagsOfLink)
    wrong('tag', 'too_long', `tag must have at most ${maxTagsOfLink} tags.`);
  if (query.tagMatch !== undefined && query.tag === undefined)
    wrong('tagMatch', 'not_allowed', 'tagMatch requires tag.');
  if (query.cursor === undefined) return problems;
  if (query.page !== undefined) wrong('page', 'not_allowed', 'page and cursor cannot be combined.');
  if (query.cursor === '') return problems;
  const search = searchOf(context, query);
  const place = search && readCursor(listOf(accountId, search), query.cursor, linkPlaceIn);
  if (search !== undefined && place === undefined) problems.push(invalidCursor);
  if (place === 'foreign' && problems.length === 0)
    wrong(
      'cursor',
      'not_allowed',
      'cursor belongs to a list with other filters or another order. Leave it empty to get the first page.',
    );
  return problems;
}

/** Returns one page of the live links that match a valid query, in the requested order. */
export async function findLinks(
  context: Context,
  accountId: number,
  query: SearchQuery,
): Promise<{ links: readonly Link[]; total: number | null; nextCursor: string | null }> {
  const search = searchOf(context, query);
  if (search === undefined) return { links: [], total: 0, nextCursor: null };
  const { cursor = '' } = query;
  const list = listOf(accountId, search);
  const after = cursor === '' ? undefined : readCursor(list, cursor, linkPlaceIn);
  const place = after === 'foreign' ? undefined : after;
  const space = query.domain === undefined ? undefined : await spaceOfHost(context, accountId, query.domain);
  const resolved = await resolveWords(context, accountId, query.search ?? '');
  const isElsewhere = space !== undefined && resolved.space !== undefined && resolved.space !== space;
  if (space === null || isElsewhere) return { links: [], total: 0, nextCursor: null };
  const found = await context.storage.findLinks(accountId, { ...search, space, ...resolved, after: place });
  return {
    links: found.links.map(({ link, appliedTo }) => withClicks(context, link, appliedTo)),
    total: found.total,
    nextCursor: found.last && writeCursor(list, [found.last.key, found.last.id]),
  };
}

/**
 * Returns the space of the account's domain with this host; null if the domain does not exist or the key cannot see it.
 */
async function spaceOfHost(
  { storage, sharedHost }: Context,
  accountId: number,
  text: string,
): Promise<string | null> {
  const host = hostIn(text) ?? text;
  if (host === sharedHost()) return '';
  return (await storage.domainByHost(accountId, host))?.space ?? null;
}

function timeIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}
