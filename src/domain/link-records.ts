/** All times are milliseconds since the epoch. */
export interface Link {
  readonly id: string;
  readonly code: string;
  readonly destination: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly clicks: number;
  readonly expiresAt: number | null;
  readonly folderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A link as stored: `clicks` lacks what the journal holds beyond `appliedTo`. */
export interface StoredLink extends Link {
  readonly row: number;
}

/** A link that was deleted and can be restored. */
export interface DeletedLink extends StoredLink {
  readonly deletedAt: number;
}

/** A place in a list of deleted links: right behind this one. */
export type DeletedPlace = Pick<DeletedLink, 'deletedAt' | 'id'>;

export interface NewLink {
  readonly id: string;
  /** Codes to try in this order; the first free one is taken. */
  readonly codes: readonly string[];
  readonly destination: string;
  readonly location: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly expiresAt: number | null;
  readonly folderId: string | null;
  readonly createdAt: number;
  /** Most live links the account may have, this one included; undefined means no limit. */
  readonly quota?: number | undefined;
}

/** What to change; an absent field stays as it is. */
export interface LinkChange {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly expiresAt?: number | null;
  readonly destination?: string;
  readonly location?: string;
}

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

/** What the redirect needs of a live link. */
export interface Target {
  readonly row: number;
  /** The link's id as 16 bytes, as the click journal writes it. */
  readonly id: Uint8Array;
  /** Printable ASCII: storage proves it before it hands a target out. */
  readonly location: string;
  readonly expiresAt: number | null;
}
