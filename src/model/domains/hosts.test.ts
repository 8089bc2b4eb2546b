import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { hostOfHeader } from './hosts.ts';

const hosts: readonly (readonly [string, string])[] = [
  ['go.example.com', 'go.example.com'],
  ['GO.Example.com.:8080', 'go.example.com'],
  ['go.example.com:', 'go.example.com'],
  ['  go.example.com ', 'go.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['a--b.example', 'a--b.example'],
  ['127.0.0.1', ''],
  ['1.2', ''],
  ['a.0x7f', ''],
  ['a.1', ''],
  ['a.1b', 'a.1b'],
  ['[::1]:80', ''],
  ['localhost', ''],
  ['app.localhost', ''],
  ['app.localhost:3000', ''],
  ['single', ''],
  ['', ''],
  ['.example.com', ''],
  ['go..example.com', ''],
  ['-go.example.com', ''],
  ['go-.example.com', ''],
  ['go.example.com-', ''],
  ['go.-example', ''],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  [`${'a'.repeat(64)}.example`, ''],
  [`a.${'b'.repeat(64)}`, ''],
  [`${'a.'.repeat(126)}b`, `${'a.'.repeat(126)}b`],
  [`${'a.'.repeat(126)}bc`, ''],
  ['go_x.example.com', ''],
  ['go.example.com/x', ''],
  ['go.example.com:80:80', ''],
  ['me@go.example.com', ''],
  ['%67o.example.com', ''],
  ['go.exam\tple.com', ''],
];

test('identifies a domain by one normalized form of its host', () => {
  for (const [header, host] of hosts) assert.equal(hostOfHeader(header), host, header);
});

test('agrees with the URL parser on the fast path', () => {
  // A fixed seed, so that failures are reproducible.
  let state = 1;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const pieces = [
    ...'abxn019--...',
    'xn--',
    '0x',
    'example',
    '.com',
    '.localhost',
    'A',
    ':80',
    ' ',
    'ß',
    '_',
  ];
  let plain = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const header = Array.from({ length: 1 + draw(7) }, () => pieces[draw(pieces.length)]).join('');
    // A trailing dot makes `hostOfHeader` use the parser, without changing the result.
    const asked = hostOfHeader(`${header}.`);
    if (header.endsWith('.') || /[:\s]/.test(header)) continue;
    assert.equal(hostOfHeader(header), asked, header);
    if (asked !== '') {
      plain += 1;
      assert.equal(asked, domainToASCII(header), header);
    }
  }
  assert.ok(plain > 1_000, `${plain} hosts`);
});
