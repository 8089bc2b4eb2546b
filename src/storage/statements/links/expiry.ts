import { idText } from '../../../model/ids.ts';
import type { Db } from '../../db/db.ts';
import { noteOfLink } from './record.ts';

/** A link whose end is nearer may be in a transaction that is not committed yet, or made by a process whose clock is behind. */
const graceMs = 10_000;
/** Behind the last link of its time. */
const lastRow = Number.MAX_SAFE_INTEGER;

const begin = `
  INSERT INTO expiry_position (id, expires_at, link_row) VALUES (1, ?, ${lastRow}) ON CONFLICT DO NOTHING`;
const readPosition = 'SELECT expires_at, link_row FROM expiry_position WHERE id = 1';
const goOn = `
  UPDATE expiry_position SET expires_at = ?, link_row = ? WHERE id = 1 AND expires_at = ? AND link_row = ?`;
const behind = 'l.deleted_at IS NULL AND l.expires_at <= ?';
const next = `
  SELECT l.link_row, l.account_id, l.id, l.expires_at FROM links l
  WHERE ${behind} AND (l.expires_at, l.link_row) > (?, ?) ORDER BY l.expires_at, l.link_row LIMIT ?`;

/** Whether {@link recordExpiredLinks} would find anything. */
export const hasExpired = `
  SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM expiry_position) OR EXISTS (
    SELECT 1 FROM expiry_position p JOIN links l ON (l.expires_at, l.link_row) > (p.expires_at, p.link_row)
    WHERE ${behind})`;
export function expiredBefore(now: number): number {
  return now - graceMs;
}

interface ExpiryPosition {
  readonly expires_at: number;
  readonly link_row: number;
}

/**
 * Notes of some live links that their end has come. The position moves in the same transaction and never back, so that each
 * end of a link is told once, whichever process does it. What ended before the first round is not told.
 * @param now ms since the epoch
 * @returns whether there may be more
 */
export async function recordExpiredLinks(db: Db, now: number, max: number): Promise<boolean> {
  const to = expiredBefore(now);
  const from = await db.get<ExpiryPosition>(readPosition, []);
  if (from === undefined) {
    await db.run(begin, [to]);
    return false;
  }
  const rows = await db.all<ExpiryPosition & { account_id: number; id: Uint8Array }>(next, [
    to,
    from.expires_at,
    from.link_row,
    max,
  ]);
  const last = rows.at(-1);
  if (last === undefined) return false;
  const isMore = rows.length === max;
  const place = isMore ? [last.expires_at, last.link_row] : [to, lastRow];
  // Another process was faster.
  if ((await db.run(goOn, [...place, from.expires_at, from.link_row])) === 0) return true;
  for (const { account_id: accountId, id } of rows)
    await noteOfLink(db, { accountId, name: 'link.expired', at: now }, idText(id));
  return isMore;
}
