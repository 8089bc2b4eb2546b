// Made from src/contract by scripts/client-endpoints.ts. Do not edit: change the contract, then `npm run generate`.
import type { CallOptions } from './call.ts';

/** Every error code of the API, as of this version. */
export type ErrorCode =
  | 'INVALID_JSON'
  | 'INVALID_BODY'
  | 'VALIDATION_ERROR'
  | 'INVALID_URL'
  | 'IMMUTABLE_FIELD'
  | 'BAD_REQUEST'
  | 'MISSING_API_KEY'
  | 'INVALID_API_KEY'
  | 'EXPIRED_API_KEY'
  | 'INSUFFICIENT_SCOPE'
  | 'LIMIT_REACHED'
  | 'ACCOUNT_SUSPENDED'
  | 'ROUTE_NOT_FOUND'
  | 'LINK_NOT_FOUND'
  | 'FOLDER_NOT_FOUND'
  | 'CODE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'CUSTOM_CODE_TAKEN'
  | 'CUSTOM_CODE_RESERVED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'LINK_EXPIRED'
  | 'BODY_TOO_LARGE'
  | 'URI_TOO_LONG'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'EXPECTATION_FAILED'
  | 'INVALID_CUSTOM_CODE'
  | 'DESTINATION_BLOCKED'
  | 'SELF_REFERENTIAL_URL'
  | 'EXPIRY_IN_PAST'
  | 'RATE_LIMIT_EXCEEDED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'OVERLOADED'
  | 'STORAGE_UNAVAILABLE'
  | 'SHUTTING_DOWN';

/** What `include` can add to a link that is read. */
export const includable = ['title', 'description', 'expiresAt', 'folderId', 'updatedAt', 'status'] as const;

/** Most links on one page of a list. */
export const largestPageSize = 100;

/** Where each endpoint is, and which of its fields go into the query and into the body. */
export const endpoints = {
  shorten: {
    method: 'POST',
    path: '/shorten',
    query: [],
    body: ['url', 'customCode', 'title', 'description', 'expiresAt', 'folderId'],
    idempotent: true,
  },
  listLinks: {
    method: 'GET',
    path: '/links',
    query: ['page', 'limit', 'folderId', 'include'],
    idempotent: false,
  },
  getLink: { method: 'GET', path: '/links/:id', query: ['include'], idempotent: false },
  getLinkByCode: { method: 'GET', path: '/links/by-code/:code', query: [], idempotent: false },
  listDeletedLinks: {
    method: 'GET',
    path: '/links/deleted',
    query: ['limit', 'cursor', 'code'],
    idempotent: false,
  },
  updateLink: {
    method: 'PATCH',
    path: '/links/:id',
    query: [],
    body: ['title', 'description', 'expiresAt'],
    idempotent: false,
  },
  repointLink: {
    method: 'PATCH',
    path: '/links/:id/destination',
    query: [],
    body: ['url'],
    idempotent: false,
  },
  moveLink: { method: 'PATCH', path: '/links/:id/move', query: [], body: ['folderId'], idempotent: false },
  deleteLink: { method: 'DELETE', path: '/links/:id', query: [], idempotent: false },
  restoreLink: { method: 'POST', path: '/links/:id/restore', query: [], body: [], idempotent: true },
  listFolders: { method: 'GET', path: '/folders', query: [], idempotent: false },
  createFolder: { method: 'POST', path: '/folders', query: [], body: ['name'], idempotent: true },
  renameFolder: { method: 'PATCH', path: '/folders/:id', query: [], body: ['name'], idempotent: false },
  deleteFolder: { method: 'DELETE', path: '/folders/:id', query: [], idempotent: false },
  me: { method: 'GET', path: '/me', query: [], idempotent: false },
} as const;

export interface ShortenInput {
  /** Destination, http or https, 1 to 2,048 characters. */
  url: string;
  /** Letters, digits, "-" and "_", starting with a letter or digit. Found without regard to case. */
  customCode?: string | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  /** ISO 8601; UTC unless it says otherwise. Honored on Starter and higher keys. */
  expiresAt?: string | null | undefined;
  /** Folder to put the link into. */
  folderId?: string | null | undefined;
}

export type ShortenResult = {
  /** Link identifier (UUID). */
  id: string;
  shortCode: string;
  shortUrl: string;
  destinationUrl: string;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
};

