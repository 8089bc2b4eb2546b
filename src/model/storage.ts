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

/** Writes in the background that may find nothing to do. */
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
  | 'forgetIdempotencyKeys'
  | 'deleteOldUses'
  | 'deleteExpiredSessions'
  | 'forgetMissedVisits';

/** Every read. A read sees every write that was acknowledged before it. */
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
  /** The newest id of all links and folders, of any account, and the latest time at which one was made. */
  newest(): MaybePromise<Stamp | undefined>;
  /** The fingerprint of the request that used this idempotency key, while it is remembered. */
  findIdempotencyKey(accountId: number, key: string, now: number): MaybePromise<string | undefined>;
  /**
   * Whether a background write would find work, so that an idle service writes nothing.
   * @param before ms since the epoch: the argument of `forgetIdempotencyKeys`, `deleteOldUses` and `deleteExpiredSessions`, now for
   *   `foldClicks` and `recordExpirations`, for `pruneClicks` and `forgetMissedVisits` when the day begins; of `indexLinks` how many links may wait
   */
  hasWork(work: Upkeep, before?: number): MaybePromise<boolean>;
}

/** Every write. Each is one transaction, durable when its promise resolves. */
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
   * Acquires the lease of work that one process at a time does now and then.
   * @param at ms since the epoch
   * @returns false when a process acquired it less than `everyMs` ago
   */
  acquireLease(name: string, at: number, everyMs: number): Promise<boolean>;
  /** Removes at most `max` idempotency records made before the given time. @returns how many */
  forgetIdempotencyKeys(before: number, max: number): Promise<number>;
}

/**
 * Where everything durable lives: the only interface of the program that has several implementations. Every engine
 * passes `storage/storage.test.ts`.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED from any of its functions, when it cannot do its work now
 */
export interface Storage extends Reads, Writes, StatisticsStorage, EventFollowing, ClickedFollowing {
  /** The same writes, made by somebody; those of `Storage` itself the service makes. */
  writesBy(author: Author): Writes;
  /**
   * The same writes, each done at most once for the given request.
   * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used with another request
   */
  idempotent<T>(
    idempotent: IdempotencyClaim,
    write: (writes: Writes) => Promise<T>,
    by?: Author,
  ): Promise<IdempotentResult<T>>;
  /** Resolves when storage takes writes, perhaps after it was opened. Writes nothing. @throws why it takes none */
  ready(): Promise<void>;
  /** Calls the listener, of which there is one, when a key or a session of it was changed; without an id for all keys. */
  onKeyChange(listener: (id?: string) => void): void;
  /** Proves by a write and a read that storage works. */
  ping(): Promise<void>;
  /** Writes that are not finished. */
  waitingWrites(): number;
  stats(): StorageStats;
  close(): Promise<void>;
}
