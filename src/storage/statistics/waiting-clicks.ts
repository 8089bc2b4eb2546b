import { crc32 } from 'node:zlib';
import { clickLayout } from '../../model/clicks/click-records.ts';
import type { Segment } from '../../statistics/columns/segment.ts';
import type { Db } from '../db/db.ts';
import { isWaiting } from '../statements/clicks/event-window.ts';
import { type DayRecords, segmentOfRecords, splitByDay } from './day-records.ts';

/** Clicks that are applied and not yet with those of their days. */
export interface WaitingBatch {
  readonly id: number;
  readonly clicks: number;
  readonly days: readonly DayRecords[];
}

export interface WaitingClicks {
  /** In the order of their ids. @param max how many clicks are enough; those of one batch at least */
  read(db: Db, max?: number): Promise<readonly WaitingBatch[]>;
  /** Those of an account as segments, by day. */
  segmentsOf(batches: readonly WaitingBatch[], accountId: number): ReadonlyMap<number, readonly Segment[]>;
}

// Batches of a newer version in addition to this one are left to it.
const someBatches = `
  SELECT id, layout, clicks, records FROM click_batches
  WHERE id > ? AND layout <= ${clickLayout} AND ${isWaiting} ORDER BY id LIMIT 16`;

interface Row {
  readonly id: number;
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array<ArrayBuffer>;
}

/** What was read once is kept until it is folded: a page of statistics asks several questions about the same clicks. */
export function createWaitingClicks(): WaitingClicks {
  // A number may be given again, to other clicks.
  let kept = new Map<string, WaitingBatch>();
  const segments = new WeakMap<DayRecords, Segment>();

  return {
    async read(db, max = Number.POSITIVE_INFINITY) {
      const found = new Map<string, WaitingBatch>();
      let clicks = 0;
      for (let after = 0, isLast = false; !isLast && clicks < max; ) {
        const rows = await db.all<Row>(someBatches, [after]);
        for (const row of rows) {
          if (clicks >= max) break;
          const key = `${row.id} ${row.records.length} ${crc32(row.records)}`;
          found.set(key, kept.get(key) ?? split(row));
          clicks += row.clicks;
        }
        after = rows.at(-1)?.id ?? after;
        isLast = rows.length < 16;
      }
      if (max === Number.POSITIVE_INFINITY) kept = found;
      return [...found.values()];
    },
    segmentsOf(batches, accountId) {
      const byDay = new Map<number, Segment[]>();
      for (const of of batches.flatMap(({ days }) => days)) {
        if (of.accountId !== accountId) continue;
        const segment = segments.get(of) ?? segmentOfRecords([of]);
        segments.set(of, segment);
        byDay.getOrInsertComputed(of.day, () => []).push(segment);
      }
      return byDay;
    },
  };
}

function split({ id, layout, clicks, records }: Row): WaitingBatch {
  return { id, clicks, days: splitByDay({ layout, bytes: records }) };
}
