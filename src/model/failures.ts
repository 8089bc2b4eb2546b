/**
 * The domain logic's failure codes, with their messages. A message is null if it depends on the request.
 * `contract/errors.ts` adds transport failures (routes, sizes, media types) and maps every code to its HTTP status.
 * Codes are append-only.
 */
export const failureMessages = {
  VALIDATION_ERROR: null,
  INVALID_URL: null,
  INVALID_TEMPLATE: null,
  IMMUTABLE_FIELD: null,
  MISSING_API_KEY: 'Send an API key in the header "Authorization: Bearer <key>".',
  INVALID_API_KEY: 'This API key is invalid: it is malformed, unknown or revoked.',
  EXPIRED_API_KEY: 'This API key has expired. The operator can create a new one with: linkfold keys create.',
  INVALID_SESSION: 'This session has ended. Sign in again.',
  INVALID_LOGIN_LINK:
    'This sign-in link was already used or has expired. Create another one on the server with: linkfold login.',
  INSUFFICIENT_SCOPE: null,
  REAUTHENTICATION_REQUIRED:
    'Sign in again to continue: this request requires a session that was verified within the last 15 minutes.',
  LIMIT_REACHED: null,
  ACCOUNT_SUSPENDED: 'This account is suspended. Contact the operator.',
  LINK_NOT_FOUND: 'Link not found.',
  FOLDER_NOT_FOUND: 'Folder not found.',
  TAG_NOT_FOUND: 'Tag not found.',
  PASSKEY_REFUSED: 'The passkey was not accepted. Try again, or sign in another way if it was removed.',
  OIDC_REFUSED: 'Sign-in failed. Start again.',
  OIDC_NO_ACCESS:
    'You are signed in at your provider, but have no access here. Ask for an invitation, or to be added to a group.',
  OIDC_ONLY: 'Sign in through the single sign-on provider. Other ways to sign in are disabled.',
  OIDC_UNAVAILABLE: 'The single sign-on provider does not respond correctly. Try again later.',
  PASSKEY_NOT_FOUND: 'Passkey not found.',
  DEVICE_CODE_NOT_FOUND:
    'Code not found: it was already used or is older than 10 minutes. Start again with: linkfold login SERVER.',
  SESSION_NOT_FOUND: 'Session not found.',
  KEY_NOT_FOUND: 'API key not found, or no longer active.',
  ACCOUNT_NOT_FOUND: 'Account not found.',
  MEMBER_NOT_FOUND: 'Member not found.',
  INVITATION_NOT_FOUND:
    'Invitation not found. It was used, was withdrawn or has expired. Ask for a new invitation.',
  CODE_NOT_FOUND: 'No link has this short code.',
  ALIAS_NOT_FOUND: 'Alias not found.',
  UTM_TEMPLATE_NOT_FOUND: 'UTM template not found.',
  DOMAIN_NOT_FOUND: 'Domain not found.',
  IMPORT_NOT_FOUND: 'Import not found.',
  REVISION_NOT_FOUND: 'Revision not found, or no longer stored.',
  SHARE_NOT_FOUND: 'Share not found.',
  WEBHOOK_NOT_FOUND: 'Webhook not found.',
  DELIVERY_NOT_FOUND: 'Delivery not found. Deliveries are kept for 30 days.',
  LINK_EXPIRED: 'This short link has expired.',
  LINK_NOT_STARTED: 'This short link is not active yet.',
  LINK_UNFILLED: 'This short link is incomplete. Add a word or a number after the code, such as /123.',
  EXPANSION_REFUSED:
    'This short link must not redirect to the URL that results from the text after the code. Use different text.',
  EXPANSION_TOO_LONG:
    'The destination that results from the text after the code is too long. Use shorter text.',
  LINK_UNAVAILABLE: 'This short link is disabled, or not available to you.',
  LINK_EXHAUSTED: 'This short link has reached its maximum number of clicks.',
  PASSWORD_REQUIRED: 'A password is required.',
  WRONG_PASSWORD: 'The password is wrong.',
  CUSTOM_CODE_TAKEN: null,
  CUSTOM_CODE_RESERVED: null,
  EXTERNAL_ID_TAKEN: null,
  LINK_EXISTS: null,
  TAG_NAME_TAKEN: null,
  UTM_TEMPLATE_NAME_TAKEN: null,
  DOMAIN_TAKEN: null,
  DOMAIN_NOT_ACTIVE: null,
  DOMAIN_IN_USE: null,
  LAST_OWNER: 'This is the only owner of the account. Make another member an owner first.',
  MEMBER_HAS_KEYS: null,
  IMPORT_POSITION: null,
  IMPORT_STATE: null,
  REVISION_MISMATCH: null,
  BULK_REFUSED: null,
  MANIFEST_DRIFTED: null,
  COUNT_DIFFERS: null,
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was already used with a different request. Use a new key.',
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with this Idempotency-Key is still in progress. Try again later.',
  SECRET_SHOWN_BEFORE: null,
  UNKNOWN_HOST: 'This host does not serve short links.',
  APPENDS_TO_TEMPLATE: null,
  INVALID_CUSTOM_CODE: null,
  DESTINATION_BLOCKED: null,
  SELF_REFERENTIAL_URL: null,
  EXPIRY_IN_PAST: null,
  RATE_LIMIT_EXCEEDED: 'This API key has reached its rate limit for this minute. Try again later.',
  TOO_MANY_STREAMS: null,
  OVERLOADED: 'The server is overloaded. Try again later.',
  STORAGE_UNAVAILABLE: 'The server is starting. Try again later.',
  SHUTTING_DOWN: 'The server is shutting down. Try again later.',
} as const;

