import type { z } from 'zod';
import type { Scope } from '../domain/keys.ts';
import type { Plan } from '../domain/plans.ts';
import type { ErrorCode } from './errors.ts';
import type { Shape } from './fields.ts';

export const apiPrefix = '/api/v1';

/**
 * One endpoint as a value. Routing, validation, scopes, OpenAPI, the typed client, the documentation's check and the
 * generated tests all read it; nothing about an endpoint is written twice.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; `:name` marks a path parameter. */
  readonly path: string;
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description: string;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Body fields that are dropped unread when the key has this plan (document §4.1, expiresAt on Free). */
  readonly ignoredOn?: Partial<Record<Plan, readonly string[]>>;
  /** Whether `Idempotency-Key` makes a repetition safe: every POST. */
  readonly idempotent?: boolean;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    /** Undefined when there is no body (204). */
    readonly body?: z.ZodObject;
    /** A body as it would be sent, for documentation; checked against the schema by a test. */
    readonly example?: unknown;
  };
  readonly exampleRequest?: { readonly path?: string; readonly body?: unknown };
  /** Codes beyond those that every endpoint can answer. */
  readonly failures: readonly ErrorCode[];
}

/** What any endpoint can answer before it is reached, so that each lists only its own. */
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

/** What any endpoint that takes a body can answer before its fields are looked at. */
export const bodyFailures: readonly ErrorCode[] = [
  'INVALID_JSON',
  'INVALID_BODY',
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** What any endpoint can answer that may be repeated with an `Idempotency-Key`. */
export const idempotencyFailures: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
];

/** Every code that an endpoint can answer. */
export function failuresOf({ method, path, scope, body, idempotent, failures }: Endpoint): ErrorCode[] {
  return [
    ...new Set([
      ...commonFailures.filter((code) => code !== 'INSUFFICIENT_SCOPE' || scope !== null),
      ...(body === undefined ? [] : bodyFailures),
      // A body that a DELETE does not need is read all the same, and must have a type that is one.
      ...(method === 'DELETE' ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      // A part of the path may be percent-encoded in a way that means nothing.
      ...(path.includes(':') ? (['ROUTE_NOT_FOUND'] as const) : []),
      ...(idempotent ? idempotencyFailures : []),
      ...failures,
    ]),
  ];
}

/** Keeps the literal types of an endpoint, so that handlers and client are typed by it. */
export function endpoint<const E extends Endpoint>(value: E): E {
  return value;
}

type Values<S> = S extends Shape
  ? { [K in keyof S as undefined extends z.output<S[K]> ? never : K]: z.output<S[K]> } & {
      [K in keyof S as undefined extends z.output<S[K]> ? K : never]?: z.output<S[K]>;
    }
  : Record<never, never>;

type Inputs<S> = S extends Shape
  ? { [K in keyof S as undefined extends z.input<S[K]> ? never : K]: z.input<S[K]> } & {
      [K in keyof S as undefined extends z.input<S[K]> ? K : never]?: z.input<S[K]>;
    }
  : Record<never, never>;

/** The path parameters of an endpoint: all are texts. */
export type ParamsOf<E extends Endpoint> = { readonly [N in NamesIn<E['path']>]: string };

type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never;

/** The names of a path's parameters in their order: `/links/:id/move` has `id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export type BodyOf<E extends Endpoint> = Values<E['body']>;
export type QueryOf<E extends Endpoint> = Values<E['query']>;
export type BodyInputOf<E extends Endpoint> = Inputs<E['body']>;
export type QueryInputOf<E extends Endpoint> = Inputs<E['query']>;
export type SuccessOf<E extends Endpoint> = E['success'] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;
