import crypto, { type Argon2Parameters, createHmac, timingSafeEqual } from 'node:crypto';
import { compareBcrypt, isBcryptHash } from '../../runtime/bcrypt.ts';
import type { RandomBytes } from '../ids.ts';
import { createFairQueue, type Requester } from './fair-queue.ts';

/** How many passwords one request may set: each takes as long as thousands of redirects. */
export const maxPasswords = 20;

/** What OWASP advises for Argon2id. KiB of memory. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,64})\$([\w+/]{22,86})$/;

/** Off the event loop. */
function derive(algorithm: 'argon2id', options: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    crypto.argon2(algorithm, options, (error, tag) => (error === null ? resolve(tag) : reject(error)));
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

/** The bytes that are hashed: the same letters give the same bytes, whichever keyboard they were typed on. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'));
}

/** Returns true for a hash that a link may hold: Argon2id, or bcrypt of an imported link. */
export function isPasswordHash(text: string): boolean {
  return phc.test(text) || isBcryptHash(text);
}

/** Hashes passwords of links, and compares them with hashes: fairly between accounts, links and addresses. */
export interface Passwords {
  /** @returns a PHC string. @throws Failure OVERLOADED when too many wait */
  hash(accountId: number, password: string): Promise<string>;
  /**
   * @param whenDue called when it is this one's turn, as others were checked meanwhile; what it throws refuses
   * @throws Failure OVERLOADED when too many wait
   */
  isRight(of: Requester, password: string, stored: string, whenDue?: () => void): Promise<boolean>;
}

/** Hashes off the event loop, one password at a time: each fills a core and 19 MiB while it is hashed. */
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
        if (memory === undefined) throw new Error('What is stored of a password is no hash.');
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
 * Proves that a visitor has given the password of a link. The key is what is stored of the password: every process
 * has it, and a new password ends all proofs of the old one.
 * @param link its id @param until seconds since the epoch
 */
export function proofOf(link: Uint8Array, stored: string, until: number): string {
  const text = `${Buffer.from(link).toString('hex')} ${until}`;
  return `${until}.${createHmac('sha256', stored).update(text).digest('base64url')}`;
}

/** @param now seconds since the epoch */
export function isProof(proof: string, link: Uint8Array, stored: string, now: number): boolean {
  // Leading zeros would be lost, and what is compared has to be of one length.
  const [, until] = /^([1-9]\d{0,11})\.[\w-]{43}$/.exec(proof) ?? [];
  if (until === undefined || Number(until) <= now) return false;
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(link, stored, Number(until))));
}

type WithPassword = { readonly password?: string | null | undefined };

/** The same with the hash of its password in place of the password. */
export async function withHash<T extends WithPassword>(
  passwords: Passwords,
  accountId: number,
  given: T,
): Promise<T> {
  if (typeof given.password !== 'string') return given;
  return { ...given, password: await passwords.hash(accountId, given.password) };
}
