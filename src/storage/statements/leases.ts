import type { Db } from '../db/db.ts';

// Whoever took it while a clock was wrong, far in the future, is not waited for.
const take = `
  INSERT INTO turns (name, taken_at) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at
  WHERE turns.taken_at <= ? OR turns.taken_at > ?`;

/**
 * Takes the turn with work that one of all processes does now and then: one statement, so that of many who ask at once
 * one gets it. Who dies with it only delays the work by one interval.
 * @param at ms since the epoch
 * @returns false when somebody took it less than `everyMs` ago
 */
export async function acquireLease(db: Db, name: string, at: number, everyMs: number): Promise<boolean> {
  return (await db.run(take, [name, at, at - everyMs, at + everyMs])) > 0;
}
