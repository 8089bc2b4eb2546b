import { lastSealedDay } from '../../model/clicks/click-days.ts';
import type { ClickRecords } from '../../model/clicks/click-records.ts';
import { maxClicksPerRequest } from '../../model/webhooks/clicks.ts';
import { hasFaults, isFaulty } from '../../runtime/fault-points.ts';
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
import { clickListeners, splitRecords, type WebhookClickBatch } from '../statements/clicks/webhook-clicks.ts';
import { importToFold } from '../statements/imports/continue.ts';
import { type DayRecords, joinRecords } from './day-records.ts';
import { foldImports } from './fold-imports.ts';
import type { FoldLimits } from './options.ts';
import { defaultLimits, type Fold, nextNumber, type Planning } from './planning.ts';
import { rowsOfSegment } from './rows.ts';
import { sealDays } from './seal.ts';
import { listPieces, readPiece, type StoredPiece } from './stored-pieces.ts';

/**
 * Plans the next step of moving clicks into columns. Call it in a snapshot transaction. The step moves waiting clicks
 * (from `click_batches`), moves an import's clicks, or seals days that have ended. Planning changes nothing.
 * @param planNumber sequence number of this plan. Plans with odd numbers consider waiting clicks last, because with
 * steady traffic some clicks are always waiting
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
    limits: { ...defaultLimits, ...limits },
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
  const maxClicks = hasFaults && isFaulty('smallFold') ? 1 : limits.clicks;
  const found = await waiting.read(db, maxClicks);
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
    clicks >= maxClicks ||
    change.pieces.some(({ day }) => day <= planning.sealedDay) ||
    (await db.get(otherWork, [planning.sealedDay, planning.sealedDay])) !== undefined;
  const batches = taken.map(({ id }) => id);
  return {
    change: { ...change, batches, webhookClicks: await webhookClickBatches(planning, ofDays) },
    hasMore,
  };
}

/** Selects the clicks that webhooks subscribe to, in parts that each fit into one request. */
async function webhookClickBatches(
  { db, now: at }: Planning,
  records: readonly DayRecords[],
): Promise<WebhookClickBatch[]> {
  const listeners = await clickListeners(db);
  const subscribed = Map.groupBy(
    records.filter(({ accountId }) => listeners.has(accountId)),
    ({ accountId }) => accountId,
  );
  return [...subscribed].flatMap(([accountId, ofAccount]) =>
    joinRecords(ofAccount).flatMap((joined) =>
      [...splitRecords(joined, maxClicksPerRequest)].map((part) => ({ ...part, accountId, at })),
    ),
  );
}

const otherWork = `
  SELECT 1 AS found FROM (${importToFold}) AS i
  UNION ALL SELECT 1 FROM (SELECT link_row FROM link_clicks WHERE last_hour < 0 LIMIT 1) AS k
  UNION ALL SELECT 1 FROM (SELECT day FROM click_columns WHERE is_sealed = 0 AND day <= ? LIMIT 1) AS c
  UNION ALL SELECT 1 FROM (SELECT day FROM day_records WHERE day <= ? AND ${isKnownPiece} LIMIT 1) AS d`;

/**
 * Adds clicks to their accounts' days. The click records are stored unchanged until the day has enough clicks for a
 * segment, or has ended.
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
    const isEnough = countClicks(stored) + countClicks(ofDay) >= limits.minSegmentClicks;
    const merged = isEnough ? stored : piecesToMerge(stored, countClicks(ofDay));
    const all = [...(await Promise.all(merged.map((piece) => readPiece(db, piece)))), ...ofDay];
    removedPieces.push(...merged);
    if (isEnough && day > planning.sealedDay)
      added.push(...encodeOpenSegment({ accountId, day, segment: number }, decodeClicks(all)));
    else
      for (const [at, { layout, clicks, bytes }] of joinRecords(all).entries())
        pieces.push({ accountId, day, piece: number + at, layout, clicks, records: bytes });
  }
  return { state, batches: [], removedPieces, pieces, removed: [], added, rollups: [] };
}

function encodeOpenSegment(
  key: { readonly accountId: number; readonly day: number; readonly segment: number },
  clicks: DayClicks,
): ColumnsRow[] {
  const index = indexDay(clicks);
  const file = encodeSegment(capWords(clicks, index), { keepsHashes: true }, index);
  return rowsOfSegment(key, file, { isSealed: false, isEstimated: false });
}

function countClicks(records: readonly Pick<ClickRecords, 'clicks'>[]): number {
  return records.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** This many pieces of one size class are merged into one piece of the next size class. */
const piecesPerMerge = 8;

function sizeClass(clicks: number): number {
  return Math.floor(Math.log(clicks) / Math.log(piecesPerMerge));
}

/**
 * Returns the last pieces of a day to merge with new clicks, so that each click is rewritten only a few times and a
 * day has few pieces.
 */
function piecesToMerge(stored: readonly StoredPiece[], newClicks: number): readonly StoredPiece[] {
  let clicks = newClicks;
  let merged = 0;
  for (;;) {
    let further = 0;
    let sum = clicks;
    for (const { clicks: of } of stored.slice(0, stored.length - merged).toReversed()) {
      if (sizeClass(of) > sizeClass(clicks)) break;
      sum += of;
      further += 1;
    }
    if (further < piecesPerMerge - 1) return merged === 0 ? [] : stored.slice(-merged);
    merged += further;
    clicks = sum;
  }
}
