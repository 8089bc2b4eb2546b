import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { generateKey } from '../../model/accounts/keys.ts';
import { createLimiter } from '../../model/accounts/limits.ts';
import { isAnonymous } from './authenticate.ts';

const limits = {
  failures: createLimiter(() => 0),
  failureLimit: 2,
  addressOf: ({ headers }: Pick<IncomingMessage, 'headers'>) =>
    headers['x-test-address'] as string | undefined,
};
function isOf(headers: Record<string, string>): boolean {
  return isAnonymous(limits, { headers } as never);
}

test('treats a request without a key, or with malformed key text, as anonymous', () => {
  const { token } = generateKey(randomBytes);
  const other = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  for (const header of ['', 'Bearer', token, `Basic ${token}`, `Bearer ${other}`, `Bearer ${token} ${token}`])
    assert.equal(isOf({ authorization: header }), true, header);
  assert.equal(isOf({}), true);
  assert.equal(isOf({ authorization: `Bearer ${token}` }), false);
  assert.equal(isOf({ authorization: `bearer  ${token} ` }), false);
});

test('treats every request from a rate-limited address as anonymous, even with a valid key', () => {
  const { token } = generateKey(randomBytes);
  const headers = { authorization: `Bearer ${token}`, 'x-test-address': '203.0.113.7' };
  for (const expected of [false, false, true]) {
    assert.equal(isOf(headers), expected);
    limits.failures.take('203.0.113.7', limits.failureLimit);
  }
  assert.equal(isOf({ ...headers, 'x-test-address': '203.0.113.8' }), false);
});
