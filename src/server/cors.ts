import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '../contract/endpoint.ts';

/** Origins that may call this server from a browser: all origins (`*`), or the listed origins. */
export type CorsOrigins = '*' | readonly string[];

/** Response headers that a page may read, in addition to the CORS-safelisted headers. */
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
/** Request headers that a page may send. They are listed, because `*` does not include `Authorization`. */
const sendable =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Traceparent, Tracestate, X-Api-Key';
/** How long browsers may cache a preflight response, in seconds. No browser accepts a higher value. */
const preflightSeconds = '7200';

export interface Cors {
  /** Allows the requesting page to read the response, including errors, if its origin is allowed. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /** Handles a preflight request. @returns true if the request was a preflight request */
  preflight(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Creates the functions that set CORS headers (Fetch standard). They never allow credentials: a page sends its API key
 * in a header, and browsers must not add cookies.
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
