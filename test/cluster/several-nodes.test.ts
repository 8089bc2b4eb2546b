// Limits and idempotency when a client's requests reach several nodes that share one PostgreSQL database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startProxy, type TcpProxy } from '../support/http/tcp-proxy.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { assertHeldTogether, roomInTheMinute } from '../support/server/limits.ts';
import { call, endServers, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const skip = (await noPostgres()) ?? false;
const limit = 60;

let url = '';
let nodes: [Server, Server];
/** Proxy between the second node and the database. */
let proxy: TcpProxy;
before(async () => {
  if (skip !== false) return;
  url = await newPostgresDatabase();
  const settings = {
    DATABASE_URL: url,
    TRUST_PROXY: '1',
    RATE_LIMITS: `free=${limit}`,
    AUTH_FAILURE_LIMIT: String(limit),
    CODE_MISS_LIMIT: String(limit),
  };
  const way = new URL(url);
  proxy = await startProxy(Number(way.port));
  Object.assign(way, { hostname: '127.0.0.1', port: proxy.port });
  nodes = [await startServer(settings), await startServer({ ...settings, DATABASE_URL: way.href })];
});
after(async () => {
  await endServers();
  if (skip !== false) return;
  await proxy.close();
  await dropPostgresDatabase(url);
});

/** Sends requests to the nodes alternately. */
function inTurn(path: string, options: Parameters<typeof call>[3]) {
  return async (n: number): Promise<number> =>
    (await call(nodes[n % 2] ?? nodes[0], 'GET', path, options)).status;
}

test("counts a key's requests on all nodes together", { skip }, async () => {
  const { key } = await nodes[0].newKey({ plan: 'free' });
  await assertHeldTogether(inTurn('/api/v1/me', { key }), 200, limit);
  for (const node of nodes) {
    const refused = await call(node, 'GET', '/api/v1/me', { key });
    assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-remaining')], [429, '0']);
  }
});

test('gives a client of one node exactly the limit, with the remainder in headers', {
  skip,
}, async () => {
  const { key } = await nodes[1].newKey({ plan: 'free' });
  await roomInTheMinute();
  for (let remaining = limit - 1; remaining >= 0; remaining -= 1) {
    const answer = await call(nodes[1], 'GET', '/api/v1/me', { key });
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, String(remaining)]);
  }
  assert.equal((await call(nodes[1], 'GET', '/api/v1/me', { key })).status, 429);
});

test('counts unknown codes and failed authentications from an address on all nodes together', {
  skip,
}, async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await assertHeldTogether(inTurn('/no-such-code', { headers }), 404, limit);
  await assertHeldTogether(inTurn('/api/v1/me', { key: 'lfk_wrong', headers }), 401, limit);
});

