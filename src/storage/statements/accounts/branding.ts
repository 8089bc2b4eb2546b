import type { Branding } from '../../../model/accounts/branding.ts';
import type { Read, Write } from '../../db/statements.ts';

const brandingOfAccount = `
  SELECT name, accent, logo, message, contact, expired_url AS "expiredUrl", updated_at AS "updatedAt"
  FROM branding WHERE account_id = ?`;
const upsertBranding = `
  INSERT INTO branding (account_id, name, accent, logo, message, contact, expired_url, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (account_id) DO UPDATE SET
    name = excluded.name, accent = excluded.accent, logo = excluded.logo, message = excluded.message,
    contact = excluded.contact, expired_url = excluded.expired_url, updated_at = excluded.updated_at`;

/** Returns an account's branding, which visitors see; undefined if the account has no branding. */
export const branding: Read<'branding'> = (db, accountId) => db.get<Branding>(brandingOfAccount, [accountId]);

export const putBranding: Write<'putBranding'> = async (db, accountId, given) => {
  const { name, accent, logo, message, contact, expiredUrl, updatedAt } = given;
  await db.run(upsertBranding, [accountId, name, accent, logo, message, contact, expiredUrl, updatedAt]);
};

export const deleteBranding: Write<'deleteBranding'> = async (db, accountId) => {
  await db.run('DELETE FROM branding WHERE account_id = ?', [accountId]);
};

export const brandingWrites = { putBranding, deleteBranding };
