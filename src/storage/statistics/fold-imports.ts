import { type ClickRecords, clickLayout } from '../../model/clicks/click-records.ts';
import { msPerHour } from '../../model/timestamps.ts';
import { capWords } from '../../statistics/columns/cap-words.ts';
import { type DayClicks, pickClicks } from '../../statistics/columns/day-clicks.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { codedDimensions, combinedDimensions } from '../../statistics/columns/dimensions.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { joinSegments } from '../../statistics/columns/merge.ts';
import { indexDay } from '../../statistics/columns/sort.ts';
import type { Db } from '../db/db.ts';
import { queryInGroups } from '../db/in-groups.ts';
import {
  type ColumnsChange,
  type ColumnsRow,
  columnsState,
  type SegmentKey,
} from '../statements/clicks/click-columns.ts';
import type { ImportedChange, ImportedClicks } from '../statements/clicks/imported-clicks.ts';
import { hostsOf } from '../statements/finding/link-domains.ts';
import { createdLinks, importToFold } from '../statements/imports/continue.ts';
import { findLastHours } from './last-hours.ts';
import { type Fold, nextNumber, type Planning } from './planning.ts';
import { rowsOfSegment } from './rows.ts';
import { listSegments, type StoredSegment } from './stored-segments.ts';

interface ImportRow {
  readonly import_row: number;
  readonly source_row: number;
  readonly account_id: number;
  readonly state: 'counting' | 'removing';
  readonly progress: number;
}

/** The `source` of an import's segments is this offset plus the row number of the import. */
const importSourceOffset = 2 ** 32;

/**
 * Moves an import's days into columns, in that import's own segments. If another import from the same import source
 * already has clicks for a link on that day, the import with more clicks wins. The other import's clicks get a negative
 * `source`, until an undo restores them.
 */
export async function foldImports(planning: Planning): Promise<Fold | undefined> {
  const { db } = planning;
  // Recalculates the links' last hours first, so that none is left to recalculate when an undo ends.
  const lastHours = await findLastHours(planning);
  if (lastHours !== undefined) return lastHours;
  const found = await db.get<ImportRow>(importToFold, []);
  if (found === undefined) return undefined;
  const isImport = found.state === 'counting';
  const { days, removedTo } = await (isImport ? foldImportedDays : removeDays)(planning, found);
  const imported: ImportedChange = {
    importRow: found.import_row,
    sourceRow: found.source_row,
    accountId: found.account_id,
    days: isImport ? days.map(({ day }) => day) : [],
    emptied: isImport ? [] : days.flatMap(({ day, isEmptied }) => (isEmptied ? day : [])),
    unchangedClicks: days.reduce((sum, { unchanged }) => sum + unchanged, 0),
    links: linkChanges(days),
    ...(removedTo !== undefined && { removedTo }),
  };
  const change: ColumnsChange = {
    state: await columnsState(db),
    batches: [],
    removedPieces: [],
    pieces: [],
    rollups: [],
    removed: days.flatMap(({ removed }) => removed),
    added: days.flatMap(({ added }) => added),
    imported,
  };
  return { change, hasMore: true };
}

/** The changes to one day of one account. */
interface FoldedDay {
  readonly day: number;
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  /** Number of clicks added (+) or removed (-), by link and hour. */
  readonly sums: ReadonlyMap<string, number>;
  /** Number of clicks in the import that were already counted. */
  readonly unchanged: number;
  /** True if no clicks from the import source remain on that day. */
  readonly isEmptied: boolean;
}

interface FoldedDays {
  readonly days: readonly FoldedDay[];
  readonly removedTo?: number;
}

interface DayOfImport {
  readonly accountId: number;
  readonly day: number;
  /** The `source` number of this import's segments. */
  readonly own: number;
  /** All segments from the import source on that day, including segments that a later import replaced. */
  readonly stored: readonly StoredSegment[];
}

const importsOfSource = 'SELECT import_row FROM imports WHERE account_id = ? AND source_row = ?';

