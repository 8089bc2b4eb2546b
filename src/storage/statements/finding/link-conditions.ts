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
import { patternOf, textsOf } from './link-texts.ts';

/** A piece of a statement with the values of its parameters. */
export interface Piece {
  readonly sql: string;
  readonly params: readonly Value[];
}

export function piece(sql: string, ...params: readonly Value[]): Piece {
  return { sql, params };
}

export function joined(pieces: readonly Piece[], between: string): Piece {
  return {
    sql: pieces.map(({ sql }) => sql).join(between),
    params: pieces.flatMap(({ params }) => params),
  };
}

const never = Number.MAX_SAFE_INTEGER;
/** Written so that no index seems to answer it: a list is walked in its order. */
const expiry = `COALESCE(l.expires_at, ${never})`;

/**
 * What a link must meet beyond being live and of the account. Filters by more than the link's own row, such as by tags, belong
 * here too, and where they find few links of many also into `link-sources.ts`.
 */
export function conditionsOf(search: LinkSearch, tags: TagsOfSearch): Piece[] {
  const { folder, externalId, status, createdAfter, createdBefore, host, now, sort } = search;
  const conditions: Piece[] = [];
  if (folder.kind === 'folder') conditions.push(piece(`${folderIdOf('l')} = ?`, idBytes(folder.id)));
  if (folder.kind === 'none') conditions.push(piece(`${folderIdOf('l')} IS NULL`));
  if (externalId !== undefined) conditions.push(piece('l.external_id = ?', externalId));
  if (search.managedBy !== undefined) conditions.push(piece('l.managed_by = ?', search.managedBy));
  if (status !== undefined) conditions.push(isIn(status, now));
  if (search.archived !== undefined) conditions.push(piece(`l.archived = ${search.archived ? 1 : 0}`));
  const created = sort === 'createdAt' ? 'l.created_at' : 'l.created_at + 0';
  if (createdAfter !== undefined) conditions.push(piece(`${created} >= ?`, createdAfter));
  if (createdBefore !== undefined) conditions.push(piece(`${created} < ?`, createdBefore));
  if (host !== undefined) conditions.push(hasHost(host));
  if (search.destination === 'failing') conditions.push(piece(leadsToFailing));
  conditions.push(...within(search.restrictions));
  if (search.space !== undefined) conditions.push(piece('l.space = ?', search.space));
  if (search.ids !== undefined) conditions.push(oneOf('l.id', search.ids.map(idBytes)));
  if (search.tags !== undefined) conditions.push(...hasTags(search.tags.match, tags.named));
  conditions.push(...search.words.map((word) => hasWordOrTag(word, tags.byWord.get(word))));
  return conditions;
}

/** What a link `l`, live or deleted, must meet to lie within restrictions. */
export function within(restrictions: ResolvedRestrictions | undefined): Piece[] {
  const { domains, folders } = restrictions ?? {};
  const found: Piece[] = [];
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

export function oneOf(expression: string, values: readonly Value[]): Piece {
  if (values.length === 0) return piece('FALSE');
  return piece(`${expression} IN (${values.map(() => '?').join(', ')})`, ...values);
}

const leadsToFailing = `EXISTS (SELECT 1 FROM destination_checks d
  WHERE d.link_row = l.link_row AND d.state = 'failing' AND d.destination = l.destination)`;

function isIn(status: LinkState, now: number): Piece {
  if (status === 'disabled') return piece('l.disabled = 1');
  if (status === 'expired') return piece(`l.disabled = 0 AND ${expiry} <= ?`, now);
  const isLive = `l.disabled = 0 AND ${expiry} > ?`;
  if (status === 'exhausted') return piece(`${isLive} AND l.max_clicks <= l.used_clicks`, now);
  const hasBegun = status === 'active' ? '<=' : '>';
  const hasLeft = `COALESCE(l.max_clicks, ${never}) > l.used_clicks`;
  return piece(`${isLive} AND ${hasLeft} AND COALESCE(l.starts_at, 0) ${hasBegun} ?`, now, now);
}

/** @param named the rows of the tags that each name of the filter means */
function hasTags(match: TagFilter['match'], named: readonly (readonly number[])[]): Piece[] {
  if (match === 'all') return named.map((rows) => piece(hasTagRow('l', rows)));
  return [piece(`${match === 'none' ? 'NOT ' : ''}${hasTagRow('l', named.flat())}`)];
}

/** A location is a serialized URL: its host ends with the first slash behind the scheme. */
function hasHost(host: string): Piece {
  const location = 'COALESCE(l.location, l.destination)';
  const ranges = ['https', 'http'].map((scheme) =>
    piece(`(${location} >= ? AND ${location} < ?)`, `${scheme}://${host}/`, `${scheme}://${host}0`),
  );
  const { sql, params } = joined(ranges, ' OR ');
  return { sql: `(${sql})`, params };
}

function hasWordOrTag(word: string, tagRows: readonly number[] | undefined): Piece {
  const inTexts = hasWord(word);
  return tagRows === undefined
    ? inTexts
    : piece(`(${inTexts.sql} OR ${hasTagRow('l', tagRows)})`, ...inTexts.params);
}

/** Whether a text of the link has the word. */
export function hasWord(word: string): Piece {
  return piece(
    `${textsOf('l')} LIKE ? ESCAPE '\\'`,
    patternOf(word, isCodePrefix(word) ? 'start' : 'anywhere'),
  );
}

/** A condition: live, and of the account that is its parameter. */
export const liveOf = 'l.account_id = ? AND l.deleted_at IS NULL';
