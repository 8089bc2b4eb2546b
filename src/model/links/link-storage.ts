import type { CountsWithin, ResolvedRestrictions } from '../accounts/reach.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import type { LinkAction } from '../history/events.ts';
import type { IfMatch } from '../history/revisions.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { BulkDone, BulkMode, BulkWrite, PreviousField, RemainingLinks } from './bulk.ts';
import type { Targets } from './destinations/host-lists.ts';
import type { Folder, FolderChange, NewFolder } from './folders.ts';
import type {
  BriefLink,
  CodeOf,
  DeletedLink,
  DeletedPlace,
  FolderFilter,
  Link,
  LinkChange,
  LinkPage,
  LinkPreview,
  NewLink,
  Replacement,
  SameDestination,
  StoredLink,
  Target,
  UpsertedLink,
} from './link-records.ts';
import type { FoundLinks, LinkSearch } from './link-search.ts';
import type { NewTag, Tag } from './tags.ts';
import type { UtmTemplate, UtmTemplateChange } from './utm-templates.ts';

/** Reads of links, and of the folders and tags that they are in. */
export interface LinkReads {
  /** @param key `codeKey` of the code */
  findTarget(key: string): MaybePromise<Target | undefined>;
  /** What a visitor may see of a live link, by its row: the code with its host and the destination, as they were given. */
  preview(row: number): MaybePromise<LinkPreview | undefined>;
  /** Whether the limit of a live link's clicks, if it has one, is not reached. @param row of a target */
  hasClicksLeft(accountId: number, row: number): MaybePromise<boolean>;
  link(accountId: number, id: string): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** The live link that has the code, which the account must own. @param key `codeKey` of the code */
  linkByCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /** The live link of the account that has the externalId. */
  linkByExternalId(
    accountId: number,
    externalId: string,
  ): MaybePromise<{ link: StoredLink; appliedTo: number } | undefined>;
  /**
   * The last deleted first: those behind the place given, at most `limit`.
   * @param externalId only those that had it
   * @param reach only those within
   */
  deletedLinks(
    accountId: number,
    limit: number,
    behind?: DeletedPlace,
    externalId?: string,
    reach?: ResolvedRestrictions,
  ): MaybePromise<{ links: readonly DeletedLink[]; appliedTo: number }>;
  /** The deleted link that had the code last, while no live one has it. @param key `codeKey` of the code */
  deletedLinkByCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ link: DeletedLink; appliedTo: number } | undefined>;
  /** Newest first. `offset` rows are passed over, at most `limit` returned. */
  links(accountId: number, filter: FolderFilter, limit: number, offset: number): MaybePromise<LinkPage>;
  /** How many live links there are within a reach, by what they are gathered in. */
  linksWithin(accountId: number, reach: ResolvedRestrictions): MaybePromise<CountsWithin>;
  /** Live links that a search finds, in the order that it asks for. */
  findLinks(accountId: number, search: LinkSearch): MaybePromise<FoundLinks>;
  /**
   * Oldest first, with the number of live links in each.
   * @param limit at most so many
   * @param after the id of the folder behind which to continue; undefined to begin
   */
  folders(accountId: number, limit: number, after?: string): MaybePromise<readonly Folder[]>;
  folder(accountId: number, id: string): MaybePromise<Folder | undefined>;
  /**
   * Where visitors go of a link that has ended and says nothing of that: as its folder says, else its domain, else its account.
   * @param row of a target
   */
  inheritedExpiredUrl(accountId: number, row: number): MaybePromise<string | undefined>;
  /**
   * In the order of their names, with the number of live links that carry each.
   * @param limit at most so many
   * @param after the key (`tagKey`) behind which to continue; undefined to begin
   */
  tags(accountId: number, limit: number, after?: string): MaybePromise<readonly Tag[]>;
  tag(accountId: number, id: string): MaybePromise<Tag | undefined>;
  /** In the order of their names. */
  utmTemplates(accountId: number): MaybePromise<readonly UtmTemplate[]>;
  /** The codes that a live link has in addition to its own, in their order; undefined when there is no such link. */
  aliases(accountId: number, linkId: string): MaybePromise<readonly CodeOf[] | undefined>;
  /** The holder of a code, by its `codeKey`: `linkId` is null unless it is a live link of the asking account. */
  holderOfCode(
    accountId: number,
    key: string,
  ): MaybePromise<{ readonly isOwn: boolean; readonly linkId: string | null } | undefined>;
  /** Where live links of all accounts lead, by row: for the operator's checks. @param after the last row before */
  linkTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /** Where the brandings of all accounts lead, by the number of their accounts. @param after the last one before */
  brandingTargets(after: number, limit: number): MaybePromise<readonly Targets[]>;
  /** Where folders of all accounts lead, by id. @param after the last one before; undefined to begin */
  folderTargets(after: string | undefined, limit: number): MaybePromise<readonly Targets[]>;
}

