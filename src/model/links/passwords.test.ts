import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPasswords, isPasswordHash } from './passwords.ts';

const anyone = { group: 1, member: undefined };

describe('password hashes', () => {
  test('verifies one password in any Unicode composition, and stores its cost', async () => {
    const { hash, isRight } = createPasswords((size) => new Uint8Array(size));
    const stored = await hash(1, 'pässword €');
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    assert.ok(isPasswordHash(stored) && !isPasswordHash('pässword €'));
    assert.equal(await isRight(anyone, 'pa\u0308ssword €', stored), true);
    assert.equal(await isRight(anyone, 'Pässword €', stored), false);
    await assert.rejects(isRight(anyone, 'x', 'plain'), /not a valid hash/);
  });

  test('hashes one password at a time, and refuses more when too many wait', async () => {
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
      isRight(anyone, one, stored),
    );
    const settled = await Promise.allSettled(tries);
    assert.equal(most, 1);
    const reasons = settled.map((one) => (one.status === 'rejected' ? (one.reason.code ?? 'fault') : 'done'));
    assert.deepEqual(reasons, ['fault', ...Array.from({ length: 31 }, () => 'done'), 'OVERLOADED']);
    assert.equal(await isRight(anyone, 'any', stored), true);
  });

  test('leaves room for others besides one address with correct passwords and one account', async () => {
    const { hash, isRight } = createPasswords(
      (size) => new Uint8Array(size),
      async () => Buffer.alloc(32),
    );
    const stored = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const check = (member: string) => isRight({ group: 1, member }, 'any', stored);
    const ways: readonly (() => Promise<unknown>)[] = [() => check('203.0.113.7'), () => hash(1, 'any')];
    for (const many of ways) {
      const tries = Promise.allSettled(Array.from({ length: 12 }, many));
      assert.deepEqual([await check('198.51.100.1'), typeof (await hash(2, 'any'))], [true, 'string']);
      const refused = (await tries).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      assert.deepEqual(refused, Array(4).fill('OVERLOADED'));
      await many();
    }
  });

  test('delays and refuses no visitor during many guesses at one or many links', async () => {
    const done: string[] = [];
    const { isRight } = createPasswords(
      (size) => new Uint8Array(size),
      async (_algorithm, { message }) => {
        await new Promise(setImmediate);
        done.push(String(message));
        return Buffer.alloc(32);
      },
    );
    const stored = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const check = (group: number, member: string) =>
      isRight({ group, member }, `${group} ${member}`, stored).catch((error: { code: string }) => error.code);
    const guesses: Promise<unknown>[] = [];
    for (let n = 0; n < 160; n += 1) guesses.push(check(1, `guesser ${n % 20}`));
    const visitors = [check(1, 'visitor'), check(2, 'visitor')];
    assert.deepEqual(await Promise.all(visitors), [true, true]);
    assert.ok(done.indexOf('2 visitor') <= 2, `${done.slice(0, 5)}`);
    const refused = (await Promise.all(guesses)).filter((one) => one === 'OVERLOADED');
    assert.equal(refused.length, 160 - 26, 'twenty addresses do not exhaust the limit of their link');
    for (let link = 0; link < 100; link += 1) guesses.push(check(link, `owner ${link % 25}`));
    assert.equal(await check(200, 'visitor'), true, "an attacker's hundred links do not exhaust the limit");
    await Promise.all(guesses);
  });
});
