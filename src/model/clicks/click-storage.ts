import type { ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import type { LinkReference } from '../links/link-records.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ClickBatch } from './clicks.ts';
import type { EventPages, EventRequest } from './events.ts';
import type { MissedVisit, MissedVisitCounts, UnknownCode } from './missed-visits.ts';
import type { ClicksPage, ClicksQuestion } from './raw-clicks.ts';
import type { NewReport, NewShare, Report, Share, Shared } from './shares.ts';
import type { GroupKind, StatisticsAnswer, StatisticsQuestion, StatisticsRange } from './statistics.ts';

/** Read operations for clicks, except statistics. */
export interface ClickReads {
  /** Lists a live link's shares, oldest first. Returns undefined if the link does not exist. */
  shares(accountId: number, linkId: string): MaybePromise<readonly Share[] | undefined>;
  /**
   * Returns a share and its subjects if the share has not expired, its link is live and the account is not suspended.
   * @param digest digest of the share's secret
   */
  shared(digest: Uint8Array, now: number): MaybePromise<Shared | undefined>;
  /** Lists the account's shares that `createShare` created, oldest first. */
  accountShares(accountId: number): MaybePromise<readonly Report[]>;
  /** Returns the offset up to which the clicks in a journal are included in the stored counts. */
  appliedTo(journal: string): MaybePromise<number>;
  /**
   * Returns the rows and accounts of links, including deleted links, by link id (16 bytes in hex). Unknown ids are
   * omitted.
   */
  rowsOf(ids: readonly string[]): MaybePromise<ReadonlyMap<string, LinkReference>>;
  /**
   * Returns the salt for a day's visitor hashes; undefined if no salt is stored for the day.
   * @param day UTC day, in days since the epoch
   */
  visitorSalt(day: number): MaybePromise<Uint8Array | undefined>;
  /**
   * Lists not-found visits since a UTC day, grouped by link and reason, most frequent first.
   * @param firstDay UTC day, in days since the epoch
   * @param linkId lists only visits to this link
   */
  missedVisits(
    accountId: number,
    firstDay: number,
    limit: number,
    linkId?: string,
  ): MaybePromise<readonly MissedVisit[]>;
  /**
   * Returns the number of visits that the account excluded on a UTC day, by link id. Links without excluded visits are
   * omitted.
   * @param day days since the epoch
   */
  excludedVisits(
    accountId: number,
    day: number,
    linkIds: readonly string[],
  ): MaybePromise<ReadonlyMap<string, number>>;
  /** Lists the most requested unknown codes since a UTC day, for operators. */
  unknownCodes(firstDay: number, limit: number): MaybePromise<readonly UnknownCode[]>;
}

/** Write operations for clicks and shares. */
export interface ClickWrites {
  /** @throws Failure LINK_NOT_FOUND, LIMIT_REACHED */
  shareLink(accountId: number, linkId: string, share: NewShare): Promise<Share>;
  /** @throws Failure LIMIT_REACHED */
  createShare(accountId: number, share: NewReport): Promise<Report>;
  /** @returns true if the share existed */
  revokeShare(accountId: number, id: string): Promise<boolean>;
  /** Applies a batch. @returns false, without applying any click, if the journal's offset is no longer `from` */
  applyClicks(batch: ClickBatch): Promise<boolean>;
  /**
   * Moves recent clicks into their links' totals. Does not change the result of any read.
   * @param afterRow link row after which to continue; 0 to start at the first link
   * @param max maximum number of sums (by link, hour and class) to move; all sums of a link are moved together
   * @returns the row of the last link whose clicks were moved; undefined if there was no link
   */
  rollUpClicks(afterRow: number, max: number): Promise<number | undefined>;
  /**
   * Deletes the details of clicks before a UTC day. Link totals do not change.
   * @param day days since the epoch
   * @param max maximum number of segments to delete
   * @returns true if more segments may remain
   */
  pruneClicks(day: number, max: number): Promise<boolean>;
  /**
   * Stores a 16-byte salt for a day, unless the day already has a salt. Deletes the salts for days before `today` and
   * for days after tomorrow.
   * @returns the salt that all processes use
   */
  storeVisitorSalt(day: number, salt: Uint8Array, today: number): Promise<Uint8Array>;
  /**
   * Adds not-found and excluded visits to a UTC day's sums, and deletes the sums for days before `firstKept`. Only the
   * 10,000 link/reason pairs and the 10,000 unknown codes with the most visits are stored per day.
   * @param day days since the epoch
   */
  addMissedVisits(day: number, counts: MissedVisitCounts, firstKept: number): Promise<void>;
  deleteJournal(journal: string): Promise<void>;
}

/** Operations of the columnar click store, separate from other reads and writes. */
export interface StatisticsStorage {
  /**
   * Runs a statistics query over all clicks that were applied before the query. Clicks on deleted links stay in the
   * results for their account and folder.
   * @returns undefined when the link, folder or tag does not exist, is deleted, or belongs to another account
   * @throws Failure VALIDATION_ERROR on `from` when only totals are stored for clicks of that age; OVERLOADED
   */
  statistics(accountId: number, question: StatisticsQuestion): Promise<StatisticsAnswer | undefined>;
  /**
   * Returns a page of raw clicks, newest first. Every click that was applied before the first page was read is on
   * exactly one page.
   * @returns undefined under the same conditions as `statistics`
   * @throws the same errors as `statistics`
   */
  clicks(accountId: number, question: ClicksQuestion): Promise<ClicksPage | undefined>;
  /**
   * Counts the clicks on up to a hundred links, for each bucket of a range. Excludes clicks whose details were deleted.
   * @param ids link ids in lower case
   * @returns counts by link id; zeros for links that the account does not have
   */
  clicksByBucket(
    accountId: number,
    ids: readonly string[],
    range: StatisticsRange,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /**
   * Counts clicks per folder or tag, for each bucket of a range. Includes clicks on deleted links.
   * @returns counts by folder or tag id, without folders and tags that have no clicks
   */
  clicksByGroup(
    accountId: number,
    kind: GroupKind,
    range: StatisticsRange,
    restrictions?: ResolvedRestrictions,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /**
   * Folds a limited number of applied clicks into columns and seals completed days. Does not change the result of any
   * read.
   * @param now ms since the epoch
   * @returns true if there are more clicks to fold
   */
  foldClicks(now: number): Promise<boolean>;
  /**
   * Reads link events for several readers. All readers on all nodes receive events in the same order. Clicks are
   * delayed by about a second.
   * @param max maximum number of events for all readers together. Each reader gets a share of this number
   * @returns undefined if events are not recorded, because `renewEventReader` must be called first
   */
  readEvents(asks: readonly EventRequest[], max: number): Promise<EventPages | undefined>;
}
