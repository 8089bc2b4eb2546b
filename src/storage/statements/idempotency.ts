import { Failure } from '../../model/failures.ts';
import { type IdempotencyClaim, type IdempotentResult, secretShownBefore } from '../../model/idempotency.ts';
import { everyField } from '../../model/links/link-field-values.ts';
import type { Db } from '../db/db.ts';
import type { Read, Write } from '../db/statements.ts';

/**
 * Milliseconds for which the result of a request with an idempotency key is stored. Results with dates more than this
 * far in the future were stored while the clock was wrong. Such results are deleted too, because their keys would
 * otherwise stay blocked until that date.
 */
export const idempotencyLifetimeMs = 86_400_000;

// Claims the key in a single statement, so that only one of two identical concurrent requests does the work.
const insertClaim = `
  INSERT INTO once (account_id, key, fingerprint, result, created_at) VALUES (?, ?, ?, '', ?)
  ON CONFLICT (account_id, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, result = excluded.result, created_at = excluded.created_at
  WHERE once.created_at <= ? OR once.created_at > ?
  RETURNING key`;
const resultByKey = 'SELECT fingerprint, result FROM once WHERE account_id = ? AND key = ?';
const storeResult = 'UPDATE once SET result = ? WHERE account_id = ? AND key = ?';
const deleteClaim = 'DELETE FROM once WHERE account_id = ? AND key = ?';

/**
 * Runs a write, or returns the stored result of the first request with the same key. A write that changes nothing
 * (returns undefined or false) is not stored. If the write throws, the rollback of its transaction removes the
 * claim.
 * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used with another request; SECRET_SHOWN_BEFORE when the
 * stored result would have to include a secret
 */
export async function claim(
  db: Db,
  { accountId, key, fingerprint, at, showsSecret }: IdempotencyClaim,
  write: () => Promise<unknown>,
): Promise<IdempotentResult<unknown>> {
  const bounds = [at - idempotencyLifetimeMs, at + idempotencyLifetimeMs];
  while ((await db.get(insertClaim, [accountId, key, fingerprint, at, ...bounds])) === undefined) {
    const earlier = await db.get<{ fingerprint: string; result: string }>(resultByKey, [accountId, key]);
    if (earlier === undefined) continue; // the earlier claim has been deleted since the insert failed, so try again
    if (earlier.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED');
    const value = JSON.parse(earlier.result);
    if (showsSecret) throw secretShownBefore(value.id);
    return { value, replayed: true };
  }
  const value = await write();
  if (value === undefined || value === false) await db.run(deleteClaim, [accountId, key]);
  else {
    // A replayed result never includes a secret, so only the id is stored.
    const kept = showsSecret ? { id: (value as { readonly id: string }).id } : value;
    await db.run(storeResult, [JSON.stringify(kept, withoutSecret), accountId, key]);
  }
  return { value, replayed: false };
}

const secrets = new Set<string>(everyField.flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : [])));

/**
 * Replaces a link's secrets, such as its password, with '', because no copy may remain after the owner removes a
 * secret.
 */
function withoutSecret(name: string, value: unknown): unknown {
  return secrets.has(name) && typeof value === 'string' ? '' : value;
}

const fingerprintByKey =
  'SELECT fingerprint FROM once WHERE account_id = ? AND key = ? AND created_at > ? AND created_at <= ?';

export const findIdempotencyKey: Read<'findIdempotencyKey'> = async (db, accountId, key, now) =>
  (
    await db.get<{ fingerprint: string }>(fingerprintByKey, [
      accountId,
      key,
      now - idempotencyLifetimeMs,
      now + idempotencyLifetimeMs,
    ])
  )?.fingerprint;

const deleteExpired = `
  DELETE FROM once WHERE (account_id, key) IN (
    SELECT account_id, key FROM once WHERE created_at < ? OR created_at > ? LIMIT ?)`;

/** Deletes expired results, and results dated too far in the future by a wrong clock. */
export const deleteOldIdempotencyKeys: Write<'deleteOldIdempotencyKeys'> = async (db, before, most) => {
  return db.run(deleteExpired, [before, before + 2 * idempotencyLifetimeMs, most]);
};
