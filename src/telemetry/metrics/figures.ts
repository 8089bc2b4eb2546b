import type { ApiStats } from '../../api/request/stats.ts';
import type { ApplierStats, JournalStats } from '../../clicks/journal/stats.ts';
import type { CertificateCounts } from '../../model/certificates.ts';
import type { StorageStats } from '../../model/storage-stats.ts';
import type { Outcomes } from '../../redirect/outcomes.ts';
import type { EventLoopDelay } from './event-loop.ts';

/** All figures of a running service at one moment, as `/metrics` shows them. */
export interface MetricsSnapshot {
  /** The version of the program. */
  readonly version: string;
  readonly ready: boolean;
  readonly workers: { readonly serving: number; readonly crashes: number };
  readonly connections: {
    readonly open: number;
    readonly refused: number;
    readonly slowReaders: number;
    /** Unread answers, bytes. */
    readonly buffered: number;
  };
  /** Clients that follow events. */
  readonly eventStreams: number;
  /** Since the last scrape. */
  readonly eventLoopDelay: EventLoopDelay;
  /** When the last backup was finished, ms since the epoch; undefined when there is no record. */
  readonly backedUpAt: number | undefined;
  readonly backupFailures: number;
  readonly probes: Readonly<Record<string, { readonly ok: number; readonly refused: number }>>;
  /** Requests that reached no part of the service, by error code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly api: ApiStats;
  readonly outcomes: Outcomes;
  readonly journal: JournalStats;
  /** Clicks written, but not synced yet. */
  readonly unsyncedClicks: number;
  readonly clicksAtRisk: number;
  readonly applier: ApplierStats;
  readonly folding: FoldingFigures;
  readonly columns: FoldingFigures;
  readonly storage: StorageStats;
  readonly admission: AdmissionFigures;
  readonly blockLists: readonly BlockListFigures[];
  /** Links, folders and brandings that the last check found to lead to a listed host; undefined when this process made none. */
  readonly listedLinks: number | undefined;
  /** Looks at destinations of links, by what was found. */
  readonly destinationLooks: Readonly<Record<string, number>>;
  /** Destinations that failed when this process looked last; undefined while it has not. */
  readonly failingDestinations: number | undefined;
  /** Requests to webhooks, by how they ended. */
  readonly webhooks: Readonly<Record<string, number>>;
  /** Undefined without HTTPS. */
  readonly certificates: CertificateCounts | undefined;
}

/** How far clicks have been moved on in the background: at most how long one has waited, in seconds. */
export interface FoldingFigures {
  readonly ageSeconds: number;
  readonly failures: number;
}

/** A block list as it is now. */
export interface BlockListFigures {
  readonly name: string;
  readonly hosts: number;
  /** Ms since the epoch; undefined while its source was never read. */
  readonly loadedAt: number | undefined;
}

type ByClass = Readonly<Record<string, number>>;

/** API requests by class: refused, queued, abandoned by their clients, and waiting now. */
export interface AdmissionFigures {
  readonly refused: ByClass;
  readonly queued: ByClass;
  readonly abandoned: ByClass;
  readonly waiting: ByClass;
}
