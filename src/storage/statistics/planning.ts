import { leastClicksOfRollup } from '../../statistics/rollup.ts';
import type { Db } from '../db/db.ts';
import type { ColumnsChange } from '../statements/clicks/click-columns.ts';
import type { FoldLimits } from './options.ts';
import type { StoredPiece } from './stored-pieces.ts';
import { listSegments, type SegmentReader } from './stored-segments.ts';
import type { WaitingClicks } from './waiting-clicks.ts';

export const usualLimits: FoldLimits = {
  clicks: 131_072,
  days: 300,
  clicksOfColumns: 65_536,
  clicksOfSegment: 2_000_000,
  clicksOfRollup: leastClicksOfRollup,
};

/** One step of the folding, and whether there was more to do than it does. */
export interface Fold {
  readonly change: ColumnsChange;
  readonly hasMore: boolean;
}

export interface Planning {
  readonly db: Db;
  readonly waiting: WaitingClicks;
  readonly segments: SegmentReader;
  /** Days up to this one are over. */
  readonly sealedDay: number;
  readonly limits: FoldLimits;
}

/** Segments and pieces of a day share their numbers: a reader may keep what it read by them. */
export async function nextNumber(
  db: Db,
  accountId: number,
  day: number,
  pieces: readonly StoredPiece[],
): Promise<number> {
  const segments = (await listSegments(db, accountId, day, day)).get(day) ?? [];
  return 1 + Math.max(0, ...segments.map(({ segment }) => segment), ...pieces.map(({ piece }) => piece));
}
