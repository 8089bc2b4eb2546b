import type { Allowance } from '../model/accounts/limits.ts';
import { Failure, type Problem } from '../model/failures.ts';
import { tagOfRevision } from '../model/history/revisions.ts';
import { apiPrefix, type Endpoint, largestBody } from './endpoint.ts';
import { type ErrorCode, errors, remedyFor, type TransportCode, transportMessages } from './errors.ts';

/** An error of the HTTP layer, with a code that the domain layer does not use. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: TransportCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: TransportCode,
    message: string | null = transportMessages[code],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message ?? code);
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Returns the error for an oversized body. Its response closes the connection, because the rest of the body is not
 * read.
 */
export function bodyTooLarge(endpoint: Pick<Endpoint, 'largestBody'> | undefined): Refusal {
  const message = `The request body must be at most ${(endpoint?.largestBody ?? largestBody) / 1024} KiB.`;
  return new Refusal('BODY_TOO_LARGE', message, { connection: 'close' });
}

export interface ErrorEnvelope {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: readonly {
      readonly field: string;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly requestId: string;
    /** Path of the documentation for the error code. */
    readonly docs: string;
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorEnvelope;
}

/** Status 304: the client already has the current version. */
export const notModified = 304;

/** Page that documents all error codes. */
export const errorReference = `${apiPrefix}/errors`;

const defaultRetrySeconds = 1;

/**
 * Converts an error to a response (CONTRACT §2). Any error other than a Failure or Refusal is an internal error, whose
 * response reveals only the request ID.
 */
export function errorAnswer(error: unknown, requestId: string): Answer {
  if (error instanceof Failure) {
    const problems = error.facts.problems?.map((one) => ({ ...one, message: mended(one, one.field) }));
    return answer(error.code, messageOf(error), requestId, failureHeaders(error), problems);
  }
  if (error instanceof Refusal) return answer(error.code, error.message, requestId, error.headers);
  return answer('INTERNAL_ERROR', transportMessages.INTERNAL_ERROR, requestId);
}

/** Returns a failure's message. If another endpoint can fix a problem, the message names that endpoint. */
export function messageOf({ code, message, facts: { problems = [] } }: Failure): string {
  if (problems.length === 0) return mended({ code, message });
  return problems.reduce((text, one) => text.replace(one.message, () => mended(one, one.field)), message);
}

function mended({ code, message }: Pick<Problem, 'code' | 'message'>, field?: string): string {
  const remedy = remedyFor(code, field);
  return remedy === undefined ? message : `${message} ${remedy}`;
}

/** Headers of all JSON responses, including errors. */
export function jsonHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}

/** Returns the rate limit headers (CONTRACT §7). The reset time is in seconds since the epoch. */
export function limitHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
  };
}

function answer(
  code: ErrorCode,
  message: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  problems?: readonly Problem[],
): Answer {
  return {
    status: statusOf(code, problems),
    headers,
    body: {
      success: false,
      error: {
        code,
        message,
        ...(problems !== undefined && {
          details: problems.map(({ field, reason, message: text }) => ({ field, reason, message: text })),
        }),
        requestId,
        docs: `${errorReference}#${code}`,
      },
    },
  };
}

/**
 * Returns the status for a failure. For several problems, the status is 422 if all of them have status 422, else 400
 * (CONTRACT §1.3).
 */
function statusOf(code: ErrorCode, problems: readonly Problem[] = []): number {
  const statuses = problems.map((problem) => errors[problem.code].status);
  return statuses.length > 0 && statuses.every((status) => status === 422) ? 422 : errors[code].status;
}

function failureHeaders(failure: Failure): Record<string, string> {
  const { status } = errors[failure.code];
  const headers: Record<string, string> = {};
  if (failure.facts.revision !== undefined) headers['etag'] = tagOfRevision(failure.facts.revision);
  if (status === 401) {
    const detail = failure.code === 'MISSING_API_KEY' ? '' : `, error="invalid_token"`;
    headers['www-authenticate'] = `Bearer realm="linkfold"${detail}`;
  }
  if (status === 503 || status === 429 || failure.code === 'IDEMPOTENCY_IN_PROGRESS') {
    headers['retry-after'] = String(failure.facts.retryAfterSeconds ?? defaultRetrySeconds);
  }
  return headers;
}
