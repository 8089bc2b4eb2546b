import * as z from 'zod';
import type { Scope } from '../model/accounts/keys.ts';
import type { Plan } from '../model/accounts/plans.ts';
import { Failure } from '../model/failures.ts';
import type { ErrorCode } from './errors.ts';
import type { Shape } from './fields.ts';

export const apiPrefix = '/api/v1';

/** Default limit for a request body, in bytes (CONTRACT §3). */
export const largestBody = 64 * 1024;

/** All methods that the API supports. Every path that supports GET also supports HEAD. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = Exclude<(typeof methods)[number], 'HEAD'>;

/** Priority classes during overload, highest first. */
export const priorities = ['write', 'read', 'list'] as const;
export type Priority = (typeof priorities)[number];

/** Accepted kinds of credentials. All other kinds are rejected. */
export interface Access {
  /** False if sessions are rejected. */
  readonly session?: false;
  /** Whether a sign-in link's token is accepted instead of a key. */
  readonly loginLink?: true;
  /** Required scope, or `any` if every valid key is accepted, or `none` if no credentials are required. */
  readonly key: Scope | 'any' | 'none';
  /** Whether the endpoint accepts only signed-in members, and no keys. */
  readonly person?: true;
  /** Whether the member must be an operator. All other callers get 404. */
  readonly operator?: true;
  /**
   * Whether restricted keys can call the endpoint. If so, the handler must hide everything outside the restrictions.
   * Off by default, so that restricted keys cannot call a new endpoint by accident.
   */
  readonly bound?: true;
  /** A second scope that the key must have. */
  readonly also?: Scope;
  /**
   * Alternative scopes. The request determines which of them the key must have, and the handler checks it. Used only
   * if `key` is `any`.
   */
  readonly either?: readonly Scope[];
}

/** Dates of a deprecation, and the replacement. */
export interface Deprecation {
  /** ISO 8601 date. */
  readonly since: string;
  /** ISO 8601 date, at least one year after `since`. Absent if no date has been set. */
  readonly sunset?: string;
  /** Sentence that names the replacement. */
  readonly instead: string;
}

/** Page that explains the deprecation policy and lists the deprecated endpoints. */
const deprecations = '/api/v1/docs';

/** Returns the headers for all responses of a deprecated endpoint, including errors. */
export function deprecationHeaders({ deprecation }: Pick<Endpoint, 'deprecation'>): Record<string, string> {
  if (deprecation === undefined) return {};
  const { since, sunset } = deprecation;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    link: `<${deprecations}>; rel="deprecation"; type="text/html"`,
  };
}

/**
 * Definition of an endpoint. Routing, validation, scopes, the OpenAPI document, the typed client, docs and tests are
 * all derived from this definition.
 */
