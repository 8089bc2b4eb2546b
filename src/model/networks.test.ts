import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetworkMatcher } from './networks.ts';

test('an IPv6 network contains no IPv4 addresses, unless it contains only those', () => {
  const matches = (network: string, ...addresses: readonly string[]) =>
    addresses.map(createNetworkMatcher([network]));
  assert.deepEqual(matches('::/1', '203.0.113.5', '2001:db8::1'), [false, true]);
  assert.deepEqual(matches('::/64', '203.0.113.5', '::1'), [false, true]);
  assert.deepEqual(matches('203.0.113.0/24', '203.0.113.5', '::ffff:cb00:7105'), [true, true]);
  assert.deepEqual(matches('::ffff:203.0.113.0/120', '203.0.113.5', '203.0.114.5'), [true, false]);
  assert.deepEqual(matches('::ffff:203.0.113.5', '203.0.113.5', '203.0.113.6'), [true, false]);
});
