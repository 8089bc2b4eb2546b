import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { ipv4Of } from './ipv4.ts';

test('converts an address to its number', () => {
  assert.equal(ipv4Of('0.0.0.0'), 0);
  assert.equal(ipv4Of('1.2.3.4'), 0x01020304);
  assert.equal(ipv4Of('255.255.255.255'), 2 ** 32 - 1);
});

test('accepts the same IPv4 addresses as Node', () => {
  const nearly = fc
    .array(fc.constantFrom('0', '1', '9', '25', '255', '256', '.', '.', '.', ':', ' '), { maxLength: 9 })
    .map((parts) => parts.join(''));
  const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', ' 1'));
  const dotted = fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.oneof(nearly, dotted), (text) => assert.equal(ipv4Of(text) >= 0, isIPv4(text), text)),
    { numRuns: 2_000 },
  );
});
