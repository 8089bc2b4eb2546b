import type { Write } from '../../db/statements.ts';

// Orders rows by number, which is roughly chronological. An index by time would have to be updated on every change. The
// newest row always stays, because SQLite would otherwise reuse its number.
const oldest = 'SELECT seq, at FROM events WHERE seq < (SELECT MAX(seq) FROM events) ORDER BY seq LIMIT ?';
const remove = `DELETE FROM events WHERE seq IN (SELECT seq FROM (${oldest}) AS oldest WHERE at < ?)`;

export const trimHistory: Write<'trimHistory'> = async (db, before, most) =>
  (await db.run(remove, [most, before])) === most;

/**
 * Query that returns a row when {@link trimHistory} has work to do. Its parameter is the time in ms since the epoch.
 */
export const hasHistoryToTrim = `
  SELECT 1 AS found FROM (${oldest.replace('?', '100')}) AS oldest WHERE at < ? LIMIT 1`;
