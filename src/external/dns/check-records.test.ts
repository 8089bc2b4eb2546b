import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type DnsServer, startDns } from '../../../test/support/dns/dns-server.ts';
import { type DomainRecord, recordsOf } from '../../model/domains/records.ts';
import { createRecordChecker } from './check-records.ts';

const records = recordsOf({ host: 'go.example.com', token: 'secret' }, 'short.example.net');
const [ownership, traffic] = records as [DomainRecord, DomainRecord];
const right = { isRight: true, others: [] };

let resolver: DnsServer;
let authority: DnsServer;
before(async () => {
  [resolver, authority] = [await startDns(), await startDns()];
});
beforeEach(() => {
  for (const server of [resolver, authority])
    Object.assign(server, { zone: {}, mood: 'well', delayMs: 0 }).asked.length = 0;
});
after(() => Promise.all([resolver.close(), authority.close()]));

const check = () =>
  createRecordChecker({
    servers: [resolver.address],
    authorityPort: authority.port,
    mayAsk: (address) => address === '127.0.0.1',
    timeoutMs: 200,
  })(records);

test('finds each existing record', async () => {
  resolver.zone = { [ownership.name]: { TXT: ['v=spf1 -all', ownership.value] } };
  assert.deepEqual(await check(), [
    { isRight: true, others: ['v=spf1 -all'] },
    { isRight: false, others: [] },
  ]);
  resolver.zone = { [traffic.name]: { CNAME: ['Short.example.NET'] } };
  assert.deepEqual(await check(), [{ isRight: false, others: [] }, right]);
});

test('reports wrong values', async () => {
  resolver.zone = {
    [ownership.name]: { TXT: ['linkfold=other'] },
    [traffic.name]: { CNAME: ['shop.example.org'] },
    'shop.example.org': { A: ['192.0.2.7'] },
  };
  const [first, second] = await check();
  assert.deepEqual(first, { isRight: false, others: ['linkfold=other'] });
  assert.equal(second?.isRight, false);
  assert.ok(second?.others.includes('shop.example.org'));
});

test('accepts the same addresses as well as a CNAME', async () => {
  resolver.zone = {
    'go.example.com': { A: ['192.0.2.1'] },
    'short.example.net': { A: ['192.0.2.9', '192.0.2.1'] },
  };
  assert.deepEqual((await check())[1], right);
  resolver.zone['short.example.net'] = { A: ['192.0.2.9'] };
  assert.deepEqual((await check())[1], { isRight: false, others: ['192.0.2.1'] });
});

const delegation = { 'example.com': { NS: ['ns.example.com'] }, 'ns.example.com': { A: ['127.0.0.1'] } };
const apex = { 'example.com': { SOA: ['ns.example.com'] } };

test("trusts the zone's name servers over a poisoned or stale resolver", async () => {
  resolver.zone = { ...delegation, [ownership.name]: { TXT: [ownership.value] } };
  authority.zone = apex;
  assert.equal((await check())[0]?.isRight, false, 'poisoned');
  resolver.zone = delegation;
  authority.zone = { ...apex, [ownership.name]: { TXT: [ownership.value] } };
  assert.equal((await check())[0]?.isRight, true, 'the resolver still caches the missing record');
  // The ownership record's name has a CNAME that points to another zone. Only the resolver follows the CNAME.
  authority.zone = { ...apex, [ownership.name]: { CNAME: ['proofs.example.net'] } };
  resolver.zone = { ...delegation, [ownership.name]: { TXT: [ownership.value] } };
  assert.equal((await check())[0]?.isRight, true, 'delegated');
  for (const mood of ['refused', 'fault', 'silent', 'lame'] as const) {
    authority.mode = mood;
    assert.equal((await check())[0]?.isRight, true, `${mood}: the resolver's response counts`);
  }
});

test('does not verify a host through the owner of its CNAME target', async () => {
  resolver.zone = {
    'go.example.com': { CNAME: ['parked.example.net'] },
    'parked.example.net': { NS: ['ns.parked.example.net'] },
    'ns.parked.example.net': { A: ['127.0.0.1'] },
  };
  const stranger = { 'go.example.com': { SOA: ['ns.parked.example.net'] } };
  authority.zone = { ...stranger, [ownership.name]: { TXT: [ownership.value] } };
  assert.equal((await check())[0]?.isRight, false);
  assert.ok(!authority.asked.includes(`TXT ${ownership.name}`));
});

test('waits for a slow response', async () => {
  resolver.zone = { [ownership.name]: { TXT: [ownership.value] } };
  resolver.delayMs = 100;
  assert.equal((await check())[0]?.isRight, true);
});

test('verifies nothing if name servers fail or are silent, and reports it', async () => {
  for (const [mood, fault] of [
    ['refused', 'EREFUSED'],
    ['fault', 'ESERVFAIL'],
    ['silent', 'ETIMEOUT'],
  ] as const) {
    resolver.mode = mood;
    assert.deepEqual((await check())[0], { isRight: false, others: [], fault }, mood);
  }
});

test('does not query name servers in private networks', async () => {
  resolver.zone = { 'example.com': { NS: ['ns.example.com'] }, 'ns.example.com': { A: ['127.0.0.1'] } };
  await createRecordChecker({ servers: [resolver.address], authorityPort: authority.port, timeoutMs: 200 })(
    records,
  );
  assert.deepEqual(authority.asked, []);
});
