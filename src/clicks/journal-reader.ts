import { createClickCollector, withOwners } from '../model/clicks/click-collector.ts';
import type { ClickRecords } from '../model/clicks/click-records.ts';
import { type ClickSums, hourOf } from '../model/clicks/clicks.ts';
import type { LinkReference } from '../model/links/link-records.ts';
import type { Storage } from '../model/storage.ts';
import { hasFaults, isFaulty } from '../runtime/fault-points.ts';
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

/** A segment that no process appends to any more, and its bytes. */
export interface ClosedSegment {
  readonly journal: string;
  readonly segment: number;
  /** True for the journal's last segment. */
  readonly last: boolean;
  readonly bytes: Buffer;
}

export interface ReadOptions {
  readonly yieldTurn: Yield;
  /** Called when bytes are unreadable, before the clicks after these bytes are applied. */
  readonly onGap?: ((gap: Piece) => Promise<void>) | undefined;
  /** Overrides record versions and batch sizes, for tests. */
  readonly formats?: RecordFormats | undefined;
  readonly maxSums?: number | undefined;
  /** Reading stops at this offset. */
  readonly upto?: number;
}

/** Clicks between two offsets of a journal. */
export interface ReadBatch {
  /** Offset at which the valid frames and reported gaps end. */
  readonly to: number;
  /** Link IDs in hex. */
  readonly ids: readonly string[];
  /** Sums keyed by index in `ids` instead of by link row. */
  readonly sums: Sums;
  /** The individual clicks. */
  readonly records: readonly ClickRecords[];
  /** Number of clicks. */
  readonly clicks: number;
  /** Why the batch ended: enough clicks, the segment's end, or a piece that only a newer version can read. */
  readonly end: 'enough' | 'segment' | Piece;
}

/**
 * Maximum number of sums in a batch. A batch is held in memory and applied in one transaction, which blocks other
 * writes.
 */
const maxSumsPerBatch = 4_096;
const maxClicksPerBatch = 32_768;
/** Number of records read before the clock is checked again. */
const recordsPerPause = 128;

/** Reads a batch of clicks from a segment, starting at an offset. Yields to the event loop after each small step. */
async function readBatch(held: ClosedSegment, from: number, options: ReadOptions): Promise<ReadBatch> {
  const { yieldTurn, onGap, formats, upto = Number.POSITIVE_INFINITY } = options;
  const isSmall = hasFaults && isFaulty('smallRecoveryBatch');
  const maxSums = isSmall ? 1 : (options.maxSums ?? maxSumsPerBatch);
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
      let at = readRecords(bytes, piece, add, undefined, recordsPerPause, formats);
      while (at < piece.end) {
        await yieldTurn();
        at = readRecords(bytes, piece, add, at, recordsPerPause, formats);
      }
    } else await onGap?.(piece);
    if (piece.kind !== 'torn') to = end;
    if (sums.count() >= maxSums || clicks >= maxClicksPerBatch) return batch(to, 'enough');
  }
  return batch(to, 'segment');
}

export interface ApplyOptions extends ReadOptions {
  readonly storage: Pick<Storage, 'appliedTo' | 'applyClicks' | 'rowsOf'>;
  /** Checked between batches. If it returns true, reading stops. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Called with the number of clicks on unknown links before these clicks are skipped. */
  readonly onUnknownLinks?: ((clicks: number) => Promise<void>) | undefined;
  /** Called with the number of clicks that storage has applied. */
  readonly onApplied?: ((clicks: number) => void) | undefined;
}

export interface Applied {
  /** Storage's offset in the journal. */
  readonly to: number;
  /** Why reading stopped before the end of the segment. Undefined if the end was reached. */
  readonly left?: 'stopped' | Piece;
}

/**
 * Applies the clicks that follow storage's offset in a segment, batch by batch. Storage saves the clicks of a batch and
 * the new offset in one transaction, so the work can be interrupted and resumed at any point.
 */
export async function applySegment(
  held: ClosedSegment,
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
        // Storage has already applied the batch: the response to an earlier attempt was lost.
        from = await requireProgress(from, storage.appliedTo(journal));
        continue;
      }
      from = to;
      onApplied?.(batch.clicks - unknown);
    }
    if (batch.end === 'segment') return { to: from };
    if (batch.end !== 'enough') return { to: from, left: batch.end };
  }
}

async function requireProgress(from: number, appliedTo: number | Promise<number>): Promise<number> {
  const to = await appliedTo;
  if (to <= from)
    throw new Error('Storage rejected the clicks, but its stored journal offset has not changed.');
  return to;
}

/** Number of link IDs per query. Kept low, because other long queries on SQLite wait for this query. */
const idsPerQuery = 256;

/** Replaces the link IDs in a batch with link rows. */
async function toRows(
  { ids, sums, records }: ReadBatch,
  { storage, yieldTurn, onUnknownLinks }: ApplyOptions,
): Promise<{ sums: ClickSums; records: readonly ClickRecords[]; unknown: number }> {
  const rows = new Map<string, LinkReference>();
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    await yieldTurn();
    for (const [id, row] of await storage.rowsOf(ids.slice(at, at + idsPerQuery))) rows.set(id, row);
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
