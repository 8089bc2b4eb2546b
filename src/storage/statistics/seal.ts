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

/** Seals ended days: merges their clicks into segments without visitor identifiers, and computes their sums. */
export async function sealDays(planning: Planning): Promise<Fold | undefined> {
  const { db, limits, sealedDay } = planning;
  const days = await db.all<{ account_id: number; day: number; clicks: number }>(daysToSeal, [
    sealedDay,
    sealedDay,
    limits.days,
  ]);
  // Does not seal a day while some of its clicks are still in batches, so that their visitors can be compared with the
  // day's other visitors.
  const batches = days.length === 0 ? [] : await planning.waiting.read(db);
  const open = new Set(batches.flatMap((batch) => batch.days.map((of) => `${of.accountId} ${of.day}`)));
  const ended = days.filter((of) => !open.has(`${of.account_id} ${of.day}`));
  if (ended.length === 0) return undefined;
  const sealed: SealedDay[] = [];
  let left = limits.clicks;
  for (const { account_id, day, clicks } of ended) {
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

/** Segments of a sealed day that have fewer clicks than this are merged with clicks that arrive later. */
const smallSegmentClicks = 32_768;

async function sealDay(planning: Planning, accountId: number, day: number): Promise<SealedDay> {
  const { db, limits } = planning;
  const pieces = await listPieces(db, accountId, day, day);
  const all = (await listSegments(db, accountId, day, day)).get(day) ?? [];
  // Imported segments stay separate, so that another import can replace them.
  const stored = all.filter(({ source }) => source === 0);
  // The visitors of late clicks cannot be compared with those in the sealed segment.
  const isLate = stored.some(({ isSealed }) => isSealed);
  const removed = stored.filter(({ isSealed, clicks }) => !isSealed || clicks < smallSegmentClicks);
  const parts = await clicksInParts(planning, pieces, removed);
  // A visitor who appears in several segments is counted once in each segment.
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
  const isComplete = removed.length === all.length;
  if (!isComplete || clicks < limits.minRollupClicks)
    return { removedPieces: pieces, removed, added, rollups: [] };
  const { sums: bytes, linkSums: linkBytes } = rollUpDay(parts);
  const rollup = { accountId, day, clicks, isEstimated, bytes, linkBytes };
  return { removedPieces: pieces, removed, added, rollups: [rollup] };
}

/** Reads a day's clicks, in several parts if there are too many. */
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
    if (clicks > 0 && clicks + one.clicks > limits.maxSegmentClicks) {
      groups.push([]);
      clicks = 0;
    }
    groups.at(-1)?.push(one);
    clicks += one.clicks;
  }
  const parts: DayPart[] = [];
  for (const [at, group] of groups.entries()) {
    const read = await Promise.all(group.map((one) => segments.read(db, one)));
    // The clicks in segments are older than the clicks in pieces, so the pieces come last.
    const further = at === 0 && records.length > 0 ? [segmentOfRecords(records)] : [];
    parts.push(partOf(joinSegments([...read, ...further], false)));
  }
  return parts;
}

function partOf(clicks: DayClicks): DayPart {
  const index = indexDay(clicks);
  return { clicks: capWords(clicks, index), index };
}
