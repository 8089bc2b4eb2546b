import { type ClickRecords, clickLayout, createRecordReader } from '../../model/clicks/click-records.ts';
import { msPerHour } from '../../model/timestamps.ts';
import { capWords } from '../../statistics/columns/cap-words.ts';
import { type DayClicks, pickClicks } from '../../statistics/columns/day-clicks.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { joinSegments } from '../../statistics/columns/merge.ts';
import { indexDay } from '../../statistics/columns/sort.ts';
import {
  type ColumnsChange,
  type ColumnsRow,
  columnsState,
  type SegmentKey,
} from '../statements/clicks/click-columns.ts';
import type { ImportedChange } from '../statements/clicks/imported-clicks.ts';
import { importToFold, linksTakenBack } from '../statements/imports/continue.ts';
import { segmentOfRecords } from './day-records.ts';
import { type Fold, nextNumber, type Planning } from './planning.ts';
import { rowsOfSegment } from './rows.ts';
import { listSegments } from './stored-segments.ts';

interface ImportRow {
  readonly import_row: number;
  readonly source_row: number;
  readonly account_id: number;
  readonly state: 'counting' | 'removing';
  readonly progress: number;
}

/**
 * Takes days of an import into columns. They stand beside those of clicks that were counted here, in segments of their source, so
 * that a later import of a link's day replaces what this one brought.
 */
export async function foldImports(planning: Planning): Promise<Fold | undefined> {
  const { db } = planning;
  const found = await db.get<ImportRow>(importToFold, []);
  if (found === undefined) return undefined;
  const folded =
    found.state === 'counting' ? await takeDays(planning, found) : await removeDays(planning, found);
  const { days, removedTo } = folded;
  const imported: ImportedChange = {
    importRow: found.import_row,
    sourceRow: found.source_row,
    accountId: found.account_id,
    days: found.state === 'counting' ? days.map(({ day }) => day) : [],
    emptied: found.state === 'counting' ? [] : days.flatMap(({ day, isEmptied }) => (isEmptied ? day : [])),
    ...sumsOf(days),
    ...(removedTo !== undefined && { removedTo }),
  };
  const change: ColumnsChange = {
    state: await columnsState(db),
    batches: [],
    earlier: [],
    removedPieces: [],
    pieces: [],
    rollups: [],
    removed: days.flatMap(({ removed }) => removed),
    added: days.flatMap(({ added }) => added),
    imported,
  };
  return { change, hasMore: true };
}

/** What becomes of an account's day. */
interface FoldedDay {
  readonly day: number;
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  /** Clicks that come, or go, by link, hour and class. */
  readonly sums: ReadonlyMap<string, number>;
  /** Whether nothing of the source is left on that day. */
  readonly isEmptied: boolean;
}

interface Folded {
  readonly days: readonly FoldedDay[];
  readonly removedTo?: number;
}

const daysOfImport = `
  SELECT day, CAST(SUM(clicks) AS BIGINT) AS clicks FROM import_clicks
  WHERE import_row = ? AND layout <= ${clickLayout} GROUP BY day ORDER BY day LIMIT ?`;
const piecesOfDay = `
  SELECT layout, clicks, records AS bytes FROM import_clicks WHERE import_row = ? AND day = ? ORDER BY piece`;
const isKnownDay = 'SELECT day FROM import_days WHERE source_row = ? AND day = ?';

async function takeDays(
  planning: Planning,
  { import_row, source_row, account_id }: ImportRow,
): Promise<Folded> {
  const { db, limits } = planning;
  const days = await db.all<{ day: number; clicks: number }>(daysOfImport, [import_row, limits.days]);
  const folded: FoldedDay[] = [];
  let left = limits.clicks;
  for (const { day, clicks } of days) {
    if (left <= 0) break;
    left -= clicks;
    const before = await segmentsOf(planning, account_id, source_row, day);
    const isGone = before.length === 0 && (await db.get(isKnownDay, [source_row, day])) !== undefined;
    // Its columns were removed by their age, and are counted in totals.
    if (isGone) {
      folded.push({ day, removed: [], added: [], sums: new Map(), isEmptied: false });
      continue;
    }
    const rows = await db.all<ClickRecords>(piecesOfDay, [import_row, day]);
    const pieces = rows.map(({ bytes, ...row }) => ({ ...row, bytes: new Uint8Array(bytes) }));
    folded.push(
      await foldDay(planning, { accountId: account_id, sourceRow: source_row, day }, before, pieces),
    );
  }
  return { days: folded };
}

type Stored = Awaited<ReturnType<typeof segmentsOf>>;

async function segmentsOf({ db }: Planning, accountId: number, sourceRow: number, day: number) {
  const stored = (await listSegments(db, accountId, day, day)).get(day) ?? [];
  return stored.filter(({ source }) => source === sourceRow);
}

interface DayOfSource {
  readonly accountId: number;
  readonly sourceRow: number;
  readonly day: number;
}

/**
 * @param before segments of the source on that day, no more of them together than a segment may have
 * @param pieces clicks that come
 * @param gone rows of links whose clicks go; those that clicks come of, if it is not given
 */
