import type { IfMatch } from '../../../model/history/revisions.ts';
import { idText } from '../../../model/ids.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import { codeImmutable, externalIdTaken } from '../../../model/links/conflicts.ts';
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
import { isSpaceUsable } from '../finding/link-domains.ts';
import { isReached } from '../finding/within.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { accountById } from '../groups/link-counts.ts';
import { findAlias, giveCode } from './aliases.ts';
import { isCodeLive } from './codes.ts';
import { bringBack, changeLink, createLink, deleteLink, keyOf, putLink, updateLink } from './links.ts';
import { recordLink } from './record.ts';

interface Named {
  readonly id: Uint8Array;
  readonly code: string;
  readonly space: string;
  readonly link_row: number;
  readonly expires_at: number | null;
  readonly folder_id: Uint8Array | null;
}

const named = `
  SELECT id, code, space, link_row, expires_at, ${folderIdOf('links')} AS folder_id FROM links WHERE account_id = ? AND external_id = ?`;
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
  ifMatch?: IfMatch,
): Promise<Link | undefined> {
  const found = await lockNamed(db, accountId, externalId);
  return found && updateLink(db, accountId, idText(found.id), change, now, ifMatch);
}

/** Hides the live link that has an externalId. @returns whether there was one */
export async function deleteByExternalId(
  db: Db,
  accountId: number,
  externalId: string,
  now: number,
  ifMatch?: IfMatch,
): Promise<boolean> {
  const found = await lockNamed(db, accountId, externalId);
  return found !== undefined && deleteLink(db, accountId, idText(found.id), now, ifMatch);
}

/** The deleted link that had an externalId last, unless another link has its code, its domain is gone, or it would be over at once. */
async function findGone(
  db: Db,
  accountId: number,
  externalId: string,
  { keepsExpiry, now }: Replacement,
): Promise<Named | undefined> {
  const gone = await db.get<Named>(lastDeleted, [accountId, externalId]);
  if (gone === undefined || (keepsExpiry && gone.expires_at !== null && gone.expires_at <= now))
    return undefined;
  if (!isReached(db, gone)) return undefined;
  if ((await isCodeLive(db, keyOf(gone))) || !(await isSpaceUsable(db, accountId, gone.space)))
    return undefined;
  return gone;
}

const replaced = fieldsWith('editable').filter((name) => name !== 'destination' && name !== 'managedBy');

/**
 * Creates a link, or makes the link that has its externalId the same, but for code, clicks and time of creation. A deleted one
 * comes back, and gets the code that is asked for in addition to its own.
 * @throws Failure as `createLink` and `moveLink`; IMMUTABLE_FIELD when a live link has another code than the one asked for
 */
export async function upsertLink(
  db: Db,
  accountId: number,
  draft: NewLink & { readonly externalId: string },
  existing: Replacement,
): Promise<UpsertedLink> {
  const live = await lockNamed(db, accountId, draft.externalId);
  // That somebody has the name is told to all who cannot have it, and nothing else.
  if (live !== undefined && !isReached(db, live)) throw externalIdTaken(draft.externalId);
  // Its code may be printed: one that was deleted comes back.
  const found = live ?? (await findGone(db, accountId, draft.externalId, existing));
  if (found === undefined) return { link: await createLink(db, accountId, draft), isNew: true };
  const action = live === undefined ? 'restored' : 'updated';
  const write = { accountId, id: idText(found.id), action, now: existing.now, aliases: true } as const;
  const isGone = live === undefined;
  const { value, revision = 0 } = await recordLink(db, write, () =>
    replaceLink(db, accountId, { found, isGone, draft }, existing),
  );
  return { link: { ...value, revision }, isNew: isGone };
}

interface Replaced {
  readonly found: Named;
  readonly isGone: boolean;
  readonly draft: NewLink;
}

async function replaceLink(
  db: Db,
  accountId: number,
  { found, isGone, draft }: Replaced,
  { customCode, domain, keepsExpiry, now }: Replacement,
): Promise<Link> {
  const id = idText(found.id);
  if (isGone) await bringBack(db, accountId, id, now, draft.quota);
  const space = domain === undefined ? found.space : (domain?.space ?? '');
  const asked = customCode === undefined ? undefined : codeKey(space, customCode);
  const leadsThere =
    (asked === undefined && space === found.space) ||
    asked === keyOf(found) ||
    (asked !== undefined && (await findAlias(db, found.link_row, asked)) !== undefined);
  if (!leadsThere && !isGone) throw codeImmutable(found.code);
  if (!leadsThere) await giveCode(db, accountId, id, draft.codes[0] ?? '', now, domain);
  await putLink(db, accountId, id, draft.folderId ?? null, now);
  const optional = replaced.filter((name) => name !== 'expiresAt' || !keepsExpiry);
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
