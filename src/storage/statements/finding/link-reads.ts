import { utmIn, withUtm } from '../../../model/links/destinations/utm.ts';
import { everyField, type FieldValue, type LinkFieldName } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type {
  FolderFilter,
  Link,
  LinkPage,
  LinkPreview,
  SpecialTarget,
  StoredLink,
  Target,
} from '../../../model/links/link-records.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import { msPerHour } from '../../../model/timestamps.ts';
import { type Db, one, type Value, whenKnown } from '../../db/db.ts';
import { idBytes, idTextOrNull } from '../../db/ids.ts';
import { recentClicksOf, recentHourOf } from '../clicks/recent-clicks.ts';
import { deletedFolders, folderIdOf, inNoFolder } from '../groups/deleted-folders.ts';
import { linkCount, scopeOf, sumOfLinks } from '../groups/link-counts.ts';
import { hostOf } from './link-domains.ts';
import { tagNamesIn, tagsOf } from './link-tags.ts';

// What a target has in addition to its location and its end; what only few links have makes it special.
const held: readonly LinkFieldName[] = ['destination', 'expiresAt'];
const special = everyField.filter(([name, { affectsRedirect }]) => affectsRedirect && !held.includes(name));
// The UTM parameters are in the location, and a language or a time zone alone decides nothing: it is for rules or templates.
const idle: readonly LinkFieldName[] = ['utm', 'language', 'timezone'];
const deciding = special.filter(([name]) => !idle.includes(name));

type TargetRow = Pick<LinkRow, 'link_row' | 'id' | 'expires_at' | 'used_clicks' | 'utm' | 'template'> & {
  account_id: number;
  location: string;
};

export const targetByCode = `
  SELECT l.link_row, c.account_id, l.id, COALESCE(l.location, l.destination) AS location, l.expires_at, l.used_clicks,
    ${special.map(([, { column }]) => `l.${column}`).join(', ')}
  FROM codes c JOIN links l ON l.link_row = c.link_row
  WHERE c.key = ? AND c.live = 1`;

function targetOf(row: TargetRow | undefined): Target | undefined {
  if (row === undefined) return undefined;
  const target = {
    row: row.link_row,
    account: row.account_id,
    id: row.id,
    // Once for all visitors that find the target in memory.
    location: row.template === 1 ? printable(row) : withUtm(printable(row), row.utm),
    expiresAt: row.expires_at,
    ...(row.utm !== null && { utm: utmIn(row.utm) }),
  };
  const values: Readonly<Record<string, Value>> = row;
  const isSpecial = deciding.some(([, { column }]) => values[column] !== null && values[column] !== 0);
  if (!isSpecial) return target;
  const fields = special.map(([name, { column }]) => [name, values[column]] as const);
  const rest = Object.fromEntries(fields) as Omit<SpecialTarget, 'usedClicks'>;
  return { ...target, special: { ...rest, usedClicks: row.used_clicks } };
}

/** Storage holds serialized URLs. A text that is none could end the `Location` header and begin another. */
function printable({ link_row, location }: TargetRow): string {
  if (/^[\x21-\x7e]+$/.test(location)) return location;
  throw new Error(`The destination of row ${link_row} is not printable ASCII.`);
}

/** Finds where a live code leads, by its key. Synchronous on an embedded engine: the redirect waits for no turn. */
export function findTarget(db: Db, key: string): MaybePromise<Target | undefined> {
  return whenKnown(db.get<TargetRow>(targetByCode, [key]), targetOf);
}

const previewByRow = `
  SELECT l.code, l.destination, ${hostOf('l')} AS host, l.public_qr AS "publicQr"
  FROM links l WHERE l.link_row = ? AND l.deleted_at IS NULL`;

/** What previews and QR codes of a live link show, as it was given. */
export function preview(db: Db, row: number): MaybePromise<LinkPreview | undefined> {
  return db.get<LinkPreview>(previewByRow, [row]);
}

type Fields = typeof linkFields;
type InColumn<N extends LinkFieldName> =
  | (Fields[N] extends { kind: 'id' } ? Uint8Array : NonNullable<FieldValue<N>>)
  | (null extends FieldValue<N> ? null : never);

/** A row of `links` as statements read it, with its clicks. */
export type LinkRow = { [N in LinkFieldName as Fields[N]['column']]: InColumn<N> } & {
  link_row: number;
  host: string | null;
  clicks: number;
  last_hour: number | null;
  recent_hour: number | null;
  tags: string | null;
};

