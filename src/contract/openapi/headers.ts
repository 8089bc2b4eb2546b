import { type Endpoint, takesIdempotencyKey } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import type { Json } from './schemas.ts';

const whole = { type: 'integer', minimum: 0 } as const;

/** What answers carry beside their body, as `components.headers`. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request in the log of the server; quote it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'Most requests of this key in a minute. Only where the operator has set a limit.',
    schema: whole,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left. Only where the operator has set a limit.',
    schema: whole,
  },
  'X-RateLimit-Reset': {
    description: 'When the minute is over, seconds since the epoch. Only where the operator has set a limit.',
    schema: whole,
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate: `Bearer`, with `error="invalid_token"` when a key came that is not valid.',
    required: true,
    schema: { type: 'string' },
  },
  Location: {
    description: 'The address of what was made, in this API.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file. Only of answers that are files.',
    required: true,
    schema: { type: 'string' },
  },
  Vary: {
    description:
      'Of files that come in several types: the type depends on `Accept`. Where the operator names the web pages that may call the API, every answer also depends on `Origin`.',
    required: true,
    schema: { type: 'string' },
  },
  'X-Accel-Buffering': {
    description: 'Tells proxies to pass on what comes at once. Only of streams.',
    required: true,
    schema: { type: 'string', enum: ['no'] },
  },
  'Set-Cookie': {
    description: 'The cookie of a session: given when it begins, taken away when it has ended.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The revision of the link, in quotation marks: for `If-Match` and `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  'X-QR-Size': {
    description: 'Width and height of the picture in pixels.',
    schema: { type: 'integer' },
  },
  'Idempotency-Replayed': {
    description: 'There when this answer was given before, to a request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const satisfies Record<string, Json>;

type HeaderName = keyof typeof headers;

const always: readonly HeaderName[] = ['X-Request-Id'];
const limits: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function referencesTo(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What answers of a deprecated endpoint say beside; here and not among the others, which every document has. */
function ofDeprecation({ deprecation }: Endpoint): Json {
  if (deprecation === undefined) return {};
  const text = { type: 'string' } as const;
  return {
    Deprecation: {
      description: 'Since when it is deprecated: `@` and seconds since the epoch (RFC 9745).',
      required: true,
      schema: text,
    },
    ...(deprecation.sunset !== undefined && {
      Sunset: {
        description: 'From when on it may be gone, as an HTTP date (RFC 8594).',
        required: true,
        schema: text,
      },
    }),
    Link: {
      description: 'Where deprecations are described (`rel="deprecation"`).',
      required: true,
      schema: text,
    },
  };
}

/** The headers of an endpoint's answer when it succeeds with this status. */
export function successHeaders(endpoint: Endpoint, status: number): Json {
  const { success, setsCookie } = endpoint;
  const created: readonly HeaderName[] = status === 201 ? ['Location'] : [];
  const file: readonly HeaderName[] = success.files === undefined ? [] : ['Content-Disposition', 'Vary'];
  const picture: readonly HeaderName[] = success.files?.includes('image/png') ? ['X-QR-Size'] : [];
  const stream: readonly HeaderName[] = success.events === undefined ? [] : ['X-Accel-Buffering'];
  const replayed: readonly HeaderName[] =
    takesIdempotencyKey(endpoint) && !success.showsSecret ? ['Idempotency-Replayed'] : [];
  const cookie: readonly HeaderName[] = setsCookie ? ['Set-Cookie'] : [];
  const tag: readonly HeaderName[] = endpoint.tagged ? ['ETag'] : [];
  return {
    ...referencesTo([
      ...created,
      ...file,
      ...picture,
      ...stream,
      ...tag,
      ...cookie,
      ...replayed,
      ...limits,
      ...always,
    ]),
    ...ofDeprecation(endpoint),
  };
}

/** The headers of an answer to a read with `If-None-Match`. */
export const notModifiedHeaders: Json = referencesTo(['ETag', ...limits, ...always]);

/** Refusals before the key is checked: such answers carry no limits of it. */
const beforeTheKey: ReadonlySet<ErrorCode> = new Set([
  ...(['BAD_REQUEST', 'MISSING_API_KEY', 'INVALID_API_KEY', 'EXPIRED_API_KEY', 'ROUTE_NOT_FOUND'] as const),
  ...(['INVALID_SESSION', 'INVALID_LOGIN_LINK', 'AMBIGUOUS_CREDENTIALS'] as const),
  ...(['REQUEST_TIMEOUT', 'URI_TOO_LONG', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE'] as const),
]);

/** The headers of a refusal with this status, for any of these reasons. */
export function failureHeaders(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
  const challenge: readonly HeaderName[] = status === 401 ? ['WWW-Authenticate'] : [];
  const gone: readonly HeaderName[] = codes.includes('INVALID_SESSION') ? ['Set-Cookie'] : [];
  const waits = status === 429 || status === 503 || codes.includes('IDEMPOTENCY_IN_PROGRESS');
  const retry: readonly HeaderName[] = waits ? ['Retry-After'] : [];
  const tag: readonly HeaderName[] = codes.includes('REVISION_MISMATCH') ? ['ETag'] : [];
  const limited = codes.some((code) => !beforeTheKey.has(code)) ? limits : [];
  return {
    ...referencesTo([...challenge, ...gone, ...retry, ...tag, ...limited, ...always]),
    ...ofDeprecation(endpoint),
  };
}
