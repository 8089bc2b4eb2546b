import { hasFolder } from '../../../model/accounts/key-restrictions.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { folderNotFound } from '../../../model/links/folders.ts';
import { all, type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { plain, type Row, stored } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { groupFields } from './groups.ts';
import { countMove, dissolveCount, linkCount, lockAccount } from './link-counts.ts';

const storedFolder = stored('f', { ...groupFields('f'), expiredUrl: plain<string | null>() });
const folderPage = `
  SELECT ${storedFolder.columns} FROM folders f WHERE f.account_id = ? AND f.id > ? AND f.deleted = 0
  ORDER BY f.id LIMIT ?`;
const folderById = `SELECT ${storedFolder.columns} FROM folders f WHERE f.account_id = ? AND f.id = ? AND f.deleted = 0`;

export const folders: Read<'folders'> = async (db, accountId, limit, after = '') => {
  // On the first page, `after` is empty, and an empty value sorts before every id.
  return (await db.all<Row>(folderPage, [accountId, idBytes(after), limit])).map(storedFolder.of);
};

export const folder: Read<'folder'> = async (db, accountId, id) => {
  const row = await db.get<Row>(folderById, [accountId, idBytes(id)]);
  return row && storedFolder.of(row);
};

const inheritedUrl = `
  SELECT COALESCE(f.expired_url, d.expired_url, b.expired_url) AS url FROM links l
  LEFT JOIN folders f ON f.account_id = l.account_id AND f.id = l.folder_id AND f.deleted = 0
  LEFT JOIN domains d ON d.space = l.space
  LEFT JOIN branding b ON b.account_id = l.account_id
  WHERE l.account_id = ? AND l.link_row = ?`;

export const inheritedExpiredUrl: Read<'inheritedExpiredUrl'> = async (db, accountId, row) =>
  (await db.get<{ url: string | null }>(inheritedUrl, [accountId, row]))?.url ?? undefined;

const anyFolder = 'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ?';
const folderExists = `SELECT 1 AS found FROM folders f WHERE f.account_id = ? AND f.id = ? AND f.deleted = 0`;

/**
 * Locks a folder and returns its id, or null if the folder does not exist or was deleted. Prevents the folder's
 * deletion until the transaction ends.
 */
export async function lockFolder(db: Db, accountId: number, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const folder = [accountId, idBytes(id)];
  const [, found] = await all(db.lockRows('key share', anyFolder, folder), db.get(folderExists, folder));
  return found === undefined ? null : id;
}

/** Locks a folder like `lockFolder`. @throws Failure FOLDER_NOT_FOUND, also for a folder of another account */
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

/** Checks the account's folder limit. @throws Failure LIMIT_REACHED */
async function requireFolderQuota(db: Db, accountId: number, limit: number | undefined): Promise<void> {
  if (limit === undefined) return;
  // Makes other writes that check one of the account's limits wait.
  await lockAccount(db, accountId);
  if ((await folderCount(db, accountId)) < limit) return;
  throw limitReached('folders', limit);
}

export const createFolder: Write<'createFolder'> = async (
  db,
  accountId,
  { id, name, expiredUrl = null, createdAt, limit },
) => {
  await requireFolderQuota(db, accountId, limit);
  await db.run(insertFolder, [idBytes(id), accountId, name, expiredUrl, createdAt, createdAt]);
  return { id, name, linkCount: 0, expiredUrl, createdAt, updatedAt: createdAt };
};

export const updateFolder: Write<'updateFolder'> = async (db, accountId, id, { name, expiredUrl }, now) => {
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
};

/**
 * Returns a SELECT for links, live and deleted, whose rows refer to a folder. Parameters: account, folder id twice,
 * limit. Uses a range in index order instead of an equality: a planner that expects nearly all links to be in the
 * folder would otherwise scan the whole table, even if the folder has no links left.
 */
function linksWithFolder(columns: string): string {
  return `SELECT ${columns} FROM links WHERE account_id = ? AND folder_id BETWEEN ? AND ? ORDER BY folder_id LIMIT ?`;
}

const anyWithFolder = linksWithFolder('1 AS one');

/** Returns true if the rows of any links, live or deleted, still refer to a folder. */
async function hasLinksLeft(db: Db, accountId: number, id: Uint8Array): Promise<boolean> {
  return (await db.get(anyWithFolder, [accountId, id, id, 1])) !== undefined;
}

// Includes deleted links, which must not refer to a missing folder when they are restored. The condition on the folder
// appears twice, because another write may move a link while this write waits for its lock.
const detachBatch = `
  UPDATE links SET folder_id = NULL WHERE folder_id = ? AND link_row IN (${linksWithFolder('link_row')})`;

async function detachLinks(db: Db, accountId: number, id: Uint8Array, most: number): Promise<void> {
  await db.run(detachBatch, [id, accountId, id, id, most]);
}

const markDeleted = 'UPDATE folders SET deleted = 1, deleted_at = ? WHERE account_id = ? AND id = ?';

export const deleteFolder: Write<'deleteFolder'> = async (db, accountId, id, now) => {
  const folder = [accountId, idBytes(id)];
  const [, found] = await all(db.lockRows('update', anyFolder, folder), db.get(folderExists, folder));
  if (found === undefined) return false;
  await dissolveCount(db, accountId, id);
  await db.run(markDeleted, [now, ...folder]);
  return true;
};

const restorableFolder =
  'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ? AND deleted = 1 AND deleted_at IS NOT NULL';
const unmarkDeleted = 'UPDATE folders SET deleted = 0, deleted_at = NULL WHERE account_id = ? AND id = ?';
const countLive =
  'SELECT COUNT(*) AS links FROM links WHERE account_id = ? AND folder_id = ? AND deleted_at IS NULL';

export const restoreFolder: Write<'restoreFolder'> = async (db, accountId, id, limit) => {
  const place = [accountId, idBytes(id)];
  // Locks the folder first, as all writes that change its link count do, so that the count below is exact.
  const [, deleted] = await all(db.lockRows('update', anyFolder, place), db.get(restorableFolder, place));
  if (deleted !== undefined) {
    await requireFolderQuota(db, accountId, limit);
    const { links } = await one<{ links: number }>(db, countLive, place);
    await db.run(unmarkDeleted, place);
    if (links > 0) await countMove(db, accountId, null, id, links);
  }
  return folder(db, accountId, id);
};

/** Query for folders that can no longer be restored. Its parameter is a time, in ms since the epoch. */
export const foldersToEmpty =
  'SELECT account_id, id FROM folders WHERE deleted = 1 AND COALESCE(deleted_at, 0) < ?';
const makeUnrestorable =
  'UPDATE folders SET deleted_at = NULL WHERE account_id = ? AND id = ? AND deleted_at IS NOT NULL';
const deleteRow = 'DELETE FROM folders WHERE account_id = ? AND id = ?';

export const emptyFolders: Write<'emptyFolders'> = async (db, before, most) => {
  const deleted = await db.get<{ account_id: number; id: Uint8Array }>(`${foldersToEmpty} LIMIT 1`, [before]);
  if (deleted === undefined) return false;
  const { account_id: accountId, id } = deleted;
  // First makes the folder unrestorable, in a separate transaction, so that no folder is restored with only some of its
  // links.
  if ((await db.run(makeUnrestorable, [accountId, id])) > 0) return true;
  await detachLinks(db, accountId, id, most);
  if (await hasLinksLeft(db, accountId, id)) return true;
  await dissolveCount(db, accountId, idText(id));
  await db.run(deleteRow, [accountId, id]);
  return true;
};

/** Returns how many live links and folders an account has. */
export const usage: Read<'usage'> = async (db, accountId) => ({
  links: await linkCount(db, accountId, { kind: 'all' }),
  folders: await folderCount(db, accountId),
});

export const folderReads = { inheritedExpiredUrl, folder, folders, usage };

export const folderWrites = { createFolder, updateFolder, deleteFolder, restoreFolder, emptyFolders };
