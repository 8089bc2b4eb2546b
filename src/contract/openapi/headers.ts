import { type Endpoint, ignoresIdempotencyKey, takesIdempotencyKey } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import type { Json } from './schemas.ts';

const whole = { type: 'integer', minimum: 0 } as const;

/** Response headers, as `components.headers`. */
export const headers = {
  'X-Request-Id': {
    description: 'ID of this request in the server log. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description:
      'Maximum number of requests per minute with this key. Only if the operator has set a rate limit.',
    schema: whole,
  },
  'X-RateLimit-Remaining': {
    description: 'Remaining requests in the current minute. Only if the operator has set a rate limit.',
    schema: whole,
  },
  'X-RateLimit-Reset': {
    description:
      'When the current minute ends, in seconds since the epoch. Only if the operator has set a rate limit.',
    schema: whole,
  },
  'Retry-After': {
    description: 'Seconds to wait before you retry the request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description:
      'Authentication scheme: `Bearer`, with `error="invalid_token"` if the request had an invalid key.',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'API URL of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'Content-Disposition': {
    description: 'File name for downloads. Only on responses that are files.',
    required: true,
    schema: { type: 'string' },
  },
  Vary: {
    description:
      'For files with several formats: the response depends on `Accept`. If the operator allows web pages of other origins to call the API, every response also depends on `Origin`.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Accel-Buffering': {
    description: 'Prevents proxies from buffering the response. Only on streams.',
    required: true,
    schema: { type: 'string', enum: ['no'] },
  },
  'Set-Cookie': {
    description: 'The session cookie: set when a session starts, cleared when it has ended.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Revision of the link, in quotation marks, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  'X-QR-Size': {
    description: 'Width and height of the image in pixels.',
    schema: { type: 'integer' },
  },
  'Idempotency-Replayed': {
    description:
      'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Idempotency-Key-Ignored': {
    description:
      'Present if the request had an `Idempotency-Key`. This endpoint ignores it and executes repeated requests again.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, Json>;

type HeaderName = keyof typeof headers;

/** Headers of a response. The value is true for each header that the response has. */
type Present = Partial<Readonly<Record<HeaderName, boolean>>>;

const always: Present = { 'X-Request-Id': true };
const limits: Present = {
  'X-RateLimit-Limit': true,
  'X-RateLimit-Remaining': true,
  'X-RateLimit-Reset': true,
};

function referencesTo(present: Present): Json {
  const names = Object.keys(present).filter((name) => present[name as HeaderName]);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * Returns the headers for a deprecated endpoint. They are defined inline, because components would appear in the
 * document even if no endpoint is deprecated.
 */
function ofDeprecation({ deprecation }: Endpoint): Json {
  if (deprecation === undefined) return {};
  const text = { type: 'string' } as const;
  return {
    Deprecation: {
      description: 'When the endpoint was deprecated: `@` and seconds since the epoch (RFC 9745).',
      required: true,
      schema: text,
    },
    ...(deprecation.sunset !== undefined && {
      Sunset: {
        description: 'When the endpoint may be removed, as an HTTP date (RFC 8594).',
        required: true,
        schema: text,
      },
    }),
    Link: {
      description: 'URL of the deprecation policy (`rel="deprecation"`).',
      required: true,
      schema: text,
    },
  };
}

/** Returns the headers for a successful response with the given status. */
export function successHeaders(endpoint: Endpoint, status: number): Json {
  const { success, setsCookie = false, tagged = false } = endpoint;
  const isFile = success.files !== undefined;
  return {
    ...referencesTo({
      Location: status === 201,
      'Content-Disposition': isFile,
      Vary: isFile,
      'X-QR-Size': isFile && success.files.includes('image/png'),
      'X-Accel-Buffering': success.events !== undefined,
      ETag: tagged,
      'Set-Cookie': setsCookie,
      'Idempotency-Replayed': takesIdempotencyKey(endpoint) && !success.showsSecret,
      'Idempotency-Key-Ignored': ignoresIdempotencyKey(endpoint),
      ...limits,
      ...always,
    }),
    ...ofDeprecation(endpoint),
  };
}

/** Headers of a 304 response to a GET request with `If-None-Match`. */
export const notModifiedHeaders: Json = referencesTo({ ETag: true, ...limits, ...always });

/**
 * Errors that the server returns before it checks the key's rate limit, so the responses have no rate limit headers.
 */
const beforeTheKey: ReadonlySet<ErrorCode> = new Set([
  ...(['BAD_REQUEST', 'MISSING_API_KEY', 'INVALID_API_KEY', 'EXPIRED_API_KEY', 'ROUTE_NOT_FOUND'] as const),
  ...(['INVALID_SESSION', 'INVALID_LOGIN_LINK', 'AMBIGUOUS_CREDENTIALS'] as const),
  ...(['REQUEST_TIMEOUT', 'URI_TOO_LONG', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE'] as const),
]);

/** Returns the headers for an error response with the given status and any of the given error codes. */
export function failureHeaders(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
  const isLimited = codes.some((code) => !beforeTheKey.has(code));
  return {
    ...referencesTo({
      'WWW-Authenticate': status === 401,
      'Set-Cookie': codes.includes('INVALID_SESSION'),
      'Retry-After': status === 429 || status === 503 || codes.includes('IDEMPOTENCY_IN_PROGRESS'),
      ETag: codes.includes('REVISION_MISMATCH'),
      ...(isLimited && limits),
      ...always,
    }),
    ...ofDeprecation(endpoint),
  };
}
