import type { ErrorEnvelope } from '../contract/envelope.ts';
import type { ErrorCode } from '../contract/errors.ts';

/** One refused field, as the server explains it. */
export type ErrorDetail = NonNullable<ErrorEnvelope['error']['details']>[number];

/** A code of the catalogue, one that a newer server added, or `UNEXPECTED_ANSWER`: not a Linkfold answer at all. */
export type ApiErrorCode = ErrorCode | 'UNEXPECTED_ANSWER' | (string & {});

interface ErrorFacts {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The server answered, and the answer is no. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  /** Every refused field; empty when the failure is not about fields. */
  readonly details: readonly ErrorDetail[];
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  /** When the same request may succeed, where the server said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, { status, code, details = [], requestId, retryAfterSeconds }: ErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came: the server is down, the name unknown, the connection cut or the time over. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
