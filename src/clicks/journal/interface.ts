import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { Report } from '../../runtime/report.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { JournalFs } from './files/io.ts';
import type { Batch, JournalProgress, JournalStats } from './stats.ts';

/**
 * When a visitor's redirect is sent. `relaxed`: immediately. `default`: after the click is written; the click
 * survives if the process is killed, and a power failure loses at most about 50 ms of clicks. `strict`: after the click
 * is synced to disk.
 */
export type Durability = 'relaxed' | 'default' | 'strict';

export interface JournalHealth {
  readonly ok: boolean;
  /** A sentence that tells the operator why the journal is unhealthy. Undefined if `ok` is true. */
  readonly reason?: string;
  /** Clicks that are counted, but would be lost if the process died or power failed now. */
  readonly clicksAtRisk: number;
}

export interface Journal {
  /** The UUID under which storage records how far the journal has been applied. */
  readonly id: string;
  /** The directory that contains all journals. */
  readonly dir: string;
  /**
   * Records a click. Calls `answer` once, when the configured durability is reached, to send the visitor's response.
   * @param at milliseconds since the epoch
   * @param answer receives false if the click could not be recorded and is not counted, which happens only in strict
   * mode or after `close`
   */
  append(target: Target, at: number, facts: ClickFacts, answer: (recorded: boolean) => void): void;
  /** Writes this tick's clicks now, instead of at the end of the tick, and sends their responses. */
  writeNow(): void;
  /** Returns the number of clicks on a link that are not in a batch yet. `row` is the link's row. */
  pending(row: number): number;
  /** Returns true if any click is not in a batch yet. */
  hasPending(): boolean;
  /** Returns the pending clicks as a batch. The batch's offset is the end of its clicks in the files. */
  takeBatch(): Batch;
  /** Removes files that are no longer needed. Call it after storage has applied all clicks up to the offset. */
  release(offset: number): void;
  health(): JournalHealth;
  /** Statistics since the process started. */
  readonly stats: JournalStats;
  /** Returns the progress, the time of the oldest pending click, and the number of clicks not synced yet. */
  progress(): JournalProgress;
  /** Writes and syncs everything appended so far. Never rejects; see `health` for errors. */
  flush(): Promise<void>;
  /**
   * Flushes the journal and releases its directory.
   * @param forget deletes storage's record of the journal; pass it only if all clicks are applied. Called after the
   * journal's files are removed and before its directory is removed.
   */
  close(forget?: () => Promise<void>): Promise<void>;
}

export interface JournalOptions {
  /** The directory that contains all journals; created if missing. */
  readonly dir: string;
  readonly durability: Durability;
  /** Reports an error for the operator. */
  readonly onError: Report;
  /** Reports that the journal can be written again after a failure. */
  readonly onInfo?: Report;
  readonly fs?: JournalFs;
  readonly timers?: Timers;
  readonly newId?: () => string;
  /** Segment size in bytes at which the next segment starts. */
  readonly segmentBytes?: number;
  /** Maximum number of bytes stored for retries while the disk rejects writes. */
  readonly retryBytes?: number;
}
