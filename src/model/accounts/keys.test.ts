import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { anyText } from '../../../test/support/random/any-text.ts';
import { createRandom, randomBytesFrom, runs } from '../../../test/support/random/random.ts';
import { Failure } from '../failures.ts';
import type { Storage } from '../storage.ts';
import { requireScope } from './authority.ts';
import type { StoredKey } from './keys.ts';
import { authenticate, digestOf, generateKey, idInToken, isScope } from './keys.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const token = fc.integer().map((from) => generateKey(randomBytesFrom(createRandom(from))).token);

function storedKey(drawn: { id: string; token: string }, changes: Partial<StoredKey> = {}): StoredKey {
  return {
    id: drawn.id,
    accountId: 1,
    account: 'acme',
    accountSuspended: false,
    name: 'a key',
    plan: 'pro',
    scopes: ['links:read'],
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    digest: digestOf(drawn.token),
    ...changes,
  };
}

function holding(...keys: StoredKey[]): Storage {
  return { findKey: (id: string) => keys.find((key) => key.id === id) } as unknown as Storage;
}

describe('keys', () => {
  test('has the format lfk_, 8 of ID, 30 of secret, 6 of CRC-32 in base 62', () => {
    const { id, token: drawn } = generateKey(randomBytesFrom());
    assert.match(drawn, /^lfk_[0-9A-Za-z]{44}$/);
    assert.equal(drawn.slice(4, 12), id);
    const digits = [...drawn.slice(-6)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
    assert.equal(digits, crc32(drawn.slice(0, -6)));
    assert.equal(idInToken(drawn), id);
  });

  test('stores only the SHA-256 of a key', () => {
    assert.deepEqual(digestOf('lfk_x'), createHash('sha256').update('lfk_x').digest());
  });

  test('rejects a key with any changed character', () => {
    fc.assert(
      fc.property(
        token,
        fc.nat(47),
        fc.constantFrom(...base62, '-', '_', ' ', 'é'),
        (drawn, place, symbol) => {
          fc.pre(drawn[place] !== symbol);
          assert.equal(idInToken(drawn.slice(0, place) + symbol + drawn.slice(place + 1)), undefined);
        },
      ),
      runs(5_000),
    );
  });

  test('rejects a key with two adjacent characters swapped', () => {
    fc.assert(
      fc.property(token, fc.integer({ min: 0, max: 46 }), (drawn, place) => {
        const [left = '', right = ''] = drawn.slice(place, place + 2);
        fc.pre(left !== right);
        assert.equal(idInToken(drawn.slice(0, place) + right + left + drawn.slice(place + 2)), undefined);
      }),
      runs(2_000),
    );
  });

  test('rejects any other text', () => {
    const { token: drawn } = generateKey(randomBytesFrom());
    const others = ['', 'lfk_', drawn.slice(1), drawn.slice(0, -1), `${drawn}0`, ` ${drawn}`, `${drawn}\n`];
    for (const text of [...others, drawn.toUpperCase(), `LFK_${drawn.slice(4)}`, `lfk_${'0'.repeat(44)}`]) {
      assert.equal(idInToken(text), undefined, text);
    }
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), (text) => assert.equal(idInToken(text), undefined)),
      runs(2_000),
    );
  });

  test('authenticate distinguishes valid, malformed, unknown, forged, revoked and expired keys', async () => {
    const bytes = randomBytesFrom();
    const drawn = generateKey(bytes);
    const now = 1_000;
    const outcome = (storage: Storage, presented = drawn.token): Promise<string> =>
      authenticate(storage, presented, now).then(
        (key) => key.id,
        (error: unknown) => (error instanceof Failure ? error.code : String(error)),
      );
    assert.equal(await outcome(holding(storedKey(drawn))), drawn.id);
    assert.equal(await outcome(holding(storedKey(drawn, { expiresAt: now + 1 }))), drawn.id);
    assert.equal(await outcome(holding(storedKey(drawn)), 'nonsense'), 'INVALID_API_KEY');
    assert.equal(await outcome(holding()), 'INVALID_API_KEY');
    assert.equal(await outcome(holding(storedKey(drawn, { revokedAt: 1 }))), 'INVALID_API_KEY');
    assert.equal(await outcome(holding(storedKey(drawn, { expiresAt: now }))), 'EXPIRED_API_KEY');
    assert.equal(
      await outcome(holding(storedKey(drawn, { expiresAt: now, revokedAt: 1 }))),
      'INVALID_API_KEY',
    );
    // A well-formed token with the right ID but a different secret.
    const other = generateKey(bytes);
    assert.equal(await outcome(holding({ ...storedKey(other), id: drawn.id })), 'INVALID_API_KEY');
    const expired = { ...storedKey(other, { expiresAt: 1 }), id: drawn.id };
    assert.equal(
      await outcome(holding(expired)),
      'INVALID_API_KEY',
      'a stranger does not learn that it expired',
    );
  });

  test('never lets one scope imply another; unknown scopes match nothing', () => {
    const key = (...held: string[]) => storedKey(generateKey(randomBytesFrom()), { scopes: held });
    const lacks = (scope: string) => ({
      name: 'Failure',
      code: 'INSUFFICIENT_SCOPE',
      message: new RegExp(scope),
    });
    requireScope(key('links:read'), 'links:read');
    requireScope(key('links:read', 'links:write'), 'links:write');
    assert.throws(() => requireScope(key('links:write'), 'links:read'), lacks('links:read'));
    assert.throws(() => requireScope(key('links:read'), 'links:write'), lacks('links:write'));
    for (const held of [
      'links:*',
      '*',
      'links',
      'LINKS:READ',
      'links:read,links:write',
      ' links:read',
      'admin',
    ]) {
      assert.throws(() => requireScope(key(held), 'links:read'), lacks('links:read'), held);
      assert.equal(isScope(held), false);
    }
  });
});
