import { isCodePrefix, type LinkSearch, shortestPart } from '../../domain/link-search.ts';
import type { Db } from '../db/db.ts';
import { idBytes } from './ids.ts';
import { hasWord, joined, liveOf, type Piece, piece } from './link-conditions.ts';
import { linksWithTags } from './link-tags.ts';
import { trigramQuery } from './link-trigrams.ts';

/** What of a search an index of texts answers. */
function partsOf({ words, host }: LinkSearch): string[] {
  const parts = [...words, ...(host === undefined ? [] : [`://${host}/`])];
  return parts.filter((part) => [...part].length >= shortestPart);
}

/** Whether a search can be answered in another way than by looking through the account's list. */
export function hasSource(search: LinkSearch): boolean {
  const { words, folder, externalId, status, tags } = search;
  return (
    (tags !== undefined && tags.match !== 'none') ||
    partsOf(search).length > 0 ||
    words.some(isCodePrefix) ||
    folder.kind === 'folder' ||
    externalId !== undefined ||
    status === 'expired'
  );
}

/**
 * A select of links (`link_row`) that holds every link that a search can find and, more often than not, few others.
 * @throws Error when the search has none
 */
export async function sourceOf(db: Db, accountId: number, search: LinkSearch): Promise<Piece> {
  const { words, folder, externalId, status, now, tags } = search;
  const ofLinks = ({ sql, params }: Piece): Piece =>
    piece(`SELECT l.link_row FROM links l WHERE ${liveOf} AND ${sql}`, accountId, ...params);
  if (externalId !== undefined) return ofLinks(piece('l.external_id = ?', externalId));
  const parts = partsOf(search);
  if (parts.length > 0 && !db.searchesApart) return ofLinks(joined(parts.map(hasWord), ' AND '));
  // With the links that are not taken in yet, or not with their latest texts. The plus keeps to the order of rows.
  if (parts.length > 0)
    return piece(
      `SELECT rowid AS link_row FROM link_texts WHERE link_texts MATCH ?
       UNION SELECT p.link_row FROM links p
         WHERE p.link_row > (SELECT reached FROM link_index WHERE id = 1) AND +p.account_id = ?
       UNION SELECT link_row FROM link_text_changes`,
      ...[await trigramQuery(db, accountId, parts), accountId],
    );
  const prefix = words.find(isCodePrefix);
  // In the order of codes the character behind "z" comes next.
  if (prefix !== undefined)
    return piece(
      'SELECT link_row FROM codes WHERE key >= ? AND key < ? AND account_id = ?',
      ...[prefix, `${prefix}{`, accountId],
    );
  if (tags !== undefined && tags.match !== 'none') {
    // Of several that a link must have, one is enough to begin with.
    const keys = tags.match === 'all' ? tags.keys.slice(0, 1) : tags.keys;
    return piece(linksWithTags(keys.length), accountId, ...keys, accountId, ...keys);
  }
  if (folder.kind === 'folder') return ofLinks(piece('l.folder_id = ?', idBytes(folder.id)));
  if (status === 'expired') return ofLinks(piece('l.expires_at <= ?', now));
  throw new Error('A search without a source is answered by the list alone.');
}