export type FailureCode = keyof typeof failureMessages;
/** Codes with a fixed message. */
type PlainCode = { [C in FailureCode]: (typeof failureMessages)[C] extends string ? C : never }[FailureCode];

/**
 * Machine-readable reasons why a field was rejected, in addition to the message. Values are stable; more may be added.
 */
export const reasons = [
  'missing',
  'wrong_type',
  'too_short',
  'too_long',
  'out_of_range',
  'invalid_format',
  'invalid_characters',
  'not_allowed',
  'in_the_past',
  'immutable',
  'repeated',
  'exists',
  'unknown_value',
  'refused',
  'low_contrast',
  'unknown_field',
] as const;

export type Reason = (typeof reasons)[number];

/** A validation error for one field. The response has this `code` if all of its validation errors have it. */
export interface Problem {
  readonly field: string;
  readonly reason: Reason;
  readonly message: string;
  readonly code: FailureCode;
}

export function problem(
  field: string,
  reason: Reason,
  message: string,
  code: FailureCode = 'VALIDATION_ERROR',
): Problem {
  return { field, reason, message, code };
}

/** The validation error for an invalid cursor. */
export const invalidCursor = problem(
  'cursor',
  'invalid_format',
  'cursor must be the nextCursor of an earlier response.',
);

export interface FailureFacts {
  /** Validation errors for all rejected fields. Unset if the failure does not concern fields. */
  readonly problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** The link's current revision, if the request expected a different one. */
  readonly revision?: number;
}

/** An expected failure. Any other exception is a bug or a server fault. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  constructor(code: PlainCode, message?: undefined, facts?: FailureFacts);
  constructor(code: FailureCode, message: string, facts?: FailureFacts);
  constructor(code: FailureCode, message?: string, facts: FailureFacts = {}) {
    super(message ?? failureMessages[code] ?? code);
    this.code = code;
    this.facts = facts;
  }
}

/** Returns the failure for too much concurrent work. @param reason sentence that names the work */
export function overloaded(reason: string, retryAfterSeconds: number): Failure {
  return new Failure('OVERLOADED', `${reason} Try again later.`, { retryAfterSeconds });
}

/**
 * Returns one failure for all rejected fields (CONTRACT §1.3). If all validation errors have the same code, that is its
 * code; otherwise, its code is `VALIDATION_ERROR`. Its message contains the messages of all validation errors, so that
 * a log line is enough to fix the request.
 */
export function refused(problems: readonly Problem[]): Failure {
  const codes = new Set(problems.map((problem) => problem.code));
  const [only] = codes;
  const code = only !== undefined && codes.size === 1 ? only : 'VALIDATION_ERROR';
  return new Failure(code, problems.map((problem) => problem.message).join(' '), { problems });
}

/**
 * For each kind of record with a limit: its owner and its plural name for the error message, then advice on how to free
 * up space.
 */
const limited = {
  links: ['account', 'links', 'Delete links that you no longer need, or use a key with a higher plan.'],
  folders: ['account', 'folders', 'Delete folders that you no longer need.'],
  tags: ['account', 'tags', 'Delete or merge tags that you no longer need.'],
  keys: ['account', 'active keys', 'Revoke keys that you no longer need.'],
  passkeys: ['person', 'passkeys', 'Remove passkeys that you no longer need.'],
  invitations: ['account', 'pending invitations', 'Withdraw invitations that you no longer need.'],
  domains: ['account', 'domains', 'Delete domains that you no longer need.'],
  utmTemplates: ['account', 'UTM templates', 'Delete templates that you no longer need.'],
  webhooks: ['account', 'webhooks', 'Delete webhooks that you no longer need.'],
  shares: ['link', 'shares', 'Revoke shares that you no longer need.'],
  allShares: ['account', 'shares with several subjects', 'Revoke shares that you no longer need.'],
  aliases: ['link', 'aliases', 'Remove aliases that you no longer need.'],
} as const;

export function limitReached(what: keyof typeof limited, limit: number): Failure {
  const [whose, things, advice] = limited[what];
  return new Failure('LIMIT_REACHED', `This ${whose} has reached its limit of ${limit} ${things}. ${advice}`);
}
