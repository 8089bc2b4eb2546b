import { codeKey } from '../../../model/links/codes/codes.ts';
import { codeTakenMeanwhile } from '../../../model/links/conflicts.ts';
import { serialized } from '../../../model/links/destinations/templates.ts';
import type { LinkField } from '../../../model/links/field-kinds.ts';
import { everyField, fieldsWith } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type { BriefLink, Link, LinkChange, NewLink } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { all, type BulkInput, type Db, type Value } from '../../db/db.ts';
import { idBytes, idBytesOrNull, idTextOrNull } from '../../db/ids.ts';
import type { Write } from '../../db/statements.ts';
import { appendEvent } from '../events/append.ts';
import { requirePlaceAccess } from '../finding/access.ts';
import { requireSpace } from '../finding/link-domains.ts';
import { findLive, type LinkRow, linkOf } from '../finding/link-reads.ts';
import { addTags, heldTagIds, mayHaveTags, replaceTags, requireTags } from '../finding/link-tags.ts';
import { includesSearchColumn, searchTextOf, storeSearchText } from '../finding/search-text.ts';
import { lockFolder, requireFolder } from '../groups/folders.ts';
import { countLinks, countMove, requireRoom } from '../groups/link-counts.ts';
import type { TagRow } from '../groups/tags.ts';
import { claimCode, recordTargetChange, releaseCodes, restoreAliases } from './codes.ts';
import { requireExternalId } from './external-ids.ts';
import { creationEvent, recordLink } from './record.ts';

