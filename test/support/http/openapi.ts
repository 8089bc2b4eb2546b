import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: reads a document with any content
type Json = any;

/**
 * The published OpenAPI document. Tests over HTTP read this document instead of the code, so that they can test another
 * implementation.
 */
export const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'openapi.json'), 'utf8'),
);

export const apiPrefix = '/api/v1';

/** An operation's documented properties, for generated tests. */
export interface Endpoint {
  /** The `operationId`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v1`. `:name` marks a path parameter. */
  readonly path: string;
  readonly scope: string | null;
  /** Second scope that the endpoint requires in addition to the first, or null. */
  readonly alsoScope: string | null;
  readonly query: readonly string[];
  /** True if the endpoint rejects restricted keys. */
  readonly closedToRestrictedKeys: boolean;
  /** Names of the fields in the body. Undefined if the endpoint has no body. */
  readonly fields?: readonly string[];
  readonly exampleBody: Readonly<Record<string, unknown>>;
  /** True if the endpoint accepts an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Success status. 201 for a POST that creates a record; 200 for a PUT, which may replace an existing record. */
  readonly success: number;
  /** True if the success response is a file instead of JSON. */
  readonly givesFile: boolean;
}

/** Resolves a reference. Returns any other value unchanged. */
export function resolve(value: Json, within: Json = document): Json {
  if (value?.$ref === undefined) return value;
  const steps: string[] = value.$ref.slice(2).split('/');
  return resolve(
    steps.reduce((at: Json, step) => at[step], within),
    within,
  );
}

/** Returns the names of the fields in all variants of a body. */
function fieldsOf(schema: Json): string[] {
  const whole = resolve(schema);
  const forms: Json[] = whole.oneOf ?? whole.anyOf ?? whole.allOf;
  return forms === undefined ? Object.keys(whole.properties) : [...new Set(forms.flatMap(fieldsOf))];
}

function endpointOf(path: string, method: string, operation: Json): Endpoint {
  const body = operation.requestBody?.content['application/json'];
  const schema = resolve(body?.schema);
  const parameters: { name: string; in: string }[] = (operation.parameters ?? []).map((one: Json) =>
    resolve(one),
  );
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  const success = successes.at(method === 'post' ? -1 : 0) ?? '';
  const types = Object.keys(resolve(operation.responses[success])?.content ?? {});
  return {
    name: operation.operationId,
    method: method.toUpperCase() as Endpoint['method'],
    path: path.slice(apiPrefix.length).replace(/\{(\w+)\}/g, ':$1'),
    scope: operation['x-required-scope'] ?? null,
    alsoScope: operation['x-also-required-scope'] ?? null,
    closedToRestrictedKeys: operation['x-closed-to-bound-keys'] ?? false,
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    ...(schema !== undefined && { fields: fieldsOf(schema) }),
    exampleBody: body?.example ?? {},
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    success: Number(success),
    givesFile: types.length > 0 && !types.includes('application/json'),
  };
}

/** Every endpoint that a key may call. */
export const everyEndpoint: readonly Endpoint[] = Object.entries<object>(document.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => (operation.security ?? document.security).length > 0)
      // Keys cannot call endpoints that are for members only. passkeys.test.ts covers them.
      .filter(([, operation]) => !('x-for-people' in operation))
      .map(([method, operation]) => endpointOf(path, method, operation)),
);

/** The HTTP status of every error code. `VALIDATION_ERROR` may also have status 422. */
export const statusOf: ReadonlyMap<string, number> = new Map([
  // These codes are returned outside documented operations.
  ...Object.entries({
    CODE_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    LINK_EXPIRED: 410,
    LINK_NOT_STARTED: 404,
    LINK_UNAVAILABLE: 410,
    LINK_EXHAUSTED: 410,
    PASSWORD_REQUIRED: 403,
    WRONG_PASSWORD: 403,
  }),
  ...Object.values<object>(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses }) => Object.entries<{ content?: object }>(responses))
    .map(([status, response]) => [status, resolve(response)] as const)
    .flatMap(([status, { content }]) =>
      Object.keys(Object(content)['application/json']?.examples ?? {}).map(
        (code) => [code, Number(status)] as const,
      ),
    )
    .sort(([, one], [, other]) => other - one),
]);
