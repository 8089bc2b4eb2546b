import { idText } from '../../domain/ids.ts';
import type { Db } from '../db/db.ts';
import { idBytes } from './ids.ts';

/**
 * A folder may hold more links than one transaction should change while others wait for their writes. It is then
 * deleted by a row in `folder_removals`: from that commit on it is gone, and its links, whatever their rows say, are in
 * no folder. The rows follow, slice by slice ([decision 0013](../../docs/decisions/0013-a-folder-goes-at-once-its-links-follow.md)). So everything that reads `folders` or
 * `links.folder_id` reads them by what stands here.
 */

function isRemoved(accountId: string, folderId: string): string {
  return `EXISTS (SELECT 1 FROM folder_removals r WHERE r.account_id = ${accountId} AND r.folder_id = ${folderId})`;
}

/** A condition: a folder, given as a table or its alias, is there. */
export function isThere(folder: string): string {
  return `NOT ${isRemoved(`${folder}.account_id`, `${folder}.id`)}`;
}

/** An expression: the folder of a link, given as a table or its alias. Costs a link in no folder nothing. */
export function folderIdOf(link: string): string {
  const id = `${link}.folder_id`;
  return `CASE WHEN ${id} IS NOT NULL AND NOT ${isRemoved(`${link}.account_id`, id)} THEN ${id} END`;
}

/** A subquery that answers one number: the folders that are being removed from an account. */
export function removalsFrom(accountId: string): string {
  return `(SELECT CAST(COUNT(*) AS BIGINT) FROM folder_removals r WHERE r.account_id = ${accountId})`;
}

/** Folders of one account that can be removed at once: each is one more index that a list of uncategorized links walks. */
const slots: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Conditions of which each link in no folder meets exactly one, and each walks one index in the order of ids: together
 * they need no sorting.
 * @param link an alias; every condition but the first has the account as its one parameter
 */
export function inNoFolder(link: string): readonly string[] {
  return [
    `${link}.folder_id IS NULL`,
    ...slots.map(
      (slot) =>
        `${link}.folder_id = (SELECT r.folder_id FROM folder_removals r WHERE r.account_id = ? AND r.slot = ${slot})`,
    ),
  ];
}

/**
 * Links, live and deleted, that carry a folder's id, at most so many; parameters: the account, the id twice, how many. A
 * range in the order of its index, and not an equality: a planner that takes nearly all links for the folder's would go
 * through the table for those, also when they are gone.
 */
export function linksWithFolder(columns: string): string {
  return `SELECT ${columns} FROM links WHERE account_id = ? AND folder_id BETWEEN ? AND ? ORDER BY folder_id LIMIT ?`;
}

const rowsUpTo = `SELECT COUNT(*) AS links FROM (${linksWithFolder('1 AS one')}) AS carriers`;

/** Whether more links than that, live and deleted, carry a folder's id. */
export async function hasMoreLinks(db: Db, accountId: number, id: string, most: number): Promise<boolean> {
  const folder = idBytes(id);
  const found = await db.get<{ links: number }>(rowsUpTo, [accountId, folder, folder, most + 1]);
  return (found?.links ?? 0) > most;
}

const takeSlot = `
  INSERT INTO folder_removals (account_id, slot, folder_id) VALUES (?, ?, ?)
  ON CONFLICT (account_id, slot) DO NOTHING`;

/** Makes a folder gone. @returns whether there was room to remove one more of this account */
export async function beginRemoval(db: Db, accountId: number, id: string): Promise<boolean> {
  for (const slot of slots) {
    if ((await db.run(takeSlot, [accountId, slot, idBytes(id)])) > 0) return true;
  }
  return false;
}

const anyRemoval = 'SELECT account_id, folder_id FROM folder_removals ORDER BY account_id, slot LIMIT 1';

/** A folder that is being removed, if there is one. */
export async function someRemoval(db: Db): Promise<{ accountId: number; id: string } | undefined> {
  const row = await db.get<{ account_id: number; folder_id: Uint8Array }>(anyRemoval, []);
  return row && { accountId: row.account_id, id: idText(row.folder_id) };
}
