import type { z } from 'zod';
import type { Scope } from '../model/accounts/keys.ts';
import type { Plan } from '../model/accounts/plans.ts';
import { Failure } from '../model/failures.ts';
import type { ErrorCode } from './errors.ts';
import type { Shape } from './fields.ts';

export const apiPrefix = '/api/v1';

/** Largest request body where an endpoint says nothing else, bytes (CONTRACT §3). */
export const largestBody = 64 * 1024;

/** Every method that the API answers: HEAD is answered where GET is. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = Exclude<(typeof methods)[number], 'HEAD'>;

/** The order in which requests are served when there is too much work, the first class first. */
export const priorities = ['write', 'read', 'list'] as const;
export type Priority = (typeof priorities)[number];

/** The credentials that an endpoint accepts, by kind. A kind that is not named is refused. */
export interface Access {
  /** Whether a session is accepted where its key is. It is, unless this says otherwise. */
  readonly session?: false;
  /** Whether the token of a login link is accepted in the place of a key. */
  readonly loginLink?: true;
  /** Keys with this scope; `any` for every valid key, `none` where no credentials are asked for. */
  readonly key: Scope | 'any' | 'none';
  /** Whether only a person who is signed in is accepted, and no key. */
  readonly person?: true;
  /** Whether that person must be an operator of the installation. For everybody else there is no such path. */
  readonly operator?: true;
  /**
   * Whether a key that is bound to domains or folders may call it, to which nothing outside exists then. Without this it is refused: an
   * endpoint stays closed until it is said how it keeps to what is bound.
   */
  readonly bound?: true;
  /** A second scope that the key must have. */
  readonly also?: Scope;
  /** Where `key` is `any`: scopes of which the key must have one, by what it asks for; the handler checks it. */
  readonly either?: readonly Scope[];
}

/** From when on an endpoint is deprecated, and from when on it may be gone. */
export interface Deprecation {
  /** ISO 8601 date. */
  readonly since: string;
  /** ISO 8601 date, at least a year later; absent while none is set. */
  readonly sunset?: string;
  /** What to use in its place, as a sentence. */
  readonly instead: string;
}

/** Where the policy of deprecation and what is deprecated stand. */
const deprecations = '/api/v1/docs';

/** What every answer of a deprecated endpoint carries, refusals too. */
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
 * One endpoint as a value. Routing, validation, scopes, OpenAPI, the typed client, the documentation's check and the
 * generated tests all read it; nothing about an endpoint is written twice.
 */
export interface Endpoint {
  readonly method: Method;
  /** Below `/api/v1`; `:name` marks a path parameter. */
  readonly path: string;
  /** The shape of each path parameter, with its description and an example. */
  readonly params?: Shape;
  readonly access: Access;
  readonly priority: Priority;
  /** Whether a request other than GET changes something: then it has an author. It does, unless this says otherwise. */
  readonly changes?: false;
  /** Whether a POST takes an `Idempotency-Key`. It does, unless what it is sent is valid once only. */
  readonly isRepeatable?: false;
  /** Bytes; {@link largestBody} unless it is said. */
  readonly largestBody?: number;
  readonly summary: string;
  readonly description: string;
  readonly query?: Shape;
  readonly body?: Shape;
  /** The body as clients see it, where that says more than its fields. */
  readonly sent?: z.ZodType;
  /** Whether there has to be a body although every field is optional, since leaving all out says much. */
  readonly needsBody?: true;
  /** Shapes of the objects in some fields of the body, of which each is checked by itself: whose names strict handling knows. */
  readonly inner?: Readonly<Record<string, Shape>>;
  /** Body fields that are no input: they are compared with what the record has. */
  readonly compared?: readonly string[];
  /** Where the endpoint is to be used no more (RFC 9745, RFC 8594). */
  readonly deprecation?: Deprecation;
  /** Body fields that are dropped unread when the key has this plan (document §4.1, expiresAt on Free). */
  readonly ignoredOn?: Partial<Record<Plan, readonly string[]>>;
  /** Whether a success is about one link, whose revision is its `ETag`; a GET then knows `If-None-Match`. */
  readonly tagged?: true;
  /** Whether it takes `If-Match`: revisions, one of which the link must have. */
  readonly matches?: true;
  /** Whether a success may give a session, or take it away. */
  readonly setsCookie?: true;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    /** Undefined when there is no body (204), or when it is a file or a stream. */
    readonly body?: z.ZodObject | z.ZodUnion;
    /** The media types of a body that is a file and not JSON; the client chooses one. */
    readonly files?: readonly [string, ...string[]];
    /** What the events of a body that is a stream of them say. */
    readonly events?: readonly z.ZodObject[];
    /** Whether it shows a secret that is kept nowhere, so that a repetition cannot be answered with it. */
    readonly showsSecret?: true;
    /** Whether such a file may be of any length, so that clients read it as it comes. */
    readonly isStream?: true;
    /** For endpoints whose record may exist already: the status in that case, with the same body. */
    readonly existing?: { readonly status: 200; readonly description: string };
    /** A body as it would be sent, for documentation; checked against the schema by a test. */
    readonly example?: unknown;
  };
  readonly exampleRequest?: { readonly path?: string; readonly body?: unknown };
  /** Codes beyond those that every endpoint can answer; a failure itself where it is not what others say of this code. */
  readonly failures: readonly (ErrorCode | Failure)[];
}

