import * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Timers } from '../runtime/timers.ts';
import { createYield, type Yield } from '../runtime/yield.ts';
import {
  awaitCallback,
  discardJournal,
  journalsIn,
  lockIfExists,
  readFileBytes,
  segmentsIn,
  syncDirectory,
} from './journal/files/directory.ts';
import type { JournalFs } from './journal/files/io.ts';
import type { RecordFormats } from './journal/files/records.ts';
import { fileOfSegment, type Piece, segmentOf } from './journal/files/segment.ts';
import { applySegment, type ClosedSegment } from './journal-reader.ts';

export type ClickStorage = Pick<Storage, 'appliedTo' | 'applyClicks' | 'rowsOf' | 'deleteJournal'>;

export interface RecoveryOptions {
  /** The directory that contains all journals. */
  readonly dir: string;
  readonly storage: ClickStorage;
  readonly onError: Report;
  readonly onInfo?: Report | undefined;
  readonly fs?: JournalFs | undefined;
  readonly timers?: Timers | undefined;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Checked between batches. If it returns true, this run stops and the next run applies the rest. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Journals written by a newer version that have already been reported. */
  readonly reported?: Set<string> | undefined;
  /** Overrides record versions and batch sizes, for tests. */
  readonly formats?: RecordFormats | undefined;
  readonly maxSums?: number | undefined;
}

interface RecoveryRun extends RecoveryOptions {
  readonly yieldTurn: Yield;
  /** Number of clicks applied. */
  clicks: number;
}

/**
 * Applies and removes the journals of killed and replaced processes. Each click is counted exactly once, however often
 * the recovery is interrupted and repeated. Yields to the event loop, and holds one segment and one batch in memory.
 * @returns number of clicks applied
 * @throws the first storage or disk error, after trying all journals; failed journals are left for the next run
 */
export async function drainOrphans(options: RecoveryOptions): Promise<number> {
  const { dir, fs, timers, clock, isStopped = () => false } = options;
  const work: RecoveryRun = { ...options, yieldTurn: createYield(timers, clock), clicks: 0 };
  const faults: unknown[] = [];
  for (const journal of journalsIn(dir, fs)) {
    if (isStopped()) break;
    try {
      await drainOrphan(work, journal);
    } catch (error) {
      // An unreadable journal must not block the other journals.
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return work.clicks;
}

async function drainOrphan(work: RecoveryRun, journal: string): Promise<void> {
  const { fs = nodeFs, storage } = work;
  const directory = join(work.dir, journal);
  const lock = lockIfExists(directory, fs);
  if (lock === undefined) return;
  try {
    if (await applyJournal(work, journal))
      await discardJournal(directory, lock, () => storage.deleteJournal(journal), fs);
    else lock.release();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Applies the clicks that follow storage's offset in a journal. @returns true if the journal was applied completely */
async function applyJournal(work: RecoveryRun, journal: string): Promise<boolean> {
  const { dir, fs = nodeFs } = work;
  const segments = segmentsIn(join(dir, journal), fs);
  let from = await work.storage.appliedTo(journal);
  for (const [index, segment] of segments.entries()) {
    if (segment < segmentOf(from)) continue;
    const bytes = await readFileBytes(join(dir, journal, fileOfSegment(segment)), fs);
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

/** Returns functions that copy a segment with clicks on unknown links and report these clicks once. */
function createUnknownLinks(work: RecoveryRun, held: ClosedSegment) {
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
        `A click journal contains ${clicks} clicks on unknown links, which are not counted. A copy of the journal is in ${copy}.`,
        { journal, segment, clicks, copy },
      );
    },
  };
}

/**
 * Reports unreadable bytes. An incomplete end is normal after a crash. Other damage is unexpected, so a copy of the
 * bytes is preserved.
 */
async function reportGap(work: RecoveryRun, held: ClosedSegment, { kind, start, end }: Piece): Promise<void> {
  const { journal, segment, bytes } = held;
  const facts = { journal, segment, start, end };
  if (kind === 'torn') {
    work.onInfo?.(
      'A click journal ended in the middle of a write. The incomplete record was removed.',
      facts,
    );
    return;
  }
  const copy = await quarantine(work, held, bytes.subarray(start, end), `${start}-${end}`);
  work.onError(
    `A click journal is damaged: ${end - start} bytes are unreadable, so the clicks in them are not counted. A copy of the bytes is in ${copy}.`,
    { ...facts, copy },
  );
}

/** After a downgrade, reports clicks that only the newer version can read. It applies them when it runs again. */
function reportNewer(
  work: RecoveryRun,
  { journal, segment }: ClosedSegment,
  { start, version }: Piece,
): void {
  if (work.reported?.has(journal)) return;
  work.reported?.add(journal);
  work.onError(
    'Could not read a click journal that a newer version wrote. Its clicks will be counted when the newer version runs again.',
    { directory: join(work.dir, journal), segment, start, version },
  );
}

/**
 * Reapplies clicks from this process's own journal that storage has lost, if the files still contain them.
 * @param from storage's offset in the journal
 * @param upto the offset that this process had reached
 * @returns storage's new offset
 */
export async function reapply(
  { dir, storage, fs = nodeFs, timers }: Pick<RecoveryOptions, 'dir' | 'storage' | 'fs' | 'timers'>,
  journal: string,
  from: number,
  upto: number,
): Promise<number> {
  const options = { storage, yieldTurn: createYield(timers), upto };
  let to = from;
  for (const segment of segmentsIn(join(dir, journal), fs)) {
    if (segment < segmentOf(to) || segment > segmentOf(upto)) continue;
    const bytes = await readFileBytes(join(dir, journal, fileOfSegment(segment)), fs);
    to = (await applySegment({ journal, segment, last: false, bytes }, to, options)).to;
  }
  return to;
}

/**
 * Copies bytes of a segment to the quarantine folder, so that the operator can inspect them. The copy is on disk when
 * the promise resolves, so the caller may then remove the segment.
 * @param dir directory that contains all journals
 * @param name distinguishes the copy from copies of other parts of the segment
 * @returns the path of the copy
 */
async function quarantine(
  { dir, fs = nodeFs }: { readonly dir: string; readonly fs?: JournalFs | undefined },
  { journal, segment }: ClosedSegment,
  bytes: Buffer,
  name: string,
): Promise<string> {
  const folder = join(dir, 'quarantine');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${journal}-${basename(fileOfSegment(segment), '.jnl')}-${name}.bin`);
  await awaitCallback((done) => fs.writeFile(path, bytes, { mode: 0o600, flush: true }, done));
  // Windows cannot open a directory, and does not need this sync.
  if (process.platform !== 'win32') for (const one of [folder, dirname(folder)]) await syncDirectory(one, fs);
  return path;
}
