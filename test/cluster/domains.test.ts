// If a domain is created, verified, changed or deleted on one node, each worker of the other node sees the change.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DnsServer, startDns } from '../support/dns/dns-server.ts';
import { type Answer, ask } from '../support/http/ask.ts';
import { freePort } from '../support/http/ports.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { as, call, endServers, type Server, startServer, type TestKey } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const skip = (await noPostgres()) ?? false;
/** Time in ms within which a node must see a change. One second is guaranteed, but a busy machine may take longer. */
const withinMs = 10_000;
/** Number of consecutive connections that reach both workers with about 99 % probability. */
const askedInARow = 8;

let dns: DnsServer;
let url = '';
/** The nodes, with their addresses on this machine. `BASE_URL` has a public host. */
let first: Pick<Server, 'url' | 'port'>;
let other: typeof first;
let holder: TestKey;
before(async () => {
  if (skip !== false) return;
  url = await newPostgresDatabase();
  dns = await startDns();
  const settings = { DATABASE_URL: url, BASE_URL: 'https://sho.rt', DNS_SERVERS: dns.address };
  const start = async (more: Record<string, string> = {}) => {
    const port = await freePort();
    const server = await startServer({ ...settings, PORT: String(port), ...more });
    return { server, at: { url: `http://127.0.0.1:${port}`, port } };
  };
  const { server, at } = await start();
  first = at;
  holder = await server.newKey();
  other = (await start({ WORKERS: '2' })).at;
});
after(async () => {
  await endServers();
  if (skip !== false) return;
  await dns.close();
  await dropPostgresDatabase(url);
});

/** Sends a visit on its own connection, which any worker may accept. */
function visit(node: { readonly port: number }, host: string, path: string): Promise<Answer> {
  return ask(node, { method: 'GET', path, headers: { host, connection: 'close' } });
}

async function everywhere(what: string, host: string, path: string, wanted: string): Promise<void> {
  const seen = async (node: typeof first): Promise<boolean> => {
    for (let n = 0; n < askedInARow; n += 1) {
      const { status, headers } = await visit(node, host, path);
      if (`${status} ${headers['location'] ?? ''}`.trim() !== wanted) return false;
    }
    return true;
  };
  for (const node of [first, other]) await until(what, () => seen(node), { withinMs });
}

test('shows a domain created, verified, changed or deleted on one node in all workers of the other', {
  skip,
}, async () => {
  const api = as(first, holder.key);
  const host = 'go.cluster.example.com';
  const made = await api.post('/api/v1/domains', { host });
  assert.equal(made.status, 201, made.text);
  // Both nodes look up the host and cache that it does not exist.
  await everywhere('a host that waits is unknown', host, '/sale', '421');

  for (const { name, type, value } of made.json.data.records) dns.zone[name] = { [type as 'TXT']: [value] };
  const path = `/api/v1/domains/${made.json.data.id}`;
  assert.equal((await api.post(`${path}/verify`)).json.data.status, 'active');
  await everywhere('it is proven, without a link', host, '/sale', '404');
  const destination = 'https://example.com/sale';
  const link = await api.post('/api/v1/shorten', { url: destination, customCode: 'sale', domain: host });
  assert.equal(link.status, 201, link.text);
  await everywhere('its link leads on', host, '/sale', `302 ${destination}`);

  const changed = await api.patch(path, {
    rootUrl: 'https://example.com/home',
    unknownUrl: 'https://example.com/gone',
  });
  assert.equal(changed.status, 200, changed.text);
  await everywhere('its root leads elsewhere', host, '/', '302 https://example.com/home');
  await everywhere('and so do unknown codes', host, '/no-such', '302 https://example.com/gone');

  // Now in the other direction: the first node must see changes by the node with workers.
  const there = as(other, holder.key);
  assert.equal((await there.patch(path, { rootUrl: 'https://example.com/other' })).status, 200);
  await everywhere('its root leads somewhere else', host, '/', '302 https://example.com/other');
  assert.equal(
    (await call(other, 'DELETE', `/api/v1/links/${link.json.data.id}`, { key: holder.key })).status,
    204,
  );
  assert.equal((await there.delete(path)).status, 204);
  await everywhere('it is gone', host, '/sale', '421');
});
