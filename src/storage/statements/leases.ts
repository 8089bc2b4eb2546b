import type { Write } from '../db/statements.ts';

// Ignores a lease that is dated far in the future, because it was acquired while a clock was wrong.
const take = `
  INSERT INTO turns (name, taken_at) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET taken_at = excluded.taken_at
  WHERE turns.taken_at <= ? OR turns.taken_at > ?`;

/** Acquires a lease with a single statement, so that only one of several competing processes succeeds. */
export const acquireLease: Write<'acquireLease'> = async (db, name, at, everyMs) =>
  (await db.run(take, [name, at, at - everyMs, at + everyMs])) > 0;
