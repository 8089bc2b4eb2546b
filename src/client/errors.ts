import type { ErrorCode } from './endpoints.ts';

/** One refused field, as the server explains it. */
export interface ErrorDetail {
  readonly field: string;
  /** A word for programs, such as `missing` or `too_long`. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
}

/**
 * A code of the catalogue, one that a newer server added, or one of the client's own: `UNEXPECTED_ANSWER` (not an
 * answer of Linkfold), `UNREACHABLE` (no answer at all) and `INVALID_SIGNATURE` (of a webhook request).
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

/** What every failed call throws: {@link ApiError} when the server refused, {@link Unreachable} when no answer came. */
export class LinkfoldError extends Error {
  override readonly name: string = 'LinkfoldError';
  readonly code: LinkfoldErrorCode;
  /** The HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** Every refused field; empty when the failure is not about fields. */
  readonly details: readonly ErrorDetail[];
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  /** Where the code is explained, as a URL; undefined when no Linkfold answered. */
  readonly docs: string | undefined;
  /** After how many seconds the same request may succeed, where the server said so. */
  readonly retryAfterSeconds: number | undefined;

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

/** The server answered, and the answer is no. */
export class ApiError extends LinkfoldError {
  override readonly name = 'ApiError';
  declare readonly status: number;

  constructor(message: string, facts: ErrorFacts & { readonly status: number }) {
    super(message, facts);
  }
}

/** No answer came: the server is down, its name unknown, the connection cut or the time over. */
export class Unreachable extends LinkfoldError {
  override readonly name = 'Unreachable';

  constructor(message: string, cause: unknown) {
    super(message, { code: 'UNREACHABLE', cause });
  }
}