/** A success that is a file: what an endpoint with `success.files` gives. */
export interface FileBody {
  /** One of the endpoint's media types. */
  readonly type: string;
  /** As which a browser would save it. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** A success that is a stream of server-sent events: what an endpoint with `success.events` gives. */
export type EventStream = AsyncIterable<string>;

/** Failures of every endpoint before its handler, so that each endpoint lists only its own. */
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

/** Those of them that are about the key. */
const keyFailures: readonly ErrorCode[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'INSUFFICIENT_SCOPE',
  'ACCOUNT_SUSPENDED',
];

/** Failures of every endpoint with a body, before its fields are checked. */
export const bodyFailures: readonly ErrorCode[] = [
  'INVALID_JSON',
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Failures of every endpoint that takes a session; a read may come from anywhere. */
export const sessionFailures: readonly ErrorCode[] = [
  'INVALID_SESSION',
  'AMBIGUOUS_CREDENTIALS',
  'CROSS_SITE_REQUEST',
];

/** Returns true if the endpoint changes something, which then has an author. */
export function isWrite({ method, changes }: Pick<Endpoint, 'method' | 'changes'>): boolean {
  return method !== 'GET' && changes !== false;
}

/** Whether `Idempotency-Key` makes a repetition safe: other changes set the same twice, or cannot promise it. */
export function takesIdempotencyKey(
  endpoint: Pick<Endpoint, 'method' | 'changes' | 'isRepeatable'>,
): boolean {
  return endpoint.method === 'POST' && isWrite(endpoint) && endpoint.isRepeatable !== false;
}

/** Failures of every endpoint that takes an `Idempotency-Key`. */
export const idempotencyFailures: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
];

/** Every code that an endpoint can answer. */
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
      // A body that is not asked for is ignored, but read, and must have an accepted type.
      ...(body === undefined && method !== 'GET' ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      // A path parameter may have a malformed percent-encoding; of an operator's path nobody else knows.
      ...(params === undefined && !access.operator ? [] : (['ROUTE_NOT_FOUND'] as const)),
      ...(takesIdempotencyKey(endpoint) ? idempotencyFailures : []),
      ...(success.showsSecret ? (['SECRET_SHOWN_BEFORE'] as const) : []),
      // What changes something refuses a header that is malformed, or that it does not take.
      ...(isWrite(endpoint) ? (['VALIDATION_ERROR'] as const) : []),
      ...ownFailures({ failures }),
    ]),
  ];
}

/** The codes of an endpoint beyond those that every one can answer. */
export function ownFailures({ failures }: Pick<Endpoint, 'failures'>): ErrorCode[] {
  return failures.map((one) => (one instanceof Failure ? one.code : one));
}

/**
 * Keeps the literal types of an endpoint, so that handlers and client are typed by it. A path parameter without a shape
 * does not compile.
 */
export function endpoint<const E extends Endpoint>(value: E & ShapesFor<E['path']>): E {
  return value;
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

/** The names of a path's parameters in their order: `/links/:id/move` has `id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export type ParamsOf<E extends Endpoint> = Values<E['params']>;
export type BodyOf<E extends Endpoint> = Values<E['body']>;
export type QueryOf<E extends Endpoint> = Values<E['query']>;
export type SuccessOf<E extends Endpoint> = E['success'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : E['success'] extends { files: readonly string[] }
    ? FileBody
    : E['success'] extends { events: readonly unknown[] }
      ? EventStream
      : undefined;
