import { Failure } from '../failures.ts';
import { idText, type RandomBytes } from '../ids.ts';
import type { Storage } from '../storage.ts';
import { type Actor, actorOf } from './actors.ts';
import { isLive } from './authority.ts';
import { type ApiKey, digestOf } from './keys.ts';
import type { Role } from './roles.ts';

/**
 * How a session began: by the person's own credential or invitation, by a link that somebody else made for them, who may have
 * opened it in their place, or by a link that they made for themselves.
 */
export type SessionStart = 'own' | 'helped' | 'renewed';

/** A browser that acts with a key that it does not have. It can do what the key can, and ends with it. */
export interface Session {
  readonly id: string;
  readonly key: ApiKey;
  /** Which browser began it, such as `Firefox on Linux`. */
  readonly agent: string;
  readonly createdAt: number;
  /** When it was last used; up to a minute behind. */
  readonly lastSeenAt: number;
  readonly start: SessionStart;
  /** When whoever began it proved who they are, ms since the epoch; null for when it began. */
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

/** What a link to sign in once stands for. */
export interface LoginLink extends Pick<Session, 'start' | 'provedAt'> {
  readonly digest: Uint8Array;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** How long a session lasts without use, ms. */
export const idleLifetimeMs = 12 * 3_600_000;
/** How long it lasts at most, ms. */
export const longestLifetimeMs = 30 * 86_400_000;
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
  const { start, provedAt } = loginLink ?? {};
  const of = { accountId: key.accountId, keyId: key.id, agent, createdAt: now, start, provedAt };
  const { token, row } = drawSession(of, randomBytes);
  if (!(await storage.createSession(row, loginLink?.digest))) throw invalidLogin();
  return { token, session: sessionOf(row, key) };
}

/**
 * Draws a session of a key, which began and proved itself now by the person's own credential unless it is said.
 * @returns what proves it, and what is stored
 */
export function drawSession(
  of: Omit<NewSession, 'id' | 'digest' | 'start' | 'provedAt'> & {
    readonly start?: SessionStart | undefined;
    readonly provedAt?: number | null | undefined;
  },
  randomBytes: RandomBytes,
): { token: string; row: NewSession } {
  const token = drawToken(randomBytes);
  const { start = 'own', provedAt = null } = of;
  return { token, row: { ...of, start, provedAt, id: idText(randomBytes(16)), digest: digestOf(token) } };
}

/** Returns a session that has just begun. */
export function sessionOf({ id, agent, createdAt, start, provedAt }: NewSession, key: ApiKey): Session {
  return { id, key, agent, createdAt, lastSeenAt: createdAt, start, provedAt };
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

/**
 * Makes a link to sign in once.
 * @param begins how its session begins; without it, as the operator makes it
 * @returns what proves it, which is stored nowhere
 */
export async function createLogin(
  storage: Pick<Storage, 'createLoginLink'>,
  keyId: string,
  now: number,
  randomBytes: RandomBytes,
  begins: Pick<Session, 'start' | 'provedAt'> = { start: 'own', provedAt: null },
  role?: Role,
): Promise<{ token: string; expiresAt: number }> {
  const token = drawSecret(loginPrefix, randomBytes);
  const expiresAt = now + loginLinkLifetimeMs;
  await storage.createLoginLink({ digest: digestOf(token), keyId, expiresAt, ...begins }, role);
  return { token, expiresAt };
}
