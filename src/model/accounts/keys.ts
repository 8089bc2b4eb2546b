import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { LinkDomain } from '../domains/hosts.ts';
import { Failure } from '../failures.ts';
import type { RandomBytes } from '../ids.ts';
import { base62, randomSymbols } from '../random-symbols.ts';
import type { Storage } from '../storage.ts';
import type { By } from './authority.ts';
import type { KeyRestrictions, ResolvedRestrictions } from './key-restrictions.ts';
import type { Plan } from './plans.ts';
import type { Role } from './roles.ts';

export interface ApiKey {
  readonly id: string;
  readonly accountId: number;
  readonly account: string;
  readonly accountSuspended: boolean;
  readonly name: string;
  readonly plan: Plan;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** The account's default domain for new links; undefined if the default is the shared domain. */
  readonly domain?: LinkDomain;
  /** Hosts of the account's active domains; undefined if there are none. */
  readonly hosts?: ReadonlySet<string>;
  /** App URL schemes that the account allows; undefined if there are none. */
  readonly appSchemes?: ReadonlySet<string>;
  /** The member who created the key and whose role limits the key; undefined for keys without a member. */
  readonly member?: KeyCreator;
  /**
   * Maximum role: the creator's role at creation. Undefined if the creator was the operator or a key without a maximum.
   */
  readonly ceiling?: Role;
  /** The key restrictions; undefined if the key can use all of the account's links. */
  readonly restrictions?: ResolvedRestrictions;
}

/** The member who created a key. The member's current role limits the key at each use. */
export interface KeyCreator {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether the key is the member's internal key, which is not listed and has no token. */
  readonly isSelf: boolean;
  /** Whether the member is an operator of the installation. True only for the member's internal key. */
  readonly isOperator: boolean;
}

/** A key with the digest of its token. Never leaves the process. */
export interface StoredKey extends ApiKey {
  readonly digest: Uint8Array;
}

/** The new key after a rotation. */
export interface RotatedKey extends ApiKey {
  /** When the old key expires, ms since the epoch. */
  readonly oldExpiresAt: number;
}

export interface NewKey {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly account: string;
  readonly plan: Plan;
  readonly scopes: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Id of the member who creates the key. */
  readonly memberId?: string | undefined;
  /** Maximum role, as in {@link ApiKey}. */
  readonly ceiling?: Role | undefined;
  readonly bounds?: KeyRestrictions | undefined;
}

/** API key scopes (interface document §5.2). No scope implies another scope; an unknown scope grants nothing. */
export const scopes = [
  'links:read',
  'links:write',
  'analytics:read',
  'keys:write',
  'domains:write',
  'people:write',
  'audit:read',
  'webhooks:write',
] as const;
export type Scope = (typeof scopes)[number];

export function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
}

const prefix = 'lfk_';
const idLength = 8;
const secretLength = 30;
const checksumLength = 6;
const shape = /^lfk_[0-9A-Za-z]{44}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * Returns the digest of a token. Keys are stored only as digests. A fast hash is sufficient, because a 178-bit random
 * secret cannot be guessed.
 */
