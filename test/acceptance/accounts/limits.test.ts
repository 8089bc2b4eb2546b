import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answersIn, converse } from '../../support/http/wire.ts';
import { roomInTheMinute } from '../../support/server/limits.ts';
import { makeLink } from '../../support/server/records.ts';
import { type Answer, as, call, type Server, startServer } from '../../support/server/server.ts';
import { words } from '../../support/words.ts';

function assertTooMany(answer: Answer, limit: number): void {
  assert.deepEqual([answer.status, answer.json?.error?.code], [429, 'RATE_LIMIT_EXCEEDED'], answer.text);
  assert.equal(answer.headers.get('x-ratelimit-limit'), String(limit));
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  const reset = Number(answer.headers.get('x-ratelimit-reset'));
  const retryAfter = Number(answer.headers.get('retry-after'));
  assert.ok(Number.isInteger(reset) && reset % 60 === 0, `reset ${reset}`);
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, `retry after ${retryAfter}`);
  assert.ok(Math.abs(Date.now() / 1_000 + retryAfter - reset) < 3, 'both say the same time');
}

describe('limits', () => {
  let server: Server;
  before(async () => {
    server = await startServer({
      RATE_LIMITS: 'free=5',
      LINK_QUOTAS: 'free=3',
      TRUST_PROXY: '1',
      AUTH_FAILURE_LIMIT: '5',
      CODE_MISS_LIMIT: '5',
    });
  });
  after(() => server.stop());

  const from = (address: string) => ({ 'x-forwarded-for': address });
  const fail = (address: string, key = 'lfk_wrong') =>
    call(server, 'GET', '/api/v1/me', { key, headers: from(address) });
  const miss = (address: string, path = '/no-such-code') =>
    call(server, 'GET', path, { headers: from(address) });

  test('requests per key: counts down in headers, then returns 429; other keys are not affected', async () => {
    await roomInTheMinute();
    const { key, account } = await server.newKey({ plan: 'free' });
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await call(server, 'GET', '/api/v1/me', { key });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-ratelimit-limit'), '5');
      assert.equal(answer.headers.get('x-ratelimit-remaining'), String(left));
      assert.equal(answer.json.data.limits.requestsPerMinute, 5);
    }
    assertTooMany(await call(server, 'GET', '/api/v1/me', { key }), 5);
    assertTooMany(await call(server, 'POST', '/api/v1/shorten', { key, body: '{' }), 5);
    const sibling = await server.newKey({ plan: 'free', account });
    assert.equal((await call(server, 'GET', '/api/v1/me', { key: sibling.key })).status, 200);
  });

  test('checks the limit before the scope, and counts a refused scope', async () => {
    await roomInTheMinute();
    const { key } = await server.newKey({ plan: 'free', scopes: 'links:read' });
    for (let n = 0; n < 5; n += 1) {
      const answer = await call(server, 'POST', '/api/v1/folders', { key, body: { name: 'x' } });
      assert.equal(answer.json.error.code, 'INSUFFICIENT_SCOPE');
      assert.equal(answer.headers.get('x-ratelimit-remaining'), String(4 - n));
    }
    assertTooMany(await call(server, 'POST', '/api/v1/folders', { key, body: { name: 'x' } }), 5);
  });

  test('sends no such headers for a plan without a limit', async () => {
    const { key } = await server.newKey({ plan: 'starter' });
    for (let n = 0; n < 20; n += 1) {
      const answer = await call(server, 'GET', '/api/v1/me', { key });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-ratelimit-limit'), null);
      assert.equal(answer.json.data.limits.requestsPerMinute, null);
    }
  });

  test('failed authentications per address: 401 up to the limit, then 429 even with a valid key; checks route and size first', async () => {
    await roomInTheMinute();
    const { key } = await server.newKey();
    const address = '203.0.113.7';
    assert.equal((await fail(address, key)).status, 200);
    for (let n = 0; n < 5; n += 1) assert.equal((await fail(address)).status, 401, `failure ${n + 1}`);
    assertTooMany(await fail(address), 5);
    assertTooMany(await fail(address, key), 5);
    assertTooMany(await call(server, 'GET', '/api/v1/me', { headers: from(address) }), 5);
    const unknown = await call(server, 'GET', '/api/v1/nothing', { key, headers: from(address) });
    assert.equal(unknown.json.error.code, 'ROUTE_NOT_FOUND');
    const head = `POST /api/v1/shorten HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Length: 65537\r\n\r\n`;
    const { text } = await converse(server.port, [head], { enough: (so) => answersIn(so).length > 0 });
    assert.equal(JSON.parse(answersIn(text)[0]?.text ?? '{}').error.code, 'BODY_TOO_LARGE');
    assert.equal((await fail('203.0.113.8', key)).status, 200, 'another address');
    assert.equal(
      (await fail(`203.0.113.9, ${address}`, key)).status,
      429,
      'entries before the one added by the proxy are not trusted',
    );
    assert.equal((await fail(`${address}, 203.0.113.9`, key)).status, 200);
  });

  test('counts only failed authentications', async () => {
    await roomInTheMinute();
    const { key } = await server.newKey({ scopes: 'links:read' });
    const headers = from('203.0.113.20');
    for (let n = 0; n < 10; n += 1) {
      assert.equal((await call(server, 'POST', '/api/v1/folders', { key, headers, body: {} })).status, 403);
      assert.equal((await call(server, 'GET', '/api/v1/links/nope', { key, headers })).status, 404);
      assert.equal((await call(server, 'GET', '/api/v1/links?page=0', { key, headers })).status, 400);
    }
    assert.equal((await fail('203.0.113.20')).status, 401);
  });

  test('treats an IPv6 /64 network as one address', async () => {
    await roomInTheMinute();
    for (let n = 1; n <= 5; n += 1) assert.equal((await fail(`2001:db8:1:2::${n}`)).status, 401);
    assertTooMany(await fail('2001:db8:1:2:ffff:ffff:ffff:ffff'), 5);
    assert.equal((await fail('2001:db8:1:3::1')).status, 401);
  });

  test('exempts loopback and private addresses', async () => {
    for (const address of words('127.0.0.1 10.1.2.3 192.168.1.1 ::1 fd00::1 ::ffff:10.0.0.1 nonsense')) {
      for (let n = 0; n < 8; n += 1) {
        assert.equal((await fail(address)).status, 401, address);
        assert.equal((await miss(address)).status, 404, address);
      }
    }
    for (let n = 0; n < 8; n += 1) {
      assert.equal((await call(server, 'GET', '/api/v1/me', { key: 'lfk_wrong' })).status, 401, 'no proxy');
    }
  });

  test('unknown codes per address: 404 up to the limit, then 429; live links still redirect', async () => {
    await roomInTheMinute();
    const api = as(server, (await server.newKey()).key);
    const { shortCode } = (await api.get(`/api/v1/links/${await makeLink(api)}`)).json.data;
    const address = '198.51.100.7';
    for (let n = 0; n < 5; n += 1) {
      const answer = await miss(address, `/no-such-code-${n}`);
      assert.deepEqual([answer.status, answer.json.error.code], [404, 'CODE_NOT_FOUND']);
      assert.equal((await miss(address, `/${shortCode}`)).status, 302);
    }
    assertTooMany(await miss(address), 5);
    assertTooMany(await miss(address, '/no-such-code+'), 5);
    assert.equal((await miss(address, `/${shortCode}`)).status, 302, 'a live link');
    assert.equal((await miss('198.51.100.8')).status, 404, 'another address');
    const page = await call(server, 'GET', '/no-such-code', {
      headers: { ...from(address), accept: 'text/html' },
    });
    assert.equal(page.status, 429);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('retry-after') ?? '', /^\d+$/);
  });

  test('links per account: as many as the plan allows, not counting deleted ones', async () => {
    const { account } = await server.newKey({ plan: 'free' });
    // Each step uses its own key, because the plan also limits the number of requests per key.
    const step = async <T>(work: (api: ReturnType<typeof as>) => Promise<T>): Promise<T> =>
      work(as(server, (await server.newKey({ account, plan: 'free' })).key));
    const ids = await step(async (api) => [await makeLink(api), await makeLink(api), await makeLink(api)]);
    const full = await step((api) => api.post('/api/v1/shorten', { url: 'https://example.com/' }));
    assert.deepEqual([full.status, full.json.error.code], [403, 'LIMIT_REACHED']);
    await step(async (api) => {
      await api.delete(`/api/v1/links/${ids[0]}`);
      await makeLink(api);
      const restored = await api.post(`/api/v1/links/${ids[0]}/restore`);
      assert.deepEqual([restored.status, restored.json.error.code], [403, 'LIMIT_REACHED']);
      const { limits, usage } = (await api.get('/api/v1/me')).json.data;
      assert.deepEqual([limits.links, usage.links], [3, 3]);
    });
    const starter = as(server, (await server.newKey({ account, plan: 'starter' })).key);
    await makeLink(starter);
  });

  test('enforces the number of links for concurrent creates', async () => {
    const { account } = await server.newKey({ plan: 'free' });
    const keys = await Promise.all(Array.from({ length: 6 }, () => server.newKey({ account, plan: 'free' })));
    const answers = await Promise.all(
      keys.flatMap(({ key }) =>
        [1, 2, 3, 4].map(() => as(server, key).post('/api/v1/shorten', { url: 'https://example.com/' })),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    assert.equal(
      answers.filter(({ json }) => json.error?.code === 'LIMIT_REACHED').length,
      answers.length - 3,
    );
  });
});

test('ignores forwarded addresses without TRUST_PROXY', async (t) => {
  const server = await startServer({ AUTH_FAILURE_LIMIT: '3', CODE_MISS_LIMIT: '3' });
  t.after(() => server.stop());
  for (let n = 0; n < 10; n += 1) {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal((await call(server, 'GET', '/api/v1/me', { headers })).status, 401);
    assert.equal((await call(server, 'GET', '/no-such-code', { headers })).status, 404);
  }
});