async function createDayReader(
  { db }: Planning,
  { account_id: accountId, source_row, import_row }: ImportRow,
) {
  const imports = await db.all<{ import_row: number }>(importsOfSource, [accountId, source_row]);
  const sources = new Set(imports.map((row) => importSourceOffset + row.import_row));
  return async (day: number): Promise<DayOfImport> => {
    const all = (await listSegments(db, accountId, day, day, true)).get(day) ?? [];
    const stored = all.filter(({ source }) => sources.has(Math.abs(source)));
    return { accountId, day, own: importSourceOffset + import_row, stored };
  };
}

const daysOfImport = `
  SELECT day, CAST(SUM(clicks) AS BIGINT) AS clicks FROM import_clicks
  WHERE import_row = ? AND layout <= ${clickLayout} GROUP BY day ORDER BY day LIMIT ?`;
const piecesOfDay = `
  SELECT layout, clicks, records AS bytes FROM import_clicks WHERE import_row = ? AND day = ? ORDER BY piece`;
const isKnownDay = 'SELECT day FROM import_days WHERE source_row = ? AND day = ?';

async function foldImportedDays(planning: Planning, row: ImportRow): Promise<FoldedDays> {
  const { db, limits } = planning;
  const { import_row, source_row } = row;
  const days = await db.all<{ day: number; clicks: number }>(daysOfImport, [import_row, limits.days]);
  const readDay = await createDayReader(planning, row);
  const setDomains = await createDomainSetter(db, row.account_id);
  const folded: FoldedDay[] = [];
  let left = limits.clicks;
  for (const { day, clicks } of days) {
    if (left <= 0) break;
    left -= clicks;
    const of = await readDay(day);
    const isGone = of.stored.length === 0 && (await db.get(isKnownDay, [source_row, day])) !== undefined;
    // That day's columns were deleted because of their age. The day's clicks are still in the totals, so they are not
    // added again.
    if (isGone) {
      folded.push({ day, removed: [], added: [], sums: new Map(), unchanged: clicks, isEmptied: false });
      continue;
    }
    const rows = await db.all<ClickRecords>(piecesOfDay, [import_row, day]);
    const pieces = rows.map(({ bytes, ...piece }) => ({ ...piece, bytes: new Uint8Array(bytes) }));
    folded.push(await foldImportedDay(planning, of, await setDomains(decodeClicks(pieces))));
  }
  return { days: folded };
}

const spacesOf = (links: string): string =>
  `SELECT link_row, space FROM links WHERE space <> '' AND link_row IN (${links})`;

/** Returns a function that sets the domain of imported clicks to their link's domain. */
async function createDomainSetter(
  db: Db,
  accountId: number,
): Promise<(clicks: DayClicks) => Promise<DayClicks>> {
  const hosts = await hostsOf(db, accountId);
  const hostOf = new Map<number, string>();
  return async (clicks) => {
    if (hosts.size === 0) return clicks;
    const unknown = [...new Set(clicks.link)].filter((link) => !hostOf.has(link));
    for (const link of unknown) hostOf.set(link, '');
    const rows = await queryInGroups<{ link_row: number; space: string }>(db, spacesOf, [], unknown);
    for (const { link_row, space } of rows) hostOf.set(link_row, hosts.get(space) ?? '');
    const words = [...clicks.words];
    const places = new Map([['', 0]]);
    const { domain } = clicks.combined;
    for (let at = 0; at < clicks.length; at += 1)
      domain[at] = places.getOrInsertComputed(
        hostOf.get(clicks.link[at] as number) ?? '',
        (host) => words.push(host) - 1,
      );
    return { ...clicks, words };
  };
}

interface ReadSegment {
  readonly stored: StoredSegment;
  readonly clicks: DayClicks;
}

async function readSegments(
  { db, segments }: Planning,
  stored: readonly StoredSegment[],
): Promise<ReadSegment[]> {
  return Promise.all(
    stored.map(async (one) => ({ stored: one, clicks: joinSegments([await segments.read(db, one)], false) })),
  );
}

/**
 * Moves an import's clicks into a day. A link's clicks do not change if the import has the same clicks as before, or
 * fewer.
 */
