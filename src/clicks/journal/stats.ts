import type { ClickRecords } from '../../model/clicks/click-records.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { createHistogram, type Histogram, secondsBounds, sizeBounds } from '../../runtime/histogram.ts';
import type { Sums } from './sums.ts';

/** The progress of a journal at a point in time. */
export interface JournalMark {
  /** Clicks counted since the process started. */
  readonly clicks: number;
  /** Bytes of frames written since the process started. */
  readonly bytes: number;
}

/** Clicks that the journal hands over to storage together. */
export interface Batch {
  /** The offset at which these clicks end in the journal's files. */
  readonly to: number;
  readonly sums: Sums;
  /** The individual clicks in the batch. */
  readonly records: readonly ClickRecords[];
  readonly mark: JournalMark;
  /** Time of the batch's first click, by `performance.now()`. */
  readonly since: number;
}

export interface JournalProgress {
  readonly mark: JournalMark;
  /** Time of the oldest pending click, by `performance.now()`; undefined if there is none. */
  readonly since: number | undefined;
  /** Clicks written to the file, but not synced yet. */
  readonly unsyncedClicks: number;
}

/** Statistics of the journal since the process started. The journal updates them in place; metrics read them. */
export interface JournalStats {
  /** Number of clicks per class, in the order of `clickClasses`. */
  readonly clicks: Float64Array;
  bytesWritten: number;
  writeFaults: number;
  syncFaults: number;
  /** Number of clicks per write. */
  readonly clicksPerWrite: Histogram;
  /**
   * Seconds from the first click in an event-loop tick to that tick's responses. Measured per tick, so that not every
   * redirect reads the clock. Each click counts as one observation.
   */
  readonly tickSeconds: Histogram;
  readonly syncSeconds: Histogram;
}

/** Bucket bounds in seconds. They start at 10 µs, because a tick without a sync is faster than any disk. */
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

/** Statistics of the applier since the process started, and its backlog. */
export interface ApplierStats {
  readonly runSeconds: Histogram;
  readonly failures: number;
  /** Number of clicks, and of journal bytes, that are not applied to storage yet. */
  readonly unapplied: JournalMark;
  /** Age of the oldest unapplied click, in seconds. */
  readonly lagSeconds: number;
}
