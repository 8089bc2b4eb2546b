import type { ErrorCode } from './endpoints.ts';

/** Validation error for one field, as the server reports it. */
export interface ErrorDetail {
  readonly field: string;
  /** Machine-readable reason, such as `missing` or `too_long`. */
  readonly reason: string;
  /** Human-readable message. */
  readonly message: string;
}

/**
 * An error code from the API or from the client itself. The client may not know every API code if the server is newer.
 * The client's own codes are `UNEXPECTED_ANSWER` (the response is not from Linkfold), `UNREACHABLE` (no response) and
 * `INVALID_SIGNATURE` (a webhook request has an invalid signature).
 */
export type LinkfoldErrorCode =
  | ErrorCode
  | 'UNEXPECTED_ANSWER'
  | 'UNREACHABLE'
  | 'INVALID_SIGNATURE'
  | (string & {});

interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code: LinkfoldErrorCode;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly docs?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Base class of all errors that calls throw: {@link ApiError} if the server returned an error, {@link Unreachable} if
 * there was no response.
 */
export class LinkfoldError extends Error {
  override readonly name: string = 'LinkfoldError';
  readonly code: LinkfoldErrorCode;
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** All validation errors. Empty if the error is not about fields. */
  readonly details: readonly ErrorDetail[];
  /** ID of the request in the server log. */
  readonly requestId: string | undefined;
  /** URL of the error code's documentation; undefined if the response is not from Linkfold. */
  readonly docs: string | undefined;
  /** Seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Fields that `links.update` had changed before it failed. Empty for other calls. */
  done: readonly string[] = [];

  constructor(message: string, { status, code, details = [], requestId, ...rest }: ErrorFacts) {
    super(message, 'cause' in rest ? { cause: rest.cause } : undefined);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.docs = rest.docs;
    this.retryAfterSeconds = rest.retryAfterSeconds;
  }
}

/** Error that the server returned. */
export class ApiError extends LinkfoldError {
  override readonly name = 'ApiError';
  declare readonly status: number;

  constructor(message: string, facts: ErrorFacts & { readonly status: number }) {
    super(message, facts);
  }
}

/**
 * Thrown if there was no response: the server is down, its name does not resolve, the connection was lost, or the
 * request timed out.
 */
export class Unreachable extends LinkfoldError {
  override readonly name = 'Unreachable';

  constructor(message: string, cause: unknown) {
    super(message, { code: 'UNREACHABLE', cause });
  }
}
