import { z } from 'zod';
import type { Reason } from '../../domain/failures.ts';
import { type Endpoint, failuresOf, largestBody } from '../endpoint.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { parseFields } from '../fields.ts';
import { failureHeaders } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';

/** Every reason for which a field is refused. More may come. */
export const reasons = [
  ...(['missing', 'wrong_type', 'too_short', 'too_long', 'out_of_range', 'invalid_format'] as const),
  ...([
    'invalid_characters',
    'not_allowed',
    'in_the_past',
    'immutable',
    'repeated',
    'exists',
    'unknown_value',
    'refused',
    'low_contrast',
  ] as const),
] as const satisfies readonly Reason[];

// Sets that may grow are plain strings: a client that was generated today must not fail on a word of tomorrow.
function openSet(id: string, about: string, words: readonly string[]) {
  return z.string().meta({ id, description: about, examples: words.slice(0, 3), 'x-extensible-enum': words });
}

const fieldProblem = z
  .object({
    field: z.string().describe('The field, query parameter or header that was refused.'),
    reason: openSet('Reason', 'Why a field was refused, for programs. New words may come.', reasons),
    message: z.string().describe('The same for people.'),
  })
  .meta({ id: 'FieldProblem', description: 'One refused field.' });

const errorResponse = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: openSet('ErrorCode', 'What was refused, for programs. New codes may come.', Object.keys(errors)),
      message: z.string().describe('The same for people: what is wrong, and often what mends it.'),
      details: z.array(fieldProblem).optional().describe('Every refused field, when it is about fields.'),
      requestId: z.string().meta({ format: 'uuid', description: 'As in the header `X-Request-Id`.' }),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'How every refusal looks.' });

type Problem = z.infer<typeof fieldProblem>;
interface Told {
  readonly message: string;
  readonly details?: readonly Problem[];
}

function ofField(field: string, reason: Reason, message: string): Told {
  return {
    message,
    details: [{ field, reason, message }],
  };
}

