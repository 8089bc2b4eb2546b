// Made from src/contract by scripts/client-endpoints.ts. Do not edit: change the contract, then `npm run generate`.
import type { CallOptions } from './call.ts';

/** The version of the client, which is that of Linkfold. */
export const version: string = '0.1.0';

/** Every error code of the API, as of this version. */
export type ErrorCode =
  | 'INVALID_JSON'
  | 'INVALID_BODY'
  | 'VALIDATION_ERROR'
  | 'INVALID_URL'
  | 'IMMUTABLE_FIELD'
  | 'BAD_REQUEST'
  | 'AMBIGUOUS_CREDENTIALS'
  | 'MISSING_API_KEY'
  | 'INVALID_API_KEY'
  | 'EXPIRED_API_KEY'
  | 'INVALID_SESSION'
  | 'INVALID_LOGIN_LINK'
  | 'INSUFFICIENT_SCOPE'
  | 'REAUTHENTICATION_REQUIRED'
  | 'LIMIT_REACHED'
  | 'ACCOUNT_SUSPENDED'
  | 'CROSS_SITE_REQUEST'
  | 'INSECURE_CONNECTION'
  | 'PASSWORD_REQUIRED'
  | 'WRONG_PASSWORD'
  | 'PASSKEY_REFUSED'
  | 'OIDC_REFUSED'
  | 'OIDC_NO_ACCESS'
  | 'OIDC_ONLY'
  | 'ROUTE_NOT_FOUND'
  | 'LINK_NOT_FOUND'
  | 'FOLDER_NOT_FOUND'
  | 'TAG_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'PASSKEY_NOT_FOUND'
  | 'ACCOUNT_NOT_FOUND'
  | 'MEMBER_NOT_FOUND'
  | 'INVITATION_NOT_FOUND'
  | 'DEVICE_CODE_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'CODE_NOT_FOUND'
  | 'ALIAS_NOT_FOUND'
  | 'UTM_TEMPLATE_NOT_FOUND'
  | 'DOMAIN_NOT_FOUND'
  | 'IMPORT_NOT_FOUND'
  | 'SHARE_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND'
  | 'REVISION_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'CUSTOM_CODE_TAKEN'
  | 'CUSTOM_CODE_RESERVED'
  | 'EXTERNAL_ID_TAKEN'
  | 'LINK_EXISTS'
  | 'TAG_NAME_TAKEN'
  | 'UTM_TEMPLATE_NAME_TAKEN'
  | 'DOMAIN_TAKEN'
  | 'DOMAIN_NOT_ACTIVE'
  | 'DOMAIN_IN_USE'
  | 'LAST_OWNER'
  | 'MEMBER_HAS_KEYS'
  | 'IMPORT_POSITION'
  | 'IMPORT_STATE'
  | 'BULK_REFUSED'
  | 'MANIFEST_DRIFTED'
  | 'COUNT_DIFFERS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'SECRET_SHOWN_BEFORE'
  | 'REVISION_MISMATCH'
  | 'LINK_EXPIRED'
  | 'LINK_NOT_STARTED'
  | 'LINK_UNAVAILABLE'
  | 'LINK_EXHAUSTED'
  | 'BODY_TOO_LARGE'
  | 'URI_TOO_LONG'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'EXPECTATION_FAILED'
  | 'UNKNOWN_HOST'
  | 'INVALID_CUSTOM_CODE'
  | 'DESTINATION_BLOCKED'
  | 'SELF_REFERENTIAL_URL'
  | 'EXPIRY_IN_PAST'
  | 'RATE_LIMIT_EXCEEDED'
  | 'TOO_MANY_STREAMS'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'OIDC_UNAVAILABLE'
  | 'OVERLOADED'
  | 'STORAGE_UNAVAILABLE'
  | 'SHUTTING_DOWN';

/** What `include` can add to a link that is read. */
export const includable = [
  'title',
  'description',
  'expiresAt',
  'folderId',
  'updatedAt',
  'externalId',
  'startsAt',
  'disabled',
  'expiredUrl',
  'redirectStatus',
  'forwardQuery',
  'rules',
  'maxClicks',
  'utm',
  'archived',
  'unwatched',
  'card',
  'language',
  'managedBy',
  'revision',
  'tags',
  'status',
  'lastClickAt',
  'clicksLeft',
  'hasPassword',
  'domain',
] as const;

/** Most links on one page of a list. */
export const largestPageSize = 100;

