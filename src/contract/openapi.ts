import { z } from 'zod';
import { apiPrefix, bodyFailures, commonFailures, type Endpoint, pathParameters } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type ErrorCode, errors } from './errors.ts';
import type { Shape } from './fields.ts';

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Answers never carry undeclared keys, but requests may: a client may send more than we know.
    override: ({ jsonSchema: made }) => {
      if (io === 'input') delete made.additionalProperties;
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
    },
  });
  return rest;
};

const requestBody = (shape: Shape, example: unknown): Json => ({
  required: Object.values(shape).some((field) => !field.safeParse(undefined).success),
  content: {
    'application/json': {
      schema: jsonSchema(z.object(shape), 'input'),
      ...(example !== undefined && { example }),
    },
  },
});

const queryParameters = (shape: Shape): Json[] =>
  Object.entries(shape).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field, 'input');
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema };
  });

const idempotencyParameter: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repetition within 24 hours safe: the first answer is given again, marked `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const failureResponses = (codes: readonly ErrorCode[]): Json => {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  // Two kinds of 422 in one request have no other name in common (CONTRACT §1.3).
  const unprocessable = byStatus.get(422);
  if (unprocessable !== undefined && unprocessable.length > 1) unprocessable.push('VALIDATION_ERROR');
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
};

const failuresOf = (endpoint: Endpoint): ErrorCode[] => [
  ...new Set([
    ...commonFailures.filter((code) => code !== 'INSUFFICIENT_SCOPE' || endpoint.scope !== null),
    ...(endpoint.body === undefined ? [] : bodyFailures),
    ...(endpoint.idempotent ? (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] as const) : []),
    ...endpoint.failures,
  ]),
];

const operation = (name: string, endpoint: Endpoint): Json => {
  const { success } = endpoint;
  const parameters = [
    ...pathParameters(endpoint.path).map((parameter) => ({
      ...{ name: parameter, in: 'path', required: true },
      schema: { type: 'string' },
    })),
    ...queryParameters(endpoint.query ?? {}),
    ...(endpoint.idempotent ? [idempotencyParameter] : []),
  ];
  return {
    operationId: name,
    summary: endpoint.summary,
    description: endpoint.description + (endpoint.scope === null ? '' : `\n\nScope: \`${endpoint.scope}\`.`),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body !== undefined && {
      requestBody: requestBody(endpoint.body, endpoint.exampleRequest?.body),
    }),
    responses: {
      [success.status]: {
        description: success.description,
        ...(success.body !== undefined && {
          content: {
            'application/json': { schema: jsonSchema(success.body, 'output'), example: success.example },
          },
        }),
      },
      ...failureResponses(failuresOf(endpoint)),
    },
    security: [{ apiKey: [] }],
    ...(endpoint.scope !== null && { 'x-required-scope': endpoint.scope }),
  };
};

const errorSchema = (): Json =>
  jsonSchema(
    z.object({
      success: z.literal(false),
      error: z.object({
        code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
        message: z.string(),
        details: z.array(z.object({ field: z.string(), reason: z.string(), message: z.string() })).optional(),
        requestId: z.string(),
      }),
    }),
    'output',
  );

/** The OpenAPI 3.1 description of everything under `/api/v1`, made from the endpoint values. */
export const openApiDocument = (): Json => {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = (apiPrefix + endpoint.path).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linkfold',
      version: '1.0',
      description: 'Short links, folders, and moving links between them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'lfk_…' } },
      schemas: { Error: errorSchema() },
    },
  };
};
