import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { largestBody } from '../../contract/endpoint.ts';
import { bodyTooLarge, Refusal } from '../../contract/envelope.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const json = /^application\/(?:[\w.!#$&^-]+\+)?json$/i;
const charset = /^charset="?utf-?8"?$/i;

/**
 * Rejects an oversized `Content-Length` before anything is read or looked up (CONTRACT §1.4).
 * @throws Refusal BODY_TOO_LARGE
 */
export function checkDeclaredSize(request: FastifyRequest): void {
  if (Number(request.headers['content-length'] ?? 0) > limitOf(request)) throw tooLarge(request);
}

function limitOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.config.endpoint?.largestBody ?? largestBody;
}

/** Returns true if the request headers announce a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Checks the media type: accepts `application/json` and `+json` in UTF-8, or a missing type (CONTRACT §3).
 * @param mustBeNamed true to also reject a missing type. Otherwise a page on another site could send a request without
 * a CORS preflight
 * @throws Refusal UNSUPPORTED_MEDIA_TYPE
 */
export function checkMediaType(request: FastifyRequest, mustBeNamed: boolean): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupported();
  const type = request.headers['content-type'];
  if (type === 'application/json' || (type === undefined && !mustBeNamed)) return;
  if (type === undefined) throw unsupported();
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim());
  const charsets = parameters.filter((parameter) => /^charset=/i.test(parameter));
  if (!json.test(media) || !charsets.every((parameter) => charset.test(parameter))) throw unsupported();
}

/** Sends `100 Continue` to request the body. Call after all checks that need no body. */
export function askForBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.headers.expect !== undefined && raw.httpVersion === '1.1') reply.raw.writeContinue();
}

/** Parses every body as JSON. The media type has already been checked. */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Lists the most common type explicitly, because Fastify parses the header of any other type again on every request.
  const types = ['application/json', '*'];
  fastify.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const wanted = request.routeOptions.config.endpoint?.body !== undefined;
      done(null, wanted ? parseBody(bytes as Buffer) : undefined);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Parses a JSON body. @returns undefined for an empty body. @throws Refusal INVALID_JSON, INVALID_BODY */
export function parseBody(bytes: Uint8Array): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    const text = utf8.decode(bytes); // also strips one byte-order mark
    if (text.trim() === '') return undefined;
    value = JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('INVALID_BODY');
  }
  return value as Record<string, unknown>;
}

export function tooLarge(request: FastifyRequest): Refusal {
  return bodyTooLarge(request.routeOptions.config.endpoint);
}

export function unsupported(): Refusal {
  return new Refusal('UNSUPPORTED_MEDIA_TYPE');
}