export function digestOf(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/** Generates a key: `lfk_`, an 8-character public id, a 30-character secret and a 6-character CRC-32 (CONTRACT §7). */
export function generateKey(randomBytes: RandomBytes): { id: string; token: string } {
  const id = randomSymbols(idLength, randomBytes);
  const body = prefix + id + randomSymbols(secretLength, randomBytes);
  return { id, token: body + checksum(body) };
}

/** Returns the public id in a well-formed token; undefined for other strings. */
export function idInToken(token: string): string | undefined {
  if (!shape.test(token)) return undefined;
  const body = token.slice(0, -checksumLength);
  return checksum(body) === token.slice(-checksumLength)
    ? body.slice(prefix.length, prefix.length + idLength)
    : undefined;
}

/**
 * Matches possible keys anywhere in a string, because letters may directly precede a leaked key (`Bearer%20lfk_…`, an
 * escaped `\\nlfk_…`). No suffix of a key can start another key, so one pass finds all keys.
 */
export const keyPattern = /lfk_[0-9A-Za-z]{44}/g;

/**
 * Matches possible secrets of keys, sign-in links, invitations, shares, devices, OIDC sign-ins and webhooks, even if
 * they are truncated or in a different case. A word that ends like a prefix, such as `golfs_`, rarely continues with 24
 * more characters.
 */
export const secretPattern = /(?:lf[diklos]|whsec)_[\w+/=-]{24,}/gi;

/** Returns true if a string, such as a request path, contains a possible secret or is a possible session token. */
export function containsSecret(text: string): boolean {
  return text.search(secretPattern) !== -1 || /^[\w-]{43}$/.test(text);
}

/** Length of a key, in characters. */
export const keyLength = prefix.length + idLength + secretLength + checksumLength;

/** Yields every key in a string: the matches of `keyPattern` with a correct checksum. */
export function* keysIn(
  text: string,
): Generator<{ index: number; token: string; id: string }, void, undefined> {
  for (const { 0: token, index } of text.matchAll(keyPattern)) {
    const id = idInToken(token);
    if (id !== undefined) yield { index, token, id };
  }
}

const digestOfNoKey = new Uint8Array(32);

/**
 * Finds the key for a token.
 * @throws Failure INVALID_API_KEY for a malformed, unknown or revoked key, EXPIRED_API_KEY
 */
export async function authenticate(storage: Storage, token: string, now: number): Promise<ApiKey> {
  const id = idInToken(token);
  if (id === undefined) throw invalidKey();
  const key = await storage.findKey(id);
  // Digests are also compared for unknown ids, so that the response time does not reveal whether an id exists.
  const genuine = timingSafeEqual(digestOf(token), key?.digest ?? digestOfNoKey);
  if (key === undefined || !genuine || key.revokedAt !== null) throw invalidKey();
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new Failure('EXPIRED_API_KEY');
  }
  return key;
}

function invalidKey(): Failure {
  return new Failure('INVALID_API_KEY');
}

export function scopeMissing(scope: Scope): Failure {
  return new Failure('INSUFFICIENT_SCOPE', `This API key lacks the scope ${scope}.`);
}

/** Returns the failure for a request with an API key to an endpoint that requires a signed-in member. */
export function memberRequired(): Failure {
  return new Failure(
    'INSUFFICIENT_SCOPE',
    'This request requires a signed-in member. API keys are not accepted.',
  );
}

/** Properties of a new key that the caller chooses. All other properties are generated. */
export type KeyRequest = Omit<NewKey, 'id' | 'digest' | 'createdAt'>;

/**
 * Creates a key, and the account if it is new. The token is returned once and never stored.
 * @param maxLive maximum number of live keys in the account, including the new key; undefined for no limit
 * @throws Failure LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function createKey(
  storage: Pick<Storage, 'createKey'>,
  request: KeyRequest,
  now: number,
  randomBytes: RandomBytes,
  maxLive?: number,
): Promise<{ token: string; key: ApiKey }> {
  const { id, token } = generateKey(randomBytes);
  const key = await storage.createKey({ ...request, id, digest: digestOf(token), createdAt: now }, maxLive);
  return { token, key };
}

/**
 * Rotates a key: creates a new key with the same account, plan, scopes, name and expiry. The old key expires after the
 * grace period, or at its own expiry if that is earlier.
 * @param graceMs how long the old key continues to work, in ms
 * @param by the requester, who must have all of the old key's permissions; undefined for the operator
 * @throws Failure INVALID_API_KEY when the key is unknown, revoked or was already rotated; EXPIRED_API_KEY;
 * INSUFFICIENT_SCOPE, REAUTHENTICATION_REQUIRED
 */
export async function rotateKey(
  storage: Pick<Storage, 'rotateKey'>,
  old: string,
  graceMs: number,
  now: number,
  randomBytes: RandomBytes,
  by?: By,
): Promise<{ token: string; key: RotatedKey }> {
  const { id, token } = generateKey(randomBytes);
  const next = { id, digest: digestOf(token), createdAt: now, oldExpiresAt: now + graceMs };
  return { token, key: await storage.rotateKey(old, next, by) };
}
