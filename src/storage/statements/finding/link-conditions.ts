import type { ResolvedRestrictions } from '../../../model/accounts/key-restrictions.ts';
import {
  isCodePrefix,
  type LinkSearch,
  type LinkState,
  type TagFilter,
} from '../../../model/links/link-search.ts';
import type { Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { hasTagRow, type TagsOfSearch } from './link-tags.ts';
import { patternOf, searchColumnsOf } from './search-text.ts';

/** An SQL fragment with the values of its parameters. */
export interface SqlPiece {
  readonly sql: string;
  readonly params: readonly Value[];
}

export function piece(sql: string, ...params: readonly Value[]): SqlPiece {
  return { sql, params };
}

export function joined(pieces: readonly SqlPiece[], between: string): SqlPiece {
  return {
    sql: pieces.map(({ sql }) => sql).join(between),
    params: pieces.flatMap(({ params }) => params),
  };
}

const never = Number.MAX_SAFE_INTEGER;
/**
 * Uses COALESCE so that the planner does not choose the expiry index, because a list must be read in its own sort
 * order.
 */
const expiryOrNever = `COALESCE(l.expires_at, ${never})`;

/**
 * Returns the conditions of a search, except for the account and `deleted_at`. When you add a filter, add it here, even
 * if it reads another table such as tags. If the filter selects few of many links, add it to `link-sources.ts` as well.
 */
export function conditionsOf(search: LinkSearch, tags: TagsOfSearch): SqlPiece[] {
  const { folder, externalId, status, createdAfter, createdBefore, host, now, sort } = search;
  const conditions: SqlPiece[] = [];
  if (folder.kind === 'folder') conditions.push(piece(`${folderIdOf('l')} = ?`, idBytes(folder.id)));
  if (folder.kind === 'none') conditions.push(piece(`${folderIdOf('l')} IS NULL`));
  if (externalId !== undefined) conditions.push(piece('l.external_id = ?', externalId));
  if (search.managedBy !== undefined) conditions.push(piece('l.managed_by = ?', search.managedBy));
  if (status !== undefined) conditions.push(hasStatus(status, now));
  if (search.archived !== undefined) conditions.push(piece(`l.archived = ${search.archived ? 1 : 0}`));
  const created = sort === 'createdAt' ? 'l.created_at' : 'l.created_at + 0';
  if (createdAfter !== undefined) conditions.push(piece(`${created} >= ?`, createdAfter));
  if (createdBefore !== undefined) conditions.push(piece(`${created} < ?`, createdBefore));
  if (host !== undefined) conditions.push(hasHost(host));
  if (search.destination === 'failing') conditions.push(piece(hasFailingDestination));
  conditions.push(...within(search.restrictions));
  if (search.space !== undefined) conditions.push(piece('l.space = ?', search.space));
  if (search.ids !== undefined) conditions.push(oneOf('l.id', search.ids.map(idBytes)));
  if (search.tags !== undefined) conditions.push(...hasTags(search.tags.match, tags.named));
  conditions.push(...search.words.map((word) => hasWordOrTag(word, tags.byWord.get(word))));
  return conditions;
}

/** Returns the conditions under which a restricted key may access links `l`, live or deleted. */
export function within(restrictions: ResolvedRestrictions | undefined): SqlPiece[] {
  const { domains, folders } = restrictions ?? {};
  const found: SqlPiece[] = [];
  if (domains !== undefined)
    found.push(
      oneOf(
        'l.space',
        domains.map(({ space }) => space),
      ),
    );
  if (folders !== undefined) found.push(oneOf(folderIdOf('l'), folders.map(idBytes)));
  return found;
}

export function oneOf(expression: string, values: readonly Value[]): SqlPiece {
  if (values.length === 0) return piece('FALSE');
  return piece(`${expression} IN (${values.map(() => '?').join(', ')})`, ...values);
}

const hasFailingDestination = `EXISTS (SELECT 1 FROM destination_checks d
  WHERE d.link_row = l.link_row AND d.state = 'failing' AND d.destination = l.destination)`;

function hasStatus(status: LinkState, now: number): SqlPiece {
  if (status === 'disabled') return piece('l.disabled = 1');
  if (status === 'expired') return piece(`l.disabled = 0 AND ${expiryOrNever} <= ?`, now);
  const isLive = `l.disabled = 0 AND ${expiryOrNever} > ?`;
  if (status === 'exhausted') return piece(`${isLive} AND l.max_clicks <= l.used_clicks`, now);
  const hasBegun = status === 'active' ? '<=' : '>';
  const hasLeft = `COALESCE(l.max_clicks, ${never}) > l.used_clicks`;
  return piece(`${isLive} AND ${hasLeft} AND COALESCE(l.starts_at, 0) ${hasBegun} ?`, now, now);
}

/** Returns the conditions for a tag filter. @param named the tag rows for each name of the filter */
function hasTags(match: TagFilter['match'], named: readonly (readonly number[])[]): SqlPiece[] {
  if (match === 'all') return named.map((rows) => piece(hasTagRow('l', rows)));
  return [piece(`${match === 'none' ? 'NOT ' : ''}${hasTagRow('l', named.flat())}`)];
}

/**
 * Returns the SQL condition for links that redirect to a host. A location is a serialized URL, so its host ends at the
 * first slash after the scheme.
 */
function hasHost(host: string): SqlPiece {
  const location = 'COALESCE(l.location, l.destination)';
  const ranges = ['https', 'http'].map((scheme) =>
    piece(`(${location} >= ? AND ${location} < ?)`, `${scheme}://${host}/`, `${scheme}://${host}0`),
  );
  const { sql, params } = joined(ranges, ' OR ');
  return { sql: `(${sql})`, params };
}

function hasWordOrTag(word: string, tagRows: readonly number[] | undefined): SqlPiece {
  const inTexts = hasWord(word);
  return tagRows === undefined
    ? inTexts
    : piece(`(${inTexts.sql} OR ${hasTagRow('l', tagRows)})`, ...inTexts.params);
}

/** Returns the SQL condition for links whose search columns contain the word. */
export function hasWord(word: string): SqlPiece {
  return piece(
    `${searchColumnsOf('l')} LIKE ? ESCAPE '\\'`,
    patternOf(word, isCodePrefix(word) ? 'start' : 'anywhere'),
  );
}

/** SQL condition for the live links of the account given as a parameter. */
export const liveOf = 'l.account_id = ? AND l.deleted_at IS NULL';
