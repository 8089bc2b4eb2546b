import type { LinkAction } from '../../../model/history/events.ts';
import type { IfMatch } from '../../../model/history/revisions.ts';
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
import { appendEvent } from '../events/append.ts';
import { requireSpace } from '../finding/link-domains.ts';
import { findLive, type LinkRow, linkOf } from '../finding/link-reads.ts';
import { addTags, heldTagIds, mayHaveTags, replaceTags, requireTags } from '../finding/link-tags.ts';
import { changesTexts, searchTextOf, storeSearchText } from '../finding/link-texts.ts';
import { requireWithin } from '../finding/within.ts';
import { lockFolder, requireFolder } from '../groups/folders.ts';
import { countLinks, countMove, requireRoom } from '../groups/link-counts.ts';
import type { TagRow } from '../groups/tags.ts';
import { claimCode, noteTarget, releaseCodes, restoreAliases } from './codes.ts';
import { requireExternalId } from './external-ids.ts';
import { creationOf, recordLink } from './record.ts';

const kindsOfFields = everyField.map(([, { column, kind }]) => [column, columnKindOf(kind)] as const);
/** What a new row is given. */
export const linkColumnKinds: BulkInput['columns'] = {
  account_id: 'integer',
  location: 'text',
  search_text: 'text',
  ...Object.fromEntries(kindsOfFields),
};
const columns = Object.keys(linkColumnKinds);
export const insertLink = `
  INSERT INTO links (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
const dropEvents = 'DELETE FROM events WHERE link_row = ?';
const renameCode = 'UPDATE links SET code = ? WHERE link_row = ?';

// Maximum number of URLs are already in the form the Location header needs; they are kept once.
function locationToStore(location: string, destination: string | undefined): string | null {
  return location === destination ? null : location;
}

function columnKindOf(kind: LinkField['kind']): 'integer' | 'text' | 'bytes' {
  if (kind === 'id') return 'bytes';
  const numbers: readonly LinkField['kind'][] = ['time', 'flag', 'number', 'count'];
  return numbers.includes(kind) ? 'integer' : 'text';
}

/** The values of a new link's columns, in the order of {@link linkColumnKinds}. */
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
    ...everyField.map(([name, field]) => stored(field, values[name] ?? absent(field))),
  ];
}

/**
 * Creates a link and takes the first free one of its codes.
 * @throws Failure FOLDER_NOT_FOUND, DOMAIN_NOT_FOUND, LIMIT_REACHED, EXTERNAL_ID_TAKEN, CUSTOM_CODE_TAKEN, in this order
 */
export async function createLink(db: Db, accountId: number, draft: NewLink): Promise<BriefLink> {
  const { codes, folderId = null, domain } = draft;
  requireWithin(db, domain?.space ?? '', folderId);
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  await requireSpace(db, accountId, domain?.space ?? '');
  await requireRoom(db, accountId, draft.quota);
  await requireExternalId(db, accountId, draft.externalId);
  const tags = draft.tags === undefined ? [] : await requireTags(db, accountId, draft.tags);
  const [firstCode = ''] = codes;
  const row = await db.insert(insertLink, 'link_row', rowOfNewLink(accountId, draft, firstCode));
  const tagIds = tags.map(({ id }) => id);
  const [code] = await all(
    claimCode(db, accountId, domain?.space ?? '', codes, row),
    countLinks(db, accountId, { folderId, tagIds, space: domain?.space }, 1),
    addTags(db, row, tags),
    appendEvent(db, { ...creationOf(db, accountId, draft, tags, firstCode), linkRow: row }),
  );
  if (code !== firstCode) {
    // Its event names the first one: it is made again, for that is rare.
    await db.run(dropEvents, [row]);
    await appendEvent(db, { ...creationOf(db, accountId, draft, tags, code), linkRow: row });
    await db.run(renameCode, [code, row]);
    await storeSearchText(db, row);
  }
  return briefLinkOf(draft, code);
}

/** What is told of a new link. */
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

/** The key of a link's own code. */
export function keyOf({ space, code }: { readonly space: string; readonly code: string }): string {
  return codeKey(space, code);
}

/** What a field holds that nothing is said of. */
function absent({ kind }: LinkField): 0 | null {
  return kind === 'flag' || kind === 'count' ? 0 : null;
}

function stored({ kind }: LinkField, value: string | number | null): Value {
  return kind === 'id' ? idBytesOrNull(value as string | null) : value;
}

const changeable = [...fieldsWith('editable'), 'location'] as const;

function columnOf(name: (typeof changeable)[number]): string {
  return name === 'location' ? name : linkFields[name].column;
}

/** The location goes where the destination goes. */
function affectsRedirect(name: (typeof changeable)[number]): boolean {
  return name === 'location' || 'affectsRedirect' in linkFields[name];
}

// The clock may step back; what a client sees as the time of the last change may not.
const touched = 'updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END';

/**
 * Creates a link what it was at an earlier revision, as one change.
 * @throws Failure LINK_NOT_FOUND, EXTERNAL_ID_TAKEN, REVISION_MISMATCH
 */
export async function rollBackLink(
  db: Db,
  accountId: number,
  id: string,
  { folderId, ...change }: LinkChange & { readonly folderId?: string | null },
  now: number,
  ifMatch?: IfMatch,
): Promise<Link> {
  const write = { accountId, id, action: 'rolled-back', now, ifMatch } as const;
  const { value, revision } = await recordLink(db, write, async () => {
    if (folderId !== undefined) await putLink(db, accountId, id, folderId, now);
    return changeLink(db, accountId, id, change, now);
  });
  if (value === undefined) throw linkNotFound();
  return atRevision(value, revision);
}

/**
 * Changes the given fields. Values that are already there change nothing, `updatedAt` included.
 * @param action what history calls it
 * @throws Failure EXTERNAL_ID_TAKEN, REVISION_MISMATCH
 */
export async function updateLink(
  db: Db,
  accountId: number,
  id: string,
  change: LinkChange,
  now: number,
  ifMatch?: IfMatch,
  action: LinkAction = 'updated',
): Promise<Link | undefined> {
  const write = { accountId, id, action, now, ifMatch };
  const { value, revision } = await recordLink(db, write, () => changeLink(db, accountId, id, change, now));
  return atRevision(value, revision);
}

/** As it is once its change is noted. */
function atRevision<L extends Link | undefined>(link: L, revision: number | undefined): L {
  return link === undefined || revision === undefined ? link : { ...link, revision };
}

/** As {@link updateLink}, noted by the caller. */
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
  // Tags that do not exist yet are made for links that do.
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
      `UPDATE links SET ${assignments}, ${touched}
       WHERE id = ? AND account_id = ? AND deleted_at IS NULL AND (${different})`,
      [...values, now, now, idBytes(id), accountId, ...values],
    );
    isMoved = changed > 0 && fields.some(affectsRedirect);
    hasNewTexts = changed > 0 && changesTexts(fields.map(columnOf));
  }
  if (tags !== undefined) {
    const live = await lockLive(db, accountId, id);
    if (live !== undefined) await setTags(db, accountId, live.link_row, tags, now);
  }
  const row = await findLive(db, accountId, id);
  if (row !== undefined && hasNewTexts) await storeSearchText(db, row.link_row);
  if (row !== undefined && isMoved) await noteTarget(db, keyOf(row), row.link_row);
  return row && linkOf(row);
}

/** What the column of the location gets: a destination is serialized as what the link is then, with placeholders or not. */
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

export const touch = `UPDATE links SET ${touched} WHERE link_row = ?`;

/** Finds a live link and locks its row, so that what is read of it stays until the transaction ends. */
export async function lockLive(db: Db, accountId: number, id: string): Promise<LinkRow | undefined> {
  const [, row] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    findLive(db, accountId, id),
  );
  return row;
}

/** Creates the tags of a live link these. Its row must be locked. */
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
// As the row says it: whether the folder is there is asked once it is locked, as it may come back until then.
const heldFolder = 'SELECT folder_id FROM links WHERE id = ? AND account_id = ?';
const setFolder = `UPDATE links SET folder_id = ?, ${touched} WHERE link_row = ?`;

/** Puts a link into a folder, or with null into none. @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND, REVISION_MISMATCH */
export async function moveLink(
  db: Db,
  accountId: number,
  id: string,
  folderId: string | null,
  now: number,
  ifMatch?: IfMatch,
): Promise<Link> {
  const write = { accountId, id, action: 'moved', now, ifMatch } as const;
  const { value, revision } = await recordLink(db, write, () => putLink(db, accountId, id, folderId, now));
  return atRevision(value, revision);
}

/** As {@link moveLink}, noted by the caller. */
export async function putLink(
  db: Db,
  accountId: number,
  id: string,
  folderId: string | null,
  now: number,
): Promise<Link> {
  const [, before, held] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    findLive(db, accountId, id),
    db.get<{ folder_id: Uint8Array | null }>(heldFolder, [idBytes(id), accountId]),
  );
  if (before === undefined || held === undefined) throw linkNotFound();
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  const from = await lockFolder(db, accountId, idTextOrNull(held.folder_id));
  if (from === folderId) return { ...linkOf(before), folderId };
  await all(
    db.run(setFolder, [idBytesOrNull(folderId), now, now, before.link_row]),
    countMove(db, accountId, from, folderId),
  );
  return { ...linkOf(before), folderId, updatedAt: Math.max(before.updated_at, now) };
}

const hideLink = `
  UPDATE links SET deleted_at = ? WHERE id = ? AND account_id = ? AND deleted_at IS NULL
  RETURNING link_row, code, space, folder_id, ${mayHaveTags('links')} AS tagged`;

type HiddenRow = Pick<LinkRow, 'link_row' | 'code' | 'space' | 'folder_id'> & { tagged: number };

/** Hides a link and keeps its code for the account. @returns whether there was one. @throws Failure REVISION_MISMATCH */
export async function deleteLink(
  db: Db,
  accountId: number,
  id: string,
  now: number,
  ifMatch?: IfMatch,
): Promise<boolean> {
  const write = { accountId, id, action: 'deleted', now, ifMatch, aliases: true } as const;
  return (await recordLink(db, write, () => deleteOne(db, accountId, id, now))).value;
}

async function deleteOne(db: Db, accountId: number, id: string, now: number): Promise<boolean> {
  // First the lock: the statement behind it sees what others did to the link meanwhile.
  const [, gone] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    db.get<HiddenRow>(hideLink, [now, idBytes(id), accountId]),
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
const showLink = `UPDATE links SET deleted_at = NULL, ${touched} WHERE link_row = ?`;

/**
 * Undoes a delete and takes the code back, and the aliases that the account has not used again. A link that is live already stays as it is.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN when the account has used the code again, EXTERNAL_ID_TAKEN
 * when it has given the externalId to another link, DOMAIN_NOT_FOUND when its domain is deleted
 */
export async function restoreLink(
  db: Db,
  accountId: number,
  id: string,
  now: number,
  quota?: number,
  ifMatch?: IfMatch,
): Promise<Link> {
  const write = { accountId, id, action: 'restored', now, ifMatch, aliases: true } as const;
  const { value, revision } = await recordLink(db, write, () => bringBack(db, accountId, id, now, quota));
  return atRevision(value, revision);
}

/** As {@link restoreLink}, noted by the caller. */
export async function bringBack(
  db: Db,
  accountId: number,
  id: string,
  now: number,
  quota?: number,
): Promise<Link> {
  const [, gone] = await all(
    db.lockRows('no key update', linkById, [idBytes(id), accountId]),
    db.get<HiddenRow & Pick<LinkRow, 'external_id'>>(deletedLinkById, [idBytes(id), accountId]),
  );
  if (gone !== undefined) {
    await requireSpace(db, accountId, gone.space);
    await requireRoom(db, accountId, quota);
    await requireExternalId(db, accountId, gone.external_id);
    const folderId = await lockFolder(db, accountId, idTextOrNull(gone.folder_id));
    const tagIds = gone.tagged === 0 ? [] : await heldTagIds(db, accountId, gone.link_row);
    await all(
      claimCode(db, accountId, gone.space, [gone.code], gone.link_row, codeTakenMeanwhile),
      db.run(showLink, [now, now, gone.link_row]),
      countLinks(db, accountId, { folderId, tagIds, space: gone.space }, 1),
    );
    await restoreAliases(db, gone.link_row);
  }
  const row = await findLive(db, accountId, id);
  if (row === undefined) throw linkNotFound();
  return linkOf(row);
}
