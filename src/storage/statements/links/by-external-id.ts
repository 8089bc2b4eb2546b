import { idText } from '../../../model/ids.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import { codeImmutable, externalIdTaken } from '../../../model/links/conflicts.ts';
import { fieldsWith } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type { Link, NewLink, Replacement } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { type Db, getLocked } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { canAccessLink } from '../finding/access.ts';
import { isSpaceUsable } from '../finding/link-domains.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { lockAccount } from '../groups/link-counts.ts';
import { findAlias, replaceCode } from './aliases.ts';
import { isCodeLive } from './codes.ts';
import { changeLink, createLink, deleteLink, keyOf, moveTo, undeleteLink, updateLink } from './links.ts';
import { recordLink } from './record.ts';

interface NamedRow {
  readonly id: Uint8Array;
  readonly code: string;
  readonly space: string;
  readonly link_row: number;
  readonly expires_at: number | null;
  readonly folder_id: Uint8Array | null;
}

const selectByExternalId = `
  SELECT id, code, space, link_row, expires_at, ${folderIdOf('links')} AS folder_id FROM links WHERE account_id = ? AND external_id = ?`;
const liveByExternalId = `${selectByExternalId} AND deleted_at IS NULL`;
const lastDeletedByExternalId = `${selectByExternalId} AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC LIMIT 1`;

/**
 * Finds and locks the live link with an external id, so that the link is not deleted and the id is not reassigned
 * before the transaction ends.
 */
async function lockByExternalId(
  db: Db,
  accountId: number,
  externalId: string,
): Promise<NamedRow | undefined> {
  // First locks the account, to serialize all writes that assign an external id. Then locks the link, to prevent its
  // deletion.
  await lockAccount(db, accountId);
  return getLocked<NamedRow>(db, 'no key update', liveByExternalId, [accountId, externalId]);
}

/** Updates the live link with an external id. @returns undefined if no live link has the external id */
export const updateByExternalId: Write<'updateByExternalId'> = async (
  db,
  accountId,
  externalId,
  change,
  now,
  ifMatch,
) => {
  const found = await lockByExternalId(db, accountId, externalId);
  return found && updateLink(db, accountId, idText(found.id), change, now, ifMatch);
};

export const deleteByExternalId: Write<'deleteByExternalId'> = async (
  db,
  accountId,
  externalId,
  now,
  ifMatch,
) => {
  const found = await lockByExternalId(db, accountId, externalId);
  return found !== undefined && deleteLink(db, accountId, idText(found.id), now, ifMatch);
};

/**
 * Finds the deleted link that last had an external id and can be restored: its code is free, its domain exists, and
 * it would not expire immediately.
 */
async function findRestorable(
  db: Db,
  accountId: number,
  externalId: string,
  { keepsExpiry, now }: Replacement,
): Promise<NamedRow | undefined> {
  const gone = await db.get<NamedRow>(lastDeletedByExternalId, [accountId, externalId]);
  if (gone === undefined || (keepsExpiry && gone.expires_at !== null && gone.expires_at <= now))
    return undefined;
  if (!canAccessLink(db, gone)) return undefined;
  if ((await isCodeLive(db, keyOf(gone))) || !(await isSpaceUsable(db, accountId, gone.space)))
    return undefined;
  return gone;
}

const replacedFields = fieldsWith('editable').filter(
  (name) => name !== 'destination' && name !== 'managedBy',
);

export const upsertLink: Write<'upsertLink'> = async (db, accountId, draft, existing) => {
  const live = await lockByExternalId(db, accountId, draft.externalId);
  // The error reveals only that the external id is in use, not which link uses it.
  if (live !== undefined && !canAccessLink(db, live)) throw externalIdTaken(draft.externalId);
  // A deleted link's code may be printed somewhere. So if a deleted link had this external id, it is restored, and no
  // new link is created.
  const found = live ?? (await findRestorable(db, accountId, draft.externalId, existing));
  if (found === undefined) return { link: await createLink(db, accountId, draft), isNew: true };
  const action = live === undefined ? 'restored' : 'updated';
  const write = { accountId, id: idText(found.id), action, now: existing.now, aliases: true } as const;
  const isGone = live === undefined;
  const { value, revision = 0 } = await recordLink(db, write, () =>
    replaceLink(db, accountId, { found, isGone, draft }, existing),
  );
  return { link: { ...value, revision }, isNew: isGone };
};

interface ReplacedLink {
  readonly found: NamedRow;
  readonly isGone: boolean;
  readonly draft: NewLink;
}

async function replaceLink(
  db: Db,
  accountId: number,
  { found, isGone, draft }: ReplacedLink,
  { customCode, domain, keepsExpiry, now }: Replacement,
): Promise<Link> {
  const id = idText(found.id);
  if (isGone) await undeleteLink(db, accountId, id, now, draft.quota);
  const space = domain === undefined ? found.space : (domain?.space ?? '');
  const requestedKey = customCode === undefined ? undefined : codeKey(space, customCode);
  const hasCode =
    (requestedKey === undefined && space === found.space) ||
    requestedKey === keyOf(found) ||
    (requestedKey !== undefined && (await findAlias(db, found.link_row, requestedKey)) !== undefined);
  if (!hasCode && !isGone) throw codeImmutable(found.code);
  if (!hasCode) await replaceCode(db, accountId, id, draft.codes[0] ?? '', now, domain);
  await moveTo(db, accountId, id, draft.folderId ?? null, now);
  const optional = replacedFields.filter((name) => name !== 'expiresAt' || !keepsExpiry);
  const change = {
    ...Object.fromEntries(
      optional.map((name) => [name, draft[name] ?? (linkFields[name].kind === 'flag' ? 0 : null)]),
    ),
    destination: draft.destination,
    location: draft.location,
    tags: draft.tags,
  };
  const link = await changeLink(db, accountId, id, change, now);
  if (link === undefined) throw linkNotFound();
  return link;
}

export const externalIdWrites = { upsertLink, updateByExternalId, deleteByExternalId };
