import { Failure } from '../../model/failures.ts';
import { type IdempotencyClaim, type IdempotentResult, secretShownBefore } from '../../model/idempotency.ts';
import { everyField } from '../../model/links/link-field-values.ts';
import type { Db } from '../db/db.ts';

/**
 * How long the answer to an idempotency key is kept. An answer that is dated further than this in the future was
 * made while the clock was wrong, and is forgotten too: else its key could not be used until that date has passed.
 */
export const idempotencyLifetimeMs = 86_400_000;

// Claiming is one statement, so that of two equal requests at once only one does the work.
const insertClaim = `
  INSERT INTO once (account_id, key, fingerprint, result, created_at) VALUES (?, ?, ?, '', ?)
  ON CONFLICT (account_id, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, result = excluded.result, created_at = excluded.created_at
  WHERE once.created_at <= ? OR once.created_at > ?
  RETURNING key`;
const remembered = 'SELECT fingerprint, result FROM once WHERE account_id = ? AND key = ?';
const keepResult = 'UPDATE once SET result = ? WHERE account_id = ? AND key = ?';
const unclaim = 'DELETE FROM once WHERE account_id = ? AND key = ?';

/**
 * Does a write, or answers what it answered before. A write that found nothing to change (undefined, false) is not
 * remembered; one that throws takes the claim back with its transaction.
 * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used with another request; SECRET_SHOWN_BEFORE instead of an answer
 *   that would need a secret
 */
export async function claim(
  db: Db,
  { accountId, key, fingerprint, at, showsSecret }: IdempotencyClaim,
  write: () => Promise<unknown>,
): Promise<IdempotentResult<unknown>> {
  const bounds = [at - idempotencyLifetimeMs, at + idempotencyLifetimeMs];
  while ((await db.get(insertClaim, [accountId, key, fingerprint, at, ...bounds])) === undefined) {
    const earlier = await db.get<{ fingerprint: string; result: string }>(remembered, [accountId, key]);
    if (earlier === undefined) continue; // forgotten in between
    if (earlier.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED');
    const value = JSON.parse(earlier.result);
    if (showsSecret) throw secretShownBefore(value.id);
    return { value, replayed: true };
  }
  const value = await write();
  if (value === undefined || value === false) await db.run(unclaim, [accountId, key]);
  else {
    // Of what has a secret a repetition is told the name alone.
    const kept = showsSecret ? { id: (value as { readonly id: string }).id } : value;
    await db.run(keepResult, [JSON.stringify(kept, withoutSecret), accountId, key]);
  }
  return { value, replayed: false };
}

const secrets = new Set<string>(everyField.flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : [])));

/** Of a secret of a link only that there is one: what its owner removes is to be gone at once. */
function withoutSecret(name: string, value: unknown): unknown {
  return secrets.has(name) && typeof value === 'string' ? '' : value;
}

const fingerprintOf =
  'SELECT fingerprint FROM once WHERE account_id = ? AND key = ? AND created_at > ? AND created_at <= ?';

/** The fingerprint of the request that used this key, while it is remembered. */
export async function findIdempotencyKey(
  db: Db,
  accountId: number,
  key: string,
  now: number,
): Promise<string | undefined> {
  return (
    await db.get<{ fingerprint: string }>(fingerprintOf, [
      accountId,
      key,
      now - idempotencyLifetimeMs,
      now + idempotencyLifetimeMs,
    ])
  )?.fingerprint;
}

const forget = `
  DELETE FROM once WHERE (account_id, key) IN (
    SELECT account_id, key FROM once WHERE created_at < ? OR created_at > ? LIMIT ?)`;

/** Removes some of what was remembered before the given time, or while the clock was wrong. @returns how many */
export async function deleteOldIdempotencyKeys(db: Db, before: number, most: number): Promise<number> {
  return db.run(forget, [before, before + 2 * idempotencyLifetimeMs, most]);
}
