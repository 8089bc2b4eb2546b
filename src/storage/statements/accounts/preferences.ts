import type { Preferences } from '../../../model/accounts/preferences.ts';
import type { Db } from '../../db/db.ts';

const ofAccount = 'SELECT value, updated_at FROM preferences WHERE account_id = ?';
const put = `
  INSERT INTO preferences (account_id, value, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (account_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;

/** What an account has kept; undefined while that is nothing. */
export async function preferences(db: Db, accountId: number): Promise<Preferences | undefined> {
  const row = await db.get<{ value: string; updated_at: number }>(ofAccount, [accountId]);
  return row && { value: row.value, updatedAt: row.updated_at };
}

export async function putPreferences(db: Db, accountId: number, value: string, now: number): Promise<void> {
  await db.run(put, [accountId, value, now]);
}
