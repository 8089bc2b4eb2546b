import { idText } from '../../../model/ids.ts';
import { externalIdTaken } from '../../../model/links/conflicts.ts';
import type { Db } from '../../db/db.ts';
import { lockAccount } from '../groups/link-counts.ts';

const linkByExternalId =
  'SELECT id FROM links WHERE account_id = ? AND external_id = ? AND deleted_at IS NULL';

/**
 * Checks that no other live link in the account has the external id. Serializes all writes in the account that assign
 * an external id until the transaction ends; the unique index is only a safeguard against bugs.
 * @param id the link that will get the external id, if the link already exists
 * @throws Failure EXTERNAL_ID_TAKEN
 */
export async function requireExternalId(
  db: Db,
  accountId: number,
  externalId: string | null | undefined,
  id?: string,
): Promise<void> {
  if (externalId === null || externalId === undefined) return;
  await lockAccount(db, accountId);
  const holder = await db.get<{ id: Uint8Array }>(linkByExternalId, [accountId, externalId]);
  if (holder === undefined || idText(holder.id) === id) return;
  throw externalIdTaken(externalId);
}
