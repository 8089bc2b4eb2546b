import { idText } from '../../../model/ids.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import { codeStays } from '../../../model/links/conflicts.ts';
import { fieldsWith } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type {
  Link,
  LinkChange,
  NewLink,
  Replacement,
  UpsertedLink,
} from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { all, type Db } from '../../db/db.ts';
import { changeCode, findAlias } from './aliases.ts';
import { isCodeLive } from './codes.ts';
import { accountById } from './link-counts.ts';
import { isSpaceUsable } from './link-domains.ts';
import { createLink, deleteLink, keyOf, moveLink, restoreLink, updateLink } from './links.ts';

interface Named {
  readonly id: Uint8Array;
  readonly code: string;
  readonly space: string;
  readonly link_row: number;
  readonly expires_at: number | null;
}

const named = `
  SELECT id, code, space, link_row, expires_at FROM links WHERE account_id = ? AND external_id = ?`;
const liveByExternalId = `${named} AND deleted_at IS NULL`;
const lastDeleted = `${named} AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC LIMIT 1`;

/** Finds the live link that has an externalId, which is then neither deleted nor named otherwise until the transaction ends. */
async function lockNamed(db: Db, accountId: number, externalId: string): Promise<Named | undefined> {
  // First the account, for which others that give out an externalId wait; then the link, so that it is not deleted meanwhile.
  await db.lockRows('no key update', accountById, [accountId]);
  const [, found] = await all(
    db.lockRows('no key update', liveByExternalId, [accountId, externalId]),
    db.get<Named>(liveByExternalId, [accountId, externalId]),
  );
  return found;
}

/** Changes the live link that has an externalId, as `updateLink` does. @returns undefined when there is none */
export async function updateByExternalId(
  db: Db,
  accountId: number,
  externalId: string,
  change: LinkChange,
  now: number,
): Promise<Link | undefined> {
  const found = await lockNamed(db, accountId, externalId);
  return found && updateLink(db, accountId, idText(found.id), change, now);
}

/** Hides the live link that has an externalId. @returns whether there was one */
export async function deleteByExternalId(
  db: Db,
  accountId: number,
  externalId: string,
  now: number,
): Promise<boolean> {
  const found = await lockNamed(db, accountId, externalId);
  return found !== undefined && deleteLink(db, accountId, idText(found.id), now);
}

/**
 * Brings back the deleted link that had an externalId last, since its code may be printed.
 * @returns undefined when there is none, when another link has its code or its domain is deleted, and when it would be over at once
 * @throws Failure LIMIT_REACHED
 */
async function revive(
  db: Db,
  accountId: number,
  { externalId, quota }: NewLink,
  { keepsExpiry, now }: Replacement,
): Promise<Named | undefined> {
  const gone = await db.get<Named>(lastDeleted, [accountId, externalId ?? null]);
  if (gone === undefined || (keepsExpiry && gone.expires_at !== null && gone.expires_at <= now))
    return undefined;
  if ((await isCodeLive(db, keyOf(gone))) || !(await isSpaceUsable(db, accountId, gone.space)))
    return undefined;
  await restoreLink(db, accountId, idText(gone.id), now, quota);
  return gone;
}

const replaced = fieldsWith('editable').filter((name) => name !== 'destination');

/**
 * Makes a link, or makes the link that has its externalId the same, but for code, clicks and time of creation. A deleted one comes
 * back, and gets the code that is asked for beside its own.
 * @throws Failure as `createLink` and `moveLink`; IMMUTABLE_FIELD when a live link has another code than the one asked for
 */
export async function upsertLink(
  db: Db,
  accountId: number,
  draft: NewLink & { readonly externalId: string },
  existing: Replacement,
): Promise<UpsertedLink> {
  const { customCode, domain, keepsExpiry, now } = existing;
  const live = await lockNamed(db, accountId, draft.externalId);
  const found = live ?? (await revive(db, accountId, draft, existing));
  if (found === undefined) return { link: await createLink(db, accountId, draft), isNew: true };
  const space = domain === undefined ? found.space : (domain?.space ?? '');
  const asked = customCode === undefined ? undefined : codeKey(space, customCode);
  const leadsThere =
    (asked === undefined && space === found.space) ||
    asked === keyOf(found) ||
    (asked !== undefined && (await findAlias(db, found.link_row, asked)) !== undefined);
  if (!leadsThere && live !== undefined) throw codeStays(found.code);
  const id = idText(found.id);
  if (!leadsThere) await changeCode(db, accountId, id, draft.codes[0] ?? '', now, domain);
  await moveLink(db, accountId, id, draft.folderId ?? null, now);
  const optional = replaced.filter((name) => name !== 'expiresAt' || !keepsExpiry);
  const change = {
    ...Object.fromEntries(
      optional.map((name) => [name, draft[name] ?? (linkFields[name].kind === 'flag' ? 0 : null)]),
    ),
    destination: draft.destination,
    location: draft.location,
    tags: draft.tags,
  };
  const link = await updateLink(db, accountId, id, change, now);
  if (link === undefined) throw linkNotFound();
  return { link, isNew: live === undefined };
}
