import { Failure } from '../failures.ts';
import { idText, type RandomBytes } from '../ids.ts';
import type { Storage } from '../storage.ts';
import { type Actor, actorOf } from './actors.ts';
import { type ApiKey, digestOf } from './keys.ts';

/** A browser that acts with a key that it does not have. It can do what the key can, and ends with it. */
export interface Session {
  readonly id: string;
  readonly key: ApiKey;
  /** Which browser began it, such as `Firefox on Linux`. */
  readonly agent: string;
  readonly createdAt: number;
  /** When it was last used; up to a minute behind. */
  readonly lastSeenAt: number;
}

export interface NewSession {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly accountId: number;
  readonly keyId: string;
  readonly agent: string;
  readonly createdAt: number;
}

/** What a link to sign in once stands for. */
export interface LoginLink {
  readonly digest: Uint8Array;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** How long a session lasts without use, ms. */
export const idleLifetimeMs = 12 * 3_600_000;
/** How long it lasts at most, ms. */
export const longestLifetimeMs = 30 * 86_400_000;
/** How long after signing in a browser may do what is dangerous, ms; the message of the failure names it. */
export const freshMs = 15 * 60_000;
const loginLinkLifetimeMs = 30 * 60_000;
/** A further session of a key ends the one that was not used for the longest time. */
export const maxSessionsOfKey = 50;

const tokenShape = /^[\w-]{43}$/;
const loginPrefix = 'lfl_';

/** Draws what proves a session: 256 random bits. Only its digest is stored. */
function drawToken(randomBytes: RandomBytes): string {
  return randomBytes(32).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Draws what proves something that is used once. It differs in form from keys and sessions, so that none is taken for another. */
export function drawSecret(prefix: string, randomBytes: RandomBytes): string {
  return prefix + drawToken(randomBytes);
}

/** Whether a token could be such a secret. */
export function couldBeSecret(prefix: string, token: string): boolean {
  return token.startsWith(prefix) && tokenShape.test(token.slice(prefix.length));
}

export function couldBeSession(token: string): boolean {
  return tokenShape.test(token);
}

export function couldBeLogin(token: string): boolean {
  return couldBeSecret(loginPrefix, token);
}

/** When a session ends if it is not used again, ms since the epoch. */
export function endOfSession({ createdAt, lastSeenAt, key }: Session): number {
  const ends = Math.min(createdAt + longestLifetimeMs, lastSeenAt + idleLifetimeMs);
  return key.expiresAt === null ? ends : Math.min(ends, key.expiresAt);
}

/**
 * Finds the session of a token.
 * @throws Failure INVALID_SESSION when it is malformed or unknown, has ended, or its key has
 */
export async function findSession(storage: Storage, token: string, now: number): Promise<Session> {
  const session = couldBeSession(token) ? await storage.findSession(digestOf(token)) : undefined;
  if (session === undefined || session.key.revokedAt !== null || endOfSession(session) <= now)
    throw new Failure('INVALID_SESSION');
  return session;
}

/**
 * Finds the login link of a token, which acts by its key.
 * @throws Failure INVALID_LOGIN_LINK when it is malformed, unknown, used or too old, or its key is not live any more
 */
export async function findLogin(storage: Storage, token: string, now: number): Promise<Actor> {
  const loginLink = couldBeLogin(token) ? await storage.findLoginLink(digestOf(token)) : undefined;
  const key = loginLink && (await storage.findKey(loginLink.keyId));
  if (loginLink === undefined || key === undefined || loginLink.expiresAt <= now || !isLive(key, now))
    throw invalidLogin();
  return actorOf(key, { loginLink });
}

/**
 * Checks that whoever acts has proved lately who they are, before what a found browser should not do. A key proves itself with
 * each request.
 * @throws Failure REAUTHENTICATION_REQUIRED
 */
export function requireFresh({ session }: Pick<Actor, 'session'>, now: number): void {
  if (session !== undefined && now - session.createdAt > freshMs)
    throw new Failure('REAUTHENTICATION_REQUIRED');
}

function isLive({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

function invalidLogin(): Failure {
  return new Failure('INVALID_LOGIN_LINK');
}

/**
 * Begins a session. A login link is used up by it.
 * @param agent browser and system, for people that look at their sessions; nothing else of the user agent is kept
 * @throws Failure INVALID_LOGIN_LINK when another browser has used the link meanwhile
 */
export async function startSession(
  storage: Pick<Storage, 'createSession'>,
  { key, loginLink }: Actor,
  agent: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<{ token: string; session: Session }> {
  const of = { accountId: key.accountId, keyId: key.id, agent, createdAt: now };
  const { token, row } = drawSession(of, randomBytes);
  if (!(await storage.createSession(row, loginLink?.digest))) throw invalidLogin();
  return { token, session: { id: row.id, key, agent, createdAt: now, lastSeenAt: now } };
}

/** Draws a session of a key. @returns what proves it, and what is stored */
export function drawSession(
  of: Omit<NewSession, 'id' | 'digest'>,
  randomBytes: RandomBytes,
): { token: string; row: NewSession } {
  const token = drawToken(randomBytes);
  return { token, row: { ...of, id: idText(randomBytes(16)), digest: digestOf(token) } };
}

/**
 * Chooses the key of a login link: of the live keys of an account the one that may do most, the oldest of several.
 * @returns undefined when the account has no live key
 */
export function keyForLogin(keys: readonly ApiKey[], now: number): ApiKey | undefined {
  return keys
    .filter((key) => isLive(key, now) && !key.accountSuspended && key.reach === undefined)
    .sort((a, b) => b.scopes.length - a.scopes.length || a.createdAt - b.createdAt)
    .at(0);
}

/** Makes a link to sign in once. @returns what proves it, which is stored nowhere */
export async function createLogin(
  storage: Pick<Storage, 'createLoginLink'>,
  keyId: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<{ token: string; expiresAt: number }> {
  const token = drawSecret(loginPrefix, randomBytes);
  const expiresAt = now + loginLinkLifetimeMs;
  await storage.createLoginLink({ digest: digestOf(token), keyId, expiresAt });
  return { token, expiresAt };
}
