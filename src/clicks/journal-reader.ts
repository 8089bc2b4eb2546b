import { createClickCollector, withOwners } from '../model/clicks/click-collector.ts';
import type { ClickRecords } from '../model/clicks/click-records.ts';
import { type ClickSums, hourOf } from '../model/clicks/clicks.ts';
import type { LinkReference } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';
import type { Yield } from '../runtime/yield.ts';
import type { RecordFormats, VisitRecord } from './journal/files/records.ts';
import {
  byteOf,
  offsetOf,
  type Piece,
  readRecords,
  readSegment,
  segmentOf,
} from './journal/files/segment.ts';
import { createSums, flatten, type Sums, sumsOfKnown } from './journal/sums.ts';

/** A segment to which nothing is appended any more, and its bytes. */
export interface HeldSegment {
  readonly journal: string;
  readonly segment: number;
  /** Whether it is the journal's last one. */
  readonly last: boolean;
  readonly bytes: Buffer;
}

export interface ReadOptions {
  readonly yieldTurn: Yield;
  /** Called with unreadable bytes, before anything that lies beyond them is applied. */
  readonly onGap?: ((gap: Piece) => Promise<void>) | undefined;
  /** For tests: other record versions than this program knows, and other batches than it makes. */
  readonly formats?: RecordFormats | undefined;
  readonly maxSums?: number | undefined;
  /** Nothing beyond this offset is read. */
  readonly upto?: number;
}

/** Clicks between two offsets of a journal. */
export interface ReadBatch {
  /** Where the sound frames and the reported gaps end. */
  readonly to: number;
  /** The ids of their links in hex. */
  readonly ids: readonly string[];
  /** In place of a link's row, where its id stands. */
  readonly sums: Sums;
  /** The same clicks, one by one. */
  readonly records: readonly ClickRecords[];
  /** How many they are. */
  readonly clicks: number;
  /** What ended it: enough clicks, the segment's end, or a piece that only a newer program can read. */
  readonly end: 'enough' | 'segment' | Piece;
}

/** A batch is one transaction, for which other writes wait, and is what is held in memory. */
const sumsOfBatch = 4_096;
const clicksOfBatch = 32_768;
/** So many records are read before the clock is looked at. */
const recordsAtOnce = 128;

/** Reads the clicks of a segment from an offset on, as many as make a batch, a little in each tick of the event loop. */
async function readBatch(held: HeldSegment, from: number, options: ReadOptions): Promise<ReadBatch> {
  const { yieldTurn, onGap, formats, maxSums = sumsOfBatch, upto = Number.POSITIVE_INFINITY } = options;
  const { bytes, segment } = held;
  const sums = createSums();
  const ids: string[] = [];
  const places = new Map<string, number>();
  const records = createClickCollector();
  let clicks = 0;
  const add: VisitRecord = (linkId, at, classIndex, click) => {
    let place = places.get(linkId);
    if (place === undefined) {
      place = ids.push(linkId) - 1;
      places.set(linkId, place);
    }
    sums.add(place, hourOf(at), classIndex);
    records.addWritten(0, place, click.bytes, click.from, click.to);
    clicks += 1;
  };
  const batch = (to: number, end: ReadBatch['end']): ReadBatch => {
    return { to, ids, sums, records: records.take(), clicks, end };
  };
  const start = segmentOf(from) === segment ? byteOf(from) : 0;
  let to = from;
  for (const piece of readSegment(bytes, held, start, formats)) {
    await yieldTurn();
    if (piece === undefined) continue;
    if (piece.kind === 'unknown') return batch(to, piece);
    const end = offsetOf(segment, piece.end);
    if (end > upto) break;
    if (piece.kind === 'frame') {
      let at = readRecords(bytes, piece, add, undefined, recordsAtOnce, formats);
      while (at < piece.end) {
        await yieldTurn();
        at = readRecords(bytes, piece, add, at, recordsAtOnce, formats);
      }
    } else await onGap?.(piece);
    if (piece.kind !== 'torn') to = end;
    if (sums.count() >= maxSums || clicks >= clicksOfBatch) return batch(to, 'enough');
  }
  return batch(to, 'segment');
}

export interface ApplyOptions extends ReadOptions {
  readonly storage: Pick<Storage, 'appliedTo' | 'applyClicks' | 'rowsOf'>;
  /** Asked between two batches whether to stop. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Called with the number of clicks of links that storage does not know, before they are passed over. */
  readonly onUnknownLinks?: ((clicks: number) => Promise<void>) | undefined;
  /** Called with the number of clicks that storage has taken. */
  readonly onApplied?: ((clicks: number) => void) | undefined;
}

export interface Applied {
  /** Storage's offset in the journal. */
  readonly to: number;
  /** Why it did not come to the segment's end, if so. */
  readonly left?: 'stopped' | Piece;
}

/**
 * Applies what a segment holds beyond storage's offset, batch by batch: each moves the offset with the clicks, so that it may end
 * anywhere, and continues there.
 */
export async function applySegment(
  held: HeldSegment,
  offset: number,
  options: ApplyOptions,
): Promise<Applied> {
  const { storage, isStopped = () => false, onApplied } = options;
  const { journal } = held;
  for (let from = offset; ; ) {
    if (isStopped()) return { to: from, left: 'stopped' };
    const batch = await readBatch(held, from, options);
    if (batch.to > from) {
      const { sums, records, unknown } = await toRows(batch, options);
      const { to } = batch;
      if (!(await storage.applyClicks({ journal, from, to, sums, records }))) {
        // An answer was lost, and the batch had been applied.
        from = await laterThan(from, storage.appliedTo(journal));
        continue;
      }
      from = to;
      onApplied?.(batch.clicks - unknown);
    }
    if (batch.end === 'segment') return { to: from };
    if (batch.end !== 'enough') return { to: from, left: batch.end };
  }
}

async function laterThan(from: number, appliedTo: number | Promise<number>): Promise<number> {
  const to = await appliedTo;
  if (to <= from) throw new Error('Storage refuses clicks although its offset did not move.');
  return to;
}

/** So many ids are looked up at a time: on SQLite other long reads wait for it. */
const idsAtOnce = 256;

/** Turns the link ids of a batch into rows. */
async function toRows(
  { ids, sums, records }: ReadBatch,
  { storage, yieldTurn, onUnknownLinks }: ApplyOptions,
): Promise<{ sums: ClickSums; records: readonly ClickRecords[]; unknown: number }> {
  const rows = new Map<string, LinkReference>();
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    await yieldTurn();
    for (const [id, row] of await storage.rowsOf(ids.slice(at, at + idsAtOnce))) rows.set(id, row);
  }
  await yieldTurn();
  const owners = ids.map((id) => rows.get(id));
  const ownerOf = (place: number): LinkReference | undefined => owners[place];
  const { known, unknown } = sumsOfKnown(sums, ownerOf);
  if (unknown > 0) await onUnknownLinks?.(unknown);
  const collector = createClickCollector();
  for (const piece of records) {
    await yieldTurn();
    withOwners(piece, ownerOf, collector);
  }
  await yieldTurn();
  return { sums: flatten(known), records: collector.take(), unknown };
}