const readColumns = everyField.map(([, { column }]) =>
  column === linkFields.folderId.column ? `${folderIdOf('l')} AS ${column}` : `l.${column}`,
);

export const linkColumns = `l.link_row, ${readColumns.join(', ')}, ${hostOf('l')} AS host,
  COALESCE(k.total, 0) + ${recentClicksOf('l.link_row')} AS clicks,
  k.last_hour, ${recentHourOf('l.link_row')} AS recent_hour, ${tagsOf('l')} AS tags`;

export function linkOf(row: LinkRow): Link {
  const values: Readonly<Record<string, Value>> = row;
  const lastHour = Math.max(row.last_hour ?? 0, row.recent_hour ?? 0);
  const link: Record<string, unknown> = {};
  // One after the other: lists of pairs, made into an object, took as long as all the rest of a page.
  for (const [name, { column, kind }] of everyField) {
    const value = values[column] ?? null;
    link[name] = kind === 'id' ? idTextOrNull(value as Uint8Array | null) : value;
  }
  link['host'] = row.host;
  link['clicks'] = row.clicks;
  link['lastClickAt'] = lastHour === 0 ? null : lastHour * msPerHour;
  link['tags'] = tagNamesIn(row.tags);
  return link as Link;
}

export function storedLinkOf(row: LinkRow): StoredLink {
  return { ...linkOf(row), row: row.link_row };
}

// In the statement that reads the clicks, so that both are of one snapshot: a batch of clicks is then in exactly one
// of "stored" and "not yet applied".
export const appliedTo =
  'COALESCE((SELECT j.applied_to FROM click_journals j WHERE j.id = ?), 0) AS applied_to';

const liveLinkById = `
  SELECT ${linkColumns}, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE l.id = ? AND l.account_id = ? AND l.deleted_at IS NULL`;

export type LinkRowWithPosition = LinkRow & { applied_to: number };

/** Finds a live link of the account as a row. */
export function findLive(
  db: Db,
  accountId: number,
  id: string,
): MaybePromise<LinkRowWithPosition | undefined> {
  return db.get<LinkRowWithPosition>(liveLinkById, [db.journal, idBytes(id), accountId]);
}

/** Finds a live link of the account, with the journal position that its clicks include. */
export async function link(
  db: Db,
  accountId: number,
  id: string,
): Promise<{ link: StoredLink; appliedTo: number } | undefined> {
  const row = await findLive(db, accountId, id);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
}

function liveLinks(condition: string): string {
  return `SELECT i.id, i.link_row FROM links i WHERE i.account_id = ? AND ${condition} AND i.deleted_at IS NULL`;
}

const facts = `
  WITH facts AS (SELECT ${sumOfLinks('?', '?')} AS total, ${appliedTo}, ${deletedFolders('?')} AS deleted_folders)`;

// The inner select walks nothing but an index, so a deep page costs index entries, not records. The one-row `facts`
// stands on the left, so that an empty page still has its true total.
function page(chosen: string): string {
  return `
  SELECT facts.total, facts.applied_to, facts.deleted_folders, ${linkColumns}
  FROM facts
  LEFT JOIN (${chosen}) AS chosen ON TRUE
  LEFT JOIN links l ON l.link_row = chosen.link_row
  LEFT JOIN link_clicks k ON k.link_row = l.link_row
  ORDER BY l.id DESC`;
}

type Walk = (order: readonly string[], ...conditions: readonly string[]) => string;

/**
 * Of two conditions that exclude each other only the first links of each are read. Those of the first are in the order of an index.
 * @param first how many, a parameter or subquery
 */
function liveLinksIn([one, other]: readonly string[], direction: '' | ' DESC', first: string): string {
  if (other === undefined) return liveLinks(one ?? 'TRUE');
  return `
    SELECT * FROM (${liveLinks(one ?? '')} ORDER BY i.folder_id${direction}, i.id${direction} LIMIT ${first}) AS one
    UNION ALL
    SELECT * FROM (${liveLinks(other)} ORDER BY i.id${direction} LIMIT ${first}) AS other`;
}

/** A page of a list that is walked from its newest link: behind its conditions stand `limit` and `offset`. */
const fromNewest: Walk = (order, ...conditions) =>
  `${facts} ${page(`
  ${liveLinksIn(conditions, ' DESC', '?')}
  ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT ? OFFSET ?`)}`;

