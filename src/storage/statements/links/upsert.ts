import { idText } from '../../../model/ids.ts';
import { foldCode } from '../../../model/links/codes.ts';
import { codeStays } from '../../../model/links/conflicts.ts';
import { fieldsWith } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type { NewLink, Replacement, UpsertedLink } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { all, type Db } from '../../db/db.ts';
import { findAlias } from './aliases.ts';
import { accountById } from './link-counts.ts';
import { createLink, moveLink, updateLink } from './links.ts';

const liveByExternalId =
  'SELECT id, code, link_row FROM links WHERE account_id = ? AND external_id = ? AND deleted_at IS NULL';

const replaced = fieldsWith('editable').filter((name) => name !== 'destination');

/**
 * Makes a link, or makes the live link that has its externalId the same, but for code, clicks and time of creation.
 * @throws Failure as `createLink` and `moveLink`; IMMUTABLE_FIELD when the link has another code than the one asked for
 */
export async function upsertLink(
  db: Db,
  accountId: number,
  draft: NewLink & { readonly externalId: string },
  { customCode, keepsExpiry, now }: Replacement,
): Promise<UpsertedLink> {
  // First the account, for which others with an externalId wait; then the link, so that it is not deleted meanwhile.
  await db.lockRows('no key update', accountById, [accountId]);
  const named = [accountId, draft.externalId];
  const [, found] = await all(
    db.lockRows('no key update', liveByExternalId, named),
    db.get<{ id: Uint8Array; code: string; link_row: number }>(liveByExternalId, named),
  );
  if (found === undefined) return { link: await createLink(db, accountId, draft), isNew: true };
  const asked = customCode === undefined ? undefined : foldCode(customCode);
  const leadsThere =
    asked === undefined ||
    asked === foldCode(found.code) ||
    (await findAlias(db, found.link_row, asked)) !== undefined;
  if (!leadsThere) throw codeStays(found.code);
  const id = idText(found.id);
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
  return { link, isNew: false };
}
