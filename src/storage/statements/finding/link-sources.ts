import { isCodePrefix, type LinkSearch, shortestPart } from '../../../model/links/link-search.ts';
import type { Db } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { hasWord, joined, liveOf, oneOf, piece, type SqlPiece } from './link-conditions.ts';
import { linksWithTagRows, type TagsOfSearch } from './link-tags.ts';
import { trigramQuery } from './link-trigrams.ts';

/** Returns the strings in a search that can be looked up in the text index. */
function indexableParts({ words, host }: Pick<LinkSearch, 'words' | 'host'>): string[] {
  const parts = [...words, ...(host === undefined ? [] : [`://${host}/`])];
  return parts.filter((part) => [...part].length >= shortestPart);
}

/**
 * Returns a SELECT for the links whose search columns contain all parts. On SQLite, the result may include other links.
 */
async function selectByTexts(db: Db, accountId: number, parts: readonly string[]): Promise<SqlPiece> {
  if (!db.hasSearchTable) {
    const { sql, params } = joined(parts.map(hasWord), ' AND ');
    return piece(`SELECT l.link_row FROM links l WHERE ${liveOf} AND ${sql}`, accountId, ...params);
  }
  // Includes links that are not indexed yet or whose search columns changed after indexing. The unary plus keeps the
  // scan in row order.
  return piece(
    `SELECT rowid AS link_row FROM link_texts WHERE link_texts MATCH ?
     UNION SELECT p.link_row FROM links p
       WHERE p.link_row > (SELECT reached FROM link_index WHERE id = 1) AND +p.account_id = ?
     UNION SELECT link_row FROM link_text_changes`,
    await trigramQuery(db, accountId, parts),
    accountId,
  );
}

/** Returns true if the search can use an index instead of reading the account's list. */
export function hasSource(search: LinkSearch): boolean {
  const { words, folder, externalId, status, archived, tags } = search;
  return (
    (tags !== undefined && tags.match !== 'none') ||
    indexableParts(search).length > 0 ||
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
 * Returns a SELECT for the `link_row` of every link that matches a search, and usually of few other links.
 * @throws Error when the search cannot use an index
 */
export async function sourceOf(
  db: Db,
  accountId: number,
  search: LinkSearch,
  tagged: TagsOfSearch,
): Promise<SqlPiece> {
  const { words, folder, externalId, status, archived, now, tags } = search;
  const selectLinks = ({ sql, params }: SqlPiece): SqlPiece =>
    piece(`SELECT l.link_row FROM links l WHERE ${liveOf} AND ${sql}`, accountId, ...params);
  if (externalId !== undefined) return selectLinks(piece('l.external_id = ?', externalId));
  if (search.ids !== undefined) return selectLinks(oneOf('l.id', search.ids.map(idBytes)));
  if (search.managedBy !== undefined) return selectLinks(piece('l.managed_by = ?', search.managedBy));
  if (search.destination !== undefined)
    return piece(
      "SELECT link_row FROM destination_checks WHERE account_id = ? AND state = 'failing'",
      accountId,
    );
  // A code prefix of two or more letters is preferred, because it matches fewer links than most words. A one-letter
  // prefix does not.
  const prefix = words.find((word) => isCodePrefix(word) && word.length > 1) ?? words.find(isCodePrefix);
  const inTextsOnly = indexableParts({ ...search, words: words.filter((word) => !tagged.byWord.has(word)) });
  if (inTextsOnly.length > 0 && (prefix?.length ?? 0) < 2) return selectByTexts(db, accountId, inTextsOnly);
  // The range ends before `{`, which follows `z` in ASCII. On a domain with case-sensitive codes, all codes are read.
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
  const parts = indexableParts(search);
  if (parts.length > 0) {
    // If a matching link's search columns do not contain a word, the name of one of its tags contains the word.
    const { sql, params } = await selectByTexts(db, accountId, parts);
    const rows = new Set(words.flatMap((word) => tagged.byWord.get(word) ?? []));
    return piece(`${sql} UNION ${linksWithTagRows([...rows])}`, ...params);
  }
  if (tags !== undefined && tags.match !== 'none') {
    // If a link must have several tags, the first one narrows the search enough.
    const rows = tags.match === 'all' ? tagged.named.slice(0, 1) : tagged.named;
    return piece(linksWithTagRows(rows.flat()));
  }
  if (folder.kind === 'folder') return selectLinks(piece('l.folder_id = ?', idBytes(folder.id)));
  if (status === 'expired') return selectLinks(piece('l.expires_at <= ?', now));
  if (archived === true) return selectLinks(piece('l.archived = 1'));
  if (search.space) return selectLinks(piece("l.space = ? AND l.space <> ''", search.space));
  throw new Error('A search requires a source.');
}
