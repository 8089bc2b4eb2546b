/**
 * The closed list of ways in which the service itself can refuse, each with what is said of it; null where that depends
 * on the request. What the transport can refuse (routes, sizes, media types) is added in `contract/errors.ts`, which
 * gives every code its HTTP status. Codes are append-only.
 */
export const failureMessages = {
  VALIDATION_ERROR: null,
  INVALID_URL: null,
  IMMUTABLE_FIELD: null,
  MISSING_API_KEY: 'Send an API key in the header "Authorization: Bearer <key>".',
  INVALID_API_KEY: 'This API key is not valid: it is malformed, unknown or revoked.',
  EXPIRED_API_KEY: 'This API key has expired. The operator makes a new one with: linkfold keys create.',
  INVALID_SESSION: 'This session has ended. Sign in again.',
  INVALID_LOGIN_LINK:
    'This link to sign in has been used or is too old. Make another one on the server with: linkfold login.',
  INSUFFICIENT_SCOPE: null,
  REAUTHENTICATION_REQUIRED:
    'This needs a session that signed in within the last 15 minutes. Sign in again, then repeat the request.',
  LIMIT_REACHED: null,
  ACCOUNT_SUSPENDED: 'This account is suspended. Ask the operator.',
  LINK_NOT_FOUND: 'There is no such link.',
  FOLDER_NOT_FOUND: 'There is no such folder.',
  TAG_NOT_FOUND: 'There is no such tag.',
  PASSKEY_REFUSED: 'This passkey was not accepted. Try again; if it was removed, sign in another way.',
  OIDC_REFUSED: 'This sign-in was not accepted. Begin again.',
  OIDC_NO_ACCESS:
    'Your provider knows you, but nobody has let you in here. Ask for an invitation, or to be put into a group.',
  OIDC_ONLY: 'People sign in here at their provider only.',
  OIDC_UNAVAILABLE: 'The provider at which people sign in does not answer properly. Try again later.',
  PASSKEY_NOT_FOUND: 'There is no such passkey.',
  DEVICE_CODE_NOT_FOUND:
    'This code is not known: it was answered before, or is older than 10 minutes. Begin again with: linkfold login SERVER.',
  SESSION_NOT_FOUND: 'There is no such session.',
  KEY_NOT_FOUND: 'There is no such live key.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  MEMBER_NOT_FOUND: 'There is no such member.',
  INVITATION_NOT_FOUND: 'There is no such invitation: it was used, withdrawn, or is too old.',
  CODE_NOT_FOUND: 'There is no link with this short code.',
  ALIAS_NOT_FOUND: 'There is no such alias.',
  UTM_TEMPLATE_NOT_FOUND: 'There is no such UTM template.',
  DOMAIN_NOT_FOUND: 'There is no such domain.',
  IMPORT_NOT_FOUND: 'There is no such import.',
  REVISION_NOT_FOUND: 'This revision of the link is not kept.',
  SHARE_NOT_FOUND: 'There is no such share.',
  WEBHOOK_NOT_FOUND: 'There is no such webhook.',
  DELIVERY_NOT_FOUND: 'There is no such delivery: after 30 days none is kept.',
  LINK_EXPIRED: 'This short link has expired.',
  LINK_NOT_STARTED: 'This short link does not work yet.',
  LINK_UNAVAILABLE: 'This short link is switched off, or not for this visitor.',
  LINK_EXHAUSTED: 'This short link was followed as often as it may be.',
  PASSWORD_REQUIRED: 'This short link has a password, which a form takes.',
  WRONG_PASSWORD: 'This is not the password of the short link.',
  CUSTOM_CODE_TAKEN: null,
  CUSTOM_CODE_RESERVED: null,
  EXTERNAL_ID_TAKEN: null,
  LINK_EXISTS: null,
  TAG_NAME_TAKEN: null,
  UTM_TEMPLATE_NAME_TAKEN: null,
  DOMAIN_TAKEN: null,
  DOMAIN_NOT_ACTIVE: null,
  DOMAIN_IN_USE: null,
  LAST_OWNER: 'This is the only owner of the account. Make somebody else an owner first.',
  MEMBER_HAS_KEYS: null,
  IMPORT_POSITION: null,
  IMPORT_STATE: null,
  REVISION_MISMATCH: null,
  BULK_REFUSED: null,
  MANIFEST_DRIFTED: null,
  COUNT_DIFFERS: null,
  IDEMPOTENCY_KEY_REUSED:
    'This Idempotency-Key was used with another request. Use a new key for a new request.',
  IDEMPOTENCY_IN_PROGRESS: 'The first request with this Idempotency-Key is still running.',
  SECRET_SHOWN_BEFORE: null,
  UNKNOWN_HOST: 'No short links are served at this host.',
  INVALID_CUSTOM_CODE: null,
  DESTINATION_BLOCKED: null,
  SELF_REFERENTIAL_URL: null,
  EXPIRY_IN_PAST: null,
  RATE_LIMIT_EXCEEDED: 'This API key has used up its requests for this minute.',
  TOO_MANY_STREAMS: null,
  OVERLOADED: 'There is more work than can be done in time.',
  STORAGE_UNAVAILABLE: 'The server is starting.',
  SHUTTING_DOWN: 'The server is stopping.',
} as const;

