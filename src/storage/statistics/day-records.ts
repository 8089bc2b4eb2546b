import { dayOf } from '../../model/clicks/click-days.ts';
import { type ClickRecords, createRecordReader } from '../../model/clicks/click-records.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { openSegment, type Segment } from '../../statistics/columns/segment.ts';

/** Clicks of one account and UTC day, as records of one layout. */
export interface DayRecords extends ClickRecords {
  readonly accountId: number;
  readonly day: number;
}

/**
 * Splits records by account and day: their bytes are copied, and nothing of them is read but whose they are and when they
 * were.
 */
export function splitByDay(records: Omit<ClickRecords, 'clicks'>): readonly DayRecords[] {
  const days = new Map<number, Map<number, Range[]>>();
  const reader = createRecordReader(records);
  let last: Range | undefined;
  while (reader.next()) {
    const { account, start, end, count } = reader;
    const day = dayOf(reader.at);
    if (last !== undefined && last.accountId === account && last.day === day) {
      last.end = end;
      last.clicks += count;
      continue;
    }
    last = { accountId: account, day, start, end, clicks: count };
    const ofAccount = days.getOrInsertComputed(account, () => new Map<number, Range[]>());
    ofAccount.getOrInsertComputed(day, () => []).push(last);
  }
  return [...days.values()].flatMap((ofAccount) =>
    [...ofAccount.values()].map((ranges) => copied(records.layout, reader.bytes, ranges)),
  );
}

/** Records that follow each other and are of one day. */
interface Range {
  readonly accountId: number;
  readonly day: number;
  readonly start: number;
  end: number;
  clicks: number;
}

function copied(layout: number, bytes: Uint8Array, ranges: readonly Range[]): DayRecords {
  const [{ accountId, day }] = ranges as [Range];
  return {
    accountId,
    day,
    layout,
    clicks: ranges.reduce((sum, { clicks }) => sum + clicks, 0),
    bytes: joined(ranges.map(({ start, end }) => bytes.subarray(start, end))),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Puts records together, one after the other, as far as they are of one layout. */
export function joinRecords(parts: readonly ClickRecords[]): readonly ClickRecords[] {
  return [...Map.groupBy(parts, ({ layout }) => layout)].map(([layout, same]) => ({
    layout,
    clicks: same.reduce((sum, { clicks }) => sum + clicks, 0),
    bytes: joined(same.map(({ bytes }) => bytes)),
  }));
}

/** A segment to be read now, of records of one account and day. */
export function segmentOfRecords(pieces: readonly ClickRecords[]): Segment {
  return openSegment(encodeSegment(decodeClicks(pieces), { keepsHashes: true, packing: 'plain' }));
}
