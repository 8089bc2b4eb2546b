import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { createYield, type Yield } from '../runtime/yield.ts';
import { discardJournal, journalsIn, lockIfThere, readWhole, segmentsIn } from './journal/files/directory.ts';
import type { JournalFs } from './journal/files/io.ts';
import type { RecordFormats } from './journal/files/records.ts';
import { fileOfSegment, type Piece, segmentOf } from './journal/files/segment.ts';
import { applySegment, type HeldSegment } from './journal-reader.ts';
import { quarantine } from './quarantine.ts';

export type ClickStorage = Pick<Storage, 'appliedTo' | 'applyClicks' | 'rowsOf' | 'deleteJournal'>;

export interface RecoveryOptions {
  /** The directory of all journals. */
  readonly dir: string;
  readonly storage: ClickStorage;
  readonly onError: Report;
  readonly onInfo?: Report | undefined;
  readonly fs?: JournalFs | undefined;
  readonly timers?: Timers | undefined;
  /** Monotonic, ms. */
  readonly clock?: (() => number) | undefined;
  /** Asked between two batches whether to leave the rest to the next time. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Journals of a newer program that were reported already. */
  readonly reported?: Set<string> | undefined;
  /** For tests: other record versions than this program knows, and other batches than it makes. */
  readonly formats?: RecordFormats | undefined;
  readonly maxSums?: number | undefined;
}

interface Work extends RecoveryOptions {
  readonly yieldTurn: Yield;
  /** How many clicks were applied. */
  clicks: number;
}

/**
 * Applies and removes the journals that no process owns any more: those of killed and of replaced processes. However often
 * it is interrupted and repeated, each click counts once. It works a little in each tick of the event loop, and in memory
 * it has one segment and one batch.
 * @returns how many clicks were applied
 * @throws the first fault of storage or disk, after all were tried; those journals stay for the next time
 */
export async function drainOrphans(options: RecoveryOptions): Promise<number> {
  const { dir, fs, timers, clock, isStopped = () => false } = options;
  const work: Work = { ...options, yieldTurn: createYield(timers, clock), clicks: 0 };
  const faults: unknown[] = [];
  for (const journal of journalsIn(dir, fs)) {
    if (isStopped()) break;
    try {
      await drainOrphan(work, journal);
    } catch (error) {
      // One journal that cannot be read does not keep the others waiting.
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return work.clicks;
}

async function drainOrphan(work: Work, journal: string): Promise<void> {
  const { fs = nodeFs, storage } = work;
  const directory = join(work.dir, journal);
  const lock = lockIfThere(directory, fs);
  if (lock === undefined) return;
  try {
    if (await applyRest(work, journal))
      await discardJournal(directory, lock, () => storage.deleteJournal(journal), fs);
    else lock.release();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Applies what a journal holds beyond storage's offset. @returns whether that is all of it */
async function applyRest(work: Work, journal: string): Promise<boolean> {
  const { dir, fs = nodeFs } = work;
  const segments = segmentsIn(join(dir, journal), fs);
  let from = await work.storage.appliedTo(journal);
  for (const [index, segment] of segments.entries()) {
    if (segment < segmentOf(from)) continue;
    const bytes = await readWhole(join(dir, journal, fileOfSegment(segment)), fs);
    const held = { journal, segment, last: index === segments.length - 1, bytes };
    const unknown = createUnknownLinks(work, held);
    const { to, left } = await applySegment(held, from, {
      ...work,
      onGap: (gap) => reportGap(work, held, gap),
      onUnknownLinks: unknown.keep,
      onApplied: (clicks) => {
        work.clicks += clicks;
      },
    }).finally(unknown.report);
    if (left === 'stopped') return false;
    if (left !== undefined) {
      reportNewer(work, held, left);
      return false;
    }
    from = to;
  }
  return true;
}

/** Copies a segment that holds clicks of links that storage does not know, and reports it once. */
function createUnknownLinks(work: Work, held: HeldSegment) {
  let copy: string | undefined;
  let clicks = 0;
  return {
    async keep(more: number): Promise<void> {
      copy ??= await quarantine(work, held, held.bytes, 'unknown-links');
      clicks += more;
    },
    report(): void {
      if (clicks === 0) return;
      const { journal, segment } = held;
      work.onError(
        `A click journal holds ${clicks} clicks of links that storage does not know; they are not counted. The journal is kept in ${copy}.`,
        { journal, segment, clicks, copy },
      );
    },
  };
}

/** A crash leaves a torn tail. Damage in the middle is something else, and a copy of it is kept. */
async function reportGap(work: Work, held: HeldSegment, { kind, start, end }: Piece): Promise<void> {
  const { journal, segment, bytes } = held;
  const facts = { journal, segment, start, end };
  if (kind === 'torn') {
    work.onInfo?.('A click journal ended in the middle of a write; the unfinished end was cut off.', facts);
    return;
  }
  const copy = await quarantine(work, held, bytes.subarray(start, end), `${start}-${end}`);
  work.onError(
    `A click journal is damaged: ${end - start} bytes cannot be read and the clicks in them are not counted. They are kept in ${copy}.`,
    { ...facts, copy },
  );
}

/** The operator went back to an older version of the program. The newer one counts these clicks when it runs again. */
function reportNewer(work: Work, { journal, segment }: HeldSegment, { start, version }: Piece): void {
  if (work.reported?.has(journal)) return;
  work.reported?.add(journal);
  work.onError(
    'A click journal was written by a newer Linkfold, in a form that this version cannot read. It is left as it is; its clicks are counted when the newer version runs again.',
    { directory: join(work.dir, journal), segment, start, version },
  );
}

/**
 * Applies again what storage has lost of a journal that this process owns, as far as the files still hold it.
 * @param from storage's offset in the journal
 * @param upto where this process had brought it
 * @returns storage's offset after that
 */
export async function applyAgain(
  { dir, storage, fs = nodeFs, timers }: Pick<RecoveryOptions, 'dir' | 'storage' | 'fs' | 'timers'>,
  journal: string,
  from: number,
  upto: number,
): Promise<number> {
  const options = { storage, yieldTurn: createYield(timers), upto };
  let to = from;
  for (const segment of segmentsIn(join(dir, journal), fs)) {
    if (segment < segmentOf(to) || segment > segmentOf(upto)) continue;
    const bytes = await readWhole(join(dir, journal, fileOfSegment(segment)), fs);
    to = (await applySegment({ journal, segment, last: false, bytes }, to, options)).to;
  }
  return to;
}