export interface Endpoint {
  readonly method: Method;
  /** Path below `/api/v1`. `:name` is a path parameter. */
  readonly path: string;
  /** Schema of each path parameter, with a description and an example. */
  readonly params?: Shape;
  readonly access: Access;
  /** Default: `write` for an endpoint that makes changes and requires credentials, otherwise `read`. */
  readonly priority: Priority;
  /**
   * False if the endpoint changes nothing even though its method is not GET. Linkfold records an author only for
   * changes.
   */
  readonly changes?: false;
  /** False for a POST endpoint that does not accept an `Idempotency-Key`, because the input is valid only once. */
  readonly isRepeatable?: false;
  /** Maximum body size in bytes. Default: {@link largestBody}. */
  readonly largestBody?: number;
  readonly summary: string;
  readonly description: string;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Schema of the body for clients, if it is more specific than `body`. */
  readonly sent?: z.ZodType;
  /** Whether a body is required although all fields are optional, because omitting a field has an effect. */
  readonly needsBody?: true;
  /** Schemas of nested objects that are validated separately. `Prefer: handling=strict` needs their field names. */
  readonly inner?: Readonly<Record<string, Shape>>;
  /** Body fields that are compared with the existing record instead of changing it. */
  readonly compared?: readonly string[];
  /** Set if the endpoint is deprecated (RFC 9745, RFC 8594). */
  readonly deprecation?: Deprecation;
  /** Body fields that are ignored, by the key's plan (document §4.1: `expiresAt` on Free). */
  readonly ignoredOn?: Partial<Record<Plan, readonly string[]>>;
  /**
   * Whether a successful response is one link, with the link's revision as `ETag`. If so, GET supports `If-None-Match`.
   */
  readonly tagged?: true;
  /** Whether the endpoint supports `If-Match`, which must include the link's current revision. */
  readonly matches?: true;
  /** Whether a successful response can set or clear the session cookie. */
  readonly setsCookie?: true;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    /** Schema of the JSON body; undefined for 204, files and event streams. */
    readonly body?: z.ZodObject | z.ZodUnion;
    /** Media types if the response is a file. The client chooses one. */
    readonly files?: readonly [string, ...string[]];
    /** Schemas of the events if the response is an event stream. */
    readonly events?: readonly z.ZodObject[];
    /**
     * Whether the response contains a secret. Secrets are not stored, so the response cannot be repeated for a retry.
     */
    readonly showsSecret?: true;
    /** Whether the file is streamed because its size is unlimited. */
    readonly isStream?: true;
    /**
     * Status code if the record already exists. The body is the same. Set only for endpoints whose record can already
     * exist.
     */
    readonly existing?: { readonly status: 200; readonly description: string };
    /** Example body for documentation. A test validates it against the schema. */
    readonly example?: unknown;
  };
  readonly exampleRequest?: { readonly path?: string; readonly body?: unknown };
  /** Error codes that not every endpoint shares. An entry is a Failure if its message differs from the default. */
  readonly failures: readonly (ErrorCode | Failure)[];
}

/** A file response of an endpoint with `success.files`. */
export interface FileBody {
  /** One of the endpoint's media types. */
  readonly type: string;
  /** File name for downloads. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** An event stream of an endpoint with `success.events`. */
export type EventStream = AsyncIterable<string>;

/** Errors that every endpoint can return before its handler runs. */
export const commonFailures: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'INSUFFICIENT_SCOPE',
  'ACCOUNT_SUSPENDED',
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'URI_TOO_LONG',
  'EXPECTATION_FAILED',
  'RATE_LIMIT_EXCEEDED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
];

/**
 * The subset of `commonFailures` that concerns the API key. Endpoints that require no key never return these errors.
 */
const keyFailures: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'INSUFFICIENT_SCOPE',
  'ACCOUNT_SUSPENDED',
];

/** Errors that every endpoint with a body can return before its fields are validated. */
export const bodyFailures: readonly ErrorCode[] = [
  'INVALID_JSON',
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Errors that every endpoint that accepts sessions can return. CROSS_SITE_REQUEST does not apply to GET requests. */
export const sessionFailures: readonly ErrorCode[] = [
  'INVALID_SESSION',
  'AMBIGUOUS_CREDENTIALS',
  'CROSS_SITE_REQUEST',
];

/** Returns true if the endpoint changes something and records an author. */
export function isWrite({ method, changes }: { method: Method; changes?: false | undefined }): boolean {
  return method !== 'GET' && changes !== false;
}

/** Returns true if the endpoint supports `Idempotency-Key`. */
export function takesIdempotencyKey(
  endpoint: Pick<Endpoint, 'method' | 'changes' | 'isRepeatable'>,
): boolean {
  return endpoint.method === 'POST' && isWrite(endpoint) && endpoint.isRepeatable !== false;
}

/** Returns true if a write ignores `Idempotency-Key` and reports that in the response. */
export function ignoresIdempotencyKey(
  endpoint: Pick<Endpoint, 'method' | 'changes' | 'isRepeatable'>,
): boolean {
  return isWrite(endpoint) && !takesIdempotencyKey(endpoint);
}

/** Errors that every endpoint that supports `Idempotency-Key` can return. */
export const idempotencyFailures: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
];

