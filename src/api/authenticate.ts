import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { limitHeaders } from '../contract/envelope.ts';
import { Failure } from '../domain/failures.ts';
import type { ApiKey } from '../domain/keys.ts';
import { authenticate, idInToken, requireScope } from '../domain/keys.ts';
import { type Limiter, tooMany } from '../domain/limits.ts';
import type { ApiContext } from './handler.ts';

export interface AuthOptions {
  readonly context: ApiContext;
  /** Requests by key id. */
  readonly requests: Limiter;
  /** Failed authentications by address. */
  readonly failures: Limiter;
  /** The limit of failed authentications of one address in a minute; 0 for none. */
  readonly failureLimit: number;
  /** The caller's network address for limits; undefined when limits do not apply to it. */
  readonly addressOf: (request: FastifyRequest['raw']) => string | undefined;
  readonly used: (keyId: string) => void;
}

const bearer = /^Bearer +(\S+) *$/i;
function tokenIn(header: string): string {
  return bearer.exec(header)?.[1] ?? '';
}

/** Whether a request will be refused for its key, as far as its form and the failures of its address tell. */
export function isAnonymous(
  { addressOf, failures, failureLimit }: Pick<AuthOptions, 'addressOf' | 'failures' | 'failureLimit'>,
  request: IncomingMessage,
): boolean {
  if (idInToken(tokenIn(request.headers.authorization ?? '')) === undefined) return true;
  const address = addressOf(request);
  return address !== undefined && failures.peek(address, failureLimit).exceeded;
}

/**
 * Finds the key of a request and checks that it may call the endpoint, in the order of CONTRACT §1.4: limit of failed
 * authentications, key, limit of the key, suspension, scope.
 * @returns the key
 */
export async function authorize(
  options: AuthOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = await identify(options, request, reply);
  const limit = options.context.requestsPerMinute(key);
  if (limit !== undefined) {
    const allowance = options.requests.take(key.id, limit);
    reply.headers(limitHeaders(allowance));
    if (allowance.exceeded)
      throw tooMany(
        allowance,
        options.context.now(),
        'This API key has used up its requests for this minute.',
      );
  }
  if (key.accountSuspended)
    throw new Failure('ACCOUNT_SUSPENDED', 'This account is suspended. Ask the operator.');
  const { key: scope } = endpoint.access;
  if (scope !== 'any') requireScope(key, scope);
  options.used(key.id);
  return key;
}

async function identify(options: AuthOptions, request: FastifyRequest, reply: FastifyReply): Promise<ApiKey> {
  const address = options.addressOf(request.raw);
  if (address !== undefined) {
    const allowance = options.failures.peek(address, options.failureLimit);
    if (allowance.exceeded) {
      reply.headers(limitHeaders(allowance));
      throw tooMany(allowance, options.context.now(), 'Too many failed authentications from this address.');
    }
  }
  try {
    const header = request.headers.authorization;
    if (header === undefined) {
      throw new Failure('MISSING_API_KEY', 'Send an API key in the header "Authorization: Bearer <key>".');
    }
    return await authenticate(options.context.storage, tokenIn(header), options.context.now());
  } catch (error) {
    const wrongKey = error instanceof Failure && error.code.endsWith('_API_KEY');
    if (wrongKey && address !== undefined && options.failureLimit > 0)
      options.failures.take(address, options.failureLimit);
    throw error;
  }
}
