import type { AccountReads, AccountWrites } from './accounts/account-storage.ts';
import type { Author } from './accounts/actors.ts';
import type { CertificateReads, CertificateWrites } from './certificates.ts';
import type { ClickReads, ClickWrites, StatisticsStorage } from './clicks/click-storage.ts';
import type { EventWrites } from './clicks/events.ts';
import type { DomainReads, DomainWrites } from './domains/domain-storage.ts';
import type { EventFollowing, EventLogWrites, EventReads } from './history/events.ts';
import type { IdempotencyClaim, IdempotentResult } from './idempotency.ts';
import type { ImportReads, ImportWrites } from './imports/import-storage.ts';
import type { DestinationReads, DestinationWrites } from './links/destination-checks.ts';
import type { LinkReads, LinkWrites } from './links/link-storage.ts';
import type { ManifestReads, ManifestWrites } from './manifests/manifests.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Stamp } from './stamps.ts';
import type { StorageStats } from './storage-stats.ts';
import type { ClickedFollowing } from './webhooks/clicks.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/webhook-storage.ts';

/** Background writes that are skipped if they have nothing to do. */
export type Upkeep =
  | 'rollUpClicks'
  | 'foldClicks'
  | 'pruneClicks'
  | 'trimEvents'
  | 'trimHistory'
  | 'trimDeliveries'
  | 'recordExpirations'
  | 'emptyFolders'
  | 'emptyTags'
  | 'indexLinks'
  | 'continueImports'
  | 'deleteOldIdempotencyKeys'
  | 'deleteOldUses'
  | 'deleteExpiredSessions'
  | 'deleteOldMissedVisits';

/** All read operations. A read sees every write that was acknowledged before the read started. */
export interface Reads
  extends LinkReads,
    ClickReads,
    AccountReads,
    DomainReads,
    CertificateReads,
    DestinationReads,
    ImportReads,
    ManifestReads,
    EventReads,
    WebhookReads {
  /** Returns the newest id and the latest creation time across all accounts' links and folders. */
  newest(): MaybePromise<Stamp | undefined>;
  /** Returns the fingerprint of the request that used an idempotency key, while it is stored. */
  findIdempotencyKey(accountId: number, key: string, now: number): MaybePromise<string | undefined>;
  /**
   * Returns true if a background write has something to do. Called before each write, so that an idle server writes
   * nothing.
   * @param before ms since the epoch: the argument of `deleteOldIdempotencyKeys`, `deleteOldUses` and
   * `deleteExpiredSessions`; the current time for `foldClicks` and `recordExpirations`; the start of the day for
   * `pruneClicks` and `deleteOldMissedVisits`. For `indexLinks`, the number of links that may remain unindexed
   */
  hasWork(work: Upkeep, before?: number): MaybePromise<boolean>;
}

/** All write operations. Each runs in one transaction, which is durable when the promise resolves. */
export interface Writes
  extends LinkWrites,
    ClickWrites,
    AccountWrites,
    EventWrites,
    EventLogWrites,
    DomainWrites,
    CertificateWrites,
    DestinationWrites,
    ImportWrites,
    ManifestWrites,
    WebhookWrites {
  /**
   * Acquires the lease for periodic work that only one process does at a time.
   * @param at ms since the epoch
   * @returns false if a process acquired it less than `everyMs` ago
   */
  acquireLease(name: string, at: number, everyMs: number): Promise<boolean>;
  /** Deletes at most `max` idempotency records created before a time. @returns the number of deleted records */
  deleteOldIdempotencyKeys(before: number, max: number): Promise<number>;
}

/**
 * The database interface. All durable data is stored through it. Every implementation passes `storage/storage.test.ts`.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED from all functions, if storage cannot currently serve them
 */
export interface Storage extends Reads, Writes, StatisticsStorage, EventFollowing, ClickedFollowing {
  /** Returns write operations that record this author. The write operations of `Storage` itself record `background`. */
  writesBy(author: Author): Writes;
  /**
   * Runs a write at most once per idempotent request.
   * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used with a different request
   */
  idempotent<T>(
    idempotent: IdempotencyClaim,
    write: (writes: Writes) => Promise<T>,
    by?: Author,
  ): Promise<IdempotentResult<T>>;
  /**
   * Opens storage if needed, and resolves when storage accepts writes. Writes nothing.
   * @throws the reason if storage does not accept writes
   */
  ready(): Promise<void>;
  /** Sets the listener for changes to a key or its sessions. `id` is undefined if all keys may have changed. */
  onKeyChange(listener: (id?: string) => void): void;
  /** Verifies that storage works, using a write and a read. */
  ping(): Promise<void>;
  /** Returns the number of unfinished writes. */
  waitingWrites(): number;
  stats(): StorageStats;
  close(): Promise<void>;
}
