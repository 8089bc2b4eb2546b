import { linkNotFound } from '../domain/links.ts';
import type {
  FolderFilter,
  Link,
  LinkChange,
  LinkPage,
  MaybePromise,
  NewLink,
  StoredLink,
  Target,
} from '../domain/storage.ts';
import { releaseCode, takeCode } from './codes.ts';
import { type Db, one, type Value, whenKnown } from './db.ts';
import { requireFolder } from './folders.ts';
import { idBytes, idBytesOrNull, idText, idTextOrNull } from './ids.ts';
import { countLinks, countMove, requireRoom, scopeOf, sumOfLinks } from './link-counts.ts';

interface TargetRow {
  link_row: number;
  id: Uint8Array;
  location: string;
  expires_at: number | null;
}

export const targetByCode = `
  SELECT l.link_row, l.id, COALESCE(l.location, l.destination) AS location, l.expires_at
  FROM codes c JOIN links l ON l.link_row = c.link_row
  WHERE c.key = ? AND c.live = 1`;

const targetOf = (row: TargetRow | undefined): Target | undefined =>
  row && { row: row.link_row, id: row.id, location: row.location, expiresAt: row.expires_at };

/** Finds where a live code leads. Synchronous on an embedded engine: the redirect waits for no turn. */
export const findTarget = (db: Db, foldedCode: string): MaybePromise<Target | undefined> =>
  whenKnown(db.get<TargetRow>(targetByCode, [foldedCode]), targetOf);

interface LinkRow {
  link_row: number;
  id: Uint8Array;
  code: string;
  destination: string;
  title: string | null;
  description: string | null;
  clicks: number;
  expires_at: number | null;
  folder_id: Uint8Array | null;
  created_at: number;
  updated_at: number;
}

const linkColumns = `l.link_row, l.id, l.code, l.destination, l.title, l.description,
  COALESCE(k.total, 0) AS clicks, l.expires_at, l.folder_id, l.created_at, l.updated_at`;

