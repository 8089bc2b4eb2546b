import { hasFolder } from '../../../model/accounts/key-restrictions.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import type { Folder, FolderChange, NewFolder } from '../../../model/links/folders.ts';
import { folderNotFound } from '../../../model/links/folders.ts';
import { all, type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { plain, type Row, stored } from '../../db/records.ts';
import { groupFields } from './groups.ts';
import { accountById, countMove, dissolveCount, linkCount } from './link-counts.ts';

const storedFolder = stored('f', { ...groupFields('f'), expiredUrl: plain<string | null>() });
const someFolders = `
  SELECT ${storedFolder.columns} FROM folders f WHERE f.account_id = ? AND f.id > ? AND f.deleted = 0
  ORDER BY f.id LIMIT ?`;
const folderById = `SELECT ${storedFolder.columns} FROM folders f WHERE f.account_id = ? AND f.id = ? AND f.deleted = 0`;

/** Oldest first, with the number of live links in each. */
export async function folders(
  db: Db,
  accountId: number,
  limit: number,
  after = '',
): Promise<readonly Folder[]> {
  // An empty value is before every id.
  return (await db.all<Row>(someFolders, [accountId, idBytes(after), limit])).map(storedFolder.of);
}

export async function folder(db: Db, accountId: number, id: string): Promise<Folder | undefined> {
  const row = await db.get<Row>(folderById, [accountId, idBytes(id)]);
  return row && storedFolder.of(row);
}

const inheritedUrl = `
  SELECT COALESCE(f.expired_url, d.expired_url, b.expired_url) AS url FROM links l
  LEFT JOIN folders f ON f.account_id = l.account_id AND f.id = l.folder_id AND f.deleted = 0
  LEFT JOIN domains d ON d.space = l.space
  LEFT JOIN branding b ON b.account_id = l.account_id
  WHERE l.account_id = ? AND l.link_row = ?`;

/** Where visitors go of a link that has ended and says nothing of that: as its folder says, else its domain, else its account. */
export async function inheritedExpiredUrl(
  db: Db,
  accountId: number,
  row: number,
): Promise<string | undefined> {
  return (await db.get<{ url: string | null }>(inheritedUrl, [accountId, row]))?.url ?? undefined;
}

const anyFolder = 'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ?';
const folderExists = `SELECT 1 AS found FROM folders f WHERE f.account_id = ? AND f.id = ? AND f.deleted = 0`;

/** The same folder, or none if it was deleted meanwhile. From here on no other write deletes it until the transaction ends. */
export async function lockFolder(db: Db, accountId: number, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const folder = [accountId, idBytes(id)];
  const [, found] = await all(db.lockRows('key share', anyFolder, folder), db.get(folderExists, folder));
  return found === undefined ? null : id;
}

/** As `lockFolder`. @throws Failure FOLDER_NOT_FOUND, also for a folder of another account */
export async function requireFolder(db: Db, accountId: number, id: string): Promise<void> {
  const { restrictions } = db.by ?? {};
  if (restrictions !== undefined && !hasFolder(restrictions, id)) throw folderNotFound();
  if ((await lockFolder(db, accountId, id)) === null) throw folderNotFound();
}

const insertFolder =
  'INSERT INTO folders (id, account_id, name, expired_url, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)';

const countFolders = 'SELECT COUNT(*) AS folders FROM folders WHERE account_id = ? AND deleted = 0';

async function folderCount(db: Db, accountId: number): Promise<number> {
  return (await one<{ folders: number }>(db, countFolders, [accountId])).folders;
}

/** @throws Failure LIMIT_REACHED when one more folder would be too many */
async function requireRoom(db: Db, accountId: number, limit: number | undefined): Promise<void> {
  if (limit === undefined) return;
  // Other writes that count up to a limit of the account wait for this one.
  await db.lockRows('no key update', accountById, [accountId]);
  if ((await folderCount(db, accountId)) < limit) return;
  throw limitReached('folders', limit);
}

/** @throws Failure LIMIT_REACHED */
export async function createFolder(
  db: Db,
  accountId: number,
  { id, name, expiredUrl = null, createdAt, limit }: NewFolder,
): Promise<Folder> {
  await requireRoom(db, accountId, limit);
  await db.run(insertFolder, [idBytes(id), accountId, name, expiredUrl, createdAt, createdAt]);
  return { id, name, linkCount: 0, expiredUrl, createdAt, updatedAt: createdAt };
}

/** Changes what is given. A change that changes nothing leaves `updatedAt` too. */
export async function updateFolder(
  db: Db,
  accountId: number,
  id: string,
  { name, expiredUrl }: FolderChange,
  now: number,
): Promise<Folder | undefined> {
  const given = Object.entries({ name, expired_url: expiredUrl }).filter(([, value]) => value !== undefined);
  const columns = given.map(([column]) => column);
  const values = given.map(([, value]) => value ?? null);
  if (columns.length > 0)
    await db.run(
      `UPDATE folders SET ${columns.map((column) => `${column} = ?`).join(', ')},
         updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END
       WHERE account_id = ? AND id = ? AND deleted = 0
         AND (${columns.map((column) => `${column} IS DISTINCT FROM ?`).join(' OR ')})`,
      [...values, now, now, accountId, idBytes(id), ...values],
    );
  return folder(db, accountId, id);
}

/**
 * Links, live and deleted, that carry a folder's id, at most so many; parameters: the account, the id twice, how many. A
 * range in the order of its index, and not an equality: a planner that takes nearly all links for the folder's would go
 * through the table for those, also when they are gone.
 */
function linksWithFolder(columns: string): string {
  return `SELECT ${columns} FROM links WHERE account_id = ? AND folder_id BETWEEN ? AND ? ORDER BY folder_id LIMIT ?`;
}

const anyWithFolder = linksWithFolder('1 AS one');

/** Whether links, live or deleted, carry a folder's id. */
async function hasLinks(db: Db, accountId: number, id: Uint8Array): Promise<boolean> {
  return (await db.get(anyWithFolder, [accountId, id, id, 1])) !== undefined;
}

// Deleted links too: restored later, they must not point to a folder that is gone. The folder is in the condition
// twice: another write may move a link while this one waits for its lock.
const detachSomeLinks = `
  UPDATE links SET folder_id = NULL WHERE folder_id = ? AND link_row IN (${linksWithFolder('link_row')})`;

async function detachLinks(db: Db, accountId: number, id: Uint8Array, most: number): Promise<void> {
  await db.run(detachSomeLinks, [id, accountId, id, id, most]);
}

const markDeleted = 'UPDATE folders SET deleted = 1, deleted_at = ? WHERE account_id = ? AND id = ?';

/**
 * Takes a folder away from its links, live and deleted, however many they are: it is only marked (`deleted-folders.ts`), and no
 * read can tell. `restoreFolder` takes the mark back, until `emptyFolders` releases the links.
 * @returns whether there was one
 */
export async function deleteFolder(db: Db, accountId: number, id: string, now: number): Promise<boolean> {
  const folder = [accountId, idBytes(id)];
  const [, found] = await all(db.lockRows('update', anyFolder, folder), db.get(folderExists, folder));
  if (found === undefined) return false;
  await dissolveCount(db, accountId, id);
  await db.run(markDeleted, [now, ...folder]);
  return true;
}

const canComeBack =
  'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ? AND deleted = 1 AND deleted_at IS NOT NULL';
const unmarkDeleted = 'UPDATE folders SET deleted = 0, deleted_at = NULL WHERE account_id = ? AND id = ?';
const countLive =
  'SELECT COUNT(*) AS links FROM links WHERE account_id = ? AND folder_id = ? AND deleted_at IS NULL';

/**
 * Undoes a delete: the folder is back, with the links that were in it and were put nowhere else since. One that is there stays as
 * it is.
 * @returns undefined when there is none, or its links were released
 * @throws Failure LIMIT_REACHED
 */
export async function restoreFolder(
  db: Db,
  accountId: number,
  id: string,
  limit?: number,
): Promise<Folder | undefined> {
  const place = [accountId, idBytes(id)];
  // Whoever changes what a folder counts locks it first: from here on the count below is true.
  const [, deleted] = await all(db.lockRows('update', anyFolder, place), db.get(canComeBack, place));
  if (deleted !== undefined) {
    await requireRoom(db, accountId, limit);
    const { links } = await one<{ links: number }>(db, countLive, place);
    await db.run(unmarkDeleted, place);
    if (links > 0) await countMove(db, accountId, null, id, links);
  }
  return folder(db, accountId, id);
}

/** Those that do not come back; the parameter is a time, ms since the epoch. */
export const foldersToEmpty =
  'SELECT account_id, id FROM folders WHERE deleted = 1 AND COALESCE(deleted_at, 0) < ?';
const giveUp =
  'UPDATE folders SET deleted_at = NULL WHERE account_id = ? AND id = ? AND deleted_at IS NOT NULL';
const removeFolder = 'DELETE FROM folders WHERE account_id = ? AND id = ?';

/**
 * Detaches some links of a deleted folder, then deletes the folder after the last one.
 * @param before folders that were deleted later can still come back, ms since the epoch
 * @returns whether there was one
 */
export async function emptyFolders(db: Db, before: number, most: number): Promise<boolean> {
  const deleted = await db.get<{ account_id: number; id: Uint8Array }>(`${foldersToEmpty} LIMIT 1`, [before]);
  if (deleted === undefined) return false;
  const { account_id: accountId, id } = deleted;
  // In a transaction of its own: from its commit on the folder does not come back with some of its links only.
  if ((await db.run(giveUp, [accountId, id])) > 0) return true;
  await detachLinks(db, accountId, id, most);
  if (await hasLinks(db, accountId, id)) return true;
  await dissolveCount(db, accountId, idText(id));
  await db.run(removeFolder, [accountId, id]);
  return true;
}

/** How much the account holds: live links, and folders. */
export async function usage(db: Db, accountId: number): Promise<{ links: number; folders: number }> {
  return {
    links: await linkCount(db, accountId, { kind: 'all' }),
    folders: await folderCount(db, accountId),
  };
}
