import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choosesExpiry, expiryOfNewLink, isPlan, plans } from './plans.ts';

describe('plans', () => {
  const createdAt = Date.parse('2027-03-13T12:34:56.789Z');

  test('knows four plans, lowest first, and no others', () => {
    assert.deepEqual([...plans], ['free', 'starter', 'pro', 'enterprise']);
    for (const word of ['Free', 'FREE', '', 'basic', 'free ', '__proto__', 'constructor']) {
      assert.equal(isPlan(word), false, word);
    }
    for (const plan of plans) assert.ok(isPlan(plan));
  });

  test('expires links on Free 15 days of 86,400,000 ms after creation, whatever expiry was requested', () => {
    for (const wished of [null, createdAt + 1, createdAt - 1, createdAt + 10 ** 12]) {
      assert.equal(expiryOfNewLink('free', createdAt, wished), createdAt + 1_296_000_000);
    }
    const expiry = expiryOfNewLink('free', createdAt, null) ?? 0;
    assert.equal(new Date(expiry).toISOString(), '2027-03-28T12:34:56.789Z');
  });

  test('uses the requested expiry on Starter and higher', () => {
    for (const plan of ['starter', 'pro', 'enterprise'] as const) {
      assert.ok(choosesExpiry(plan));
      assert.equal(expiryOfNewLink(plan, createdAt, null), null);
      assert.equal(expiryOfNewLink(plan, createdAt, createdAt + 5), createdAt + 5);
    }
    assert.equal(choosesExpiry('free'), false);
  });
});
