import type { Read, Write } from '../../db/statements.ts';

interface Row {
  value: string;
  updated_at: number;
}

const preferencesOfAccount = 'SELECT value, updated_at FROM preferences WHERE account_id = ?';
const upsertPreferences = `
  INSERT INTO preferences (account_id, value, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (account_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;

const preferencesOfMember =
  'SELECT preferences AS value, preferences_at AS updated_at FROM members WHERE id = ? AND preferences IS NOT NULL';
const updatePreferencesOfMember = 'UPDATE members SET preferences = ?, preferences_at = ? WHERE id = ?';

/** Returns the stored preferences of an account, or of a member; undefined while there are none. */
export const preferences: Read<'preferences'> = async (db, accountId, memberId) => {
  const row = await (memberId === undefined
    ? db.get<Row>(preferencesOfAccount, [accountId])
    : db.get<Row>(preferencesOfMember, [memberId]));
  return row && { value: row.value, updatedAt: row.updated_at };
};

export const putPreferences: Write<'putPreferences'> = async (db, accountId, value, now, memberId) => {
  if (memberId === undefined) await db.run(upsertPreferences, [accountId, value, now]);
  else await db.run(updatePreferencesOfMember, [value, now, memberId]);
};
