import type { SortClicks } from '../../statistics/listing/order.ts';
import { minRollupClicks } from '../../statistics/rollup.ts';
import { type Db, one } from '../db/db.ts';
import type { ColumnsChange } from '../statements/clicks/click-columns.ts';
import type { FoldLimits } from './options.ts';
import type { PieceReader } from './stored-pieces.ts';
import type { SegmentReader } from './stored-segments.ts';
import type { WaitingClicks } from './waiting-clicks.ts';

export const defaultLimits: FoldLimits = {
  clicks: 131_072,
  days: 300,
  minSegmentClicks: 65_536,
  maxSegmentClicks: 2_000_000,
  minRollupClicks,
};

/** One step that moves clicks into columns, and whether there is more to do. */
export interface Fold {
  readonly change: ColumnsChange;
  readonly hasMore: boolean;
}

export interface Planning {
  readonly db: Db;
  readonly waiting: WaitingClicks;
  readonly pieces: PieceReader;
  readonly segments: SegmentReader;
  readonly sortClicks: SortClicks;
  /** The current time in ms since the epoch. */
  readonly now: number;
  /** The last day that has ended. */
  readonly sealedDay: number;
  readonly limits: FoldLimits;
}

const maxNumber = `
  SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) AS largest FROM (
    SELECT segment AS number FROM click_columns WHERE account_id = ? AND day = ?
    UNION ALL SELECT piece FROM day_records WHERE account_id = ? AND day = ?
  ) AS n`;

/**
 * Returns the next number for a segment or piece of a day. Segments and pieces share one sequence, because readers
 * cache by number. The number also accounts for segments and pieces that a newer version of the program wrote.
 */
export async function nextNumber(db: Db, accountId: number, day: number): Promise<number> {
  const { largest } = await one<{ largest: number }>(db, maxNumber, [accountId, day, accountId, day]);
  return largest + 1;
}
