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
   * Returns the key of a live code that differs from the given code only in hyphens, for golinks domains.
   * @param key `codeKey` of the given code
   */
  findGolink(key: string): MaybePromise<string | undefined>;
  /**
   * Returns the public part of a live link: its code, host and destination as they were entered.
   * @param row the link's row
   */
  preview(row: number): MaybePromise<LinkPreview | undefined>;
  /** Returns true if a link is live and has not used up its click limit. @param row the link's row */
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
   * @param after the link after which to continue
   * @param externalId lists only links that had this externalId
   * @param restrictions lists only links within these restrictions
   */
  deletedLinks(
    accountId: number,
    limit: number,
    after?: DeletedPlace,
    externalId?: string,
    restrictions?: ResolvedRestrictions,
  ): MaybePromise<{ links: readonly DeletedLink[]; appliedTo: number }>;
  /**
   * Returns the deleted link that last had the code, unless a live link has it now.
   * @param key `codeKey` of the code
   */
  deletedLinkByCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ link: DeletedLink; appliedTo: number } | undefined>;
  /** Lists live links, newest first. Skips the first `offset` links. */
  links(accountId: number, filter: FolderFilter, limit: number, offset: number): MaybePromise<LinkPage>;
  /** Counts live links within a key's restrictions, by folder, tag and domain. */
  countLinksWithin(accountId: number, restrictions: ResolvedRestrictions): MaybePromise<LinkCounts>;
  /** Returns live links that match a search, in the requested order. */
  findLinks(accountId: number, search: LinkSearch): MaybePromise<FoundLinks>;
  /**
   * Lists folders, oldest first, with the number of live links in each folder.
   * @param after id of the folder after which to continue; undefined to start at the first folder
   */
  folders(accountId: number, limit: number, after?: string): MaybePromise<readonly Folder[]>;
  folder(accountId: number, id: string): MaybePromise<Folder | undefined>;
  /**
   * Returns the redirect for an expired link without its own `expiredUrl`: its folder's redirect, else its domain's,
   * else its account's.
   * @param row the link's row
   */
  inheritedExpiredUrl(accountId: number, row: number): MaybePromise<string | undefined>;
  /**
   * Lists tags, sorted by name, with the number of live links that have each tag.
   * @param after key (`tagKey`) after which to continue; undefined to start at the first tag
   */
  tags(accountId: number, limit: number, after?: string): MaybePromise<readonly Tag[]>;
  tag(accountId: number, id: string): MaybePromise<Tag | undefined>;
  /** Lists UTM templates, sorted by name. */
  utmTemplates(accountId: number): MaybePromise<readonly UtmTemplate[]>;
  /** Lists a live link's aliases, sorted. Returns undefined if the link does not exist. */
  aliases(accountId: number, linkId: string): MaybePromise<readonly HostedCode[] | undefined>;
  /**
   * Returns the owner of a code, by its `codeKey`. `linkId` is null unless one of the requesting account's live links
   * has the code.
   */
  holderOfCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ readonly isOwn: boolean; readonly linkId: string | null } | undefined>;
  /**
   * Lists the URLs of live links in all accounts, sorted by row, for checks against block lists.
   * @param after last row on the previous page
   */
  linkTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /** Lists the branding URLs of all accounts, sorted by account id. @param after last id on the previous page */
  brandingTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /**
   * Lists the URLs of folders in all accounts, sorted by id.
   * @param after last id on the previous page; undefined for the first page
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
   * Creates a link unless the account has an active or scheduled link with the same destination. If the account has
   * several such links, returns the oldest. Only one of several concurrent requests creates the link.
   * @throws Failure LINK_EXISTS; also the failures of `createLink`
   */
  createUnlessExists(accountId: number, link: NewLink, check: DuplicateCheck): Promise<UpsertedLink>;
  /**
   * Creates a link, or updates the live link with the same externalId. An update does not change the code, clicks or
   * creation time. If a deleted link last had the externalId, restores and updates that link, with its clicks, and
   * gives it the requested code if there is one. Creates a link instead if the deleted link's code is in use, its
   * domain is unusable or it would expire immediately.
   * @throws Failure IMMUTABLE_FIELD when the live link's code differs from the requested code; also the failures of
   * `createLink`
   */
  upsertLink(
    accountId: number,
    link: NewLink & { readonly externalId: string },
    existing: Replacement,
  ): Promise<UpsertedLink>;
  /** Like `updateLink`, but updates the live link that has the externalId at the time of the write. */
  updateByExternalId(
    accountId: number,
    externalId: string,
    change: LinkChange,
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link | undefined>;
  /** Like `deleteLink`, but deletes the live link that has the externalId at the time of the write. */
  deleteByExternalId(accountId: number, externalId: string, now: number, ifMatch?: IfMatch): Promise<boolean>;
  /**
   * Updates a link.
   * @param ifMatch accepted revisions of the link; undefined to accept any revision. `ifMatch` has the same meaning in
   * all methods.
   * @param action the action in the history; by default `updated` or `tagged`
   * @returns the updated link; undefined if the link does not exist
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
   * Uses up one of the remaining clicks on a live link with a click limit.
   * @param row the link's row
   * @returns true if a click was left; if false, the visitor must not be redirected
   */
  consumeClick(accountId: number, row: number, now: number): Promise<boolean>;
  /**
   * Records an event, exactly once, for each live link that has expired, in all accounts. Skips links that expired
   * before the first call.
   * @param now ms since the epoch
   * @returns true if there may be more expired links
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
   * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN (another link in the account now has the code),
   * EXTERNAL_ID_TAKEN, DOMAIN_NOT_FOUND (the link's domain was deleted or is outside the key's restrictions)
   */
  restoreLink(accountId: number, id: string, now: number, quota?: number, ifMatch?: IfMatch): Promise<Link>;
  /**
   * Changes a link's code. The old code becomes an alias.
   * @param domain null for the shared domain; undefined for the link's domain
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
   * @param domain see `changeCode`
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
  /** @param key `codeKey` of the code @returns whether one of the account's live links had the alias */
  removeAlias(accountId: number, key: string, now: number): Promise<boolean>;
  /**
   * Runs many link writes in one transaction. Depending on `mode`, each invalid write is rejected separately, or all
   * writes are rejected together.
   * @param previous fields for which to return the previous values
   * @returns the outcomes, in the same order as the writes
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
   * Updates a folder. If no value differs, `updatedAt` also stays unchanged.
   * @returns undefined if the folder does not exist
   */
  updateFolder(accountId: number, id: string, change: FolderChange, now: number): Promise<Folder | undefined>;
  /** Deletes a folder and uncategorizes its links atomically. @returns whether the folder existed */
  deleteFolder(accountId: number, id: string, now: number): Promise<boolean>;
  /**
   * Restores a deleted folder with its links, except links that have since been moved to another folder.
   * @param limit maximum number of folders in the account, including the restored folder; undefined for no limit
   * @returns undefined if the folder does not exist, or if `emptyFolders` has already processed it
   * @throws Failure LIMIT_REACHED
   */
  restoreFolder(accountId: number, id: string, limit?: number): Promise<Folder | undefined>;
  /**
   * Detaches links from deleted folders, which then cannot be restored. Does not change the result of any read.
   * @param before processes only folders that were deleted before this time, ms since the epoch
   * @param max maximum number of links to change
   * @returns true if there may be more links to change
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
   * Merges a tag into another tag. Once this transaction is committed, reads return the other tag for all links that
   * had the merged tag.
   * @param atOnce maximum number of links to update now. If there are more, `emptyTags` updates their rows later, so
   * that other writes do not have to wait
   * @returns the remaining tag
   * @throws Failure TAG_NOT_FOUND
   */
  mergeTags(accountId: number, id: string, into: string, now: number, atOnce?: number): Promise<Tag>;
  /**
   * Deletes a tag and removes it from all links. Defers row updates, like `mergeTags`.
   * @returns whether the tag existed
   */
  deleteTag(accountId: number, id: string, atOnce?: number): Promise<boolean>;
  /**
   * Continues the row updates that `mergeTags` and `deleteTag` deferred. Does not change the result of any read.
   * @param max maximum number of links to change
   * @returns true if there may be more links to change
   */
  emptyTags(max: number): Promise<boolean>;
  /**
   * Adds new and changed links to the search index. Does not change the result of any read, except that links from
   * older versions can change position when sorted by clicks.
   * @param max maximum number of links
   * @returns true if there may be more links to index
   */
  indexLinks(max: number): Promise<boolean>;
}
