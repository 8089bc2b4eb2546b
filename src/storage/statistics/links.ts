import { hasFolder, type ResolvedRestrictions } from '../../model/accounts/key-restrictions.ts';
import type { ClickedLink } from '../../model/clicks/raw-clicks.ts';
import type { StatisticsSubject } from '../../model/clicks/statistics.ts';
import { idText } from '../../model/ids.ts';
import type { Db } from '../db/db.ts';
import { idBytes } from '../db/ids.ts';
import { queryInGroups } from '../db/in-groups.ts';
import { accessibleRows } from '../statements/finding/access.ts';
import { linksOfTag, tagsOfAccountLinks } from '../statements/finding/link-tags.ts';
import { folderIdOf } from '../statements/groups/deleted-folders.ts';

const linkById = 'SELECT link_row FROM links WHERE account_id = ? AND id = ? AND deleted_at IS NULL';
const folderById = 'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ? AND deleted = 0';
const tagById = 'SELECT 1 AS found FROM tags WHERE account_id = ? AND id = ? AND deleted = 0';
// Includes deleted links, because their clicks still count for the folder.
const linksOfFolder = `
  SELECT l.link_row FROM links l JOIN folders f ON f.account_id = l.account_id AND f.id = l.folder_id
  WHERE l.account_id = ? AND l.folder_id = ? AND f.deleted = 0`;
const linksInFolders = `
  SELECT l.link_row, ${folderIdOf('l')} AS folder_id FROM links l
  WHERE l.account_id = ? AND l.folder_id IS NOT NULL`;

interface LinkRow {
  readonly link_row: number;
}

/**
 * Returns the rows of the links that belong to a subject (account, link, folder or tag).
 * @param restrictions limit the result to links that the key can access
 * @returns 'all' for an account; undefined when the account does not have the link, folder or tag
 */
export async function resolveSubject(
  db: Db,
  accountId: number,
  subject: StatisticsSubject,
  restrictions: ResolvedRestrictions | undefined,
): Promise<ReadonlySet<number> | 'all' | undefined> {
  const links = await linksOfSubject(db, accountId, subject);
  if (restrictions === undefined || links === undefined) return links;
  const accessible = await accessibleRows(db, accountId, restrictions);
  if (links === 'all') return accessible;
  if (subject.kind === 'folder')
    return hasFolder(restrictions, subject.id) ? links.intersection(accessible) : undefined;
  const both = links.intersection(accessible);
  return both.size === 0 ? undefined : both;
}

async function linksOfSubject(
  db: Db,
  accountId: number,
  subject: StatisticsSubject,
): Promise<ReadonlySet<number> | 'all' | undefined> {
  if (subject.kind === 'account') return 'all';
  const key = [accountId, idBytes(subject.id)];
  if (subject.kind === 'link') {
    const row = await db.get<LinkRow>(linkById, key);
    return row && new Set([row.link_row]);
  }
  if (subject.kind === 'folder') {
    if ((await db.get(folderById, key)) === undefined) return undefined;
    return linkRowsOf(await db.all<LinkRow>(linksOfFolder, key));
  }
  if ((await db.get(tagById, key)) === undefined) return undefined;
  return linkRowsOf(await db.all<LinkRow>(linksOfTag, key));
}

function linkRowsOf(rows: readonly LinkRow[]): ReadonlySet<number> {
  return new Set(rows.map(({ link_row }) => link_row));
}

/**
 * Returns the rows of the links with the given ids, including deleted links. Ids of links in other accounts are left
 * out.
 */
export async function linksByIds(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlySet<number>> {
  const found = await queryInGroups<LinkRow>(
    db,
    (placeholders) => `SELECT link_row FROM links WHERE account_id = ? AND id IN (${placeholders})`,
    [accountId],
    ids.map(idBytes),
  );
  return linkRowsOf(found);
}

export async function linksByFolders(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlySet<number>> {
  const rows = [];
  for (const id of ids) rows.push(...(await db.all<LinkRow>(linksOfFolder, [accountId, idBytes(id)])));
  return linkRowsOf(rows);
}

/** Returns folder ids by link row. */
export async function foldersOfLinks(db: Db, accountId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db.all<LinkRow & { folder_id: Uint8Array | null }>(linksInFolders, [accountId]);
  return new Map(
    rows.flatMap((row) => (row.folder_id === null ? [] : [[row.link_row, idText(row.folder_id)]])),
  );
}

/** Returns tag ids by link row, including deleted links. */
export async function tagsOfLinks(
  db: Db,
  accountId: number,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db.all<LinkRow & { tag_id: Uint8Array }>(tagsOfAccountLinks, [accountId]);
  const tags = new Map<number, string[]>();
  for (const { link_row, tag_id } of rows) tags.getOrInsertComputed(link_row, () => []).push(idText(tag_id));
  return tags;
}

/** A link or folder with its display name. */
export interface Named {
  readonly id: string;
  readonly label: string;
  /** Title of a link; undefined for links without a title, and for folders. */
  readonly title?: string | undefined;
}

/** Returns ids, codes and titles of links. @param rows link rows in decimal */
export async function nameLinks(
  db: Db,
  accountId: number,
  rows: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const found = await queryInGroups<LinkRow & { id: Uint8Array; code: string; title: string | null }>(
    db,
    (placeholders) =>
      `SELECT link_row, id, code, title FROM links WHERE account_id = ? AND link_row IN (${placeholders})`,
    [accountId],
    rows.map(Number),
  );
  return new Map(
    found.map(({ link_row, id, code, title }) => [
      String(link_row),
      { id: idText(id), label: code, title: title ?? undefined },
    ]),
  );
}

/** Returns each link's id, code and folder, in the order of the given rows. */
export async function clickedLinks(
  db: Db,
  accountId: number,
  rows: readonly number[],
): Promise<readonly ClickedLink[]> {
  const found = await queryInGroups<LinkRow & { id: Uint8Array; code: string; folder: Uint8Array | null }>(
    db,
    (placeholders) => `SELECT l.link_row, l.id, l.code, ${folderIdOf('l')} AS folder FROM links l
      WHERE l.account_id = ? AND l.link_row IN (${placeholders})`,
    [accountId],
    rows,
  );
  const known = new Map(found.map((row) => [row.link_row, row]));
  return rows.map((row) => {
    const { id, code, folder } = known.get(row) ?? {};
    return { id: id ? idText(id) : '', code: code ?? '', folder: folder ? idText(folder) : '' };
  });
}

/** Returns ids and names of folders, by id. */
export async function nameFolders(
  db: Db,
  accountId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const found = await queryInGroups<{ id: Uint8Array; name: string }>(
    db,
    (placeholders) => `SELECT id, name FROM folders WHERE account_id = ? AND id IN (${placeholders})`,
    [accountId],
    ids.map(idBytes),
  );
  return new Map(found.map((row) => [idText(row.id), { id: idText(row.id), label: row.name }]));
}
