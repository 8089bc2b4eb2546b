import { Failure } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { bulkRefused, refusalFrom } from '../../../model/links/bulk.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import {
  type CodeHolder,
  findDrift,
  type ManifestWrite,
  manifestDrifted,
  tooManyDeletes,
} from '../../../model/manifests/manifests.ts';
import type { Db } from '../../db/db.ts';
import type { Read, Write } from '../../db/statements.ts';
import { joined, liveOf, piece, within } from '../finding/link-conditions.ts';
import { lockAccount } from '../groups/link-counts.ts';
import { replaceCode } from './aliases.ts';
import { createManyLinks } from './create-many.ts';
import { changeLink, createLink, deleteLink, moveTo, undeleteLink } from './links.ts';
import { recordLink } from './record.ts';

const selectCodeHolders = (keys: number): string => `
  SELECT c.key, c.account_id, c.live, c.alias, l.id, l.code, l.managed_by
  FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.key IN (${Array(keys).fill('?').join(', ')})`;

interface HolderRow {
  readonly key: string;
  readonly account_id: number;
  readonly live: number;
  readonly alias: string | null;
  readonly id: Uint8Array;
  readonly managed_by: string | null;
}

/** Returns the holders of codes. For another account's code, only the fact that it is in use is returned. */
export const codeHolders: Read<'codeHolders'> = async (db, accountId, keys) => {
  if (keys.length === 0) return new Map();
  const rows = await db.allUncached<HolderRow>(selectCodeHolders(keys.length), keys);
  return new Map(rows.map((row) => [row.key, codeHolderOf(row, accountId)]));
};

function codeHolderOf(row: HolderRow, accountId: number): CodeHolder {
  if (row.account_id !== accountId) return { kind: 'other' };
  const { managed_by: managedBy } = row;
  if (row.live === 0) return { kind: 'gone', managedBy };
  return { kind: row.alias === null ? 'live' : 'alias', id: idText(row.id), managedBy };
}

/** Returns a manifest's live links that the caller may access. */
async function findManagedLinks({ by, all }: Db, accountId: number, name: string) {
  const { sql, params } = joined(
    [piece(`${liveOf} AND l.managed_by = ?`, accountId, name), ...within(by?.restrictions)],
    ' AND ',
  );
  const rows = await all<{ id: Uint8Array; code: string; revision: number }>(
    `SELECT l.id, l.code, l.revision FROM links l WHERE ${sql}`,
    params,
  );
  return rows.map(({ id, code, revision }) => ({ id: idText(id), code, revision }));
}

/** Applies a manifest. An exception rolls back the whole transaction. */
export const applyManifest: Write<'applyManifest'> = async (
  db,
  accountId,
  { name, managed, drifted, refused, writes, counts, maxDeletes, now },
) => {
  if (drifted.length > 0) throw manifestDrifted(drifted);
  // Makes other requests that apply a manifest in this account wait, so that the links stay as they were when the
  // changes were planned.
  await lockAccount(db, accountId);
  const meanwhile = findDrift(managed, await findManagedLinks(db, accountId, name));
  if (meanwhile.length > 0) throw manifestDrifted(meanwhile);
  const links = writes.length + counts.unchanged;
  if (refused.length > 0) throw bulkRefused(refused, links + refused.length, 'links');
  if (counts.delete > maxDeletes) throw tooManyDeletes(counts.delete, maxDeletes);
  // Deletes and changes come first, because they may free codes and quota for new links.
  const order = ['delete', 'change', 'create'] as const;
  const [deletes = [], changes = [], creates = []] = order.map((kind) =>
    writes.filter((write) => write.kind === kind),
  );
  for (const write of [...deletes, ...changes]) await performOne(db, accountId, write, { links, now });
  const drafts = creates.flatMap((write) => (write.kind === 'create' ? [write.link] : []));
  if (!(await createManyLinks(db, accountId, drafts)))
    for (const write of creates) await performOne(db, accountId, write, { links, now });
  return counts;
};

/** Performs one write of a manifest. @throws Failure that includes the link's position in the manifest */
async function performOne(
  db: Db,
  accountId: number,
  write: ManifestWrite,
  { links, now }: { readonly links: number; readonly now: number },
): Promise<void> {
  try {
    await perform(db, accountId, write, now);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    const isDrifted = error.code === 'REVISION_MISMATCH' || error.code === 'LINK_NOT_FOUND';
    if (isDrifted && write.kind !== 'create')
      throw manifestDrifted([`The link with the id ${write.id} was changed or deleted.`]);
    throw bulkRefused([{ at: write.at ?? 0, refused: refusalFrom(error) }], links, 'links');
  }
}

async function perform(db: Db, accountId: number, write: ManifestWrite, now: number): Promise<void> {
  if (write.kind === 'create') {
    await createLink(db, accountId, write.link);
    return;
  }
  const { id, revision } = write;
  if (write.kind === 'delete') {
    if (!(await deleteLink(db, accountId, id, now, [revision]))) throw linkNotFound();
    return;
  }
  const { isDeleted, code, folderId, change, quota } = write;
  const action = isDeleted ? 'restored' : code === undefined ? 'updated' : 'code-changed';
  const linkWrite = { accountId, id, action, now, ifMatch: [revision], aliases: true } as const;
  await recordLink(db, linkWrite, async () => {
    if (isDeleted) await undeleteLink(db, accountId, id, now, quota);
    if (code !== undefined) await replaceCode(db, accountId, id, code.code, now, code.domain);
    if (folderId !== undefined) await moveTo(db, accountId, id, folderId, now);
    if ((await changeLink(db, accountId, id, change, now)) === undefined) throw linkNotFound();
  });
}
