import type { ApiStats } from '../../api/request/stats.ts';
import type { ApplierStats, JournalStats } from '../../clicks/journal/stats.ts';
import type { CertificateCounts } from '../../model/certificates.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import type { Outcomes } from '../../redirect/outcomes.ts';
import type { EventLoopDelay } from './event-loop.ts';

/** Snapshot of all counts in a running service, as shown by `/metrics`. */
export interface MetricsSnapshot {
  readonly version: string;
  readonly ready: boolean;
  readonly workers: { readonly serving: number; readonly crashes: number };
  readonly connections: {
    readonly open: number;
    readonly refused: number;
    readonly slowReaders: number;
    /** Size of unread responses in bytes. */
    readonly buffered: number;
  };
  /** Number of connected event stream clients. */
  readonly eventStreams: number;
  /** Event loop delay since the last scrape. */
  readonly eventLoopDelay: EventLoopDelay;
  /** Time of the last successful backup in ms since the epoch; undefined if there is no record. */
  readonly backedUpAt: number | undefined;
  readonly backupFailures: number;
  readonly probes: Readonly<Record<string, { readonly ok: number; readonly refused: number }>>;
  /** Requests that were rejected before they reached a handler, by error code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: JournalStats;
  /** Number of clicks written but not synced yet. */
  readonly unsyncedClicks: number;
  readonly clicksAtRisk: number;
  readonly applier: ApplierStats;
  readonly folding: FoldingCounts;
  readonly columns: FoldingCounts;
  readonly storage: StorageStats;
  readonly admission: AdmissionCounts;
  readonly blockLists: readonly BlockListCounts[];
  /**
   * Number of links, folders and brandings with a host on a block list, according to the last check. Undefined if this
   * process has not run a check.
   */
  readonly listedLinks: number | undefined;
  /** Number of destination checks, by result. */
  readonly destinationChecks: Readonly<Record<string, number>>;
  /** Number of failing destinations at this process's last check; undefined before the first check. */
  readonly failingDestinations: number | undefined;
  /** Number of webhook requests, by result. */
  readonly webhooks: Readonly<Record<string, number>>;
  /** Certificate counts; undefined if HTTPS is disabled. */
  readonly certificates: CertificateCounts | undefined;
}

/** Progress of background click processing. `ageSeconds` is the longest time that a click has been pending. */
export interface FoldingCounts {
  readonly ageSeconds: number;
  readonly failures: number;
}

/** Current state of a block list. */
export interface BlockListCounts {
  readonly name: string;
  readonly hosts: number;
  /** Time of the last update in ms since the epoch; undefined if the source was never read. */
  readonly loadedAt: number | undefined;
}

type ByClass = Readonly<Record<string, number>>;

/**
 * For each class, the number of API requests that were rejected, were queued, were abandoned by the client, or are
 * currently waiting.
 */
export interface AdmissionCounts {
  readonly refused: ByClass;
  readonly queued: ByClass;
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}
