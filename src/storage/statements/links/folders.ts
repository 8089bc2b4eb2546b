import { limitReached } from '../../../domain/failures.ts';
import { idText } from '../../../domain/ids.ts';
import type { Folder, FolderChange, NewFolder } from '../../../domain/links/folders.ts';
import { folderNotFound } from '../../../domain/links/folders.ts';
import { all, type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { type GroupRow, groupOf } from './groups.ts';
import { accountById, dissolveCount, linkCount, sumOfLinks } from './link-counts.ts';

const folderColumns = `f.id, f.name, ${sumOfLinks('f.account_id', 'f.id')} AS links, f.expired_url,
  f.created_at, f.updated_at`;

interface FolderRow extends GroupRow {
  readonly expired_url: string | null;
}

function folderOf(row: FolderRow): Folder {
  return { ...groupOf(row), expiredUrl: row.expired_url };
}

const someFolders = `
  SELECT ${folderColumns} FROM folders f WHERE f.account_id = ? AND f.id > ? AND f.deleted = 0
  ORDER BY f.id LIMIT ?`;
const folderById = `SELECT ${folderColumns} FROM folders f WHERE f.account_id = ? AND f.id = ? AND f.deleted = 0`;

/** Oldest first, with the number of live links in each. */
export async function folders(
  db: Db,
  accountId: number,
  limit: number,
  after = '',
): Promise<readonly Folder[]> {
  // An empty value is before every id.
  return (await db.all<FolderRow>(someFolders, [accountId, idBytes(after), limit])).map(folderOf);
}

export async function folder(db: Db, accountId: number, id: string): Promise<Folder | undefined> {
  const row = await db.get<FolderRow>(folderById, [accountId, idBytes(id)]);
  return row && folderOf(row);
}

const inheritedUrl = `
  SELECT COALESCE(f.expired_url, b.expired_url) AS url FROM links l
  LEFT JOIN folders f ON f.account_id = l.account_id AND f.id = l.folder_id AND f.deleted = 0
  LEFT JOIN branding b ON b.account_id = l.account_id
  WHERE l.account_id = ? AND l.link_row = ?`;

/** Where visitors go of a link that is over and says nothing of that: as its folder says, else its account. */
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
export async function keepFolder(db: Db, accountId: number, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const folder = [accountId, idBytes(id)];
  const [, found] = await all(db.lockRows('key share', anyFolder, folder), db.get(folderExists, folder));
  return found === undefined ? null : id;
}

/** As `keepFolder`. @throws Failure FOLDER_NOT_FOUND, also for a folder of another account */
export async function requireFolder(db: Db, accountId: number, id: string): Promise<void> {
  if ((await keepFolder(db, accountId, id)) === null) throw folderNotFound();
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

const rowsUpTo = `SELECT COUNT(*) AS links FROM (${linksWithFolder('1 AS one')}) AS carriers`;

/** Whether more links than that, live and deleted, carry a folder's id. */
async function hasMoreLinks(db: Db, accountId: number, id: Uint8Array, most: number): Promise<boolean> {
  return (await one<{ links: number }>(db, rowsUpTo, [accountId, id, id, most + 1])).links > most;
}

// Deleted links too: restored later, they must not point to a folder that is gone. The folder is in the condition
// twice: another write may move a link while this one waits for its lock.
const someLinksGo = `
  UPDATE links SET folder_id = NULL WHERE folder_id = ? AND link_row IN (${linksWithFolder('link_row')})`;

async function letLinksGo(
  db: Db,
  accountId: number,
  id: Uint8Array,
  most = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await db.run(someLinksGo, [id, accountId, id, id, most]);
}

/** Some milliseconds of a writer's time. */
const maxAtOnce = 500;
const markDeleted = 'UPDATE folders SET deleted = 1 WHERE account_id = ? AND id = ?';
const removeFolder = 'DELETE FROM folders WHERE account_id = ? AND id = ?';

/**
 * Uncategorizes its links, live and deleted, and removes it. A folder with more than `atOnce` links is only marked
 * (`deleted-folders.ts`): no read can tell, and `emptyFolders` does the rest.
 * @returns whether there was one
 */
export async function deleteFolder(
  db: Db,
  accountId: number,
  id: string,
  atOnce = maxAtOnce,
): Promise<boolean> {
  const bytes = idBytes(id);
  const folder = [accountId, bytes];
  if ((await db.get(folderExists, folder)) === undefined) return false;
  const isLarge = await hasMoreLinks(db, accountId, bytes, atOnce);
  // Links before their folder: every writer locks them in this order, so that no two wait for each other.
  if (!isLarge) await letLinksGo(db, accountId, bytes);
  const [, found] = await all(db.lockRows('update', anyFolder, folder), db.get(folderExists, folder));
  if (found === undefined) return false;
  await dissolveCount(db, accountId, id);
  if (!isLarge) await letLinksGo(db, accountId, bytes);
  await db.run(isLarge ? markDeleted : removeFolder, folder);
  return true;
}

// What a server of the version before began to remove, and perhaps left when it was stopped.
const adopt =
  'UPDATE folders SET deleted = 1 WHERE deleted = 0 AND id IN (SELECT folder_id FROM folder_removals)';
const anyDeleted = 'SELECT account_id, id FROM folders WHERE deleted = 1 LIMIT 1';

/** Lets go of some links of a folder that was deleted, and of the folder after the last. @returns whether there was one */
export async function emptyFolders(db: Db, most: number): Promise<boolean> {
  await db.run(adopt, []);
  const deleted = await db.get<{ account_id: number; id: Uint8Array }>(anyDeleted, []);
  if (deleted === undefined) return false;
  const { account_id: accountId, id } = deleted;
  await letLinksGo(db, accountId, id, most);
  if (await hasMoreLinks(db, accountId, id, 0)) return true;
  // A server of the version before, for which the folder was there, may have put links into it.
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