async function foldImportedDay(planning: Planning, of: DayOfImport, given: DayClicks): Promise<FoldedDay> {
  const change = await createDayChange(planning, of);
  const before = await readSegments(
    planning,
    of.stored.filter(({ source }) => source > 0),
  );
  const had = countsOf(...before.map(({ clicks }) => clicks));
  const counts = countsOf(given);
  const equal = new Set([...counts].flatMap(([link, count]) => (had.get(link) === count ? link : [])));
  const [previous, added] = [
    fingerprints(
      before.map(({ clicks }) => clicks),
      equal,
    ),
    fingerprints([given], equal),
  ];
  const taken = new Set<number>();
  let unchanged = 0;
  for (const [link, count] of counts) {
    const there = had.get(link) ?? 0;
    const isImport = count > there || (count === there && previous.get(link) !== added.get(link));
    if (isImport) taken.add(link);
    unchanged += isImport ? there : count;
  }
  for (const { stored, clicks } of before) change.move(stored, clicks, taken, -stored.source);
  change.add(
    selectClicks(given, (link) => taken.has(link)),
    of.own,
  );
  return { ...change.folded(), unchanged };
}

const daysOfSource = `
  SELECT day FROM import_days WHERE source_row = ? AND day >= ? ORDER BY day LIMIT ?`;

/**
 * Removes an import's clicks from the columns. This includes clicks on links that the import did not create, and clicks
 * on links that it created and that have been deleted. If a link that the import created still exists, because it was
 * changed later, it keeps its clicks.
 */
async function removeDays(planning: Planning, row: ImportRow): Promise<FoldedDays> {
  const { db, limits } = planning;
  const created = await db.all<{ link_row: number; deleted_at: number | null }>(createdLinks, [
    row.import_row,
  ]);
  const isGone = new Map(created.map(({ link_row, deleted_at }) => [link_row, deleted_at !== null]));
  const days = await db.all<{ day: number }>(daysOfSource, [row.source_row, row.progress, limits.days]);
  if (days.length === 0) return { days: [], removedTo: -1 };
  const readDay = await createDayReader(planning, row);
  const folded: FoldedDay[] = [];
  let left = limits.clicks;
  let removedTo = row.progress;
  for (const { day } of days) {
    if (left <= 0) break;
    const of = await readDay(day);
    left -= of.stored.reduce((sum, { clicks }) => sum + clicks, 0);
    removedTo = day + 1;
    const one = await removeDay(planning, of, isGone);
    if (one.removed.length > 0) folded.push(one);
  }
  return { days: folded, removedTo };
}

/** @param isGone for each link that the import created, whether the link was deleted */
async function removeDay(
  planning: Planning,
  of: DayOfImport,
  isGone: ReadonlyMap<number, boolean>,
): Promise<FoldedDay> {
  const change = await createDayChange(planning, of);
  const isOwn = ({ source }: StoredSegment): boolean => Math.abs(source) === of.own;
  const restorable = new Set<number>();
  for (const { stored, clicks } of await readSegments(planning, of.stored)) {
    const links = new Set(clicks.link);
    const removed = new Set([...links].filter((link) => isGone.get(link) ?? isOwn(stored)));
    if (isOwn(stored) && stored.source > 0)
      for (const link of removed) if (!isGone.has(link)) restorable.add(link);
    change.move(stored, clicks, removed, 0);
  }
  if (restorable.size === 0) return { ...change.folded(), unchanged: 0 };
  // For each link and day, the remaining import with the most clicks counts. If several have equally many, the latest
  // of them counts.
  const replaced = of.stored.filter((stored) => stored.source < 0 && !isOwn(stored));
  const best = new Map<number, { readonly count: number; readonly stored: StoredSegment }>();
  const read = await readSegments(
    planning,
    replaced.sort((a, b) => b.source - a.source),
  );
  for (const { stored, clicks } of read)
    for (const [link, count] of countsOf(clicks))
      if (restorable.has(link) && count >= (best.get(link)?.count ?? 0)) best.set(link, { count, stored });
  for (const { stored, clicks } of read) {
    const back = new Set([...best].flatMap(([link, from]) => (from.stored === stored ? link : [])));
    change.move(stored, clicks, back, -stored.source);
  }
  return { ...change.folded(), unchanged: 0 };
}

/**
 * Collects the changes to a day. Segments cannot be changed in place, so a changed segment is rewritten as a new
 * segment.
 */
