import type { ClickRecords } from '../../model/clicks/click-records.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { createHistogram, type Histogram, secondsBounds, sizeBounds } from '../../runtime/histogram.ts';
import type { Sums } from './sums.ts';

/** How far the journal had come at some moment. */
export interface JournalMark {
  /** Clicks counted since the start. */
  readonly clicks: number;
  /** Bytes of frames written since the start. */
  readonly bytes: number;
}

/** The clicks that the journal handed over for storage at one moment. */
export interface Batch {
  /** The offset up to which the file holds them. */
  readonly to: number;
  readonly sums: Sums;
  /** The same clicks, one by one. */
  readonly records: readonly ClickRecords[];
  readonly mark: JournalMark;
  /** When the first of them was counted, by `performance.now()`. */
  readonly since: number;
}

export interface JournalProgress {
  readonly mark: JournalMark;
  /** When the oldest pending click was counted, by `performance.now()`; undefined when there is none. */
  readonly since: number | undefined;
  /** Clicks written to the file, but not yet synced to the disk. */
  readonly unsyncedClicks: number;
}

/** What the journal did since the start. The journal writes it in place; metrics read it. */
export interface JournalStats {
  /** Clicks counted, in the order of `clickClasses`. */
  readonly clicks: Float64Array;
  bytesWritten: number;
  writeFaults: number;
  syncFaults: number;
  /** Clicks that went to the file with one write. */
  readonly clicksPerWrite: Histogram;
  /**
   * From the first click of a tick of the event loop to the answers of that tick, in seconds, once for each click: so
   * a redirect costs no look at the clock of its own.
   */
  readonly tickSeconds: Histogram;
  readonly syncSeconds: Histogram;
}

/** From 10 µs: a tick of the event loop without a sync is faster than any disk. */
const tickBounds: readonly number[] = [0.00001, 0.000025, 0.00005, ...secondsBounds];

export function createJournalStats(): JournalStats {
  return {
    clicks: new Float64Array(clickClasses.length),
    bytesWritten: 0,
    writeFaults: 0,
    syncFaults: 0,
    clicksPerWrite: createHistogram(sizeBounds),
    tickSeconds: createHistogram(tickBounds),
    syncSeconds: createHistogram(secondsBounds),
  };
}

export function markOf({ clicks, bytesWritten }: JournalStats): JournalMark {
  return {
    clicks: clicks.reduce((sum, ofClass) => sum + ofClass, 0),
    bytes: bytesWritten,
  };
}

/** What the applier did since the start, and what it still has to do. */
export interface ApplierStats {
  readonly runSeconds: Histogram;
  readonly failures: number;
  /** Clicks that are counted, and bytes that are written, but not yet in storage. */
  readonly unapplied: JournalMark;
  /** How long the oldest of them has waited, in seconds. */
  readonly lagSeconds: number;
}