const fieldColumnKinds = everyField.map(([, { column, kind }]) => [column, columnKindOf(kind)] as const);
/** Columns of a new row of `links`, with their types. */
export const linkColumnKinds: BulkInput['columns'] = {
  account_id: 'integer',
  location: 'text',
  search_text: 'text',
  ...Object.fromEntries(fieldColumnKinds),
};
const columns = Object.keys(linkColumnKinds);
export const insertLink = `
  INSERT INTO links (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
const deleteEvents = 'DELETE FROM events WHERE link_row = ?';
const renameCode = 'UPDATE links SET code = ? WHERE link_row = ?';

// Returns the location to store, or null if it equals the destination. Most destinations already have the form that the
// Location header needs, so they are stored only once.
function locationToStore(location: string, destination: string | undefined): string | null {
  return location === destination ? null : location;
}

function columnKindOf(kind: LinkField['kind']): 'integer' | 'text' | 'bytes' {
  if (kind === 'id') return 'bytes';
  const numbers: readonly LinkField['kind'][] = ['time', 'flag', 'number', 'count'];
  return numbers.includes(kind) ? 'integer' : 'text';
}

/** Returns the values of a new link's columns, in the order of {@link linkColumnKinds}. */
export function rowOfNewLink(accountId: number, draft: NewLink, code: string): Value[] {
  const { destination, createdAt, title = null, description = null } = draft;
  const values: { readonly [N in keyof Link]?: Link[N] | undefined } = {
    ...draft,
    code,
    updatedAt: createdAt,
    revision: 1,
    space: draft.domain?.space ?? '',
    tags: [],
  };
  const location = locationToStore(draft.location, destination);
  return [
    accountId,
    location,
    searchTextOf({ code, destination, location, title, description }),
    ...everyField.map(([name, field]) => stored(field, values[name] ?? defaultValue(field))),
  ];
}

export const createLink: Write<'createLink'> = async (db, accountId, draft) => {
  const { codes, folderId = null, domain } = draft;
  requirePlaceAccess(db, domain?.space ?? '', folderId);
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  const space = await requireSpace(db, accountId, domain?.space ?? '');
  await requireRoom(db, accountId, draft.quota);
  await requireExternalId(db, accountId, draft.externalId);
  const tags = draft.tags === undefined ? [] : await requireTags(db, accountId, draft.tags);
  const [firstCode = ''] = codes;
  const row = await db.insert(insertLink, 'link_row', rowOfNewLink(accountId, draft, firstCode));
  const tagIds = tags.map(({ id }) => id);
  const [code] = await all(
    claimCode(db, accountId, space, codes, row),
    countLinks(db, accountId, { folderId, tagIds, space: domain?.space }, 1),
    addTags(db, row, tags),
    appendEvent(db, { ...creationEvent(db, accountId, draft, tags, firstCode), linkRow: row }),
  );
  if (code !== firstCode) {
    // The event contains the draft's first code. If the link got another code, which is rare, the event is replaced.
    await db.run(deleteEvents, [row]);
    await appendEvent(db, { ...creationEvent(db, accountId, draft, tags, code), linkRow: row });
    await db.run(renameCode, [code, row]);
    await storeSearchText(db, row);
  }
  return briefLinkOf(draft, code);
};

/** Returns the fields of a new link to include in the response. */
export function briefLinkOf({ id, destination, createdAt, domain }: NewLink, code: string): BriefLink {
  return {
    id,
    code,
    destination,
    createdAt,
    revision: 1,
    ...(domain !== undefined && { host: domain.host }),
  };
}

/** Returns the key of a link's own code. */
export function keyOf({ space, code }: { readonly space: string; readonly code: string }): string {
  return codeKey(space, code);
}

/** Returns the stored value of a field that was not set. */
function defaultValue({ kind }: LinkField): 0 | null {
  return kind === 'flag' || kind === 'count' ? 0 : null;
}

function stored({ kind }: LinkField, value: string | number | null): Value {
  return kind === 'id' ? idBytesOrNull(value as string | null) : value;
}

const changeable = [...fieldsWith('editable'), 'location'] as const;

function columnOf(name: (typeof changeable)[number]): string {
  return name === 'location' ? name : linkFields[name].column;
}

/** Returns true if a change to the field affects redirects. The location changes with the destination. */
function affectsRedirect(name: (typeof changeable)[number]): boolean {
  return name === 'location' || 'affectsRedirect' in linkFields[name];
}

// The clock may go backwards, but the `updated_at` that clients see must not.
const setUpdatedAt = 'updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END';

export const rollBackLink: Write<'rollBackLink'> = async (
  db,
  accountId,
  id,
  { folderId, ...change },
  now,
  ifMatch,
) => {
  const write = { accountId, id, action: 'rolled-back', now, ifMatch } as const;
  const { value, revision } = await recordLink(db, write, async () => {
    if (folderId !== undefined) await moveTo(db, accountId, id, folderId, now);
    return changeLink(db, accountId, id, change, now);
  });
  if (value === undefined) throw linkNotFound();
  return atRevision(value, revision);
};

export const updateLink: Write<'updateLink'> = async (
  db,
  accountId,
  id,
  change,
  now,
  ifMatch,
  action = 'updated',
) => {
  const write = { accountId, id, action, now, ifMatch };
  const { value, revision } = await recordLink(db, write, () => changeLink(db, accountId, id, change, now));
  return atRevision(value, revision);
};

/** Returns the link with its revision after the change. */
function atRevision<L extends Link | undefined>(link: L, revision: number | undefined): L {
  return link === undefined || revision === undefined ? link : { ...link, revision };
}

/** Like {@link updateLink}, but the caller records the change. */
export async function changeLink(
  db: Db,
  accountId: number,
  id: string,
  change: LinkChange,
  now: number,
): Promise<Link | undefined> {
  await requireExternalId(db, accountId, change.externalId, id);
  const { location: _, tags: choice, ...rest } = change;
  const location = await locationAfter(db, accountId, id, change);
  // Checks that the link exists first, so that no tags are created for a missing link.
  if (choice !== undefined && (await findLive(db, accountId, id)) === undefined) return undefined;
  const tags = choice && (await requireTags(db, accountId, choice));
  const given: { [K in keyof LinkChange]: Value } = location === undefined ? rest : { ...rest, location };
  let isMoved = false;
  let hasNewTexts = false;
  const fields = changeable.filter((field) => given[field] !== undefined);
  if (fields.length > 0) {
    const values = fields.map((field) => given[field] ?? null);
    const assignments = fields.map((field) => `${columnOf(field)} = ?`).join(', ');
    const different = fields.map((field) => `${columnOf(field)} IS DISTINCT FROM ?`).join(' OR ');
    const changed = await db.run(
      `UPDATE links SET ${assignments}, ${setUpdatedAt}
       WHERE id = ? AND account_id = ? AND deleted_at IS NULL AND (${different})`,
      [...values, now, now, idBytes(id), accountId, ...values],
    );
    isMoved = changed > 0 && fields.some(affectsRedirect);
    hasNewTexts = changed > 0 && includesSearchColumn(fields.map(columnOf));
  }
  if (tags !== undefined) {
    const live = await lockLive(db, accountId, id);
    if (live !== undefined) await setTags(db, accountId, live.link_row, tags, now);
  }
  const row = await findLive(db, accountId, id);
  if (row !== undefined && hasNewTexts) await storeSearchText(db, row.link_row);
  if (row !== undefined && isMoved) await recordTargetChange(db, keyOf(row), row.link_row);
  return row && linkOf(row);
}

/**
 * Returns the new value of the `location` column. The current link may have to be read, because destinations with
 * placeholders are serialized differently.
 */
async function locationAfter(
  db: Db,
  accountId: number,
  id: string,
  change: LinkChange,
): Promise<string | null | undefined> {
  if (change.location !== undefined) return locationToStore(change.location, change.destination);
  if (change.destination === undefined && change.template === undefined) return undefined;
  const row = await findLive(db, accountId, id);
  if (row === undefined) return undefined;
  const { destination = row.destination, template = row.template } = change;
  return locationToStore(serialized(destination, template === 1), destination);
}

export const touch = `UPDATE links SET ${setUpdatedAt} WHERE link_row = ?`;

/** Finds a live link and locks its row, so that it doesn't change until the transaction ends. */
export async function lockLive(db: Db, accountId: number, id: string): Promise<LinkRow | undefined> {
  const [, row] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    findLive(db, accountId, id),
  );
  return row;
}

/** Replaces the tags of a live link. The link's row must be locked. */
export async function setTags(
  db: Db,
  accountId: number,
  linkRow: number,
  tags: readonly TagRow[],
  now: number,
): Promise<void> {
  if (await replaceTags(db, accountId, linkRow, tags)) await db.run(touch, [now, now, linkRow]);
}

const linkById = 'SELECT link_row FROM links WHERE id = ? AND account_id = ?';
// Reads the folder id as stored, even if that folder is deleted. The folder could be restored before its lock is
// acquired, so whether it exists is checked only after acquiring the lock.
const folderOfLink = 'SELECT folder_id FROM links WHERE id = ? AND account_id = ?';
const updateFolderId = `UPDATE links SET folder_id = ?, ${setUpdatedAt} WHERE link_row = ?`;

/** @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND, REVISION_MISMATCH */
export const moveLink: Write<'moveLink'> = async (db, accountId, id, folderId, now, ifMatch) => {
  const write = { accountId, id, action: 'moved', now, ifMatch } as const;
  const { value, revision } = await recordLink(db, write, () => moveTo(db, accountId, id, folderId, now));
  return atRevision(value, revision);
};

/** Like {@link moveLink}, but the caller records the change. */
export async function moveTo(
  db: Db,
  accountId: number,
  id: string,
  folderId: string | null,
  now: number,
): Promise<Link> {
  const [, before, held] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    findLive(db, accountId, id),
    db.get<{ folder_id: Uint8Array | null }>(folderOfLink, [idBytes(id), accountId]),
  );
  if (before === undefined || held === undefined) throw linkNotFound();
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  const from = await lockFolder(db, accountId, idTextOrNull(held.folder_id));
  if (from === folderId) return { ...linkOf(before), folderId };
  await all(
    db.run(updateFolderId, [idBytesOrNull(folderId), now, now, before.link_row]),
    countMove(db, accountId, from, folderId),
  );
  return { ...linkOf(before), folderId, updatedAt: Math.max(before.updated_at, now) };
}

const markDeleted = `
  UPDATE links SET deleted_at = ? WHERE id = ? AND account_id = ? AND deleted_at IS NULL
  RETURNING link_row, code, space, folder_id, ${mayHaveTags('links')} AS tagged`;

type DeletedRow = Pick<LinkRow, 'link_row' | 'code' | 'space' | 'folder_id'> & { tagged: number };

/** @throws Failure REVISION_MISMATCH */
export const deleteLink: Write<'deleteLink'> = async (db, accountId, id, now, ifMatch) => {
  const write = { accountId, id, action: 'deleted', now, ifMatch, aliases: true } as const;
  return (await recordLink(db, write, () => softDelete(db, accountId, id, now))).value;
};

async function softDelete(db: Db, accountId: number, id: string, now: number): Promise<boolean> {
  // Locks first, so that the next statement sees concurrent changes to the link.
  const [, gone] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    db.get<DeletedRow>(markDeleted, [now, idBytes(id), accountId]),
  );
  if (gone === undefined) return false;
  const folderId = await lockFolder(db, accountId, idTextOrNull(gone.folder_id));
  const tagIds = gone.tagged === 0 ? [] : await heldTagIds(db, accountId, gone.link_row);
  await all(
    releaseCodes(db, accountId, keyOf(gone), gone.link_row),
    countLinks(db, accountId, { folderId, tagIds, space: gone.space }, -1),
  );
  return true;
}

const deletedLinkById = `
  SELECT link_row, code, space, external_id, folder_id, ${mayHaveTags('links')} AS tagged
  FROM links WHERE id = ? AND account_id = ? AND deleted_at IS NOT NULL`;
const markRestored = `UPDATE links SET deleted_at = NULL, ${setUpdatedAt} WHERE link_row = ?`;

/**
 * Restores a deleted link with its code, and its aliases that are still free. Leaves a live link unchanged.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN when the account has reused the code,
 * EXTERNAL_ID_TAKEN when another link has the external id, DOMAIN_NOT_FOUND when its domain is deleted
 */
export const restoreLink: Write<'restoreLink'> = async (db, accountId, id, now, quota, ifMatch) => {
  const write = { accountId, id, action: 'restored', now, ifMatch, aliases: true } as const;
  const { value, revision } = await recordLink(db, write, () => undeleteLink(db, accountId, id, now, quota));
  return atRevision(value, revision);
};

/** Like {@link restoreLink}, but the caller records the change. */
export async function undeleteLink(
  db: Db,
  accountId: number,
  id: string,
  now: number,
  quota?: number,
): Promise<Link> {
  const [, gone] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    db.get<DeletedRow & Pick<LinkRow, 'external_id'>>(deletedLinkById, [idBytes(id), accountId]),
  );
  if (gone !== undefined) {
    const space = await requireSpace(db, accountId, gone.space);
    await requireRoom(db, accountId, quota);
    await requireExternalId(db, accountId, gone.external_id);
    const folderId = await lockFolder(db, accountId, idTextOrNull(gone.folder_id));
    const tagIds = gone.tagged === 0 ? [] : await heldTagIds(db, accountId, gone.link_row);
    await all(
      claimCode(db, accountId, space, [gone.code], gone.link_row, codeTakenMeanwhile),
      db.run(markRestored, [now, now, gone.link_row]),
      countLinks(db, accountId, { folderId, tagIds, space: gone.space }, 1),
    );
    await restoreAliases(db, gone.link_row);
  }
  const row = await findLive(db, accountId, id);
  if (row === undefined) throw linkNotFound();
  return linkOf(row);
}

export const linkWrites = { createLink, updateLink, moveLink, deleteLink, restoreLink, rollBackLink };
