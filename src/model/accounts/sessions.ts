import { Failure } from '../failures.ts';
import { idText, type RandomBytes } from '../ids.ts';
import type { Storage } from '../storage.ts';
import { type Actor, actorOf } from './actors.ts';
import { isLive } from './authority.ts';
import { type ApiKey, digestOf } from './keys.ts';
import type { Role } from './roles.ts';

/**
 * How a session started. `own`: with the person's own credential or invitation. `helped`: with a sign-in link that
 * another person created and could have opened. `renewed`: with a sign-in link that the person created for themselves.
 */
export type SessionStart = 'own' | 'helped' | 'renewed';

/**
 * A browser session. It has the permissions of a key, but not the key's token, and ends when the key expires or is
 * revoked.
 */
export interface Session {
  readonly id: string;
  readonly key: ApiKey;
  /** The browser and operating system, such as `Firefox on Linux`. */
  readonly agent: string;
  readonly createdAt: number;
  /** When the session was last used, up to a minute out of date. */
  readonly lastSeenAt: number;
  readonly start: SessionStart;
  /** When the person authenticated, ms since the epoch; null if they authenticated when the session started. */
  readonly provedAt: number | null;
}

export interface NewSession {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly accountId: number;
  readonly keyId: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly start: SessionStart;
  readonly provedAt: number | null;
}

/** The data of a one-time sign-in link. */
export interface LoginLink extends Pick<Session, 'start' | 'provedAt'> {
  readonly digest: Uint8Array;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** Idle timeout of a session, in ms. */
export const idleLifetimeMs = 12 * 3_600_000;
/** Maximum lifetime of a session, in ms. */
export const longestLifetimeMs = 30 * 86_400_000;
const loginLinkLifetimeMs = 30 * 60_000;
/** Maximum number of sessions per key. Starting another session ends the least recently used one. */
export const maxSessionsOfKey = 50;

const tokenShape = /^[\w-]{43}$/;
const loginPrefix = 'lfl_';

/** Generates a session token of 256 random bits. Only its digest is stored. */
function generateToken(randomBytes: RandomBytes): string {
  return randomBytes(32).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Generates a one-time secret. Its prefix distinguishes it from keys and session tokens. */
export function generateSecret(prefix: string, randomBytes: RandomBytes): string {
  return prefix + generateToken(randomBytes);
}

/** Returns true if a token has the form of a secret with this prefix. */
export function couldBeSecret(prefix: string, token: string): boolean {
  return token.startsWith(prefix) && tokenShape.test(token.slice(prefix.length));
}

export function couldBeSession(token: string): boolean {
  return tokenShape.test(token);
}

export function couldBeLogin(token: string): boolean {
  return couldBeSecret(loginPrefix, token);
}

/** Returns when a session expires if it is not used again, ms since the epoch. */
export function endOfSession({ createdAt, lastSeenAt, key }: Session): number {
  const ends = Math.min(createdAt + longestLifetimeMs, lastSeenAt + idleLifetimeMs);
  return key.expiresAt === null ? ends : Math.min(ends, key.expiresAt);
}

/**
 * Finds the session for a token.
 * @throws Failure INVALID_SESSION when the token is malformed or unknown, the session or its key has expired, or the
 * key was revoked
 */
export async function findSession(storage: Storage, token: string, now: number): Promise<Session> {
  const session = couldBeSession(token) ? await storage.findSession(digestOf(token)) : undefined;
  if (session === undefined || session.key.revokedAt !== null || endOfSession(session) <= now)
    throw new Failure('INVALID_SESSION');
  return session;
}

/**
 * Finds the sign-in link for a token, and the link's key.
 * @throws Failure INVALID_LOGIN_LINK when the token is malformed or unknown, the link was used or has expired, or its
 * key is not live
 */
export async function findLogin(
  storage: Storage,
  token: string,
  now: number,
): Promise<Actor & { readonly loginLink: LoginLink }> {
  const loginLink = couldBeLogin(token) ? await storage.findLoginLink(digestOf(token)) : undefined;
  const key = loginLink && (await storage.findKey(loginLink.keyId));
  if (loginLink === undefined || key === undefined || loginLink.expiresAt <= now || !isLive(key, now))
    throw invalidLogin();
  return { ...actorOf(key), loginLink };
}

function invalidLogin(): Failure {
  return new Failure('INVALID_LOGIN_LINK');
}

/**
 * Starts a session, consuming the sign-in link if there is one.
 * @param agent browser and operating system, shown in the session list. Nothing else from the user agent is stored.
 * @throws Failure INVALID_LOGIN_LINK when another browser used the link first
 */
export async function startSession(
  storage: Pick<Storage, 'createSession'>,
  { key, loginLink }: Actor,
  agent: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<{ token: string; session: Session }> {
  const { start, provedAt } = loginLink ?? {};
  const of = { accountId: key.accountId, keyId: key.id, agent, createdAt: now, start, provedAt };
  const { token, row } = createSessionSecret(of, randomBytes);
  if (!(await storage.createSession(row, loginLink?.digest))) throw invalidLogin();
  return { token, session: sessionOf(row, key) };
}

/**
 * Generates a new session for a key. By default, the person has just authenticated with their own credential (`start`
 * is `own`).
 * @returns the token, and the session to store
 */
export function createSessionSecret(
  of: Omit<NewSession, 'id' | 'digest' | 'start' | 'provedAt'> & {
    readonly start?: SessionStart | undefined;
    readonly provedAt?: number | null | undefined;
  },
  randomBytes: RandomBytes,
): { token: string; row: NewSession } {
  const token = generateToken(randomBytes);
  const { start = 'own', provedAt = null } = of;
  return { token, row: { ...of, start, provedAt, id: idText(randomBytes(16)), digest: digestOf(token) } };
}

/** Converts the record of a new session to a session. */
export function sessionOf({ id, agent, createdAt, start, provedAt }: NewSession, key: ApiKey): Session {
  return { id, key, agent, createdAt, lastSeenAt: createdAt, start, provedAt };
}

/**
 * Chooses the key for a sign-in link: the live, unrestricted key with the most scopes; on a tie, the oldest. Ignores
 * keys in suspended accounts.
 * @returns undefined if there is no such key
 */
export function keyForLogin(keys: readonly ApiKey[], now: number): ApiKey | undefined {
  return keys
    .filter((key) => isLive(key, now) && !key.accountSuspended && key.restrictions === undefined)
    .sort((a, b) => b.scopes.length - a.scopes.length || a.createdAt - b.createdAt)
    .at(0);
}

/**
 * Creates a one-time sign-in link.
 * @param begins how a session from this link starts; by default, as if the operator had created the link
 * @param role the role that the member must still have; undefined to skip this check
 * @returns the secret, which is never stored
 */
export async function createLogin(
  storage: Pick<Storage, 'createLoginLink'>,
  keyId: string,
  now: number,
  randomBytes: RandomBytes,
  begins: Pick<Session, 'start' | 'provedAt'> = { start: 'own', provedAt: null },
  role?: Role,
): Promise<{ token: string; expiresAt: number }> {
  const token = generateSecret(loginPrefix, randomBytes);
  const expiresAt = now + loginLinkLifetimeMs;
  await storage.createLoginLink({ digest: digestOf(token), keyId, expiresAt, ...begins }, role);
  return { token, expiresAt };
}
