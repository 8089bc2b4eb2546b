import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { limitHeaders, Refusal } from '../../contract/envelope.ts';
import { type Actor, actorOf } from '../../model/accounts/actors.ts';
import { requireScope } from '../../model/accounts/authority.ts';
import { restrictedKeyFailure } from '../../model/accounts/key-restrictions.ts';
import { type ApiKey, authenticate, idInToken, memberRequired } from '../../model/accounts/keys.ts';
import { type Limiter, tooMany } from '../../model/accounts/limits.ts';
import { couldBeLogin, couldBeSession, findLogin, findSession } from '../../model/accounts/sessions.ts';
import { Failure } from '../../model/failures.ts';
import { isSameOrigin } from '../../runtime/same-origin.ts';
import { isCrossSite, sessionTokenIn, withoutCurrentSession } from './browser.ts';
import type { ApiContext } from './handler.ts';

export interface AuthOptions {
  readonly context: ApiContext;
  /** Limits requests per key ID. */
  readonly requests: Limiter;
  /** Limits failed authentications per IP address. */
  readonly failures: Limiter;
  /** Maximum number of failed authentications per minute from one address; 0 for no limit. */
  readonly failureLimit: number;
  /** Returns the client's IP address; undefined if the address is exempt from limits. */
  readonly addressOf: (request: FastifyRequest['raw']) => string | undefined;
  readonly used: (actor: Actor) => void;
}

const bearer = /^Bearer +(\S+) *$/i;
function tokenIn(header: string): string {
  return bearer.exec(header)?.[1] ?? '';
}

/**
 * Returns true if the request will certainly be rejected, because its credentials are malformed or its IP address has
 * failed to authenticate too often.
 */
export function isAnonymous(
  { addressOf, failures, failureLimit }: Pick<AuthOptions, 'addressOf' | 'failures' | 'failureLimit'>,
  request: IncomingMessage,
): boolean {
  const token = tokenIn(request.headers.authorization ?? '');
  const isGood =
    idInToken(token) !== undefined ||
    couldBeSession(sessionTokenIn(request.headers) ?? '') ||
    couldBeLogin(token);
  if (!isGood) return true;
  const address = addressOf(request);
  return address !== undefined && failures.peek(address, failureLimit).exceeded;
}

/**
 * Authenticates a request and checks that the client may call the endpoint. The checks run in the order of CONTRACT
 * §1.4: limit on failed authentications, credentials, the key's rate limit, suspension, scope.
 */
export async function authorize(
  options: AuthOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const actor = await identify(options, endpoint, request, reply);
  const { key } = actor;
  const limit = options.context.requestsPerMinute(key);
  if (limit !== undefined) {
    const allowance = options.requests.take(key.id, limit);
    reply.headers(limitHeaders(allowance));
    if (allowance.exceeded) throw tooMany(allowance, options.context.now());
  }
  requireAllowed(key, endpoint);
  options.used(actor);
  return actor;
}

/**
 * Checks that a key may call an endpoint. Every such check goes through this function.
 * @throws Failure ACCOUNT_SUSPENDED, INSUFFICIENT_SCOPE; Refusal ROUTE_NOT_FOUND
 */
export function requireAllowed(
  key: ApiKey,
  { access: { key: scope, also, person, operator, bound } }: Endpoint,
): void {
  if (key.accountSuspended) throw new Failure('ACCOUNT_SUSPENDED');
  if (operator && !key.member?.isOperator) throw new Refusal('ROUTE_NOT_FOUND');
  if (scope !== 'any' && scope !== 'none') requireScope(key, scope);
  if (also !== undefined) requireScope(key, also);
  if (person && !key.member?.isSelf) throw memberRequired();
  if (key.restrictions !== undefined && scope !== 'none' && !bound) throw restrictedKeyFailure();
}

/**
 * Checks again, while a long response is being sent, that the key is still allowed to receive it. The check does not
 * count as a request.
 * @returns the current key
 * @throws Failure for the same reasons as {@link authorize}, except rate limits
 */
