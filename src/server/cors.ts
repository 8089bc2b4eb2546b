import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '../contract/endpoint.ts';

/** Which web pages of other origins may use this service from a browser: all, or those of a list. */
export type CorsOrigins = '*' | readonly string[];

/** Headers of our answers that a page may read in addition to those that it always may. */
const exposed = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Location',
  'Idempotency-Replayed',
  'Idempotency-Key-Ignored',
  'Allow',
  'WWW-Authenticate',
  'ETag',
  'X-QR-Size',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');
const allowedMethods = methods.join(', ');
/** Headers that a page may send. A star would not stand for `Authorization`. */
const sendable =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Traceparent, Tracestate, X-Api-Key';
/** How long a browser may remember the answer to a preflight, s: as long as any does. */
const preflightSeconds = '7200';

export interface Cors {
  /** Lets the requesting page read the answer, also an error, if its origin is allowed. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Answers a preflight request: a browser asks, without a key, whether a page may send the request that follows.
   * @returns whether it was such a request
   */
  preflight(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * The headers of Cross-Origin Resource Sharing (Fetch standard). Never with credentials: keys are sent in a header that
 * a page sets itself, so a browser need not and must not add what it keeps.
 */
export function createCors(origins: CorsOrigins): Cors {
  const isAllowed = ({ headers: { origin } }: IncomingMessage): boolean =>
    origin !== undefined && (origins === '*' || origins.includes(origin));
  return {
    allow(request, response) {
      if (!isAllowed(request)) return;
      response.setHeader(
        'access-control-allow-origin',
        origins === '*' ? '*' : (request.headers.origin ?? ''),
      );
      response.setHeader('access-control-expose-headers', exposed);
      if (origins !== '*') response.setHeader('vary', 'Origin');
    },
    preflight(request, response) {
      const { method, headers } = request;
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
      if (!isAllowed(request)) return false;
      response.writeHead(204, {
        'access-control-allow-methods': allowedMethods,
        'access-control-allow-headers': sendable,
        'access-control-max-age': preflightSeconds,
      });
      response.end();
      return true;
    },
  };
}
