import { utmIn, withUtm } from '../../../model/links/destinations/utm.ts';
import { everyField, type FieldValue, type LinkFieldName } from '../../../model/links/link-field-values.ts';
import { linkFields } from '../../../model/links/link-fields.ts';
import type {
  FolderFilter,
  Link,
  LinkPreview,
  SpecialTarget,
  StoredLink,
  Target,
} from '../../../model/links/link-records.ts';
import type { MaybePromise } from '../../../model/maybe-promise.ts';
import { createNetworkMatcher } from '../../../model/networks.ts';
import { msPerHour } from '../../../model/timestamps.ts';
import { type Db, one, type Value, whenKnown } from '../../db/db.ts';
import { idBytes, idTextOrNull } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';
import { recentClicksOf, recentHourOf } from '../clicks/recent-clicks.ts';
import { deletedFolders, folderIdOf, inNoFolder } from '../groups/deleted-folders.ts';
import { linkCount, scopeOf, sumOfLinks } from '../groups/link-counts.ts';
import { hostOf } from './link-domains.ts';
import { tagNamesIn, tagsOf } from './link-tags.ts';

// Fields that every target has. Links with other fields are rare. Their targets are `special`.
const regularFields: readonly LinkFieldName[] = ['destination', 'expiresAt'];
const special = everyField.filter(
  ([name, { affectsRedirect }]) => affectsRedirect && !regularFields.includes(name),
);
// Fields that alone do not make a target special: UTM parameters are already in the location, and language and time
// zone only matter to rules or templates.
const dependentFields: readonly LinkFieldName[] = ['utm', 'language', 'timezone'];
const decidingFields = special.filter(([name]) => !dependentFields.includes(name));

type TargetRow = Pick<LinkRow, 'link_row' | 'id' | 'expires_at' | 'used_clicks' | 'utm' | 'template'> & {
  account_id: number;
  location: string;
  excluded_networks: string;
  app_schemes: string;
};

export const targetByCode = `
  SELECT l.link_row, c.account_id, l.id, COALESCE(l.location, l.destination) AS location, l.expires_at, l.used_clicks,
    a.excluded_networks, a.app_schemes,
    ${special.map(([, { column }]) => `l.${column}`).join(', ')}
  FROM codes c JOIN links l ON l.link_row = c.link_row JOIN accounts a ON a.id = c.account_id
  WHERE c.key = ? AND c.live = 1`;

function targetOf(row: TargetRow | undefined): Target | undefined {
  if (row === undefined) return undefined;
  const target = {
    row: row.link_row,
    account: row.account_id,
    id: row.id,
    // Adds UTM parameters once, when the target is loaded, not for each visit that is served from the cache.
    location: row.template === 1 ? checkedLocation(row) : withUtm(checkedLocation(row), row.utm),
    expiresAt: row.expires_at,
    ...(row.utm !== null && { utm: utmIn(row.utm) }),
    ...(row.excluded_networks !== '' && { isExcluded: matcherOf(row.excluded_networks) }),
  };
  const values: Readonly<Record<string, Value>> = row;
  const isSpecial = decidingFields.some(([, { column }]) => values[column] !== null && values[column] !== 0);
  if (!isSpecial) return target;
  const fields = special.map(([name, { column }]) => [name, values[column]] as const);
  const rest = Object.fromEntries(fields) as Omit<SpecialTarget, 'usedClicks'>;
  const appSchemes = row.app_schemes;
  return {
    ...target,
    special: { ...rest, usedClicks: row.used_clicks, ...(appSchemes !== '' && { appSchemes }) },
  };
}

/** Network matchers, keyed by the stored list of networks. All of an account's targets share one matcher. */
const matchers = new Map<string, (address: string) => boolean>();
const maxMatchers = 1_000;

function matcherOf(networks: string): (address: string) => boolean {
  const known = matchers.get(networks);
  if (known !== undefined) return known;
  const matcher = createNetworkMatcher(networks.split(' '));
  if (matchers.size >= maxMatchers) matchers.clear();
  matchers.set(networks, matcher);
  return matcher;
}

/**
 * Returns the location of a row. Storage contains serialized URLs; any other string could inject a header after
 * `Location`.
 * @throws Error when the location is not printable ASCII
 */
function checkedLocation({ link_row, location }: TargetRow): string {
  if (/^[\x21-\x7e]+$/.test(location)) return location;
  throw new Error(`The destination of row ${link_row} is not printable ASCII.`);
}

/**
 * Finds the target of a live code. Synchronous on an embedded engine, so that redirects don't wait for the event loop.
 */
export const findTarget: Read<'findTarget'> = (db, key) =>
  whenKnown(db.get<TargetRow>(targetByCode, [key]), targetOf);

const previewByRow = `
  SELECT l.code, l.destination, ${hostOf('l')} AS host, l.public_qr AS "publicQr"
  FROM links l WHERE l.link_row = ? AND l.deleted_at IS NULL`;

export const preview: Read<'preview'> = (db, row) => db.get<LinkPreview>(previewByRow, [row]);