/** Where each endpoint is, and where its input goes. */
export const endpoints = {
  shorten: { method: 'POST', path: '/shorten', input: 'body' },
  upsertLink: { method: 'PUT', path: '/links/by-external-id/:externalId', input: 'body' },
  getLinkByExternalId: { method: 'GET', path: '/links/by-external-id/:externalId' },
  updateLinkByExternalId: { method: 'PATCH', path: '/links/by-external-id/:externalId', input: 'body' },
  deleteLinkByExternalId: { method: 'DELETE', path: '/links/by-external-id/:externalId' },
  listLinks: { method: 'GET', path: '/links', input: 'query' },
  getLink: { method: 'GET', path: '/links/:id', input: 'query' },
  getLinkByCode: { method: 'GET', path: '/links/by-code/:code', input: 'query' },
  updateLink: { method: 'PATCH', path: '/links/:id', input: 'body' },
  repointLink: { method: 'PATCH', path: '/links/:id/destination', input: 'body' },
  moveLink: { method: 'PATCH', path: '/links/:id/move', input: 'body' },
  deleteLink: { method: 'DELETE', path: '/links/:id' },
  restoreLink: { method: 'POST', path: '/links/:id/restore' },
  changeCode: { method: 'PATCH', path: '/links/:id/code', input: 'body' },
  addAlias: { method: 'POST', path: '/links/:id/aliases', input: 'body' },
  listAliases: { method: 'GET', path: '/links/:id/aliases' },
  removeAlias: { method: 'DELETE', path: '/aliases/:code', input: 'query' },
  linkHistory: { method: 'GET', path: '/links/:id/history', input: 'query' },
  rollBackLink: { method: 'POST', path: '/links/:id/history/:revision/restore' },
  bulkLinks: { method: 'POST', path: '/links/bulk', input: 'body' },
  linkQr: { method: 'GET', path: '/links/:id/qr', input: 'query', files: ['image/svg+xml', 'image/png'] },
  simulate: { method: 'POST', path: '/simulate', input: 'body' },
  simulateLink: { method: 'POST', path: '/links/:id/simulate', input: 'body' },
  listFolders: { method: 'GET', path: '/folders', input: 'query' },
  createFolder: { method: 'POST', path: '/folders', input: 'body' },
  renameFolder: { method: 'PATCH', path: '/folders/:id', input: 'body' },
  deleteFolder: { method: 'DELETE', path: '/folders/:id' },
  restoreFolder: { method: 'POST', path: '/folders/:id/restore' },
  listTags: { method: 'GET', path: '/tags', input: 'query' },
  createTag: { method: 'POST', path: '/tags', input: 'body' },
  renameTag: { method: 'PATCH', path: '/tags/:id', input: 'body' },
  mergeTags: { method: 'POST', path: '/tags/:id/merge', input: 'body' },
  deleteTag: { method: 'DELETE', path: '/tags/:id' },
  listUtmTemplates: { method: 'GET', path: '/utm-templates' },
  createUtmTemplate: { method: 'POST', path: '/utm-templates', input: 'body' },
  updateUtmTemplate: { method: 'PATCH', path: '/utm-templates/:id', input: 'body' },
  deleteUtmTemplate: { method: 'DELETE', path: '/utm-templates/:id' },
  listDomains: { method: 'GET', path: '/domains', input: 'query' },
  createDomain: { method: 'POST', path: '/domains', input: 'body' },
  getDomain: { method: 'GET', path: '/domains/:id', input: 'query' },
  updateDomain: { method: 'PATCH', path: '/domains/:id', input: 'body' },
  deleteDomain: { method: 'DELETE', path: '/domains/:id' },
  verifyDomain: { method: 'POST', path: '/domains/:id/verify' },
  createImport: { method: 'POST', path: '/imports', input: 'body' },
  listImports: { method: 'GET', path: '/imports' },
  getImport: { method: 'GET', path: '/imports/:id' },
  addImportLines: { method: 'POST', path: '/imports/:id/lines', input: 'body' },
  updateImport: { method: 'PATCH', path: '/imports/:id', input: 'body' },
  undoImport: { method: 'POST', path: '/imports/:id/undo' },
  exportImportReport: {
    method: 'GET',
    path: '/imports/:id/report',
    input: 'query',
    files: ['text/csv', 'application/x-ndjson'],
    isStream: true,
  },
  planManifest: { method: 'POST', path: '/manifests/:name/plan', input: 'body' },
  applyManifest: { method: 'POST', path: '/manifests/:name/apply', input: 'body' },
  accountStatistics: { method: 'GET', path: '/stats', input: 'query', repeated: ['filter'] },
  linkStatistics: { method: 'GET', path: '/links/:id/stats', input: 'query', repeated: ['filter'] },
  folderStatistics: { method: 'GET', path: '/folders/:id/stats', input: 'query', repeated: ['filter'] },
  domainStatistics: { method: 'GET', path: '/domains/:id/stats', input: 'query', repeated: ['filter'] },
  tagStatistics: { method: 'GET', path: '/tags/:id/stats', input: 'query', repeated: ['filter'] },
  accountClicks: { method: 'GET', path: '/clicks', input: 'query', repeated: ['filter'] },
  linkClicks: { method: 'GET', path: '/links/:id/clicks', input: 'query', repeated: ['filter'] },
  exportLinks: {
    method: 'GET',
    path: '/links/export',
    input: 'query',
    files: ['text/csv', 'application/x-ndjson'],
    isStream: true,
  },
  exportStatistics: {
    method: 'GET',
    path: '/stats/export',
    input: 'query',
    repeated: ['filter'],
    files: ['text/csv', 'application/x-ndjson'],
    isStream: true,
  },
  exportClicks: {
    method: 'GET',
    path: '/clicks/export',
    input: 'query',
    repeated: ['filter'],
    files: ['text/csv', 'application/x-ndjson'],
    isStream: true,
  },
  shareLink: { method: 'POST', path: '/links/:id/share', input: 'body' },
  listShares: { method: 'GET', path: '/links/:id/shares' },
  revokeShare: { method: 'DELETE', path: '/shares/:id' },
  sharedStatistics: { method: 'GET', path: '/shared/:token/stats', input: 'query', repeated: ['filter'] },
  missedVisits: { method: 'GET', path: '/missed-visits', input: 'query' },
  events: { method: 'GET', path: '/events', input: 'query' },
  audit: { method: 'GET', path: '/audit', input: 'query' },
  exportAudit: {
    method: 'GET',
    path: '/audit/export',
    input: 'query',
    files: ['application/x-ndjson'],
    isStream: true,
  },
  eventLog: { method: 'GET', path: '/events/log', input: 'query' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  createWebhook: { method: 'POST', path: '/webhooks', input: 'body' },
  getWebhook: { method: 'GET', path: '/webhooks/:id' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/:id', input: 'body' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/:id' },
  rotateWebhook: { method: 'POST', path: '/webhooks/:id/rotate' },
  testWebhook: { method: 'POST', path: '/webhooks/:id/test' },
  listDeliveries: { method: 'GET', path: '/webhooks/:id/deliveries', input: 'query' },
  resendDelivery: { method: 'POST', path: '/webhooks/:id/deliveries/:delivery/resend' },
  replayWebhook: { method: 'POST', path: '/webhooks/:id/replay', input: 'body' },
  me: { method: 'GET', path: '/me' },
  getAccount: { method: 'GET', path: '/account' },
  updateAccount: { method: 'PATCH', path: '/account', input: 'body' },
  createSession: { method: 'POST', path: '/session' },
  describeSignInLink: { method: 'POST', path: '/sign-in-links/describe', input: 'body' },
  getSession: { method: 'GET', path: '/session' },
  endSession: { method: 'DELETE', path: '/session' },
  listAccountsOfBrowser: { method: 'GET', path: '/session/accounts' },
  switchAccount: { method: 'POST', path: '/session/switch', input: 'body' },
  listSessions: { method: 'GET', path: '/sessions' },
  endOtherSessions: { method: 'DELETE', path: '/sessions' },
  endSessionById: { method: 'DELETE', path: '/sessions/:id' },
  listKeys: { method: 'GET', path: '/keys' },
  createKey: { method: 'POST', path: '/keys', input: 'body' },
  rotateKey: { method: 'POST', path: '/keys/:keyId/rotate', input: 'body' },
  revokeKey: { method: 'DELETE', path: '/keys/:keyId' },
  listMembers: { method: 'GET', path: '/members' },
  updateMember: { method: 'PATCH', path: '/members/:id', input: 'body' },
  removeMember: { method: 'DELETE', path: '/members/:id', input: 'query' },
  createSignInLink: { method: 'POST', path: '/members/:id/sign-in-link', input: 'body' },
  createInvitation: { method: 'POST', path: '/invitations', input: 'body' },
  listInvitations: { method: 'GET', path: '/invitations' },
  getInvitation: { method: 'GET', path: '/invitations/:id' },
  withdrawInvitation: { method: 'DELETE', path: '/invitations/:id' },
  describeInvitation: { method: 'POST', path: '/invitations/describe', input: 'body' },
  acceptInvitation: { method: 'POST', path: '/invitations/accept', input: 'body' },
  listPasskeys: { method: 'GET', path: '/passkeys' },
  beginPasskey: { method: 'POST', path: '/passkeys/options' },
  addPasskey: { method: 'POST', path: '/passkeys', input: 'body' },
  renamePasskey: { method: 'PATCH', path: '/passkeys/:id', input: 'body' },
  removePasskey: { method: 'DELETE', path: '/passkeys/:id' },
  askForPasskey: { method: 'POST', path: '/session/passkey-options' },
  signInByPasskey: { method: 'POST', path: '/session/passkey', input: 'body' },
  beginDevice: { method: 'POST', path: '/devices', input: 'body' },
  takeDeviceKey: { method: 'POST', path: '/devices/token', input: 'body' },
  describeDevice: { method: 'POST', path: '/devices/describe', input: 'body' },
  answerDevice: { method: 'POST', path: '/devices/answer', input: 'body' },
  getSignInWays: { method: 'GET', path: '/session/ways' },
  getSignOutAtProvider: { method: 'GET', path: '/session/sign-out-at-provider' },
  beginSingleSignOn: { method: 'POST', path: '/session/oidc-options' },
  signInBySingleSignOn: { method: 'POST', path: '/session/oidc', input: 'body' },
  listIdentities: { method: 'GET', path: '/identities' },
  beginIdentity: { method: 'POST', path: '/identities/options' },
  connectIdentity: { method: 'POST', path: '/identities', input: 'body' },
  disconnectIdentities: { method: 'DELETE', path: '/identities' },
  getBranding: { method: 'GET', path: '/branding' },
  putBranding: { method: 'PUT', path: '/branding', input: 'body' },
  deleteBranding: { method: 'DELETE', path: '/branding' },
  checkCode: { method: 'GET', path: '/codes', input: 'query' },
  getPreferences: { method: 'GET', path: '/preferences' },
  putPreferences: { method: 'PUT', path: '/preferences', input: 'body' },
  listAccounts: { method: 'GET', path: '/operator/accounts', input: 'query' },
  suspendAccount: { method: 'POST', path: '/operator/accounts/suspend', input: 'body' },
  resumeAccount: { method: 'POST', path: '/operator/accounts/resume', input: 'body' },
} as const;

export type HttpUrl = string;
export type Moment = string;
export type LinkRule = {
  name?: string | undefined;
  /** All must hold; none holds for every visit. */
  when: (
    | {
        fact: 'country' | 'region' | 'os' | 'device' | 'browser' | 'class';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** Words as statistics have them; one of them is enough. The empty word is unknown. */
        values: string[];
      }
    | {
        fact: 'language';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** BCP 47 tags. The language that is negotiated with the visitor among the rules and the destination must be one of these. */
        values: string[];
      }
    | {
        fact: 'referrer';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** Hosts, each with everything below it; the empty text for visits without a referrer. */
        values: string[];
      }
    | {
        fact: 'query';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** A parameter of the short URL. */
        name: string;
        /** One of them is enough; any value will do when none is given. */
        values?: string[] | undefined;
      }
    | {
        fact: 'date';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** Not before this moment, in ISO 8601. */
        from?: Moment | undefined;
        /** Before this moment. */
        to?: Moment | undefined;
      }
    | {
        fact: 'time';
        /** Whether the opposite must hold. */
        not?: boolean | undefined;
        /** A time zone such as Europe/Berlin. */
        zone: string;
        days?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
        /** From this time of day there, such as 09:00. */
        from?: string | undefined;
        /** Before this time of day; not after `from` it is one of the next day. */
        to?: string | undefined;
      }
  )[];
  to:
    | {
        /** Checked like the destination of a link. */
        url: HttpUrl;
        /** The language of that destination, as a BCP 47 tag; unknown when it is not given. */
        language?: string | undefined;
      }
    | {
        /** Visitors by weight; each visitor gets the same way all day. */
        split: {
          /** Checked like the destination of a link. */
          url: HttpUrl;
          weight: number;
        }[];
        /** The language of that destination, as a BCP 47 tag; unknown when it is not given. */
        language?: string | undefined;
      }
    | {
        /** The visitor gets 410. */
        gone: true;
      };
};
export type Utm = {
  /** `utm_source`: where visitors come from, such as `newsletter`. */
  source?: string | undefined;
  /** `utm_medium`: by what means, such as `email`. */
  medium?: string | undefined;
  /** `utm_campaign`: what it is about, such as `spring-sale`. */
  campaign?: string | undefined;
  /** `utm_term`: the words that were searched for or paid for. */
  term?: string | undefined;
  /** `utm_content`: which of several links to the same place. */
  content?: string | undefined;
};
export type LinkCard = {
  title?: string | undefined;
  description?: string | undefined;
  /** https, checked like the destination of a link. Fetchers load it, this server never does. */
  image?: string | undefined;
};
export type CreatedLink = {
  /** Identifier of the link. */
  id: string;
  /** Equals `customCode` when one was given. */
  shortCode: string;
  /** What visitors open. */
  shortUrl: string;
  /** Where the link leads, exactly as it was given. */
  destinationUrl: string;
  /** When the link was made. UTC, with milliseconds and Z. */
  createdAt: string;
};
export type UpsertedLink = CreatedLink;
export type LinkStatus = 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted';
export type WholeLink = CreatedLink & {
  /** Null when there is none. */
  title: string | null;
  /** How often visitors were sent on. */
  clicks: number;
  /** Null when there is none. */
  description: string | null;
  /** When the link stops working; null for never. */
  expiresAt: string | null;
  /** The folder that the link is in; null for none. */
  folderId: string | null;
  /** When the link was last changed. */
  updatedAt: string;
  /** What another system calls the link; null when there is none. */
  externalId: string | null;
  /** When the link begins to work; null when it works at once. */
  startsAt: string | null;
  /** Whether its owner has switched the link off. */
  disabled: boolean;
  /** Where visitors go when the link has expired or is switched off; null for a page that says so. */
  expiredUrl: string | null;
  /** The status of the redirect; null for 302. */
  redirectStatus: 301 | 302 | 307 | 308 | null;
  /** What happens to the query of the short URL; null when it is dropped. */
  forwardQuery: 'none' | 'add' | 'override' | null;
  /** Where some visitors go instead: the first rule wins whose conditions all hold. Null when there are none. */
  rules: LinkRule[] | null;
  /** How often people may follow the link; null for no limit. */
  maxClicks: number | null;
  /** The UTM parameters that visitors take to the destination; null for none. */
  utm: Utm | null;
  /** Whether its owner has put the link away. It works as before. */
  archived: boolean;
  /** Whether its destination is not looked at now and then. */
  unwatched: boolean;
  /** What chats and networks show of the link; null for what its destination says of itself. */
  card: LinkCard | null;
  /** The language of the destination; null when it is unknown. */
  language: string | null;
  /** The manifest that keeps the link, by its name; null for none. */
  managedBy: string | null;
  /** How many changes the link has had, its creation included. Clicks leave it as it is, and so does what is done to its folder or its tags. */
  revision: number;
  /** Names of its tags, in their order. */
  tags: string[];
  status: LinkStatus;
  lastClickAt: string | null;
  /** How often people may still follow the link; null without a limit. */
  clicksLeft: number | null;
  /** Whether visitors have to give a password first. */
  hasPassword: boolean;
  /** Host of the domain that it is on. */
  domain: string;
};
export type UpdatedLink = {
  /** Identifier of the link. */
  id: string;
  /** Equals `customCode` when one was given. */
  shortCode: string;
  /** Null when there is none. */
  title: string | null;
  /** When the link stops working; null for never. */
  expiresAt: string | null;
  /** When the link was last changed. */
  updatedAt: string;
};
export type DestinationCheck = {
  /** `suspect`: it failed once; `failing`: it failed again, an hour later; `recovered`: it is there again, for a week. */
  state: 'fine' | 'suspect' | 'failing' | 'recovered';
  /** What keeps visitors from it; null for nothing. */
  problem: 'not-found' | 'gone' | 'server-error' | 'dns' | 'tls' | 'timeout' | 'unreachable' | null;
  /** What visitors do not notice yet: five `redirects` or more, or a `certificate` that ends within 14 days. */
  notice: 'redirects' | 'certificate' | null;
  /** Status of the last answer; null where there was none. */
  status: number | null;
  /** How often it leads on. */
  redirects: number;
  certificateEndsAt: string | null;
  /** Since when it is in this state. UTC, with milliseconds and Z. */
  since: string;
  /** When it was looked at last. UTC, with milliseconds and Z. */
  checkedAt: string;
} | null;
export type ListedLink = CreatedLink & {
  /** How often visitors were sent on. */
  clicks: number;
  /** Null when there is none. */
  title?: string | null | undefined;
  /** Null when there is none. */
  description?: string | null | undefined;
  /** When the link stops working; null for never. */
  expiresAt?: string | null | undefined;
  /** The folder that the link is in; null for none. */
  folderId?: string | null | undefined;
  /** When the link was last changed. */
  updatedAt?: string | undefined;
  /** What another system calls the link; null when there is none. */
  externalId?: string | null | undefined;
  /** When the link begins to work; null when it works at once. */
  startsAt?: string | null | undefined;
  /** Whether its owner has switched the link off. */
  disabled?: boolean | undefined;
  /** Where visitors go when the link has expired or is switched off; null for a page that says so. */
  expiredUrl?: string | null | undefined;
  /** The status of the redirect; null for 302. */
  redirectStatus?: 301 | 302 | 307 | 308 | null | undefined;
  /** What happens to the query of the short URL; null when it is dropped. */
  forwardQuery?: 'none' | 'add' | 'override' | null | undefined;
  /** Where some visitors go instead: the first rule wins whose conditions all hold. Null when there are none. */
  rules?: LinkRule[] | null | undefined;
  /** How often people may follow the link; null for no limit. */
  maxClicks?: number | null | undefined;
  /** The UTM parameters that visitors take to the destination; null for none. */
  utm?: Utm | null | undefined;
  /** Whether its owner has put the link away. It works as before. */
  archived?: boolean | undefined;
  /** Whether its destination is not looked at now and then. */
  unwatched?: boolean | undefined;
  /** What chats and networks show of the link; null for what its destination says of itself. */
  card?: LinkCard | null | undefined;
  /** The language of the destination; null when it is unknown. */
  language?: string | null | undefined;
  /** The manifest that keeps the link, by its name; null for none. */
  managedBy?: string | null | undefined;
  /** How many changes the link has had, its creation included. Clicks leave it as it is, and so does what is done to its folder or its tags. */
  revision?: number | undefined;
  /** Names of its tags, in their order. */
  tags?: string[] | undefined;
  status?: LinkStatus | undefined;
  lastClickAt?: string | null | undefined;
  /** How often people may still follow the link; null without a limit. */
  clicksLeft?: number | null | undefined;
  /** Whether visitors have to give a password first. */
  hasPassword?: boolean | undefined;
  /** Host of the domain that it is on. */
  domain?: string | undefined;
  /** Clicks of each of the last 30 days, today included, the oldest first. */
  clicksByDay?: number[] | undefined;
  destinationCheck?: DestinationCheck | undefined;
};
export type Pagination = {
  page: number;
  limit: number;
  /** How many links match, on all pages. */
  total: number;
};
export type FoundPagination = {
  limit: number;
  /** How many links match, on all pages; null where it would take long to count them. */
  total: number | null;
  /** What leads to the next page; null on the last one. */
  nextCursor: string | null;
};
export type DeletedLink = Omit<WholeLink, 'status'> & {
  status: 'deleted';
  /** When the link was deleted. UTC, with milliseconds and Z. */
  deletedAt: string;
};
export type CursorPagination = {
  limit: number;
  /** What leads to the next page; null on the last one. */
  nextCursor: string | null;
};
export type Link = Omit<ListedLink, 'title'> & {
  /** Null when there is none. */
  title: string | null;
};
export type RepointedLink = {
  /** Identifier of the link. */
  id: string;
  /** Where the link leads, exactly as it was given. */
  destinationUrl: string;
  /** When the link was last changed. */
  updatedAt: string;
};
export type MovedLink = {
  /** Identifier of the link. */
  id: string;
  /** The folder that the link is in; null for none. */
  folderId: string | null;
};
export type RestoredLink = CreatedLink;
export type RecodedLink = {
  /** Identifier of the link. */
  id: string;
  /** The new code. */
  shortCode: string;
  /** What visitors open. */
  shortUrl: string;
  /** When the link was last changed. UTC, with milliseconds and Z. */
  updatedAt: string;
};
export type Alias = {
  /** The alias as it was given. */
  code: string;
  /** What visitors open. */
  shortUrl: string;
};
export type ChangeActor = {
  /** What acted; `operator` is a command on the server, `background` the service by itself. */
  kind: 'person' | 'key' | 'session' | 'operator' | 'background';
  /** Of the key or session; null for what has none. */
  id: string | null;
  /** What people call it, as it was then. */
  name: string | null;
};
export type LinkRevision = {
  /** The revision that the change made. */
  revision: number;
  /** When it was done. UTC, with milliseconds and Z. */
  at: string;
  /** What was done. */
  action:
    | 'created'
    | 'updated'
    | 'moved'
    | 'tagged'
    | 'code-changed'
    | 'deleted'
    | 'restored'
    | 'imported'
    | 'rolled-back';
  actor: ChangeActor;
  /** What changed, by the names of fields. A deletion changes none. */
  changes: Record<
    string,
    {
      /** What the field was. */
      from?:
        | string
        | number
        | boolean
        | null
        | (string | Record<string, unknown>)[]
        | Record<string, unknown>
        | undefined;
      /** What it is since. */
      to?:
        | string
        | number
        | boolean
        | null
        | (string | Record<string, unknown>)[]
        | Record<string, unknown>
        | undefined;
      /** Of a secret, which has no values here. */
      changed?: true | undefined;
    }
  >;
  /** `X-Request-Id` of the request; null outside of requests. */
  requestId: string | null;
};
export type ChangesPagination = {
  limit: number;
  /** What leads to the next page; null on the last one. */
  nextCursor: string | null;
};
export type RolledBackLink = {
  /** Identifier of the link. */
  id: string;
  /** Its code. */
  shortCode: string;
  /** Where it leads now. */
  destinationUrl: string;
  /** The revision that it has now. */
  revision: number;
  /** Fields that stayed although that revision had others. */
  kept: string[];
  /** When the link was last changed. UTC, with milliseconds and Z. */
  updatedAt: string;
};
export type BulkCreate = {
  action: 'create';
  /** `each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing. */
  mode?: 'each' | 'atomic' | null | undefined;
  /** Links to make. */
  links: ShortenInput[];
};
export type LinkChange = {
  /** Which link to change. */
  id: string;
} & UpdateLinkInput & {
    /** Destination, http or https, 1 to 2,048 characters (the operator may allow up to 8,192), without user name or password. */
    url?: HttpUrl | undefined;
  };
export type BulkFilter = Omit<
  ListLinksInput,
  'page' | 'limit' | 'status' | 'sort' | 'order' | 'destination' | 'cursor' | 'code' | 'include' | 'timezone'
> & {
  /** Only links in this state. */
  status?: 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | undefined;
};
export type BulkUpdate = {
  action: 'update';
  /** `each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing. */
  mode?: 'each' | 'atomic' | null | undefined;
  links?: LinkChange[] | null | undefined;
  /** Identifiers of links. */
  ids?: string[] | null | undefined;
  /** Parameters of GET /api/v1/links: the links that it finds. */
  filter?: BulkFilter | null | undefined;
  /** With `filter`: how many links it finds. Nothing is done when it finds another number. */
  expectedCount?: number | null | undefined;
  /** With `filter`: `nextCursor` of the answer before, to go on behind those links. */
  cursor?: string | null | undefined;
  /** The same change for all of `ids` or `filter`. */
  set?:
    | (UpdateLinkInput & {
        /** Destination, http or https, 1 to 2,048 characters (the operator may allow up to 8,192), without user name or password. */
        url?: HttpUrl | undefined;
      })
    | null
    | undefined;
};
export type BulkMove = {
  action: 'move';
  /** `each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing. */
  mode?: 'each' | 'atomic' | null | undefined;
  /** Identifiers of links. */
  ids?: string[] | null | undefined;
  /** Parameters of GET /api/v1/links: the links that it finds. */
  filter?: BulkFilter | null | undefined;
  /** With `filter`: how many links it finds. Nothing is done when it finds another number. */
  expectedCount?: number | null | undefined;
  /** With `filter`: `nextCursor` of the answer before, to go on behind those links. */
  cursor?: string | null | undefined;
  /** The folder; null for none. */
  folderId: string | null;
};
export type TagChanges = {
  /** Tags to add; those that do not exist yet are made. */
  add?: string[] | null | undefined;
  /** Tags to take off. */
  remove?: string[] | null | undefined;
  /** All tags from now on. */
  set?: string[] | null | undefined;
};
export type BulkTag = Omit<BulkMove, 'action' | 'folderId'> & {
  action: 'tag';
  /** `add` and `remove`, or `set`. */
  tags: TagChanges;
};
export type BulkDelete = Omit<BulkMove, 'action' | 'folderId'> & {
  action: 'delete';
};
export type BulkRestore = {
  action: 'restore';
  /** `each`: a row that is refused leaves the others alone (default). `atomic`: all or nothing. */
  mode?: 'each' | 'atomic' | null | undefined;
  /** Identifiers of deleted links. */
  ids: string[];
};
export type BulkStatus = 'done' | 'failed';
export type BulkResult = {
  /** Rows that were done. */
  done: number;
  /** Rows that were refused. */
  failed: number;
  /** Links that the filter found behind these; 0 without `filter`. */
  remaining: number;
  /** What leads on to them; null where there are none. */
  nextCursor: string | null;
  results: {
    status: BulkStatus;
    /** Of the link; null where none was made. */
    id: string | null;
    /** The link as it is now; null where it failed or was deleted. */
    link: {
      /** Identifier of the link. */
      id: string;
      shortCode: string;
      shortUrl: string;
      destinationUrl: string;
      /** When the link was made. UTC, with milliseconds and Z. */
      createdAt: string;
    } | null;
    /** Why nothing was done; null where it was. */
    error: {
      /** As in the refusal of a single call. */
      code: string;
      /** The field that was refused first; null where it is about none. */
      field: string | null;
      message: string;
    } | null;
  }[];
};
export type SimulatedLanguage = {
  /** The language that won; null when none did. */
  chosen: string | null;
  /** The part of `Accept-Language` that decided. */
  range: string | null;
  /** `rule` or `destination`: the range matches one of its languages. `any`: the visitor takes any language, so the destination wins. `less-preferred`: a rule matches, but the visitor prefers another language and the language of the destination is unknown. `no-match`: nothing matches. */
  reason: 'rule' | 'destination' | 'any' | 'less-preferred' | 'no-match';
} | null;
export type SimulatedCondition = {
  fact: string;
  holds: boolean;
};
export type SimulatedRule = {
  name: string | null;
  /** Whether all conditions hold. A rule behind the winner may hold too. */
  holds: boolean;
  conditions: SimulatedCondition[];
};
export type Simulation = {
  /** What the visitor meets; `card` is the page with the card of the link. */
  outcome: 'redirect' | 'card' | 'not-started' | 'expired' | 'disabled' | 'exhausted' | 'gone';
  /** The status of the answer; of a link with `maxClicks` 1 the one behind its button, 303. */
  status: number;
  /** Where the visitor is sent; null when a page is shown instead. */
  location: string | null;
  /** The place of the rule that wins, from 0; null when none does. */
  rule: number | null;
  /** The place of the way that a split takes, from 0. */
  variant: number | null;
  language: SimulatedLanguage;
  /** Why each rule wins or does not, in their order. */
  rules: SimulatedRule[];
};
export type Folder = {
  /** Identifier of the folder. */
  id: string;
  /** Need not be unique. */
  name: string;
  /** How many links that are not deleted it holds. */
  linkCount: number;
  /** When the folder was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** Where visitors go of its links that have expired, are used up or are switched off and have no `expiredUrl` of their own. */
  expiredUrl?: string | null | undefined;
  /** Clicks of its links of each of the last 30 days, today included, the oldest first; those of deleted links too. */
  clicksByDay?: number[] | undefined;
};
export type CreatedFolder = {
  /** Identifier of the folder. */
  id: string;
  /** Need not be unique. */
  name: string;
  /** When the folder was made. UTC, with milliseconds and Z. */
  createdAt: string;
};
export type RenamedFolder = {
  /** Identifier of the folder. */
  id: string;
  /** Need not be unique. */
  name: string;
  /** When the folder was last changed. UTC, with milliseconds and Z. */
  updatedAt: string;
};
export type RestoredFolder = {
  /** Identifier of the folder. */
  id: string;
  /** Need not be unique. */
  name: string;
  /** How many links that are not deleted it holds. */
  linkCount: number;
  /** When the folder was made. UTC, with milliseconds and Z. */
  createdAt: string;
};
export type ListedTag = {
  /** Identifier of the tag. */
  id: string;
  /** Unique in the account, without regard to case. */
  name: string;
  /** How many links that are not deleted carry it. */
  linkCount: number;
  /** When the tag was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When the tag was last renamed, or another one was merged into it. UTC, with milliseconds and Z. */
  updatedAt: string;
  /** Clicks of its links of each of the last 30 days, today included, the oldest first; those of deleted links too. */
  clicksByDay?: number[] | undefined;
};
export type Tag = Omit<ListedTag, 'clicksByDay'>;
export type UtmTemplate = {
  /** Identifier of the template. */
  id: string;
  /** Unique in the account, without regard to case. */
  name: string;
  utm: Utm;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When it was last changed. UTC, with milliseconds and Z. */
  updatedAt: string;
};
export type DomainRecord = {
  /** `ownership` proves whose it is, `traffic` leads visitors here. */
  purpose: 'ownership' | 'traffic';
  /** Of the record; an address only where the shared domain is one. */
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
  /** Where to set it. */
  name: string;
  /** What to set. */
  value: string;
  /** Whether it was there at the last look. */
  found: boolean;
  /** What stood there instead at the last look: the first few values. */
  others: string[];
  /** Why nobody could say at the last look, such as `ETIMEOUT`; null when somebody did. */
  fault: string | null;
};
export type DomainCertificate = {
  validUntil: string | null;
  /** Why it could not be ordered or renewed at the last try; null when nothing went wrong. */
  problem: string | null;
  /** When it is looked after again. UTC, with milliseconds and Z. */
  nextTryAt: string;
};
export type Domain = {
  /** Identifier of the domain. */
  id: string;
  /** In A-labels. */
  host: string;
  /** As people read it. */
  hostUnicode: string;
  /** `pending` until it is proven, then `active`; `failing` when a record has been gone for three days. It serves all the same. */
  status: 'pending' | 'active' | 'failing';
  /** Whether links are made there when no domain is named. */
  isDefault: boolean;
  /** Whether it is the one of the installation, which all accounts share. */
  isShared: boolean;
  /** Whether case matters in its codes: not in `folded`, it does in `exact`. */
  codes: 'folded' | 'exact';
  /** Where `/` leads; null for a page. */
  rootUrl: string | null;
  /** URL for unknown codes, in which `{code}` stands for the code; null for a 404. */
  unknownUrl: string | null;
  /** Where visitors go of a link that is over, when neither the link nor its folder says so; null for what the account says. */
  expiredUrl: string | null;
  /** Whether crawlers may follow its short URLs, as its `robots.txt` says. */
  indexed: boolean;
  /** Links of the account on it. */
  linkCount: number;
  createdAt: string | null;
  verifiedAt: string | null;
  checkedAt: string | null;
  /** What is wrong with its records, and what was found instead; null for nothing. */
  problem: string | null;
  /** The records that it needs. */
  records: DomainRecord[];
  /** Null while none was ordered, as where a proxy has the certificates. */
  certificate?: DomainCertificate | null | undefined;
  /** The file by which apps on Apple’s systems open links of the domain: what `/.well-known/apple-app-site-association` answers. As JSON at most 16,384 characters; null for none. */
  appleAppSiteAssociation?: Record<string, unknown> | null | undefined;
  /** The same for Android: what `/.well-known/assetlinks.json` answers. As JSON at most 16,384 characters; null for none. */
  assetLinks?: Record<string, unknown>[] | null | undefined;
};
export type ImportCounts = {
  /** Links that were made. */
  taken: number;
  /** Links that were made with another code, as theirs was taken. */
  renamed: number;
  /** Links of an import before that were changed. */
  changed: number;
  /** Links that were imported before and stay as they are. */
  unchanged: number;
  /** Links that were passed over: their code is taken, or they were changed or deleted here. */
  skipped: number;
  /** Lines that could not be imported. */
  refused: number;
  /** When it was undone: links that were changed or deleted since, and stay so. */
  kept: number;
  /** When it was undone: links that were deleted, or have again what they had. */
  undone: number;
  /** Parts of links that were changed or dropped, so that the link could be imported. */
  mended: number;
  /** Clicks with a time. */
  clicks: number;
  /** Of those, clicks that an earlier import brought. */
  unchangedClicks: number;
  /** Clicks that the source counts beyond those; negative when clicks of earlier imports now have a time. */
  undatedClicks: number;
  /** Clicks with a time of links that were not imported. */
  clicksOfNoLink: number;
  /** Clicks that the source counts in all for links that were not imported. */
  undatedOfNoLink: number;
};
export type Import = {
  /** Identifier of the import. */
  id: string;
  /** The service. */
  source: string;
  /** Where it was read; null for files. */
  instance: string | null;
  /** Tells installations of the service apart; null where the keys of links do. */
  installation: string | null;
  /** When it was read. UTC, with milliseconds and Z. */
  readAt: string;
  /** What becomes of links whose code is taken, or that were imported before. */
  onConflict: 'skip' | 'rename' | 'overwrite';
  /** Where links go whose own host is no domain of the account; null for nowhere. */
  domain: string | null;
  /** `open` takes lines; `paused` does not; `counting`: all lines are there, and their clicks go into statistics; `done`; `undoing`; `undone`. */
  state: 'open' | 'paused' | 'counting' | 'done' | 'undoing' | 'undone';
  /** How many lines of the file were taken. */
  position: number;
  /** When it was begun. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When it changed last. UTC, with milliseconds and Z. */
  updatedAt: string;
  counts: ImportCounts;
};
export type ManifestLink = Omit<
  ShortenInput,
  'customCode' | 'prefix' | 'length' | 'ifExists' | 'password'
> & {
  customCode: string;
  /** The code that the link had before: it keeps its id and clicks, and the old code as an alias. */
  movedFrom?: string | null | undefined;
};
export type ManifestChange = {
  action: 'create' | 'update' | 'adopt' | 'restore' | 'release' | 'delete' | 'keep';
  /** Of the link; null for one that is to be made. */
  id: string | null;
  /** Its code in the manifest, or its own where it is not named there. */
  customCode: string;
  /** Host of the domain that it is on. */
  domain: string;
  /** Its place in `links`; null where it is not named. */
  index: number | null;
  /** By the name of a field: what is there, and what is wanted. */
  changes: Record<
    string,
    {
      from: string | number | boolean | null | (string | Record<string, unknown>)[] | Record<string, unknown>;
      to: string | number | boolean | null | (string | Record<string, unknown>)[] | Record<string, unknown>;
    }
  >;
};
export type ManifestCounts = {
  create: number;
  update: number;
  adopt: number;
  restore: number;
  release: number;
  delete: number;
  keep: number;
  /** Links that are as they should be. */
  unchanged: number;
};
export type SeenLink = {
  /** Of a link. */
  id: string;
  /** That it had. */
  revision: number;
};
export type ManifestPlan = {
  changes: ManifestChange[];
  counts: ManifestCounts;
  seen: SeenLink[];
};
export type StatisticsInterval = 'minute' | 'hour' | 'day' | 'week' | 'month';
export type StatisticsTotals = {
  /** Clicks of all kinds. */
  clicks: number;
  /** Clicks of people. */
  human: number;
  /** Clicks of programs. */
  bot: number;
  /** Clicks of messengers that show a preview. */
  preview: number;
  /** Clicks of browsers that load ahead. */
  prefetch: number;
  /** Visitor-days: distinct visitors of each UTC day, summed; each in the bucket and value of its first click of the day. */
  visitors: number;
};
export type StatisticsBucket = StatisticsTotals & {
  /** When the bucket begins, as clocks in the zone show it, with their offset. */
  start: string;
};
export type ValueCounts = {
  /** Clicks of all kinds. */
  clicks: number;
  /** Visitor-days: distinct visitors of each UTC day, summed; each in the bucket and value of its first click of the day. */
  visitors: number;
};
export type Statistics = {
  /** Where the range begins. UTC, with milliseconds and Z. */
  from: string;
  /** Where it ends, exclusive. UTC, with milliseconds and Z. */
  to: string;
  /** The zone of the buckets. */
  timezone: string;
  interval: StatisticsInterval;
  totals: StatisticsTotals;
  /** There when some visitors are estimated, as they are above some hundreds a day of one value. */
  visitorsExact?: false | undefined;
  /** There when the limit on clicks that are looked at was met: clicks before this moment are left out. UTC, with milliseconds and Z. */
  incompleteBefore?: string | undefined;
  /** Every bucket of the range, empty ones too; they sum to `totals`. */
  series: StatisticsBucket[];
  /** With `groupBy` only. */
  breakdown?:
    | {
        /** As `groupBy`. */
        dimension: string;
        /** The values of most clicks first; those of as many in an order of their own that stays. */
        values: {
          /** Empty when it is unknown; links and folders by their ids, domains by their hosts, of which the shared one has none. */
          value: string;
          /** The code of a link, the name of a folder, the host of a domain as people read it. */
          label?: string | undefined;
          /** The title of a link that has one. */
          title?: string | undefined;
          /** Clicks of all kinds. */
          clicks: number;
          /** Visitor-days: distinct visitors of each UTC day, summed; each in the bucket and value of its first click of the day. */
          visitors: number;
          /** Of the earlier range; with `compare` only. */
          before?: ValueCounts | undefined;
        }[];
        /** All values that are not in `values`. Together they sum to `totals`. */
        other: ValueCounts;
        /** With `cursor` only: what leads to the values behind these; null when there are none. */
        nextCursor?: string | null | undefined;
      }
    | undefined;
  /** The earlier range; with `compare` only. */
  compare?:
    | {
        /** Where the range begins. UTC, with milliseconds and Z. */
        from: string;
        /** Where it ends, exclusive. UTC, with milliseconds and Z. */
        to: string;
        totals: StatisticsTotals;
        /** Every bucket of the range, empty ones too; they sum to `totals`. */
        series: StatisticsBucket[];
      }
    | undefined;
};
export type Click = {
  /** When it was, cut to the second. UTC, with milliseconds and Z. */
  time: string;
  /** The link, which may be deleted by now. */
  linkId: string;
  /** Its code. */
  shortCode: string;
  /** The folder in which it is now; empty when it is in none. */
  folderId: string;
  /** As in statistics; empty when it is unknown. */
  class: string;
  /** As in statistics; empty when it is unknown. */
  trigger: string;
  /** As in statistics; empty when it is unknown. */
  country: string;
  /** As in statistics; empty when it is unknown. */
  region: string;
  /** As in statistics; empty when it is unknown. */
  browser: string;
  /** As in statistics; empty when it is unknown. */
  os: string;
  /** As in statistics; empty when it is unknown. */
  device: string;
  /** As in statistics; empty when it is unknown. */
  language: string;
  /** As in statistics; empty when it is unknown. */
  referrer: string;
  /** As in statistics; empty when it is unknown. */
  referrerKind: string;
  /** As in statistics; empty when it is unknown. */
  utmSource: string;
  /** As in statistics; empty when it is unknown. */
  utmMedium: string;
  /** As in statistics; empty when it is unknown. */
  utmCampaign: string;
  /** As in statistics; empty when it is unknown. */
  utmTerm: string;
  /** As in statistics; empty when it is unknown. */
  utmContent: string;
  /** As in statistics; empty when it is unknown. */
  rule: string;
  /** As in statistics; empty when it is unknown. */
  variant: string;
  /** As in statistics; empty when it is unknown. */
  network: string;
  /** As in statistics; empty when it is unknown. */
  utmFrom: string;
  /** As in statistics; empty when it is unknown. */
  domain: string;
  /** As in statistics; empty when it is unknown. */
  imported: string;
};
export type ClickPagination = {
  limit: number;
  /** What leads to the next page; null on the last one. A page before that may have few clicks, or none. */
  nextCursor: string | null;
};
export type CreatedShare = {
  /** Identifier of the share. */
  id: string;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  expiresAt: string | null;
  /** The secret in the address. It is shown only this once, and kept nowhere. */
  token: string;
  /** Where the statistics are read, without a key. */
  url: string;
};
export type Share = {
  /** Identifier of the share. */
  id: string;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  expiresAt: string | null;
};
export type SharedStatistics = Statistics & {
  link: {
    /** The code of the link. */
    shortCode: string;
    /** The whole short address. */
    shortUrl: string;
    /** Its title; null for none. */
    title: string | null;
    /** The host that the link leads to, without the rest. */
    destinationHost: string;
  };
  /** Of the account, null where it has none; with `include=branding` only. */
  branding?:
    | {
        /** What the owner is called. */
        name: string | null;
        /** Their colour, as `#rrggbb`. */
        accent: string | null;
        /** Their logo, as a data URL. */
        logo: string | null;
      }
    | undefined;
};
export type MissedVisits = {
  /** Identifier of the link. */
  linkId: string;
  /** The code of the link. */
  shortCode: string;
  /** Host of the domain that it is on. */
  domain: string;
  /** Why they got no further at that time. */
  reason: 'deleted' | 'expired' | 'disabled' | 'not-started' | 'exhausted';
  /** How many visits led nowhere for this reason. */
  visits: number;
  /** The last UTC day with such a visit, as YYYY-MM-DD. */
  lastDay: string;
};
export type ClickEvent = Omit<Click, 'time' | 'linkId' | 'folderId' | 'class'> & {
  type: 'click';
  /** Identifier of the link. */
  linkId: string;
  folderId: string | null;
  /** When the visitor was sent on. UTC, with milliseconds and Z. */
  time: string;
  /** Who clicked. */
  class: 'human' | 'bot' | 'preview' | 'prefetch';
};
export type LinkChangeEvent = {
  /** What was done; `link.moved` is to another folder, or out of one. */
  type: 'link.created' | 'link.updated' | 'link.deleted' | 'link.restored' | 'link.moved';
  /** Identifier of the link. */
  linkId: string;
  /** Its code. */
  shortCode: string;
  folderId: string | null;
  /** When it was done. UTC, with milliseconds and Z. */
  time: string;
};
export type ReadyEvent = {
  type: 'ready';
  /** Whether it goes on behind `Last-Event-ID`, without a gap. */
  resumed: boolean;
};
export type ResetEvent = {
  type: 'reset';
  /** A sentence for people. */
  message: string;
};
export type EndEvent = {
  type: 'end';
  /** Why, as a code of the error catalogue. `SHUTTING_DOWN` asks to connect again after `retry`. */
  code: string;
  /** A sentence for people. */
  message: string;
};
export type AccountChange = Omit<LinkRevision, 'revision' | 'action'> & {
  /** Identifier of the change. */
  id: string;
  /** What was done, to what. */
  action:
    | 'link.created'
    | 'link.updated'
    | 'link.moved'
    | 'link.tagged'
    | 'link.code-changed'
    | 'link.deleted'
    | 'link.restored'
    | 'link.imported'
    | 'link.rolled-back'
    | 'folder.created'
    | 'folder.updated'
    | 'folder.deleted'
    | 'folder.restored'
    | 'tag.created'
    | 'tag.renamed'
    | 'tag.merged'
    | 'tag.deleted'
    | 'utm-template.created'
    | 'utm-template.updated'
    | 'utm-template.deleted'
    | 'share.created'
    | 'share.revoked'
    | 'domain.created'
    | 'domain.updated'
    | 'domain.deleted'
    | 'domain.active'
    | 'domain.failing'
    | 'key.created'
    | 'key.rotated'
    | 'key.revoked'
    | 'session.created'
    | 'session.ended'
    | 'session.link-created'
    | 'branding.updated'
    | 'branding.deleted'
    | 'preferences.updated'
    | 'import.created'
    | 'import.updated'
    | 'import.undone'
    | 'import.finished'
    | 'person.joined'
    | 'person.updated'
    | 'person.removed'
    | 'invitation.created'
    | 'invitation.withdrawn'
    | 'passkey.created'
    | 'passkey.renamed'
    | 'passkey.deleted'
    | 'identity.connected'
    | 'identity.disconnected'
    | 'account.created'
    | 'account.updated'
    | 'account.suspended'
    | 'account.resumed'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.rotated'
    | 'webhook.deleted'
    | 'destination.failing'
    | 'destination.recovered'
    | 'link.expired'
    | 'link.exhausted';
  /** What was changed; `id` is null for what an account has one of. */
  target: {
    /** What it was done to. */
    kind: string;
    id: string | null;
  };
  /** Of a link: the revision that the change made. */
  revision: number | null;
};
export type LoggedEvent = {
  /** Identifier of the event: the same whenever it is read. */
  id: string;
  /** What happened; every change of a live link is `link.updated`. */
  type:
    | 'link.created'
    | 'link.updated'
    | 'link.deleted'
    | 'link.restored'
    | 'link.expired'
    | 'link.exhausted'
    | 'folder.created'
    | 'folder.updated'
    | 'folder.deleted'
    | 'folder.restored'
    | 'domain.active'
    | 'domain.failing'
    | 'destination.failing'
    | 'destination.recovered'
    | 'import.finished';
  /** When it was done. UTC, with milliseconds and Z. */
  timestamp: string;
  /** What it was afterwards, a link with `changes`. */
  data:
    | {
        /** Identifier of the link. */
        id: string;
        /** Equals `customCode` when one was given. */
        shortCode: string;
        /** What visitors open. */
        shortUrl: string;
        /** Where the link leads, exactly as it was given. */
        destinationUrl: string;
        /** Null when there is none. */
        title: string | null;
        /** When the link was made. UTC, with milliseconds and Z. */
        createdAt: string;
        /** Null when there is none. */
        description: string | null;
        /** When the link stops working; null for never. */
        expiresAt: string | null;
        /** The folder that the link is in; null for none. */
        folderId: string | null;
        /** When the link was last changed. */
        updatedAt: string;
        /** What another system calls the link; null when there is none. */
        externalId: string | null;
        /** When the link begins to work; null when it works at once. */
        startsAt: string | null;
        /** Whether its owner has switched the link off. */
        disabled: boolean;
        /** Where visitors go when the link has expired or is switched off; null for a page that says so. */
        expiredUrl: string | null;
        /** The status of the redirect; null for 302. */
        redirectStatus: 301 | 302 | 307 | 308 | null;
        /** What happens to the query of the short URL; null when it is dropped. */
        forwardQuery: 'none' | 'add' | 'override' | null;
        /** Where some visitors go instead: the first rule wins whose conditions all hold. Null when there are none. */
        rules: LinkRule[] | null;
        /** How often people may follow the link; null for no limit. */
        maxClicks: number | null;
        /** The UTM parameters that visitors take to the destination; null for none. */
        utm: Utm | null;
        /** Whether its owner has put the link away. It works as before. */
        archived: boolean;
        /** Whether its destination is not looked at now and then. */
        unwatched: boolean;
        /** What chats and networks show of the link; null for what its destination says of itself. */
        card: LinkCard | null;
        /** The language of the destination; null when it is unknown. */
        language: string | null;
        /** The manifest that keeps the link, by its name; null for none. */
        managedBy: string | null;
        /** How many changes the link has had, its creation included. Clicks leave it as it is, and so does what is done to its folder or its tags. */
        revision: number;
        /** Names of its tags, in their order. */
        tags: string[];
        /** Whether visitors have to give a password first. */
        hasPassword: boolean;
        /** Host of the domain that it is on. */
        domain: string;
        /** What changed, by the names of fields. A deletion changes none. */
        changes: Record<
          string,
          {
            /** What the field was. */
            from?:
              | string
              | number
              | boolean
              | null
              | (string | Record<string, unknown>)[]
              | Record<string, unknown>
              | undefined;
            /** What it is since. */
            to?:
              | string
              | number
              | boolean
              | null
              | (string | Record<string, unknown>)[]
              | Record<string, unknown>
              | undefined;
            /** Of a secret, which has no values here. */
            changed?: true | undefined;
          }
        >;
      }
    | Record<string, unknown>;
};
export type Webhook = {
  /** Identifier of the webhook. */
  id: string;
  url: string;
  events: (
    | 'link.created'
    | 'link.updated'
    | 'link.deleted'
    | 'link.restored'
    | 'link.expired'
    | 'link.exhausted'
    | 'folder.created'
    | 'folder.updated'
    | 'folder.deleted'
    | 'folder.restored'
    | 'domain.active'
    | 'domain.failing'
    | 'destination.failing'
    | 'destination.recovered'
    | 'import.finished'
    | 'link.clicked'
  )[];
  folderIds: string[] | null;
  domainIds: string[] | null;
  tags: string[] | null;
  description: string | null;
  disabled: boolean;
  /** `owner`: switched off; `gone`: it answered 410; `failing`: nothing arrived for five days. */
  disabledReason: 'owner' | 'gone' | 'failing' | null;
  failingSince: string | null;
  lastSuccessAt: string | null;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** Who created it; null for older webhooks. */
  createdBy: {
    kind: 'person' | 'key';
    /** Identifier of the member, or the public part of the key. */
    id: string;
    /** What they were called when they created it. */
    name: string;
  } | null;
  /** When it was last changed. UTC, with milliseconds and Z. */
  updatedAt: string;
};
export type WebhookWithSecret = Webhook & {
  /** What receivers check signatures with. It is shown this once. */
  secret: string;
};
export type WebhookDelivery = {
  /** Identifier of the delivery. */
  id: string;
  /** What the receiver gets as `webhook-id`: the same over retries. */
  eventId: string;
  /** What happened. */
  type: string;
  state: 'waiting' | 'delivered' | 'failed';
  /** The first 2,048 characters of what is sent. */
  body: string;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** How often it was tried. */
  attempts: number;
  nextAttemptAt: string | null;
  lastAttempt: {
    /** When it began. UTC, with milliseconds and Z. */
    at: string;
    /** How long it took, ms. */
    ms: number;
    /** Of the answer; null where there was none. */
    status: number | null;
    /** The first 2,048 bytes of the answer, or why there was none. */
    answer: string;
  } | null;
};
export type Role = 'owner' | 'admin' | 'editor' | 'viewer';
export type Person = {
  /** Identifier of the person in this account. */
  id: string;
  name: string;
  role: Role;
};
export type Plan = 'free' | 'starter' | 'pro' | 'enterprise';
export type Identity = {
  /** Name of the account. */
  account: string;
  key: {
    /** The public part of the key. */
    id: string;
    name: string;
    expiresAt: string | null;
  };
  /** Who is signed in; null when the key of a program acts. */
  person: Person | null;
  /** Whether the person who is signed in is an operator of the installation. */
  isOperator: boolean;
  /** What the key may do, such as `links:read`; there may be more in time. */
  scopes: string[];
  plan: Plan;
  /** Hosts of the domains that it is bound to: links elsewhere do not exist for it. Null for any domain. */
  domains: string[] | null;
  /** Ids of the folders that it is bound to, likewise. Null for any folder, and for links in none. */
  folders: string[] | null;
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
    /** Links that are not deleted. */
    links: number;
    /** Folders that are not deleted. */
    folders: number;
  };
};
export type Account = {
  /** Name of the account. */
  name: string;
  /** Whether it is looked at now and then where links lead. Off: no link’s destination is looked at, whatever the link says. */
  watchDestinations: boolean;
};
export type Session = {
  /** Names the session; it proves nothing. */
  id: string;
  /** The public part of the key with which it acts. */
  keyId: string;
  /** What the key is called, or the person. */
  keyName: string;
  /** Who is signed in; null when the browser acts with a key of nobody. */
  person: Person | null;
  /** The browser that began it, such as `Firefox on Linux`. */
  agent: string;
  /** When it began. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When it was last used, up to a minute ago. UTC, with milliseconds and Z. */
  lastSeenAt: string;
  /** When it ends if it is not used again. UTC, with milliseconds and Z. */
  expiresAt: string;
  /** Whether this request came by it. */
  isCurrent: boolean;
};
export type DescribedSignInLink = {
  /** What the key is called, or the person. */
  keyName: string;
  /** Who is signed in; null for a link that acts with a key. */
  person: Person | null;
  /** When the link expires. UTC, with milliseconds and Z. */
  expiresAt: string;
  /** Name of the account. */
  account: string;
};
export type SignedIn = Identity & {
  /** Null when a key asks. */
  session: Session | null;
  /** The version of the server. */
  version: string;
  /** What short URLs begin with. */
  baseUrl: string;
};
export type AccountOfBrowser = Session & {
  /** The account of the session. */
  account: string;
};
export type Key = {
  /** The public part of the key: the 8 symbols after `lfk_`. */
  id: string;
  name: string;
  /** What it may do; there may be more in time. */
  scopes: string[];
  plan: Plan;
  /** Hosts of the domains that it is bound to: links elsewhere do not exist for it. Null for any domain. */
  domains: string[] | null;
  /** Ids of the folders that it is bound to, likewise. Null for any folder, and for links in none. */
  folders: string[] | null;
  state: 'live' | 'expired' | 'revoked';
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** Whether this request came by it. */
  isCurrent: boolean;
  /** The person that made it, whose role bounds it; null when none does. */
  madeBy: {
    /** Identifier of the member. */
    id: string;
    name: string;
  } | null;
};
export type NewKey = Key & {
  /** The whole key. It is stored nowhere: this is its only showing. */
  key: string;
};
export type RotatedKey = NewKey & {
  /** The id of the key that it replaces. */
  replaces: string;
  /** When the replaced key stops. UTC, with milliseconds and Z. */
  oldExpiresAt: string;
};
export type Member = {
  /** Identifier of the person in this account. */
  id: string;
  name: string;
  /** As the invitation said; null for none. */
  email: string | null;
  role: Role;
  /** When they joined. UTC, with milliseconds and Z. */
  createdAt: string;
  /** Hosts of the domains that it is bound to: links elsewhere do not exist for it. Null for any domain. */
  domains: string[] | null;
  /** Ids of the folders that it is bound to, likewise. Null for any folder, and for links in none. */
  folders: string[] | null;
  lastSeenAt: string | null;
  /** Whether this person sends the request. */
  isCurrent: boolean;
  /** Live keys that they made. */
  keys: {
    /** The public part of the key. */
    id: string;
    name: string;
  }[];
  /** Webhooks that they or these keys created, for a key with `webhooks:write`. They stay when the person is removed. */
  webhooks: {
    /** Identifier of the webhook. */
    id: string;
    url: string;
  }[];
  /** Invitations of theirs that wait. They end when the person is removed. */
  invitations: number;
};
export type SignInLink = {
  /** Where the person signs in, once. */
  url: string;
  /** When it ends, unless it is used before. UTC, with milliseconds and Z. */
  expiresAt: string;
  /** Whether it was sent by mail; false when the server for mail did not take it, null where none was to be sent. */
  mailed: boolean | null;
};
export type NewInvitation = {
  /** Identifier of the invitation. */
  id: string;
  role: Role;
  /** For whom it is; null for whoever has the address. */
  email: string | null;
  /** Hosts of the domains that it is bound to: links elsewhere do not exist for it. Null for any domain. */
  domains: string[] | null;
  /** Ids of the folders that it is bound to, likewise. Null for any folder, and for links in none. */
  folders: string[] | null;
  /** The person or the key that invites; null for the operator, or when the key is gone. */
  invitedBy: string | null;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When it ends, unless it is used before. UTC, with milliseconds and Z. */
  expiresAt: string;
  /** Where it is accepted, once. It is shown only this once. */
  url: string;
  /** Whether it was sent by mail; false when the server for mail did not take it, null where none was to be sent. */
  mailed: boolean | null;
};
export type Invitation = Omit<NewInvitation, 'url' | 'mailed'>;
export type OpenInvitation = {
  /** Name of the account. */
  account: string;
  role: Role;
  /** For whom it is; null for whoever has the address. */
  email: string | null;
  /** The person or the key that invites; null for the operator, or when the key is gone. */
  invitedBy: string | null;
  /** When it ends, unless it is used before. UTC, with milliseconds and Z. */
  expiresAt: string;
};
export type Passkey = {
  /** Identifier of the passkey. */
  id: string;
  name: string;
  /** Whether it is on several devices of the person. */
  isSynced: boolean;
  /** When it was added. UTC, with milliseconds and Z. */
  createdAt: string;
  lastUsedAt: string | null;
};
export type ProviderIdentity = {
  /** What the provider calls itself. */
  issuer: string;
  /** Whether a group of the provider decides what the person may do here. */
  isByGroup: boolean;
  /** When the person was connected. UTC, with milliseconds and Z. */
  createdAt: string;
  /** When the person signed in there last. UTC, with milliseconds and Z. */
  lastUsedAt: string;
};
export type Branding = {
  /** Stands above the pages in place of the mark of the service. */
  name: string | null;
  /** Colour of the button and of links, such as `#1f4d41`. Text on it and links in it are kept readable, on light and on dark ground. */
  accent: string | null;
  /** A PNG or WebP picture as a data URL: at most 32 KiB, and 2,048 pixels a side. It stands in the place of the name, on light ground. */
  logo: string | null;
  /** Stands on the page of a link that does not work now, below its title, in the place of what the page says otherwise. */
  message: string | null;
  /** A `mailto:` or `https:` URL that such a page links to. */
  contact: string | null;
  /** Where visitors go when a link has expired, is used up or is switched off, and neither it nor its folder has an `expiredUrl`. Such visits are no clicks. */
  expiredUrl: string | null;
  updatedAt: string | null;
};
export type Preferences = {
  /** Texts by their names. */
  values: Record<string, string>;
  updatedAt: string | null;
};
export type OperatedAccount = {
  name: string;
  /** When it was made. UTC, with milliseconds and Z. */
  createdAt: string;
  suspendedAt: string | null;
  /** Those of its live keys and its people; none while it has neither. */
  plans: Plan[];
  /** People in it. */
  people: number;
  /** Live keys of programs. */
  keys: number;
  /** Links that are not deleted. */
  links: number;
  lastUsedAt: string | null;
};
export type LinkOfEvent = Omit<
  ListedLink,
  | 'destinationUrl'
  | 'clicks'
  | 'createdAt'
  | 'revision'
  | 'status'
  | 'lastClickAt'
  | 'clicksLeft'
  | 'clicksByDay'
  | 'destinationCheck'