/** Writes of links, and of the folders and tags that they are in. */
export interface LinkWrites {
  /** @throws Failure FOLDER_NOT_FOUND, DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE, LIMIT_REACHED, EXTERNAL_ID_TAKEN, CUSTOM_CODE_TAKEN (every offered code is taken) */
  createLink(accountId: number, link: NewLink): Promise<BriefLink>;
  /**
   * Creates a link unless the account has one with its destination that works or will work; of several, the oldest is meant. Of
   * requests at once that ask so, one makes the link.
   * @throws Failure as `createLink`; LINK_EXISTS
   */
  createUnlessThere(accountId: number, link: NewLink, there: SameDestination): Promise<UpsertedLink>;
  /**
   * Creates a link, or changes the link that has its externalId to it, except for code, clicks and time of creation. A deleted
   * one comes back unless another link has its code; it is new again.
   * @throws Failure as `createLink`; IMMUTABLE_FIELD when a live link has another code than the one asked for
   */
  upsertLink(
    accountId: number,
    link: NewLink & { readonly externalId: string },
    existing: Replacement,
  ): Promise<UpsertedLink>;
  /** As `updateLink`, of the live link that has the externalId at that moment. */
  updateByExternalId(
    accountId: number,
    externalId: string,
    change: LinkChange,
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link | undefined>;
  /** As `deleteLink`, of the live link that has the externalId at that moment. */
  deleteByExternalId(accountId: number, externalId: string, now: number, ifMatch?: IfMatch): Promise<boolean>;
  /**
   * @param ifMatch revisions, one of which the link must have; undefined for any. The same below.
   * @param action what history calls it; `updated`, or `tagged`, unless it is given
   * @returns the link afterwards; undefined when there is none
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
   * Creates a link what it was at an earlier revision, as one change.
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
   * Uses up one of the clicks that a live link is limited to.
   * @param row of a target
   * @returns whether one was left; the visitor may be sent on only then
   */
  admitClick(accountId: number, row: number, now: number): Promise<boolean>;
  /**
   * Notes of some live links of all accounts that their end has come, each end once.
   * @param now ms since the epoch
   * @returns whether there may be more
   */
  tellExpired(now: number, max: number): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, FOLDER_NOT_FOUND */
  moveLink(
    accountId: number,
    id: string,
    folderId: string | null,
    now: number,
    ifMatch?: IfMatch,
  ): Promise<Link>;
  /** Hides the link and keeps its code for the account. @returns whether there was one */
  deleteLink(accountId: number, id: string, now: number, ifMatch?: IfMatch): Promise<boolean>;
  /** @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN (the account used the code again), EXTERNAL_ID_TAKEN */
  restoreLink(accountId: number, id: string, now: number, quota?: number, ifMatch?: IfMatch): Promise<Link>;
  /**
   * Gives a link another code; the old one stays its alias.
   * @param domain null for the shared one; undefined for the one that the link has
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
   * @param domain as `changeCode` takes it
   * @returns the alias as it was given first
   * @throws Failure LINK_NOT_FOUND, DOMAIN_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
   */
  addAlias(
    accountId: number,
    id: string,
    code: string,
    now: number,
    domain?: LinkDomain | null,
  ): Promise<{ readonly alias: CodeOf; readonly isNew: boolean }>;
  /** @param key `codeKey` of the code @returns whether a live link of the account had the alias */
  removeAlias(accountId: number, key: string, now: number): Promise<boolean>;
  /**
   * Many writes of links in one transaction, each refused by itself, or all.
   * @param previous which fields to return as they were before
   * @returns what became of each, in their order
   * @throws Failure BULK_REFUSED in mode `atomic` when one is refused; COUNT_DIFFERS
   */
  bulkLinks(
    accountId: number,
    writes: readonly BulkWrite[],
    mode: BulkMode,
    beyond: RemainingLinks,
    previous?: readonly PreviousField[],
  ): Promise<BulkDone>;
  /** @throws Failure LIMIT_REACHED */
  createFolder(accountId: number, folder: NewFolder): Promise<Folder>;
  /** A change that changes nothing leaves `updatedAt` too. @returns undefined when there is no such folder */
  updateFolder(accountId: number, id: string, change: FolderChange, now: number): Promise<Folder | undefined>;
  /** Removes a folder and uncategorizes its links, for every read at once. @returns whether there was one */
  deleteFolder(accountId: number, id: string, now: number): Promise<boolean>;
  /**
   * Undoes that: the folder is back with the links that were in it and were put nowhere else since.
   * @param limit of the account's folders, this one included; undefined for none
   * @returns undefined when there is no such folder, or it was emptied
   * @throws Failure LIMIT_REACHED
   */
  restoreFolder(accountId: number, id: string, limit?: number): Promise<Folder | undefined>;
  /**
   * Detaches links from deleted folders, which then cannot be restored. Does not change the result of any read.
   * @param before only of folders that were deleted before, ms since the epoch
   * @param max how many links to change
   * @returns whether there was anything left
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
  /** @returns whether there was one */
  deleteUtmTemplate(accountId: number, id: string): Promise<boolean>;
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
}
