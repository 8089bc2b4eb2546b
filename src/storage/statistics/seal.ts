import { capWords } from '../../statistics/columns/cap-words.ts';
import type { DayClicks } from '../../statistics/columns/day-clicks.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { joinSegments } from '../../statistics/columns/merge.ts';
import { indexDay } from '../../statistics/columns/sort.ts';
import { type DayPart, rollUpDay } from '../../statistics/rollup.ts';
import {
  type ColumnsChange,
  type ColumnsRow,
  columnsState,
  isKnownPiece,
  type PieceKey,
  type RollupRow,
  type SegmentKey,
} from '../statements/clicks/click-columns.ts';
import { segmentOfRecords } from './day-records.ts';
import { type Fold, nextNumber, type Planning } from './planning.ts';
import { rowsOfSegment } from './rows.ts';
import { listPieces, readPiece, type StoredPiece } from './stored-pieces.ts';
import { listSegments, type StoredSegment } from './stored-segments.ts';

const daysToSeal = `
  SELECT account_id, day, CAST(SUM(clicks) AS BIGINT) AS clicks FROM (
    SELECT account_id, day, clicks FROM click_columns WHERE is_sealed = 0 AND block = 0 AND day <= ?
    UNION ALL SELECT account_id, day, clicks FROM day_records WHERE day <= ? AND ${isKnownPiece}
  ) AS o GROUP BY day, account_id ORDER BY day, account_id LIMIT ?`;

/** Creates one segment of each day that has ended, in which nothing tells who visitors were, and sums it up. */
export async function sealDays(planning: Planning): Promise<Fold | undefined> {
  const { db, limits, sealedDay } = planning;
  const days = await db.all<{ account_id: number; day: number; clicks: number }>(daysToSeal, [
    sealedDay,
    sealedDay,
    limits.days,
  ]);
  // Clicks that wait already are told from the others' visitors before that ends.
  const batches = days.length === 0 ? [] : await planning.waiting.read(db);
  const open = new Set(batches.flatMap((batch) => batch.days.map((of) => `${of.accountId} ${of.day}`)));
  const over = days.filter((of) => !open.has(`${of.account_id} ${of.day}`));
  if (over.length === 0) return undefined;
  const sealed: SealedDay[] = [];
  let left = limits.clicks;
  for (const { account_id, day, clicks } of over) {
    if (left <= 0) break;
    left -= clicks;
    sealed.push(await sealDay(planning, account_id, day));
  }
  const change: ColumnsChange = {
    state: await columnsState(db),
    batches: [],
    removedPieces: sealed.flatMap(({ removedPieces }) => removedPieces),
    pieces: [],
    removed: sealed.flatMap(({ removed }) => removed),
    added: sealed.flatMap(({ added }) => added),
    rollups: sealed.flatMap(({ rollups }) => rollups),
  };
  return { change, hasMore: true };
}

interface SealedDay {
  readonly removedPieces: readonly PieceKey[];
  readonly removed: readonly SegmentKey[];
  readonly added: readonly ColumnsRow[];
  readonly rollups: readonly RollupRow[];
}

/** Of a day that was sealed before, segments of fewer clicks become one with those that came later. */
const clicksOfSmall = 32_768;

async function sealDay(planning: Planning, accountId: number, day: number): Promise<SealedDay> {
  const { db, limits } = planning;
  const pieces = await listPieces(db, accountId, day, day);
  const all = (await listSegments(db, accountId, day, day)).get(day) ?? [];
  // Imported ones stay by themselves, so that another import can replace them.
  const stored = all.filter(({ source }) => source === 0);
  // What comes after a day was sealed cannot be told from the visitors that are in it already.
  const isLate = stored.some(({ isSealed }) => isSealed);
  const removed = stored.filter(({ isSealed, clicks }) => !isSealed || clicks < clicksOfSmall);
  const parts = await clicksInParts(planning, pieces, removed);
  // In several segments a visitor of two of them counts twice.
  const isEstimated = isLate || parts.length > 1 || removed.some((one) => one.isEstimated);
  const number = await nextNumber(db, accountId, day);
  const added = parts.flatMap((part, at) =>
    rowsOfSegment(
      { accountId, day, segment: number + at },
      encodeSegment(part.clicks, { keepsHashes: false }, part.index),
      {
        isSealed: true,
        isEstimated,
      },
    ),
  );
  const clicks = parts.reduce((sum, part) => sum + part.clicks.length, 0);
  const isWhole = removed.length === all.length;
  if (!isWhole || clicks < limits.clicksOfRollup)
    return { removedPieces: pieces, removed, added, rollups: [] };
  const { sums: bytes, linkSums: linkBytes } = rollUpDay(parts);
  const rollup = { accountId, day, clicks, isEstimated, bytes, linkBytes };
  return { removedPieces: pieces, removed, added, rollups: [rollup] };
}

/** The clicks of a day, all together when they are not too many. */
async function clicksInParts(
  { db, segments, limits }: Planning,
  pieces: readonly StoredPiece[],
  stored: readonly StoredSegment[],
): Promise<readonly DayPart[]> {
  const records = await Promise.all(pieces.map((piece) => readPiece(db, piece)));
  if (stored.length === 0) return [partOf(decodeClicks(records))];
  const groups: StoredSegment[][] = [[]];
  let clicks = pieces.reduce((sum, piece) => sum + piece.clicks, 0);
  for (const one of stored) {
    if (clicks > 0 && clicks + one.clicks > limits.clicksOfSegment) {
      groups.push([]);
      clicks = 0;
    }
    groups.at(-1)?.push(one);
    clicks += one.clicks;
  }
  const parts: DayPart[] = [];
  for (const [at, group] of groups.entries()) {
    const read = await Promise.all(group.map((one) => segments.read(db, one)));
    // Segments are of clicks that came before those of pieces.
    const further = at === 0 && records.length > 0 ? [segmentOfRecords(records)] : [];
    parts.push(partOf(joinSegments([...read, ...further], false)));
  }
  return parts;
}

function partOf(clicks: DayClicks): DayPart {
  const index = indexDay(clicks);
  return { clicks: capWords(clicks, index), index };
}
