import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { coversHost, digestOfHost, hostsInLine } from './host-lists.ts';

describe('hosts in block lists', () => {
  const lines: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['', []],
    ['# a comment', []],
    ['! a comment of an ad blocker', []],
    ['[Adblock Plus 2.0]', []],
    ['evil.example', ['evil.example']],
    ['  EVIL.Example.  # why', ['evil.example']],
    ['*.evil.example', ['evil.example']],
    ['.evil.example', ['evil.example']],
    ['||evil.example^', ['evil.example']],
    ['https://evil.example/', ['evil.example']],
    ['http://evil.example', ['evil.example']],
    ['bücher.example', ['xn--bcher-kva.example']],
    ['192.0.2.1', ['192.0.2.1']],
    ['[2001:DB8::1]', ['[2001:db8::1]']],
    ['0.0.0.0 evil.example other.example', ['evil.example', 'other.example']],
    ['127.0.0.1\tevil.example', ['evil.example']],
    ['127.0.0.1 localhost', []],
    ['::1 ip6-localhost localhost', []],
    ['0.0.0.0 0.0.0.0', []],
    // A rule for a page, a port or an ad blocker option must not block a whole host.
    ['https://evil.example/page', undefined],
    ['https://evil.example/?q', undefined],
    ['||evil.example^$third-party', undefined],
    ['||evil.example/page', undefined],
    ['evil.example:8080', undefined],
    // A whole top-level domain is a mistake in the list.
    ['com', undefined],
    ['*.*.example', undefined],
    ['evil.example some words', undefined],
    ['x'.repeat(2_000), undefined],
  ];
  for (const [line, hosts] of lines) {
    test(JSON.stringify(line.slice(0, 60)), () => assert.deepEqual(hostsInLine(line), hosts));
  }

  test("covers an entry's host and every subdomain, but no other host", () => {
    const others = Array.from({ length: 1_000 }, (_, n) => `host-${n}.example`);
    const digests = BigUint64Array.from(
      ['evil.example', '192.0.2.1', '[2001:db8::1]', ...others],
      digestOfHost,
    ).sort();
    for (const host of ['evil.example', 'www.evil.example', 'a.b.evil.example', '192.0.2.1', '[2001:db8::1]'])
      assert.equal(coversHost(digests, host), true, host);
    for (const host of others) assert.equal(coversHost(digests, `x.${host}`), true, host);
    for (const host of ['example', 'notevil.example', 'evil.example.org', '1.192.0.2', '192.0.2.10', ''])
      assert.equal(coversHost(digests, host), false, host);
    assert.equal(coversHost(new BigUint64Array(), 'evil.example'), false);
  });

  test('parses a hostile line in linear time', () => {
    for (const line of [`${'.'.repeat(900)}`, `||${'a'.repeat(900)}`, `https://${'a.'.repeat(450)}/`]) {
      const began = performance.now();
      for (let n = 0; n < 100; n += 1) hostsInLine(line);
      assert.ok(performance.now() - began < 5_000, line.slice(0, 20));
    }
  });
});