> & {
  /** Where the link leads, exactly as it was given. */
  destinationUrl?: string | undefined;
  /** When the link was made. UTC, with milliseconds and Z. */
  createdAt?: string | undefined;
  /** How many changes the link has had, its creation included. Clicks leave it as it is, and so does what is done to its folder or its tags. */
  revision: number;
  /** What changed, by the names of fields. A deletion changes none. */
  changes?:
    | Record<
        string,
        {
          /** What the field was. */
          from?:
            | string
            | number
            | boolean
            | null
            | (string | Record<string, unknown>)[]
            | Record<string, unknown>
            | undefined;
          /** What it is since. */
          to?:
            | string
            | number
            | boolean
            | null
            | (string | Record<string, unknown>)[]
            | Record<string, unknown>
            | undefined;
          /** Of a secret, which has no values here. */
          changed?: true | undefined;
        }
      >
    | undefined;
};
export type DestinationOfEvent = LinkOfEvent & {
  destinationCheck?:
    | {
        /** `suspect`: it failed once; `failing`: it failed again, an hour later; `recovered`: it is there again, for a week. */
        state: 'fine' | 'suspect' | 'failing' | 'recovered';
        /** What keeps visitors from it; null for nothing. */
        problem: 'not-found' | 'gone' | 'server-error' | 'dns' | 'tls' | 'timeout' | 'unreachable' | null;
        /** Status of the last answer; null where there was none. */
        status: number | null;
      }
    | undefined;
};
export type FolderOfEvent = {
  /** Identifier of the folder. */
  id: string;
  name: string;
};
export type DomainOfEvent = {
  /** Identifier of the domain. */
  id: string;
  host: string;
  status: 'active' | 'failing';
};
export type ImportOfEvent = {
  /** Identifier of the import. */
  id: string;
  source: string;
  /** As in `GET /imports/:id`. */
  counts: Record<string, number>;
};
export type ClickOfEvent = {
  /** Identifier of the link. */
  linkId: string;
  shortCode: string;
  folderId: string | null;
  /** When the visitor was redirected. UTC, with milliseconds and Z. */
  time: string;
  class: 'human' | 'bot' | 'preview' | 'prefetch';
  trigger?: string | undefined;
  country?: string | undefined;
  region?: string | undefined;
  browser?: string | undefined;
  os?: string | undefined;
  device?: string | undefined;
  language?: string | undefined;
  referrer?: string | undefined;
  referrerKind?: string | undefined;
  utmSource?: string | undefined;
  utmMedium?: string | undefined;
  utmCampaign?: string | undefined;
  utmTerm?: string | undefined;
  utmContent?: string | undefined;
  rule?: string | undefined;
  variant?: string | undefined;
  network?: string | undefined;
  utmFrom?: string | undefined;
  domain?: string | undefined;
  imported?: string | undefined;
};

