import * as nodeFs from 'node:fs';
import { basename, join } from 'node:path';
import { hourOf } from '../domain/clicks.ts';
import type { Storage } from '../domain/storage.ts';
import type { Tell } from '../domain/tell.ts';
import { discardJournal, ifThere, journalsIn, lockIfThere, segmentsIn } from './directory.ts';
import type { JournalFs } from './machine.ts';
import { eachRecord, fileOfSegment, offsetOf, positionOf, readSegment, segmentOf } from './segment.ts';
import { byRow, createSumsById, flatten, type Sum, type Sums } from './sums.ts';

export type ClickStorage = Pick<Storage, 'appliedTo' | 'applyClicks' | 'rowsOf' | 'forgetJournal'>;

export interface RecoveryOptions {
  /** The directory of all journals. */
  readonly dir: string;
  readonly storage: ClickStorage;
  readonly onAlarm: Tell;
  readonly onNotice?: Tell | undefined;
  readonly fs?: JournalFs | undefined;
}

/**
 * Applies and removes the journals that nobody owns any more: those of killed and of replaced processes. However often
 * it is interrupted and repeated, each click counts once.
 * @returns how many clicks were applied
 * @throws the first fault of storage or disk, after all were tried; those journals stay for the next time
 */
export const drainOrphans = async (options: RecoveryOptions): Promise<number> => {
  let clicks = 0;
  const faults: unknown[] = [];
  for (const journal of journalsIn(options.dir, options.fs)) {
    try {
      clicks += await drainOrphan(options, journal);
    } catch (error) {
      // One journal that cannot be read does not keep the others waiting.
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return clicks;
};

const drainOrphan = async (options: RecoveryOptions, journal: string): Promise<number> => {
  const { fs = nodeFs } = options;
  const directory = join(options.dir, journal);
  const lock = lockIfThere(directory, fs);
  if (lock === undefined) return 0;
  try {
    const clicks = await applyRest(options, journal);
    await discardJournal(directory, lock, () => options.storage.forgetJournal(journal), fs);
    return clicks;
  } catch (error) {
    lock.release();
    throw error;
  }
};

/** The clicks that the files of a journal hold between two positions, by link id in hex. */
export const sumsBetween = (
  {
    dir,
    journal,
    fs = nodeFs,
  }: { readonly dir: string; readonly journal: string; readonly fs?: JournalFs | undefined },
  from: number,
  to: number,
): Sums<string> => {
  const sums = createSumsById();
  for (const segment of segmentsIn(join(dir, journal), fs)) {
    if (segment < segmentOf(from) || segment > segmentOf(to)) continue;
    readStretch(readHeld({ dir, fs }, journal, segment, false), from, to, sums);
  }
  return sums;
};

export interface JournalClicks {
  readonly journal: string;
  /** The position that these clicks reach. */
  readonly to: number;
  /** `key` is the link's id, 32 hex digits. */
  readonly sums: readonly Sum<string>[];
}

/** What the journals of a directory held at one moment. */
export interface HeldClicks {
  /** @param appliedTo up to which position a journal's clicks are already part of the figures; 0 for an unknown one */
  beyond(appliedTo: (journal: string) => number): readonly JournalClicks[];
}

/**
 * Reads all journals of a directory and changes nothing; safe while other processes append, apply and remove. For a
 * backup: read first, copy the database then, and add what lies beyond the positions in the copy. In the other order
 * a journal that is applied and removed in between would be in neither.
 */
export const readJournals = (dir: string): HeldClicks => {
  const journals = journalsIn(dir).map((journal) => ({ journal, segments: heldSegments(dir, journal) }));
  return {
    beyond: (appliedTo) =>
      journals.flatMap(({ journal, segments }) => {
        const from = appliedTo(journal);
        const sums = createSumsById();
        let to = from;
        for (const held of segments) {
          to = Math.max(to, readStretch(held, from, Number.POSITIVE_INFINITY, sums));
        }
        return sums.isEmpty() ? [] : [{ journal, to, sums: [...sums.all()] }];
      }),
  };
};

/** The same for positions that are known beforehand. */
export const unappliedIn = (dir: string, appliedTo: (journal: string) => number): readonly JournalClicks[] =>
  readJournals(dir).beyond(appliedTo);

interface HeldSegment {
  readonly journal: string;
  readonly segment: number;
  readonly last: boolean;
  readonly bytes: Buffer;
}

/** Applies what a journal holds beyond storage's position, segment by segment. @returns how many clicks */
const applyRest = async (options: RecoveryOptions, journal: string): Promise<number> => {
  const { dir, storage, fs = nodeFs } = options;
  const segments = segmentsIn(join(dir, journal), fs);
  let from = await storage.appliedTo(journal);
  let clicks = 0;
  for (let index = 0; index < segments.length; ) {
    const segment = segments[index] ?? 0;
    const held = readHeld({ dir, fs }, journal, segment, index === segments.length - 1);
    const sums = createSumsById();
    const to = readStretch(held, from, Number.POSITIVE_INFINITY, sums, (kind, start, end) =>
      reportGap(options, held, kind, start, end),
    );
    if (to > from) {
      const rows = await toRows(options, held, sums);
      if (await storage.applyClicks({ journal, from, to, sums: flatten(rows) })) {
        from = to;
        for (const { count } of rows.all()) clicks += count;
      } else {
        from = await laterThan(from, storage.appliedTo(journal));
        continue;
      }
    }
    index += 1;
  }
  return clicks;
};

const laterThan = async (from: number, appliedTo: number | Promise<number>): Promise<number> => {
  const to = await appliedTo;
  if (to <= from) throw new Error('Storage refuses clicks although its position did not move.');
  return to;
};

/** Adds the records between two positions. @returns where sound frames, and gaps that were reported, end */
const readStretch = (
  held: HeldSegment,
  from: number,
  to: number,
  sums: Sums<string>,
  onGap?: (kind: 'damage' | 'torn', start: number, end: number) => void,
): number => {
  const { bytes, segment } = held;
  if (positionOf(segment, bytes.length) <= from) return from;
  let reached = from;
  for (const piece of readSegment(bytes, held, segmentOf(from) === segment ? offsetOf(from) : 0)) {
    const end = positionOf(segment, piece.end);
    if (end > to) break;
    if (piece.kind === 'frame') {
      eachRecord(bytes, piece, (linkId, at, classIndex) => sums.add(linkId, hourOf(at), classIndex));
    } else {
      onGap?.(piece.kind, piece.start, piece.end);
    }
    if (piece.kind !== 'torn') reached = end;
  }
  return reached;
};

/** A torn tail is what a crash leaves; damage in the middle is not, and a copy of it is kept. */
const reportGap = (
  options: RecoveryOptions,
  held: HeldSegment,
  kind: 'damage' | 'torn',
  start: number,
  end: number,
): void => {
  const { onAlarm, onNotice } = options;
  const { journal, segment, bytes } = held;
  const facts = { journal, segment, start, end };
  if (kind === 'torn') {
    onNotice?.('A click journal ended in the middle of a write; the unfinished end was cut off.', facts);
    return;
  }
  const copy = quarantine(options, held, bytes.subarray(start, end), `${start}-${end}`);
  onAlarm(
    `A click journal is damaged: ${end - start} bytes cannot be read and the clicks in them are not counted. They are kept in ${copy}.`,
    { ...facts, copy },
  );
};

const quarantine = (
  { dir, fs = nodeFs }: RecoveryOptions,
  { journal, segment }: HeldSegment,
  bytes: Buffer,
  name: string,
): string => {
  const folder = join(dir, 'quarantine');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${journal}-${basename(fileOfSegment(segment), '.jnl')}-${name}.bin`);
  fs.writeFileSync(path, bytes, { mode: 0o600, flush: true });
  return path;
};

/** What storage knows the links of; a journal that holds clicks of others is kept. */
const toRows = async (
  options: RecoveryOptions,
  held: HeldSegment,
  sums: Sums<string>,
): Promise<Sums<number>> => {
  const { known, unknown } = byRow(sums.all(), await options.storage.rowsOf(sums.keys()));
  if (unknown > 0) {
    const copy = quarantine(options, held, held.bytes, 'unknown-links');
    options.onAlarm(
      `A click journal holds ${unknown} clicks of links that storage does not know; they are not counted. The journal is kept in ${copy}.`,
      { journal: held.journal, segment: held.segment, clicks: unknown, copy },
    );
  }
  return known;
};

const readHeld = (
  { dir, fs }: { readonly dir: string; readonly fs: JournalFs },
  journal: string,
  segment: number,
  last: boolean,
): HeldSegment => ({
  journal,
  segment,
  last,
  bytes: fs.readFileSync(join(dir, journal, fileOfSegment(segment))),
});

/** The segments that are there; one that its owner removes meanwhile is applied, so it may be missing. */
const heldSegments = (dir: string, journal: string): readonly HeldSegment[] => {
  const segments = ifThere(() => segmentsIn(join(dir, journal))) ?? [];
  const last = segments.at(-1);
  return segments.flatMap(
    (segment) => ifThere(() => readHeld({ dir, fs: nodeFs }, journal, segment, segment === last)) ?? [],
  );
};
