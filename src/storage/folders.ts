import { folderNotFound } from '../domain/folders.ts';
import { idText } from '../domain/ids.ts';
import type { Folder } from '../domain/storage.ts';
import { type Db, one, together } from './db.ts';
import { idBytes } from './ids.ts';
import { dissolveCount, linkCount, sumOfLinks } from './link-counts.ts';

interface FolderRow {
  id: Uint8Array;
  name: string;
  links: number;
  created_at: number;
  updated_at: number;
}

const folderOf = (row: FolderRow): Folder => ({
  id: idText(row.id),
  name: row.name,
  linkCount: row.links,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const folderColumns = `f.id, f.name, ${sumOfLinks('f.account_id', 'f.id')} AS links, f.created_at, f.updated_at`;
const foldersOfAccount = `SELECT ${folderColumns} FROM folders f WHERE f.account_id = ? ORDER BY f.id`;
const folderById = `SELECT ${folderColumns} FROM folders f WHERE f.account_id = ? AND f.id = ?`;

/** Oldest first, with the number of live links in each. */
export const folders = async (db: Db, accountId: number): Promise<readonly Folder[]> =>
  (await db.all<FolderRow>(foldersOfAccount, [accountId])).map(folderOf);

const folderExists = 'SELECT 1 AS found FROM folders WHERE account_id = ? AND id = ?';

/** @throws Failure FOLDER_NOT_FOUND, also for a folder of another account */
export const requireFolder = async (db: Db, accountId: number, id: string): Promise<void> => {
  if ((await db.get(folderExists, [accountId, idBytes(id)])) === undefined) throw folderNotFound();
};

const insertFolder =
  'INSERT INTO folders (id, account_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)';

export const createFolder = async (
  db: Db,
  accountId: number,
  { id, name, createdAt }: { id: string; name: string; createdAt: number },
): Promise<Folder> => {
  await db.run(insertFolder, [idBytes(id), accountId, name, createdAt, createdAt]);
  return { id, name, linkCount: 0, createdAt, updatedAt: createdAt };
};

const setName = `
  UPDATE folders SET name = ?, updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END
  WHERE account_id = ? AND id = ? AND name <> ?`;

/** The name it already has changes nothing, `updatedAt` included. */
export const renameFolder = async (
  db: Db,
  accountId: number,
  id: string,
  name: string,
  now: number,
): Promise<Folder | undefined> => {
  await db.run(setName, [name, now, now, accountId, idBytes(id), name]);
  const row = await db.get<FolderRow>(folderById, [accountId, idBytes(id)]);
  return row && folderOf(row);
};

// Deleted links too: restored later, they must not point to a folder that is gone.
const uncategorize = 'UPDATE links SET folder_id = NULL WHERE folder_id = ? AND account_id = ?';
const removeFolder = 'DELETE FROM folders WHERE account_id = ? AND id = ?';

/** Uncategorizes its links, live and deleted. @returns whether there was one */
export const deleteFolder = async (db: Db, accountId: number, id: string): Promise<boolean> => {
  // Before anything else: from here on nobody puts a link into it.
  const folder = [accountId, idBytes(id)];
  const [, found] = await together(db.hold('remove', folderExists, folder), db.get(folderExists, folder));
  if (found === undefined) return false;
  await db.run(uncategorize, [idBytes(id), accountId]);
  await dissolveCount(db, accountId, id);
  await db.run(removeFolder, [accountId, idBytes(id)]);
  return true;
};

const countFolders = 'SELECT COUNT(*) AS folders FROM folders WHERE account_id = ?';

/** How much the account holds: live links, and folders. */
export const usage = async (db: Db, accountId: number): Promise<{ links: number; folders: number }> => ({
  links: await linkCount(db, accountId, { kind: 'all' }),
  folders: (await one<{ folders: number }>(db, countFolders, [accountId])).folders,
});
