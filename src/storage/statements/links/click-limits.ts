import { idText } from '../../../model/ids.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import { type Db, whenKnown } from '../../db/db.ts';
import { noteOfLink } from './record.ts';

const limited = 'link_row = ? AND account_id = ? AND deleted_at IS NULL';
const isLeft = '(max_clicks IS NULL OR used_clicks < max_clicks)';

const useOne = `UPDATE links SET used_clicks = used_clicks + 1 WHERE ${limited} AND ${isLeft}`;

const usedUp = 'SELECT id FROM links WHERE link_row = ? AND used_clicks >= max_clicks';

/**
 * Uses up one of a link's clicks. One statement decides, so that no two visitors get the last one, in whichever process.
 * @returns whether one was left
 */
export async function admitClick(db: Db, accountId: number, row: number, now: number): Promise<boolean> {
  if ((await db.run(useOne, [row, accountId])) === 0) return false;
  const last = await db.get<{ id: Uint8Array }>(usedUp, [row]);
  if (last !== undefined)
    await noteOfLink(db, { accountId, name: 'link.exhausted', at: now }, idText(last.id));
  return true;
}

const anyLeft = `SELECT link_row FROM links WHERE ${limited} AND ${isLeft}`;

/** Whether a live link has no limit of clicks, or has not reached it. */
export function hasClicksLeft(db: Db, accountId: number, row: number): MaybePromise<boolean> {
  return whenKnown(db.get<{ link_row: number }>(anyLeft, [row, accountId]), (found) => found !== undefined);
}
