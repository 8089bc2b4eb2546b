import type { FailureCode } from '../model/failures.ts';
import { largestBody } from './endpoint.ts';

/** Maximum length of path and query together, in bytes. */
export const maxTargetLength = 4_096;

/**
 * Messages for transport errors. The message is null if it depends on the request. The domain layer defines all other
 * errors.
 */
export const transportMessages = {
  INVALID_JSON: 'The request body is not valid JSON in UTF-8.',
  INVALID_BODY: 'The request body must be a JSON object.',
  ROUTE_NOT_FOUND: 'This API has no such path. Check the URL and the version prefix `/api/v1`.',
  BAD_REQUEST: 'The request is not valid HTTP.',
  AMBIGUOUS_CREDENTIALS: 'The request has both an API key and a session cookie. Send only one of them.',
  CROSS_SITE_REQUEST:
    'With a session cookie, changes are only accepted from pages of this server. Use an API key instead.',
  INSECURE_CONNECTION:
    'Sign in over https. Browsers do not store session cookies from other machines over http.',
  METHOD_NOT_ALLOWED: null,
  REQUEST_TIMEOUT: 'The request timed out before it was complete.',
  BODY_TOO_LARGE: null,
  URI_TOO_LONG: `The path and query must be at most ${maxTargetLength} bytes.`,
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as "Content-Type: application/json", in UTF-8 and uncompressed.',
  EXPECTATION_FAILED: 'The Expect header must be "100-continue".',
  HEADERS_TOO_LARGE: 'The request line and headers must be at most 16 KiB.',
  INTERNAL_ERROR: 'An unexpected error occurred. Report the error with the request ID.',
} as const;

export type TransportCode = keyof typeof transportMessages;
export type ErrorCode = FailureCode | TransportCode;

interface ErrorKind {
  readonly status: number;
  /** One sentence on when the error occurs and how to avoid it. Shown in the docs and the OpenAPI document. */
  readonly meaning: string;
}

/**
 * Sentences that name the endpoint to use instead, by error code or by code and field. They are appended in this layer,
 * because the domain layer, which creates the messages, does not know the endpoints.
 */
const remedies: Partial<Record<ErrorCode, string | Readonly<Record<string, string>>>> = {
  EXTERNAL_ID_TAKEN: 'Use GET /api/v1/links?externalId= to find it.',
  TAG_NAME_TAKEN: 'To combine two tags, use POST /api/v1/tags/:id/merge.',
  IMMUTABLE_FIELD: {
    url: 'Use PATCH /api/v1/links/:id/destination.',
    destinationUrl: 'Use PATCH /api/v1/links/:id/destination.',
    shortCode: 'Use PATCH /api/v1/links/:id/code.',
    customCode: 'Use PATCH /api/v1/links/:id/code.',
    folderId: 'Use PATCH /api/v1/links/:id/move.',
    managedBy: 'Use POST /api/v1/manifests/:name/apply.',
  },
};

/** Returns the sentence to append to an error message, if any. @param field the invalid field */
export function remedyFor(code: ErrorCode, field = ''): string | undefined {
  const remedy = remedies[code];
  return typeof remedy === 'object' ? remedy[field] : remedy;
}

