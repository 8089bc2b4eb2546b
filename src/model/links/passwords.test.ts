import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPasswords, isPasswordHash } from './passwords.ts';

describe('hashes of passwords', () => {
  test('a hash is of one password, whichever way its letters are composed, and says its cost', async () => {
    const { hash, isRight } = createPasswords((size) => new Uint8Array(size));
    const stored = await hash(1, 'pässword €');
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.ok(isPasswordHash(stored) && !isPasswordHash('pässword €'));
    assert.equal(await isRight(undefined, 'pa\u0308ssword €', stored), true);
    assert.equal(await isRight(undefined, 'Pässword €', stored), false);
    await assert.rejects(isRight(undefined, 'x', 'plain'), /is no hash/);
  });

  test('one password is hashed at a time, and when many wait the next one is refused', async () => {
    let running = 0;
    let most = 0;
    const { isRight } = createPasswords(
      (size) => new Uint8Array(size),
      async (_algorithm, { message }) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        if (String(message) === 'fault') throw new Error('fault');
        return Buffer.alloc(32);
      },
    );
    const stored = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const tries = ['fault', ...Array.from({ length: 32 }, () => 'any')].map((one) =>
      isRight(undefined, one, stored),
    );
    const settled = await Promise.allSettled(tries);
    assert.equal(most, 1);
    const reasons = settled.map((one) => (one.status === 'rejected' ? (one.reason.code ?? 'fault') : 'done'));
    assert.deepEqual(reasons, ['fault', ...Array.from({ length: 31 }, () => 'done'), 'OVERLOADED']);
    assert.equal(await isRight(undefined, 'any', stored), true);
  });

  test('one address, whose passwords may all be right, and one account leave room for others', async () => {
    const { hash, isRight } = createPasswords(
      (size) => new Uint8Array(size),
      async () => Buffer.alloc(32),
    );
    const stored = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const check = (of: string) => isRight(of, 'any', stored);
    const ways: readonly (() => Promise<unknown>)[] = [() => check('203.0.113.7'), () => hash(1, 'any')];
    for (const many of ways) {
      const tries = Promise.allSettled(Array.from({ length: 12 }, many));
      assert.deepEqual([await check('198.51.100.1'), typeof (await hash(2, 'any'))], [true, 'string']);
      const refused = (await tries).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      assert.deepEqual(refused, Array(4).fill('OVERLOADED'));
      await many();
    }
  });
});
