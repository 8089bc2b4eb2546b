import type { Branding } from '../../../model/accounts/branding.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import type { Db } from '../../db/db.ts';

const brandingOfAccount = `
  SELECT name, accent, logo, message, contact, expired_url AS "expiredUrl", updated_at AS "updatedAt"
  FROM branding WHERE account_id = ?`;
const upsertBranding = `
  INSERT INTO branding (account_id, name, accent, logo, message, contact, expired_url, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (account_id) DO UPDATE SET
    name = excluded.name, accent = excluded.accent, logo = excluded.logo, message = excluded.message,
    contact = excluded.contact, expired_url = excluded.expired_url, updated_at = excluded.updated_at`;

/** Returns an account's branding, which visitors see; undefined while it has none. */
export function branding(db: Db, accountId: number): MaybePromise<Branding | undefined> {
  return db.get<Branding>(brandingOfAccount, [accountId]);
}

export async function putBranding(db: Db, accountId: number, given: Branding): Promise<void> {
  const { name, accent, logo, message, contact, expiredUrl, updatedAt } = given;
  await db.run(upsertBranding, [accountId, name, accent, logo, message, contact, expiredUrl, updatedAt]);
}

export async function deleteBranding(db: Db, accountId: number): Promise<void> {
  await db.run('DELETE FROM branding WHERE account_id = ?', [accountId]);
}
