import { idText } from '../../../model/ids.ts';
import { externalIdTaken } from '../../../model/links/conflicts.ts';
import type { Db } from '../../db/db.ts';
import { accountById } from '../groups/link-counts.ts';

const holderOf = 'SELECT id FROM links WHERE account_id = ? AND external_id = ? AND deleted_at IS NULL';

/**
 * Ensures that no other live link of the account has an externalId. Until the transaction ends, others that give one out in this
 * account wait; the unique index is for faults of ours.
 * @param id the link that is to have it, when it exists already
 * @throws Failure EXTERNAL_ID_TAKEN
 */
export async function requireExternalId(
  db: Db,
  accountId: number,
  externalId: string | null | undefined,
  id?: string,
): Promise<void> {
  if (externalId === null || externalId === undefined) return;
  await db.lockRows('no key update', accountById, [accountId]);
  const holder = await db.get<{ id: Uint8Array }>(holderOf, [accountId, externalId]);
  if (holder === undefined || idText(holder.id) === id) return;
  throw externalIdTaken(externalId);
}