/** What refusals say; the same wherever they come from. `test/acceptance/http/openapi.test.ts` compares them with answers. */
const told = {
  INVALID_JSON: { message: 'The request body is not valid JSON in UTF-8.' },
  INVALID_BODY: { message: 'The request body must be a JSON object.' },
  INVALID_URL: ofField('url', 'invalid_format', 'url must start with http:// or https:// and name a host.'),
  IMMUTABLE_FIELD: ofField(
    'url',
    'immutable',
    'url cannot be changed here; use PATCH /api/v1/links/:id/destination.',
  ),
  BAD_REQUEST: { message: 'This is not a valid HTTP request.' },
  MISSING_API_KEY: { message: 'Send an API key in the header "Authorization: Bearer <key>".' },
  INVALID_API_KEY: { message: 'This API key is not valid: it is malformed, unknown or revoked.' },
  EXPIRED_API_KEY: {
    message: 'This API key has expired. The operator makes a new one with: linkfold keys create.',
  },
  INVALID_SESSION: { message: 'This session has ended. Sign in again.' },
  INVALID_LOGIN_LINK: {
    message:
      'This link to sign in has been used or is too old. Make another one on the server with: linkfold login.',
  },
  AMBIGUOUS_CREDENTIALS: {
    message: 'The request has an API key and the cookie of a session. Send one of them.',
  },
  CROSS_SITE_REQUEST: {
    message: 'A session changes things from pages of this server only. Programs send an API key instead.',
  },
  INSECURE_CONNECTION: {
    message:
      'Sign in over https: a browser keeps no session for a page that came by http from another machine.',
  },
  KEY_NOT_FOUND: { message: 'There is no such live key.' },
  SESSION_NOT_FOUND: { message: 'There is no such session.' },
  LIMIT_REACHED: {
    message:
      'This account has reached its limit of 100 links. Delete links it no longer needs, or use a key of a higher plan.',
  },
  ACCOUNT_SUSPENDED: { message: 'This account is suspended. Ask the operator.' },
  ROUTE_NOT_FOUND: { message: 'There is no such path in this API.' },
  LINK_NOT_FOUND: { message: 'There is no such link.' },
  FOLDER_NOT_FOUND: { message: 'There is no such folder.' },
  TAG_NOT_FOUND: { message: 'There is no such tag.' },
  ALIAS_NOT_FOUND: { message: 'There is no such alias.' },
  UTM_TEMPLATE_NOT_FOUND: { message: 'There is no such UTM template.' },
  SHARE_NOT_FOUND: { message: 'There is no such share.' },
  REQUEST_TIMEOUT: { message: 'The request did not arrive in time.' },
  CUSTOM_CODE_TAKEN: { message: 'The code "launch" is taken. Choose another customCode.' },
  CUSTOM_CODE_RESERVED: { message: 'The code "login" is reserved. Choose another customCode.' },
  EXTERNAL_ID_TAKEN: {
    message:
      'The externalId "crm-1042" is taken by another link of this account. Choose another externalId, or change that link: GET /api/v1/links?externalId= finds it.',
  },
  LINK_EXISTS: {
    message:
      'url is the destination of the link "launch" already; its id is 0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10.',
    details: [
      {
        field: 'url',
        reason: 'exists',
        message:
          'url is the destination of the link "launch" already; its id is 0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10.',
      },
    ],
  },
  TAG_NAME_TAKEN: {
    message:
      'The account has a tag "Spring" already. Choose another name; to make two tags one: POST /api/v1/tags/:id/merge.',
  },
  UTM_TEMPLATE_NAME_TAKEN: {
    message:
      'The account has a UTM template "Newsletter" already. Choose another name, or change that template.',
  },
  BULK_REFUSED: {
    message:
      'Nothing was done, because 1 of 1 rows were refused. [0]: The code "login" is reserved. Choose another customCode.',
    details: [
      {
        field: '[0]',
        reason: 'refused',
        message: '[0]: The code "login" is reserved. Choose another customCode.',
      },
    ],
  },
  COUNT_DIFFERS: {
    message: 'The filter matches 0 links, and expectedCount is 1. Nothing was done.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    message: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  },
  IDEMPOTENCY_IN_PROGRESS: { message: 'The first request with this Idempotency-Key is still running.' },
  BODY_TOO_LARGE: { message: `The request body is larger than ${largestBody / 1024} KiB.` },
  URI_TOO_LONG: { message: 'The request target is longer than 4096 bytes.' },
  UNSUPPORTED_MEDIA_TYPE: {
    message: 'Send the body with "Content-Type: application/json", in UTF-8 and uncompressed.',
  },
  EXPECTATION_FAILED: { message: 'Only "Expect: 100-continue" is understood.' },
  INVALID_CUSTOM_CODE: ofField(
    'customCode',
    'invalid_characters',
    'customCode may hold letters, digits, "-" and "_", and starts with a letter or digit.',
  ),
  DESTINATION_BLOCKED: ofField('url', 'not_allowed', 'url points to blocked.example, which is blocked here.'),
  SELF_REFERENTIAL_URL: ofField(
    'url',
    'not_allowed',
    'url points back to this service; give the final destination.',
  ),
  EXPIRY_IN_PAST: ofField(
    'expiresAt',
    'in_the_past',
    'expiresAt 2020-01-01T00:00:00.000Z is in the past. Give a later time, or null for no expiry.',
  ),
  RATE_LIMIT_EXCEEDED: { message: 'This API key has used up its requests for this minute.' },
  TOO_MANY_STREAMS: {
    message: 'This account follows events over 50 connections already. Close one, or come back later.',
  },
  HEADERS_TOO_LARGE: { message: 'The request line and headers are larger than 16 KiB.' },
  INTERNAL_ERROR: { message: 'Something went wrong on our side. Please report the request id.' },
  OVERLOADED: { message: 'There is more work than can be done in time.' },
  STORAGE_UNAVAILABLE: { message: 'The server is starting.' },
  SHUTTING_DOWN: { message: 'The server is stopping.' },
} as const satisfies Record<Exclude<ErrorCode, OfEndpoint | OfNoEndpoint>, Told>;

/** Failures whose message depends on the endpoint. */
type OfEndpoint = 'VALIDATION_ERROR' | 'INSUFFICIENT_SCOPE';
/** Answers to short links, and to methods without an endpoint. */
type OfNoEndpoint =
  | 'CODE_NOT_FOUND'
  | 'LINK_EXPIRED'
  | 'LINK_NOT_STARTED'
  | 'LINK_UNAVAILABLE'
  | 'LINK_EXHAUSTED'
  | 'PASSWORD_REQUIRED'
  | 'WRONG_PASSWORD'
  | 'METHOD_NOT_ALLOWED';

type SharedCode = keyof typeof told;

/** For a request that names another code than the link has. */
const codeStays = ofField(
  'customCode',
  'immutable',
  'customCode cannot be changed here; the link with this externalId has the code "launch".',
);

/** For endpoints that cannot choose a code. */
const takenMeanwhile: Told = {
  message: 'The code "launch" is taken. Another link of this account has it now: delete that one first.',
};

const foldersFull: Told = {
  message: 'This account has reached its limit of 1000 folders. Delete folders it no longer needs.',
};

const tagsFull: Told = {
  message: 'This account has reached its limit of 1000 tags. Delete or merge tags it no longer needs.',
};

const keysFull: Told = {
  message: 'This account has reached its limit of 200 live keys. Revoke keys that it no longer needs.',
};

const templatesFull: Told = {
  message: 'This account has reached its limit of 100 UTM templates. Delete those it no longer needs.',
};

const sharesFull: Told = {
  message: 'This link has reached its limit of 100 shares. Revoke those it no longer needs.',
};

const aliasesFull: Told = {
  message: 'This link has reached its limit of 20 aliases. Remove those it no longer needs.',
};

const requestId = '29c4417a-ba97-4ac4-a871-def4c5e5be52';

function exampleOf(code: ErrorCode, { message, details }: Told): Json {
  return {
    summary: code,
    value: { success: false, error: { code, message, ...(details && { details }), requestId } },
  };
}

/** A refusal of this very endpoint's fields, by the check that every request goes through. */
function validationExample({ body, query }: Endpoint): Told {
  const fields = Object.entries({ ...query, ...body });
  for (const [field, schema] of fields) {
    for (const wrong of body === undefined ? ['0', 'unknown'] : [undefined, 5, -1]) {
      const [problem] = parseFields({ [field]: schema }, { [field]: wrong }).problems;
      if (problem !== undefined) return ofField(field, problem.reason, problem.message);
    }
  }
  return ofField(
    'Idempotency-Key',
    'invalid_format',
    'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.',
  );
}

/**
 * The code of a request with two kinds of 422 (CONTRACT §1.3).
 * @returns undefined where all are about one field, of which only one is reported
 */
function severalExample(codes: readonly ErrorCode[], { body = {} }: Endpoint): Told | undefined {
  const all = codes.flatMap((code) => (told[code as SharedCode] as Told | undefined)?.details ?? []);
  const details = Object.keys(body)
    .flatMap((field) => all.find((one) => one.field === field) ?? [])
    .slice(0, 2);
  return details.length < 2
    ? undefined
    : { message: details.map(({ message }) => message).join(' '), details };
}

/** One that an endpoint asks for; where that depends on the request, the first. */
function scopeOf({ access }: Endpoint): string {
  return access.key === 'any' ? 'analytics:read' : access.key;
}

/** The failures of an endpoint by their status, each with an example. */
export function createFailureResponses(schemas: Schemas) {
  const envelope = schemas.of(errorResponse, 'output');
  const examples: Record<string, Json> = {};

  function exampleFor(code: ErrorCode, endpoint: Endpoint): Json {
    if (code === 'VALIDATION_ERROR') return exampleOf(code, validationExample(endpoint));
    if (code === 'BODY_TOO_LARGE' && endpoint.largestBody !== undefined)
      return exampleOf(code, {
        message: `The request body is larger than ${endpoint.largestBody / 1024} KiB.`,
      });
    if (code === 'INSUFFICIENT_SCOPE')
      return exampleOf(code, { message: `This API key lacks the scope ${scopeOf(endpoint)}.` });
    if (code === 'IMMUTABLE_FIELD' && endpoint.body?.['customCode'] !== undefined)
      return exampleOf(code, codeStays);
    if (code === 'CUSTOM_CODE_TAKEN' && endpoint.body?.['customCode'] === undefined)
      return exampleOf(code, takenMeanwhile);
    if (code === 'LIMIT_REACHED' && endpoint.path.endsWith('/share')) return exampleOf(code, sharesFull);
    if (code === 'LIMIT_REACHED' && /\/(?:aliases|code)$/.test(endpoint.path))
      return exampleOf(code, aliasesFull);
    if (code === 'LIMIT_REACHED' && endpoint.path === '/folders') return exampleOf(code, foldersFull);
    if (code === 'LIMIT_REACHED' && (endpoint.path === '/tags' || endpoint.method === 'PATCH'))
      return exampleOf(code, tagsFull);
    if (code === 'LIMIT_REACHED' && endpoint.path === '/utm-templates') return exampleOf(code, templatesFull);
    if (code === 'LIMIT_REACHED' && endpoint.path === '/keys') return exampleOf(code, keysFull);
    examples[code] ??= exampleOf(code, told[code as SharedCode]);
    return { $ref: `#/components/examples/${code}` };
  }

  function response(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
    const several = status === 422 ? severalExample(codes, endpoint) : undefined;
    const shown = Object.fromEntries(codes.map((code) => [code, exampleFor(code, endpoint)]));
    if (several !== undefined) shown['VALIDATION_ERROR'] = exampleOf('VALIDATION_ERROR', several);
    return {
      description: (Object.keys(shown) as ErrorCode[])
        .map((code) => `\`${code}\`: ${errors[code].meaning}`)
        .join('\n\n'),
      headers: failureHeaders(status, codes),
      content: { 'application/json': { schema: envelope, examples: shown } },
    };
  }

  function of(endpoint: Endpoint): Json {
    const byStatus = Map.groupBy(failuresOf(endpoint), (code) => errors[code].status);
    const statuses = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      statuses.map(([status, codes]) => [String(status), response(endpoint, status, codes)]),
    );
  }

  return { examples, of };
}
