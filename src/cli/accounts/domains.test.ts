import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type DnsServer, startDns } from '../../../test/support/dns/dns-server.ts';
import { good, json, run } from '../../../test/support/server/command-line.ts';
import { call, type Server, startServer } from '../../../test/support/server/server.ts';
import { openStorage } from '../../storage/open.ts';

let dns: DnsServer;
let server: Server;
let env: Record<string, string>;
before(async () => {
  dns = await startDns();
  server = await startServer({ DNS_SERVERS: dns.address });
  env = { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: (await server.newKey()).key };
});
after(async () => {
  await server.stop();
  await dns.close();
});

test('adds a domain, verifies it, and creates a link there; commands accept host and code', async () => {
  const host = 'go.example.com';
  const { port } = new URL(server.url);
  const added = await run(['domains', 'create', host], { env });
  assert.match(added.out, /^missing {2}TXT {4}_linkfold\.go\.example\.com {2}linkfold=\w+\n$/);
  assert.match(
    added.err,
    /Set BASE_URL to the public address of this server first: 127\.0\.0\.1 is reachable/,
  );
  const early = await run(['shorten', 'https://example.com/', '--domain', host], { env });
  assert.deepEqual([early.code, early.out], [1, '']);
  assert.match(early.err, /go\.example\.com is not verified yet. Add its DNS records, then verify it\./);
  dns.zone[`_linkfold.${host}`] = { TXT: ['linkfold=other'] };
  const wrong = await run(['domains', 'verify', host], { env });
  assert.match(wrong.out, /^wrong {4}TXT .*\n$/);
  assert.match(wrong.err, /found instead: linkfold=other\n/);
  const { records } = await json(['domains', 'get', host], { env });
  assert.deepEqual(
    records.map((record: { type: string; reachable?: string }) => [record.type, record.reachable]),
    [
      ['TXT', undefined],
      ['A', 'this-machine'],
    ],
  );
  for (const { type, name, value } of records) dns.zone[name] = { [type]: [value] };
  assert.match(await good(['domains', 'verify', 'GO.example.com'], { env }), /^found .*\nfound /);
  const file = join(server.dataDir, 'assetlinks.json');
  writeFileSync(file, '[{"relation":[]}]');
  const settings = ['--default', '--root-url', 'https://example.com/', '--asset-links', file];
  await good(['domains', 'update', host, ...settings], { env });
  const links = { headers: { host } };
  assert.deepEqual((await call(server, 'GET', '/.well-known/assetlinks.json', links)).json, [
    { relation: [] },
  ]);
  writeFileSync(file, '[');
  const broken = await run(['domains', 'update', host, '--asset-links', file], { env });
  assert.deepEqual([broken.code, /is not valid JSON/.test(broken.err)], [2, true]);
  const [listed] = (await json(['domains', 'list'], { env })).filter(
    (one: { host: string }) => one.host === host,
  );
  assert.deepEqual(
    [listed.status, listed.isDefault, listed.rootUrl],
    ['active', true, 'https://example.com/'],
  );

  const short = `http://${host}:${port}`;
  const made = await good(['shorten', 'https://example.com/', '--code', 'sale'], { env });
  assert.equal(made.trim(), `${short}/sale`);
  await good(['shorten', 'https://example.com/', '--code', 'sale', '--domain', '127.0.0.1'], { env });
  const showing = async (name: string): Promise<string> =>
    (await json(['links', 'get', name], { env })).shortUrl;
  assert.equal(await showing(`${host}/sale`), `${short}/sale`);
  assert.equal(await showing('sale'), `${short}/sale`, 'on the default one');
  assert.equal(await showing(`${server.url}/sale`), `${server.url}/sale`);
  const args = ['links', 'update', `${host}/sale`, '--code', 'summer'];
  assert.equal((await json([...args, '--domain', '127.0.0.1'], { env })).shortUrl, `${server.url}/summer`);
  assert.deepEqual(await json(['links', 'unalias', `${host}/sale`], { env }), { removed: 'sale' });
  const alias = ['links', 'alias', `${server.url}/summer`, 'autumn', '--domain', host];
  assert.equal((await good(alias, { env })).trim(), `${short}/autumn`);
  const refused = await run(['domains', 'delete', host], { env });
  assert.deepEqual(
    [refused.code, /is in use: delete its links or move them to another domain first/.test(refused.err)],
    [1, true],
  );
  await good(['links', 'unalias', `${host}/autumn`], { env });
  await good(['domains', 'delete', host], { env });
  assert.equal((await json(['domains', 'list'], { env })).length, 1);
});

test('verifies a domain without DNS for the operator', async () => {
  const { account, key } = await server.newKey();
  const host = 'proven.example.com';
  await server.command('domains', 'create', host, '--account', account, '--proven');
  const show = () => json(['domains', 'get', host], { env: { ...env, LINKFOLD_API_KEY: key } });
  assert.equal((await show()).status, 'active');
  // The host gets a new owner, who verifies it for another account.
  const other = await server.newKey();
  await server.command('domains', 'release', host.toUpperCase());
  await assert.rejects(server.command('domains', 'release', host), /No account has verified/);
  const released = await show();
  assert.deepEqual(
    [released.status, released.records.length],
    ['pending', 2],
    'only DNS verification restores it',
  );
  await good(['domains', 'verify', host], { env: { ...env, LINKFOLD_API_KEY: key } });
  assert.equal((await show()).status, 'pending');
  await server.command('domains', 'create', host, '--account', other.account, '--proven');
  const theirs = { env: { ...env, LINKFOLD_API_KEY: other.key } };
  assert.equal((await json(['domains', 'get', host], theirs)).status, 'active');
});

test('lists certificates and renews existing ones', async () => {
  assert.deepEqual(JSON.parse(await server.command('certificates', 'list', '--json')), []);
  const storage = await openStorage(`sqlite:${join(server.dataDir, 'linkfold.db')}`);
  const [host, by] = ['go.brand.test', 'a process'];
  try {
    await storage.claimCertificate(host, by, 1, 2, false);
    const failed = { dueAt: 4_000_000_000_000, failures: 3, problem: 'dns: no such host' };
    await storage.saveCertificateResult(host, by, { ...failed, expiresAt: 2_000_000_000_000 });
    const [listed] = JSON.parse(await server.command('certificates', 'list', '--json'));
    assert.deepEqual(
      [listed.host, listed.validUntil, listed.failures, listed.problem],
      [host, '2033-05-18T03:33:20.000Z', 3, failed.problem],
    );
    await assert.rejects(
      server.command('certificates', 'renew', 'other.brand.test'),
      /No certificate was ever/,
    );
    await server.command('certificates', 'renew', host.toUpperCase());
    assert.deepEqual(await storage.dueCertificates(Date.now(), 9), [host]);
  } finally {
    await storage.close();
  }
  await assert.rejects(
    server.command('domains', 'create', host, '--account', 'nobody', '--proven'),
    /nobody/,
  );
});
