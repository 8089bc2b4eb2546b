import * as z from 'zod';
import { onlyForPeople, type Scope, scopeMissing, scopes } from '../../model/accounts/keys.ts';
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
import { revisionMismatch } from '../../model/history/revisions.ts';
import { malformedKey, secretShownBefore, uselessKey } from '../../model/idempotency.ts';
import { notAtPosition, notInState } from '../../model/imports/imports.ts';
import { bulkRefused, countDiffers, refusedBy } from '../../model/links/bulk.ts';
import { customCodeProblem } from '../../model/links/codes/codes.ts';
import { codeReserved, codeTaken, externalIdTaken, linkExists } from '../../model/links/conflicts.ts';
import { isProblem, readDestination } from '../../model/links/destinations/destinations.ts';
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
      docs: z
        .string()
        .meta({ format: 'uri-reference', description: 'Where the code is explained, on this server.' }),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'How every refusal looks.' });

/** What another text of these codes would say: the failure as the service itself makes it. */
function refusedDestination(url: string): Failure {
  const read = readDestination(url, {
    maxLength: 2_048,
    ownHosts: new Set(['go.example.com']),
    blockedHosts: ['blocked.example'],
    blockPrivate: false,
    isListed: () => false,
  });
  return refused(isProblem(read) ? [read] : []);
}

function refusedField(problem: Problem | undefined): Failure {
  return refused(problem === undefined ? [] : [problem]);
}

const reserved = codeReserved('login');

/** Failures whose message depends on the request, of which each example shows one. */
const examples: Partial<Readonly<Record<ErrorCode, Failure>>> = {
  INVALID_URL: refusedDestination('ftp://example.com/'),
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
  IMPORT_POSITION: notAtPosition(0),
  IMPORT_STATE: notInState('paused'),
  BULK_REFUSED: bulkRefused([{ at: 0, refused: refusedBy(reserved) }], 1),
  MANIFEST_DRIFTED: manifestDrifted([`The link with the id ${exampleLinkId} is not there any more.`]),
  COUNT_DIFFERS: countDiffers(0, 1),
  REVISION_MISMATCH: revisionMismatch(4),
  SECRET_SHOWN_BEFORE: secretShownBefore('9kQ2mX4p'),
  TOO_MANY_STREAMS: tooManyStreams(),
};

/** What every answer with such a code says. */
function messageExample(code: ErrorCode): Failure | Refusal {
  return code in transportMessages
    ? new Refusal(code as TransportCode)
    : new Failure(code as FailureCode, failureMessages[code as FailureCode] ?? code);
}

const requestId = '29c4417a-ba97-4ac4-a871-def4c5e5be52';

function exampleOf(error: Failure | Refusal): Json {
  return { value: errorAnswer(error, requestId).body };
}

type Asked = 'Body' | 'Query' | 'Path' | 'IdempotencyKey' | 'UselessIdempotencyKey';

/** A refused field, as the check of every request words it: one for all endpoints, which would fill the document otherwise. */
function wrongField(asked: Asked, { method }: Endpoint): Failure {
  switch (asked) {
    case 'Body':
      return refused(parseFields({ title: text(0, 255) }, { title: 5 }).problems);
    case 'Query':
      return refused(parseFields({ limit: integer(1, 100) }, { limit: '0' }).problems);
    case 'Path':
      return refused(parseFields({ externalId: oneWord(255) }, { externalId: 'a b' }).problems);
    case 'IdempotencyKey':
      return refused([malformedKey()]);
    case 'UselessIdempotencyKey':
      return refused([uselessKey(method)]);
  }
}

/** Where an endpoint is asked for fields. */
function askedIn(endpoint: Endpoint): Asked {
  const { method, body, query } = endpoint;
  if (Object.keys(body ?? {}).length > 0) return 'Body';
  if (query !== undefined) return 'Query';
  if (method === 'GET') return 'Path';
  return takesIdempotencyKey(endpoint) ? 'IdempotencyKey' : 'UselessIdempotencyKey';
}

/**
 * The failure of a request with two kinds of 422 (CONTRACT §1.3).
 * @returns undefined where all are about one field, of which only one is reported
 */
function severalExample(codes: readonly ErrorCode[], { body = {} }: Endpoint): Failure | undefined {
  const all = codes.flatMap((code) => examples[code]?.facts.problems ?? []);
  const problems = Object.keys(body)
    .flatMap((field) => all.find((one) => one.field === field) ?? [])
    .slice(0, 2);
  return problems.length < 2 ? undefined : refused(problems);
}

/** The failure of an endpoint; undefined where the same is said of every one. */
function failureOf(code: ErrorCode, endpoint: Endpoint): Failure | Refusal | undefined {
  const own = endpoint.failures.find((one) => one instanceof Failure && one.code === code);
  if (own instanceof Failure) return own;
  if (code === 'INSUFFICIENT_SCOPE')
    return endpoint.access.person ? onlyForPeople() : scopeMissing(scopeOf(endpoint));
  if (code === 'BODY_TOO_LARGE') return bodyTooLarge(endpoint);
  return undefined;
}

/** One that an endpoint asks for; where that depends on the request, the first. */
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

/** Who may ask, as examples and answers are named for it. */
function askersOf(endpoint: Endpoint): string {
  return endpoint.access.person ? 'people' : scopeOf(endpoint);
}

/** What answers of a status for these codes are called. */
function nameOf(status: number, codes: readonly ErrorCode[], endpoint: Endpoint): string {
  const own = codes.filter((code) => code !== 'VALIDATION_ERROR' && ownFailures(endpoint).includes(code));
  const known = own.length === 0 && codes.length === 1 ? codes : own;
  return [
    status === 403 || known.length === 0 ? (wordsOf[status] ?? '') : '',
    codes.includes('INSUFFICIENT_SCOPE') ? pascal(askersOf(endpoint)) : '',
    codes.includes('CROSS_SITE_REQUEST') ? 'ToChange' : '',
    codes.includes('VALIDATION_ERROR') ? askedIn(endpoint) : '',
    known.map((code) => pascal(code) + limitOf(code, endpoint)).join('Or'),
  ].join('');
}

/** Of what there are too many, where it is not links. */
function limitOf(code: ErrorCode, endpoint: Endpoint): string {
  const [, things = ''] = /limit of \d+ ([\w ]+)/.exec(failureOf(code, endpoint)?.message ?? '') ?? [];
  return pascal(things);
}

/** LINK_NOT_FOUND and links:write as LinkNotFound and LinksWrite. */
function pascal(words: string): string {
  const plain = /[a-z]/.test(words) ? words : words.toLowerCase();
  return plain.replace(/(?:^|[^A-Za-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The refusals of an endpoint by their status, each with an example. */
export function createFailureResponses(schemas: Schemas, parts: SharedParts) {
  const envelope = schemas.of(errorResponse, 'output');

  function exampleFor(code: ErrorCode, endpoint: Endpoint): Json {
    if (code === 'VALIDATION_ERROR') {
      const where = askedIn(endpoint);
      return parts.part('examples', `${code}-${where}`, exampleOf(wrongField(where, endpoint)));
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

  /** By their statuses. */
  return (endpoint: Endpoint): Json => {
    const byStatus = Map.groupBy(failuresOf(endpoint), (code) => errors[code].status);
    const statuses = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      statuses.map(([status, codes]) => [String(status), response(endpoint, status, codes)]),
    );
  };
}
