import { lastSealedDay } from '../../domain/clicks/click-days.ts';
import { capWords } from '../../statistics/columns/cap-words.ts';
import type { DayClicks } from '../../statistics/columns/day-clicks.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { joinSegments } from '../../statistics/columns/merge.ts';
import { openSegment, type Segment } from '../../statistics/columns/segment.ts';
import { leastClicksOfRollup, rollUpDay } from '../../statistics/rollup.ts';
import type { Db } from '../db/db.ts';
import {
  type ColumnsChange,
  type ColumnsRow,
  columnsState,
  type EarlierClicks,
  type RollupRow,
  type SegmentKey,
} from '../statements/clicks/click-columns.ts';
import { type AccountDay, createDayBuilder } from './day-builder.ts';
import type { FoldLimits } from './options.ts';
import { rowsOfSegment, type SegmentState } from './rows.ts';
import { listSegments, type SegmentReader, type StoredSegment } from './stored-segments.ts';
import type { WaitingClicks } from './waiting-clicks.ts';

const usualLimits: FoldLimits = {
  ...{ clicks: 60_000, days: 300, clicksOfSegment: 2_000_000 },
  clicksOfRollup: leastClicksOfRollup,
};

/** One step of the folding, and whether there was more to do than it does. */
export interface Fold {
  readonly change: ColumnsChange;
  readonly hasMore: boolean;
}

interface Planning {
  readonly db: Db;
  readonly waiting: WaitingClicks;
  readonly segments: SegmentReader;
  /** Days up to this one are over. */
  readonly sealedDay: number;
  readonly limits: FoldLimits;
}

/**
 * Plans the next step of the folding, in a snapshot: clicks that wait, clicks from before the upgrade, or days that are over.
 * Nothing is changed.
 * @param turn of these steps: clicks that wait are not looked at first in every other one, as there are always new ones
 * @returns undefined when there is nothing to do
 */
export async function planFold(
  db: Db,
  tools: Pick<Planning, 'waiting' | 'segments'>,
  now: number,
  limits: Partial<FoldLimits> = {},
  turn = 0,
): Promise<Fold | undefined> {
  const planning = {
    ...{ db, ...tools, sealedDay: lastSealedDay(now) },
    limits: { ...usualLimits, ...limits },
  };
  const kinds = [foldBatches, foldEarlier, sealDays];
  for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) {
    const fold = await kind(planning);
    if (fold !== undefined) return fold;
  }
  return undefined;
}

async function foldBatches(planning: Planning): Promise<Fold | undefined> {
  const { db, waiting, limits } = planning;
  const found = await waiting.read(db, limits.clicks);
  const days = new Set<string>();
  const taken = found.filter((batch, at) => {
    for (const { accountId, day } of batch.days) days.add(`${accountId} ${day}`);
    return at === 0 || days.size <= limits.days;
  });
  if (taken.length === 0) return undefined;
  const change = await addDays(planning, joinBatches(taken.flatMap((batch) => batch.days)));
  const clicks = taken.reduce((sum, batch) => sum + batch.clicks, 0);
  const hasMore =
    taken.length < found.length ||
    clicks >= limits.clicks ||
    (await db.get(otherWork, [planning.sealedDay])) !== undefined;
  return { change: { ...change, batches: taken.map(({ id }) => id) }, hasMore };
}

const otherWork = `
  SELECT 1 AS found FROM (SELECT day FROM earlier_clicks LIMIT 1) AS e
  UNION ALL SELECT 1 FROM (SELECT day FROM click_columns WHERE is_sealed = 0 AND day <= ? LIMIT 1) AS c`;

/** The clicks of each account and day, those of earlier batches first. */
function joinBatches(days: readonly AccountDay[]): readonly (AccountDay & { parts: readonly Segment[] })[] {
  const joined = new Map<string, AccountDay & { parts: Segment[] }>();
  for (const of of days) {
    const key = `${of.accountId} ${of.day}`;
    const known = joined.get(key) ?? { ...of, parts: [] };
    known.parts.push(openSegment(encodeSegment(of.clicks, { keepsHashes: true, isPlain: true })));
    joined.set(key, known);
  }
  return [...joined.values()];
}

