import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { LinkDomain } from '../domains/hosts.ts';
import { drawSymbols } from '../drawn-symbols.ts';
import { Failure } from '../failures.ts';
import type { RandomBytes } from '../ids.ts';
import type { Storage } from '../storage.ts';
import type { By } from './authority.ts';
import type { Plan } from './plans.ts';
import type { Bounds, Reach } from './reach.ts';
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
  /** Where it makes links that name no domain: the account's default one; absent while that is the shared one. */
  readonly domain?: LinkDomain;
  /** Hosts of the account's own domains that serve; absent for none. */
  readonly hosts?: ReadonlySet<string>;
  /** The person that made it, whose role bounds it; absent for a key of nobody. */
  readonly member?: Maker;
  /** The role that it never exceeds: that of its giver when it was created. Absent for a key of the operator, or made by such a key. */
  readonly ceiling?: Role;
  /** The part of the links that it is bound to; absent for all of the account. */
  readonly reach?: Reach;
}

/** A person whose role bounds what a key can do, at each use. */
export interface Maker {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether this is the key by which the person acts: it is in no list, and nobody has it. */
  readonly isSelf: boolean;
  /** Whether it acts for an operator of the installation; no key that a person made does. */
  readonly isOperator: boolean;
}

/** A key with the digest that proves it. Never leaves the process. */
export interface StoredKey extends ApiKey {
  readonly digest: Uint8Array;
}

/** A key that has replaced another one. */
export interface RotatedKey extends ApiKey {
  /** When the other one ends, ms since the epoch. */
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
  /** The id of the person that makes it. */
  readonly memberId?: string | undefined;
  /** The role that it never exceeds. */
  readonly ceiling?: Role | undefined;
  readonly bounds?: Bounds | undefined;
}

/** Scopes a key can carry (document §5.2). None implies another; an unknown scope matches nothing. */
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

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
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

/** The only form of a key that is stored. Fast on purpose: a 178-bit random secret cannot be guessed. */
export function digestOf(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/** Draws a key: `lfk_`, 8 symbols of public id, 30 of secret, 6 of CRC-32 (CONTRACT §7). */
export function drawKey(randomBytes: RandomBytes): { id: string; token: string } {
  const id = drawSymbols(idLength, randomBytes);
  const body = prefix + id + drawSymbols(secretLength, randomBytes);
  return { id, token: body + checksum(body) };
}

/** The public id inside a well-formed token, or undefined for anything that cannot be one of our keys. */
export function idInToken(token: string): string | undefined {
  if (!shape.test(token)) return undefined;
  const body = token.slice(0, -checksumLength);
  return checksum(body) === token.slice(-checksumLength)
    ? body.slice(prefix.length, prefix.length + idLength)
    : undefined;
}

/**
 * What looks like a key, with any characters before and behind it: a leaked key may touch letters (`Bearer%20lfk_…`, an
 * escaped `\\nlfk_…`). No part of a key could begin another one, so one pass over a text is enough.
 */
export const keyPattern = /lfk_[0-9A-Za-z]{44}/g;

/**
 * What looks like one of our secrets, also when it is cut short or in another case: of a key, a sign-in link, an invitation, a
 * share, a device, a sign-in at a provider, a webhook. Words that end so, such as `golfs_`, are shorter.
 */
export const secretPattern = /(?:lf[diklos]|whsec)_[\w+/=-]{24,}/gi;

/** Returns true if a text, such as the path of a request, holds one of our secrets or could be the token of a session. */
export function holdsSecret(text: string): boolean {
  return text.search(secretPattern) !== -1 || /^[\w-]{43}$/.test(text);
}

/** Length of a key, in characters. */
export const keyLength = prefix.length + idLength + secretLength + checksumLength;

/** Every key in a text: what looks like one and has the right checksum. */
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
 * Finds the key of a token.
 * @throws Failure INVALID_API_KEY for a malformed, unknown or revoked key, EXPIRED_API_KEY
 */
export async function authenticate(storage: Storage, token: string, now: number): Promise<ApiKey> {
  const id = idInToken(token);
  if (id === undefined) throw invalidKey();
  const key = await storage.findKey(id);
  // An unknown id costs the same comparison, so that the time of the answer tells nothing.
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

/** To a key, where only a person who is signed in may ask. */
export function onlyForPeople(): Failure {
  return new Failure('INSUFFICIENT_SCOPE', 'This is for a person who is signed in; a key is nobody.');
}

/** The operator's choices for a new key. */
export interface KeyRequest {
  readonly account: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
  readonly name: string;
  readonly expiresAt: number | null;
  readonly memberId?: string | undefined;
  readonly ceiling?: Role | undefined;
  readonly bounds?: Bounds | undefined;
}

/**
 * Makes a key, and the account when it is new. The token is returned once and stored nowhere.
 * @param maxLive most live keys of the account with this one; undefined for no limit
 * @throws Failure LIMIT_REACHED, DOMAIN_NOT_FOUND, FOLDER_NOT_FOUND
 */
export async function createKey(
  storage: Pick<Storage, 'createKey'>,
  request: KeyRequest,
  now: number,
  randomBytes: RandomBytes,
  maxLive?: number,
): Promise<{ token: string; key: ApiKey }> {
  const { id, token } = drawKey(randomBytes);
  const key = await storage.createKey({ ...request, id, digest: digestOf(token), createdAt: now }, maxLive);
  return { token, key };
}

/**
 * Replaces a key: the new one has the same account, plan, scopes, name and expiry; the old one ends after the grace, or
 * at its own expiry when that is earlier.
 * @param graceMs how long the old key still works, ms
 * @param by who asks for it, and must have all that the old key has; undefined for the operator
 * @throws Failure INVALID_API_KEY when it is unknown, revoked or was rotated already; EXPIRED_API_KEY; INSUFFICIENT_SCOPE,
 *   REAUTHENTICATION_REQUIRED
 */
export async function rotateKey(
  storage: Pick<Storage, 'rotateKey'>,
  old: string,
  graceMs: number,
  now: number,
  randomBytes: RandomBytes,
  by?: By,
): Promise<{ token: string; key: RotatedKey }> {
  const { id, token } = drawKey(randomBytes);
  const next = { id, digest: digestOf(token), createdAt: now, oldExpiresAt: now + graceMs };
  return { token, key: await storage.rotateKey(old, next, by) };
}
