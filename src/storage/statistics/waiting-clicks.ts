import { crc32 } from 'node:zlib';
import { clickLayout, readClicks } from '../../domain/clicks/click-records.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { openSegment, type Segment } from '../../statistics/columns/segment.ts';
import type { Db } from '../db/db.ts';
import { isWaiting } from '../statements/clicks/event-window.ts';
import { type AccountDay, createDayBuilder } from './day-builder.ts';

/** Clicks that are applied and not yet in columns. */
export interface WaitingBatch {
  readonly id: number;
  readonly clicks: number;
  readonly days: readonly AccountDay[];
}

export interface WaitingClicks {
  /** In the order of their ids. @param max how many clicks are enough; those of one batch at least */
  read(db: Db, max?: number): Promise<readonly WaitingBatch[]>;
  /** Those of an account as segments, by day. */
  segmentsOf(batches: readonly WaitingBatch[], accountId: number): ReadonlyMap<number, readonly Segment[]>;
}

// Batches of a newer version beside this one are left to it.
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
  const segments = new WeakMap<AccountDay, Segment>();

  const segmentOf = (of: AccountDay): Segment => {
    let segment = segments.get(of);
    if (segment === undefined) {
      segment = openSegment(encodeSegment(of.clicks, { keepsHashes: true, isPlain: true }));
      segments.set(of, segment);
    }
    return segment;
  };

  return {
    async read(db, max = Number.POSITIVE_INFINITY) {
      const found = new Map<string, WaitingBatch>();
      let clicks = 0;
      for (let after = 0, isLast = false; !isLast && clicks < max; ) {
        const rows = await db.all<Row>(someBatches, [after]);
        for (const row of rows) {
          if (clicks >= max) break;
          const key = `${row.id} ${row.records.length} ${crc32(row.records)}`;
          found.set(key, kept.get(key) ?? decode(row));
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
        byDay.set(of.day, [...(byDay.get(of.day) ?? []), segmentOf(of)]);
      }
      return byDay;
    },
  };
}

function decode({ id, layout, clicks, records }: Row): WaitingBatch {
  const builder = createDayBuilder();
  readClicks({ layout, clicks, bytes: records }, builder.add);
  return { id, clicks, days: builder.days() };
}
