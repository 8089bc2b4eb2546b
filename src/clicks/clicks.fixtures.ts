import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import { type AppliedClick, readClicks, writeClick } from '../model/clicks/click-records.ts';
import { type ClickBatch, type ClickClass, indexOfClass, numbersPerSum } from '../model/clicks/clicks.ts';
import type { Target } from '../model/links/link-records.ts';
import { ifExists, journalsIn, segmentsIn } from './journal/files/directory.ts';
import {
  byteOf,
  fileOfSegment,
  offsetOf,
  readRecords,
  readSegment,
  segmentOf,
} from './journal/files/segment.ts';
import type { ClickStorage } from './recovery.ts';

/** Returns facts for a click with only a class. */
export function factsOf(clickClass: ClickClass) {
  return unknownFacts(indexOfClass[clickClass]);
}
export const human = factsOf('human');

/** Returns a click with only a time and a class, in the format that record readers receive. */
export function writtenClick(at: number, classIndex = 0) {
  const bytes = Buffer.alloc(20);
  return { bytes, from: 0, to: writeClick(bytes, 0, at, unknownFacts(classIndex)) };
}

/** Returns the individual clicks in batches. */
export function clicksOf(batches: readonly ClickBatch[]): readonly AppliedClick[] {
  const found: AppliedClick[] = [];
  for (const piece of batches.flatMap(({ records = [] }) => records))
    readClicks(piece, (click) => found.push({ ...click }));
  return found;
}

export function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns the account of a link. Links are distributed across three accounts. */
function accountOf(row: number): number {
  return 1 + (row % 3);
}

/** Returns a link whose row and id are derived from one number. */
export function targetOf(row: number, location = `https://example.com/${row}`): Target {
  const id = Buffer.alloc(16);
  id.writeUInt32BE(row, 12);
  return { row, account: accountOf(row), id, location, expiresAt: null };
}

/**
 * Returns the clicks that follow storage's offset in each journal of a directory: the number of clicks per link ID, and
 * the journal offset after the last click.
 */
export function unappliedIn(dir: string, appliedTo: (journal: string) => number) {
  return journalsIn(dir).flatMap((journal) => {
    const from = appliedTo(journal);
    const clicks = new Map<string, number>();
    let to = from;
    for (const segment of ifExists(() => segmentsIn(join(dir, journal))) ?? []) {
      if (segment < segmentOf(from)) continue;
      const bytes = readFileSync(join(dir, journal, fileOfSegment(segment)));
      const start = segment === segmentOf(from) ? byteOf(from) : 0;
      for (const piece of readSegment(bytes, { journal, segment, last: true }, start)) {
        if (piece?.kind !== 'frame') continue;
        readRecords(bytes, piece, (id) => clicks.set(id, (clicks.get(id) ?? 0) + 1));
        to = offsetOf(segment, piece.end);
      }
    }
    return clicks.size === 0 ? [] : [{ journal, to, clicks }];
  });
}

/** Returns the number of clicks after storage's offsets in all journals of a directory. */
export function countUnapplied(dir: string, appliedTo: (journal: string) => number = () => 0): number {
  return unappliedIn(dir, appliedTo)
    .flatMap(({ clicks }) => [...clicks.values()])
    .reduce((sum, count) => sum + count, 0);
}

/** Creates a collector for reports to the operator. */
export function createReports(): {
  readonly report: (sentence: string) => void;
  readonly sentences: string[];
} {
  const sentences: string[] = [];
  return { sentences, report: (sentence) => sentences.push(sentence) };
}

/**
 * Creates a minimal click storage for unit tests of the applier. Tests can interrupt it at any point. The acceptance
 * tests run the journal with the real storage engines.
 */
export function createReferenceStorage() {
  const offsets = new Map<string, number>();
  const totals = new Map<number, number>();
  const batches: ClickBatch[] = [];
  /** Functions called before and after each commit. They may throw or wait. */
  const gates = {
    before: async (): Promise<void> => {},
    after: async (): Promise<void> => {},
  };
  const storage: ClickStorage = {
    appliedTo: (journal) => offsets.get(journal) ?? 0,
    rowsOf: (ids) =>
      new Map(
        ids
          .filter((id) => /^0{24}/.test(id))
          .map((id) => Number.parseInt(id.slice(24), 16))
          .map((row) => [row.toString(16).padStart(32, '0'), { row, account: accountOf(row) }]),
      ),
    async applyClicks(batch) {
      await gates.before();
      if (batch.to <= batch.from) throw new Error('Click batch does not advance the journal offset.');
      if ((offsets.get(batch.journal) ?? 0) !== batch.from) return false;
      offsets.set(batch.journal, batch.to);
      batches.push(batch);
      for (let at = 0; at < batch.sums.length; at += numbersPerSum) {
        const row = batch.sums[at] ?? 0;
        totals.set(row, (totals.get(row) ?? 0) + (batch.sums[at + 3] ?? 0));
      }
      await gates.after();
      return true;
    },
    async deleteJournal(journal) {
      offsets.delete(journal);
    },
  };
  return { storage, offsets, totals, batches, gates, total: (row: number): number => totals.get(row) ?? 0 };
}
