import * as z from 'zod';
import { memberRequired, type Scope, scopeMissing, scopes } from '../../model/accounts/keys.ts';
import { memberHasKeys } from '../../model/accounts/members.ts';
import { tooManyStreams } from '../../model/clicks/events.ts';
import {
  Failure,
  type FailureCode,
  failureMessages,
  limitReached,
  type Problem,
  reasons,
  refused,
} from '../../model/failures.ts';
import { ifMatchProblem, revisionMismatch } from '../../model/history/revisions.ts';
import { malformedKey, secretShownBefore } from '../../model/idempotency.ts';
import { importOutOfOrder, wrongImportState } from '../../model/imports/imports.ts';
import { bulkRefused, countDiffers, refusalFrom } from '../../model/links/bulk.ts';
import { customCodeProblem } from '../../model/links/codes/codes.ts';
import { codeReserved, codeTaken, externalIdTaken, linkExists } from '../../model/links/conflicts.ts';
import { isProblem } from '../../model/links/destinations/destinations.ts';
import { readTarget } from '../../model/links/destinations/templates.ts';
import { appendsToTemplate } from '../../model/links/link-inputs.ts';
import { immutableProblem } from '../../model/links/links.ts';
import { tagNameTaken } from '../../model/links/tags.ts';
import { utmTemplateNameTaken } from '../../model/links/utm-templates.ts';
import { manifestDrifted } from '../../model/manifests/manifests.ts';
import { expiryProblem } from '../../model/timestamps.ts';
import { type Endpoint, failuresOf, ownFailures, takesIdempotencyKey } from '../endpoint.ts';
import { bodyTooLarge, errorAnswer, Refusal } from '../envelope.ts';
import { type ErrorCode, errors, type TransportCode, transportMessages } from '../errors.ts';
import { integer, oneWord, parseFields, text } from '../fields.ts';
import { exampleLinkId } from '../links/link-examples.ts';
import { failureHeaders } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';
import type { SharedParts } from './shared-parts.ts';

// Defines an extensible enum as a plain string, so that generated clients accept values that are added later.
function openSet(id: string, about: string, words: readonly string[]) {
  return z.string().meta({ id, description: about, examples: words.slice(0, 3), 'x-extensible-enum': words });
}

const fieldProblem = z
  .object({
    field: z.string().describe('The field, query parameter or header with the problem.'),
    reason: openSet('Reason', 'Machine-readable reason. New values may be added.', reasons),
    message: z.string().describe('Human-readable message.'),
  })
  .meta({ id: 'FieldProblem', description: 'A problem with one field.' });

const errorResponse = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: openSet('ErrorCode', 'Machine-readable error code. New codes may be added.', Object.keys(errors)),
      message: z.string().describe('Human-readable message: what is wrong, and often how to fix it.'),
      details: z
        .array(fieldProblem)
        .optional()
        .describe('All invalid fields. Present only for errors in fields.'),
      requestId: z.string().meta({ format: 'uuid', description: 'Same as the `X-Request-Id` header.' }),
      docs: z.string().meta({
        format: 'uri-reference',
        description: 'Path of the code’s documentation on this server.',
      }),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'Format of all errors.' });

/** Returns the failure that the API returns for an invalid destination. */
function refusedDestination(url: string, isTemplate = false): Failure {
  const rules = {
    maxLength: 2_048,
    ownHosts: new Set(['go.example.com']),
    blockedHosts: ['blocked.example'],
    blockPrivate: false,
    isListed: () => false,
  };
  const read = readTarget(url, rules, isTemplate);
  return refused(isProblem(read) ? [read] : []);
}

function refusedField(problem: Problem | undefined): Failure {
  return refused(problem === undefined ? [] : [problem]);
}

const reserved = codeReserved('login');

