import { type ClickCollector, createClickCollector } from '../../model/clicks/click-collector.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { Report } from '../../runtime/report.ts';
import type { Timers } from '../../runtime/timers.ts';
import { createEncoder, type Encoder } from './files/segment.ts';
import type { SegmentWriter } from './files/segment-writer.ts';
import type { Durability, JournalOptions } from './interface.ts';
import { createJournalStats, type JournalStats } from './stats.ts';
import { createSums, type Sums } from './sums.ts';

/** A click in the current tick of the event loop. */
export interface Click {
  readonly target: Target;
  readonly at: number;
  readonly facts: ClickFacts;
  readonly answer: ((recorded: boolean) => void) | undefined;
  /** Position of the click in the bytes written for its tick. */
  from: number;
  to: number;
}

/** The parts of a journal's state that never change. */
interface JournalParts {
  readonly directory: string;
  readonly durability: Durability;
  readonly timers: Timers;
  readonly onError: Report;
  readonly onInfo: Report | undefined;
  readonly files: SegmentWriter;
  readonly encoder: Encoder;
  readonly stats: JournalStats;
  /** The individual clicks that are included in the sums. */
  readonly records: ClickCollector;
  /** Frames that the disk rejected, to be retried. */
  readonly unwritten: Unwritten;
  readonly atRisk: AtRisk;
  /** Writes the current tick. Created once, to avoid a closure per click. */
  readonly endTick: () => void;
}

/**
 * The state of an open journal. The functions in the other files receive this object, and have no state of their own.
 */
export interface JournalState extends JournalParts {
  closed: boolean;

  // The current tick of the event loop (`tick.ts`).
  tick: Click[];
  /** Time of the tick's first click, by `performance.now()`. */
  tickBegan: number;
  /** True if the end of the tick is scheduled. */
  isScheduled: boolean;

  // Clicks that are counted, but not in storage yet (`journal.ts`).
  sums: Sums;
  /** Time of the oldest pending click. */
  pendingSince: number | undefined;
  /**
   * Up to this offset, the files contain exactly the counted clicks. In strict mode these clicks are synced, otherwise
   * they are only written.
   */
  countedTo: number;
  /**
   * Batches that storage has not applied yet, each with the total number of clicks up to its end. `releasedTo` and
   * `releasedClicks` are these values for the last applied batch.
   */
  batches: { readonly to: number; readonly clicks: number }[];
  releasedClicks: number;
  releasedTo: number;

  // Reasons why the journal is unhealthy, each as a sentence. Set in `write.ts` and `health.ts`.
  writeFault: string | undefined;
  syncFault: string | undefined;

  // Progress of writing to disk, for `sync.ts`, `retry.ts` and the group commit in `tick.ts`.
  retryTimer: NodeJS.Timeout | undefined;
  syncTimer: NodeJS.Timeout | undefined;
  syncing: Promise<void> | undefined;
  unsyncedClicks: number;
  /** Number of unsynced clicks whose first write failed. They are synced later than the durability mode promises. */
  lateClicks: number;
}

const mebibyte = 1_048_576;

/** @param endTick writes the current tick */
export function createJournalState(
  options: JournalOptions,
  directory: string,
  files: SegmentWriter,
  endTick: () => void,
): JournalState {
  const { durability, onError, onInfo, retryBytes = 4 * mebibyte } = options;
  const { setTimeout, clearTimeout, setImmediate } = options.timers ?? globalThis;
  return {
    directory,
    durability,
    timers: { setTimeout, clearTimeout, setImmediate },
    onError,
    onInfo,
    files,
    encoder: createEncoder(),
    stats: createJournalStats(),
    records: createClickCollector(),
    unwritten: createUnwritten(retryBytes),
    atRisk: createAtRisk(),
    endTick,
    closed: false,
    tick: [],
    tickBegan: 0,
    isScheduled: false,
    sums: createSums(),
    pendingSince: undefined,
    countedTo: files.offset(),
    batches: [],
    releasedClicks: 0,
    releasedTo: 0,
    writeFault: undefined,
    syncFault: undefined,
    retryTimer: undefined,
    syncTimer: undefined,
    syncing: undefined,
    unsyncedClicks: 0,
    lateClicks: 0,
  };
}

interface Unwritten {
  /**
   * Keeps frames for a retry. Frames beyond the size limit are dropped: their clicks are still counted, but exist only
   * in the sums in memory.
   */
  keep(frames: Uint8Array, clicks: number): void;
  bytes(): Uint8Array;
  /** Number of clicks that are not in a file. `retainedClicks` counts the clicks whose frames are kept. */
  clicks(): number;
  retainedClicks(): number;
  clear(): void;
}

/** Creates a buffer for frames that could not be written to disk. @param maxBytes maximum total size of the frames */
function createUnwritten(maxBytes: number): Unwritten {
  let retained = Buffer.alloc(0);
  let length = 0;
  let clicks = 0;
  let retainedClicks = 0;
  return {
    keep(frames, count) {
      clicks += count;
      if (length + frames.length > maxBytes) return;
      if (length + frames.length > retained.length) {
        const larger = Buffer.alloc(
          Math.min(maxBytes, Math.max(65_536, retained.length * 2, length + frames.length)),
        );
        retained.copy(larger, 0, 0, length);
        retained = larger;
      }
      retained.set(frames, length);
      length += frames.length;
      retainedClicks += count;
    },
    bytes: () => retained.subarray(0, length),
    clicks: () => clicks,
    retainedClicks: () => retainedClicks,
    clear() {
      retained = Buffer.alloc(0);
      length = 0;
      clicks = 0;
      retainedClicks = 0;
    },
  };
}

/**
 * Clicks that would be lost if the process died or power failed. They are only in memory, or in a file that could not
 * be synced.
 */
interface AtRisk {
  /** @param to these clicks are safe once storage has applied the journal up to this offset */
  add(to: number, clicks: number): void;
  /** Removes the clicks up to the offset. Call it after storage has applied them. */
  release(offset: number): void;
  clicks(): number;
}

/** @param maxEntries maximum length of the list. While disk and storage reject writes, each attempt adds an entry. */
export function createAtRisk(maxEntries = 1_000): AtRisk {
  let entries: { readonly to: number; readonly clicks: number }[] = [];
  return {
    add(to, clicks) {
      // Merges entries beyond the limit; a merged entry is released slightly later than necessary.
      const last = entries.length >= maxEntries ? entries.pop() : undefined;
      entries.push({ to, clicks: clicks + (last?.clicks ?? 0) });
    },
    release(offset) {
      entries = entries.filter(({ to }) => to > offset);
    },
    clicks: () => entries.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}
