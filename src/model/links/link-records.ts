import type { LinkDomain } from '../domains/hosts.ts';
import type { Utm } from './destinations/utm.ts';
import type { FieldsWith, FieldValue, FlagName, LinkFieldName } from './link-field-values.ts';
import type { TagChoice } from './tags.ts';

/** A link. All times are milliseconds since the epoch. */
export type Link = { readonly [N in LinkFieldName]: FieldValue<N> } & {
  /** Host of the link's domain; null for the shared domain. */
  readonly host: string | null;
  readonly clicks: number;
  /** Start of the UTC hour of the last click; null if there are no clicks. */
  readonly lastClickAt: number | null;
  /** Tag names, sorted. */
  readonly tags: readonly string[];
};

/** A link as stored. `clicks` excludes clicks in the journal after the offset `appliedTo`. */
export type StoredLink = Link & { readonly row: number };

/** A deleted link that can be restored. */
export type DeletedLink = StoredLink & { readonly deletedAt: number };

/** Cursor in a list of deleted links: the link after which the list continues. */
export type DeletedPlace = Pick<DeletedLink, 'deletedAt' | 'id'>;

export type NewLink = Pick<Link, 'id' | 'destination' | 'createdAt'> & {
  readonly [N in FieldsWith<'nullable'> | FlagName]?: Link[N] | undefined;
} & {
  /** Candidate codes, in order of preference. The link gets the first code that is free. */
  readonly codes: readonly string[];
  /** The destination, encoded for the `Location` header. */
  readonly location: string;
  /** Clicks before the import that count towards `maxClicks`. */
  readonly usedClicks?: number;
  /** Maximum number of live links in the account, including the new link; undefined for no limit. */
  readonly quota?: number | undefined;
  readonly tags?: TagChoice | undefined;
  /** The link's domain; undefined for the shared domain. */
  readonly domain?: LinkDomain | undefined;
};

/** Data that an upsert needs to change the existing link, in addition to {@link NewLink}. */
export interface Replacement {
  /** The code that the link must have, if the client requested one. */
  readonly customCode?: string | undefined;
  /** The domain that the link must be on, if the client requested one; null for the shared domain. */
  readonly domain?: LinkDomain | null | undefined;
  /** Whether the expiry stays unchanged. */
  readonly keepsExpiry: boolean;
  readonly now: number;
}

/** Actions if the account already has a link with the same destination as the new link. */
export const ifExistsActions = ['reuse', 'fail', 'new'] as const;

/** The check for an existing link with the same destination as a new link. */
export interface DuplicateCheck {
  readonly ifExists: 'reuse' | 'fail';
  /** The code that a reused link must have, if the client requested a code. */
  readonly customCode?: string | undefined;
  readonly now: number;
}

/** The link in the response to a create request. It is small, because it is also stored for idempotent replays. */
export type BriefLink = Pick<Link, 'id' | 'code' | 'destination' | 'createdAt'> &
  Partial<Pick<Link, 'host' | 'revision'>>;

/** A code and its host, which is null for the shared domain. */
export interface HostedCode {
  readonly code: string;
  readonly host: string | null;
}

/** The public part of a link. */
export type LinkPreview = HostedCode & Pick<Link, 'destination' | 'publicQr'>;

export interface UpsertedLink {
  readonly link: BriefLink;
  readonly isNew: boolean;
}

/** The fields to change. Omitted fields stay unchanged. */
export type LinkChange = Partial<Pick<Link, FieldsWith<'editable'>>> & {
  readonly location?: string;
  readonly tags?: TagChoice | undefined;
};

/** Filter for all links, the links in one folder, or links without a folder. */
export type FolderFilter =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'folder'; readonly id: string };

export interface LinkPage {
  readonly links: readonly StoredLink[];
  /** Exact count of all matching links, from the same snapshot. */
  readonly total: number;
  readonly appliedTo: number;
}

/** A link's identifiers, as recorded with its clicks. */
export type LinkReference = Pick<Target, 'row' | 'account'>;

/** The data that a redirect needs from a live link. */
export interface Target {
  readonly row: number;
  /** Id of the account that owns the link. */
  readonly account: number;
  /** The link's id as 16 bytes, as in the click journal. */
  readonly id: Uint8Array;
  /** The `Location` header: printable ASCII (verified by storage), including the link's UTM parameters. */
  readonly location: string;
  readonly expiresAt: number | null;
  /** UTM parameters to record for clicks whose short URL has no UTM parameters. */
  readonly utm?: Utm | undefined;
  /** Returns true if the account excludes visits from an IP address; undefined if it excludes no networks. */
  readonly isExcluded?: ((address: string) => boolean) | undefined;
  /**
   * Fields for features that few links use. Undefined for all other links, so that their redirects skip these checks.
   */
  readonly special?: SpecialTarget | undefined;
}

/**
 * Fields that can change or block the redirect. `usedClicks` is the value when the target was read; it can only
 * increase. `password` is the password hash.
 */
export type SpecialTarget = Pick<
  Link,
  Exclude<FieldsWith<'affectsRedirect'>, 'destination' | 'expiresAt'> | 'usedClicks'
> & {
  /** App URL schemes that the account allows, separated by spaces; undefined if there are none. */
  readonly appSchemes?: string;
};