/** Examples of failures whose message depends on the request. */
const examples: Partial<Readonly<Record<ErrorCode, Failure>>> = {
  INVALID_URL: refusedDestination('ftp://example.com/'),
  INVALID_TEMPLATE: refusedDestination('https://example.com/{foo}', true),
  APPENDS_TO_TEMPLATE: refusedField(appendsToTemplate),
  SELF_REFERENTIAL_URL: refusedDestination('https://go.example.com/launch'),
  DESTINATION_BLOCKED: refusedDestination('https://blocked.example/'),
  INVALID_CUSTOM_CODE: refusedField(customCodeProblem('spring launch')),
  EXPIRY_IN_PAST: refusedField(expiryProblem('2020-01-01', Date.UTC(2027, 2, 1))),
  IMMUTABLE_FIELD: refusedField(immutableProblem('url')),
  LIMIT_REACHED: limitReached('links', 100),
  CUSTOM_CODE_TAKEN: codeTaken(['launch']),
  CUSTOM_CODE_RESERVED: reserved,
  EXTERNAL_ID_TAKEN: externalIdTaken('crm-1042'),
  MEMBER_HAS_KEYS: memberHasKeys(['left behind'], 0, 0),
  LINK_EXISTS: linkExists('launch', exampleLinkId),
  TAG_NAME_TAKEN: tagNameTaken('Spring'),
  UTM_TEMPLATE_NAME_TAKEN: utmTemplateNameTaken('Newsletter'),
  IMPORT_POSITION: importOutOfOrder(0),
  IMPORT_STATE: wrongImportState('paused'),
  BULK_REFUSED: bulkRefused([{ at: 0, refused: refusalFrom(reserved) }], 1),
  MANIFEST_DRIFTED: manifestDrifted([`The link with the id ${exampleLinkId} no longer exists.`]),
  COUNT_DIFFERS: countDiffers(0, 1),
  REVISION_MISMATCH: revisionMismatch(4),
  SECRET_SHOWN_BEFORE: secretShownBefore('9kQ2mX4p'),
  TOO_MANY_STREAMS: tooManyStreams(),
};

/** Returns the example failure for an error code whose message is always the same. */
function messageExample(code: ErrorCode): Failure | Refusal {
  return code in transportMessages
    ? new Refusal(code as TransportCode)
    : new Failure(code as FailureCode, failureMessages[code as FailureCode] ?? code);
}

const requestId = '29c4417a-ba97-4ac4-a871-def4c5e5be52';

function exampleOf(error: Failure | Refusal): Json {
  return { value: errorAnswer(error, requestId).body };
}

type CheckedPart = 'Body' | 'Query' | 'Path' | 'IdempotencyKey' | 'IfMatch' | 'UnusedIfMatch';

/** Returns an example of a validation error. Shared by all endpoints to keep the document small. */
function wrongField(part: CheckedPart): Failure {
  switch (part) {
    case 'Body':
      return refused(parseFields({ title: text(0, 255) }, { title: 5 }).problems);
    case 'Query':
      return refused(parseFields({ limit: integer(1, 100) }, { limit: '0' }).problems);
    case 'Path':
      return refused(parseFields({ externalId: oneWord(255) }, { externalId: 'a b' }).problems);
    case 'IdempotencyKey':
      return refused([malformedKey()]);
    case 'IfMatch':
    case 'UnusedIfMatch':
      return refused([ifMatchProblem(part === 'IfMatch')]);
  }
}

/** Returns the part of the request that the endpoint reads fields from. */
function checkedPartOf(endpoint: Endpoint): CheckedPart {
  const { method, body, query, matches } = endpoint;
  if (Object.keys(body ?? {}).length > 0) return 'Body';
  if (query !== undefined) return 'Query';
  if (method === 'GET') return 'Path';
  if (takesIdempotencyKey(endpoint)) return 'IdempotencyKey';
  return matches ? 'IfMatch' : 'UnusedIfMatch';
}

/**
 * Returns the failure for a request with two problems of different kinds, both with status 422 (CONTRACT §1.3).
 * @returns undefined if all problems concern one field, because only one problem per field is reported
 */
function severalExample(codes: readonly ErrorCode[], { body = {} }: Endpoint): Failure | undefined {
  const all = codes.flatMap((code) => examples[code]?.facts.problems ?? []);
  const problems = Object.keys(body)
    .flatMap((field) => all.find((one) => one.field === field) ?? [])
    .slice(0, 2);
  return problems.length < 2 ? undefined : refused(problems);
}

