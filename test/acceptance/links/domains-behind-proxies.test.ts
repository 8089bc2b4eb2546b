import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { after, before, test } from 'node:test';
import { type DnsServer, startDns } from '../../support/dns/dns-server.ts';
import { freePort } from '../../support/http/ports.ts';
import { freshCode } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';

// Proxies such as those of DNS providers have their own addresses, so the server checks whether requests to the host
// reach it.

let dns: DnsServer;
let server: Server;
let at: { readonly url: string };
let port: number;
before(async () => {
  dns = await startDns({ 'sho.rt': { A: ['192.0.2.1'] } });
  port = await freePort();
  const settings = { PORT: String(port), HOST: '127.0.0.1', BASE_URL: `http://sho.rt:${port}` };
  server = await startServer({
    ...settings,
    DNS_SERVERS: dns.address,
    OUTBOUND_ALLOW: '127.0.0.1,127.0.0.2',
  });
  at = { url: `http://127.0.0.1:${port}` };
});
after(async () => {
  await server.stop();
  await dns.close();
});

/**
 * Verifies a new domain whose host has these addresses.
 * @returns the domain, and whether the server found that visitors reach it
 */
async function found(...addresses: string[]) {
  const api = as(at, (await server.newKey()).key);
  const host = `${freshCode()}.example.com`.toLowerCase();
  dns.zone[host] = { A: addresses };
  const { id } = (await api.post('/api/v1/domains', { host })).json.data;
  const { records, problem } = (await api.post(`/api/v1/domains/${id}/verify`)).json.data;
  return { isFound: records[1].found, problem, id, host };
}

test('detects a host behind a proxy by its response, verified or not', async () => {
  const { isFound, id, host } = await found('127.0.0.1');
  assert.equal(isFound, true);
  const ask = (name: string, method = 'GET') =>
    call(at, method, `/.well-known/linkfold-domain/${id}`, { headers: { host: name } });
  const answer = await ask(host);
  assert.deepEqual([answer.status, answer.text.length], [200, 64]);
  for (const [name, method] of [
    ['other.example.com', 'GET'],
    [host, 'POST'],
  ] as const)
    assert.equal((await ask(name, method)).status, 421, `${method} at ${name}`);
});

test('rejects hosts that answer otherwise, redirect, send too much or are in a private network', async () => {
  let answer: RequestListener = (_, response) => void response.end('something else');
  const other = createServer((request, response) => answer(request, response)).listen(port, '127.0.0.2');
  await once(other, 'listening');
  try {
    assert.equal((await found('127.0.0.2')).isFound, false);
    const there = at.url;
    answer = ({ url }, response) => void response.writeHead(302, { location: `${there}${url}` }).end();
    assert.equal((await found('127.0.0.2')).isFound, false);
    answer = (_, response) => void response.end('x'.repeat(1_000_000));
    assert.equal((await found('127.0.0.2')).isFound, false);
  } finally {
    other.close();
    other.closeAllConnections();
  }
  const within = createServer().listen(port, '127.0.0.3');
  await once(within, 'listening');
  let reached = 0;
  within.on('connection', () => {
    reached += 1;
  });
  const { isFound, problem } = await found('127.0.0.3');
  within.close();
  assert.deepEqual([isFound, reached], [false, 0]);
  assert.doesNotMatch(problem, /127\.0\.0\.3/);
});
