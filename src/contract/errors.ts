import type { FailureCode } from '../model/failures.ts';
import { largestBody } from './endpoint.ts';

/** Longest path with its query, bytes. */
export const longestTarget = 4_096;

/** The transport's refusals, each with what is said of it; null where that depends on the request. The others are the domain's. */
export const transportMessages = {
  INVALID_JSON: 'The request body is not valid JSON in UTF-8.',
  INVALID_BODY: 'The request body must be a JSON object.',
  ROUTE_NOT_FOUND: 'There is no such path in this API.',
  BAD_REQUEST: 'This is not a valid HTTP request.',
  AMBIGUOUS_CREDENTIALS: 'The request has an API key and the cookie of a session. Send one of them.',
  CROSS_SITE_REQUEST:
    'A session changes things from pages of this server only. Programs send an API key instead.',
  INSECURE_CONNECTION:
    'Sign in over https: a browser keeps no session for a page that came by http from another machine.',
  METHOD_NOT_ALLOWED: null,
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  BODY_TOO_LARGE: null,
  URI_TOO_LONG: `The request target is longer than ${longestTarget} bytes.`,
  UNSUPPORTED_MEDIA_TYPE: 'Send the body with "Content-Type: application/json", in UTF-8 and uncompressed.',
  EXPECTATION_FAILED: 'Only "Expect: 100-continue" is understood.',
  HEADERS_TOO_LARGE: 'The request line and headers are larger than 16 KiB.',
  INTERNAL_ERROR: 'Something went wrong on our side. Please report the request id.',
} as const;

export type TransportCode = keyof typeof transportMessages;
export type ErrorCode = FailureCode | TransportCode;

interface ErrorKind {
  readonly status: number;
  /** One sentence: when it happens and how to avoid it. Shown in docs and OpenAPI. */
  readonly meaning: string;
}

/** The call that mends a refusal, said behind its message: the service itself does not know how it is called. */
const remedies: Partial<Record<ErrorCode, string | Readonly<Record<string, string>>>> = {
  EXTERNAL_ID_TAKEN: 'GET /api/v1/links?externalId= finds it.',
  TAG_NAME_TAKEN: 'To make two tags one: POST /api/v1/tags/:id/merge.',
  IMMUTABLE_FIELD: {
    url: 'Use PATCH /api/v1/links/:id/destination.',
    destinationUrl: 'Use PATCH /api/v1/links/:id/destination.',
    shortCode: 'Use PATCH /api/v1/links/:id/code.',
    customCode: 'Use PATCH /api/v1/links/:id/code.',
    folderId: 'Use PATCH /api/v1/links/:id/move.',
    managedBy: 'Use POST /api/v1/manifests/:name/apply.',
  },
};

/** @param field that was refused */
export function remedyFor(code: ErrorCode, field = ''): string | undefined {
  const remedy = remedies[code];
  return typeof remedy === 'object' ? remedy[field] : remedy;
}