const someEarlier = `
  SELECT account_id, day, link_row, hour, class, clicks FROM earlier_clicks
  ORDER BY account_id, day, link_row, hour, class LIMIT 5000`;

interface EarlierRow {
  readonly account_id: number;
  readonly day: number;
  readonly link_row: number;
  readonly hour: number;
  readonly class: number;
  readonly clicks: number;
}

async function foldEarlier(planning: Planning): Promise<Fold | undefined> {
  const { db, limits } = planning;
  const rows = await db.all<EarlierRow>(someEarlier, []);
  if (rows.length === 0) return undefined;
  const builder = createDayBuilder();
  const earlier: EarlierClicks[] = [];
  let left = limits.clicks;
  for (const { account_id: accountId, link_row: linkRow, ...row } of rows) {
    if (left === 0) break;
    const sum = { ...row, accountId, linkRow, clicks: Math.min(left, row.clicks) };
    left -= sum.clicks;
    earlier.push(sum);
    builder.addEarlier(sum);
  }
  // They have no visitors to tell, so there is no need to leave them open.
  const days = builder.days().map((of) => ({ ...of, isSealed: true }));
  return { change: { ...(await addDays(planning, days)), earlier }, hasMore: true };
}

type NewClicks = AccountDay & { readonly parts?: readonly Segment[]; readonly isSealed?: boolean };

/** Adds clicks to the days of accounts, each in a segment, and puts small segments together. */
async function addDays(planning: Planning, days: readonly NewClicks[]): Promise<ColumnsChange> {
  const state = await columnsState(planning.db);
  const removed: SegmentKey[] = [];
  const added: ColumnsRow[] = [];
  for (const of of days) {
    const { accountId, day } = of;
    const stored = (await listSegments(planning.db, accountId, day, day)).get(day) ?? [];
    // What comes after a day was sealed cannot be told from the visitors that are in it already.
    const isLate =
      day <= planning.sealedDay && stored.length > 0 && stored.every((segment) => segment.isSealed);
    const isSealed = of.isSealed === true || isLate;
    const segment = 1 + Math.max(0, ...stored.map((one) => one.segment));
    const parts = of.parts ?? [openSegment(encodeSegment(of.clicks, { keepsHashes: false, isPlain: true }))];
    const merged = segmentsToMerge(stored, clicksOf(parts), isSealed, planning.limits);
    const isEstimated = (isLate && of.isSealed !== true) || merged.some((one) => one.isEstimated);
    const rows = await join(planning, merged, parts, isSealed && of.isSealed !== true);
    added.push(...pack({ accountId, day, segment }, rows, { isSealed, isEstimated }));
    removed.push(...merged);
  }
  return { state, batches: [], earlier: [], removed, added, rollups: [] };
}

function clicksOf(segments: readonly { readonly rows: number }[]): number {
  return segments.reduce((sum, { rows }) => sum + rows, 0);
}

/** So many segments of a size, and they become one of the next size. */
const fanOut = 8;

function sizeOf(clicks: number): number {
  return Math.floor(Math.log(clicks) / Math.log(fanOut));
}

/**
 * The last segments of a day that become one with new clicks: so each click is written again only a few times, and a day has
 * few segments.
 */
function segmentsToMerge(
  stored: readonly StoredSegment[],
  newClicks: number,
  isSealed: boolean,
  { clicksOfSegment }: FoldLimits,
): readonly StoredSegment[] {
  const alike = stored.filter((segment) => segment.isSealed === isSealed);
  let clicks = newClicks;
  let merged = 0;
  for (;;) {
    let further = 0;
    let sum = clicks;
    for (const { clicks: of } of alike.slice(0, alike.length - merged).reverse()) {
      if (sizeOf(of) > sizeOf(clicks) || sum + of > clicksOfSegment) break;
      sum += of;
      further += 1;
    }
    if (further < fanOut - 1) return merged === 0 ? [] : alike.slice(-merged);
    merged += further;
    clicks = sum;
  }
}