async function createDayChange({ db }: Planning, { accountId, day, stored: all }: DayOfImport) {
  const sums = new Map<string, number>();
  const removed = new Map<StoredSegment, DayClicks>();
  const written: { source: number; clicks: DayClicks }[] = [];
  const first = await nextNumber(db, accountId, day);
  const count = (clicks: DayClicks, by: number): void => {
    for (let at = 0; at < clicks.length; at += 1) {
      const key = sumKey(clicks, at, day);
      sums.set(key, (sums.get(key) ?? 0) + by);
    }
  };
  const add = (clicks: DayClicks, source: number): void => {
    if (clicks.length === 0 || source === 0) return;
    written.push({ source, clicks });
    if (source > 0) count(clicks, 1);
  };
  return {
    add,
    /** Moves the clicks of the given links to another `source` number. With 0, removes the clicks. */
    move(stored: StoredSegment, clicks: DayClicks, links: ReadonlySet<number>, to: number): void {
      const there = removed.get(stored) ?? clicks;
      const moved = selectClicks(there, (link) => links.has(link));
      if (moved.length === 0) return;
      removed.set(
        stored,
        selectClicks(there, (link) => !links.has(link)),
      );
      if (stored.source > 0) count(moved, -1);
      add(moved, to);
    },
    folded() {
      for (const [{ source }, clicks] of removed) if (clicks.length > 0) written.push({ source, clicks });
      const added = written.flatMap(({ source, clicks }, at) =>
        encodeSealed({ accountId, day, segment: first + at }, source, clicks),
      );
      const isEmptied = all.every((one) => removed.has(one)) && added.length === 0;
      return { day, sums, removed: [...removed.keys()], added, isEmptied };
    },
  };
}

function countsOf(...all: readonly DayClicks[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { link } of all) for (const row of link) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

/** Returns a fingerprint of each link's clicks, to compare the clicks of two imports. */
function fingerprints(all: readonly DayClicks[], links: ReadonlySet<number>): ReadonlyMap<number, string> {
  const prints = new Map<number, string[]>();
  if (links.size === 0) return new Map();
  for (const clicks of all) {
    const texts = [
      clicks.region,
      clicks.referrer,
      ...combinedDimensions.map((name) => clicks.combined[name]),
    ];
    for (let at = 0; at < clicks.length; at += 1) {
      const link = clicks.link[at] as number;
      if (!links.has(link)) continue;
      const codes = codedDimensions.map((name) => clicks.codes[name][at]);
      const words = texts.map((column) => clicks.words[column[at] as number]);
      prints.getOrInsertComputed(link, () => []).push([clicks.second[at], ...codes, ...words].join('\n'));
    }
  }
  return new Map([...prints].map(([link, list]) => [link, list.sort().join('\n\n')]));
}

function selectClicks(clicks: DayClicks, isPicked: (link: number) => boolean): DayClicks {
  const places: number[] = [];
  for (let at = 0; at < clicks.length; at += 1) if (isPicked(clicks.link[at] as number)) places.push(at);
  return places.length === clicks.length ? clicks : pickClicks(clicks, places);
}

function encodeSealed(key: SegmentKey, source: number, clicks: DayClicks): ColumnsRow[] {
  const index = indexDay(clicks);
  const file = encodeSegment(capWords(clicks, index), { keepsHashes: false, packing: 'quick' }, index);
  return rowsOfSegment(key, file, { isSealed: true, isEstimated: false, source });
}

function sumKey(clicks: DayClicks, at: number, day: number): string {
  const hour = day * 24 + Math.floor((clicks.second[at] as number) / (msPerHour / 1_000));
  return `${clicks.link[at]} ${hour}`;
}

/** Returns the changes to link totals, in the order in which writers lock the totals. */
function linkChanges(days: readonly FoldedDay[]): ImportedClicks[] {
  const links = new Map<number, ImportedClicks>();
  for (const { sums } of days)
    for (const [key, clicks] of sums) {
      if (clicks === 0) continue;
      const [link = 0, hour = 0] = key.split(' ').map(Number);
      const of = links.get(link) ?? { link, clicks: 0, lastAdded: 0, lastRemoved: 0 };
      links.set(link, {
        link,
        clicks: of.clicks + clicks,
        lastAdded: Math.max(of.lastAdded, clicks > 0 ? hour : 0),
        lastRemoved: Math.max(of.lastRemoved, clicks < 0 ? hour : 0),
      });
    }
  return [...links.values()].sort((a, b) => a.link - b.link);
}
