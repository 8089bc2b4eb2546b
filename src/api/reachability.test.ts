import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordsOf } from '../model/domains/records.ts';
import { reachabilityOf, reachabilityProblem } from './reachability.ts';

const domain = { host: 'go.example.com', token: 'secret' };

for (const [sharedHost, type, reachable, problem] of [
  ['sho.rt', 'CNAME', undefined, null],
  [
    'localhost',
    'CNAME',
    'this-machine',
    /^Set BASE_URL .*: localhost is reachable from this machine only\.$/,
  ],
  ['links.localhost', 'CNAME', 'this-machine', /^Set BASE_URL/],
  ['127.0.0.1', 'A', 'this-machine', /^Set BASE_URL/],
  ['127.9.9.9', 'A', 'this-machine', /^Set BASE_URL/],
  ['0.0.0.0', 'A', 'this-machine', /^Set BASE_URL/],
  ['[::1]', 'AAAA', 'this-machine', /^Set BASE_URL/],
  ['10.0.0.5', 'A', 'private-network', /cannot reach 10\.0\.0\.5, a private address\. Set BASE_URL/],
  ['192.168.1.2', 'A', 'private-network', /private/],
  ['172.16.0.9', 'A', 'private-network', /private/],
  ['169.254.1.1', 'A', 'private-network', /private/],
  ['[fd00::1]', 'AAAA', 'private-network', /private/],
  ['[fe80::1]', 'AAAA', 'private-network', /private/],
  ['203.0.113.9', 'A', undefined, null],
  ['172.32.0.1', 'A', undefined, null],
  ['[2a01:4f8::1]', 'AAAA', undefined, null],
] as const) {
  test(`a domain pointing to ${sharedHost} is reachable from ${reachable ?? 'everywhere'}`, () => {
    const records = recordsOf(domain, sharedHost);
    assert.deepEqual(
      records.map((record) => [record.type, reachabilityOf(record)]),
      [
        ['TXT', undefined],
        [type, reachable],
      ],
    );
    const said = reachabilityProblem(records);
    if (problem === null) assert.equal(said, null);
    else assert.match(said ?? '', problem);
  });
}