export interface ShortenInput {
  /** Destination, http or https, 1 to 2,048 characters (the operator may allow up to 8,192), without user name or password. */
  url: HttpUrl;
  /** 3 to 50 letters, digits, "-" and "_", starting with a letter or digit; where the operator allows them, 1 to 50 characters with letters and digits of every script and emoji too, or up to 5 segments with "/" between them. Found without regard to case. On a domain with `exact` codes 1 to 190 characters of nearly any kind, with regard to case. One is drawn when there is none. */
  customCode?: string | null | undefined;
  domain?: string | null | undefined;
  /** What a drawn code begins with: 1 to 18 characters by the rules of `customCode`; where codes may have segments, also `shop/` with the symbols as the last one. */
  prefix?: string | null | undefined;
  /** How many symbols are drawn, behind `prefix`: 6 to 32, 8 unless it is given; one more when four in a row are taken. */
  length?: number | null | undefined;
  /** What to do when the account has a link with this destination that is neither expired, switched off nor used up: `reuse` answers the oldest as it is, with 200, and with `customCode` only one that has the code; `fail` refuses; `new` makes another one, as it is when nothing is given. */
  ifExists?: 'reuse' | 'fail' | 'new' | null | undefined;
  /** At most 255 characters. */
  title?: string | null | undefined;
  /** At most 2,000 characters; line breaks and tabs are fine. */
  description?: string | null | undefined;
  /** ISO 8601 date, or date and time; UTC unless it says otherwise; null for no expiration. Honored on Starter and higher keys. */
  expiresAt?: Moment | null | undefined;
  /** Folder to put the link into. */
  folderId?: string | null | undefined;
  /** What another system calls the link: 1 to 255 printable ASCII characters without spaces, neither "." nor "..". One live link of the account may have it. */
  externalId?: string | null | undefined;
  /** When the link begins to work, written as `expiresAt` is. Before that visitors get 404. */
  startsAt?: Moment | null | undefined;
  /** Switches the link off without deleting it: visitors get 410 until it is switched on again. */
  disabled?: boolean | null | undefined;
  /** Where visitors go when the link has expired or is switched off, instead of a page that says so. Such visits are no clicks. */
  expiredUrl?: HttpUrl | null | undefined;
  /** The status of the redirect, 302 unless it is given. With 301 and 308 search engines take the destination for the address of the page. Every answer says `no-store`, so that browsers ask each time and every visit is counted; a client that remembers the redirect all the same comes no more, and follows no change. */
  redirectStatus?: 301 | 302 | 307 | 308 | null | null | undefined;
  /** What happens to the query of the short URL: `add` gives the destination the parameters that it lacks, `override` also replaces those that it has, `none` drops them, as it is when nothing is given. Nothing but the query of the destination changes. */
  forwardQuery?: 'none' | 'add' | 'override' | null | null | undefined;
  /** Where some visitors go instead of the destination; at most 20, of which the first wins whose conditions all hold. */
  rules?: LinkRule[] | null | undefined;
  /** How often people may follow the link, 1 to 1,000,000,000; then visitors get 410 until the limit is raised. Bots and previews use none up. With 1 the link shows a page with a button, and pressing it is what counts. */
  maxClicks?: number | null | undefined;
  /** UTM parameters that visitors take to the destination and to the targets of rules, where they replace those of the same name. All are set at once: those that are not named are none. */
  utm?: Utm | null | undefined;
  /** Puts the link away: it works as before, and the dashboard does not list it unless it is asked to. */
  archived?: boolean | null | undefined;
  /** Leaves the destination alone: it is not looked at now and then, to see whether it is still there. */
  unwatched?: boolean | null | undefined;
  /** What visitors have to give before they learn anything of the link, 4 to 128 characters. Only a hash is kept; no answer has it. */
  password?: string | null | undefined;
  /** Title, description and image that chats and networks show of the link, instead of what its destination says of itself. All are set at once: those that are not named are none. */
  card?: LinkCard | null | undefined;
  /** The language of the destination, as a BCP 47 tag such as `de` or `pt-BR`. Rules on the language leave visitors there who prefer it. */
  language?: string | null | undefined;
  /** Names of its tags, at most 20, 1 to 50 characters each, without commas; those that the account does not have yet are made. Null or an empty list takes all off. */
  tags?: string[] | null | undefined;
}

export type ShortenResult = CreatedLink;

export type UpsertLinkInput = Omit<ShortenInput, 'ifExists' | 'externalId'>;

export type UpsertLinkResult = UpsertedLink;

export type GetLinkByExternalIdResult = WholeLink;

export interface UpdateLinkByExternalIdInput
  extends Omit<
    ShortenInput,
    'url' | 'customCode' | 'domain' | 'prefix' | 'length' | 'ifExists' | 'folderId'
  > {
  /** The new destination, by the same rules as on creation. */
  url?: HttpUrl | undefined;
}

export type UpdateLinkByExternalIdResult = UpdatedLink;

export interface ListLinksInput {
  /** Page, counted from 1. */
  page?: number | undefined;
  /** Links on a page. */
  limit?: number | undefined;
  /** Only links in this folder; `none` for links in no folder. */
  folderId?: string | undefined;
  /** Only the link with this externalId; of deleted links those that had it when they were deleted. */
  externalId?: string | undefined;
  /** Only links in this state, the first that is true of a link: switched off (`disabled`), past its end (`expired`), used up (`exhausted`), before its beginning (`scheduled`), else `active`; or deleted links instead. */
  status?: 'active' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'deleted' | undefined;
  /** Only links that were put away, or only the others; both when it is absent. */
  archived?: 'true' | 'false' | undefined;
  /** Only links with each of these words (at most 8) in their code, destination, title, description or tags. Case, accents and typographic signs do not matter: `strasse` finds `Straße`. A short URL, such as `https://go.example.com/sale?utm_source=x`, `/sale` or `sale+`, finds its link. Words of one or two letters search for the beginning of a code. */
  search?: string | undefined;
  /** What the list is sorted by, `createdAt` when it is absent. Clicks and last clicks are sorted as of a minute ago. Links without a title, expiration or click come last, but those without clicks first in rising order. */
  sort?: 'createdAt' | 'updatedAt' | 'clicks' | 'lastClickAt' | 'expiresAt' | 'title' | undefined;
  /** Rising or falling; when it is absent, `asc` for `title` and `expiresAt`, else `desc`. */
  order?: 'asc' | 'desc' | undefined;
  /** Only links made at this time or later; UTC unless it says otherwise. */
  createdAfter?: Moment | undefined;
  /** Only links made before this time. */
  createdBefore?: Moment | undefined;
  /** Only links to this host, such as `example.com` or `example.com:8080`; its subdomains are other hosts. */
  destinationHost?: string | undefined;
  /** Only links whose destination does not answer, or says that there is nothing: at two looks an hour apart. */
  destination?: 'failing' | undefined;
  /** Only links on the domain with this host. */
  domain?: string | undefined;
  /** Only links that this manifest keeps. */
  managedBy?: string | undefined;
  /** Only links with these tags: names separated by commas, in any case; see `tagMatch`. */
  tag?: string | undefined;
  /** Whether links must have `any` of the tags (default), `all` of them, or `none`. */
  tagMatch?: 'any' | 'all' | 'none' | undefined;
  /** `nextCursor` of the page before, with the same filters; empty for a first page by cursor. Excludes `page`. Of deleted links leave it out for the first page. */
  cursor?: string | undefined;
  /** Of deleted links: only the one that had this code last, while no live link has it. */
  code?: string | undefined;
  /** Fields to add, separated by commas. */
  include?:
    | readonly (
        | 'title'
        | 'description'
        | 'expiresAt'
        | 'folderId'
        | 'updatedAt'
        | 'externalId'
        | 'startsAt'
        | 'disabled'
        | 'expiredUrl'
        | 'redirectStatus'
        | 'forwardQuery'
        | 'rules'
        | 'maxClicks'
        | 'utm'
        | 'archived'
        | 'unwatched'
        | 'card'
        | 'language'
        | 'managedBy'
        | 'revision'
        | 'tags'
        | 'status'
        | 'lastClickAt'
        | 'clicksLeft'
        | 'hasPassword'
        | 'domain'
        | 'clicksByDay'
        | 'destinationCheck'
      )[]
    | undefined;
  /** IANA name of the zone of the days of `clicksByDay`. Default: `UTC`. */
  timezone?: string | undefined;
}

