import { isCodePrefix, type LinkSearch, shortestPart } from '../../../model/links/link-search.ts';
import type { Db } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { hasWord, joined, liveOf, oneOf, type Piece, piece } from './link-conditions.ts';
import { linksWithTagRows, type TagsOfSearch } from './link-tags.ts';
import { trigramQuery } from './link-trigrams.ts';

/** What of a search an index of texts answers. */
function partsOf({ words, host }: Pick<LinkSearch, 'words' | 'host'>): string[] {
  const parts = [...words, ...(host === undefined ? [] : [`://${host}/`])];
  return parts.filter((part) => [...part].length >= shortestPart);
}

/** The links whose texts have all parts, and more on SQLite. */
async function withParts(db: Db, accountId: number, parts: readonly string[]): Promise<Piece> {
  if (!db.searchesApart) {
    const { sql, params } = joined(parts.map(hasWord), ' AND ');
    return piece(`SELECT l.link_row FROM links l WHERE ${liveOf} AND ${sql}`, accountId, ...params);
  }
  // With the links that are not taken in yet, or not with their latest texts. The plus keeps to the order of rows.
  return piece(
    `SELECT rowid AS link_row FROM link_texts WHERE link_texts MATCH ?
     UNION SELECT p.link_row FROM links p
       WHERE p.link_row > (SELECT reached FROM link_index WHERE id = 1) AND +p.account_id = ?
     UNION SELECT link_row FROM link_text_changes`,
    await trigramQuery(db, accountId, parts),
    accountId,
  );
}

/** Whether a search can be answered in another way than by looking through the account's list. */
export function hasSource(search: LinkSearch): boolean {
  const { words, folder, externalId, status, archived, tags } = search;
  return (
    (tags !== undefined && tags.match !== 'none') ||
    partsOf(search).length > 0 ||
    words.some(isCodePrefix) ||
    folder.kind === 'folder' ||
    externalId !== undefined ||
    search.ids !== undefined ||
    search.managedBy !== undefined ||
    search.destination !== undefined ||
    status === 'expired' ||
    archived === true ||
    (search.space ?? '') !== ''
  );
}

/**
 * A select of links (`link_row`) that holds every link that a search can find and, more often than not, few others.
 * @throws Error when the search has none
 */
export async function sourceOf(
  db: Db,
  accountId: number,
  search: LinkSearch,
  tagged: TagsOfSearch,
): Promise<Piece> {
  const { words, folder, externalId, status, archived, now, tags } = search;
  const ofLinks = ({ sql, params }: Piece): Piece =>
    piece(`SELECT l.link_row FROM links l WHERE ${liveOf} AND ${sql}`, accountId, ...params);
  if (externalId !== undefined) return ofLinks(piece('l.external_id = ?', externalId));
  if (search.ids !== undefined) return ofLinks(oneOf('l.id', search.ids.map(idBytes)));
  if (search.managedBy !== undefined) return ofLinks(piece('l.managed_by = ?', search.managedBy));
  if (search.destination !== undefined)
    return piece(
      "SELECT link_row FROM destination_checks WHERE account_id = ? AND state = 'failing'",
      accountId,
    );
  // Two letters at the beginning of a code are rarer than most words; a single one is not.
  const prefix = words.find((word) => isCodePrefix(word) && word.length > 1) ?? words.find(isCodePrefix);
  const inTextsOnly = partsOf({ ...search, words: words.filter((word) => !tagged.byWord.has(word)) });
  if (inTextsOnly.length > 0 && (prefix?.length ?? 0) < 2) return withParts(db, accountId, inTextsOnly);
  // In the order of codes the character behind "z" comes next. Of a domain with exact codes all are looked through.
  if (prefix !== undefined)
    return piece(
      `SELECT link_row FROM codes WHERE key >= ? AND key < ? AND account_id = ?
       UNION SELECT c.link_row FROM domains d JOIN codes c ON c.account_id = d.account_id
         AND c.key >= d.space || CASE WHEN d.space LIKE '%=' THEN '' ELSE ? END
         AND c.key < CASE WHEN d.space LIKE '%=' THEN replace(d.space, '=', '>') ELSE d.space || ? END
       WHERE d.account_id = ?`,
      prefix,
      `${prefix}{`,
      accountId,
      prefix,
      `${prefix}{`,
      accountId,
    );
  const parts = partsOf(search);
  if (parts.length > 0) {
    // A link that has not all words in its texts carries a tag that has one of them.
    const { sql, params } = await withParts(db, accountId, parts);
    const rows = new Set(words.flatMap((word) => tagged.byWord.get(word) ?? []));
    return piece(`${sql} UNION ${linksWithTagRows([...rows])}`, ...params);
  }
  if (tags !== undefined && tags.match !== 'none') {
    // Of several that a link must have, one is enough to begin with.
    const rows = tags.match === 'all' ? tagged.named.slice(0, 1) : tagged.named;
    return piece(linksWithTagRows(rows.flat()));
  }
  if (folder.kind === 'folder') return ofLinks(piece('l.folder_id = ?', idBytes(folder.id)));
  if (status === 'expired') return ofLinks(piece('l.expires_at <= ?', now));
  if (archived === true) return ofLinks(piece('l.archived = 1'));
  if (search.space) return ofLinks(piece("l.space = ? AND l.space <> ''", search.space));
  throw new Error('A search without a source is answered by the list alone.');
}