/** The error catalogue (CONTRACT §2), ordered by status. Append-only. */
export const errors = {
  INVALID_JSON: { status: 400, meaning: 'The body is not valid JSON in UTF-8.' },
  INVALID_BODY: { status: 400, meaning: 'The body is valid JSON, but not an object.' },
  VALIDATION_ERROR: {
    status: 400,
    meaning:
      'A field is missing, or has the wrong type, length or format. `details` lists all problems. If a request has several kinds of problems and none of them has status 400, the status is 422.',
  },
  INVALID_URL: {
    status: 400,
    meaning: 'The destination must be an http or https URL without username and password.',
  },
  INVALID_TEMPLATE: {
    status: 400,
    meaning:
      'The destination of a link with `template` has a placeholder that is unknown, malformed or in a place where placeholders are not allowed. The message names the placeholder.',
  },
  IMMUTABLE_FIELD: {
    status: 400,
    meaning: 'This endpoint cannot change the field. The message names the endpoint that can.',
  },
  BAD_REQUEST: {
    status: 400,
    meaning:
      'The request is not valid HTTP, has no valid `Host` header, or has two `Host` or `Authorization` headers.',
  },
  AMBIGUOUS_CREDENTIALS: {
    status: 400,
    meaning: 'The request has both an API key and a session cookie.',
  },
  MISSING_API_KEY: { status: 401, meaning: 'The request has no `Authorization: Bearer <key>` header.' },
  INVALID_API_KEY: { status: 401, meaning: 'The key is malformed, unknown or revoked.' },
  EXPIRED_API_KEY: { status: 401, meaning: 'The key has expired.' },
  INVALID_SESSION: {
    status: 401,
    meaning:
      'The session has ended: the user signed out, it was not used for 12 hours or is 30 days old, or its key is no longer active.',
  },
  INVALID_LOGIN_LINK: {
    status: 401,
    meaning: 'The sign-in link was already used, is older than 30 minutes, or its key is no longer active.',
  },
  INSUFFICIENT_SCOPE: { status: 403, meaning: 'The key lacks the scope named in the message.' },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    meaning:
      'The request grants access or cannot be undone, so it needs a session that was verified within the last 15 minutes. A sign-in link that was created in a session does not count as verification. Requests with an API key are exempt.',
  },
  LIMIT_REACHED: {
    status: 403,
    meaning:
      'A limit of the plan or the account has been reached, such as the number of links, keys, webhooks or pending invitations, of shares or aliases per link, or of passkeys per person. The message names the limit.',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    meaning: 'The operator has suspended the account. Its short links keep working.',
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    meaning:
      'The request has a session cookie, but no header that proves that it came from a page of this server.',
  },
  INSECURE_CONNECTION: {
    status: 403,
    meaning: 'Browsers do not store session cookies from other machines over http.',
  },
  PASSWORD_REQUIRED: {
    status: 403,
    meaning:
      'The short link or share requires a password. Visitors enter it on the link’s page; for a share, send it to `POST /shared/:token/open`.',
  },
  WRONG_PASSWORD: { status: 403, meaning: 'The password of the short link or share is wrong.' },
  PASSKEY_REFUSED: {
    status: 403,
    meaning:
      'The passkey is unknown, or the browser’s response has expired or is for another challenge or host. Or the dashboard has no host name, which passkeys require.',
  },
  OIDC_REFUSED: {
    status: 403,
    meaning:
      'The provider’s response is invalid: it was already used, is too old, or belongs to another browser or sign-in. Or no provider is configured, or the invitation is for another email address.',
  },
  OIDC_NO_ACCESS: {
    status: 403,
    meaning: 'The provider confirmed the identity, but neither a group nor an invitation gives it access.',
  },
  OIDC_ONLY: {
    status: 403,
    meaning: 'Members can only sign in through the single sign-on provider (`OIDC_ONLY=1`).',
  },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'The path does not exist.' },
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
  PASSKEY_NOT_FOUND: { status: 404, meaning: 'The passkey does not exist or belongs to someone else.' },
  ACCOUNT_NOT_FOUND: { status: 404, meaning: 'No account has exactly this name.' },
  MEMBER_NOT_FOUND: {
    status: 404,
    meaning: 'The person is not a member of the account.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    meaning:
      'The invitation is unknown, already used, withdrawn or older than 7 days, or its creator can no longer grant the role.',
  },
  DEVICE_CODE_NOT_FOUND: {
    status: 404,
    meaning:
      'The device code is unknown, already used or older than 10 minutes, or the member who approved it was removed.',
  },
  SESSION_NOT_FOUND: { status: 404, meaning: 'The session has ended, or the caller cannot access it.' },
  CODE_NOT_FOUND: { status: 404, meaning: 'No live link has this short code.' },
  ALIAS_NOT_FOUND: {
    status: 404,
    meaning: 'No live link in the account has this code as an alias.',
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
      'The share does not exist, has expired or was revoked, its link was deleted, or it belongs to another account.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, meaning: 'The webhook does not exist or belongs to another account.' },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'The webhook has no such delivery, or the delivery is older than 30 days.',
  },
  REVISION_NOT_FOUND: {
    status: 404,
    meaning:
      'The link has no such revision, or the revision is older than the retention period (`HISTORY_DAYS`).',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support this method; `Allow` lists those it supports.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The request timed out before it was complete; the connection is closed.',
  },
  CUSTOM_CODE_TAKEN: {
    status: 409,
    meaning: 'Another link has or had this code. Codes of deleted links stay reserved for their account.',
  },
  CUSTOM_CODE_RESERVED: { status: 409, meaning: 'The code is reserved by the service.' },
  EXTERNAL_ID_TAKEN: { status: 409, meaning: 'Another live link in the account has this external ID.' },
  LINK_EXISTS: {
    status: 409,
    meaning:
      'The account has a link with this destination, and `ifExists` is `fail`. The message names the link.',
  },
  TAG_NAME_TAKEN: {
    status: 409,
    meaning: 'Another tag in the account has this name, ignoring case.',
  },
  UTM_TEMPLATE_NAME_TAKEN: {
    status: 409,
    meaning: 'Another UTM template in the account has this name, ignoring case.',
  },
  DOMAIN_TAKEN: {
    status: 409,
    meaning: 'The account already has this domain, or another account has verified it.',
  },
  DOMAIN_NOT_ACTIVE: { status: 409, meaning: 'The domain is not verified yet.' },
  DOMAIN_IN_USE: {
    status: 409,
    meaning:
      'The domain still has links; or codes were already created on the domain, so `codes` can no longer be changed.',
  },
  LAST_OWNER: { status: 409, meaning: 'An account’s last owner cannot be removed or given another role.' },
  MEMBER_HAS_KEYS: {
    status: 409,
    meaning: 'The member has active keys, and the request has no `keys` parameter.',
  },
  IMPORT_POSITION: {
    status: 409,
    meaning: 'The lines do not continue the import. The message contains the number of lines received.',
  },
  IMPORT_STATE: {
    status: 409,
    meaning: 'This action is not allowed in the import’s current state. The message contains the state.',
  },
  BULK_REFUSED: {
    status: 409,
    meaning: 'A request in `atomic` mode failed and changed nothing. `details` lists the rows with problems.',
  },
  MANIFEST_DRIFTED: {
    status: 409,
    meaning:
      'Links in the manifest have changed since the plan, so nothing was changed. `details` lists them.',
  },
  COUNT_DIFFERS: {
    status: 409,
    meaning:
      'The filter matches a different number of links than `expectedCount`, or a manifest deletes more than `maxDeletes`. The message names the number.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: 'This Idempotency-Key was already used with a different request.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still in progress.',
  },
  SECRET_SHOWN_BEFORE: {
    status: 409,
    meaning:
      'The request with this Idempotency-Key was already executed, and its response contained a secret that is shown only once. The message contains the ID of the created record.',
  },
  REVISION_MISMATCH: {
    status: 412,
    meaning:
      'The link has changed since you read it: none of the revisions in `If-Match` is current. The message and the `ETag` header contain the current revision.',
  },
  LINK_EXPIRED: { status: 410, meaning: 'The short link has expired.' },
  LINK_NOT_STARTED: { status: 404, meaning: 'The short link is not active yet.' },
  LINK_UNFILLED: {
    status: 404,
    meaning: 'A placeholder in the destination has no value for this visit and no default.',
  },
  EXPANSION_REFUSED: {
    status: 404,
    meaning:
      'The URL that results from the template is blocked, points back to this service, or leaves the template’s path.',
  },
  EXPANSION_TOO_LONG: {
    status: 404,
    meaning: 'The URL that results from the template is longer than `MAX_URL_LENGTH`.',
  },
  LINK_UNAVAILABLE: { status: 410, meaning: 'The short link is disabled, or not available to this visitor.' },
  LINK_EXHAUSTED: {
    status: 410,
    meaning: 'The short link has reached its maximum number of clicks (`maxClicks`).',
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: `The body is larger than the endpoint allows: ${largestBody / 1024} KiB, unless documented otherwise.`,
  },
  URI_TOO_LONG: {
    status: 414,
    meaning: `The path and query are longer than ${maxTargetLength.toLocaleString('en')} bytes.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not declared as application/json (charset utf-8), or is compressed.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    meaning: 'The `Expect` header is not 100-continue.',
  },
  UNKNOWN_HOST: {
    status: 421,
    meaning:
      'The request’s host is not a domain of this installation, or is not verified yet. With `OTHER_HOSTS=shared`, links on the shared domain are served there.',
  },
  INVALID_CUSTOM_CODE: { status: 422, meaning: 'The code contains characters that are not allowed.' },
  APPENDS_TO_TEMPLATE: { status: 422, meaning: '`appendPath` cannot be combined with `template`.' },
  DESTINATION_BLOCKED: { status: 422, meaning: 'The operator has blocked links to this host.' },
  SELF_REFERENTIAL_URL: { status: 422, meaning: 'The destination is a short link of this service.' },
  EXPIRY_IN_PAST: { status: 422, meaning: 'The expiry must be in the future.' },
  RATE_LIMIT_EXCEEDED: { status: 429, meaning: 'Too many requests, or too many failed attempts.' },
  TOO_MANY_STREAMS: {
    status: 429,
    meaning: 'The account has too many open event streams on one server process.',
  },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request line and headers are larger than 16 KiB.' },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'An unexpected server error. Search the server log for the request ID.',
  },
  OIDC_UNAVAILABLE: {
    status: 502,
    meaning:
      'The single sign-on provider does not respond, or its response is not valid OpenID Connect. See the server log.',
  },
  OVERLOADED: {
    status: 503,
    meaning: 'The server is overloaded. Nothing was changed.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    meaning: 'The database is unavailable.',
  },
  SHUTTING_DOWN: {
    status: 503,
    meaning: 'The server is shutting down. Nothing was changed.',
  },
} as const satisfies Record<ErrorCode, ErrorKind>;
