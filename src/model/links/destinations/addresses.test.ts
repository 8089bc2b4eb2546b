import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { words } from '../../../../test/support/words.ts';
import { isPrivateAddress, isSpecialAddress } from './addresses.ts';

describe('addresses', () => {
  const privateOnes = words(`
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.0.1 172.16.0.1 172.31.255.255 192.168.0.1 198.18.0.1
    198.19.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 0:0:0:0:0:0:0:1 ::ffff:10.0.0.1 ::ffff:7f00:1
    ::FFFF:C0A8:1 ::127.0.0.1 64:ff9b::10.0.0.1 fc00:: fdff::1 fe80::1 FEBF::1 ff02::1
  `);
  const publicOnes = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '169.253.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2001:db8::1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    'fc::1',
    '1::',
    '::1:0:0:0',
    'example.com',
    '',
    'localhost',
  ];
  /** Visitors may have these addresses, so rate limits apply to them. Destinations must not use them. */
  const specialOnes = words(`
    192.0.0.1 192.0.0.255 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.255 2002:7f00:1:: 2002:c0a8:101::1
    ::ffff:0:7f00:1 ::ffff:0:10.0.0.1 64:ff9b:1::7f00:1 64:ff9b:1:ffff::1 2001:0:7f00:1:: 2001::1
    2001:1ff:ffff::1 2001:db8::1 3fff:fff::1 100::1 100:0:0:1::1 5f00::1 5f00:ffff::1
  `);
  const reachableOnes = words(`
    192.0.1.1 192.0.3.1 192.88.98.1 192.88.100.1 198.51.99.1 203.0.112.1 203.0.114.1 2002:808:808::1
    ::ffff:0:8.8.8.8 64:ff9b:2::1 2001:200::1 2001:db9::1 3fff:1000::1 100:0:0:2::1 5f01::1 2606:4700::1111
    1.1.1.1
  `);
  for (const address of privateOnes) {
    test(`${address} is private`, () => {
      assert.equal(isPrivateAddress(address), true);
      assert.equal(isSpecialAddress(address), true);
    });
  }
  for (const address of publicOnes) {
    test(`${address} is not private`, () => assert.equal(isPrivateAddress(address), false));
  }
  for (const address of specialOnes) {
    test(`${address} is special but not private`, () => {
      assert.equal(isSpecialAddress(address), true);
      assert.equal(isPrivateAddress(address), false);
    });
  }
  for (const address of reachableOnes) {
    test(`${address} is reachable`, () => assert.equal(isSpecialAddress(address), false));
  }
});
