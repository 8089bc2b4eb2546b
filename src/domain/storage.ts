import type { Account } from './accounts/accounts.ts';
import type { BrandingReads, BrandingWrites } from './accounts/branding.ts';
import type { ApiKey, NewKey, StoredKey } from './accounts/keys.ts';
import type { LimitUse } from './accounts/limits.ts';
import type { Preferences } from './accounts/preferences.ts';
import type { LoginLink, NewSession, Session } from './accounts/sessions.ts';
import type { ClickBatch } from './clicks/clicks.ts';
import type { EventAsk, EventPages, EventWrites } from './clicks/events.ts';
import type { MissedVisit, MissedVisitCounts, UnknownCode } from './clicks/missed-visits.ts';
import type { ClicksPage, ClicksQuestion } from './clicks/raw-clicks.ts';
import type { NewShare, Share, SharedLink } from './clicks/shares.ts';
import type { StatisticsAnswer, StatisticsQuestion, StatisticsRange } from './clicks/statistics.ts';
import type { IdempotencyClaim, IdempotentResult } from './idempotency.ts';
import type { Beyond, BulkDone, BulkMode, BulkWrite } from './links/bulk.ts';
import type { Folder, NewFolder } from './links/folders.ts';
import type { LinkTargets } from './links/host-lists.ts';
import type {
  DeletedLink,
  DeletedPlace,
  FolderFilter,
  Link,
  LinkChange,
  LinkPage,
  NewLink,
  OwnedRow,
  Replacement,
  SameDestination,
  StoredLink,
  Target,
  UpsertedLink,
} from './links/link-records.ts';
import type { FoundLinks, LinkSearch } from './links/link-search.ts';
import type { NewTag, Tag } from './links/tags.ts';
import type { Stamp } from './stamps.ts';
import type { StorageStats } from './storage-stats.ts';

/** Synchronous on an embedded engine, so that the redirect need not wait for a tick of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Writes in the background that may find nothing to do. */
export type Upkeep =
  | 'rollUpClicks'
  | 'foldClicks'
  | 'pruneClicks'
  | 'trimEvents'
  | 'emptyFolders'
  | 'emptyTags'
  | 'indexLinks'
  | 'forgetIdempotencyKeys'
  | 'forgetUses'
  | 'forgetSessions'
  | 'forgetMissedVisits';

