import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DnsServer, startDns } from '../../../test/support/dns/dns-server.ts';
import { good, json, run } from '../../../test/support/server/command-line.ts';
import { type Server, startServer } from '../../../test/support/server/server.ts';

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

test('a domain from its records to a link there, which commands name by host and code', async () => {
  const host = 'go.example.com';
  const { port } = new URL(server.url);
  const lines = (await good(['domains', 'add', host], { env })).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(/ +/).slice(0, 3)),
    [
      ['missing', 'TXT', `_linkfold.${host}`],
      ['missing', 'A', host],
    ],
  );
  const early = await run(['links', 'shorten', 'https://example.com/', '--domain', host], { env });
  assert.deepEqual([early.code, early.out], [1, '']);
  assert.match(early.err, /go\.example\.com is not proven yet: set its DNS records and verify it\./);
  for (const line of lines) {
    const [, type = '', name = '', value = ''] = line.split(/ +/);
    dns.zone[name] = { [type]: [value] };
  }
  assert.match(await good(['domains', 'verify', 'GO.example.com'], { env }), /^found .*\nfound /);
  await good(['domains', 'set', host, '--default', '--root-url', 'https://example.com/'], { env });
  const [listed] = (await json(['domains', 'list'], { env })).filter(
    (one: { host: string }) => one.host === host,
  );
  assert.deepEqual(
    [listed.status, listed.isDefault, listed.rootUrl],
    ['active', true, 'https://example.com/'],
  );

  const short = `http://${host}:${port}`;
  const made = await good(['links', 'shorten', 'https://example.com/', '--code', 'sale'], { env });
  assert.equal(made.trim(), `${short}/sale`);
  await good(['links', 'shorten', 'https://example.com/', '--code', 'sale', '--domain', '127.0.0.1'], {
    env,
  });
  const showing = async (name: string): Promise<string> =>
    (await json(['links', 'show', name], { env })).shortUrl;
  assert.equal(await showing(`${host}/sale`), `${short}/sale`);
  assert.equal(await showing('sale'), `${short}/sale`, 'on the default one');
  assert.equal(await showing(`${server.url}/sale`), `${server.url}/sale`);
  const args = ['links', 'update', `${host}/sale`, '--code', 'summer'];
  assert.equal((await json([...args, '--domain', '127.0.0.1'], { env })).shortUrl, `${server.url}/summer`);
  assert.deepEqual(await json(['links', 'unalias', `${host}/sale`], { env }), { removed: 'sale' });
  const alias = ['links', 'alias', `${server.url}/summer`, 'autumn', '--domain', host];
  assert.equal((await good(alias, { env })).trim(), `${short}/autumn`);
  const refused = await run(['domains', 'rm', host], { env });
  assert.deepEqual([refused.code, /is in use: delete its links first/.test(refused.err)], [1, true]);
  await good(['links', 'unalias', `${host}/autumn`], { env });
  await good(['domains', 'rm', host], { env });
  assert.equal((await json(['domains', 'list'], { env })).length, 1);
});

test('an operator proves a domain without DNS', async () => {
  const { account, key } = await server.newKey();
  const host = 'proven.example.com';
  await server.command('domains', 'add', host, '--account', account, '--proven');
  const listed = await json(['domains', 'show', host], { env: { ...env, LINKFOLD_API_KEY: key } });
  assert.equal(listed.status, 'active');
  await assert.rejects(server.command('domains', 'add', host, '--account', 'nobody', '--proven'), /nobody/);
});
