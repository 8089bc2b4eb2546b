// Limits and idempotency where the requests of one client meet several nodes on one PostgreSQL database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../../support/postgres/databases.ts';
import { assertHeldTogether, roomInTheMinute } from '../../support/server/limits.ts';
import { call, endServers, type Server, startServer } from '../../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
const limit = 60;

let url = '';
let nodes: [Server, Server];
before(async () => {
  if (skip !== false) return;
  url = await newPostgresDatabase();
  const settings = {
    ...{ DATABASE_URL: url, TRUST_PROXY: '1', RATE_LIMITS: `free=${limit}` },
    ...{ AUTH_FAILURE_LIMIT: String(limit), CODE_MISS_LIMIT: String(limit) },
  };
  nodes = [await startServer(settings), await startServer(settings)];
});
after(async () => {
  await endServers();
  if (skip === false) await dropPostgresDatabase(url);
});

/** Asks one node and the other in turn. */
function inTurn(path: string, options: Parameters<typeof call>[3]) {
  return async (n: number): Promise<number> =>
    (await call(nodes[n % 2] ?? nodes[0], 'GET', path, options)).status;
}

test('the requests of a key count at all nodes together', { skip }, async () => {
  const { key } = await nodes[0].newKey({ plan: 'free' });
  await assertHeldTogether(inTurn('/api/v1/me', { key }), 200, limit);
  for (const node of nodes) {
    const refused = await call(node, 'GET', '/api/v1/me', { key });
    assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-remaining')], [429, '0']);
  }
});

test('a client of one node has exactly the limit, and the headers show what is left', {
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

test('unknown codes and failed authentications of an address count at all nodes together', {
  skip,
}, async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await assertHeldTogether(inTurn('/no-such-code', { headers }), 404, limit);
  await assertHeldTogether(inTurn('/api/v1/me', { key: 'lfk_wrong', headers }), 401, limit);
});

test('the same idempotency key sent to two nodes at once makes one link', { skip }, async () => {
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

test('an alias leads to its link on the other node within a second, follows it, and ends there too', {
  skip,
}, async () => {
  const [here, there] = nodes;
  const { key } = await here.newKey();
  const url = (n: number) => `https://example.com/alias/${n}`;
  const made = await call(here, 'POST', '/api/v1/shorten', { key, body: { url: url(1) } });
  const link = `/api/v1/links/${made.json.data.id}`;
  const leadsTo = async (code: string, expected: string | null): Promise<void> => {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const answer = await call(there, 'GET', `/${code}`);
      if (answer.headers.get('location') === expected) return;
      assert.ok(Date.now() < deadline, `${code} does not lead to ${expected}`);
    }
  };
  await leadsTo('side', null);
  await call(here, 'POST', `${link}/aliases`, { key, body: { customCode: 'side' } });
  await leadsTo('side', url(1));
  await call(here, 'PATCH', `${link}/destination`, { key, body: { url: url(2) } });
  await leadsTo('side', url(2));
  await call(here, 'PATCH', `${link}/code`, { key, body: { customCode: 'front' } });
  for (const code of ['front', 'side', made.json.data.shortCode]) await leadsTo(code, url(2));
  await call(here, 'DELETE', '/api/v1/aliases/side', { key });
  await leadsTo('side', null);
  await call(here, 'DELETE', link, { key });
  for (const code of ['front', made.json.data.shortCode]) await leadsTo(code, null);
  await call(here, 'POST', `${link}/restore`, { key });
  for (const code of ['front', made.json.data.shortCode]) await leadsTo(code, url(2));
});

test('of requests to two nodes at once that reuse a destination, one makes the link', { skip }, async () => {
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
