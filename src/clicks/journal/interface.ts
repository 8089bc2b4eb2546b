import type { ClickFacts } from '../../model/clicks/click-facts.ts';
import type { Target } from '../../model/links/link-records.ts';
import type { Report } from '../../runtime/report.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { JournalFs } from './files/io.ts';
import type { Batch, JournalProgress, JournalStats } from './stats.ts';

/**
 * What a visitor's 302 waits for. `relaxed`: nothing. `default`: the click is written, which survives a killed
 * process; a power cut loses at most some 50 ms. `strict`: the click is synced to the disk.
 */
export type Durability = 'relaxed' | 'default' | 'strict';

export interface JournalHealth {
  readonly ok: boolean;
  /** One sentence for the operator, when not ok. */
  readonly reason?: string;
  /** Clicks that are counted, but would be lost if the process died or the machine lost power now. */
  readonly clicksAtRisk: number;
}

export interface Journal {
  /** A UUID: under this name storage keeps how far the journal is applied. */
  readonly id: string;
  /** The directory of all journals. */
  readonly dir: string;
  /**
   * Records one click, and calls `answer` once as soon as the durability asked for is reached: the visitor's answer
   * leaves there.
   * @param at ms since the epoch
   * @param answer gets false when the click could not be recorded and is not counted: only in strict mode, or after
   *   `close`
   */
  append(target: Target, at: number, facts: ClickFacts, answer: (recorded: boolean) => void): void;
  /** Writes what this tick of the event loop has gathered now, not at its end; the answers leave. */
  writeNow(): void;
  /** Clicks of a link (by its row) that are in no batch yet. */
  pending(row: number): number;
  /** Whether any click is in no batch yet. */
  hasPending(): boolean;
  /** Hands over the pending clicks, with the offset up to which the files hold them and no others. */
  takeBatch(): Batch;
  /** Storage has applied everything up to here: removes the files that are not needed any more. */
  release(offset: number): void;
  health(): JournalHealth;
  /** Since the start. */
  readonly stats: JournalStats;
  /** How far it has come, when the oldest pending click was counted, and what is not synced yet. */
  progress(): JournalProgress;
  /** Writes and syncs everything appended so far. Never rejects: `health` tells. */
  flush(): Promise<void>;
  /**
   * Flushes and gives the directory up.
   * @param forget given when everything is applied: called after the files are gone and before the directory goes
   */
  close(forget?: () => Promise<void>): Promise<void>;
}

export interface JournalOptions {
  /** The directory of all journals; made when it is not there. */
  readonly dir: string;
  readonly durability: Durability;
  /** A fault that the operator must know of. */
  readonly onError: Report;
  /** What went well again. */
  readonly onInfo?: Report;
  readonly fs?: JournalFs;
  readonly timers?: Timers;
  readonly newId?: () => string;
  /** Size at which the next segment begins, in bytes. */
  readonly segmentBytes?: number;
  /** Maximum number of bytes kept for another try while the disk refuses them. */
  readonly retryBytes?: number;
}
