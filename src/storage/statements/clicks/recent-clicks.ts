import { type Db, one } from '../../db/db.ts';

/** A subquery that answers one number: the clicks of a link, given as parameter or column, that are not rolled up yet. */
export function recentClicksOf(linkRow: string): string {
  return `(SELECT CAST(COALESCE(SUM(r.clicks), 0) AS BIGINT) FROM recent_clicks r WHERE r.link_row = ${linkRow})`;
}

/** A subquery that answers one number: the last hour of those clicks, in hours since the epoch; null for none. */
export function recentHourOf(linkRow: string): string {
  return `(SELECT MAX(r.hour) FROM recent_clicks r WHERE r.link_row = ${linkRow})`;
}

const endOfSlice = `
  SELECT MAX(link_row) AS upto
  FROM (SELECT link_row FROM recent_clicks WHERE link_row > ? ORDER BY link_row LIMIT ?) AS slice`;
// For each link by itself: joined, PostgreSQL would read all links.
function accountOf(sums: string): string {
  return `(SELECT l.account_id FROM links l WHERE l.link_row = ${sums}.link_row)`;
}
// Sums of a killed process may arrive late, so the last hour never goes back. A negative one stays until it is found again.
export const addTotals = `ON CONFLICT (link_row) DO UPDATE SET
    total = link_clicks.total + excluded.total,
    account_id = excluded.account_id,
    last_hour = CASE WHEN link_clicks.last_hour > excluded.last_hour OR link_clicks.last_hour < 0
      THEN link_clicks.last_hour ELSE excluded.last_hour END`;
const addToTotals = `
  INSERT INTO link_clicks (link_row, account_id, total, last_hour)
  SELECT r.link_row, ${accountOf('r')}, CAST(SUM(r.clicks) AS BIGINT), MAX(r.hour)
  FROM recent_clicks r WHERE r.link_row > ? AND r.link_row <= ?
  GROUP BY r.link_row
  ${addTotals}`;
const remove = 'DELETE FROM recent_clicks WHERE link_row > ? AND link_row <= ?';
const slice = { after_row: 'integer', upto: 'integer' } as const;
// Where many write at a time: the rows that are locked are moved, and what is added meanwhile stays. They are locked in the
// order in which appliers and other roll-ups lock them, so that no two wait for each other. The planner does not know how
// many rows are locked: without the bounds of the slice it might read the whole table to find them.
const foldSlice = `, held AS (
    SELECT r.link_row, r.hour, r.class, r.source, r.clicks
    FROM recent_clicks r JOIN input g ON r.link_row > g.after_row AND r.link_row <= g.upto
    ORDER BY r.link_row, r.hour, r.class, r.source
    FOR UPDATE OF r
  ), totals AS (
    INSERT INTO link_clicks (link_row, account_id, total, last_hour)
    SELECT h.link_row, ${accountOf('h')}, CAST(SUM(h.clicks) AS BIGINT), MAX(h.hour)
    FROM held h GROUP BY h.link_row ORDER BY h.link_row
    ${addTotals}
  )
  DELETE FROM recent_clicks r USING held h, input g
  WHERE r.link_row = h.link_row AND r.hour = h.hour AND r.class = h.class AND r.source = h.source
    AND r.link_row > g.after_row AND r.link_row <= g.upto`;

/**
 * Moves a slice of the recent clicks, in the order of their links, into the totals of their links. It is one
 * transaction, so that every click is in exactly one place at every moment; how often or by how many it is done does
 * not matter.
 * @param most sums (link, hour, class) in the slice; those of its last link come whole, beyond it
 * @returns the row of the slice's last link; undefined when there was nothing beyond `afterRow`
 */
export async function rollUpClicks(db: Db, afterRow: number, most: number): Promise<number | undefined> {
  const { upto } = await one<{ upto: number | null }>(db, endOfSlice, [afterRow, most]);
  if (upto === null) return undefined;
  const inTurn = async (): Promise<void> => {
    for (const statement of [addToTotals, remove]) await db.run(statement, [afterRow, upto]);
  };
  await db.bulk({ columns: slice, values: [afterRow, upto] }, inTurn, foldSlice);
  return upto;
}
