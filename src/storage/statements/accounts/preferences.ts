import type { Preferences } from '../../../model/accounts/preferences.ts';
import type { Read, Write } from '../../db/statements.ts';

const preferencesOfAccount = 'SELECT value, updated_at AS "updatedAt" FROM preferences WHERE account_id = ?';
const upsertPreferences = `
  INSERT INTO preferences (account_id, value, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (account_id) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;

const preferencesOfMember =
  'SELECT preferences AS value, preferences_at AS "updatedAt" FROM members WHERE id = ? AND preferences IS NOT NULL';
const updatePreferencesOfMember = 'UPDATE members SET preferences = ?, preferences_at = ? WHERE id = ?';

export const preferences: Read<'preferences'> = async (db, accountId, memberId) => {
  const row = await (memberId === undefined
    ? db.get<Preferences>(preferencesOfAccount, [accountId])
    : db.get<Preferences>(preferencesOfMember, [memberId]));
  return row && { ...row };
};

export const putPreferences: Write<'putPreferences'> = async (db, accountId, value, now, memberId) => {
  if (memberId === undefined) await db.run(upsertPreferences, [accountId, value, now]);
  else await db.run(updatePreferencesOfMember, [value, now, memberId]);
};