export type FailureCode = keyof typeof failureMessages;
/** Those of which the same is said every time. */
type PlainCode = { [C in FailureCode]: (typeof failureMessages)[C] extends string ? C : never }[FailureCode];

/** Why one field was refused: stable words for programs; the message beside them is for people. More may come. */
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

/** One refused field. `code` says which failure it is when it is the only kind of problem in the request. */
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

/** Of a list whose cursor is none. */
export const noCursor = problem(
  'cursor',
  'invalid_format',
  'cursor must be the nextCursor of an earlier answer.',
);

export interface FailureFacts {
  /** Every refused field, when the failure is about fields. */
  readonly problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** The revision that a link has, when another one was expected. */
  readonly revision?: number;
}

/** An expected refusal. Anything else that is thrown is a fault of the server. */
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

/**
 * One failure for all refused fields (CONTRACT §1.3): the specific code when there is only one kind of problem,
 * else `VALIDATION_ERROR`. The message says them all, so that a log line is enough to mend the request.
 */
export function refused(problems: readonly Problem[]): Failure {
  const codes = new Set(problems.map((problem) => problem.code));
  const [only] = codes;
  const code = only !== undefined && codes.size === 1 ? only : 'VALIDATION_ERROR';
  return new Failure(code, problems.map((problem) => problem.message).join(' '), { problems });
}

/** What there may only be so many of, and how one makes room. */
const limited = {
  links: ['account', 'links', 'Delete links it no longer needs, or use a key of a higher plan.'],
  folders: ['account', 'folders', 'Delete folders it no longer needs.'],
  tags: ['account', 'tags', 'Delete or merge tags it no longer needs.'],
  keys: ['account', 'live keys', 'Revoke keys that it no longer needs.'],
  passkeys: ['person', 'passkeys', 'Remove those that are not needed any more.'],
  invitations: ['account', 'open invitations', 'Withdraw those it no longer needs.'],
  domains: ['account', 'domains', 'Delete those it no longer needs.'],
  utmTemplates: ['account', 'UTM templates', 'Delete those it no longer needs.'],
  webhooks: ['account', 'webhooks', 'Delete those it no longer needs.'],
  shares: ['link', 'shares', 'Revoke those it no longer needs.'],
  aliases: ['link', 'aliases', 'Remove those it no longer needs.'],
} as const;

export function limitReached(what: keyof typeof limited, limit: number): Failure {
  const [whose, things, advice] = limited[what];
  return new Failure('LIMIT_REACHED', `This ${whose} has reached its limit of ${limit} ${things}. ${advice}`);
}
