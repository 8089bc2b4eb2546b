import type { LinkCounts, ResolvedRestrictions } from '../accounts/key-restrictions.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import type { LinkAction } from '../history/events.ts';
import type { IfMatch } from '../history/revisions.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { BulkDone, BulkMode, BulkWrite, PreviousField, RemainingLinks } from './bulk.ts';
import type { Targets } from './destinations/host-lists.ts';
import type { Folder, FolderChange, NewFolder } from './folders.ts';
import type {
  BriefLink,
  DeletedLink,
  DeletedPlace,
  DuplicateCheck,
  FolderFilter,
  HostedCode,
  Link,
  LinkChange,
  LinkPage,
  LinkPreview,
  NewLink,
  Replacement,
  StoredLink,
  Target,
  UpsertedLink,
} from './link-records.ts';
import type { FoundLinks, LinkSearch } from './link-search.ts';
import type { NewTag, Tag } from './tags.ts';
import type { UtmTemplate, UtmTemplateChange } from './utm-templates.ts';

/** Read operations for links, folders and tags. */
export interface LinkReads {
  /** @param key `codeKey` of the code */
  findTarget(key: string): MaybePromise<Target | undefined>;
  /**
   * Returns the key of a live code that equals another one apart from hyphens, for golinks domains.
   * @param key `codeKey` of the other code
   */
  findGolink(key: string): MaybePromise<string | undefined>;
  /**
   * Returns the public part of a live link: its code, host and destination as they were entered. @param row row of the
   * link
   */
  preview(row: number): MaybePromise<LinkPreview | undefined>;
  /** Returns true unless a live link has used up its click limit. @param row row of a target */
  hasClicksLeft(accountId: number, row: number): MaybePromise<boolean>;
  link(accountId: number, id: string): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** Returns the account's live link with this code. @param key `codeKey` of the code */
  linkByCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** Returns the account's live link with this externalId. */
  linkByExternalId(
    accountId: number,
    externalId: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /**
   * Lists deleted links, most recently deleted first.
   * @param after the link to continue after
   * @param externalId only links that had it
   * @param restrictions only links within these restrictions
   */
  deletedLinks(
    accountId: number,
    limit: number,
    after?: DeletedPlace,
    externalId?: string,
    restrictions?: ResolvedRestrictions,
  ): MaybePromise<{ links: readonly DeletedLink[]; appliedTo: number }>;
  /**
   * Returns the deleted link that last had the code, unless a live link has it now. @param key `codeKey` of the code
   */
  deletedLinkByCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ link: DeletedLink; appliedTo: number } | undefined>;
  /** Lists live links, newest first. Skips `offset` rows. */
  links(accountId: number, filter: FolderFilter, limit: number, offset: number): MaybePromise<LinkPage>;
  /** Counts live links within a key's restrictions, by folder, tag and domain. */
  countLinksWithin(accountId: number, restrictions: ResolvedRestrictions): MaybePromise<LinkCounts>;
  /** Returns live links that match a search, in its order. */
  findLinks(accountId: number, search: LinkSearch): MaybePromise<FoundLinks>;
  /**
   * Lists folders, oldest first, with the number of live links in each.
   * @param after id of the folder to continue after; undefined for the start
   */
  folders(accountId: number, limit: number, after?: string): MaybePromise<readonly Folder[]>;
  folder(accountId: number, id: string): MaybePromise<Folder | undefined>;
  /**
   * Returns the redirect for an expired link without its own `expiredUrl`: that of its folder, else of its domain,
   * else of its account.
   * @param row row of a target
   */
  inheritedExpiredUrl(accountId: number, row: number): MaybePromise<string | undefined>;
  /**
   * Lists tags by name, with the number of live links of each.
   * @param after key (`tagKey`) to continue after; undefined for the start
   */
  tags(accountId: number, limit: number, after?: string): MaybePromise<readonly Tag[]>;
  tag(accountId: number, id: string): MaybePromise<Tag | undefined>;
  /** Lists UTM templates by name. */
  utmTemplates(accountId: number): MaybePromise<readonly UtmTemplate[]>;
  /** Lists the aliases of a live link, sorted; undefined if there is no such link. */
  aliases(accountId: number, linkId: string): MaybePromise<readonly HostedCode[] | undefined>;
  /**
   * Returns the owner of a code, by its `codeKey`. `linkId` is null unless it is a live link of the requesting
   * account.
   */
  holderOfCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ readonly isOwn: boolean; readonly linkId: string | null } | undefined>;
  /**
   * Lists the URLs of live links of all accounts, by row, for checks against block lists. @param after last row of the
   * previous page
   */
  linkTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /** Lists the URLs of all accounts' brandings, by account number. @param after last number of the previous page */
  brandingTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /**
   * Lists the URLs of folders of all accounts, by id. @param after last id of the previous page; undefined for the
   * start
   */
  folderTargets(after: string | undefined, limit: number): MaybePromise<readonly Targets[]>;
}

