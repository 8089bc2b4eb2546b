import { idText } from '../../../model/ids.ts';
import { whenKnown } from '../../db/db.ts';
import type { Read, Write } from '../../db/statements.ts';
import { appendLinkEvent } from './record.ts';

const liveLink = 'link_row = ? AND account_id = ? AND deleted_at IS NULL';
const hasClicksLeftCondition = '(max_clicks IS NULL OR used_clicks < max_clicks)';

const useClick = `UPDATE links SET used_clicks = used_clicks + 1 WHERE ${liveLink} AND ${hasClicksLeftCondition}`;

const exhaustedLink = 'SELECT id FROM links WHERE link_row = ? AND used_clicks >= max_clicks';

/**
 * Uses one click of a link with a click limit. A single statement ensures that only one visitor gets the last click,
 * across all processes.
 */
export const consumeClick: Write<'consumeClick'> = async (db, accountId, row, now) => {
  if ((await db.run(useClick, [row, accountId])) === 0) return false;
  const last = await db.get<{ id: Uint8Array }>(exhaustedLink, [row]);
  if (last !== undefined)
    await appendLinkEvent(db, { accountId, name: 'link.exhausted', at: now }, idText(last.id));
  return true;
};

const liveLinkWithClicksLeft = `SELECT link_row FROM links WHERE ${liveLink} AND ${hasClicksLeftCondition}`;

export const hasClicksLeft: Read<'hasClicksLeft'> = (db, accountId, row) =>
  whenKnown(
    db.get<{ link_row: number }>(liveLinkWithClicksLeft, [row, accountId]),
    (found) => found !== undefined,
  );
