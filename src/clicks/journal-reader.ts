import { hourOf } from '../domain/clicks.ts';
import type { Storage } from '../domain/storage.ts';
import type { Yield } from '../runtime/yield.ts';
import type { RecordFormats } from './journal/records.ts';
import { byteOf, offsetOf, type Piece, readRecords, readSegment, segmentOf } from './journal/segment.ts';
import { byRow, createSumsById, flatten, type Sums } from './journal/sums.ts';

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
  /** By link id in hex. */
  readonly sums: Sums<string>;
  /** How many they are. */
  readonly clicks: number;
  /** What ended it: enough clicks, the segment's end, or a piece that only a newer program can read. */
  readonly end: 'enough' | 'segment' | Piece;
}

/** A batch is one transaction, for which other writes wait, and is what is held in memory. */
const sumsOfBatch = 4_096;
/** So many records are read before the clock is looked at. */
const recordsAtOnce = 128;

/** Reads the clicks of a segment from an offset on, as many as make a batch, a little in each tick of the event loop. */
export async function readBatch(held: HeldSegment, from: number, options: ReadOptions): Promise<ReadBatch> {
  const { yieldTurn, onGap, formats, maxSums = sumsOfBatch, upto = Number.POSITIVE_INFINITY } = options;
  const { bytes, segment } = held;
  const sums = createSumsById();
  let clicks = 0;
  const add = (linkId: string, at: number, classIndex: number): void => {
    sums.add(linkId, hourOf(at), classIndex);
    clicks += 1;
  };
  const start = segmentOf(from) === segment ? byteOf(from) : 0;
  let to = from;
  for (const piece of readSegment(bytes, held, start, formats)) {
    await yieldTurn();
    if (piece === undefined) continue;
    if (piece.kind === 'unknown') return { to, sums, clicks, end: piece };
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
    if (sums.count() >= maxSums) return { to, sums, clicks, end: 'enough' };
  }
  return { to, sums, clicks, end: 'segment' };
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
 * Applies what a segment holds beyond storage's offset, batch by batch: each moves the offset with the clicks, so
 * that it may end anywhere, and goes on there.
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
      const { known, unknown } = await toRows(batch, options);
      const { to } = batch;
      if (!(await storage.applyClicks({ journal, from, to, sums: flatten(known) }))) {
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
  { sums }: ReadBatch,
  { storage, yieldTurn, onUnknownLinks }: ApplyOptions,
): Promise<ReturnType<typeof byRow>> {
  const ids = sums.keys();
  const rows = new Map<string, number>();
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    await yieldTurn();
    for (const [id, row] of await storage.rowsOf(ids.slice(at, at + idsAtOnce))) rows.set(id, row);
  }
  await yieldTurn();
  const named = byRow(sums.all(), rows);
  if (named.unknown > 0) await onUnknownLinks?.(named.unknown);
  await yieldTurn();
  return named;
}