/** @param dropsHashes of what has them */
async function join(
  { db, segments }: Planning,
  stored: readonly StoredSegment[],
  further: readonly Segment[],
  dropsHashes: boolean,
): Promise<{ readonly clicks: DayClicks; readonly keepsHashes: boolean }> {
  const read = await Promise.all(stored.map((one) => segments.read(db, one)));
  const all = [...read, ...further];
  const keepsHashes = !dropsHashes && all.every(({ hashes }) => hashes !== undefined);
  return { clicks: joinSegments(all, keepsHashes), keepsHashes };
}

function pack(
  key: SegmentKey,
  { clicks, keepsHashes }: { readonly clicks: DayClicks; readonly keepsHashes: boolean },
  state: SegmentState,
): ColumnsRow[] {
  return rowsOfSegment(key, encodeSegment(capWords(clicks), { keepsHashes }), state);
}

const daysToSeal = `
  SELECT account_id, day, CAST(SUM(clicks) AS BIGINT) AS clicks FROM click_columns
  WHERE is_sealed = 0 AND block = 0 AND day <= ?
  GROUP BY day, account_id ORDER BY day, account_id LIMIT ?`;

/** Makes one segment of each day that is over, in which nothing tells who visitors were, and sums it up. */
async function sealDays(planning: Planning): Promise<Fold | undefined> {
  const { db, limits, sealedDay } = planning;
  const days = await db.all<{ account_id: number; day: number; clicks: number }>(daysToSeal, [
    sealedDay,
    limits.days,
  ]);
  // Clicks that wait already are told from the others' visitors before that ends.
  const batches = days.length === 0 ? [] : await planning.waiting.read(db);
  const open = new Set(batches.flatMap((batch) => batch.days.map((of) => `${of.accountId} ${of.day}`)));
  const over = days.filter((of) => !open.has(`${of.account_id} ${of.day}`));
  if (over.length === 0) return undefined;
  const state = await columnsState(db);
  const removed: SegmentKey[] = [];
  const added: ColumnsRow[] = [];
  const rollups: RollupRow[] = [];
  let left = limits.clicks;
  for (const { account_id: accountId, day, clicks } of over) {
    if (left <= 0) break;
    left -= clicks;
    const stored = (await listSegments(db, accountId, day, day)).get(day) ?? [];
    const sealed = await sealDay(planning, stored);
    removed.push(...stored);
    added.push(...sealed.added);
    rollups.push(...sealed.rollups);
  }
  return { change: { state, batches: [], earlier: [], removed, added, rollups }, hasMore: true };
}

async function sealDay(
  planning: Planning,
  stored: readonly StoredSegment[],
): Promise<{ readonly added: readonly ColumnsRow[]; readonly rollups: readonly RollupRow[] }> {
  const [first] = stored;
  if (first === undefined) return { added: [], rollups: [] };
  const { accountId, day } = first;
  const all = stored.reduce((sum, { clicks }) => sum + clicks, 0);
  const isTooMuch = all > planning.limits.clicksOfSegment;
  // In several segments a visitor of two of them counts twice.
  const state = { isSealed: true, isEstimated: isTooMuch || stored.some(({ isEstimated }) => isEstimated) };
  const added: ColumnsRow[] = [];
  const opened: Segment[] = [];
  let segment = Math.max(...stored.map((one) => one.segment));
  for (const group of isTooMuch ? stored.map((one) => [one]) : [stored]) {
    const { clicks } = await join(planning, group, [], true);
    const file = encodeSegment(capWords(clicks), { keepsHashes: false });
    segment += 1;
    added.push(...rowsOfSegment({ accountId, day, segment }, file, state));
    opened.push(openSegment(file));
  }
  if (all < planning.limits.clicksOfRollup) return { added, rollups: [] };
  const { sums: bytes, linkSums: linkBytes } = rollUpDay(opened);
  const rollup = { accountId, day, clicks: all, isEstimated: state.isEstimated, bytes, linkBytes };
  return { added, rollups: [rollup] };
}
