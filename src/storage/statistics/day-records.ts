import { dayOf } from '../../model/clicks/click-days.ts';
import { type ClickRecords, createRecordReader } from '../../model/clicks/click-records.ts';
import { decodeClicks } from '../../statistics/columns/decode.ts';
import { encodeSegment } from '../../statistics/columns/encode.ts';
import { openSegment, type Segment } from '../../statistics/columns/segment.ts';

/** Click records of one account and UTC day, in one layout. */
export interface DayRecords extends ClickRecords {
  readonly accountId: number;
  readonly day: number;
}

/** Splits records by account and day. Copies the bytes of the records, and decodes only their account and time. */
export function splitByDay(records: Omit<ClickRecords, 'clicks'>): readonly DayRecords[] {
  const days = new Map<number, Map<number, RecordRange[]>>();
  const reader = createRecordReader(records);
  let last: RecordRange | undefined;
  while (reader.next()) {
    const { account, start, end, count } = reader;
    const day = dayOf(reader.at);
    if (last !== undefined && last.accountId === account && last.day === day) {
      last.end = end;
      last.clicks += count;
      continue;
    }
    last = { accountId: account, day, start, end, clicks: count };
    const ofAccount = days.getOrInsertComputed(account, () => new Map<number, RecordRange[]>());
    ofAccount.getOrInsertComputed(day, () => []).push(last);
  }
  return [...days.values()].flatMap((ofAccount) =>
    [...ofAccount.values()].map((ranges) => copyRanges(records.layout, reader.bytes, ranges)),
  );
}

/** Consecutive records of one account and day. */
interface RecordRange {
  readonly accountId: number;
  readonly day: number;
  readonly start: number;
  end: number;
  clicks: number;
}

function copyRanges(layout: number, bytes: Uint8Array, ranges: readonly RecordRange[]): DayRecords {
  const [{ accountId, day }] = ranges as [RecordRange];
  return {
    accountId,
    day,
    layout,
    clicks: ranges.reduce((sum, { clicks }) => sum + clicks, 0),
    bytes: concat(ranges.map(({ start, end }) => bytes.subarray(start, end))),
  };
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Concatenates records that have the same layout. */
export function joinRecords(parts: readonly ClickRecords[]): readonly ClickRecords[] {
  return [...Map.groupBy(parts, ({ layout }) => layout)].map(([layout, same]) => ({
    layout,
    clicks: same.reduce((sum, { clicks }) => sum + clicks, 0),
    bytes: concat(same.map(({ bytes }) => bytes)),
  }));
}

/** Returns an in-memory segment for records of one account and day. */
export function segmentOfRecords(pieces: readonly ClickRecords[]): Segment {
  return openSegment(encodeSegment(decodeClicks(pieces), { keepsHashes: true, packing: 'plain' }));
}
