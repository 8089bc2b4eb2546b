import type { Db } from '../../db/db.ts';

// In the order of their numbers, which is about that of time, so that no index by time costs every change. The newest row
// always stays: otherwise SQLite would give its number again.
const oldest = 'SELECT seq, at FROM events WHERE seq < (SELECT MAX(seq) FROM events) ORDER BY seq LIMIT ?';
const remove = `DELETE FROM events WHERE seq IN (SELECT seq FROM (${oldest}) AS oldest WHERE at < ?)`;

/** Removes some of the oldest events that are older than the given time. @returns whether there may be more */
export async function trimHistory(db: Db, before: number, most: number): Promise<boolean> {
  return (await db.run(remove, [most, before])) === most;
}

/** Whether {@link trimHistory} would find anything; its parameter is the time, ms since the epoch. */
export const hasHistoryToTrim = `
  SELECT 1 AS found FROM (${oldest.replace('?', '100')}) AS oldest WHERE at < ? LIMIT 1`;