export type ListLinksResult =
  | {
      data: ListedLink[];
      pagination: Pagination;
    }
  | {
      data: ListedLink[];
      pagination: FoundPagination;
    }
  | {
      data: DeletedLink[];
      pagination: CursorPagination;
    };

export interface GetLinkInput {
  /** Fields to add, separated by commas. */
  include?:
    | readonly (
        | 'title'
        | 'description'
        | 'expiresAt'
        | 'folderId'
        | 'updatedAt'
        | 'externalId'
        | 'startsAt'
        | 'disabled'
        | 'expiredUrl'
        | 'redirectStatus'
        | 'forwardQuery'
        | 'rules'
        | 'maxClicks'
        | 'utm'
        | 'archived'
        | 'unwatched'
        | 'card'
        | 'language'
        | 'managedBy'
        | 'revision'
        | 'tags'
        | 'status'
        | 'lastClickAt'
        | 'clicksLeft'
        | 'hasPassword'
        | 'domain'
        | 'clicksByDay'
        | 'destinationCheck'
      )[]
    | undefined;
  /** IANA name of the zone of the days of `clicksByDay`. Default: `UTC`. */
  timezone?: string | undefined;
}

export type GetLinkResult = Link;

export interface GetLinkByCodeInput {
  /** Host of the domain of the code; the default one of the account when it is left out. */
  domain?: string | undefined;
}

export type GetLinkByCodeResult = WholeLink;

export type UpdateLinkInput = Omit<UpdateLinkByExternalIdInput, 'url'>;

export type UpdateLinkResult = UpdatedLink;

export interface RepointLinkInput {
  /** The new destination, by the same rules as on creation. */
  url: HttpUrl;
}

export type RepointLinkResult = RepointedLink;

export interface MoveLinkInput {
  /** Target folder, or null for none. */
  folderId: string | null;
}

export type MoveLinkResult = MovedLink;

export type RestoreLinkResult = RestoredLink;

export interface ChangeCodeInput {
  /** By the rules of a new link. */
  customCode: string;
  domain?: string | null | undefined;
}

export type ChangeCodeResult = RecodedLink;

export interface AddAliasInput {
  /** By the rules of a new link. */
  customCode: string;
  domain?: string | null | undefined;
}

export type AddAliasResult = Alias;

export type ListAliasesResult = Alias[];

export interface RemoveAliasInput {
  /** Host of the domain of the code; the default one of the account when it is left out. */
  domain?: string | undefined;
}

export interface LinkHistoryInput {
  /** Changes on a page. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; empty for the first page. */
  cursor?: string | undefined;
}

export type LinkHistoryResult = {
  data: LinkRevision[];
  pagination: ChangesPagination;
};

export type RollBackLinkResult = RolledBackLink;

export type BulkLinksInput = BulkCreate | BulkUpdate | BulkMove | BulkTag | BulkDelete | BulkRestore;

export type BulkLinksResult = BulkResult;

export interface LinkQrInput {
  /** Without it `Accept` decides; SVG when that says nothing. */
  format?: 'svg' | 'png' | undefined;
  /** Width and height in pixels, the margin included. An SVG can be drawn in any other. Modules are whole pixels of one size; what is left over goes to the margin. A PNG with `margin=0` has the nearest size that leaves nothing over; the header `X-QR-Size` says which. */
  size?: number | undefined;
  /** The quiet zone around the code, in modules; the standard asks for 4. */
  margin?: number | undefined;
  /** Of the dark modules: three or six hexadecimal digits, with or without `#` (in an address `%23`); `000000` unless given. */
  color?: string | undefined;
  /** Of all the rest; `ffffff` unless given. */
  background?: string | undefined;
  /** How much may be lost before the code cannot be read: about 7, 15, 25 or 30 percent; `M` unless given. A higher level is taken where it costs nothing. */
  level?: 'L' | 'M' | 'Q' | 'H' | undefined;
}

export type SimulateInput = SimulateLinkInput & {
  /** Destination of the link. */
  url: HttpUrl;
};

export type SimulateResult = Simulation;

export interface SimulateLinkInput
  extends Omit<
    UpdateLinkInput,
    'title' | 'description' | 'externalId' | 'archived' | 'unwatched' | 'password' | 'tags'
  > {
  /** Another destination than the link has. */
  url?: HttpUrl | undefined;
  /** What is known of the visitor. What is not given is unknown. */
  visit?:
    | {
        /** When the visitor comes, in ISO 8601; now when it is not given. */
        at?: Moment | undefined;
        /** Of the short URL, without `?`. */
        query?: string | undefined;
        /** Gives browser, os and device, where they are not given. */
        userAgent?: string | undefined;
        /** The whole `Accept-Language`. */
        languages?: string | undefined;
        /** Host that the visitor comes from. */
        referrer?: string | undefined;
        /** ISO 3166-1 alpha-2. */
        country?: string | undefined;
        region?: string | undefined;
        browser?: string | undefined;
        os?: string | undefined;
        device?: string | undefined;
        /** `human` when it is not given. */
        class?: 'human' | 'bot' | 'preview' | 'prefetch' | undefined;
        /** Which of the visitors that a split divides; 0 when it is not given. */
        visitor?: number | undefined;
      }
    | undefined;
}

export type SimulateLinkResult = Simulation;

export interface ListFoldersInput {
  /** More about each folder: `expiredUrl`, `clicksByDay`. */
  include?: readonly ('expiredUrl' | 'clicksByDay')[] | undefined;
  /** IANA name of the zone of the days of `clicksByDay`. Default: `UTC`. */
  timezone?: string | undefined;
}

export type ListFoldersResult = Folder[];

export interface CreateFolderInput {
  /** 1 to 50 characters, at least one of them visible; trimmed. Need not be unique. */
  name: string;
  /** Where visitors go of its links that have expired, are used up or are switched off and have no `expiredUrl` of their own. Null for what the branding says. Such visits are no clicks. */
  expiredUrl?: HttpUrl | null | undefined;
}

export type CreateFolderResult = CreatedFolder;

export type RenameFolderInput =
  | {
      /** 1 to 50 characters, at least one of them visible; trimmed. Need not be unique. */
      name: string;
      /** Where visitors go of its links that have expired, are used up or are switched off and have no `expiredUrl` of their own. Null for what the branding says. Such visits are no clicks. */
      expiredUrl?: HttpUrl | null | undefined;
    }
  | {
      /** 1 to 50 characters, at least one of them visible; trimmed. Need not be unique. */
      name?: string | undefined;
      expiredUrl: HttpUrl | null;
    };

export type RenameFolderResult = RenamedFolder;

export type RestoreFolderResult = RestoredFolder;

export interface ListTagsInput {
  /** More about each tag: `clicksByDay`. */
  include?: readonly 'clicksByDay'[] | undefined;
  /** IANA name of the zone of the days of `clicksByDay`. Default: `UTC`. */
  timezone?: string | undefined;
}

export type ListTagsResult = ListedTag[];

export interface CreateTagInput {
  /** 1 to 50 characters, at least one of them visible: letters, digits, symbols, spaces, and punctuation but for commas; trimmed. Unique in the account, without regard to case. */
  name: string;
}

export type CreateTagResult = Tag;

export interface RenameTagInput {
  /** 1 to 50 characters, at least one of them visible: letters, digits, symbols, spaces, and punctuation but for commas; trimmed. Unique in the account, without regard to case. */
  name: string;
}

export type RenameTagResult = Tag;

export interface MergeTagsInput {
  /** Identifier of the tag that stays. */
  into: string;
}

export type MergeTagsResult = Tag;

export type ListUtmTemplatesResult = UtmTemplate[];

export interface CreateUtmTemplateInput {
  /** 1 to 50 characters, at least one of them visible; trimmed. Unique in the account, without regard to case. */
  name: string;
  /** At least one of the parameters. */
  utm: Utm;
}

export type CreateUtmTemplateResult = UtmTemplate;

export interface UpdateUtmTemplateInput {
  /** 1 to 50 characters, at least one of them visible; trimmed. Unique in the account, without regard to case. */
  name?: string | undefined;
  /** At least one of the parameters. */
  utm?: Utm | undefined;
}

export type UpdateUtmTemplateResult = UtmTemplate;

export interface ListDomainsInput {
  /** More about each domain: `certificate`, and `associationFiles` for `appleAppSiteAssociation` and `assetLinks`. */
  include?: readonly ('certificate' | 'associationFiles')[] | undefined;
}

export type ListDomainsResult = Domain[];

export interface CreateDomainInput {
  /** A name of two labels or more, such as `go.example.com`; without port and wildcard. */
  host: string;
  /** `folded` unless it is given. It can be changed while no code was ever made there. */
  codes?: 'folded' | 'exact' | undefined;
  /** Whether links are made there when no domain is named. One domain at most is the default; without one it is the shared one. */
  isDefault?: boolean | undefined;
  /** Where `/` leads. */
  rootUrl?: HttpUrl | null | undefined;
  /** URL for unknown codes; `{code}` stands for the code. */
  unknownUrl?: HttpUrl | null | undefined;
  /** Where visitors go of links that are over. */
  expiredUrl?: HttpUrl | null | undefined;
  /** Whether crawlers may follow its short URLs; not unless it is given. */
  indexed?: boolean | undefined;
  /** The file by which apps on Apple’s systems open links of the domain: what `/.well-known/apple-app-site-association` answers. As JSON at most 16,384 characters; null for none. */
  appleAppSiteAssociation?: Record<string, unknown> | null | undefined;
  /** The same for Android: what `/.well-known/assetlinks.json` answers. As JSON at most 16,384 characters; null for none. */
  assetLinks?: Record<string, unknown>[] | null | undefined;
}

export type CreateDomainResult = Domain;

export interface GetDomainInput {
  /** More about each domain: `certificate`, and `associationFiles` for `appleAppSiteAssociation` and `assetLinks`. */
  include?: readonly ('certificate' | 'associationFiles')[] | undefined;
}

export type GetDomainResult = Domain;

export type UpdateDomainInput = Omit<CreateDomainInput, 'host'>;

export type UpdateDomainResult = Domain;

export type VerifyDomainResult = Domain;

export interface CreateImportInput {
  /** The service, such as `shlink`. Its links are told apart by their keys. */
  source: string;
  /** Where it was read. */
  instance?: string | null | undefined;
  /** Tells installations of one service apart whose keys are numbers of rows: a name, or the fingerprint that `import read` takes. Links are known by it and their key. */
  installation?: string | null | undefined;
  /** When it was read. */
  readAt: Moment;
  /** `skip` (default): the link that is there stays. `rename`: a link whose code is taken gets a like one. `overwrite`: a link that was imported before, and was not changed here since, becomes as the file has it. */
  onConflict?: 'skip' | 'rename' | 'overwrite' | null | undefined;
  domain?: string | null | undefined;
}

export type CreateImportResult = Import;

export type ListImportsResult = Import[];

export type GetImportResult = Import;

export interface AddImportLinesInput {
  /** How many lines of the file were sent before. */
  position: number;
  /** Lines of the format of imports, without its first one. */
  lines: {
    /** What it is: `link`, `visit`, `bucket`, `counter`, `problem` or `end`. */
    type?: string | undefined;
  }[];
}

export type AddImportLinesResult = Import;

export interface UpdateImportInput {
  /** What it is from now on. */
  state: 'open' | 'paused';
}

export type UpdateImportResult = Import;

export type UndoImportResult = Import;

export interface ExportImportReportInput {
  /** How the file is written; `csv` when nothing says it. */
  format?: 'csv' | 'ndjson' | undefined;
}

export type PlanManifestInput = {
  /** All links of the manifest, each as a whole: a field that is not said is cleared. */
  links: ManifestLink[];
  /** What becomes of links that the manifest keeps and no longer names: `keep` (default) leaves them, `release` leaves them to nobody, `delete` deletes them. */
  absent?: 'keep' | 'release' | 'delete' | null | undefined;
  /** Whether links that are there and that no manifest keeps become links of this one. */
  adopt?: boolean | null | undefined;
};

export type PlanManifestResult = ManifestPlan;

export type ApplyManifestInput = {
  /** All links of the manifest, each as a whole: a field that is not said is cleared. */
  links: ManifestLink[];
  /** What becomes of links that the manifest keeps and no longer names: `keep` (default) leaves them, `release` leaves them to nobody, `delete` deletes them. */
  absent?: 'keep' | 'release' | 'delete' | null | undefined;
  /** Whether links that are there and that no manifest keeps become links of this one. */
  adopt?: boolean | null | undefined;
  /** With `absent: delete`: how many links may be deleted at most; none where it is not given. */
  maxDeletes?: number | null | undefined;
  seen: SeenLink[];
};

export type ApplyManifestResult = ManifestCounts;

export interface AccountStatisticsInput {
  /** Where the range begins; without an offset it is of `timezone`. Default: the last 30 days there, today included. */
  from?: Moment | undefined;
  /** Where it ends, exclusive, in the same way. Default: now. */
  to?: Moment | undefined;
  /** IANA name of the zone of dates and buckets, such as `Europe/Berlin`. Default: `UTC`. */
  timezone?: string | undefined;
  /** Length of the buckets of the series, at most 1,000; weeks begin on Monday. Default: `hour` up to 3 days, `day` up to 184, `week` up to 1,096, then `month`. */
  interval?: 'minute' | 'hour' | 'day' | 'week' | 'month' | undefined;
  /** Only clicks of these kinds. Default: all. */
  class?: readonly ('human' | 'bot' | 'preview' | 'prefetch')[] | undefined;
  /** What to break the clicks down by. */
  groupBy?:
    | 'class'
    | 'trigger'
    | 'country'
    | 'region'
    | 'browser'
    | 'os'
    | 'device'
    | 'language'
    | 'referrer'
    | 'referrerKind'
    | 'utmSource'
    | 'utmMedium'
    | 'utmCampaign'
    | 'utmTerm'
    | 'utmContent'
    | 'rule'
    | 'variant'
    | 'network'
    | 'utmFrom'
    | 'domain'
    | 'imported'
    | 'link'
    | 'folder'
    | undefined;
  /** Only clicks that match `dimension:is:a,b`, `dimension:is-not:a,b` or `dimension:contains:text` (without regard to case). At most 10, all of which must hold. Percent-encode `%`, `,` and `:` in values, of which there may be 100; an empty value means unknown. */
  filter?: readonly string[] | undefined;
  /** An earlier range to set beside it: `previous` (as long, right before), `year` (a year earlier), or two times as `from..to`. */
  compare?: string | undefined;
  /** Values of the breakdown; the others are summed up in `other`. */
  limit?: number | undefined;
  /** With `groupBy`: `nextCursor` of the page of values before, with the same range and filters; empty for the first page. All pages are of the moment of the first one. */
  cursor?: string | undefined;
}

export type AccountStatisticsResult = Statistics;

export type LinkStatisticsInput = AccountStatisticsInput;

export type LinkStatisticsResult = Statistics;

export type FolderStatisticsInput = AccountStatisticsInput;

export type FolderStatisticsResult = Statistics;

export type DomainStatisticsInput = AccountStatisticsInput;

export type DomainStatisticsResult = Statistics;

export type TagStatisticsInput = AccountStatisticsInput;

export type TagStatisticsResult = Statistics;

export interface AccountClicksInput {
  /** Only clicks of this link. */
  linkId?: string | undefined;
  /** Only clicks of links that are in this folder now. */
  folderId?: string | undefined;
  /** Only clicks of links that have this tag now. */
  tagId?: string | undefined;
  /** Where the range begins; without an offset it is of `timezone`. Default: the last 30 days there, today included. */
  from?: Moment | undefined;
  /** Where it ends, exclusive, in the same way. Default: now. */
  to?: Moment | undefined;
  /** IANA name of the zone of dates and buckets, such as `Europe/Berlin`. Default: `UTC`. */
  timezone?: string | undefined;
  /** Only clicks of these kinds. Default: all. */
  class?: readonly ('human' | 'bot' | 'preview' | 'prefetch')[] | undefined;
  /** Only clicks that match `dimension:is:a,b`, `dimension:is-not:a,b` or `dimension:contains:text` (without regard to case). At most 10, all of which must hold. Percent-encode `%`, `,` and `:` in values, of which there may be 100; an empty value means unknown. */
  filter?: readonly string[] | undefined;
  /** `nextCursor` of the page before, with the same range and filters; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Most clicks of a page. */
  limit?: number | undefined;
}

export type AccountClicksResult = {
  /** The newest first. */
  data: Click[];
  pagination: ClickPagination;
};

export type LinkClicksInput = Omit<AccountClicksInput, 'linkId' | 'folderId' | 'tagId'>;

export type LinkClicksResult = {
  /** The newest first. */
  data: Click[];
  pagination: ClickPagination;
};

