import {
  hasFolder,
  hasSpace,
  isWithin,
  type ResolvedRestrictions,
} from '../../../model/accounts/key-restrictions.ts';
import { domainNotFound } from '../../../model/domains/domains.ts';
import { idText } from '../../../model/ids.ts';
import { folderNotFound } from '../../../model/links/folders.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import type { Db } from '../../db/db.ts';
import { idTextOrNull } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { joined, liveOf, piece, type SqlPiece, within } from './link-conditions.ts';
import type { LinkRow } from './link-reads.ts';
import { meantTag } from './link-tags.ts';

type LocationRow = Pick<LinkRow, 'space' | 'folder_id'>;

/** Returns true if the author's key restrictions include the link. */
export function canAccessLink({ by }: Db, row: LocationRow): boolean {
  return isWithin(by?.restrictions, { space: row.space, folderId: idTextOrNull(row.folder_id) });
}

/**
 * Checks that the author may access a link. A link outside the key's restrictions counts as not found.
 * @throws Failure LINK_NOT_FOUND
 */
export function requireAccess(db: Db, row: LocationRow): void {
  if (!canAccessLink(db, row)) throw linkNotFound();
}

/**
 * Checks that the author's key restrictions include a domain and folder.
 * @param folderId id of the link's folder; null if the link is in no folder
 * @throws Failure DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export function requirePlaceAccess({ by }: Db, space: string, folderId: string | null): void {
  const { restrictions } = by ?? {};
  if (restrictions === undefined) return;
  if (!hasSpace(restrictions, space)) throw domainNotFound();
  if (!hasFolder(restrictions, folderId)) throw folderNotFound();
}

function liveLinkConditions(accountId: number, restrictions: ResolvedRestrictions): SqlPiece {
  return joined([piece(liveOf, accountId), ...within(restrictions)], ' AND ');
}

export const countLinksWithin: Read<'countLinksWithin'> = async (db, accountId, restrictions) => {
  const { sql, params } = liveLinkConditions(accountId, restrictions);
  const places = await db.allUncached<{ folder: Uint8Array | null; space: string; links: number }>(
    `SELECT l.folder, l.space, COUNT(*) AS links
     FROM (SELECT ${folderIdOf('l')} AS folder, l.space FROM links l WHERE ${sql}) AS l GROUP BY l.folder, l.space`,
    params,
  );
  const tagged = await db.allUncached<{ tag_id: Uint8Array; links: number }>(
    `SELECT x.tag_id, COUNT(*) AS links FROM (
       SELECT DISTINCT t.id AS tag_id, l.link_row FROM links l
       JOIN link_tags g ON g.link_row = l.link_row ${meantTag} WHERE ${sql} AND t.deleted = 0
     ) AS x GROUP BY x.tag_id`,
    params,
  );
  const folders = new Map<string, number>();
  const spaces = new Map<string, number>();
  for (const { folder, space, links } of places) {
    if (folder !== null) add(folders, idText(folder), links);
    add(spaces, space, links);
  }
  return { folders, spaces, tags: new Map(tagged.map(({ tag_id, links }) => [idText(tag_id), links])) };
};

function add(sums: Map<string, number>, name: string, links: number): void {
  sums.set(name, (sums.get(name) ?? 0) + links);
}

/**
 * Returns the rows of the links that a restricted key can access, including deleted links, because their clicks
 * still count.
 */
export async function accessibleRows(
  db: Db,
  accountId: number,
  restrictions: ResolvedRestrictions,
): Promise<ReadonlySet<number>> {
  const { sql, params } = joined([piece('l.account_id = ?', accountId), ...within(restrictions)], ' AND ');
  const rows = await db.allUncached<{ link_row: number }>(
    `SELECT l.link_row FROM links l WHERE ${sql}`,
    params,
  );
  return new Set(rows.map(({ link_row }) => link_row));
}