/**
 * The same page, walked from the oldest link. How many links come before it there follows from the total of the same
 * snapshot; of a page past the end nothing is read. PostgreSQL cannot estimate that limit, so a plain one stands around
 * it: else it would join as if there were many. `offset` stands before the conditions, `limit` five times behind them.
 */
const fromOldest: Walk = (order, ...conditions) => `${facts}, rest AS (SELECT total - ? AS links FROM facts)
  ${page(`
    SELECT * FROM (
      ${liveLinksIn(conditions, '', '(SELECT CASE WHEN links < 0 THEN 0 ELSE links END FROM rest)')}
      ORDER BY ${order.join(', ')}
      LIMIT (SELECT CASE WHEN links < 0 THEN 0 WHEN links < ? THEN links ELSE ? END FROM rest)
      OFFSET (SELECT CASE WHEN links > ? THEN links - ? ELSE 0 END FROM rest)
    ) AS walked
    LIMIT ?`)}`;

type PageStatements = Readonly<Record<'all' | 'none' | 'loose' | 'folder', string>>;

function pagesBy(walk: Walk): PageStatements {
  return {
    all: walk(['id'], 'TRUE'),
    // For PostgreSQL links in no folder are in the order of its index by folder only if the folder is named first.
    none: walk(['folder_id', 'id'], 'i.folder_id IS NULL'),
    // The same while links of deleted folders are among them, whose own are read and sorted.
    loose: walk(['id'], ...inNoFolder('i')),
    folder: walk(['id'], 'i.folder_id = ?'),
  };
}

export const linkPages = { fromNewest: pagesBy(fromNewest), fromOldest: pagesBy(fromOldest) } as const;

/** So many first pages are walked from the newest link, without asking for the total. */
const firstPages = 10;

/**
 * How many links a page lies behind the nearer end of its list, which is what has to be walked to get there: 0 for a page
 * past the end. Of the first pages it is the offset, whatever the total.
 */
export async function depthOf(
  db: Db,
  accountId: number,
  filter: FolderFilter,
  limit: number,
  offset: number,
): Promise<number> {
  if (offset <= firstPages * limit) return offset;
  const total = await linkCount(db, accountId, filter);
  return Math.min(offset, Math.max(0, total - offset - limit));
}

const countDeleted = `SELECT ${deletedFolders('?')} AS folders`;

/** Whether a list has to gather links of deleted folders, however near its page is. */
export async function isGathered(db: Db, accountId: number, { kind }: FolderFilter): Promise<boolean> {
  return kind === 'none' && (await one<{ folders: number }>(db, countDeleted, [accountId])).folders > 0;
}

type PageRow = { total: number; applied_to: number; deleted_folders: number } & (
  | LinkRow
  | { link_row: null }
);

/** One page of live links, newest first, with the exact total of the same snapshot. */
export async function links(
  db: Db,
  accountId: number,
  filter: FolderFilter,
  limit: number,
  offset: number,
): Promise<LinkPage> {
  const scope = scopeOf(filter);
  // Links may come and go after the total was asked: from either end the statement finds the same page.
  const isNearOldest = (await depthOf(db, accountId, filter, limit, offset)) < offset;
  const statements = isNearOldest ? linkPages.fromOldest : linkPages.fromNewest;
  const read = (kind: keyof PageStatements, conditions: readonly Value[]): MaybePromise<PageRow[]> => {
    const facts = [accountId, scope, db.journal, accountId];
    return db.all<PageRow>(
      statements[kind],
      isNearOldest
        ? [...facts, offset, accountId, ...conditions, limit, limit, limit, limit, limit]
        : [...facts, accountId, ...conditions, limit, offset],
    );
  };
  const both = [accountId, accountId];
  let rows = await read(filter.kind, filter.kind === 'folder' ? [scope] : []);
  if (filter.kind === 'none' && rows[0]?.deleted_folders !== 0)
    rows = await read('loose', isNearOldest ? both : [limit + offset, ...both, limit + offset]);
  const { total = 0, applied_to = 0 } = rows[0] ?? {};
  return {
    // A deleted folder counts none, whatever the rows of its links say.
    links: total === 0 ? [] : rows.flatMap((row) => (row.link_row === null ? [] : [storedLinkOf(row)])),
    total,
    appliedTo: applied_to,
  };
}
