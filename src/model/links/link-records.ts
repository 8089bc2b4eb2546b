import type { LinkDomain } from '../domains/hosts.ts';
import type { Utm } from './destinations/utm.ts';
import type { FieldsWith, FieldValue, FlagName, LinkFieldName } from './link-field-values.ts';
import type { TagChoice } from './tags.ts';

/** All times are milliseconds since the epoch. */
export type Link = { readonly [N in LinkFieldName]: FieldValue<N> } & {
  /** Of its domain; null for the shared one. */
  readonly host: string | null;
  readonly clicks: number;
  /** The beginning of the hour of its last click, UTC; null for none. */
  readonly lastClickAt: number | null;
  /** Names, in their order. */
  readonly tags: readonly string[];
};

/** A link as stored: `clicks` lacks what the journal holds beyond `appliedTo`. */
export type StoredLink = Link & { readonly row: number };

/** A link that was deleted and can be restored. */
export type DeletedLink = StoredLink & { readonly deletedAt: number };

/** A place in a list of deleted links: right behind this one. */
export type DeletedPlace = Pick<DeletedLink, 'deletedAt' | 'id'>;

export type NewLink = Pick<Link, 'id' | 'destination' | 'createdAt'> & {
  readonly [N in FieldsWith<'nullable'> | FlagName]?: Link[N] | undefined;
} & {
  /** Codes to try in this order; the first free one is taken. */
  readonly codes: readonly string[];
  /** The destination as the `Location` header carries it. */
  readonly location: string;
  /** How many of its `maxClicks` were used up elsewhere. */
  readonly usedClicks?: number;
  /** The limit of the account's live links, this one included; undefined for none. */
  readonly quota?: number | undefined;
  readonly tags?: TagChoice | undefined;
  /** Absent for the shared one. */
  readonly domain?: LinkDomain | undefined;
};

/** What a link that exists already is to become, in addition to what {@link NewLink} says. */
export interface Replacement {
  /** The code that the link must have, when one was asked for. */
  readonly customCode?: string | undefined;
  /** The domain that it must have, when one was asked for; null for the shared one. */
  readonly domain?: LinkDomain | null | undefined;
  /** Whether its expiry stays as it is. */
  readonly keepsExpiry: boolean;
  readonly now: number;
}

/** What a new link is, when the account has one with its destination. */
export const ifExistsActions = ['reuse', 'fail', 'new'] as const;

/** The look for a link with the destination of a new one. */
export interface SameDestination {
  readonly ifExists: 'reuse' | 'fail';
  /** With `reuse`: the code that the link must have, when one was asked for. */
  readonly customCode?: string | undefined;
  readonly now: number;
}

/** What the answer to a create tells, and what is remembered for an idempotency key: kept small. */
export type BriefLink = Pick<Link, 'id' | 'code' | 'destination' | 'createdAt'> &
  Partial<Pick<Link, 'host' | 'revision'>>;

/** A code, and the host of its domain; null for the shared one. */
export interface CodeOf {
  readonly code: string;
  readonly host: string | null;
}

/** What everyone may see of a link. */
export type LinkPreview = CodeOf & Pick<Link, 'destination' | 'publicQr'>;

export interface UpsertedLink {
  readonly link: BriefLink;
  readonly isNew: boolean;
}

/** What to change; an absent field stays as it is. */
export type LinkChange = Partial<Pick<Link, FieldsWith<'editable'>>> & {
  readonly location?: string;
  readonly tags?: TagChoice | undefined;
};

/** Which links a list holds: all, those in one folder, or those in none. */
export type FolderFilter =
  | { readonly kind: 'all' | 'none' }
  | { readonly kind: 'folder'; readonly id: string };

export interface LinkPage {
  readonly links: readonly StoredLink[];
  /** Exact count of all matching links, from the same snapshot. */
  readonly total: number;
  readonly appliedTo: number;
}

/** A link as clicks name it. */
export type LinkReference = Pick<Target, 'row' | 'account'>;

/** What the redirect needs of a live link. */
export interface Target {
  readonly row: number;
  /** The number of the account that owns it. */
  readonly account: number;
  /** The link's id as 16 bytes, as the click journal writes it. */
  readonly id: Uint8Array;
  /** Printable ASCII, with the UTM parameters of the link: storage proves it before it hands a target out. */
  readonly location: string;
  readonly expiresAt: number | null;
  /** What clicks say of their campaign where the visited URL says nothing. */
  readonly utm?: Utm | undefined;
  /** What few links have; undefined for all others, so that their visitors wait for nothing. */
  readonly special?: SpecialTarget | undefined;
}

/**
 * What makes a link lead elsewhere than always to its destination, or not at all. `usedClicks` is of the moment at which it was
 * read: it only grows. Of a password it has the hash.
 */
export type SpecialTarget = Pick<
  Link,
  Exclude<FieldsWith<'movesTarget'>, 'destination' | 'expiresAt'> | 'usedClicks'
>;
