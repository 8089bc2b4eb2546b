import type { Reach } from '../accounts/reach.ts';
import type { OwnedRow } from '../links/link-records.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ClickBatch } from './clicks.ts';
import type { EventAsk, EventPages } from './events.ts';
import type { MissedVisit, MissedVisitCounts, UnknownCode } from './missed-visits.ts';
import type { ClicksPage, ClicksQuestion } from './raw-clicks.ts';
import type { NewShare, Share, SharedLink } from './shares.ts';
import type { GroupKind, StatisticsAnswer, StatisticsQuestion, StatisticsRange } from './statistics.ts';

/** Reads of what clicks left, but for statistics. */
export interface ClickReads {
  /** The shares of a live link, oldest first; undefined when there is no such link. */
  shares(accountId: number, linkId: string): MaybePromise<readonly Share[] | undefined>;
  /**
   * What a share gives access to, while it has not expired, its link is live and the account is not suspended.
   * @param digest of its secret
   */
  sharedLink(digest: Uint8Array, now: number): MaybePromise<SharedLink | undefined>;
  /** The offset up to which a journal's clicks are part of the counts. */
  appliedTo(journal: string): MaybePromise<number>;
  /** Rows and accounts of links by their 16-byte ids in hex; unknown ids are absent. Deleted links count too. */
  rowsOf(ids: readonly string[]): MaybePromise<ReadonlyMap<string, OwnedRow>>;
  /** The secret by which the visitors of a UTC day are told apart, while it is kept. @param day since the epoch */
  visitorSalt(day: number): MaybePromise<Uint8Array | undefined>;
  /** Visits since a UTC day that led nowhere, by link and reason, the most first. @param firstDay since the epoch */
  missedVisits(accountId: number, firstDay: number, limit: number): MaybePromise<readonly MissedVisit[]>;
  /** The codes without a link that were asked for most since a UTC day: for the operator's tools. */
  unknownCodes(firstDay: number, limit: number): MaybePromise<readonly UnknownCode[]>;
}

/** Writes of clicks and of what gives access to them. */
export interface ClickWrites {
  /** @throws Failure LINK_NOT_FOUND, LIMIT_REACHED */
  shareLink(accountId: number, linkId: string, share: NewShare): Promise<Share>;
  /** @returns whether there was one */
  revokeShare(accountId: number, id: string): Promise<boolean>;
  /** @returns whether the journal's offset was still `from`; if not, nothing was applied */
  applyClicks(batch: ClickBatch): Promise<boolean>;
  /**
   * Moves recent clicks to the figures of their links. It changes no answer of a read.
   * @param afterRow the link's row beyond which to go on; 0 to begin
   * @param max how many sums to move (by link, hour and class), those of the last link whole
   * @returns the row of the last link moved; undefined when there was none
   */
  rollUpClicks(afterRow: number, max: number): Promise<number | undefined>;
  /**
   * Removes what clicks before a UTC day say. They stay in the totals of their links.
   * @param day since the epoch
   * @param max how many segments to remove
   * @returns whether there may be more
   */
  pruneClicks(day: number, max: number): Promise<boolean>;
  /**
   * Keeps a secret of 16 bytes for a day, unless it has one, and forgets those of days before today.
   * @returns the one that all processes use
   */
  keepVisitorSalt(day: number, salt: Uint8Array, today: number): Promise<Uint8Array>;
  /**
   * Adds missed visits to the sums of a UTC day, and forgets those of days before `firstKept`. A day keeps the 10,000 rows
   * of links and the 10,000 codes with most visits.
   * @param day since the epoch
   */
  addMissedVisits(day: number, counts: MissedVisitCounts, firstKept: number): Promise<void>;
  forgetJournal(journal: string): Promise<void>;
}

/** What is worked out from columns of clicks, apart from other reads and writes. */
export interface StatisticsStorage {
  /**
   * Answers a question about clicks. It has every click that was applied before; clicks of deleted links stay in the answers
   * of their account and folder, as they were counted.
   * @returns undefined when the link, folder or tag does not exist, is deleted, or is another account's
   * @throws Failure VALIDATION_ERROR on `from`, when clicks that old are kept in totals only; OVERLOADED
   */
  statistics(accountId: number, question: StatisticsQuestion): Promise<StatisticsAnswer | undefined>;
  /**
   * A page of raw clicks, the newest first. Every click that was applied before is on one page, and on no other.
   * @returns undefined and @throws as `statistics`
   */
  clicks(accountId: number, question: ClicksQuestion): Promise<ClicksPage | undefined>;
  /**
   * How often links were clicked in each bucket of a range, a hundred links at most. Clicks whose details are not kept any more
   * are not in it.
   * @param ids of links, in lower case
   * @returns by the id of the link; nothing but zeros for a link that the account does not have
   */
  clicksByBucket(
    accountId: number,
    ids: readonly string[],
    range: StatisticsRange,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /**
   * How often the links of each folder or each tag were clicked in each bucket of a range, those of deleted links as they were
   * counted.
   * @returns by the id of the folder or tag; those without clicks are not in it
   */
  clicksByGroup(
    accountId: number,
    kind: GroupKind,
    range: StatisticsRange,
    reach?: Reach,
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /**
   * Makes columns of applied clicks, from which statistics are answered, and seals days that are over. It changes no answer of
   * a read. Takes little of it at a time.
   * @param now ms since the epoch
   * @returns whether more was found than was done
   */
  foldClicks(now: number): Promise<boolean>;
  /**
   * Reads what happened to the links of accounts, clicks within a second or so, in one order for all readers on all nodes.
   * @param max events of all asks together; each gets its part, and says whether there is more
   * @returns undefined while nothing is noted: `keepEvents` begins that
   */
  readEvents(asks: readonly EventAsk[], max: number): Promise<EventPages | undefined>;
}
