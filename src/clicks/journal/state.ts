import { type ClickCollector, createClickCollector } from '../../model/clicks/click-collector.ts';
import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { Report } from '../../runtime/report.ts';
import type { Timers } from '../../runtime/timers.ts';
import { type AtRisk, createAtRisk } from './at-risk.ts';
import { createEncoder, type Encoder } from './files/segment.ts';
import type { SegmentWriter } from './files/segment-writer.ts';
import type { Durability, JournalOptions } from './interface.ts';
import { createJournalStats, type JournalStats } from './stats.ts';
import { createSums, type Sums } from './sums.ts';
import { createUnwritten, type Unwritten } from './unwritten.ts';

/** A click of the tick under way. */
export interface Click {
  readonly target: Target;
  readonly at: number;
  readonly facts: ClickFacts;
  readonly answer: ((recorded: boolean) => void) | undefined;
  /** Where it stands in the bytes that its tick is written as. */
  from: number;
  to: number;
}

/** What a journal works with. */
interface JournalParts {
  readonly directory: string;
  readonly durability: Durability;
  readonly timers: Timers;
  readonly onError: Report;
  readonly onInfo: Report | undefined;
  readonly files: SegmentWriter;
  readonly encoder: Encoder;
  readonly stats: JournalStats;
  /** The clicks of the sums, one by one. */
  readonly records: ClickCollector;
  /** What the disk refused and waits for another try. */
  readonly unwritten: Unwritten;
  readonly atRisk: AtRisk;
  /** Writes the tick under way. Made once, so that a click costs no closure. */
  readonly endTick: () => void;
}

/** Everything that changes while a journal is open. The functions in addition to this file are given it, and keep nothing. */
export interface JournalState extends JournalParts {
  closed: boolean;

  // The tick of the event loop: `tick.ts`.
  tick: Click[];
  /** When the first click of the tick came, by `performance.now()`. */
  tickBegan: number;
  /** Whether the end of the tick is awaited. */
  isScheduled: boolean;

  // Clicks counted, and not yet in storage: `batches.ts`.
  sums: Sums;
  /** When the oldest pending click was counted. */
  pendingSince: number | undefined;
  /** Up to here the files hold exactly the clicks that are counted; in strict mode what is synced, else what is written. */
  countedTo: number;
  /** All clicks counted up to each batch that storage has not applied yet, and up to the last one that it has. */
  batches: { readonly to: number; readonly clicks: number }[];
  releasedClicks: number;
  releasedTo: number;

  // Why the journal is not healthy, one sentence each: `write.ts`, `health.ts`.
  writeFault: string | undefined;
  syncFault: string | undefined;

  // The way to the disk: `sync.ts`, `retry.ts`, and the group commit of `tick.ts`.
  retryTimer: NodeJS.Timeout | undefined;
  syncTimer: NodeJS.Timeout | undefined;
  syncing: Promise<void> | undefined;
  unsyncedClicks: number;
  /** Those of them that wait longer than the mode promises, because the disk refused their first write. */
  lateClicks: number;
}

const mebibyte = 1_048_576;

/** @param endTick writes the tick under way */
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