export interface ListLinksInput {
  /** Page number; default 1. */
  page?: number | undefined;
  /** Links per page; default 20. */
  limit?: number | undefined;
  /** Only links in this folder; `none` for links in no folder. */
  folderId?: string | undefined;
  /** Comma-separated fields to add to each link. */
  include?:
    | readonly ('title' | 'description' | 'expiresAt' | 'folderId' | 'updatedAt' | 'status')[]
    | undefined;
}

export type ListLinksResult = {
  data: {
    /** Link identifier (UUID). */
    id: string;
    shortCode: string;
    shortUrl: string;
    destinationUrl: string;
    clicks: number;
    /** UTC, with milliseconds and Z. */
    createdAt: string;
    title?: string | null | undefined;
    description?: string | null | undefined;
    expiresAt?: string | null | undefined;
    folderId?: string | null | undefined;
    /** UTC, with milliseconds and Z. */
    updatedAt?: string | undefined;
    status?: 'active' | 'expired' | undefined;
  }[];
  pagination: {
    page: number;
    limit: number;
    total: number;
  };
};

export interface GetLinkInput {
  /** Comma-separated fields to add to each link. */
  include?:
    | readonly ('title' | 'description' | 'expiresAt' | 'folderId' | 'updatedAt' | 'status')[]
    | undefined;
}

export type GetLinkResult = {
  /** Link identifier (UUID). */
  id: string;
  shortCode: string;
  shortUrl: string;
  destinationUrl: string;
  title: string | null;
  clicks: number;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
  description?: string | null | undefined;
  expiresAt?: string | null | undefined;
  folderId?: string | null | undefined;
  /** UTC, with milliseconds and Z. */
  updatedAt?: string | undefined;
  status?: 'active' | 'expired' | undefined;
};

export type GetLinkByCodeResult = {
  /** Link identifier (UUID). */
  id: string;
  shortCode: string;
  shortUrl: string;
  destinationUrl: string;
  title: string | null;
  clicks: number;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
  description: string | null;
  expiresAt: string | null;
  folderId: string | null;
  /** UTC, with milliseconds and Z. */
  updatedAt: string;
  status: 'active' | 'expired';
};

export interface ListDeletedLinksInput {
  /** Links per page; default 20. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; absent for the first one. */
  cursor?: string | undefined;
  /** Only the link that had this code last, while no live one has it. */
  code?: string | undefined;
}

export type ListDeletedLinksResult = {
  data: {
    /** Link identifier (UUID). */
    id: string;
    shortCode: string;
    shortUrl: string;
    destinationUrl: string;
    title: string | null;
    clicks: number;
    /** UTC, with milliseconds and Z. */
    createdAt: string;
    description: string | null;
    expiresAt: string | null;
    folderId: string | null;
    /** UTC, with milliseconds and Z. */
    updatedAt: string;
    status: 'deleted';
    /** UTC, with milliseconds and Z. */
    deletedAt: string;
  }[];
  pagination: {
    limit: number;
    nextCursor: string | null;
  };
};

export interface UpdateLinkInput {
  title?: string | null | undefined;
  description?: string | null | undefined;
  /** New expiration; null removes it. Starter and higher only. */
  expiresAt?: string | null | undefined;
}

export type UpdateLinkResult = {
  /** Link identifier (UUID). */
  id: string;
  shortCode: string;
  title: string | null;
  expiresAt: string | null;
  /** UTC, with milliseconds and Z. */
  updatedAt: string;
};

export interface RepointLinkInput {
  /** The new destination. */
  url: string;
}

export type RepointLinkResult = {
  /** Link identifier (UUID). */
  id: string;
  destinationUrl: string;
  /** UTC, with milliseconds and Z. */
  updatedAt: string;
};

export interface MoveLinkInput {
  /** Target folder, or null for none. */
  folderId: string | null;
}

export type MoveLinkResult = {
  /** Link identifier (UUID). */
  id: string;
  folderId: string | null;
};

export type RestoreLinkResult = {
  /** Link identifier (UUID). */
  id: string;
  shortCode: string;
  shortUrl: string;
  destinationUrl: string;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
};

export type ListFoldersResult = {
  /** Folder identifier (UUID). */
  id: string;
  name: string;
  linkCount: number;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
}[];

export interface CreateFolderInput {
  /** 1 to 50 characters. Names need not be unique. */
  name: string;
}

