import { idText } from '../../../model/ids.ts';
import {
  type FoundLinks,
  isCodePrefix,
  type LinkSearch,
  type LinkSort,
} from '../../../model/links/link-search.ts';
import type { Db, Value } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { linkCount } from '../groups/link-counts.ts';
import { conditionsOf, joined, liveOf, type Piece, piece } from './link-conditions.ts';
import { appliedTo, type LinkRow, linkColumns, storedLinkOf } from './link-reads.ts';
import { hasSource, sourceOf } from './link-sources.ts';
import { type TagsOfSearch, tagsOfSearch } from './link-tags.ts';

/** How a list is sorted. Links without a key, such as a title, follow (or come first) from the newest on. */
interface Order {
  /** What it is sorted by, an expression, and what decides between equals. */
  readonly key: string;
  readonly tie: 'id' | 'link_row';
  /** A column that is null in links without a key; undefined where all have one. */
  readonly nullable?: string;
  /** Whether the key is one of `link_clicks k`, which holds the account too. */
  readonly ofClicks?: true;
  /** Whether no key stands for the least one, so that those links come first in rising order. */
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
 * Where links are taken from: from the list in its order, or from a source, to be sorted. Of the list's index alone some may be
 * deleted, or belong to the other part.
 */
type From =
  | { readonly kind: 'index' }
  | { readonly kind: 'list'; readonly upto?: PagePosition | undefined }
  | { readonly kind: 'source'; readonly source: Piece };

interface PagePosition {
  readonly key: Value;
  /** Of the link. */
  readonly tie: Value;
}

/**
 * Links with the key of the place behind which a page begins; those that have a key, beyond that one; those that have none. The first
 * two are asked for apart, because SQLite does not find a place by both columns of every index.
 */
type Part = 'equal' | 'keyed' | 'keyless';

interface Plan {
  readonly db: Db;
  readonly accountId: number;
  readonly search: LinkSearch;
  readonly tags: TagsOfSearch;
  readonly conditions: readonly Piece[];
}

interface SearchColumns {
  readonly total: number | null;
  readonly applied_to: number;
  readonly sort_key: number | string | null;
}
type Row = SearchColumns & (LinkRow | { link_row: null });

/** The tables of a select of links in their order, and the condition for links of the account. */
function tablesOf({ accountId, search }: Plan, part: Part, from: From): { tables: string; own: Piece } {
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

/** Which of a link's columns decides between links with equal keys. Links without one are in the order of their ids. */
function tieOf(order: Order, part: Part): string {
  if (part === 'keyless') return 'l.id';
  return `${order.ofClicks ? 'k' : 'l'}.${order.tie}`;
}

function directionOf({ order }: LinkSearch, part: Part): 'ASC' | 'DESC' {
  return part !== 'keyless' && order === 'asc' ? 'ASC' : 'DESC';
}

/** The links of one part behind the place given, in their order. */
function selectOf(plan: Plan, part: Part, from: From, behind: PagePosition | undefined): Piece {
  const order = orders[plan.search.sort];
  const { tables, own } = tablesOf(plan, part, from);
  const direction = directionOf(plan.search, part);
  const tie = tieOf(order, part);
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

/** How many links match: those of the whole list, or of a source. */
function countOf(plan: Plan, from: From): Piece {
  const { tables, own } = tablesOf({ ...plan, search: { ...plan.search, sort: 'createdAt' } }, 'keyed', from);
  const { sql, params } = joined([own, ...plan.conditions], ' AND ');
  return piece(`SELECT COUNT(*) AS links FROM ${tables} WHERE ${sql}`, ...params);
}

/** A page of one part with all about its links, and the clicks of the same snapshot; of a source with its total. */
function pageOf(plan: Plan, part: Part, from: From, { behind, limit, offset }: Slice): Piece {
  const chosen = selectOf(plan, part, from, behind);
  const [source, total] =
    from.kind === 'source' ? [from.source, countOf(plan, from)] : [undefined, piece('CAST(NULL AS BIGINT)')];
  const direction = directionOf(plan.search, part);
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

/** So many links of a list are looked through before it is known whether a source, which takes some milliseconds, does better. */
const walkedFirst = 1_000;
/** So many times as many are looked through at most. */
const longestWalk = 8;
/** What is met farther on may be rarer. */
const margin = 1.3;
/** In an account of so many links, matching ones are always counted. */
const mostCounted = 4_000;

/**
 * Live links that a search finds. What many links have is soon found in the order of the list; what few have is found by an
 * index, and sorted. So the first links of the list are looked through. When they do not fill the page, what was met among them
 * indicates whether to look farther, or to ask the index.
 */
export async function findLinks(db: Db, accountId: number, search: LinkSearch): Promise<FoundLinks> {
  const words = search.words.filter((word) => !isCodePrefix(word));
  const tags = await tagsOfSearch(db, accountId, words, search.tags?.names ?? []);
  const plan: Plan = { db, accountId, search, tags, conditions: conditionsOf(search, tags) };
  const begin = await beginningOf(plan);
  if (begin === undefined) return { links: [], total: null, last: null };
  const { walked = walkedFirst } = search;
  let taken = await walk(plan, begin, hasSource(search) ? walked : undefined);
  const enough = (walked * margin * (search.offset + search.limit + 1)) / taken.rows.length;
  if (taken.isCut && enough <= walked * longestWalk) taken = await walk(plan, begin, Math.ceil(enough));
  const { rows, total } = taken.isCut ? await gather(plan, begin) : taken;
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  return {
    links: page.map((row) => ({ link: storedLinkOf(row), appliedTo: row.applied_to })),
    total: total ?? (await totalInOrder(plan)),
    last: last && rows.length > search.limit ? { key: last.sort_key, id: idText(last.id) } : null,
  };
}

interface Beginning {
  /** Those that are left, in their order. */
  readonly parts: readonly Part[];
  readonly behind: PagePosition | undefined;
}

const rowById = 'SELECT link_row FROM links WHERE account_id = ? AND id = ?';

/** @returns undefined for a place behind a link that is not known */
async function beginningOf({ db, accountId, search }: Plan): Promise<Beginning | undefined> {
  const { behind } = search;
  const order = orders[search.sort];
  if (behind === undefined) return { parts: partsOf(search), behind: undefined };
  const all = partsOf(search);
  const parts: readonly Part[] =
    behind.key === null && order.nullable !== undefined
      ? all.slice(all.indexOf('keyless'))
      : ['equal', ...all.slice(all.indexOf('keyed'))];
  if (tieOf(order, parts[0] as Part) === 'l.id')
    return { parts, behind: { key: behind.key, tie: idBytes(behind.id) } };
  const row = await db.get<{ link_row: number }>(rowById, [accountId, idBytes(behind.id)]);
  return row && { parts, behind: { key: behind.key, tie: row.link_row } };
}

/** The parts of a whole list, in their order. */
function partsOf({ sort, order }: LinkSearch): readonly Part[] {
  const { nullable, nullsSortAsLeast } = orders[sort];
  if (nullable === undefined) return ['keyed'];
  return nullsSortAsLeast && order === 'asc' ? ['keyless', 'keyed'] : ['keyed', 'keyless'];
}

interface LinkPage {
  readonly rows: readonly (LinkRow & SearchColumns)[];
  /** Undefined where it was not counted. */
  readonly total: number | undefined;
  /** Whether a part of the list was looked through only up to a place, and the page is not full. */
  readonly isCut: boolean;
}

/** Takes a page part by part, and one link beyond it, which indicates whether another page follows. */
async function readPage(
  plan: Plan,
  begin: Beginning,
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
    const page = pageOf(plan, part, from, { behind, limit: search.limit + 1 - rows.length, offset });
    const told = await db.ask<Row>(page.sql, page.params);
    total ??= told[0]?.total ?? undefined;
    rows.push(...told.filter((row) => row.link_row !== null));
    if (rows.length > search.limit) break;
    if (from.kind === 'list' && from.upto !== undefined) return { rows, total, isCut: true };
    if (offset > 0 && part !== parts.at(-1))
      offset = rows.length > 0 ? 0 : offset - (await sizeOf(plan, part, from));
  }
  return { rows, total, isCut: false };
}

/** Looks through the list in its order. @param most so many links of a part at most; undefined for all */
async function walk(plan: Plan, begin: Beginning, most: number | undefined): Promise<LinkPage> {
  return readPage(plan, begin, async (part, behind) => ({
    kind: 'list',
    upto: most === undefined ? undefined : await endOfWalk(plan, part, behind, most),
  }));
}

async function gather(plan: Plan, begin: Beginning): Promise<LinkPage> {
  const from: From = {
    kind: 'source',
    source: await sourceOf(plan.db, plan.accountId, plan.search, plan.tags),
  };
  return readPage(plan, begin, async () => from);
}

/** The place up to which a list is looked through; undefined when it ends before. */
async function endOfWalk(
  plan: Plan,
  part: Part,
  behind: PagePosition | undefined,
  most: number,
): Promise<PagePosition | undefined> {
  const { sql, params } = selectOf({ ...plan, conditions: [] }, part, { kind: 'index' }, behind);
  const found = await plan.db.ask<{ sort_key: Value; tie: Value }>(`${sql} LIMIT 1 OFFSET ?`, [
    ...params,
    most,
  ]);
  return found[0] && { key: found[0].sort_key, tie: found[0].tie };
}

/** How many links of a part match: a page behind them begins in the next part. */
async function sizeOf(plan: Plan, part: Part, from: From): Promise<number> {
  const { sql, params } = selectOf(plan, part, from, undefined);
  const source = from.kind === 'source' ? from.source : undefined;
  const candidates = source === undefined ? '' : `WITH candidates AS MATERIALIZED (${source.sql})`;
  const counted = `${candidates} SELECT COUNT(*) AS links FROM (${sql}) AS part`;
  return (await asked(plan, piece(counted, ...(source?.params ?? []), ...params))).links;
}

async function asked({ db }: Plan, { sql, params }: Piece): Promise<{ links: number }> {
  const [row] = await db.ask<{ links: number }>(sql, params);
  return row ?? { links: 0 };
}

/** The total of a list that was looked through in its order, as far as it is wanted. */
async function totalInOrder(plan: Plan): Promise<number | null> {
  const { db, accountId, search, conditions } = plan;
  const filters = conditions.length - (search.folder.kind === 'all' ? 0 : 1);
  if (filters === 0) return linkCount(db, accountId, search.folder);
  // What a list without the links that were put away is, as a rule: they are few, and found by an index.
  if (filters === 1 && search.archived === false)
    return (await linkCount(db, accountId, search.folder)) - (await archivedIn(plan));
  const isSmall = (await linkCount(db, accountId, { kind: 'all' })) <= (search.walked ?? mostCounted);
  if (!isSmall && search.total === 'cheap') return null;
  return (await asked(plan, countOf(plan, { kind: 'list' }))).links;
}

/** How many links of the folders that a list is of were put away. */
async function archivedIn(plan: Plan): Promise<number> {
  const search = { ...plan.search, archived: true };
  const conditions = conditionsOf(search, plan.tags);
  return (await asked(plan, countOf({ ...plan, search, conditions }, { kind: 'list' }))).links;
}