/** Returns all error codes that an endpoint can return. */
export function failuresOf(endpoint: Endpoint): ErrorCode[] {
  const { method, params, access, body, success, failures } = endpoint;
  const ofAccess: Readonly<Record<string, readonly ErrorCode[]>> = {
    any: access.person ? [] : ['INSUFFICIENT_SCOPE'],
    none: keyFailures,
  };
  return [
    ...new Set([
      ...commonFailures.filter((code) => ofAccess[access.key]?.includes(code) !== true),
      ...(access.session === false || access.key === 'none' ? [] : sessionFailures).filter(
        (code) => code !== 'CROSS_SITE_REQUEST' || method !== 'GET',
      ),
      ...(body === undefined ? [] : bodyFailures),
      // If an endpoint has no body fields, a body is ignored but still read, so its media type must be accepted.
      ...(body === undefined && method !== 'GET' ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      // ROUTE_NOT_FOUND is for invalid percent-encoding in a path parameter, and for operator endpoints, which are
      // hidden from other users.
      ...(params === undefined && !access.operator ? [] : (['ROUTE_NOT_FOUND'] as const)),
      ...(takesIdempotencyKey(endpoint) ? idempotencyFailures : []),
      ...(success.showsSecret ? (['SECRET_SHOWN_BEFORE'] as const) : []),
      // VALIDATION_ERROR is for a malformed `If-Match` or `Idempotency-Key`, or `If-Match` on an endpoint without
      // support for it.
      ...(isWrite(endpoint) ? (['VALIDATION_ERROR'] as const) : []),
      ...ownFailures({ failures }),
    ]),
  ];
}

/** Returns the error codes that are specific to an endpoint. */
export function ownFailures({ failures }: Pick<Endpoint, 'failures'>): ErrorCode[] {
  return failures.map((one) => (one instanceof Failure ? one.code : one));
}

type Definition = Omit<Endpoint, 'method' | 'path' | 'priority' | 'failures'> &
  Partial<Pick<Endpoint, 'priority' | 'failures'>>;

/**
 * Defines an endpoint and keeps its literal types for handlers and the client. A path parameter without a schema is a
 * compile error.
 */
export function endpoint<M extends Method, P extends string, const D extends Definition>(
  method: M,
  path: P,
  definition: D & ShapesFor<P>,
): D & { readonly method: M; readonly path: P } & Pick<Endpoint, 'priority' | 'failures'> {
  const { access, changes } = definition;
  const isChange = isWrite({ method, changes }) && access.key !== 'none';
  return { priority: isChange ? 'write' : 'read', failures: [], ...definition, method, path };
}

/** Caches response schemas by their fields, so that endpoints with the same fields share one OpenAPI component. */
const bodies = new WeakMap<z.ZodRawShape, z.ZodObject>();

/**
 * Defines a JSON response with status 200.
 * @param fields schemas of the fields in addition to `success`, such as `data`
 * @param example example values of these fields
 */
export function ok<const S extends z.ZodRawShape>(description: string, fields: S, example: object) {
  // Avoids `getOrInsertComputed`, because the CLI also loads this file on older versions of Node, which lack it.
  const body = bodies.get(fields) ?? z.object({ success: z.literal(true), ...fields });
  bodies.set(fields, body);
  return {
    status: 200 as const,
    description,
    body: body as z.ZodObject<{ success: z.ZodLiteral<true> } & S>,
    example: { success: true, ...example },
  };
}

/** Defines a JSON response with status 201. Parameters as for {@link ok}. */
export function created<const S extends z.ZodRawShape>(description: string, fields: S, example: object) {
  return { ...ok(description, fields, example), status: 201 as const };
}

type ShapesFor<Path extends string> = [NamesIn<Path>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<NamesIn<Path>, z.ZodType>> };

type Values<S> = S extends Shape
  ? { [K in keyof S as undefined extends z.output<S[K]> ? never : K]: z.output<S[K]> } & {
      [K in keyof S as undefined extends z.output<S[K]> ? K : never]?: z.output<S[K]>;
    }
  : Record<never, never>;

type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never;

/** Returns the parameter names in a path, in order: `id` for `/links/:id/move`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export type ParamsOf<E extends Endpoint> = Values<E['params']>;
/** Parsed body of a request. Omitted fields are absent, never undefined. */
export type BodyOf<E extends Endpoint> = Defined<Values<E['body']>>;
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
export type QueryOf<E extends Endpoint> = Values<E['query']>;
export type SuccessOf<E extends Endpoint> = E['success'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : E['success'] extends { files: readonly string[] }
    ? FileBody
    : E['success'] extends { events: readonly unknown[] }
      ? EventStream
      : undefined;