export type CreateFolderResult = {
  /** Folder identifier (UUID). */
  id: string;
  name: string;
  /** UTC, with milliseconds and Z. */
  createdAt: string;
};

export interface RenameFolderInput {
  /** 1 to 50 characters. Names need not be unique. */
  name: string;
}

export type RenameFolderResult = {
  /** Folder identifier (UUID). */
  id: string;
  name: string;
  /** UTC, with milliseconds and Z. */
  updatedAt: string;
};

export type MeResult = {
  account: string;
  key: {
    id: string;
    name: string;
    expiresAt: string | null;
  };
  scopes: string[];
  plan: 'free' | 'starter' | 'pro' | 'enterprise';
  limits: {
    /** Most live links; null for no limit. */
    links: number | null;
    /** Most folders. */
    folders: number;
    /** Most requests of this key in a minute; null for no limit. */
    requestsPerMinute: number | null;
    /** Days after which links made with this key expire; null when it may choose. */
    linkLifetimeDays: number | null;
  };
  usage: {
    links: number;
    folders: number;
  };
};

/** One function per endpoint. */
export interface Calls {
  /**
   * Create a short link.
   *
   * Creates a short link. Without `customCode` a code of 8 symbols is drawn. On Free keys `expiresAt` is ignored and the link expires 15 days after creation.
   */
  shorten(input: ShortenInput, options?: CallOptions): Promise<ShortenResult>;

  /**
   * List links.
   *
   * The links of the account, newest first. `pagination.total` is exact and of the same moment as the page.
   */
  listLinks(input?: ListLinksInput, options?: CallOptions): Promise<ListLinksResult>;

  /**
   * Get one link.
   *
   * One link, with its title and click count; `include` adds the rest of what is stored.
   */
  getLink(id: string, input?: GetLinkInput, options?: CallOptions): Promise<GetLinkResult>;

  /**
   * Get the link that has a code.
   *
   * Everything about one link, found by its short code, without regard to case.
   */
  getLinkByCode(code: string, options?: CallOptions): Promise<GetLinkByCodeResult>;

  /**
   * List deleted links.
   *
   * What `POST /api/v1/links/:id/restore` can bring back, the last deleted first. Pages are followed by `nextCursor`, and cost the same however many links were deleted.
   */
  listDeletedLinks(input?: ListDeletedLinksInput, options?: CallOptions): Promise<ListDeletedLinksResult>;

  /**
   * Update link metadata.
   *
   * Absent fields stay, null clears. On Free keys `expiresAt` is ignored. Destination, code and folder have calls of their own.
   */
  updateLink(id: string, input?: UpdateLinkInput, options?: CallOptions): Promise<UpdateLinkResult>;

  /**
   * Point a link elsewhere.
   *
   * Changes where the short link leads; the code and the clicks stay.
   */
  repointLink(id: string, input: RepointLinkInput, options?: CallOptions): Promise<RepointLinkResult>;

  /**
   * Move a link to another folder.
   *
   * `folderId` null takes the link out of its folder; leaving it out is an error.
   */
  moveLink(id: string, input: MoveLinkInput, options?: CallOptions): Promise<MoveLinkResult>;

  /**
   * Delete a link.
   *
   * A soft delete: the link stops working and answers 404; its code stays with the account.
   */
  deleteLink(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Undo a delete.
   *
   * Brings a deleted link back with its code and clicks. A link that is not deleted stays as it is.
   */
  restoreLink(id: string, options?: CallOptions): Promise<RestoreLinkResult>;

  /**
   * List folders.
   *
   * All folders, oldest first, with the number of links in each.
   */
  listFolders(options?: CallOptions): Promise<ListFoldersResult>;

  /**
   * Create a folder.
   *
   * Folders are flat and only group links.
   */
  createFolder(input: CreateFolderInput, options?: CallOptions): Promise<CreateFolderResult>;

  /**
   * Rename a folder.
   *
   * Changes the name; the links stay where they are.
   */
  renameFolder(id: string, input: RenameFolderInput, options?: CallOptions): Promise<RenameFolderResult>;

  /**
   * Delete a folder.
   *
   * Its links are not deleted; they return to no folder.
   */
  deleteFolder(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Describe this key.
   *
   * Who the key belongs to, what it may do, and what the account uses. Any valid key may ask.
   */
  me(options?: CallOptions): Promise<MeResult>;
}
