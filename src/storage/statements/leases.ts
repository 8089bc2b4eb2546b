import type { Db } from '../db/db.ts';

// A lease that was taken while a clock was wrong, far in the future, is not waited for.
const take = `
  INSERT INTO turns (name, taken_at) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at
  WHERE turns.taken_at <= ? OR turns.taken_at > ?`;

/**
 * Acquires the lease of work that one of all processes does now and then. It is one statement, so that of many processes
 * that ask at once one gets it. A process that dies with the lease delays the work by one interval.
 * @param at ms since the epoch
 * @returns false when a process acquired it less than `everyMs` ago
 */
export async function acquireLease(db: Db, name: string, at: number, everyMs: number): Promise<boolean> {
  return (await db.run(take, [name, at, at - everyMs, at + everyMs])) > 0;
}