/** The whole error catalogue (CONTRACT §2), in the order of the status. Append-only. */
export const errors = {
  INVALID_JSON: { status: 400, meaning: 'The body is not JSON in UTF-8.' },
  INVALID_BODY: { status: 400, meaning: 'The body is JSON, but not an object.' },
  VALIDATION_ERROR: {
    status: 400,
    meaning:
      'A field is missing, or has the wrong type, length or format; `details` lists every one of them. With several kinds of problem of which none is a 400, the status is 422.',
  },
  INVALID_URL: { status: 400, meaning: 'The destination is not an http or https URL without user info.' },
  IMMUTABLE_FIELD: {
    status: 400,
    meaning: 'The field cannot be changed by this call; the message names the one that can.',
  },
  BAD_REQUEST: {
    status: 400,
    meaning:
      'This is not valid HTTP, or has no valid `Host` header, or two `Host` or `Authorization` headers.',
  },
  AMBIGUOUS_CREDENTIALS: {
    status: 400,
    meaning: 'The request came with an API key and with the cookie of a session; it acts by one of them.',
  },
  MISSING_API_KEY: { status: 401, meaning: 'No `Authorization: Bearer <key>` header came with the request.' },
  INVALID_API_KEY: { status: 401, meaning: 'The key is malformed, unknown or revoked.' },
  EXPIRED_API_KEY: { status: 401, meaning: 'The key was valid, but has expired.' },
  INVALID_SESSION: {
    status: 401,
    meaning:
      'The session has ended: signed out, 12 hours without use, 30 days old, or its key is not live any more.',
  },
  INVALID_LOGIN_LINK: {
    status: 401,
    meaning: 'The link to sign in was used, or is older than 30 minutes, or its key is not live any more.',
  },
  INSUFFICIENT_SCOPE: { status: 403, meaning: 'The key lacks the scope that the message names.' },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    meaning:
      'The request gives a way in or a right, or cannot be undone, and the session did not prove within 15 minutes who it is. Sessions from links that were created in a session prove nothing. API keys are not asked.',
  },
  LIMIT_REACHED: {
    status: 403,
    meaning:
      'The account has as many links as its plan allows here, or as many folders, tags, keys, domains, webhooks or open invitations as it may have; or the link has as many shares or aliases as it may have, or the person as many passkeys.',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    meaning: 'The operator has suspended the account; its short links go on working.',
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    meaning:
      'A change with the cookie of a session came from a page of another site, or does not prove that it did not.',
  },
  INSECURE_CONNECTION: {
    status: 403,
    meaning: 'A browser keeps no session for a page that came by http from another machine.',
  },
  PASSWORD_REQUIRED: {
    status: 403,
    meaning:
      'The short link has a password. Its page has a form that takes it; a program sends the same form.',
  },
  WRONG_PASSWORD: { status: 403, meaning: 'This is not the password of the short link.' },
  PASSKEY_REFUSED: {
    status: 403,
    meaning:
      'The passkey is unknown, or its answer proves nothing: to another question, for another host, or too late. Or the dashboard has no host name that passkeys could be bound to.',
  },
  OIDC_REFUSED: {
    status: 403,
    meaning:
      'What came back from the provider proves nothing: it was used before, is too old, or belongs to another browser or another sign-in. Or no provider is set up, or the invitation is for another address.',
  },
  OIDC_NO_ACCESS: {
    status: 403,
    meaning: 'The provider has proved who it is, but neither a group nor an invitation lets this person in.',
  },
  OIDC_ONLY: { status: 403, meaning: 'People have no other way in than the provider (`OIDC_ONLY=1`).' },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'There is no such path.' },
  LINK_NOT_FOUND: {
    status: 404,
    meaning: 'The link does not exist, is deleted, or belongs to another account.',
  },
  FOLDER_NOT_FOUND: { status: 404, meaning: 'The folder does not exist or belongs to another account.' },
  TAG_NOT_FOUND: { status: 404, meaning: 'The tag does not exist or belongs to another account.' },
  KEY_NOT_FOUND: {
    status: 404,
    meaning: 'The key is unknown, revoked, expired or replaced, or belongs to another account.',
  },
  PASSKEY_NOT_FOUND: { status: 404, meaning: 'The passkey does not exist, or is somebody else’s.' },
  ACCOUNT_NOT_FOUND: { status: 404, meaning: 'No account has exactly this name.' },
  MEMBER_NOT_FOUND: {
    status: 404,
    meaning: 'The person is no member of the account any more, or never was.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    meaning:
      'The invitation is unknown, was used or withdrawn, is older than 7 days, or who made it may not give its role any more.',
  },
  DEVICE_CODE_NOT_FOUND: {
    status: 404,
    meaning:
      'The code of a program that wants to sign in is unknown, was answered before, or is older than 10 minutes; or the person who approved it is no member any more.',
  },
  SESSION_NOT_FOUND: { status: 404, meaning: 'The session has ended, or is none that the caller may see.' },
  CODE_NOT_FOUND: { status: 404, meaning: 'No live link has this short code.' },
  ALIAS_NOT_FOUND: {
    status: 404,
    meaning: 'No live link of the account has this code as an alias.',
  },
  UTM_TEMPLATE_NOT_FOUND: {
    status: 404,
    meaning: 'The UTM template does not exist or belongs to another account.',
  },
  DOMAIN_NOT_FOUND: { status: 404, meaning: 'The domain does not exist or belongs to another account.' },
  IMPORT_NOT_FOUND: { status: 404, meaning: 'The import does not exist or belongs to another account.' },
  SHARE_NOT_FOUND: {
    status: 404,
    meaning:
      'The share does not exist, has expired or is revoked, its link is deleted, or it belongs to another account.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, meaning: 'The webhook does not exist or belongs to another account.' },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'The webhook has no such delivery, or it is older than 30 days.',
  },
  REVISION_NOT_FOUND: {
    status: 404,
    meaning:
      'The link has no such revision, or it is older than the operator keeps history (`HISTORY_DAYS`).',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not with this method; `Allow` lists the ones it has.',
  },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive in time; the connection is closed.' },
  CUSTOM_CODE_TAKEN: {
    status: 409,
    meaning: 'Another link holds this code, or held it: a deleted code stays with its account.',
  },
  CUSTOM_CODE_RESERVED: { status: 409, meaning: 'The service keeps this code for itself.' },
  EXTERNAL_ID_TAKEN: { status: 409, meaning: 'Another live link of the account has this externalId.' },
  LINK_EXISTS: {
    status: 409,
    meaning: 'The account has a link with this destination, and `ifExists` is `fail`; the message names it.',
  },
  TAG_NAME_TAKEN: {
    status: 409,
    meaning: 'Another tag of the account has this name, in any case; merge the two to make them one.',
  },
  UTM_TEMPLATE_NAME_TAKEN: {
    status: 409,
    meaning: 'Another UTM template of the account has this name, in any case.',
  },
  DOMAIN_TAKEN: {
    status: 409,
    meaning: 'The account has this domain already, or another account has proven that the host is its own.',
  },
  DOMAIN_NOT_ACTIVE: { status: 409, meaning: 'The domain is not proven yet.' },
  DOMAIN_IN_USE: {
    status: 409,
    meaning:
      'Links stand on the domain; or codes were made there, and how they are compared can be chosen no more.',
  },
  LAST_OWNER: { status: 409, meaning: 'The last owner of an account cannot be removed, or become less.' },
  MEMBER_HAS_KEYS: {
    status: 409,
    meaning: 'The person made keys that are live, and the request does not say what becomes of them.',
  },
  IMPORT_POSITION: {
    status: 409,
    meaning: 'The lines are not the next ones of the import; the message says how many it has taken.',
  },
  IMPORT_STATE: {
    status: 409,
    meaning: 'The import does not take this in its state, which the message names.',
  },
  BULK_REFUSED: {
    status: 409,
    meaning: 'A request that is to do all or nothing did nothing; `details` names rows that were refused.',
  },
  MANIFEST_DRIFTED: {
    status: 409,
    meaning:
      'Links of the manifest are otherwise than the plan saw them, so nothing was done; `details` tells which. Make a new plan, and look at it.',
  },
  COUNT_DIFFERS: {
    status: 409,
    meaning:
      'The filter matches another number of links than `expectedCount`, or a manifest deletes more than `maxDeletes`; the message says how many.',
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, meaning: 'This Idempotency-Key was used with another request.' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still running.',
  },
  SECRET_SHOWN_BEFORE: {
    status: 409,
    meaning:
      'This request was done before, by its Idempotency-Key, and what it made has a secret that only its first answer showed; the message names it.',
  },
  REVISION_MISMATCH: {
    status: 412,
    meaning:
      'The link was changed since it was read: it has none of the revisions in `If-Match`. The message and the header `ETag` say which one it has.',
  },
  LINK_EXPIRED: { status: 410, meaning: 'The short link has expired.' },
  LINK_NOT_STARTED: { status: 404, meaning: 'The short link does not work yet.' },
  LINK_UNAVAILABLE: { status: 410, meaning: 'The short link is switched off, or not for this visitor.' },
  LINK_EXHAUSTED: {
    status: 410,
    meaning: 'As many people have followed the short link as its owner allows (`maxClicks`).',
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: `The body is larger than ${largestBody / 1024} KiB, or than the call takes where it says so.`,
  },
  URI_TOO_LONG: {
    status: 414,
    meaning: `The path with its query is longer than ${longestTarget.toLocaleString('en')} bytes.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not declared as application/json (charset utf-8), or is compressed.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    meaning: 'The `Expect` header asks for something other than 100-continue.',
  },
  UNKNOWN_HOST: {
    status: 421,
    meaning:
      'The host of the request is no domain of this installation, or is not proven yet; `OTHER_HOSTS=shared` serves the links of the shared domain there.',
  },
  INVALID_CUSTOM_CODE: { status: 422, meaning: 'The code holds characters that a code may not have.' },
  DESTINATION_BLOCKED: { status: 422, meaning: 'The operator does not allow links to this host.' },
  SELF_REFERENTIAL_URL: { status: 422, meaning: 'The destination is a short link of this service.' },
  EXPIRY_IN_PAST: { status: 422, meaning: 'The expiry is not in the future.' },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests; `Retry-After` says when to come back.' },
  TOO_MANY_STREAMS: {
    status: 429,
    meaning: 'The account follows events over as many connections as one process of the server holds for it.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request line and headers are larger than 16 KiB.' },
  INTERNAL_ERROR: { status: 500, meaning: 'A fault of ours; the request id finds it in the log.' },
  OIDC_UNAVAILABLE: {
    status: 502,
    meaning:
      'The provider at which people sign in does not answer, or not as OpenID Connect has it. The log says why.',
  },
  OVERLOADED: {
    status: 503,
    meaning: 'Too much work is waiting; nothing was changed. Try again after `Retry-After`.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    meaning:
      'Storage cannot answer now. Try again after `Retry-After`; repeat a POST with its `Idempotency-Key`.',
  },
  SHUTTING_DOWN: {
    status: 503,
    meaning: 'The server is stopping; nothing was changed. Try again after `Retry-After`.',
  },
} as const satisfies Record<ErrorCode, ErrorKind>;