test('creates one link for the same idempotency key on two nodes at once', { skip }, async () => {
  const { key } = await nodes[0].newKey();
  for (let n = 0; n < 20; n += 1) {
    const headers = { 'idempotency-key': `at-once-${n}` };
    const body = { url: `https://example.com/${n}` };
    const answers = await Promise.all(
      nodes.map((node) => call(node, 'POST', '/api/v1/shorten', { key, headers, body })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(answers[0]?.json.data.id, answers[1]?.json.data.id);
    const replays = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true');
    assert.equal(replays.length, 1);
  }
  assert.equal((await call(nodes[1], 'GET', '/api/v1/links', { key })).json.pagination.total, 20);
});

test('shows an alias on the other node within a second, with its changes and end', {
  skip,
}, async () => {
  const [here, there] = nodes;
  const { key } = await here.newKey();
  const url = (n: number) => `https://example.com/alias/${n}`;
  const created = await call(here, 'POST', '/api/v1/shorten', { key, body: { url: url(1) } });
  const link = `/api/v1/links/${created.json.data.id}`;
  const leadsTo = (code: string, expected: string | null) =>
    until(
      `${code} redirects to ${expected}`,
      async () => (await call(there, 'GET', `/${code}`)).headers.get('location') === expected,
      { withinMs: 10_000 },
    );
  await leadsTo('side', null);
  await call(here, 'POST', `${link}/aliases`, { key, body: { customCode: 'side' } });
  await leadsTo('side', url(1));
  await call(here, 'PATCH', `${link}/destination`, { key, body: { url: url(2) } });
  await leadsTo('side', url(2));
  await call(here, 'PATCH', `${link}/code`, { key, body: { customCode: 'front' } });
  for (const code of ['front', 'side', created.json.data.shortCode]) await leadsTo(code, url(2));
  await call(here, 'DELETE', '/api/v1/aliases/side', { key });
  await leadsTo('side', null);
  await call(here, 'DELETE', link, { key });
  for (const code of ['front', created.json.data.shortCode]) await leadsTo(code, null);
  await call(here, 'POST', `${link}/restore`, { key });
  for (const code of ['front', created.json.data.shortCode]) await leadsTo(code, url(2));
});

test('creates one link for concurrent requests on two nodes that reuse a destination', { skip }, async () => {
  const { key } = await nodes[0].newKey();
  for (let n = 0; n < 10; n += 1) {
    const body = { url: `https://example.com/reused/${n}`, ifExists: 'reuse' };
    const answers = await Promise.all(
      [...nodes, ...nodes].map((node) => call(node, 'POST', '/api/v1/shorten', { key, body })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1);
  }
});

/** Headers of a human visitor. Only human visits count toward a link's click limit. */
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0' };

test("redirects visitors of expired links on the other node to the folder's new URL", { skip }, async () => {
  const [here, there] = nodes;
  const { key } = await here.newKey();
  const target = (n: number) => `https://example.com/over/${n}`;
  const body = { name: 'f', expiredUrl: target(1) };
  const { id } = (await call(here, 'POST', '/api/v1/folders', { key, body })).json.folder;
  const link = { url: 'https://example.com/', folderId: id, disabled: true };
  const { shortCode } = (await call(here, 'POST', '/api/v1/shorten', { key, body: link })).json.data;
  const leadsTo = (expected: string | null) =>
    until(`it redirects to ${expected}`, async () => {
      const { headers } = await call(there, 'GET', `/${shortCode}`);
      return headers.get('location') === expected;
    });
  await leadsTo(target(1));
  await call(here, 'PATCH', `/api/v1/folders/${id}`, { key, body: { expiredUrl: target(2) } });
  await leadsTo(target(2));
  await call(here, 'DELETE', `/api/v1/folders/${id}`, { key });
  await leadsTo(null);
});

test('asks for a password on the other node, and accepts its cookie on both', {
  skip,
}, async () => {
  const [here, there] = nodes;
  const { key } = await here.newKey();
  const target = 'https://example.com/secret';
  const made = await call(here, 'POST', '/api/v1/shorten', { key, body: { url: target } });
  const { id, shortCode } = made.json.data;
  const visit = async (node: Server, cookie = '') =>
    (await call(node, 'GET', `/${shortCode}`, { headers: { ...person, cookie } })).status;
  assert.equal(await visit(there), 302);
  await call(here, 'PATCH', `/api/v1/links/${id}`, { key, body: { password: 'open sesame' } });
  await until('the other node asks for it', async () => (await visit(there)) === 403);
  const right = await fetch(`${there.url}/${shortCode}`, {
    method: 'POST',
    redirect: 'manual',
    headers: person,
    body: new URLSearchParams({ password: 'open sesame' }),
  });
  assert.equal(right.status, 303);
  const [cookie] = (right.headers.getSetCookie()[0] ?? '').split(';');
  for (const node of nodes) assert.deepEqual([await visit(node), await visit(node, cookie)], [403, 302]);
});

test('enforces a click limit, and allows no visit while the database is down', {
  skip,
}, async () => {
  const [, there] = nodes;
  const { key } = await there.newKey();
  const make = async (fields: object) =>
    (await call(there, 'POST', '/api/v1/shorten', { key, body: { url: 'https://example.com/', ...fields } }))
      .json.data.shortCode;
  const [limited, plain] = [await make({ maxClicks: 2 }), await make({})];
  const visit = async (code: string) => (await call(there, 'GET', `/${code}`, { headers: person })).status;
  assert.deepEqual([await visit(limited), await visit(plain)], [302, 302]);
  proxy.refuse();
  try {
    for (const code of [limited, limited, limited]) assert.equal(await visit(code), 503);
    assert.equal(await visit(plain), 302);
  } finally {
    proxy.flow();
  }
  await until('the link redirects again', async () => (await visit(limited)) === 302);
  assert.equal(await visit(limited), 410);
});
