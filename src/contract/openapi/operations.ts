import { z } from 'zod';
import { type Endpoint, pathParameters } from '../endpoint.ts';
import type { EndpointGroup } from '../endpoints.ts';
import type { Shape } from '../fields.ts';
import type { createFailureResponses } from './failures.ts';
import { successHeaders } from './headers.ts';
import type { Json, Schemas } from './schemas.ts';

export interface OperationParts {
  readonly schemas: Schemas;
  readonly failures: ReturnType<typeof createFailureResponses>;
}

/** One endpoint as an operation. Its name is the `operationId`, and what generators call its request and answer. */
export function operation(
  name: string,
  endpoint: Endpoint,
  group: EndpointGroup,
  { schemas, failures }: OperationParts,
): Json {
  const { success, scope, body, exampleRequest } = endpoint;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const parameters = [
    ...pathParametersOf(endpoint, group),
    ...queryParameters(endpoint.query ?? {}, schemas),
    ...(endpoint.idempotent ? [idempotencyParameter] : []),
  ];
  return {
    operationId: name,
    tags: [group.tag],
    summary: endpoint.summary,
    description: `${endpoint.description}\n\n${scope === null ? 'Any valid key may ask.' : `Scope: \`${scope}\`.`}`,
    security: [{ apiKey: [] }],
    ...(scope !== null && { 'x-required-scope': scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasFields(body) && {
      requestBody: {
        required: Object.values(body).some((field) => !field.safeParse(undefined).success),
        content: {
          'application/json': {
            schema: schemas.named(`${typeName}Request`, z.object(body), 'input'),
            ...(exampleRequest?.body !== undefined && { example: exampleRequest.body }),
          },
        },
      },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: successHeaders(endpoint),
        ...(success.body !== undefined && {
          content: {
            'application/json': {
              schema: schemas.named(`${typeName}Response`, success.body, 'output'),
              example: success.example,
            },
          },
        }),
      },
      ...failures.of(endpoint),
    },
  };
}

/** A POST that only names a record by its path takes a body, but no field of it. */
function hasFields(body: Shape | undefined): body is Shape {
  return body !== undefined && Object.keys(body).length > 0;
}

/** `:id` of every path is a UUID; any other part is a text that is looked up. */
function pathParametersOf({ path }: Endpoint, { record, pathExamples }: EndpointGroup): Json[] {
  return pathParameters(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? `Identifier of the ${record}.` : `The ${name} of the ${record}.`,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string', minLength: 1 },
    ...(pathExamples[name] !== undefined && { example: pathExamples[name] }),
  }));
}

function queryParameters(shape: Shape, schemas: Schemas): Json[] {
  return Object.entries(shape).map(([name, field]) => {
    const { description, ...schema } = schemas.of(field, 'input');
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      ...(schema['type'] === 'array' && { style: 'form', explode: false }),
      schema,
    };
  });
}

const idempotencyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repetition within 24 hours safe: the first answer is given again, marked `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
