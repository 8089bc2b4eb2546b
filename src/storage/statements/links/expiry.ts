import { idText } from '../../../model/ids.ts';
import type { Write } from '../../db/statements.ts';
import { appendLinkEvent } from './record.ts';

/**
 * Milliseconds after expiry during which a link is not processed yet: the transaction that creates or changes the link
 * may not be committed yet, or the clock of the process that runs it may be slow.
 */
const graceMs = 10_000;
/** Row number that sorts after all links that expire at the same time. */
const lastRow = Number.MAX_SAFE_INTEGER;

const insertPosition = `
  INSERT INTO expiry_position (id, expires_at, link_row) VALUES (1, ?, ${lastRow}) ON CONFLICT DO NOTHING`;
const readPosition = 'SELECT expires_at, link_row FROM expiry_position WHERE id = 1';
const advancePosition = `
  UPDATE expiry_position SET expires_at = ?, link_row = ? WHERE id = 1 AND expires_at = ? AND link_row = ?`;
const isExpired = 'l.deleted_at IS NULL AND l.expires_at <= ?';
const nextExpired = `
  SELECT l.link_row, l.account_id, l.id, l.expires_at FROM links l
  WHERE ${isExpired} AND (l.expires_at, l.link_row) > (?, ?) ORDER BY l.expires_at, l.link_row LIMIT ?`;

/** Query that returns a row when {@link recordExpirations} has work to do. */
export const hasExpired = `
  SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM expiry_position) OR EXISTS (
    SELECT 1 FROM expiry_position p JOIN links l ON (l.expires_at, l.link_row) > (p.expires_at, p.link_row)
    WHERE ${isExpired})`;
export function expiredBefore(now: number): number {
  return now - graceMs;
}

interface ExpiryPosition {
  readonly expires_at: number;
  readonly link_row: number;
}

/**
 * Appends events for links that have expired. The position advances in the same transaction and never goes back, so
 * that each expiry is recorded only once, whichever process records it. Links that expired before the first run are not
 * recorded.
 */
export const recordExpirations: Write<'recordExpirations'> = async (db, now, max) => {
  const to = expiredBefore(now);
  const from = await db.get<ExpiryPosition>(readPosition, []);
  if (from === undefined) {
    await db.run(insertPosition, [to]);
    return false;
  }
  const rows = await db.all<ExpiryPosition & { account_id: number; id: Uint8Array }>(nextExpired, [
    to,
    from.expires_at,
    from.link_row,
    max,
  ]);
  const last = rows.at(-1);
  if (last === undefined) return false;
  const isMore = rows.length === max;
  const place = isMore ? [last.expires_at, last.link_row] : [to, lastRow];
  // No row was updated, so another process has already recorded these expiries.
  if ((await db.run(advancePosition, [...place, from.expires_at, from.link_row])) === 0) return true;
  for (const { account_id: accountId, id } of rows)
    await appendLinkEvent(db, { accountId, name: 'link.expired', at: now }, idText(id));
  return isMore;
};