export interface ExportLinksInput extends Omit<BulkFilter, 'externalId'> {
  /** How the file is written. Without it `Accept` decides; `csv` when that says nothing. */
  format?: 'csv' | 'ndjson' | undefined;
  /** Only the link with this externalId. */
  externalId?: string | undefined;
  /** What the list is sorted by, `createdAt` when it is absent. Clicks and last clicks are sorted as of a minute ago. Links without a title, expiration or click come last, but those without clicks first in rising order. */
  sort?: 'createdAt' | 'updatedAt' | 'clicks' | 'lastClickAt' | 'expiresAt' | 'title' | undefined;
  /** Rising or falling; when it is absent, `asc` for `title` and `expiresAt`, else `desc`. */
  order?: 'asc' | 'desc' | undefined;
  /** Only links whose destination does not answer, or says that there is nothing: at two looks an hour apart. */
  destination?: 'failing' | undefined;
}

export interface ExportStatisticsInput extends Omit<AccountStatisticsInput, 'limit' | 'cursor'> {
  /** How the file is written. Without it `Accept` decides; `csv` when that says nothing. */
  format?: 'csv' | 'ndjson' | undefined;
  /** Only clicks of this link. */
  linkId?: string | undefined;
  /** Only clicks of links that are in this folder now. */
  folderId?: string | undefined;
  /** Only clicks of links that have this tag now. */
  tagId?: string | undefined;
  /** Values of the breakdown; the others are summed up in the last row. Default: all. */
  limit?: number | undefined;
}

export interface ExportClicksInput extends Omit<AccountClicksInput, 'cursor' | 'limit'> {
  /** How the file is written. Without it `Accept` decides; `csv` when that says nothing. */
  format?: 'csv' | 'ndjson' | undefined;
}

export interface ShareLinkInput {
  /** When the address ends, UTC unless it says otherwise; null or absent for never. */
  expiresAt?: Moment | null | undefined;
}

export type ShareLinkResult = CreatedShare;

export type ListSharesResult = Share[];

export interface SharedStatisticsInput extends Omit<AccountStatisticsInput, 'groupBy'> {
  /** What to break the clicks down by. */
  groupBy?:
    | 'class'
    | 'trigger'
    | 'country'
    | 'region'
    | 'browser'
    | 'os'
    | 'device'
    | 'language'
    | 'referrer'
    | 'referrerKind'
    | 'utmSource'
    | 'utmMedium'
    | 'utmCampaign'
    | 'utmTerm'
    | 'utmContent'
    | 'rule'
    | 'variant'
    | 'network'
    | 'utmFrom'
    | 'domain'
    | 'imported'
    | undefined;
  /** Fields to add: `branding`. */
  include?: readonly 'branding'[] | undefined;
}

export type SharedStatisticsResult = SharedStatistics;

export interface MissedVisitsInput {
  /** How many UTC days, today included. */
  days?: number | undefined;
  /** How many links and reasons at most. */
  limit?: number | undefined;
}

export type MissedVisitsResult = MissedVisits[];

export interface EventsInput {
  /** Only events of these types. A type whose scope the key lacks is refused. */
  types?:
    | readonly ('click' | 'link.created' | 'link.updated' | 'link.deleted' | 'link.restored' | 'link.moved')[]
    | undefined;
  /** Only events of this link. */
  linkId?: string | undefined;
  /** Only events of links that are in this folder; `none` for links in no folder. */
  folderId?: string | undefined;
}

export type EventsData = ClickEvent | LinkChangeEvent | ReadyEvent | ResetEvent | EndEvent;

export interface AuditInput {
  /** Changes on a page. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; empty for the first page. */
  cursor?: string | undefined;
  /** Only changes by this person, key or session, by its id. */
  actor?: string | undefined;
  /** Only such changes. */
  action?:
    | 'link.created'
    | 'link.updated'
    | 'link.moved'
    | 'link.tagged'
    | 'link.code-changed'
    | 'link.deleted'
    | 'link.restored'
    | 'link.imported'
    | 'link.rolled-back'
    | 'folder.created'
    | 'folder.updated'
    | 'folder.deleted'
    | 'folder.restored'
    | 'tag.created'
    | 'tag.renamed'
    | 'tag.merged'
    | 'tag.deleted'
    | 'utm-template.created'
    | 'utm-template.updated'
    | 'utm-template.deleted'
    | 'share.created'
    | 'share.revoked'
    | 'domain.created'
    | 'domain.updated'
    | 'domain.deleted'
    | 'domain.active'
    | 'domain.failing'
    | 'key.created'
    | 'key.rotated'
    | 'key.revoked'
    | 'session.created'
    | 'session.ended'
    | 'session.link-created'
    | 'branding.updated'
    | 'branding.deleted'
    | 'preferences.updated'
    | 'import.created'
    | 'import.updated'
    | 'import.undone'
    | 'import.finished'
    | 'person.joined'
    | 'person.updated'
    | 'person.removed'
    | 'invitation.created'
    | 'invitation.withdrawn'
    | 'passkey.created'
    | 'passkey.renamed'
    | 'passkey.deleted'
    | 'identity.connected'
    | 'identity.disconnected'
    | 'account.created'
    | 'account.updated'
    | 'account.suspended'
    | 'account.resumed'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.rotated'
    | 'webhook.deleted'
    | 'destination.failing'
    | 'destination.recovered'
    | 'link.expired'
    | 'link.exhausted'
    | undefined;
  /** Only changes of this record, by its id. */
  target?: string | undefined;
  /** Only changes since this time, itself included. */
  from?: Moment | undefined;
  /** Only changes before this time. */
  to?: Moment | undefined;
}

export type AuditResult = {
  data: AccountChange[];
  pagination: ChangesPagination;
};

export type ExportAuditInput = Omit<AuditInput, 'limit' | 'cursor'>;

export interface EventLogInput {
  /** `nextCursor` of an earlier answer; empty for the oldest event that is kept. */
  after?: string | undefined;
  /** Events on a page. */
  limit?: number | undefined;
}

export type EventLogResult = {
  data: LoggedEvent[];
  pagination: {
    limit: number;
    /** Where to go on, also when there is nothing new. */
    nextCursor: string;
    /** Whether there is more already. */
    hasMore: boolean;
  };
};

export type ListWebhooksResult = Webhook[];

export interface CreateWebhookInput {
  /** An http or https URL to which events are sent by POST. Redirects are not followed, and it must be on the public internet unless the operator allows it. */
  url: string;
  /** What it is told of. `link.clicked` sends up to 1,000 clicks in one request, and at most one such request in 5 s. */
  events: (
    | 'link.created'
    | 'link.updated'
    | 'link.deleted'
    | 'link.restored'
    | 'link.expired'
    | 'link.exhausted'
    | 'folder.created'
    | 'folder.updated'
    | 'folder.deleted'
    | 'folder.restored'
    | 'domain.active'
    | 'domain.failing'
    | 'destination.failing'
    | 'destination.recovered'
    | 'import.finished'
    | 'link.clicked'
  )[];
  /** Only of links in these folders; null for all. */
  folderIds?: string[] | null | undefined;
  /** Only of links on these domains; null for all. */
  domainIds?: string[] | null | undefined;
  /** Only of links with one of these tags; null for all. */
  tags?: string[] | null | undefined;
  /** For its owner. */
  description?: string | null | undefined;
}

export type CreateWebhookResult = WebhookWithSecret;

export type GetWebhookResult = Webhook;

export interface UpdateWebhookInput {
  /** An http or https URL to which events are sent by POST. Redirects are not followed, and it must be on the public internet unless the operator allows it. */
  url?: string | undefined;
  /** What it is told of. `link.clicked` sends up to 1,000 clicks in one request, and at most one such request in 5 s. */
  events?:
    | (
        | 'link.created'
        | 'link.updated'
        | 'link.deleted'
        | 'link.restored'
        | 'link.expired'
        | 'link.exhausted'
        | 'folder.created'
        | 'folder.updated'
        | 'folder.deleted'
        | 'folder.restored'
        | 'domain.active'
        | 'domain.failing'
        | 'destination.failing'
        | 'destination.recovered'
        | 'import.finished'
        | 'link.clicked'
      )[]
    | undefined;
  /** Only of links in these folders; null for all. */
  folderIds?: string[] | null | undefined;
  /** Only of links on these domains; null for all. */
  domainIds?: string[] | null | undefined;
  /** Only of links with one of these tags; null for all. */
  tags?: string[] | null | undefined;
  /** For its owner. */
  description?: string | null | undefined;
  /** Whether nothing is sent to it. */
  disabled?: boolean | undefined;
}

export type UpdateWebhookResult = Webhook;

export type RotateWebhookResult = WebhookWithSecret;

export type TestWebhookResult = WebhookDelivery;

export interface ListDeliveriesInput {
  /** Deliveries on a page. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

export type ListDeliveriesResult = {
  data: WebhookDelivery[];
  pagination: {
    limit: number;
    nextCursor: string | null;
  };
};

export type ResendDeliveryResult = WebhookDelivery;

export interface ReplayWebhookInput {
  /** Start time; events are kept for 30 days. */
  since: Moment;
  /** Whether delivered events are sent again; default false. */
  all?: boolean | undefined;
}

export type ReplayWebhookResult = {
  /** From when on. UTC, with milliseconds and Z. */
  since: string;
  /** Existing deliveries that are sent now. More may follow. */
  deliveries: number;
};

export type MeResult = Identity;

export type GetAccountResult = Account;

export interface UpdateAccountInput {
  /** Whether it is looked at now and then where links lead. Off: no link’s destination is looked at, whatever the link says. */
  watchDestinations?: boolean | undefined;
}

export type UpdateAccountResult = Account;

export type CreateSessionResult = Session;

export interface DescribeSignInLinkInput {
  /** The part of the sign-in link after `#`. */
  token: string;
}

export type DescribeSignInLinkResult = DescribedSignInLink;

export type GetSessionResult = SignedIn;

export type ListAccountsOfBrowserResult = AccountOfBrowser[];

export interface SwitchAccountInput {
  /** Which, as `/session/accounts` has it. */
  sessionId: string;
}

export type SwitchAccountResult = Session;

export type ListSessionsResult = Session[];

export type EndOtherSessionsResult = {
  /** How many sessions have ended by this. */
  ended: number;
};

export type ListKeysResult = Key[];

export interface CreateKeyInput {
  /** What the key is for. */
  name: string;
  /** What it may do. All that the key in hand may do, unless it is said. */
  scopes?:
    | (
        | 'links:read'
        | 'links:write'
        | 'analytics:read'
        | 'keys:write'
        | 'domains:write'
        | 'people:write'
        | 'audit:read'
        | 'webhooks:write'
      )[]
    | undefined;
  /** Its plan. That of the key in hand, unless it is said. */
  plan?: 'free' | 'starter' | 'pro' | 'enterprise' | undefined;
  /** When it stops, or null for never. With the key in hand, unless it is said. */
  expiresAt?: Moment | null | undefined;
  /** Hosts of domains to bind it to, that for all accounts too. To none, unless it is said. */
  domains?: string[] | null | undefined;
  /** Ids of folders to bind it to. To none, unless it is said. */
  folders?: string[] | null | undefined;
}

export type CreateKeyResult = NewKey;

export interface RotateKeyInput {
  /** How long the old key still works, at most 30 days. A day, unless it is said. */
  graceSeconds?: number | undefined;
}

export type RotateKeyResult = RotatedKey;

export type ListMembersResult = Member[];

export interface UpdateMemberInput {
  /** What the person is called. */
  name?: string | undefined;
  /** What the person may do. */
  role?: Role | undefined;
}

export type UpdateMemberResult = Member;

export interface RemoveMemberInput {
  /** What becomes of live keys that they made: `keep` or `revoke`. Needed when there are any. */
  keys?: 'keep' | 'revoke' | undefined;
}

export type RemoveMemberResult = {
  /** The live keys that they had made. */
  keys: {
    /** The public part of the key. */
    id: string;
    name: string;
  }[];
  /** Whether those go on. */
  kept: boolean;
  /** Webhooks that they or these keys created, for a key with `webhooks:write`. They stay when the person is removed. */
  webhooks: {
    /** Identifier of the webhook. */
    id: string;
    url: string;
  }[];
  /** Invitations of theirs that wait. They end when the person is removed. */
  invitations: number;
};

export interface CreateSignInLinkInput {
  /** Whether it is sent to the email address of the person, where they have one. */
  mail?: boolean | undefined;
  /** In which language mail is written; `en` unless it is said. */
  language?: 'en' | 'de' | undefined;
}

export type CreateSignInLinkResult = SignInLink;

export interface CreateInvitationInput {
  /** What the person will be. */
  role: Role;
  /** For whom it is, for you to tell invitations apart. Where the server sends mail, it goes there. */
  email?: string | null | undefined;
  /** In which language mail is written; `en` unless it is said. */
  language?: 'en' | 'de' | undefined;
  /** Hosts of domains to bind it to, that for all accounts too. To none, unless it is said. */
  domains?: string[] | null | undefined;
  /** Ids of folders to bind it to. To none, unless it is said. */
  folders?: string[] | null | undefined;
}

export type CreateInvitationResult = NewInvitation;

export type ListInvitationsResult = Invitation[];

export type GetInvitationResult = Invitation;

export interface DescribeInvitationInput {
  /** What follows `#` in the address of the invitation. */
  token: string;
}

export type DescribeInvitationResult = OpenInvitation;

export interface AcceptInvitationInput {
  /** What follows `#` in the address of the invitation. */
  token: string;
  /** What the person is called. */
  name: string;
}

export type AcceptInvitationResult = Session;

export type ListPasskeysResult = Passkey[];

export type BeginPasskeyResult = Record<string, unknown>;

export interface AddPasskeyInput {
  /** What it is called, such as the device. */
  name: string;
  /** What the browser answers: its `PublicKeyCredential`, by `toJSON()`. */
  response: Record<string, unknown>;
}

export type AddPasskeyResult = Passkey;

export interface RenamePasskeyInput {
  /** What it is called from now on. */
  name: string;
}

export type RenamePasskeyResult = Passkey;

export type AskForPasskeyResult = Record<string, unknown>;

export interface SignInByPasskeyInput {
  /** What the browser answers: its `PublicKeyCredential`, by `toJSON()`. */
  response: Record<string, unknown>;
}

export type SignInByPasskeyResult = Session;

export interface BeginDeviceInput {
  /** What the person is told wants to sign in; the key is called so. */
  name: string;
}

export type BeginDeviceResult = {
  /** What the program asks with. It is shown only this once. */
  deviceCode: string;
  /** What the person compares, or types. */
  userCode: string;
  /** Where the person answers. */
  verificationUri: string;
  /** The same with the code in it. */
  verificationUriComplete: string;
  /** For how long it can be answered, seconds. */
  expiresIn: number;
  /** From one question to the next, seconds. */
  interval: number;
};

export interface TakeDeviceKeyInput {
  /** From when the program began. */
  deviceCode: string;
}

export type TakeDeviceKeyResult = {
  status: 'pending' | 'denied' | 'approved';
  /** Null unless it is approved. It is shown only this once. */
  key: string | null;
  /** The account of the key; null without one. */
  account: string | null;
  expiresAt: string | null;
};

export interface DescribeDeviceInput {
  /** What the program shows, in any case, with or without its hyphen. */
  userCode: string;
}

export type DescribeDeviceResult = {
  /** What the program calls itself. Anybody can call themselves anything. */
  name: string;
  /** Until when it can be answered. UTC, with milliseconds and Z. */
  expiresAt: string;
};

export interface AnswerDeviceInput {
  /** What the program shows, in any case, with or without its hyphen. */
  userCode: string;
  /** Whether the program gets a key that acts as the person. */
  approve: boolean;
}

export type AnswerDeviceResult = {
  approved: boolean;
};

export type GetSignInWaysResult = {
  /** The provider of OpenID Connect; null for none. */
  singleSignOn: {
    /** What people call the provider; null for no name. */
    name: string | null;
  } | null;
  /** Whether people have no other way in. Keys go on. */
  isOnly: boolean;
  /** Whether this server sends links by mail. */
  mail: boolean;
};

export type GetSignOutAtProviderResult = {
  /** Null without a provider, or where it does not offer that or does not answer. */
  url: string | null;
};

export type BeginSingleSignOnResult = {
  /** Where the person signs in. */
  url: string;
  /** What the answer is good with, once. It stays in this browser. */
  token: string;
};

export interface SignInBySingleSignOnInput {
  /** From when the browser began. */
  token: string;
  /** The query with which the browser came back. */
  answer: string;
  /** What follows `#` in the address of an invitation that the person accepts. */
  invitation?: string | undefined;
}

export type SignInBySingleSignOnResult = Session;

export type ListIdentitiesResult = ProviderIdentity[];

export type BeginIdentityResult = {
  /** Where the person signs in. */
  url: string;
  /** What the answer is good with, once. It stays in this browser. */
  token: string;
};

export interface ConnectIdentityInput {
  /** From when the browser began. */
  token: string;
  /** The query with which the browser came back. */
  answer: string;
}

export type ConnectIdentityResult = ProviderIdentity;

export type GetBrandingResult = Branding;

export interface PutBrandingInput {
  /** Stands above the pages in place of the mark of the service. */
  name?: string | null | undefined;
  /** Colour of the button and of links, such as `#1f4d41`. Text on it and links in it are kept readable, on light and on dark ground. */
  accent?: string | null | undefined;
  /** A PNG or WebP picture as a data URL: at most 32 KiB, and 2,048 pixels a side. It stands in the place of the name, on light ground. */
  logo?: string | null | undefined;
  /** Stands on the page of a link that does not work now, below its title, in the place of what the page says otherwise. */
  message?: string | null | undefined;
  /** A `mailto:` or `https:` URL that such a page links to. */
  contact?: string | null | undefined;
  /** Where visitors go when a link has expired, is used up or is switched off, and neither it nor its folder has an `expiredUrl`. Such visits are no clicks. */
  expiredUrl?: HttpUrl | null | undefined;
}

export type PutBrandingResult = Branding;

export interface CheckCodeInput {
  /** The code that is wished for. */
  customCode?: string | undefined;
  /** Host of the domain of the code; the default one of the account when it is left out. */
  domain?: string | undefined;
}

export type CheckCodeResult = {
  /** `yours`: a live link of the account has the code. `free` when none was given. */
  status: 'free' | 'yours' | 'taken' | 'reserved';
  linkId: string | null;
  /** Codes that are free. */
  suggestions: string[];
};

