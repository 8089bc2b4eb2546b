import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../contract/endpoint.ts';
import { Failure } from '../domain/failures.ts';
import type { ApiKey } from '../domain/keys.ts';
import { authenticate, idInToken, requireScope } from '../domain/keys.ts';
import type { Allowance, Limiter } from '../domain/limits.ts';
import type { ApiWorld } from './handler.ts';

export interface Gate {
  readonly world: ApiWorld;
  /** Requests by key id; may have to ask elsewhere. */
  readonly requests: { take(name: string, limit: number): Allowance | Promise<Allowance> };
  /** Failed authentications by address. */
  readonly failures: Limiter;
  /** Most failed authentications of one address in a minute; 0 for no limit. */
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
  { addressOf, failures, failureLimit }: Pick<Gate, 'addressOf' | 'failures' | 'failureLimit'>,
  request: IncomingMessage,
): boolean {
  if (idInToken(tokenIn(request.headers.authorization ?? '')) === undefined) return true;
  const address = addressOf(request);
  return address !== undefined && failures.look(address, failureLimit).exceeded;
}

/**
 * Who asks, and whether they may: limit of failed authentications, key, limit of the key, suspension, scope
 * (CONTRACT §1.4). Puts the key on the request.
 */
export async function admit(gate: Gate, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const key = await identify(gate, request, reply);
  const limit = gate.world.requestsPerMinute(key);
  if (limit !== undefined) {
    const allowance = await gate.requests.take(key.id, limit);
    reply.headers(limitHeaders(allowance));
    if (allowance.exceeded)
      throw tooMany(gate, allowance, 'This API key has used up its requests for this minute.');
  }
  if (key.accountSuspended)
    throw new Failure('ACCOUNT_SUSPENDED', 'This account is suspended. Ask the operator.');
  if (endpoint.scope !== null) requireScope(key, endpoint.scope);
  gate.used(key.id);
  return key;
}

async function identify(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<ApiKey> {
  const address = gate.addressOf(request.raw);
  if (address !== undefined) {
    const allowance = gate.failures.look(address, gate.failureLimit);
    if (allowance.exceeded) {
      reply.headers(limitHeaders(allowance));
      throw tooMany(gate, allowance, 'Too many failed authentications from this address.');
    }
  }
  try {
    const header = request.headers.authorization;
    if (header === undefined) {
      throw new Failure('MISSING_API_KEY', 'Send an API key in the header "Authorization: Bearer <key>".');
    }
    return await authenticate(gate.world.storage, tokenIn(header), gate.world.now());
  } catch (error) {
    const wrongKey = error instanceof Failure && error.code.endsWith('_API_KEY');
    if (wrongKey && address !== undefined && gate.failureLimit > 0)
      gate.failures.take(address, gate.failureLimit);
    throw error;
  }
}

function limitHeaders(allowance: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(allowance.limit),
    'x-ratelimit-remaining': String(allowance.remaining),
    'x-ratelimit-reset': String(Math.ceil(allowance.resetsAt / 1000)),
  };
}

function tooMany(gate: Gate, allowance: Allowance, message: string): Failure {
  const retryAfterSeconds = Math.max(1, Math.ceil((allowance.resetsAt - gate.world.now()) / 1000));
  return new Failure('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}