/** Write operations for links, folders and tags. */
export interface LinkWrites {
  /**
   * @throws Failure FOLDER_NOT_FOUND, DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE, LIMIT_REACHED, EXTERNAL_ID_TAKEN,
   * CUSTOM_CODE_TAKEN (all candidate codes are taken)
   */
  createLink(accountId: number, link: NewLink): Promise<BriefLink>;
  /**
   * Creates a link unless the account has an active or scheduled one with the same destination; of several, returns
   * the oldest. Of concurrent requests, only one creates the link.
   * @throws Failure as `createLink`; LINK_EXISTS
   */
  createUnlessExists(accountId: number, link: NewLink, check: DuplicateCheck): Promise<UpsertedLink>;
  /**
   * Creates a link, or updates the link with its externalId in all but its code, clicks and creation time. If that link
   * is deleted, restores it as if it were new, unless another link has its code now.
   * @throws Failure as `createLink`; IMMUTABLE_FIELD when the code of the live link differs from the requested one
   */
  upsertLink(
    accountId: number,
    link: NewLink & { readonly externalId: string },
    existing: Replacement,
  ): Promise<UpsertedLink>;
  /** Like `updateLink`, for the live link that has the externalId when the write runs. */
  updateByExternalId(
    accountId: number,
    externalId: string,
    change: LinkChange,
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link | undefined>;
  /** Like `deleteLink`, for the live link that has the externalId when the write runs. */
  deleteByExternalId(accountId: number, externalId: string, now: number, ifMatch?: IfMatch): Promise<boolean>;
  /**
   * Updates a link.
   * @param ifMatch revisions, one of which the link must have; undefined for any. The other methods use it in the same
   * way.
   * @param action the action in the history; by default `updated` or `tagged`
   * @returns the updated link; undefined if there is none
   * @throws Failure EXTERNAL_ID_TAKEN, REVISION_MISMATCH
   */
  updateLink(
    accountId: number,
    id: string,
    change: LinkChange,
    now: number,
    ifMatch?: IfMatch,
    action?: LinkAction,
  ): Promise<Link | undefined>;
  /**
   * Reverts a link to an earlier revision, as one change.
   * @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND, EXTERNAL_ID_TAKEN, REVISION_MISMATCH
   */
  rollBackLink(
    accountId: number,
    id: string,
    change: LinkChange & { readonly folderId?: string | null },
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link>;
  /**
   * Uses up one click of a live link with a click limit.
   * @param row row of a target
   * @returns true if a click was left; if false, the visitor must not be redirected
   */
  consumeClick(accountId: number, row: number, now: number): Promise<boolean>;
  /**
   * Records the expiry of live links of all accounts as events, each expiry once.
   * @param now ms since the epoch
   * @returns whether there may be more
   */
  recordExpirations(now: number, max: number): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND */
  moveLink(
    accountId: number,
    id: string,
    folderId: string | null,
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link>;
  /** Hides the link and reserves its code for the account. @returns whether the link existed */
  deleteLink(accountId: number, id: string, now: number, ifMatch?: IfMatch): Promise<boolean>;
  /**
   * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN (another link of the account has the code now),
   * EXTERNAL_ID_TAKEN
   */
  restoreLink(accountId: number, id: string, now: number, quota?: number, ifMatch?: IfMatch): Promise<Link>;
  /**
   * Changes the code of a link; the old code becomes an alias.
   * @param domain null for the shared domain; undefined for the domain of the link
   * @throws Failure LINK_NOT_FOUND, DOMAIN_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
   */
  changeCode(
    accountId: number,
    id: string,
    code: string,
    now: number,
    domain?: LinkDomain | null,
    ifMatch?: IfMatch,
  ): Promise<Link>;
  /**
   * Adds an alias to a link.
   * @param domain as for `changeCode`
   * @returns the alias, in its existing spelling if the link already had it
   * @throws Failure LINK_NOT_FOUND, DOMAIN_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
   */
  addAlias(
    accountId: number,
    id: string,
    code: string,
    now: number,
    domain?: LinkDomain | null,
  ): Promise<{ readonly alias: HostedCode; readonly isNew: boolean }>;
  /** @param key `codeKey` of the code @returns whether a live link of the account had the alias */
  removeAlias(accountId: number, key: string, now: number): Promise<boolean>;
  /**
   * Runs many writes of links in one transaction; each can be rejected separately, or all together.
   * @param previous fields whose previous values to return
   * @returns the outcomes, in the order of the writes
   * @throws Failure BULK_REFUSED in mode `atomic` when a write is rejected; COUNT_DIFFERS
   */
  bulkLinks(
    accountId: number,
    writes: readonly BulkWrite[],
    mode: BulkMode,
    remainder: RemainingLinks,
    previous?: readonly PreviousField[],
  ): Promise<BulkDone>;
  /** @throws Failure LIMIT_REACHED */
  createFolder(accountId: number, folder: NewFolder): Promise<Folder>;
  /**
   * Updates a folder. If no value differs, `updatedAt` stays unchanged too.
   * @returns undefined if there is no such folder
   */
  updateFolder(accountId: number, id: string, change: FolderChange, now: number): Promise<Folder | undefined>;
  /** Deletes a folder and uncategorizes its links atomically. @returns whether the folder existed */
  deleteFolder(accountId: number, id: string, now: number): Promise<boolean>;
  /**
   * Restores a deleted folder with its links, except those moved to another folder in the meantime.
   * @param limit maximum number of folders of the account, including this one; undefined for unlimited
   * @returns undefined if there is no such folder, or `emptyFolders` has processed it
   * @throws Failure LIMIT_REACHED
   */
  restoreFolder(accountId: number, id: string, limit?: number): Promise<Folder | undefined>;
  /**
   * Detaches links from deleted folders, which then cannot be restored. Does not change the result of any read.
   * @param before only folders deleted before this time, ms since the epoch
   * @param max maximum number of links to change
   * @returns whether there may be more
   */
  emptyFolders(before: number, max: number): Promise<boolean>;
  /** @throws Failure UTM_TEMPLATE_NAME_TAKEN, LIMIT_REACHED */
  createUtmTemplate(accountId: number, template: UtmTemplate): Promise<UtmTemplate>;
  /** @throws Failure UTM_TEMPLATE_NOT_FOUND, UTM_TEMPLATE_NAME_TAKEN */
  updateUtmTemplate(
    accountId: number,
    id: string,
    change: UtmTemplateChange,
    now: number,
  ): Promise<UtmTemplate>;
  /** @returns whether the template existed */
  deleteUtmTemplate(accountId: number, id: string): Promise<boolean>;
  /** @throws Failure TAG_NAME_TAKEN, LIMIT_REACHED */
  createTag(accountId: number, tag: NewTag): Promise<Tag>;
  /** @throws Failure TAG_NOT_FOUND, TAG_NAME_TAKEN */
  renameTag(accountId: number, id: string, name: string, now: number): Promise<Tag>;
  /**
   * Merges a tag into another one. Reads return the other tag for all of its links once this transaction is committed.
   * @param atOnce above this number of links, `emptyTags` updates the rows later, so that other writes do not have to
   * wait
   * @returns the remaining tag
   * @throws Failure TAG_NOT_FOUND
   */
  mergeTags(accountId: number, id: string, into: string, now: number, atOnce?: number): Promise<Tag>;
  /**
   * Deletes a tag and removes it from all links; defers row updates like `mergeTags`. @returns whether the tag existed
   */
  deleteTag(accountId: number, id: string, atOnce?: number): Promise<boolean>;
  /**
   * Continues the work that `mergeTags` and `deleteTag` deferred. Does not change the result of any read.
   * @param max maximum number of links to change
   * @returns whether there may be more
   */
  emptyTags(max: number): Promise<boolean>;
  /**
   * Adds new and changed links to the search index. Does not change the result of any read, except the position of
   * links from older versions when sorting by clicks.
   * @param max maximum number of links
   * @returns whether there may be more
   */
  indexLinks(max: number): Promise<boolean>;
}