export type GetPreferencesResult = Preferences;

export interface PutPreferencesInput {
  /** Texts by their names. */
  values: Record<string, string>;
}

export type PutPreferencesResult = Preferences;

export interface ListAccountsInput {
  /** Accounts on a page. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; empty for the first page. */
  cursor?: string | undefined;
  /** Only accounts whose names have this, in any case. */
  search?: string | undefined;
}

export type ListAccountsResult = {
  data: OperatedAccount[];
  pagination: ChangesPagination;
};

export interface SuspendAccountInput {
  /** The exact name of the account. */
  account: string;
}

export type SuspendAccountResult = OperatedAccount;

export interface ResumeAccountInput {
  /** The exact name of the account. */
  account: string;
}

export type ResumeAccountResult = OperatedAccount;

/** The body of a webhook request, by its `type`. A newer server may send other types. */
export type WebhookEvent =
  | {
      type:
        | 'link.created'
        | 'link.updated'
        | 'link.deleted'
        | 'link.restored'
        | 'link.expired'
        | 'link.exhausted';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: LinkOfEvent;
    }
  | {
      type: 'destination.failing' | 'destination.recovered';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: DestinationOfEvent;
    }
  | {
      type: 'folder.created' | 'folder.updated' | 'folder.deleted' | 'folder.restored';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: FolderOfEvent;
    }
  | {
      type: 'domain.active' | 'domain.failing';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: DomainOfEvent;
    }
  | {
      type: 'import.finished';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: ImportOfEvent;
    }
  | {
      type: 'link.clicked';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: {
        clicks: ClickOfEvent[];
      };
    }
  | {
      type: 'webhook.test';
      /** When the event happened. UTC, with milliseconds and Z. */
      timestamp: string;
      data: {
        /** Identifier of the webhook. */
        webhookId: string;
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
   * Create or replace the link with an externalId.
   *
   * The link of the account that has this `externalId` becomes what the body says: an optional field that is absent is cleared, the code and the clicks stay. Where there is no such link, the deleted one that had the name last comes back with its id, code and clicks, unless another link has its code now; a `customCode` that is not its own then becomes its code, and the old one an alias. Else one is created, as by `POST /api/v1/shorten`. Repeating the request changes nothing. PATCH changes single fields. On Free keys `expiresAt` is ignored, and a link that has expired does not come back.
   */
  upsertLink(externalId: string, input: UpsertLinkInput, options?: CallOptions): Promise<UpsertLinkResult>;

  /**
   * Get the link with an externalId.
   *
   * Everything about the live link that another system knows by this name.
   */
  getLinkByExternalId(externalId: string, options?: CallOptions): Promise<GetLinkByExternalIdResult>;

  /**
   * Update the link with an externalId.
   *
   * As `PATCH /api/v1/links/:id`, and `url` points the link elsewhere: absent fields stay, null clears. On Free keys `expiresAt` is ignored.
   */
  updateLinkByExternalId(
    externalId: string,
    input?: UpdateLinkByExternalIdInput,
    options?: CallOptions,
  ): Promise<UpdateLinkByExternalIdResult>;

  /**
   * Delete the link with an externalId.
   *
   * As `DELETE /api/v1/links/:id`. A later PUT with the same name brings the link back, with its code and clicks.
   */
  deleteLinkByExternalId(externalId: string, options?: CallOptions): Promise<undefined>;

  /**
   * List links.
   *
   * The links of the account, newest first. `pagination.total` is exact and of the same moment as the page. With `status=deleted` those that `POST /api/v1/links/:id/restore` can bring back, whole, the last deleted first; they are paged by `cursor`, without `page` and `total`. With an empty `cursor` live links are paged in the same way, at the same cost however far the page, and `total` may be null.
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
   * Everything about one link, found by its short code, without regard to case unless the domain has `exact` codes.
   */
  getLinkByCode(
    code: string,
    input?: GetLinkByCodeInput,
    options?: CallOptions,
  ): Promise<GetLinkByCodeResult>;

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
   * Give a link another code.
   *
   * The code that the link had goes on leading to it, as an alias; the clicks stay. One of its aliases can become its code.
   */
  changeCode(id: string, input: ChangeCodeInput, options?: CallOptions): Promise<ChangeCodeResult>;

  /**
   * Let one more code lead to a link.
   *
   * A visit by an alias is one of the link: same destination, rules and figures. A link has at most 20 aliases.
   */
  addAlias(id: string, input: AddAliasInput, options?: CallOptions): Promise<AddAliasResult>;

  /**
   * List the aliases of a link.
   *
   * The codes that lead to a link beside its own, in the order of their letters.
   */
  listAliases(id: string, options?: CallOptions): Promise<ListAliasesResult>;

  /**
   * Remove an alias.
   *
   * It stops leading anywhere at once. The code stays with the account, which may use it again; no other account ever gets it.
   */
  removeAlias(code: string, input?: RemoveAliasInput, options?: CallOptions): Promise<undefined>;

  /**
   * List the changes of a link.
   *
   * What was done to a link, live or deleted, the newest first: who, when, from what to what. Links that were made before changes were noted have only later ones.
   */
  linkHistory(id: string, input?: LinkHistoryInput, options?: CallOptions): Promise<LinkHistoryResult>;

  /**
   * Make a link what it was.
   *
   * The fields are as they were at that revision, as one new revision. Code and password stay, and so does what belongs to a folder or tag that is gone, and what would be refused today, such as a destination that was blocked since; `kept` names the fields that stayed although they were others then.
   */
  rollBackLink(id: string, revision: number | string, options?: CallOptions): Promise<RollBackLinkResult>;

  /**
   * Create or change many links.
   *
   * Does one thing to up to 1,000 links, in one transaction: to those in `links` or `ids`, or to those that the parameters of the list in `filter` find. Each row is checked and limited as by the call for a single link.
   */
  bulkLinks(input: BulkLinksInput, options?: CallOptions): Promise<BulkLinksResult>;

  /**
   * Draw the QR code of a link.
   *
   * The QR code of the short URL with `?trigger=qr`, so that scans are counted apart. As SVG, or as PNG with `format=png` or `Accept: image/png`. Colours that cameras cannot tell apart, or a light code on a dark ground, are refused.
   */
  linkQr(id: string, input?: LinkQrInput, options?: CallOptions): Promise<Blob>;

  /**
   * Try a link before it is made.
   *
   * Says what a visitor of such a link would meet: which rule wins, why each other one does not, status and target. Nothing is made and nothing is counted.
   */
  simulate(input: SimulateInput, options?: CallOptions): Promise<SimulateResult>;

  /**
   * Try a link.
   *
   * Says what a visitor of the link would meet, as it is or with changes that are not saved. Nothing is changed and nothing is counted.
   */
  simulateLink(id: string, input?: SimulateLinkInput, options?: CallOptions): Promise<SimulateLinkResult>;

  /**
   * List folders.
   *
   * All folders, oldest first, with the number of links in each.
   */
  listFolders(input?: ListFoldersInput, options?: CallOptions): Promise<ListFoldersResult>;

  /**
   * Create a folder.
   *
   * Folders are flat and only group links.
   */
  createFolder(input: CreateFolderInput, options?: CallOptions): Promise<CreateFolderResult>;

  /**
   * Rename a folder.
   *
   * Changes the name, `expiredUrl` or both; an absent field stays, and one of them has to be there. The links stay where they are.
   */
  renameFolder(id: string, input: RenameFolderInput, options?: CallOptions): Promise<RenameFolderResult>;

  /**
   * Delete a folder.
   *
   * Its links are not deleted; they return to no folder. For an hour `POST /api/v1/folders/:id/restore` undoes it.
   */
  deleteFolder(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Undo the deletion of a folder.
   *
   * Brings a folder back that was deleted within the last hour, with its id, name and `expiredUrl`, and the links that were in it and were put into no other since. A folder that is not deleted stays as it is.
   */
  restoreFolder(id: string, options?: CallOptions): Promise<RestoreFolderResult>;

  /**
   * List tags.
   *
   * All tags in the order of their names, with the number of links that carry each.
   */
  listTags(input?: ListTagsInput, options?: CallOptions): Promise<ListTagsResult>;

  /**
   * Create a tag.
   *
   * A tag need not be made before: links that name it make it.
   */
  createTag(input: CreateTagInput, options?: CallOptions): Promise<CreateTagResult>;

  /**
   * Rename a tag.
   *
   * The links that carry it show the new name. A name that another tag has is refused: merge the two instead.
   */
  renameTag(id: string, input: RenameTagInput, options?: CallOptions): Promise<RenameTagResult>;

  /**
   * Merge a tag into another.
   *
   * Every link that carries the tag carries the other one instead, at the same moment however many they are, and the tag is gone.
   */
  mergeTags(id: string, input: MergeTagsInput, options?: CallOptions): Promise<MergeTagsResult>;

  /**
   * Delete a tag.
   *
   * No link carries it any more, at the same moment however many did. No link is deleted.
   */
  deleteTag(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * List UTM templates.
   *
   * All UTM templates of the account in the order of their names.
   */
  listUtmTemplates(options?: CallOptions): Promise<ListUtmTemplatesResult>;

  /**
   * Create a UTM template.
   *
   * Keeps UTM parameters under a name, for links to come; up to 100 of an account.
   */
  createUtmTemplate(input: CreateUtmTemplateInput, options?: CallOptions): Promise<CreateUtmTemplateResult>;

  /**
   * Change a UTM template.
   *
   * An absent field stays. Links that were made with it keep their parameters.
   */
  updateUtmTemplate(
    id: string,
    input?: UpdateUtmTemplateInput,
    options?: CallOptions,
  ): Promise<UpdateUtmTemplateResult>;

  /**
   * Delete a UTM template.
   *
   * Links that were made with it keep their parameters.
   */
  deleteUtmTemplate(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * List domains.
   *
   * The domains of the account and the shared one, by their hosts. The shared one has the id `00000000-0000-7000-8000-000000000001`; nobody changes it here.
   */
  listDomains(input?: ListDomainsInput, options?: CallOptions): Promise<ListDomainsResult>;

  /**
   * Add a domain.
   *
   * The answer says which DNS records to set. Until they are found the domain is `pending`; several accounts may wait for one host, and the first that proves it has it. The server looks by itself, at first every ten seconds, later less often, for 30 days.
   */
  createDomain(input: CreateDomainInput, options?: CallOptions): Promise<CreateDomainResult>;

  /**
   * Get one domain.
   *
   * One domain of the account, or the shared one.
   */
  getDomain(id: string, input?: GetDomainInput, options?: CallOptions): Promise<GetDomainResult>;

  /**
   * Change a domain.
   *
   * An absent field stays; null clears.
   */
  updateDomain(id: string, input?: UpdateDomainInput, options?: CallOptions): Promise<UpdateDomainResult>;

  /**
   * Delete a domain.
   *
   * Its short URLs answer no more. Codes that were made there stay with the account, should the domain come back to it; another account that proves the host begins empty. A session must have begun within 15 minutes.
   */
  deleteDomain(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Look at the records of a domain.
   *
   * Looks now, at the name servers of the host itself, and answers the domain as it is then.
   */
  verifyDomain(id: string, options?: CallOptions): Promise<VerifyDomainResult>;

  /**
   * Begin an import.
   *
   * Source, instance and time of reading are those of the first line of the file. The import of the same file that has not come to its end is gone on with, wherever that was left.
   */
  createImport(input: CreateImportInput, options?: CallOptions): Promise<CreateImportResult>;

  /**
   * List imports.
   *
   * The last hundred imports of the account, the last begun first.
   */
  listImports(options?: CallOptions): Promise<ListImportsResult>;

  /**
   * Get one import.
   *
   * How far it is, and what became of the links so far.
   */
  getImport(id: string, options?: CallOptions): Promise<GetImportResult>;

  /**
   * Send lines of an import.
   *
   * The next lines of the file, up to 1,000, in one transaction with the position. A line that cannot be taken is told in the report and leaves the others alone. The same lines sent again change nothing. After a line of type `end` the import is `counting`, and then `done`.
   */
  addImportLines(
    id: string,
    input: AddImportLinesInput,
    options?: CallOptions,
  ): Promise<AddImportLinesResult>;

  /**
   * Pause or resume an import.
   *
   * A paused import takes no lines, whoever sends them.
   */
  updateImport(id: string, input: UpdateImportInput, options?: CallOptions): Promise<UpdateImportResult>;

  /**
   * Take an import back.
   *
   * Deletes the links that it made and that nobody changed since, with their imported clicks, and gives links that it changed what they had before, unless somebody changed them since; a few at a time; `undone` when that is over. The last import first, where several changed the same links.
   */
  undoImport(id: string, options?: CallOptions): Promise<UndoImportResult>;

  /**
   * Get the report of an import.
   *
   * What became of each link of the file, and of lines that could not be taken, as a file: `line` in the file, `key` and `code` of the link, `outcome` (`taken`, `renamed`, `changed`, `unchanged`, `skipped`, `refused`, `kept`, `undone`, `mended`), `reason` and `linkId`.
   */
  exportImportReport(
    id: string,
    input?: ExportImportReportInput,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>;

  /**
   * Compare a manifest with the links that are there.
   *
   * Says what would have to be done so that the links of the manifest, up to 2,000, are as it has them, and changes nothing. A link is known by its domain and code. A deleted one that the manifest kept comes back, with its clicks. `seen` is for the call that applies it.
   */
  planManifest(name: string, input: PlanManifestInput, options?: CallOptions): Promise<PlanManifestResult>;

  /**
   * Make the links what a manifest says.
   *
   * Does what the plan said, in one transaction, or nothing. `seen` is that of the plan: where a link is otherwise by now, or another one is there, nothing is done. The links then belong to the manifest, as `managedBy` says; who changes one by another call can, and the next plan shows it.
   */
  applyManifest(name: string, input: ApplyManifestInput, options?: CallOptions): Promise<ApplyManifestResult>;

  /**
   * Statistics of the account.
   *
   * Clicks of all links of the account, deleted ones too: totals, a series, and with `groupBy` a breakdown. A click is in the answer within 2 seconds.
   */
  accountStatistics(input?: AccountStatisticsInput, options?: CallOptions): Promise<AccountStatisticsResult>;

  /**
   * Statistics of a link.
   *
   * The same of one link.
   */
  linkStatistics(
    id: string,
    input?: LinkStatisticsInput,
    options?: CallOptions,
  ): Promise<LinkStatisticsResult>;

  /**
   * Statistics of a folder.
   *
   * The same of the links that are in a folder now.
   */
  folderStatistics(
    id: string,
    input?: FolderStatisticsInput,
    options?: CallOptions,
  ): Promise<FolderStatisticsResult>;

  /**
   * Statistics of a domain.
   *
   * The same of the clicks at this domain, by whichever code of a link: of one that was moved to another domain those before stay here. Clicks from before there were domains are of the shared one.
   */
  domainStatistics(
    id: string,
    input?: DomainStatisticsInput,
    options?: CallOptions,
  ): Promise<DomainStatisticsResult>;

  /**
   * Statistics of a tag.
   *
   * The same of the links that have a tag now.
   */
  tagStatistics(id: string, input?: TagStatisticsInput, options?: CallOptions): Promise<TagStatisticsResult>;

  /**
   * Clicks of the account.
   *
   * Single clicks, the newest first, each with all that it says; nothing in it tells who the visitor was. Each click is on one page, whatever is folded meanwhile; one is there within 2 seconds.
   */
  accountClicks(input?: AccountClicksInput, options?: CallOptions): Promise<AccountClicksResult>;

  /**
   * Clicks of a link.
   *
   * The same of one link.
   */
  linkClicks(id: string, input?: LinkClicksInput, options?: CallOptions): Promise<LinkClicksResult>;

  /**
   * Export links.
   *
   * All links that the filters of the list leave, with everything about each. CSV is of RFC 4180, in UTF-8 without a byte-order mark, with a line of names first; a text that begins with `=`, `+`, `-`, `@` (also in full width and other compatibility forms), a tab, a line feed or a carriage return has an apostrophe in front, and cells with commas, semicolons, tabs, quotes or line breaks are quoted. NDJSON is a JSON object a line.
   */
  exportLinks(input?: ExportLinksInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;

  /**
   * Export statistics.
   *
   * All values of a breakdown with `groupBy`, else the series. CSV is of RFC 4180, in UTF-8 without a byte-order mark, with a line of names first; a text that begins with `=`, `+`, `-`, `@` (also in full width and other compatibility forms), a tab, a line feed or a carriage return has an apostrophe in front, and cells with commas, semicolons, tabs, quotes or line breaks are quoted. NDJSON is a JSON object a line.
   */
  exportStatistics(input?: ExportStatisticsInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;

  /**
   * Export clicks.
   *
   * All single clicks of a range, the newest first. CSV is of RFC 4180, in UTF-8 without a byte-order mark, with a line of names first; a text that begins with `=`, `+`, `-`, `@` (also in full width and other compatibility forms), a tab, a line feed or a carriage return has an apostrophe in front, and cells with commas, semicolons, tabs, quotes or line breaks are quoted. NDJSON is a JSON object a line.
   */
  exportClicks(input?: ExportClicksInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;

  /**
   * Share the statistics of a link.
   *
   * Makes a public address for reading the statistics of this link, and nothing else. A repetition makes another one; a link has at most 100.
   */
  shareLink(id: string, input?: ShareLinkInput, options?: CallOptions): Promise<ShareLinkResult>;

  /**
   * List the shares of a link.
   *
   * The public addresses of the statistics of a link, oldest first, without their secrets.
   */
  listShares(id: string, options?: CallOptions): Promise<ListSharesResult>;

  /**
   * Revoke a share.
   *
   * The address ends at once, for all its readers.
   */
  revokeShare(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Read shared statistics.
   *
   * The statistics of a link by the secret of a share, with the code, address and title of the link and the host of its destination. One address may ask 60 times a minute.
   */
  sharedStatistics(
    token: string,
    input?: SharedStatisticsInput,
    options?: CallOptions,
  ): Promise<SharedStatisticsResult>;

  /**
   * List visits that led nowhere.
   *
   * Visits of the account’s links while these were deleted, expired, switched off, used up or not started, by link and reason, the most first. They are no clicks. Visits of expired links that lead elsewhere by then are not among them. They are told within a minute or two, at most too few in a flood of other codes, and kept for 30 UTC days.
   */
  missedVisits(input?: MissedVisitsInput, options?: CallOptions): Promise<MissedVisitsResult>;

  /**
   * List the changes in the account.
   *
   * Every change of links, folders, tags, UTM templates, shares, domains, imports, keys, sessions, people, invitations, passkeys, webhooks, branding and preferences, the newest first: who, when, what, from what to what. Secrets appear as changed.
   */
  audit(input?: AuditInput, options?: CallOptions): Promise<AuditResult>;

  /**
   * Export the changes in the account.
   *
   * All changes that the filters leave, the newest first, as a JSON object a line.
   */
  exportAudit(input?: ExportAuditInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>;

  /**
   * Read what happened, behind a place.
   *
   * Events of links, folders and domains of the last 30 days at least, the oldest first, each with its record as it was then. Every event is in it exactly once. Keep `nextCursor` and ask again with it as `after`: nothing is passed over.
   */
  eventLog(input?: EventLogInput, options?: CallOptions): Promise<EventLogResult>;

  /**
   * List webhooks.
   *
   * Endpoints of the account, oldest first.
   */
  listWebhooks(options?: CallOptions): Promise<ListWebhooksResult>;

  /**
   * Add a webhook.
   *
   * Events are sent to it from now on, signed by the Standard Webhooks specification. The answer shows the secret this once. An account has at most 100 webhooks.
   */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<CreateWebhookResult>;

  /**
   * Get one webhook.
   *
   * One endpoint, with how it does. The secret is not shown again.
   */
  getWebhook(id: string, options?: CallOptions): Promise<GetWebhookResult>;

  /**
   * Change a webhook.
   *
   * Absent fields stay. One that is switched on again is told of what happens from then on; `replay` brings the rest.
   */
  updateWebhook(id: string, input?: UpdateWebhookInput, options?: CallOptions): Promise<UpdateWebhookResult>;

  /**
   * Delete a webhook.
   *
   * Nothing is sent to it any more, and its deliveries are gone.
   */
  deleteWebhook(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Give a webhook another secret.
   *
   * For 24 hours both secrets sign, so that the receiver can change at leisure.
   */
  rotateWebhook(id: string, options?: CallOptions): Promise<RotateWebhookResult>;

  /**
   * Send a test event.
   *
   * Sends `webhook.test` in a moment; the delivery says how that went.
   */
  testWebhook(id: string, options?: CallOptions): Promise<TestWebhookResult>;

  /**
   * List deliveries of a webhook.
   *
   * What was sent and is to be sent to it, the newest first, for 30 days.
   */
  listDeliveries(
    id: string,
    input?: ListDeliveriesInput,
    options?: CallOptions,
  ): Promise<ListDeliveriesResult>;

  /**
   * Send a delivery again.
   *
   * The same body with the same `webhook-id`, in a moment; to a webhook that is off when it is on again.
   */
  resendDelivery(id: string, delivery: string, options?: CallOptions): Promise<ResendDeliveryResult>;

  /**
   * Replay events.
   *
   * Sends the events since a time that were not delivered, in order: those that failed, and those from while the webhook was disabled. With `all` it sends delivered ones again, too, for a receiver that lost its data. Each keeps its `webhook-id`.
   */
  replayWebhook(id: string, input: ReplayWebhookInput, options?: CallOptions): Promise<ReplayWebhookResult>;

  /**
   * Describe this key.
   *
   * Which account the key belongs to, what it may do, and what the account uses. Any valid key may ask.
   */
  me(options?: CallOptions): Promise<MeResult>;

  /**
   * Read the account.
   *
   * What its owner has set for all of its links.
   */
  getAccount(options?: CallOptions): Promise<GetAccountResult>;

  /**
   * Change the account.
   *
   * Absent fields stay.
   */
  updateAccount(input?: UpdateAccountInput, options?: CallOptions): Promise<UpdateAccountResult>;

  /**
   * Sign in.
   *
   * Gives a browser a session that acts with the key: its cookie is for this host only, no script can read it, and no page of another site can use it. In the place of a key, the token of a link by `linkfold login` is taken, once. A session lasts 12 hours without use and 30 days at most, and ends with its key.
   */
  createSession(options?: CallOptions): Promise<CreateSessionResult>;

  /**
   * Describe a sign-in link by its secret.
   *
   * Returns who the link signs in, and to which account, without using it. Show this before you call `POST /session`. An IP address may send 60 requests a minute.
   */
  describeSignInLink(
    input: DescribeSignInLinkInput,
    options?: CallOptions,
  ): Promise<DescribeSignInLinkResult>;

  /**
   * Describe who is signed in.
   *
   * What `/me` tells, with the session, the version of the server and its address for short URLs.
   */
  getSession(options?: CallOptions): Promise<GetSessionResult>;

  /**
   * Sign out.
   *
   * Ends all sessions of this browser, also in other accounts, and takes its cookie away. A key has none: nothing happens.
   */
  endSession(options?: CallOptions): Promise<undefined>;

  /**
   * List the accounts of this browser.
   *
   * A browser is signed in to at most 8 accounts, or as so many people: signing in to another one keeps the others. The one in hand comes first, unless it has ended. Without the cookie of a browser there are none. One address may ask 60 times a minute.
   */
  listAccountsOfBrowser(options?: CallOptions): Promise<ListAccountsOfBrowserResult>;

  /**
   * Go on in another account.
   *
   * Takes another session of this browser in hand; the others stay signed in. Requests that are under way were sent in the account before.
   */
  switchAccount(input: SwitchAccountInput, options?: CallOptions): Promise<SwitchAccountResult>;

  /**
   * List sessions.
   *
   * Sessions that have not ended, the one last used first. A key without `keys:write`, and its sessions, reach those of this key; others all of the account.
   */
  listSessions(options?: CallOptions): Promise<ListSessionsResult>;

  /**
   * Sign out everywhere else.
   *
   * Ends every session but the one in hand; of a person, their own. A key without `keys:write`, and its sessions, reach those of this key; others all of the account.
   */
  endOtherSessions(options?: CallOptions): Promise<EndOtherSessionsResult>;

  /**
   * End a session.
   *
   * The browser has to sign in again. A key without `keys:write`, and its sessions, reach those of this key; others all of the account.
   */
  endSessionById(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * List keys.
   *
   * The newest 1,000 keys of the account, ended ones too, the newest first.
   */
  listKeys(options?: CallOptions): Promise<ListKeysResult>;

  /**
   * Make a key.
   *
   * A key never gives more than it has: no scope that it lacks, no higher plan, no later expiry. One that a person made is bounded by their role, also when that is lowered later. One that is bound to domains or folders sees and changes links there alone: a link must be on one of the domains, and in one of the folders, where both are named. Its scopes are of `links:read`, `links:write`, `analytics:read`. The answer shows the key this once. For any other scope than these three, a session must have proved itself within 15 minutes. An account has at most 200 live keys.
   */
  createKey(input: CreateKeyInput, options?: CallOptions): Promise<CreateKeyResult>;

  /**
   * Replace a key.
   *
   * Makes a key with the same name, scopes, bounds, plan and expiry. The old one goes on for a grace, so that there is time to put the new one in its place, and its sessions with it. A session asks for it as for a new key. A key never gives more than it has: no scope that it lacks, no higher plan, no later expiry. One that a person made is bounded by their role, also when that is lowered later.
   */
  rotateKey(keyId: string, input?: RotateKeyInput, options?: CallOptions): Promise<RotateKeyResult>;

  /**
   * Revoke a key.
   *
   * It stops for good, at once, and its sessions with it. The key in hand can be revoked too; one of somebody with more rights cannot.
   */
  revokeKey(keyId: string, options?: CallOptions): Promise<undefined>;

  /**
   * List members.
   *
   * The people of the account, whoever joined first first, with the live keys that each made.
   */
  listMembers(options?: CallOptions): Promise<ListMembersResult>;

  /**
   * Change a member.
   *
   * What a person is called, or may do: themselves, and with the keys that they made, at once. Sessions of somebody whose rights change end; with more rights also sign-in links, and passkeys and identities that somebody else may have added. A session must have proved itself within 15 minutes to change a role. Nobody gives, changes or takes away more than they may do themselves; owners are for owners.
   */
  updateMember(id: string, input?: UpdateMemberInput, options?: CallOptions): Promise<UpdateMemberResult>;

  /**
   * Remove a member.
   *
   * The person is out at once, everywhere. Their links stay. Their live keys stop, or are yours and bounded by your role from now on, as `keys` says. Nobody gives, changes or takes away more than they may do themselves; owners are for owners.
   */
  removeMember(id: string, input?: RemoveMemberInput, options?: CallOptions): Promise<RemoveMemberResult>;

  /**
   * Make a link that signs a member in.
   *
   * For a person who has lost every other way in. It works once, within 30 minutes. Where the server sends mail, it can be sent to them. A session must have proved itself within 15 minutes. Nobody gives, changes or takes away more than they may do themselves; owners are for owners.
   */
  createSignInLink(
    id: string,
    input?: CreateSignInLinkInput,
    options?: CallOptions,
  ): Promise<CreateSignInLinkResult>;

  /**
   * Invite a person.
   *
   * Makes an address by which one person joins the account, within 7 days; send it as you like, or have it sent. An account has at most 100 that wait. It is worth what its maker may give when it is accepted. A session must have proved itself within 15 minutes. A key that expires cannot invite. An editor or viewer may be bound to domains or folders, as a key may: to them nothing else exists. Nobody gives, changes or takes away more than they may do themselves; owners are for owners.
   */
  createInvitation(input: CreateInvitationInput, options?: CallOptions): Promise<CreateInvitationResult>;

  /**
   * List invitations.
   *
   * Those that wait, the newest first.
   */
  listInvitations(options?: CallOptions): Promise<ListInvitationsResult>;

  /**
   * Read an invitation.
   *
   * One that waits, without its secret.
   */
  getInvitation(id: string, options?: CallOptions): Promise<GetInvitationResult>;

  /**
   * Withdraw an invitation.
   *
   * Its address stops at once.
   */
  withdrawInvitation(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Describe an invitation by its secret.
   *
   * What it is to, before it is accepted. One address may ask 60 times a minute.
   */
  describeInvitation(
    input: DescribeInvitationInput,
    options?: CallOptions,
  ): Promise<DescribeInvitationResult>;

  /**
   * Accept an invitation.
   *
   * Makes the person a member of the account, and gives their browser a session, as signing in does. It works once.
   */
  acceptInvitation(input: AcceptInvitationInput, options?: CallOptions): Promise<AcceptInvitationResult>;

  /**
   * List passkeys.
   *
   * Those of the person, the oldest first. For people who are signed in, and for nobody else’s passkeys.
   */
  listPasskeys(options?: CallOptions): Promise<ListPasskeysResult>;

  /**
   * Begin a new passkey.
   *
   * What the browser is asked to make one, to be answered once, within 5 minutes. The session must have begun within 15 minutes, and not by a link that the person created for themselves. Passkeys are bound to the host of the dashboard: `DASHBOARD_HOST`, or that of `BASE_URL`; on a machine by itself `localhost`. An address by numbers has none. For people who are signed in, and for nobody else’s passkeys.
   */
  beginPasskey(options?: CallOptions): Promise<BeginPasskeyResult>;

  /**
   * Add a passkey.
   *
   * Keeps what the browser has made. A person has at most 20. For people who are signed in, and for nobody else’s passkeys.
   */
  addPasskey(input: AddPasskeyInput, options?: CallOptions): Promise<AddPasskeyResult>;

  /**
   * Rename a passkey.
   *
   * For people who are signed in, and for nobody else’s passkeys.
   */
  renamePasskey(id: string, input: RenamePasskeyInput, options?: CallOptions): Promise<RenamePasskeyResult>;

  /**
   * Remove a passkey.
   *
   * It signs in no more. Sessions go on. The one in hand must have begun within 15 minutes. For people who are signed in, and for nobody else’s passkeys.
   */
  removePasskey(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Begin to sign in by a passkey.
   *
   * What the browser is asked, to be answered once, within 5 minutes. It is the same for everybody. One address may ask 60 times a minute. Passkeys are bound to the host of the dashboard: `DASHBOARD_HOST`, or that of `BASE_URL`; on a machine by itself `localhost`. An address by numbers has none.
   */
  askForPasskey(options?: CallOptions): Promise<AskForPasskeyResult>;

  /**
   * Sign in by a passkey.
   *
   * Gives a browser the session of the person whose passkey answers. Whatever is wrong, the refusal is the same.
   */
  signInByPasskey(input: SignInByPasskeyInput, options?: CallOptions): Promise<SignInByPasskeyResult>;

  /**
   * Begin to sign a program in.
   *
   * For a program without a browser, in the shape of RFC 8628: it shows the address and the code, and asks at `/devices/token` until a person has answered, within 10 minutes. One address may ask 60 times a minute.
   */
  beginDevice(input: BeginDeviceInput, options?: CallOptions): Promise<BeginDeviceResult>;

  /**
   * Ask whether a person has answered.
   *
   * Until then the status is `pending`. The answer is told once: with `approved` comes a key that may do what the person may, is bounded by their role, and ends after 90 days.
   */
  takeDeviceKey(input: TakeDeviceKeyInput, options?: CallOptions): Promise<TakeDeviceKeyResult>;

  /**
   * Tell what wants to sign in.
   *
   * For the person who is asked, by the code that the program shows.
   */
  describeDevice(input: DescribeDeviceInput, options?: CallOptions): Promise<DescribeDeviceResult>;

  /**
   * Let a program sign in, or turn it away.
   *
   * Once. A person who is bound to domains or folders cannot. To approve, the session must have begun within 15 minutes.
   */
  answerDevice(input: AnswerDeviceInput, options?: CallOptions): Promise<AnswerDeviceResult>;

  /**
   * Tell how people sign in here.
   *
   * What the page to sign in offers. One address may ask 60 times a minute.
   */
  getSignInWays(options?: CallOptions): Promise<GetSignInWaysResult>;

  /**
   * Tell where to sign out of the provider.
   *
   * Where a browser goes after it has signed out here, to sign out of the provider too (RP-initiated logout); it comes back to the dashboard. One address may ask 60 times a minute.
   */
  getSignOutAtProvider(options?: CallOptions): Promise<GetSignOutAtProviderResult>;

  /**
   * Begin to sign in at the provider.
   *
   * Where the browser goes, to come back within 10 minutes at `/dashboard/oidc`. Of a browser that is signed in here already the provider asks for a sign-in even where the person is signed in there (`prompt=login`). One address may ask 60 times a minute.
   */
  beginSingleSignOn(options?: CallOptions): Promise<BeginSingleSignOnResult>;

  /**
   * Sign in by the answer of the provider.
   *
   * Gives a browser the session of the person whom the provider proves. Issuer and subject say who that is. A group that `OIDC_GROUPS` names, or the secret of an invitation, makes somebody new a member; an invitation with an email address is for whoever has verified that at the provider.
   */
  signInBySingleSignOn(
    input: SignInBySingleSignOnInput,
    options?: CallOptions,
  ): Promise<SignInBySingleSignOnResult>;

  /**
   * List at which providers a person signs in.
   *
   * Those of the person who is signed in, the one last used first.
   */
  listIdentities(options?: CallOptions): Promise<ListIdentitiesResult>;

  /**
   * Begin to connect a person to the provider.
   *
   * As for signing in, but the answer is good for this person alone, within 10 minutes. The session must have begun within 15 minutes, and not by a link that the person created for themselves.
   */
  beginIdentity(options?: CallOptions): Promise<BeginIdentityResult>;

  /**
   * Connect a person to the provider.
   *
   * From then on the provider signs this person in. Somebody at the provider is one person in an account, and a person one at a provider; what groups give counts from the next sign-in.
   */
  connectIdentity(input: ConnectIdentityInput, options?: CallOptions): Promise<ConnectIdentityResult>;

  /**
   * Disconnect a person from the provider.
   *
   * The provider signs this person in no more. Whom a group of it lets in cannot be disconnected, nor anybody where it is the only way in (`OIDC_ONLY=1`). The session must have begun within 15 minutes.
   */
  disconnectIdentities(options?: CallOptions): Promise<undefined>;

  /**
   * Read the branding.
   *
   * What the pages of the account’s links look like. Everything is null until it is put.
   */
  getBranding(options?: CallOptions): Promise<GetBrandingResult>;

  /**
   * Put the branding.
   *
   * Replaces all of it: what is left out or null is removed. Visitors see it within a second, on the pages of links that do not work now, on previews (`code+`) and on pages with a button.
   */
  putBranding(input?: PutBrandingInput, options?: CallOptions): Promise<PutBrandingResult>;

  /**
   * Remove the branding.
   *
   * Pages look as they do without. It does not matter whether there was any.
   */
  deleteBranding(options?: CallOptions): Promise<undefined>;

  /**
   * Check whether a code is free.
   *
   * Tells whether a new link could have the code now, without regard to case, and offers up to three others where it could not. A code of a deleted link is free for its own account alone. Without `customCode`, three codes are drawn.
   */
  checkCode(input?: CheckCodeInput, options?: CallOptions): Promise<CheckCodeResult>;

  /**
   * Read what the account keeps for its dashboard.
   *
   * Texts by names, such as saved views. They are the same on every device. A person who is signed in has their own.
   */
  getPreferences(options?: CallOptions): Promise<GetPreferencesResult>;

  /**
   * Keep texts for the dashboard.
   *
   * Replaces all that was kept. Names and texts have at most 32,768 characters together; the server does not look into them.
   */
  putPreferences(input: PutPreferencesInput, options?: CallOptions): Promise<PutPreferencesResult>;

  /**
   * List all accounts.
   *
   * Every account of the installation with its numbers, the newest first, and nothing of its records. For anybody but an operator there is no such path.
   */
  listAccounts(input?: ListAccountsInput, options?: CallOptions): Promise<ListAccountsResult>;

  /**
   * Suspend an account.
   *
   * At once and on every node the API refuses its keys, everybody in it is signed out and stays out, and its public statistics are 404. Its short links go on working, their clicks count, and its webhooks are told. The account that you are in cannot be suspended. For anybody but an operator there is no such path.
   */
  suspendAccount(input: SuspendAccountInput, options?: CallOptions): Promise<SuspendAccountResult>;

  /**
   * Resume an account.
   *
   * Lifts a suspension: keys work again, and people sign in again. For anybody but an operator there is no such path.
   */
  resumeAccount(input: ResumeAccountInput, options?: CallOptions): Promise<ResumeAccountResult>;
}
