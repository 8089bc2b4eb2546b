import * as z from 'zod';
import { type Endpoint, takesIdempotencyKey } from '../endpoint.ts';
import { mayRepeat, type Shape } from '../fields.ts';
import { eventStreamType } from '../statistics/events.ts';
import type { createFailureResponses } from './failures.ts';
import { notModifiedHeaders, successHeaders } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';
import type { SharedParts } from './shared-parts.ts';

export interface OperationParts {
  readonly schemas: Schemas;
  readonly failures: ReturnType<typeof createFailureResponses>;
  readonly parts: SharedParts;
}

/** Returns an endpoint as an OpenAPI operation. `name` is the `operationId`. Generators derive type names from it. */
export function operation(
  name: string,
  endpoint: Endpoint,
  tag: string,
  { schemas, failures, parts }: OperationParts,
): Json {
  const { success, access, body, exampleRequest } = endpoint;
  const isPublic = access.key === 'none';
  const scope = access.key === 'any' || access.key === 'none' ? undefined : access.key;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const parameters = [
    ...pathParameters(endpoint.params ?? {}, schemas),
    ...queryParameters(endpoint.query ?? {}, schemas),
    ...(takesIdempotencyKey(endpoint) ? [idempotencyParameter] : []),
    ...(endpoint.matches ? [matchParameter] : []),
    ...(endpoint.tagged && endpoint.method === 'GET' ? [noneMatchParameter] : []),
  ].map((one) => parts.part('parameters', nameOfParameter(one), one));
  const content =
    success.body === undefined
      ? { ...contentOfFiles(endpoint), ...contentOfStream(endpoint, schemas) }
      : {
          content: {
            'application/json': {
              schema: schemas.named(`${typeName}Response`, success.body, 'output'),
              example: success.example,
            },
          },
        };
  const answer = (status: number, description: string) =>
    parts.part('responses', nameFor(description), {
      description,
      headers: successHeaders(endpoint, status),
      ...content,
    });
  return {
    operationId: name,
    tags: [tag],
    summary: endpoint.summary,
    description: [endpoint.description, endpoint.deprecation?.instead, aboutAccess(access)]
      .filter(Boolean)
      .join('\n\n'),
    ...(endpoint.deprecation !== undefined && { deprecated: true }),
    ...(isPublic && { security: [] }),
    ...(scope !== undefined && { 'x-required-scope': scope }),
    ...(access.person && { 'x-for-people': true }),
    ...(isClosedToRestrictedKeys(access) && { 'x-closed-to-bound-keys': true }),
    ...(access.also !== undefined && { 'x-also-required-scope': access.also }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasFields(body) && {
      requestBody: {
        required: endpoint.needsBody ?? !(endpoint.sent ?? z.object(body)).safeParse({}).success,
        content: {
          'application/json': {
            schema: schemas.named(`${typeName}Request`, endpoint.sent ?? z.object(body), 'input'),
            ...(exampleRequest?.body !== undefined && { example: exampleRequest.body }),
          },
        },
      },
    }),
    responses: {
      [success.status]: answer(success.status, success.description),
      ...(success.existing !== undefined && {
        [success.existing.status]: answer(success.existing.status, success.existing.description),
      }),
      ...(endpoint.tagged && endpoint.method === 'GET' && { 304: notModifiedAnswer }),
      ...failures(endpoint),
    },
  };
}

/** 304 response to a GET request with `If-None-Match`. */
const notModifiedAnswer: Json = {
  description: 'With `If-None-Match`: the link still has this revision.',
  headers: notModifiedHeaders,
};

/**
 * Returns the component name for a parameter. For a path parameter, the name is derived from the description, because
 * `id` has many meanings.
 */
function nameOfParameter({ name, in: place, description }: Json): string {
  return place === 'path' ? nameFor(String(description)) : String(name);
}

/** Returns the component name for a description: the start of the description in PascalCase. */
function nameFor(description: string): string {
  const [first = ''] = description.split(/[,.;:]/);
  return first.replace(/[^A-Za-z]+(.)?/g, (_, letter = '') => letter.toUpperCase());
}

function contentOfFiles({ success: { files } }: Endpoint): Json {
  if (files === undefined) return {};
  const described = files.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]);
  return { content: Object.fromEntries(described) };
}

/**
 * Returns the content of an event stream. OpenAPI 3.1 cannot describe event streams, so the schema describes the `data`
 * of each event.
 */
function contentOfStream({ success: { events } }: Endpoint, schemas: Schemas): Json {
  if (events === undefined) return {};
  const data = events.map((event) => schemas.of(z.object({ event }), 'output')['properties'] as Json);
  const schema = {
    type: 'string',
    description: 'Server-sent events. The schema describes the `data` of each event.',
    contentMediaType: eventStreamType,
    contentSchema: { oneOf: data.map(({ event }) => event) },
  };
  return { content: { [eventStreamType]: { schema } } };
}

/** Note for endpoints that reject restricted keys. Endpoints without this note accept restricted keys. */
const closedToRestrictedKeys = ' Keys restricted to domains or folders are not accepted.';

function isClosedToRestrictedKeys({ key, bound }: Endpoint['access']): boolean {
  return !bound && key !== 'none';
}

function aboutAccess(access: Endpoint['access']): string {
  return aboutScopes(access) + (isClosedToRestrictedKeys(access) ? closedToRestrictedKeys : '');
}

function aboutScopes({ key, also, either, person }: Endpoint['access']): string {
  if (person) return 'Requires a signed-in member; API keys are not accepted.';
  if (key === 'none') return 'No API key required.';
  if (either !== undefined)
    return `Scope: ${either.map((one) => `\`${one}\``).join(' or ')}, depending on the request.`;
  if (key === 'any') return 'Any valid API key.';
  return also === undefined ? `Scope: \`${key}\`.` : `Scopes: \`${key}\` and \`${also}\`.`;
}

/**
 * Returns false for an endpoint that accepts a body but reads no fields from it, because the path identifies the
 * record.
 */
function hasFields(body: Shape | undefined): body is Shape {
  return body !== undefined && Object.keys(body).length > 0;
}

function pathParameters(shape: Shape, schemas: Schemas): Json[] {
  return Object.entries(shape).map(([name, parameter]) => {
    const { description, example, ...schema } = schemas.of(parameter, 'input');
    return { name, in: 'path', required: true, description, schema, example };
  });
}

function queryParameters(shape: Shape, schemas: Schemas): Json[] {
  return Object.entries(shape).map(([name, field]) => {
    const { description, ...schema } = schemas.of(field, 'input');
    return {
      name,
      in: 'query',
      ...(!field.safeParse(undefined).success && { required: true }),
      ...(description !== undefined && { description }),
      ...(schema['type'] === 'array' && { explode: mayRepeat(field) }),
      schema,
    };
  });
}

const tag = {
  type: 'string',
  pattern: String.raw`^(?:\*|(?:W/)?"[0-9]{1,15}"(?:[ \t]*,[ \t]*(?:W/)?"[0-9]{1,15}")*)$`,
};
const matchParameter: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    '`ETag` from when you read the link. If the link has changed since, the request fails with 412 `REVISION_MISMATCH`.',
  schema: tag,
};
const noneMatchParameter: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    '`ETag` of an earlier response. Returns 304 without a body if the link still has this revision.',
  schema: tag,
};

const idempotencyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to retry the request within 24 hours: the first response is returned again with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