const linkOf = (row: LinkRow): Link => ({
  id: idText(row.id),
  code: row.code,
  destination: row.destination,
  title: row.title,
  description: row.description,
  clicks: row.clicks,
  expiresAt: row.expires_at,
  folderId: idTextOrNull(row.folder_id),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const storedLinkOf = (row: LinkRow): StoredLink => ({ ...linkOf(row), row: row.link_row });

// In the statement that reads the clicks, so that both are of one snapshot: a batch of clicks is then in exactly one
// of "stored" and "not yet applied".
const appliedTo = 'COALESCE((SELECT j.applied_to FROM click_journals j WHERE j.id = ?), 0) AS applied_to';

const liveLinkById = `
  SELECT ${linkColumns}, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE l.id = ? AND l.account_id = ? AND l.deleted_at IS NULL`;

type LinkRowWithPosition = LinkRow & { applied_to: number };

const findLive = (db: Db, accountId: number, id: string): MaybePromise<LinkRowWithPosition | undefined> =>
  db.get<LinkRowWithPosition>(liveLinkById, [db.journal, idBytes(id), accountId]);

/** Finds a live link of the account, with the journal position that its clicks include. */
export const link = async (
  db: Db,
  accountId: number,
  id: string,
): Promise<{ link: StoredLink; appliedTo: number } | undefined> => {
  const row = await findLive(db, accountId, id);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
};

// The inner select walks nothing but an index, so a deep page costs index entries, not records. The one-row `facts`
// stands on the left, so that an empty page still has its true total.
const page = (condition: string): string => `
  SELECT facts.total, facts.applied_to, ${linkColumns}
  FROM (SELECT ${sumOfLinks('?', '?')} AS total, ${appliedTo}) AS facts
  LEFT JOIN (
    SELECT i.link_row FROM links i WHERE i.account_id = ? AND ${condition} AND i.deleted_at IS NULL
    ORDER BY i.id DESC LIMIT ? OFFSET ?
  ) AS chosen ON TRUE
  LEFT JOIN links l ON l.link_row = chosen.link_row
  LEFT JOIN link_clicks k ON k.link_row = l.link_row
  ORDER BY l.id DESC`;

export const linkPages = {
  all: page('TRUE'),
  none: page('i.folder_id IS NULL'),
  folder: page('i.folder_id = ?'),
} as const satisfies Record<FolderFilter['kind'], string>;

type PageRow = { total: number; applied_to: number } & (LinkRow | { link_row: null });

/** One page of live links, newest first, with the exact total of the same snapshot. */
export const links = async (
  db: Db,
  accountId: number,
  filter: FolderFilter,
  limit: number,
  offset: number,
): Promise<LinkPage> => {
  const scope = scopeOf(filter);
  const condition = filter.kind === 'folder' ? [scope] : [];
  const params = [accountId, scope, db.journal, accountId, ...condition, limit, offset];
  const rows = await db.all<PageRow>(linkPages[filter.kind], params);
  return {
    links: rows.flatMap((row) => (row.link_row === null ? [] : [storedLinkOf(row)])),
    total: rows[0]?.total ?? 0,
    appliedTo: rows[0]?.applied_to ?? 0,
  };
};

const insertLink = `
  INSERT INTO links (id, account_id, code, destination, location, title, description, expires_at, folder_id,
    created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING link_row`;
const renameCode = 'UPDATE links SET code = ? WHERE link_row = ?';

// Most URLs are already in the form the Location header needs; they are kept once.
const locationToStore = (location: string, destination: string | undefined): string | null =>
  location === destination ? null : location;

/**
 * Makes a link and takes the first free one of its codes.
 * @throws Failure FOLDER_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN, in this order
 */
export const createLink = async (db: Db, accountId: number, draft: NewLink): Promise<Link> => {
  const { id, codes, destination, title, description, expiresAt, folderId, createdAt } = draft;
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  await requireRoom(db, accountId, draft.quota);
  const [firstCode = ''] = codes;
  const location = locationToStore(draft.location, destination);
  const { link_row } = await one<{ link_row: number }>(db, insertLink, [
    ...[idBytes(id), accountId, firstCode, destination, location, title, description, expiresAt],
    ...[idBytesOrNull(folderId), createdAt, createdAt],
  ]);
  const code = await takeCode(db, accountId, codes, link_row);
  if (code !== firstCode) await db.run(renameCode, [code, link_row]);
  await countLinks(db, accountId, folderId, 1);
  return {
    id,
    code,
    destination,
    title,
    description,
    clicks: 0,
    expiresAt,
    folderId,
    createdAt,
    updatedAt: createdAt,
  };
};

const columnOf = {
  title: 'title',
  description: 'description',
  expiresAt: 'expires_at',
  destination: 'destination',
  location: 'location',
} as const satisfies Record<keyof LinkChange, string>;

// The clock may step back; what a client sees as the time of the last change may not.
const touched = 'updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END';
const changeable = Object.keys(columnOf) as (keyof LinkChange)[];

/** Changes the given fields. Values that are already there change nothing, `updatedAt` included. */
export const updateLink = async (
  db: Db,
  accountId: number,
  id: string,
  change: LinkChange,
  now: number,
): Promise<Link | undefined> => {
  const { location, ...rest } = change;
  const stored: { [K in keyof LinkChange]: Value } =
    location === undefined ? rest : { ...rest, location: locationToStore(location, change.destination) };
  const fields = changeable.filter((field) => stored[field] !== undefined);
  if (fields.length > 0) {
    const values = fields.map((field) => stored[field] ?? null);
    const assignments = fields.map((field) => `${columnOf[field]} = ?`).join(', ');
    const different = fields.map((field) => `${columnOf[field]} IS DISTINCT FROM ?`).join(' OR ');
    await db.run(
      `UPDATE links SET ${assignments}, ${touched}
       WHERE id = ? AND account_id = ? AND deleted_at IS NULL AND (${different})`,
      [...values, now, now, idBytes(id), accountId, ...values],
    );
  }
  const row = await findLive(db, accountId, id);
  return row && linkOf(row);
};

const setFolder = `UPDATE links SET folder_id = ?, ${touched} WHERE link_row = ?`;

/** Puts a link into a folder, or with null into none. @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND */
export const moveLink = async (
  db: Db,
  accountId: number,
  id: string,
  folderId: string | null,
  now: number,
): Promise<Link> => {
  const before = await findLive(db, accountId, id);
  if (before === undefined) throw linkNotFound();
  if (folderId !== null) await requireFolder(db, accountId, folderId);
  const from = idTextOrNull(before.folder_id);
  if (from === folderId) return linkOf(before);
  await db.run(setFolder, [idBytesOrNull(folderId), now, now, before.link_row]);
  await countMove(db, accountId, from, folderId);
  return { ...linkOf(before), folderId, updatedAt: Math.max(before.updated_at, now) };
};

const hideLink = `
  UPDATE links SET deleted_at = ? WHERE id = ? AND account_id = ? AND deleted_at IS NULL
  RETURNING code, folder_id`;

/** Hides a link and keeps its code for the account. @returns whether there was one */
export const deleteLink = async (db: Db, accountId: number, id: string, now: number): Promise<boolean> => {
  const gone = await db.get<Pick<LinkRow, 'code' | 'folder_id'>>(hideLink, [now, idBytes(id), accountId]);
  if (gone === undefined) return false;
  await releaseCode(db, accountId, gone.code);
  await countLinks(db, accountId, idTextOrNull(gone.folder_id), -1);
  return true;
};

const deletedLinkById = `
  SELECT link_row, code, folder_id FROM links WHERE id = ? AND account_id = ? AND deleted_at IS NOT NULL`;
const showLink = `UPDATE links SET deleted_at = NULL, ${touched} WHERE link_row = ?`;

/**
 * Undoes a delete and takes the code back. A link that is live already stays as it is.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN when the account has used the code again
 */
export const restoreLink = async (
  db: Db,
  accountId: number,
  id: string,
  now: number,
  quota?: number,
): Promise<Link> => {
  const gone = await db.get<Pick<LinkRow, 'link_row' | 'code' | 'folder_id'>>(deletedLinkById, [
    idBytes(id),
    accountId,
  ]);
  if (gone !== undefined) {
    await requireRoom(db, accountId, quota);
    await takeCode(db, accountId, [gone.code], gone.link_row);
    await db.run(showLink, [now, now, gone.link_row]);
    await countLinks(db, accountId, idTextOrNull(gone.folder_id), 1);
  }
  const row = await findLive(db, accountId, id);
  if (row === undefined) throw linkNotFound();
  return linkOf(row);
};