type Fields = typeof linkFields;
type InColumn<N extends LinkFieldName> =
  | (Fields[N] extends { kind: 'id' } ? Uint8Array : NonNullable<FieldValue<N>>)
  | (null extends FieldValue<N> ? null : never);

/** A row of `links` with its click counts, as selected by statements. */
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
  // Uses a loop, because building the object with `Object.fromEntries` took as long as all other work for a page.
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

// Selects the journal position in the same statement as the clicks, so that both come from one snapshot: a batch before
// the position is counted, a batch after it is not.
export const appliedTo =
  'COALESCE((SELECT j.applied_to FROM click_journals j WHERE j.id = ?), 0) AS applied_to';

const liveLinkById = `
  SELECT ${linkColumns}, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE l.id = ? AND l.account_id = ? AND l.deleted_at IS NULL`;

export type LinkRowWithPosition = LinkRow & { applied_to: number };

/** Finds the row of a live link in the account. */
export function findLive(
  db: Db,
  accountId: number,
  id: string,
): MaybePromise<LinkRowWithPosition | undefined> {
  return db.get<LinkRowWithPosition>(liveLinkById, [db.journal, idBytes(id), accountId]);
}

/** Finds a live link in the account. Also returns a journal position: the click count includes all clicks up to it. */
export const link: Read<'link'> = async (db, accountId, id) => {
  const row = await findLive(db, accountId, id);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
};

function liveLinks(condition: string): string {
  return `SELECT i.id, i.link_row FROM links i WHERE i.account_id = ? AND ${condition} AND i.deleted_at IS NULL`;
}

const facts = `
  WITH facts AS (SELECT ${sumOfLinks('?', '?')} AS total, ${appliedTo}, ${deletedFolders('?')} AS deleted_folders)`;

// The inner SELECT reads only an index, so a deep page skips index entries, not whole rows. `facts` has one row and is
// on the left of the join, so that an empty page still has its total.
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
 * Selects links that meet one of two mutually exclusive conditions, and reads only the first links for each condition.
 * For the first condition, an index stores the links in order.
 * @param first number of links to read, as a parameter or subquery
 */
function liveLinksIn([one, other]: readonly string[], direction: '' | ' DESC', first: string): string {
  if (other === undefined) return liveLinks(one ?? 'TRUE');
  return `
    SELECT * FROM (${liveLinks(one ?? '')} ORDER BY i.folder_id${direction}, i.id${direction} LIMIT ${first}) AS one
    UNION ALL
    SELECT * FROM (${liveLinks(other)} ORDER BY i.id${direction} LIMIT ${first}) AS other`;
}

/**
 * Statement that reads a page by skipping links from the newest. Parameters after the conditions: `limit`, `offset`.
 */
const fromNewest: Walk = (order, ...conditions) =>
  `${facts} ${page(`
  ${liveLinksIn(conditions, ' DESC', '?')}
  ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT ? OFFSET ?`)}`;

/**
 * Statement that reads the same page by skipping links from the oldest. It computes the number of links to skip from
 * the total in the same snapshot. A page past the end reads nothing. PostgreSQL cannot estimate the inner limit and
 * would plan its join for many rows, so the join is wrapped in an outer LIMIT with a plain number. `offset` comes
 * before the conditions, `limit` five times after them.
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
    // PostgreSQL uses the order of its index by folder only if the sort names the folder first.
    none: walk(['folder_id', 'id'], 'i.folder_id IS NULL'),
    // Used while links still refer to deleted folders. Such links count as being in no folder, and are read and sorted
    // separately.
    loose: walk(['id'], ...inNoFolder('i')),
    folder: walk(['id'], 'i.folder_id = ?'),
  };
}

export const linkPages = { fromNewest: pagesBy(fromNewest), fromOldest: pagesBy(fromOldest) } as const;

/** Pages up to this number are read from the newest link without looking up the total. */
const firstPages = 10;

/**
 * Returns how many links must be skipped to reach a page from the nearer end of its list; 0 for a page past the end.
 * For the first pages, returns the offset, regardless of the total.
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

/** Returns true if a list includes links of deleted folders, which makes every page slower. */
export async function includesDeletedFolders(
  db: Db,
  accountId: number,
  { kind }: FolderFilter,
): Promise<boolean> {
  return kind === 'none' && (await one<{ folders: number }>(db, countDeleted, [accountId])).folders > 0;
}

type PageRow = { total: number; applied_to: number; deleted_folders: number } & (
  | LinkRow
  | { link_row: null }
);

export const links: Read<'links'> = async (db, accountId, filter, limit, offset) => {
  const scope = scopeOf(filter);
  // If links are created or deleted after the total was read, the choice may be wrong, but both statements return the
  // same page anyway.
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
    // A total of 0 means no links: link rows may still refer to a deleted folder, but its total is 0.
    links: total === 0 ? [] : rows.flatMap((row) => (row.link_row === null ? [] : [storedLinkOf(row)])),
    total,
    appliedTo: applied_to,
  };
};

export const linkReads = { findTarget, preview, link, links };