export async function requireStill(
  { context }: Pick<AuthOptions, 'context'>,
  endpoint: Endpoint,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<ApiKey> {
  const { key } = await findActor(context, endpoint, request);
  requireAllowed(key, endpoint);
  return key;
}

/**
 * Rejects an IP address with too many failed authentications.
 * @returns the address; undefined if it is exempt from limits
 */
function requireFewFailures(
  options: AuthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const address = options.addressOf(request.raw);
  if (address === undefined) return undefined;
  const allowance = options.failures.peek(address, options.failureLimit);
  if (allowance.exceeded) {
    reply.headers(limitHeaders(allowance));
    throw tooMany(allowance, options.context.now(), 'Too many failed authentications from this address.');
  }
  return address;
}

/** Maximum number of requests without a key per minute, per IP address. */
const publicRequestsPerMinute = 60;

/** Rate-limits requests without a key, per IP address. @throws Failure RATE_LIMIT_EXCEEDED */
export function requirePublicAllowance(
  options: AuthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const address = requireFewFailures(options, request, reply);
  if (address === undefined) return;
  // This name cannot collide with a key ID in the same limiter, because key IDs contain no spaces.
  const allowance = options.requests.take(`public ${address}`, publicRequestsPerMinute);
  reply.headers(limitHeaders(allowance));
  if (allowance.exceeded)
    throw tooMany(allowance, options.context.now(), 'Too many requests from this address.');
}

/**
 * Awaits a response. If the secret in the request is unknown, counts a failed authentication from the client's IP
 * address.
 */
export async function countMiss<T>(
  { addressOf, failures, failureLimit }: AuthOptions,
  request: FastifyRequest,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const address = addressOf(request.raw);
    const isMiss =
      error instanceof Failure &&
      /^(?:(?:SHARE|INVITATION|DEVICE_CODE)_NOT_FOUND|(?:PASSKEY|OIDC)_REFUSED|INVALID_LOGIN_LINK|WRONG_PASSWORD)$/.test(
        error.code,
      );
    if (isMiss && address !== undefined && failureLimit > 0) failures.take(address, failureLimit);
    throw error;
  }
}

async function identify(
  options: AuthOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const address = requireFewFailures(options, request, reply);
  try {
    return await findActor(options.context, endpoint, request, reply);
  } catch (error) {
    if (isWrongCredential(error) && address !== undefined && options.failureLimit > 0)
      options.failures.take(address, options.failureLimit);
    throw error;
  }
}

function isWrongCredential(error: unknown): boolean {
  return error instanceof Failure && /_API_KEY$|^INVALID_(?:SESSION|LOGIN_LINK)$/.test(error.code);
}

async function findActor(
  { storage, now }: ApiContext,
  { access, method }: Endpoint,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply?: FastifyReply,
): Promise<Actor> {
  const header = headers.authorization;
  const cookie = access.session === false ? undefined : sessionTokenIn(headers);
  if (cookie === undefined) {
    if (header === undefined) throw new Failure('MISSING_API_KEY');
    // Prevents login CSRF: a page on another site must not sign a browser in.
    if (access.session === false && isCrossSite(headers)) throw crossSite();
    const token = tokenIn(header);
    if (access.loginLink && couldBeLogin(token)) return findLogin(storage, token, now());
    return actorOf(await authenticate(storage, token, now()));
  }
  // Ignores schemes other than Bearer: if a proxy in front of the server uses one, the browser adds credentials for the
  // proxy to every request.
  if (header !== undefined && /^bearer\b/i.test(header)) throw new Refusal('AMBIGUOUS_CREDENTIALS');
  if (method !== 'GET' && !isSameOrigin(headers)) throw crossSite();
  try {
    const session = await findSession(storage, cookie, now());
    return actorOf(session.key, { session });
  } catch (error) {
    const gone = withoutCurrentSession(headers);
    if (isWrongCredential(error) && gone !== undefined) reply?.header('set-cookie', gone);
    throw error;
  }
}

function crossSite(): Refusal {
  return new Refusal('CROSS_SITE_REQUEST');
}
