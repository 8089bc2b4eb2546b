/**
 * The closed list of ways in which the service itself can refuse. What the transport can refuse (routes, sizes,
 * media types) is added in `contract/errors.ts`, which gives every code its HTTP status. Codes are append-only.
 */
export const failureCodes = [
  'VALIDATION_ERROR',
  'INVALID_URL',
  'IMMUTABLE_FIELD',
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'INVALID_SESSION',
  'INVALID_LOGIN_LINK',
  'INSUFFICIENT_SCOPE',
  'LIMIT_REACHED',
  'ACCOUNT_SUSPENDED',
  'LINK_NOT_FOUND',
  'FOLDER_NOT_FOUND',
  'TAG_NOT_FOUND',
  'SESSION_NOT_FOUND',
  'KEY_NOT_FOUND',
  'CODE_NOT_FOUND',
  'ALIAS_NOT_FOUND',
  'UTM_TEMPLATE_NOT_FOUND',
  'SHARE_NOT_FOUND',
  'LINK_EXPIRED',
  'LINK_NOT_STARTED',
  'LINK_UNAVAILABLE',
  'LINK_EXHAUSTED',
  'PASSWORD_REQUIRED',
  'WRONG_PASSWORD',
  'CUSTOM_CODE_TAKEN',
  'CUSTOM_CODE_RESERVED',
  'EXTERNAL_ID_TAKEN',
  'LINK_EXISTS',
  'TAG_NAME_TAKEN',
  'UTM_TEMPLATE_NAME_TAKEN',
  'BULK_REFUSED',
  'COUNT_DIFFERS',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
  'INVALID_CUSTOM_CODE',
  'DESTINATION_BLOCKED',
  'SELF_REFERENTIAL_URL',
  'EXPIRY_IN_PAST',
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_STREAMS',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Why one field was refused: stable words for programs; the message beside them is for people. */
export type Reason =
  | 'missing'
  | 'wrong_type'
  | 'too_short'
  | 'too_long'
  | 'out_of_range'
  | 'invalid_format'
  | 'invalid_characters'
  | 'not_allowed'
  | 'in_the_past'
  | 'immutable'
  | 'repeated'
  | 'exists'
  | 'unknown_value'
  | 'refused'
  | 'low_contrast';

/** One refused field. `code` says which failure it is when it is the only kind of problem in the request. */
export interface Problem {
  readonly field: string;
  readonly reason: Reason;
  readonly message: string;
  readonly code: FailureCode;
}

export interface FailureFacts {
  /** Every refused field, when the failure is about fields. */
  readonly problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
}

/** An expected refusal. Anything else that is thrown is a fault of the server. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  constructor(code: FailureCode, message: string, facts: FailureFacts = {}) {
    super(message);
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

/** An idempotency key stands for one request: a second one would get the first one's result. */
export function idempotencyKeyReused(): Failure {
  return new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request. Use a new key for a new request.',
  );
}