async function foldDay(
  planning: Planning,
  of: DayOfSource,
  before: Stored,
  pieces: readonly ClickRecords[],
  gone?: ReadonlySet<number>,
): Promise<FoldedDay> {
  const { accountId, day } = of;
  const replaced = gone ?? linksOf(pieces);
  const [first, ...others] = groupsOf(planning, before, pieces);
  const sums = new Map<string, number>();
  const [removed, added]: [Stored[number][], ColumnsRow[]] = [[], []];
  let segment = await nextNumber(planning.db, accountId, day);
  for (const [at, group] of [first, ...others].entries()) {
    const kept = await foldGroup(
      planning,
      of,
      { before: group, pieces: at === 0 ? pieces : [] },
      { replaced, sums },
    );
    if (kept === undefined) continue;
    removed.push(...group);
    if (kept.length > 0) added.push(...sealed({ accountId, day, segment }, of.sourceRow, kept));
    segment += 1;
  }
  const isEmptied = added.length === 0 && removed.length === before.length;
  return { day, sums, removed, added, isEmptied };
}

function linksOf(pieces: readonly ClickRecords[]): ReadonlySet<number> {
  const links = new Set<number>();
  for (const piece of pieces) {
    const reader = createRecordReader(piece);
    while (reader.next()) links.add(reader.row);
  }
  return links;
}

/** Segments that become one with the clicks that come; and each that would be too large with them, alone. */
function groupsOf(
  { limits }: Planning,
  before: Stored,
  pieces: readonly ClickRecords[],
): [Stored, ...Stored[]] {
  const together: Stored[number][] = [];
  const alone: Stored[] = [];
  let clicks = pieces.reduce((sum, piece) => sum + piece.clicks, 0);
  for (const stored of before) {
    const fits = clicks + stored.clicks <= limits.clicksOfSegment;
    if (fits) together.push(stored);
    else alone.push([stored]);
    if (fits) clicks += stored.clicks;
  }
  return [together, ...alone];
}

/** @returns the clicks that stay, the new ones last; undefined when nothing changes */
async function foldGroup(
  { db, segments }: Planning,
  { day }: DayOfSource,
  { before, pieces }: { readonly before: Stored; readonly pieces: readonly ClickRecords[] },
  { replaced, sums }: { readonly replaced: ReadonlySet<number>; readonly sums: Map<string, number> },
): Promise<DayClicks | undefined> {
  const read = await Promise.all(before.map((one) => segments.read(db, one)));
  const old = read.reduce((sum, { rows }) => sum + rows, 0);
  const all =
    old === 0
      ? decodeClicks(pieces)
      : joinSegments([...read, ...(pieces.length === 0 ? [] : [segmentOfRecords(pieces)])], false);
  const stays = (at: number): boolean => at >= old || !replaced.has(all.link[at] as number);
  const places: number[] = [];
  for (let at = 0; at < all.length; at += 1) {
    if (stays(at)) places.push(at);
    const change = at >= old ? 1 : stays(at) ? 0 : -1;
    if (change === 0) continue;
    const key = sumKey(all, at, day);
    sums.set(key, (sums.get(key) ?? 0) + change);
  }
  if (pieces.length === 0 && places.length === all.length) return undefined;
  return places.length === all.length ? all : pickClicks(all, places);
}

function sealed(key: SegmentKey, source: number, clicks: DayClicks): ColumnsRow[] {
  const index = indexDay(clicks);
  const file = encodeSegment(capWords(clicks, index), { keepsHashes: false, packing: 'quick' }, index);
  return rowsOfSegment(key, file, { isSealed: true, isEstimated: false, source });
}

function sumKey(clicks: DayClicks, at: number, day: number): string {
  const hour = day * 24 + Math.floor((clicks.second[at] as number) / (msPerHour / 1_000));
  return `${clicks.link[at]} ${hour} ${clicks.codes.class[at]}`;
}

/** The sums of all days, in the order in which writers lock them, and those of links. */
function sumsOf(days: readonly FoldedDay[]): Pick<ImportedChange, 'sums' | 'links'> {
  const all = days
    .flatMap(({ sums }) => [...sums].map(([key, clicks]) => [...key.split(' ').map(Number), clicks]))
    .filter((sum) => sum[3] !== 0)
    .sort(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => a - d || b - e || c - f);
  const links = new Map<number, { clicks: number; hour: number }>();
  for (const [link = 0, hour = 0, , clicks = 0] of all) {
    const of = links.get(link) ?? { clicks: 0, hour: 0 };
    links.set(link, { clicks: of.clicks + clicks, hour: Math.max(of.hour, clicks > 0 ? hour : 0) });
  }
  return {
    sums: all.flat(),
    links: [...links].flatMap(([link, { clicks, hour }]) => [link, clicks, hour]),
  };
}

const daysOfSource = `
  SELECT day, CAST(SUM(clicks) AS BIGINT) AS clicks FROM click_columns
  WHERE account_id = ? AND source = ? AND block = 0 AND day >= ? GROUP BY day ORDER BY day LIMIT ?`;

/** Clicks of links that an import made and that were taken back leave the columns. */
async function removeDays(planning: Planning, row: ImportRow): Promise<Folded> {
  const { db, limits } = planning;
  const { source_row: sourceRow, account_id: accountId } = row;
  const gone = new Set(
    (await db.all<{ link_row: number }>(linksTakenBack, [row.import_row])).map(({ link_row }) => link_row),
  );
  const days = await db.all<{ day: number; clicks: number }>(daysOfSource, [
    accountId,
    sourceRow,
    row.progress,
    limits.days,
  ]);
  if (days.length === 0 || gone.size === 0) return { days: [], removedTo: -1 };
  const folded: FoldedDay[] = [];
  let left = limits.clicks;
  let removedTo = row.progress;
  for (const { day, clicks } of days) {
    if (left <= 0) break;
    left -= clicks;
    removedTo = day + 1;
    const before = await segmentsOf(planning, accountId, sourceRow, day);
    const one = await foldDay(planning, { accountId, sourceRow, day }, before, [], gone);
    if (one.sums.size > 0) folded.push(one);
  }
  return { days: folded, removedTo };
}
