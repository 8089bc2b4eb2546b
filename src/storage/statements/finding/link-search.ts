import { idText } from '../../../model/ids.ts';
import { isCodePrefix, type LinkSearch, type LinkSort } from '../../../model/links/link-search.ts';
import type { Db, Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';
import { linkCount } from '../groups/link-counts.ts';
import { conditionsOf, joined, liveOf, piece, type SqlPiece } from './link-conditions.ts';
import { appliedTo, type LinkRow, linkColumns, storedLinkOf } from './link-reads.ts';
import { hasSource, sourceOf } from './link-sources.ts';
import { type TagsOfSearch, tagsOfSearch } from './link-tags.ts';

/**
 * A sort order. Links that lack the value to sort by, such as a title, come last or first, and are sorted among
 * themselves newest first.
 */
interface Order {
  /** The SQL expression to sort by, and the column that breaks ties. */
  readonly key: string;
  readonly tie: 'id' | 'link_row';
  /** A column that is NULL in links without a value; undefined when every link has a value. */
  readonly nullable?: string;
  /** True if the sort key is a column of `link_clicks k`, a table that also contains the account. */
  readonly ofClicks?: true;
  /** True if a missing value sorts as the lowest, so that links without a value come first in ascending order. */
  readonly nullsSortAsLeast?: true;
}

const orders: Readonly<Record<LinkSort, Order>> = {
  createdAt: { key: 'l.created_at', tie: 'id' },
  updatedAt: { key: 'l.updated_at', tie: 'link_row' },
  expiresAt: { key: 'l.expires_at', tie: 'link_row', nullable: 'l.expires_at' },
  title: { key: 'lower(l.title)', tie: 'link_row', nullable: 'l.title' },
  clicks: {
    key: 'k.total',
    tie: 'link_row',
    nullable: 'k.account_id',
    ofClicks: true,
    nullsSortAsLeast: true,
  },
  lastClickAt: { key: 'k.last_hour', tie: 'link_row', nullable: 'k.account_id', ofClicks: true },
};

/**
 * Where links are read from. `list`: the list, in its order. `source`: an unsorted set of links, which is then sorted.
 * `index`: only the list's index, which may include deleted links or links of another part.
 */
type From =
  | { readonly kind: 'index' }
  | { readonly kind: 'list'; readonly upto?: PagePosition | undefined }
  | { readonly kind: 'source'; readonly source: SqlPiece };

interface PagePosition {
  readonly key: Value;
  /** Value of the tie-breaking column for the link at this position. */
  readonly tie: Value;
}

/**
 * A part of a sorted list: links whose sort key equals that of the page's start position, later links with a sort key,
 * and links without one. The first two parts are separate queries, because SQLite cannot seek by both columns of every
 * index.
 */
type Part = 'equal' | 'keyed' | 'keyless';

interface Plan {
  readonly db: Db;
  readonly accountId: number;
  readonly search: LinkSearch;
  readonly tags: TagsOfSearch;
  readonly conditions: readonly SqlPiece[];
}

interface SearchColumns {
  readonly total: number | null;
  readonly applied_to: number;
  readonly sort_key: number | string | null;
}
type Row = SearchColumns & (LinkRow | { link_row: null });

/** Returns the tables that list links in order, and the condition that selects the account's links. */
function tablesFor({ accountId, search }: Plan, part: Part, from: From): { tables: string; own: SqlPiece } {
  const { ofClicks } = orders[search.sort];
  if (from.kind === 'index')
    return ofClicks && part !== 'keyless'
      ? { tables: 'link_clicks k', own: piece('k.account_id = ?', accountId) }
      : { tables: 'links l', own: piece(liveOf, accountId) };
  const ofClicksToo = ofClicks ? 'LEFT JOIN link_clicks k ON k.link_row = l.link_row' : '';
  if (from.kind === 'source') {
    const own = piece(`l.link_row = c.link_row AND ${liveOf}`, accountId);
    return { tables: `candidates c CROSS JOIN links l ${ofClicksToo}`, own };
  }
  if (ofClicks && part !== 'keyless') {
    const own = piece('k.account_id = ? AND l.link_row = k.link_row AND l.deleted_at IS NULL', accountId);
    return { tables: 'link_clicks k CROSS JOIN links l', own };
  }
  return { tables: `links l ${ofClicksToo}`, own: piece(liveOf, accountId) };
}

/** Returns the column that orders links with equal sort keys. Links without a sort key are ordered by id. */
function tieColumn(order: Order, part: Part): string {
  if (part === 'keyless') return 'l.id';
  return `${order.ofClicks ? 'k' : 'l'}.${order.tie}`;
}

function sortDirection({ order }: LinkSearch, part: Part): 'ASC' | 'DESC' {
  return part !== 'keyless' && order === 'asc' ? 'ASC' : 'DESC';
}

/** Returns a SELECT for the links of one part after a position, in order. */
function selectPart(plan: Plan, part: Part, from: From, behind: PagePosition | undefined): SqlPiece {
  const order = orders[plan.search.sort];
  const { tables, own } = tablesFor(plan, part, from);
  const direction = sortDirection(plan.search, part);
  const tie = tieColumn(order, part);
  const key = part === 'keyless' ? undefined : order.key;
  const [after, before] = direction === 'ASC' ? ['>', '<='] : ['<', '>='];
  const where = [own, ...plan.conditions];
  if (order.nullable !== undefined && !(order.ofClicks && from.kind === 'index'))
    where.push(piece(`${order.nullable} IS ${part === 'keyless' ? '' : 'NOT '}NULL`));
  if (behind !== undefined && part === 'equal') where.push(piece(`${key} = ?`, behind.key));
  if (behind !== undefined)
    where.push(
      part === 'keyed' ? piece(`${key} ${after} ?`, behind.key) : piece(`${tie} ${after} ?`, behind.tie),
    );
  const upto = from.kind === 'list' ? from.upto : undefined;
  if (upto !== undefined && part === 'keyed')
    where.push(
      piece(`${key} ${before} ?`, upto.key),
      piece(`(${key}, ${tie}) ${before} (?, ?)`, upto.key, upto.tie),
    );
  else if (upto !== undefined) where.push(piece(`${tie} ${before} ?`, upto.tie));
  const sorted = [...(key === undefined ? [] : [key]), tie].map((by) => `${by} ${direction}`);
  const { sql, params } = joined(where, ' AND ');
  return {
    sql: `SELECT ${order.ofClicks && part !== 'keyless' ? 'k' : 'l'}.link_row, ${key ?? 'NULL'} AS sort_key, ${tie} AS tie FROM ${tables} WHERE ${sql} ORDER BY ${sorted.join(', ')}`,
    params,
  };
}

/** Returns a SELECT that counts the matching links, in the whole list or in a source. */
function countMatches(plan: Plan, from: From): SqlPiece {
  const { tables, own } = tablesFor(
    { ...plan, search: { ...plan.search, sort: 'createdAt' } },
    'keyed',
    from,
  );
  const { sql, params } = joined([own, ...plan.conditions], ' AND ');
  return piece(`SELECT COUNT(*) AS links FROM ${tables} WHERE ${sql}`, ...params);
}

/**
 * Returns a SELECT for a page of one part: links with all fields, their clicks from the same snapshot and, for a
 * source, the total.
 */
function selectPage(plan: Plan, part: Part, from: From, { behind, limit, offset }: Slice): SqlPiece {
  const chosen = selectPart(plan, part, from, behind);
  const [source, total] =
    from.kind === 'source'
      ? [from.source, countMatches(plan, from)]
      : [undefined, piece('CAST(NULL AS BIGINT)')];
  const direction = sortDirection(plan.search, part);
  const sql = `
    WITH ${source === undefined ? '' : `candidates AS MATERIALIZED (${source.sql}),`}
      facts AS (SELECT (${total.sql}) AS total, ${appliedTo})
    SELECT facts.total, facts.applied_to, chosen.sort_key, ${linkColumns}
    FROM facts
    LEFT JOIN (${chosen.sql} LIMIT ? OFFSET ?) AS chosen ON TRUE
    LEFT JOIN links l ON l.link_row = chosen.link_row
    LEFT JOIN link_clicks k ON k.link_row = l.link_row
    ORDER BY ${part === 'keyless' ? '' : `chosen.sort_key ${direction}, `}chosen.tie ${direction}`;
  const params = [...(source?.params ?? []), ...total.params, plan.db.journal, ...chosen.params];
  return piece(sql, ...params, limit, offset);
}

interface Slice {
  readonly behind: PagePosition | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Number of links to read in list order before trying a source. Finding a source's links takes a few milliseconds. */
const initialWalk = 1_000;
/** Maximum number of links to read in list order, as a multiple of `search.walked`. */
const maxWalkFactor = 8;
/** Safety margin for the estimated number of links to read, because matches may be rarer later in the list. */
const margin = 1.3;
/** In accounts with at most this many links, matches are always counted. */
const maxCountedLinks = 4_000;

/**
 * Finds links in list order or with an index. Filters that many links match fill a page quickly in list order; filters
 * that few links match need an index and a sort. So the first links of the list are read. If they don't fill the page,
 * the share of matches among them decides whether to read further or to use the index.
 */
export const findLinks: Read<'findLinks'> = async (db, accountId, search) => {
  const words = search.words.filter((word) => !isCodePrefix(word));
  const tags = await tagsOfSearch(db, accountId, words, search.tags?.names ?? []);
  const plan: Plan = { db, accountId, search, tags, conditions: conditionsOf(search, tags) };
  const begin = await findStart(plan);
  if (begin === undefined) return { links: [], total: null, last: null };
  const { walked = initialWalk } = search;
  let taken = await walk(plan, begin, hasSource(search) ? walked : undefined);
  const enough = (walked * margin * (search.offset + search.limit + 1)) / taken.rows.length;
  if (taken.isTruncated && enough <= walked * maxWalkFactor)
    taken = await walk(plan, begin, Math.ceil(enough));
  const { rows, total } = taken.isTruncated ? await readFromSource(plan, begin) : taken;
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  return {
    links: page.map((row) => ({ link: storedLinkOf(row), appliedTo: row.applied_to })),
    total: total ?? (await totalInOrder(plan)),
    last: last && rows.length > search.limit ? { key: last.sort_key, id: idText(last.id) } : null,
  };
};

interface Start {
  /** The parts of the list from the start position on, in order. */
  readonly parts: readonly Part[];
  readonly behind: PagePosition | undefined;
}

const rowById = 'SELECT link_row FROM links WHERE account_id = ? AND id = ?';

/** Finds where a page starts. @returns undefined when the link at the start position is unknown */
async function findStart({ db, accountId, search }: Plan): Promise<Start | undefined> {
  const { after: behind } = search;
  const order = orders[search.sort];
  if (behind === undefined) return { parts: listParts(search), behind: undefined };
  const all = listParts(search);
  const parts: readonly Part[] =
    behind.key === null && order.nullable !== undefined
      ? all.slice(all.indexOf('keyless'))
      : ['equal', ...all.slice(all.indexOf('keyed'))];
  if (tieColumn(order, parts[0] as Part) === 'l.id')
    return { parts, behind: { key: behind.key, tie: idBytes(behind.id) } };
  const row = await db.get<{ link_row: number }>(rowById, [accountId, idBytes(behind.id)]);
  return row && { parts, behind: { key: behind.key, tie: row.link_row } };
}

/** Returns the parts of a complete list, in order. */
function listParts({ sort, order }: LinkSearch): readonly Part[] {
  const { nullable, nullsSortAsLeast } = orders[sort];
  if (nullable === undefined) return ['keyed'];
  return nullsSortAsLeast && order === 'asc' ? ['keyless', 'keyed'] : ['keyed', 'keyless'];
}

interface LinkPage {
  readonly rows: readonly (LinkRow & SearchColumns)[];
  /** Total number of matches; undefined if they were not counted. */
  readonly total: number | undefined;
  /** True if reading stopped at the maximum number of links before the page was full. */
  readonly isTruncated: boolean;
}

/** Reads a page part by part, plus one more link, which indicates whether another page follows. */
async function readPage(
  plan: Plan,
  begin: Start,
  fromOf: (part: Part, behind: PagePosition | undefined) => Promise<From>,
): Promise<LinkPage> {
  const { db, search } = plan;
  const rows: (LinkRow & SearchColumns)[] = [];
  let total: number | undefined;
  let { offset } = search;
  const { parts } = begin;
  for (const part of parts) {
    const behind = part === parts[0] || (parts[0] === 'equal' && part === 'keyed') ? begin.behind : undefined;
    const from = await fromOf(part, behind);
    const page = selectPage(plan, part, from, { behind, limit: search.limit + 1 - rows.length, offset });
    const found = await db.allUncached<Row>(page.sql, page.params);
    total ??= found[0]?.total ?? undefined;
    rows.push(...found.filter((row) => row.link_row !== null));
    if (rows.length > search.limit) break;
    if (from.kind === 'list' && from.upto !== undefined) return { rows, total, isTruncated: true };
    if (offset > 0 && part !== parts.at(-1))
      offset = rows.length > 0 ? 0 : offset - (await partSize(plan, part, from));
  }
  return { rows, total, isTruncated: false };
}

/** Reads the list in its order. @param most maximum number of links per part; undefined if there is no limit */
async function walk(plan: Plan, begin: Start, most: number | undefined): Promise<LinkPage> {
  return readPage(plan, begin, async (part, behind) => ({
    kind: 'list',
    upto: most === undefined ? undefined : await endOfWalk(plan, part, behind, most),
  }));
}

async function readFromSource(plan: Plan, begin: Start): Promise<LinkPage> {
  const from: From = {
    kind: 'source',
    source: await sourceOf(plan.db, plan.accountId, plan.search, plan.tags),
  };
  return readPage(plan, begin, async () => from);
}

/** Returns the position at which reading a list stops after `most` links; undefined when the list has fewer links. */
async function endOfWalk(
  plan: Plan,
  part: Part,
  behind: PagePosition | undefined,
  most: number,
): Promise<PagePosition | undefined> {
  const { sql, params } = selectPart({ ...plan, conditions: [] }, part, { kind: 'index' }, behind);
  const found = await plan.db.allUncached<{ sort_key: Value; tie: Value }>(`${sql} LIMIT 1 OFFSET ?`, [
    ...params,
    most,
  ]);
  return found[0] && { key: found[0].sort_key, tie: found[0].tie };
}

/** Counts the matching links of a part. If a page's offset skips all of them, the page starts in the next part. */
async function partSize(plan: Plan, part: Part, from: From): Promise<number> {
  const { sql, params } = selectPart(plan, part, from, undefined);
  const source = from.kind === 'source' ? from.source : undefined;
  const candidates = source === undefined ? '' : `WITH candidates AS MATERIALIZED (${source.sql})`;
  const counted = `${candidates} SELECT COUNT(*) AS links FROM (${sql}) AS part`;
  return (await runCount(plan, piece(counted, ...(source?.params ?? []), ...params))).links;
}

async function runCount({ db }: Plan, { sql, params }: SqlPiece): Promise<{ links: number }> {
  const [row] = await db.allUncached<{ links: number }>(sql, params);
  return row ?? { links: 0 };
}

/** Returns the total of a list that was read in order; null when it is too expensive and not required. */
async function totalInOrder(plan: Plan): Promise<number | null> {
  const { db, accountId, search, conditions } = plan;
  const filters = conditions.length - (search.folder.kind === 'all' ? 0 : 1);
  if (filters === 0) return linkCount(db, accountId, search.folder);
  // Most lists exclude archived links. Archived links are few and indexed, so they are counted and subtracted.
  if (filters === 1 && search.archived === false)
    return (await linkCount(db, accountId, search.folder)) - (await countArchived(plan));
  const isSmall = (await linkCount(db, accountId, { kind: 'all' })) <= (search.walked ?? maxCountedLinks);
  if (!isSmall && search.total === 'cheap') return null;
  return (await runCount(plan, countMatches(plan, { kind: 'list' }))).links;
}

/** Counts the archived links in the folders that a search covers. */
async function countArchived(plan: Plan): Promise<number> {
  const search = { ...plan.search, archived: true };
  const conditions = conditionsOf(search, plan.tags);
  return (await runCount(plan, countMatches({ ...plan, search, conditions }, { kind: 'list' }))).links;
}
