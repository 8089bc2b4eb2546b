import type { LinkDomain } from '../domains/hosts.ts';
import type { Utm } from './destinations/utm.ts';
import type { FieldsWith, FieldValue, FlagName, LinkFieldName } from './link-field-values.ts';
import type { TagChoice } from './tags.ts';

/** All times are milliseconds since the epoch. */
export type Link = { readonly [N in LinkFieldName]: FieldValue<N> } & {
  /** Host of the link's domain; null for the shared domain. */
  readonly host: string | null;
  readonly clicks: number;
  /** Start of the hour of the last click, UTC; null for none. */
  readonly lastClickAt: number | null;
  /** Tag names, sorted. */
  readonly tags: readonly string[];
};

/** A link as stored. `clicks` excludes clicks in the journal after the offset `appliedTo`. */
export type StoredLink = Link & { readonly row: number };

/** A deleted link that can be restored. */
export type DeletedLink = StoredLink & { readonly deletedAt: number };

/** Cursor in a list of deleted links: continues after this link. */
export type DeletedPlace = Pick<DeletedLink, 'deletedAt' | 'id'>;

export type NewLink = Pick<Link, 'id' | 'destination' | 'createdAt'> & {
  readonly [N in FieldsWith<'nullable'> | FlagName]?: Link[N] | undefined;
} & {
  /** Codes to try in this order; the first free one is used. */
  readonly codes: readonly string[];
  /** The destination, encoded for the `Location` header. */
  readonly location: string;
  /** Clicks before the import that count towards `maxClicks`. */
  readonly usedClicks?: number;
  /** Maximum number of live links of the account, including this one; undefined for unlimited. */
  readonly quota?: number | undefined;
  readonly tags?: TagChoice | undefined;
  /** Undefined for the shared domain. */
  readonly domain?: LinkDomain | undefined;
};

/** Changes to the existing link of an upsert, in addition to {@link NewLink}. */
export interface Replacement {
  /** The code that the link must have, if the client requested one. */
  readonly customCode?: string | undefined;
  /** The domain that the link must be on, if the client requested one; null for the shared domain. */
  readonly domain?: LinkDomain | null | undefined;
  /** Whether the expiry stays unchanged. */
  readonly keepsExpiry: boolean;
  readonly now: number;
}

/** Actions if the account already has a link with the destination of the new link. */
export const ifExistsActions = ['reuse', 'fail', 'new'] as const;

/** The check for an existing link with the same destination as a new link. */
export interface DuplicateCheck {
  readonly ifExists: 'reuse' | 'fail';
  /** With `reuse`: the code that the link must have, if the client requested one. */
  readonly customCode?: string | undefined;
  readonly now: number;
}

/** The link in the response to a create, also stored for replays with the same idempotency key; therefore small. */
export type BriefLink = Pick<Link, 'id' | 'code' | 'destination' | 'createdAt'> &
  Partial<Pick<Link, 'host' | 'revision'>>;

/** A code and the host of its domain; null for the shared domain. */
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

/** The fields to change; absent fields stay unchanged. */
export type LinkChange = Partial<Pick<Link, FieldsWith<'editable'>>> & {
  readonly location?: string;
  readonly tags?: TagChoice | undefined;
};

/** The folders of a list: all links, the links of one folder, or links without a folder. */
export type FolderFilter =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'folder'; readonly id: string };

export interface LinkPage {
  readonly links: readonly StoredLink[];
  /** Exact count of all matching links, from the same snapshot. */
  readonly total: number;
  readonly appliedTo: number;
}

/** The identifiers of a link with which its clicks are recorded. */
export type LinkReference = Pick<Target, 'row' | 'account'>;

/** The data of a live link that a redirect needs. */
export interface Target {
  readonly row: number;
  /** Number of the account that owns the link. */
  readonly account: number;
  /** The link's id as 16 bytes, as in the click journal. */
  readonly id: Uint8Array;
  /** Printable ASCII (verified by storage), including the UTM parameters of the link. */
  readonly location: string;
  readonly expiresAt: number | null;
  /** UTM parameters to record for clicks whose short URL has none. */
  readonly utm?: Utm | undefined;
  /** Returns true if the account excludes visits from an IP address; undefined if it excludes no networks. */
  readonly isExcluded?: ((address: string) => boolean) | undefined;
  /** Features that few links use; undefined for other links, whose redirects skip all of these checks. */
  readonly special?: SpecialTarget | undefined;
}

/**
 * Fields that can change or block the redirect. `usedClicks` is the value when the target was read, and only
 * increases. `password` is its hash.
 */
export type SpecialTarget = Pick<
  Link,
  Exclude<FieldsWith<'affectsRedirect'>, 'destination' | 'expiresAt'> | 'usedClicks'
> & {
  /** URL schemes of apps that the account allows, separated by spaces; absent for none. */
  readonly appSchemes?: string;
};
