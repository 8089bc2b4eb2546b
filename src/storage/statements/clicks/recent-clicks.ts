import { one } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';

/**
 * Returns a subquery for the number of a link's clicks that are not rolled up yet. `linkRow` is a parameter or column.
 */
export function recentClicksOf(linkRow: string): string {
  return `(SELECT CAST(COALESCE(SUM(r.clicks), 0) AS BIGINT) FROM recent_clicks r WHERE r.link_row = ${linkRow})`;
}

/**
 * Returns a subquery for the hour of a link's latest click that is not rolled up yet, in hours since the epoch; NULL if
 * there are no such clicks.
 */
export function recentHourOf(linkRow: string): string {
  return `(SELECT MAX(r.hour) FROM recent_clicks r WHERE r.link_row = ${linkRow})`;
}

const endOfSlice = `
  SELECT MAX(link_row) AS upto
  FROM (SELECT link_row FROM recent_clicks WHERE link_row > ? ORDER BY link_row LIMIT ?) AS slice`;
// Uses a subquery for each link, because with a join PostgreSQL would read all links.
function accountOf(sums: string): string {
  return `(SELECT l.account_id FROM links l WHERE l.link_row = ${sums}.link_row)`;
}
// Sums left behind by a killed process may arrive late, so older hours never replace a newer last hour. A negative
// value stays until it is recalculated.
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
// For engines with several writers. Moves only the rows that it has locked. Clicks added after that stay in the table.
// Appliers and other roll-ups lock rows in the same order, so deadlocks cannot occur. The planner does not know how
// many rows are locked, so the DELETE repeats the slice's limits. Otherwise, the planner might scan the whole table.
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
 * Moves the recent clicks on a slice of links into the links' totals, in one transaction, so that every click is always
 * counted exactly once.
 */
export const rollUpClicks: Write<'rollUpClicks'> = async (db, afterRow, most) => {
  const { upto } = await one<{ upto: number | null }>(db, endOfSlice, [afterRow, most]);
  if (upto === null) return undefined;
  const oneByOne = async (): Promise<void> => {
    for (const statement of [addToTotals, remove]) await db.run(statement, [afterRow, upto]);
  };
  await db.bulk({ columns: slice, values: [afterRow, upto] }, oneByOne, foldSlice);
  return upto;
};
