import crypto, { type Argon2Parameters, createHmac, timingSafeEqual } from 'node:crypto';
import { compareBcrypt, isBcryptHash } from '../../runtime/bcrypt.ts';
import type { RandomBytes } from '../ids.ts';
import { createFairQueue, type Requester } from './fair-queue.ts';

/** Maximum number of passwords that a request may set. Hashing one password takes as long as thousands of redirects. */
export const maxPasswords = 20;

/** Argon2id parameters that OWASP recommends. `memory` is in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,64})\$([\w+/]{22,86})$/;

/** Derives a hash in Node's thread pool, outside the event loop. */
function derive(algorithm: 'argon2id', options: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    crypto.argon2(algorithm, options, (error, tag) => (error === null ? resolve(tag) : reject(error)));
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

/** Returns the bytes to hash. Normalizes to NFC, so that the same letters give the same bytes on every keyboard. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'));
}

/** Returns true for a hash that a link may have: Argon2id, or bcrypt for an imported link. */
export function isPasswordHash(text: string): boolean {
  return phc.test(text) || isBcryptHash(text);
}

/** Hashes and verifies link passwords, with a queue that is fair between accounts, links and IP addresses. */
export interface Passwords {
  /** @returns a PHC string. @throws Failure OVERLOADED when the queue is full */
  hash(accountId: number, password: string): Promise<string>;
  /**
   * Verifies a password.
   * @param whenDue called when the attempt leaves the queue, to recheck the number of failed attempts. If `whenDue`
   * throws, the password is not checked
   * @throws Failure OVERLOADED when the queue is full
   */
  isRight(of: Requester, password: string, stored: string, whenDue?: () => void): Promise<boolean>;
}

/** Hashes one password at a time, outside the event loop, because each hash takes one core and 19 MiB. */
export function createPasswords(randomBytes: RandomBytes, compute: typeof derive = derive): Passwords {
  const inTurn = createFairQueue();
  return {
    hash: (accountId, password) =>
      inTurn({ group: accountId, member: String(accountId) }, async () => {
        const nonce = Buffer.from(randomBytes(saltBytes));
        const options = { message: bytesOf(password), nonce, tagLength: tagBytes, ...cost };
        const tag = await compute('argon2id', options);
        const { memory, passes, parallelism } = cost;
        return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
      }),
    isRight: (of, password, stored, whenDue) =>
      inTurn(of, async () => {
        whenDue?.();
        if (isBcryptHash(stored)) return compareBcrypt(password, stored);
        const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(stored) ?? [];
        if (memory === undefined) throw new Error('The stored password is not a valid hash.');
        const expected = Buffer.from(tag, 'base64');
        const actual = await compute('argon2id', {
          message: bytesOf(password),
          nonce: Buffer.from(salt, 'base64'),
          tagLength: expected.length,
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
        });
        return timingSafeEqual(actual, expected);
      }),
  };
}

/**
 * Returns a cookie value that proves that a visitor entered a link's password. The HMAC key is the stored password
 * hash, which every process has. Changing the password invalidates all previous proofs.
 * @param link the link's id
 * @param until expiry in seconds since the epoch
 */
export function proofOf(link: Uint8Array, stored: string, until: number): string {
  const text = `${Buffer.from(link).toString('hex')} ${until}`;
  return `${until}.${createHmac('sha256', stored).update(text).digest('base64url')}`;
}

/** @param now seconds since the epoch */
export function isValidProof(proof: string, link: Uint8Array, stored: string, now: number): boolean {
  // Leading zeros are rejected: converting to a number drops them, but `timingSafeEqual` requires equal lengths.
  const [, until] = /^([1-9]\d{0,11})\.[\w-]{43}$/.exec(proof) ?? [];
  if (until === undefined || Number(until) <= now) return false;
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(link, stored, Number(until))));
}

type WithPassword = { readonly password?: string | null | undefined };

/** Replaces the password in an input with the password hash. */
export async function withHashedPassword<T extends WithPassword>(
  passwords: Passwords,
  accountId: number,
  given: T,
): Promise<T> {
  if (typeof given.password !== 'string') return given;
  return { ...given, password: await passwords.hash(accountId, given.password) };
}
