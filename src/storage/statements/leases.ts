import type { Write } from '../db/statements.ts';

// A lease far in the future was acquired while a clock was wrong, and is ignored.
const take = `
  INSERT INTO turns (name, taken_at) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at
  WHERE turns.taken_at <= ? OR turns.taken_at > ?`;

/**
 * Acquires the lease for periodic work that only one process should do. A single statement, so that only one of
 * several competing processes gets it. If the process dies, the work is delayed by one interval.
 * @param at ms since the epoch
 * @returns false when a process acquired it less than `everyMs` ago
 */
export const acquireLease: Write<'acquireLease'> = async (db, name, at, everyMs) =>
  (await db.run(take, [name, at, at - everyMs, at + everyMs])) > 0;
