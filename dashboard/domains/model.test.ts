import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceFor, type DnsRecord, hostIn, recordState, waitAfter } from './model.ts';

const txt: DnsRecord = {
  purpose: 'ownership',
  type: 'TXT',
  name: '_linkfold.go.example.com',
  value: 'linkfold=abc',
  found: false,
  others: [],
  fault: null,
};
const cname: DnsRecord = {
  ...txt,
  purpose: 'traffic',
  type: 'CNAME',
  name: 'go.example.com',
  value: 'sho.rt',
};
const at = '2027-03-01T08:00:00.000Z';

test('explains what was found for a record and how to fix it', () => {
  const cases: [DnsRecord, string | null, string, string | undefined][] = [
    [txt, null, 'waiting', 'set'],
    [txt, at, 'missing', 'set'],
    [{ ...txt, found: true, others: ['v=spf1 -all'] }, at, 'found', undefined],
    // Other TXT records may exist, so the ownership record still counts as missing.
    [{ ...txt, others: ['v=spf1 -all'] }, at, 'missing', 'set'],
    [{ ...txt, others: ['linkfold=old'] }, at, 'wrong', 'otherProof'],
    [{ ...txt, others: ['"linkfold=abc"'] }, at, 'wrong', 'quoted'],
    [{ ...txt, fault: 'ETIMEOUT' }, at, 'silent', 'silent'],
    [cname, at, 'missing', 'set'],
    [{ ...cname, reachable: 'this-machine' }, at, 'missing', 'this-machine'],
    [{ ...cname, reachable: 'this-machine', found: true }, at, 'found', undefined],
    [{ ...cname, name: 'example.com' }, at, 'missing', 'wholeDomain'],
    [{ ...cname, others: ['shop.example.net', '192.0.2.7'] }, at, 'wrong', 'otherHost'],
    [{ ...cname, others: ['104.21.3.4', '2606:4700::6812:1'] }, at, 'wrong', 'addresses'],
  ];
  for (const [record, checkedAt, state, advice] of cases) {
    const found = recordState(record, checkedAt);
    assert.deepEqual([found, adviceFor(record, found)], [state, advice], JSON.stringify(record));
  }
});

test('parses a host from typed or pasted text', () => {
  for (const [text, host] of [
    ['go.example.com', 'go.example.com'],
    [' HTTPS://Go.Example.com/sale?a=1 ', 'go.example.com'],
    ['go.example.com.', 'go.example.com'],
    ['kürz.example', 'kürz.example'],
    ['xn--krz-hoa.example', 'xn--krz-hoa.example'],
  ] as const)
    assert.equal(hostIn(text), host, text);
  for (const text of [
    '',
    'example',
    'localhost',
    '192.0.2.1',
    '*.example.com',
    'go.example.com:8080',
    'a b.com',
    '-a.com',
  ])
    assert.equal(hostIn(text), undefined, text);
});

test('checks often at first, then at most a minute apart', () => {
  const waits = Array.from({ length: 20 }, (_, checks) => waitAfter(checks));
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
  assert.deepEqual([waits[0], waits.at(-1)], [1_000, 60_000]);
});
