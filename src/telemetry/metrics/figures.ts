import type { ApiStats } from '../../api/request/stats.ts';
import type { ApplierStats, JournalStats } from '../../clicks/journal/stats.ts';
import type { CertificateCounts } from '../../model/certificates.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import type { Outcomes } from '../../redirect/outcomes.ts';
import type { EventLoopDelay } from './event-loop.ts';

/** Snapshot of all counts of a running service, as shown by `/metrics`. */
export interface MetricsSnapshot {
  /** Version of the program. */
  readonly version: string;
  readonly ready: boolean;
  readonly workers: { readonly serving: number; readonly crashes: number };
  readonly connections: {
    readonly open: number;
    readonly refused: number;
    readonly slowReaders: number;
    /** Unread responses, bytes. */
    readonly buffered: number;
  };
  /** Number of connected event stream clients. */
  readonly eventStreams: number;
  /** Delay since the last scrape. */
  readonly eventLoopDelay: EventLoopDelay;
  /** Time of the last successful backup, ms since the epoch; undefined if there is no record. */
  readonly backedUpAt: number | undefined;
  readonly backupFailures: number;
  readonly probes: Readonly<Record<string, { readonly ok: number; readonly refused: number }>>;
  /** Requests that were rejected before they reached a handler, by error code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: JournalStats;
  /** Clicks written but not synced yet. */
  readonly unsyncedClicks: number;
  readonly clicksAtRisk: number;
  readonly applier: ApplierStats;
  readonly folding: FoldingFigures;
  readonly columns: FoldingFigures;
  readonly storage: StorageStats;
  readonly admission: AdmissionFigures;
  readonly blockLists: readonly BlockListFigures[];
  /**
   * Links, folders and brandings with a listed host, according to the last check; undefined if this process has not run
   * one.
   */
  readonly listedLinks: number | undefined;
  /** Destination checks, by result. */
  readonly destinationLooks: Readonly<Record<string, number>>;
  /** Number of failing destinations at the last check of this process; undefined before it. */
  readonly failingDestinations: number | undefined;
  /** Webhook requests, by result. */
  readonly webhooks: Readonly<Record<string, number>>;
  /** Undefined without HTTPS. */
  readonly certificates: CertificateCounts | undefined;
}

/** Progress of background click processing. `ageSeconds` is the longest time that a click has waited. */
export interface FoldingFigures {
  readonly ageSeconds: number;
  readonly failures: number;
}

/** Current state of a block list. */
export interface BlockListFigures {
  readonly name: string;
  readonly hosts: number;
  /** Time of the last update, ms since the epoch; undefined if the source was never read. */
  readonly loadedAt: number | undefined;
}

type ByClass = Readonly<Record<string, number>>;

/** API requests by class: rejected, queued, abandoned by their clients, and waiting now. */
export interface AdmissionFigures {
  readonly refused: ByClass;
  readonly queued: ByClass;
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}
