import { lastSealedDay } from '../../model/clicks/click-days.ts';
import type { ClickRecords } from '../../model/clicks/click-records.ts';
import { maxClicksPerRequest } from '../../model/webhooks/clicks.ts';
import { capWords } from '../../statistics/columns/cap-words.ts';
import type { DayClicks } from '../../statistics/columns/day-clicks.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { indexDay } from '../../statistics/columns/sort.ts';
import type { Db } from '../db/db.ts';
import {
  type ColumnsChange,
  type ColumnsRow,
  columnsState,
  isKnownPiece,
  type PieceKey,
  type PieceRow,
} from '../statements/clicks/click-columns.ts';
import { clickListeners, partsOf, type WebhookClickBatch } from '../statements/clicks/webhook-clicks.ts';
import { importToFold } from '../statements/imports/continue.ts';
import { type DayRecords, joinRecords } from './day-records.ts';
import { foldImports } from './fold-imports.ts';
import type { FoldLimits } from './options.ts';
import { type Fold, nextNumber, type Planning, usualLimits } from './planning.ts';
import { rowsOfSegment } from './rows.ts';
import { sealDays } from './seal.ts';
import { listPieces, readPiece, type StoredPiece } from './stored-pieces.ts';

/**
 * Plans the next step of the folding, in a snapshot: clicks that wait, clicks of an import, or days that have ended. Nothing is
 * changed.
 * @param planNumber of these steps: clicks that wait are not looked at first in every other one, as there are always new ones
 * @returns undefined when there is nothing to do
 */
export async function planFold(
  db: Db,
  tools: Pick<Planning, 'waiting' | 'pieces' | 'segments' | 'sortClicks'>,
  now: number,
  limits: Partial<FoldLimits> = {},
  planNumber = 0,
): Promise<Fold | undefined> {
  const planning = {
    db,
    ...tools,
    now,
    sealedDay: lastSealedDay(now),
    limits: { ...usualLimits, ...limits },
  };
  const kinds = [foldBatches, foldImports, sealDays];
  for (const kind of planNumber % 2 === 0 ? kinds : kinds.toReversed()) {
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
  const ofDays = taken.flatMap((batch) => batch.days);
  const change = await addDays(planning, ofDays);
  const clicks = taken.reduce((sum, batch) => sum + batch.clicks, 0);
  const hasMore =
    taken.length < found.length ||
    clicks >= limits.clicks ||
    change.pieces.some(({ day }) => day <= planning.sealedDay) ||
    (await db.get(otherWork, [planning.sealedDay, planning.sealedDay])) !== undefined;
  const batches = taken.map(({ id }) => id);
  return { change: { ...change, batches, told: await webhookClickBatches(planning, ofDays) }, hasMore };
}

/** Of clicks those that endpoints are told of, in parts that take as long to read as one request has room for. */
async function webhookClickBatches(
  { db, now: at }: Planning,
  records: readonly DayRecords[],
): Promise<WebhookClickBatch[]> {
  const listeners = await clickListeners(db);
  const told = Map.groupBy(
    records.filter(({ accountId }) => listeners.has(accountId)),
    ({ accountId }) => accountId,
  );
  return [...told].flatMap(([accountId, ofAccount]) =>
    joinRecords(ofAccount).flatMap((joined) =>
      [...partsOf(joined, maxClicksPerRequest)].map((part) => ({ ...part, accountId, at })),
    ),
  );
}

const otherWork = `
  SELECT 1 AS found FROM (${importToFold}) AS i
  UNION ALL SELECT 1 FROM (SELECT link_row FROM link_clicks WHERE last_hour < 0 LIMIT 1) AS k
  UNION ALL SELECT 1 FROM (SELECT day FROM click_columns WHERE is_sealed = 0 AND day <= ? LIMIT 1) AS c
  UNION ALL SELECT 1 FROM (SELECT day FROM day_records WHERE day <= ? AND ${isKnownPiece} LIMIT 1) AS d`;

/**
 * Adds clicks to the days of accounts: their records stay as they are until a day has enough of them for a segment, or has ended.
 */
async function addDays(planning: Planning, records: readonly DayRecords[]): Promise<ColumnsChange> {
  const { db, limits } = planning;
  const state = await columnsState(db);
  const removedPieces: PieceKey[] = [];
  const pieces: PieceRow[] = [];
  const added: ColumnsRow[] = [];
  for (const ofDay of Map.groupBy(records, ({ accountId, day }) => `${accountId} ${day}`).values()) {
    const [{ accountId, day }] = ofDay as [DayRecords];
    const stored = await listPieces(db, accountId, day, day);
    const number = await nextNumber(db, accountId, day);
    const isEnough = clicksOf(stored) + clicksOf(ofDay) >= limits.clicksOfColumns;
    const merged = isEnough ? stored : piecesToMerge(stored, clicksOf(ofDay));
    const all = [...(await Promise.all(merged.map((piece) => readPiece(db, piece)))), ...ofDay];
    removedPieces.push(...merged);
    if (isEnough && day > planning.sealedDay)
      added.push(...openSegmentOf({ accountId, day, segment: number }, decodeClicks(all)));
    else
      for (const [at, { layout, clicks, bytes }] of joinRecords(all).entries())
        pieces.push({ accountId, day, piece: number + at, layout, clicks, records: bytes });
  }
  return { state, batches: [], removedPieces, pieces, removed: [], added, rollups: [] };
}

function openSegmentOf(
  key: { readonly accountId: number; readonly day: number; readonly segment: number },
  clicks: DayClicks,
): ColumnsRow[] {
  const index = indexDay(clicks);
  const file = encodeSegment(capWords(clicks, index), { keepsHashes: true }, index);
  return rowsOfSegment(key, file, { isSealed: false, isEstimated: false });
}

function clicksOf(records: readonly Pick<ClickRecords, 'clicks'>[]): number {
  return records.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** So many pieces of a size, and they become one of the next size. */
const fanOut = 8;

function sizeOf(clicks: number): number {
  return Math.floor(Math.log(clicks) / Math.log(fanOut));
}

/**
 * The last pieces of a day that become one with new clicks: so each click is written again only a few times, and a day has
 * few pieces.
 */
function piecesToMerge(stored: readonly StoredPiece[], newClicks: number): readonly StoredPiece[] {
  let clicks = newClicks;
  let merged = 0;
  for (;;) {
    let further = 0;
    let sum = clicks;
    for (const { clicks: of } of stored.slice(0, stored.length - merged).toReversed()) {
      if (sizeOf(of) > sizeOf(clicks)) break;
      sum += of;
      further += 1;
    }
    if (further < fanOut - 1) return merged === 0 ? [] : stored.slice(-merged);
    merged += further;
    clicks = sum;
  }
}