/** Returns the endpoint's own failure for an error code; undefined if the endpoint uses the shared failure. */
function failureOf(code: ErrorCode, endpoint: Endpoint): Failure | Refusal | undefined {
  const own = endpoint.failures.find((one) => one instanceof Failure && one.code === code);
  if (own instanceof Failure) return own;
  if (code === 'INSUFFICIENT_SCOPE')
    return endpoint.access.person ? memberRequired() : scopeMissing(scopeOf(endpoint));
  if (code === 'BODY_TOO_LARGE') return bodyTooLarge(endpoint);
  return undefined;
}

/** Returns the scope that an endpoint requires, or an example scope if the required scope depends on the request. */
function scopeOf({ access }: Endpoint): Scope {
  return access.key === 'any' || access.key === 'none' ? scopes[0] : access.key;
}

const wordsOf: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  422: 'NotAcceptable',
  429: 'TooManyRequests',
  503: 'Unavailable',
};

/** Returns who can call the endpoint, for use in the names of examples and responses. */
function askersOf(endpoint: Endpoint): string {
  return endpoint.access.person ? 'people' : scopeOf(endpoint);
}

/** Returns the component name for a response with the given status and error codes. */
function nameOf(status: number, codes: readonly ErrorCode[], endpoint: Endpoint): string {
  const own = codes.filter((code) => code !== 'VALIDATION_ERROR' && ownFailures(endpoint).includes(code));
  const known = own.length === 0 && codes.length === 1 ? codes : own;
  return [
    status === 403 || known.length === 0 ? (wordsOf[status] ?? '') : '',
    codes.includes('INSUFFICIENT_SCOPE') ? pascal(askersOf(endpoint)) : '',
    codes.includes('CROSS_SITE_REQUEST') ? 'ToChange' : '',
    codes.includes('VALIDATION_ERROR') ? checkedPartOf(endpoint) : '',
    known.map((code) => pascal(code) + limitOf(code, endpoint)).join('Or'),
  ].join('');
}

/** Returns the limited resource in PascalCase; empty for links. */
function limitOf(code: ErrorCode, endpoint: Endpoint): string {
  const [, things = ''] = /limit of \d+ ([\w ]+)/.exec(failureOf(code, endpoint)?.message ?? '') ?? [];
  return pascal(things);
}

/** Converts words to PascalCase: `LINK_NOT_FOUND` to `LinkNotFound`, and `links:write` to `LinksWrite`. */
function pascal(words: string): string {
  const plain = /[a-z]/.test(words) ? words : words.toLowerCase();
  return plain.replace(/(?:^|[^A-Za-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Creates the function that returns an endpoint's error responses by status, each with an example. */
export function createFailureResponses(schemas: Schemas, parts: SharedParts) {
  const envelope = schemas.of(errorResponse, 'output');

  function exampleFor(code: ErrorCode, endpoint: Endpoint): Json {
    if (code === 'VALIDATION_ERROR') {
      const where = checkedPartOf(endpoint);
      return parts.part('examples', `${code}-${where}`, exampleOf(wrongField(where)));
    }
    const own = failureOf(code, endpoint);
    const name = code === 'INSUFFICIENT_SCOPE' ? `${code}-${askersOf(endpoint)}`.replace(':', '-') : code;
    const shown = exampleOf(own ?? examples[code] ?? messageExample(code));
    const isOwn = endpoint.failures.some((one) => one === own);
    return parts.part('examples', name, { ...(!isOwn && { summary: errors[code].meaning }), ...shown });
  }

  function response(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
    const several = status === 422 ? severalExample(codes, endpoint) : undefined;
    const shown = Object.fromEntries(codes.map((code) => [code, exampleFor(code, endpoint)]));
    if (several !== undefined) shown['VALIDATION_ERROR'] = exampleOf(several);
    return parts.part('responses', nameOf(status, codes, endpoint), {
      description: `${Object.keys(shown)
        .map((code) => `\`${code}\``)
        .join(' or ')}.`,
      headers: failureHeaders(endpoint, status, codes),
      content: { 'application/json': { schema: envelope, examples: shown } },
    });
  }

  return (endpoint: Endpoint): Json => {
    const byStatus = Map.groupBy(failuresOf(endpoint), (code) => errors[code].status);
    const statuses = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      statuses.map(([status, codes]) => [String(status), response(endpoint, status, codes)]),
    );
  };
}