/** Every read. A read sees every write that was acknowledged before it. */
export interface Reads extends BrandingReads {
  findTarget(foldedCode: string): MaybePromise<Target | undefined>;
  /** What a visitor may see of a live link, by its row: the code and the destination as they were given. */
  preview(row: number): MaybePromise<{ readonly code: string; readonly destination: string } | undefined>;
  /** Whether the limit of a live link's clicks, if it has one, is not reached. @param row of a target */
  hasClicksLeft(accountId: number, row: number): MaybePromise<boolean>;
  findKey(id: string): MaybePromise<StoredKey | undefined>;
  link(accountId: number, id: string): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** The live link that has the code, which the account must own. */
  linkByCode(
    accountId: number,
    foldedCode: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** The live link of the account that has the externalId. */
  linkByExternalId(
    accountId: number,
    externalId: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** The last deleted first: those behind the place given, at most `limit`. */
  deletedLinks(
    accountId: number,
    limit: number,
    behind?: DeletedPlace,
  ): MaybePromise<{ links: readonly DeletedLink[]; appliedTo: number }>;
  /** The deleted link that had the code last, while no live one has it. */
  deletedLinkByCode(
    accountId: number,
    foldedCode: string,
  ): MaybePromise<{ link: DeletedLink; appliedTo: number } | undefined>;
  /** Newest first. `offset` rows are passed over, at most `limit` returned. */
  links(accountId: number, filter: FolderFilter, limit: number, offset: number): MaybePromise<LinkPage>;
  /** Live links that a search finds, in the order that it asks for. */
  findLinks(accountId: number, search: LinkSearch): MaybePromise<FoundLinks>;
  /**
   * Oldest first, with the number of live links in each.
   * @param limit at most so many
   * @param after the id of the folder behind which to go on; undefined to begin
   */
  folders(accountId: number, limit: number, after?: string): MaybePromise<readonly Folder[]>;
  folder(accountId: number, id: string): MaybePromise<Folder | undefined>;
  /**
   * In the order of their names, with the number of live links that carry each.
   * @param limit at most so many
   * @param after the key (`tagKey`) behind which to go on; undefined to begin
   */
  tags(accountId: number, limit: number, after?: string): MaybePromise<readonly Tag[]>;
  tag(accountId: number, id: string): MaybePromise<Tag | undefined>;
  /** The newest id of all links and folders, of any account, and the latest time at which one was made. */
  newest(): MaybePromise<Stamp | undefined>;
  /** The codes that a live link has beside its own, in their order; undefined when there is no such link. */
  aliases(accountId: number, linkId: string): MaybePromise<readonly string[] | undefined>;
  /** The shares of a live link, oldest first; undefined when there is no such link. */
  shares(accountId: number, linkId: string): MaybePromise<readonly Share[] | undefined>;
  /**
   * What a share gives access to, while it has not expired, its link is live and the account is not suspended.
   * @param digest of its secret
   */
  sharedLink(digest: Uint8Array, now: number): MaybePromise<SharedLink | undefined>;
  usage(accountId: number): MaybePromise<{ links: number; folders: number }>;
  /** The holder of a code, by its folded form: `linkId` is null unless it is a live link of the asking account. */
  holderOfCode(
    accountId: number,
    foldedCode: string,
  ): MaybePromise<{ readonly isOwn: boolean; readonly linkId: string | null } | undefined>;
  /** The newest 1,000 keys of an account, the newest first. */
  keysOf(accountId: number): MaybePromise<readonly ApiKey[]>;
  /** Keys of one account, or of all: for the operator's tools. */
  keys(account?: string): MaybePromise<readonly ApiKey[]>;
  /** By the digest of its token; whether it has ended by itself is for the caller to see. */
  findSession(digest: Uint8Array): MaybePromise<Session | undefined>;
  /** Sessions of an account, or of one of its keys, the one last used first. */
  sessions(accountId: number, keyId?: string): MaybePromise<readonly Session[]>;
  /** What an account has kept for its dashboard; undefined while that is nothing. */
  preferences(accountId: number): MaybePromise<Preferences | undefined>;
  findLoginLink(digest: Uint8Array): MaybePromise<LoginLink | undefined>;
  accounts(): MaybePromise<readonly (Account & { links: number })[]>;
  /** Whether any key exists at all. */
  hasKeys(): MaybePromise<boolean>;
  /** The offset up to which a journal's clicks are part of the counts. */
  appliedTo(journal: string): MaybePromise<number>;
  /** The fingerprint of the request that used this idempotency key, while it is remembered. */
  findIdempotencyKey(accountId: number, key: string, now: number): MaybePromise<string | undefined>;
  /** Rows and accounts of links by their 16-byte ids in hex; unknown ids are absent. Deleted links count too. */
  rowsOf(ids: readonly string[]): MaybePromise<ReadonlyMap<string, OwnedRow>>;
  /** The secret by which the visitors of a UTC day are told apart, while it is kept. @param day since the epoch */
  visitorSalt(day: number): MaybePromise<Uint8Array | undefined>;
  /** Visits since a UTC day that led nowhere, by link and reason, the most first. @param firstDay since the epoch */
  missedVisits(accountId: number, firstDay: number, limit: number): MaybePromise<readonly MissedVisit[]>;
  /** The codes without a link that were asked for most since a UTC day: for the operator's tools. */
  unknownCodes(firstDay: number, limit: number): MaybePromise<readonly UnknownCode[]>;
  /** Where live links of all accounts lead, by row: for the operator's checks. @param after the last row before */
  linkTargets(after: number, limit: number): MaybePromise<readonly LinkTargets[]>;
  /**
   * Whether a background write would find work, so that an idle service writes nothing.
   * @param before ms since the epoch: the argument of `forgetIdempotencyKeys`, `forgetUses` and `forgetSessions`, now for
   *   `foldClicks`, for `pruneClicks` and `forgetMissedVisits` when the day begins
   */
  hasWork(work: Upkeep, before?: number): MaybePromise<boolean>;
}

/** Every write. Each is one transaction, durable when its promise resolves. */
export interface Writes extends EventWrites, BrandingWrites {
  /** @throws Failure FOLDER_NOT_FOUND, LIMIT_REACHED, EXTERNAL_ID_TAKEN, CUSTOM_CODE_TAKEN (every offered code is taken) */
  createLink(accountId: number, link: NewLink): Promise<Link>;
  /**
   * Makes a link unless the account has one with its destination that works or will work; of several, the oldest is meant.
   * Of requests at once that ask so, one makes the link.
   * @throws Failure as `createLink`; LINK_EXISTS
   */
  createUnlessThere(accountId: number, link: NewLink, there: SameDestination): Promise<UpsertedLink>;
  /**
   * Makes a link, or changes the live link that has its externalId to it, except for code, clicks and time of creation.
   * @throws Failure as `createLink`; IMMUTABLE_FIELD when the link has another code than the one asked for
   */
  upsertLink(
    accountId: number,
    link: NewLink & { readonly externalId: string },
    existing: Replacement,
  ): Promise<UpsertedLink>;
  /** @returns the link afterwards; undefined when there is none. @throws Failure EXTERNAL_ID_TAKEN */
  updateLink(accountId: number, id: string, change: LinkChange, now: number): Promise<Link | undefined>;
  /**
   * Uses up one of the clicks that a live link is limited to.
   * @param row of a target
   * @returns whether one was left; the visitor may be sent on only then
   */
  admitClick(accountId: number, row: number): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND */
  moveLink(accountId: number, id: string, folderId: string | null, now: number): Promise<Link>;
  /** Hides the link and keeps its code for the account. @returns whether there was one */
  deleteLink(accountId: number, id: string, now: number): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN (the account used the code again), EXTERNAL_ID_TAKEN */
  restoreLink(accountId: number, id: string, now: number, quota?: number): Promise<Link>;
  /**
   * Gives a link another code; the old one stays its alias.
   * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
   */
  changeCode(accountId: number, id: string, code: string, now: number): Promise<Link>;
  /** @returns the alias as it was given first @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN */
  addAlias(
    accountId: number,
    id: string,
    code: string,
    now: number,
  ): Promise<{ readonly alias: string; readonly isNew: boolean }>;
  /** @returns whether a live link of the account had the alias */
  removeAlias(accountId: number, foldedCode: string, now: number): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, LIMIT_REACHED */
  shareLink(accountId: number, linkId: string, share: NewShare): Promise<void>;
  /** @returns whether there was one */
  revokeShare(accountId: number, id: string): Promise<boolean>;
  /**
   * Many writes of links in one transaction, each refused by itself, or all.
   * @returns what became of each, in their order
   * @throws Failure BULK_REFUSED in mode `atomic` when one is refused; COUNT_DIFFERS
   */
  bulkLinks(
    accountId: number,
    writes: readonly BulkWrite[],
    mode: BulkMode,
    beyond: Beyond,
  ): Promise<BulkDone>;
  /** @throws Failure LIMIT_REACHED */
  createFolder(accountId: number, folder: NewFolder): Promise<Folder>;
  renameFolder(accountId: number, id: string, name: string, now: number): Promise<Folder | undefined>;
  /**
   * Removes a folder and uncategorizes its links, for every read at once.
   * @param atOnce with more links than this, their rows are left to `emptyFolders`, so that no other write waits for them
   * @returns whether there was one
   */
  deleteFolder(accountId: number, id: string, atOnce?: number): Promise<boolean>;
  /**
   * Continues the work that `deleteFolder` left. It changes no answer of a read.
   * @param max how many links to change
   * @returns whether there was anything left
   */
  emptyFolders(max: number): Promise<boolean>;
  /** @throws Failure TAG_NAME_TAKEN, LIMIT_REACHED */
  createTag(accountId: number, tag: NewTag): Promise<Tag>;
  /** @throws Failure TAG_NOT_FOUND, TAG_NAME_TAKEN */
  renameTag(accountId: number, id: string, name: string, now: number): Promise<Tag>;
  /**
   * Makes every link that carries one tag carry the other instead, for every read at once.
   * @param atOnce with more links than this, their rows are left to `emptyTags`, so that no other write waits for them
   * @returns the tag that stays
   * @throws Failure TAG_NOT_FOUND
   */
  mergeTags(accountId: number, id: string, into: string, now: number, atOnce?: number): Promise<Tag>;
  /** Takes a tag off every link, as `mergeTags` does. @returns whether there was one */
  deleteTag(accountId: number, id: string, atOnce?: number): Promise<boolean>;
  /**
   * Continues the work that `mergeTags` and `deleteTag` left. It changes no answer of a read.
   * @param max how many links to change
   * @returns whether there was anything left
   */
  emptyTags(max: number): Promise<boolean>;
  /**
   * Takes new and changed links into what finds them quickly. It changes no answer of a read but the order by clicks of
   * links that an older version made.
   * @param max how many links
   * @returns whether there may be more
   */
  indexLinks(max: number): Promise<boolean>;
  /** @returns undefined when the name is in use, in any case */
  createAccount(name: string, now: number): Promise<Account | undefined>;
  /** @returns whether there is such an account */
  suspendAccount(name: string, at: number | null): Promise<boolean>;
  /**
   * Creates the account as well when it does not exist.
   * @param maxLive most live keys of the account with this one; undefined for no limit
   * @throws Failure VALIDATION_ERROR when an account has its name in another case, LIMIT_REACHED
   */
  createKey(key: NewKey, maxLive?: number): Promise<ApiKey>;
  /** @returns undefined once any key exists, and does nothing then. A name in another case is the same account. */
  createFirstKey(key: NewKey): Promise<ApiKey | undefined>;
  /** @returns whether there was a live key */
  revokeKey(id: string, now: number): Promise<boolean>;
  /**
   * Makes a successor with the same rights and the same expiry; the old key ends with `oldExpiresAt`, or before.
   * @throws Failure INVALID_API_KEY when there is no such key, or it is revoked or was rotated already; EXPIRED_API_KEY
   */
  rotateKey(
    id: string,
    next: { id: string; digest: Uint8Array; createdAt: number; oldExpiresAt: number },
  ): Promise<ApiKey>;
  touchKeys(uses: readonly { id: string; at: number }[]): Promise<void>;
  /**
   * @param login the digest of a login link, which is used up
   * @returns false when the link is used up already, or too old
   */
  createSession(session: NewSession, login?: Uint8Array): Promise<boolean>;
  /** @param keyId only when it is a session of this key @returns whether there was one */
  endSession(accountId: number, id: string, keyId?: string): Promise<boolean>;
  /** @param except the session that stays; empty for none @param keyId only those of this key @returns how many */
  endSessions(accountId: number, except: string, keyId?: string): Promise<number>;
  touchSessions(uses: readonly { id: string; at: number }[]): Promise<void>;
  putPreferences(accountId: number, value: string, now: number): Promise<void>;
  createLoginLink(link: LoginLink): Promise<void>;
  /** Removes sessions and login links that have ended by themselves. */
  forgetSessions(now: number): Promise<void>;
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
  /**
   * Acquires the lease of work that one process at a time does now and then.
   * @param at ms since the epoch
   * @returns false when a process acquired it less than `everyMs` ago
   */
  acquireLease(name: string, at: number, everyMs: number): Promise<boolean>;
  /**
   * Reports how much a node has counted against each limit since the minute began, and reads what the others counted.
   * @param node a number that no other process has
   * @returns the others' sums of these names; without those that no other node counted
   */
  shareUses(node: number, since: number, uses: readonly LimitUse[]): Promise<readonly LimitUse[]>;
  /** Removes what was counted in minutes that began before the given time. */
  forgetUses(before: number): Promise<void>;
  forgetJournal(journal: string): Promise<void>;
  /** Removes at most `max` idempotency records made before the given time. @returns how many */
  forgetIdempotencyKeys(before: number, max: number): Promise<number>;
}

/**
 * Where everything durable lives: the only interface of the program that has several implementations. Every engine
 * passes `storage/storage.test.ts`.
 * @throws Failure STORAGE_UNAVAILABLE or OVERLOADED from any of its functions, when it cannot do its work now
 */
export interface Storage extends Reads, Writes {
  /**
   * The same writes, each done at most once for the given request.
   * @throws Failure IDEMPOTENCY_KEY_REUSED when the key was used with another request
   */
  idempotent<T>(
    idempotent: IdempotencyClaim,
    write: (writes: Writes) => Promise<T>,
  ): Promise<IdempotentResult<T>>;
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
  /** Resolves when storage takes writes, perhaps after it was opened. Writes nothing. @throws why it takes none */
  ready(): Promise<void>;
  /** Proves by a write and a read that storage works. */
  ping(): Promise<void>;
  /** Writes that are not finished. */
  waitingWrites(): number;
  stats(): StorageStats;
  close(): Promise<void>;
}
