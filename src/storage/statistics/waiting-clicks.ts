import { crc32 } from 'node:zlib';
import { clickLayout } from '../../model/clicks/click-records.ts';
import type { Segment } from '../../statistics/columns/segment.ts';
import type { Db } from '../db/db.ts';
import { isWaiting } from '../statements/clicks/event-window.ts';
import { type DayRecords, segmentOfRecords, splitByDay } from './day-records.ts';

/** A batch of clicks that were applied from a journal but have not been added to their days yet. */
export interface WaitingBatch {
  readonly id: number;
  readonly clicks: number;
  readonly days: readonly DayRecords[];
}

export interface WaitingClicks {
  /** Reads batches in id order. @param max number of clicks after which reading stops; at least one batch is read */
  read(db: Db, max?: number): Promise<readonly WaitingBatch[]>;
  /** Returns an account's clicks as segments, by day. */
  segmentsOf(batches: readonly WaitingBatch[], accountId: number): ReadonlyMap<number, readonly Segment[]>;
}

// Ignores batches written by a newer version of the program.
const batchesAfter = `
  SELECT id, layout, clicks, records FROM click_batches
  WHERE id > ? AND layout <= ${clickLayout} AND ${isWaiting} ORDER BY id LIMIT 16`;

interface Row {
  readonly id: number;
  readonly layout: number;
  readonly clicks: number;
  readonly records: Uint8Array<ArrayBuffer>;
}

/**
 * Creates a reader that caches batches until they are moved into columns, because a statistics page queries the same
 * clicks several times.
 */
export function createWaitingClicks(): WaitingClicks {
  // The key includes a checksum, because batch ids may be reused.
  let cache = new Map<string, WaitingBatch>();
  const segments = new WeakMap<DayRecords, Segment>();

  return {
    async read(db, max = Number.POSITIVE_INFINITY) {
      const found = new Map<string, WaitingBatch>();
      let clicks = 0;
      for (let after = 0, isLast = false; !isLast && clicks < max; ) {
        const rows = await db.all<Row>(batchesAfter, [after]);
        for (const row of rows) {
          if (clicks >= max) break;
          const key = `${row.id} ${row.records.length} ${crc32(row.records)}`;
          found.set(key, cache.get(key) ?? splitBatch(row));
          clicks += row.clicks;
        }
        after = rows.at(-1)?.id ?? after;
        isLast = rows.length < 16;
      }
      if (max === Number.POSITIVE_INFINITY) cache = found;
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

function splitBatch({ id, layout, clicks, records }: Row): WaitingBatch {
  return { id, clicks, days: splitByDay({ layout, bytes: records }) };
}
