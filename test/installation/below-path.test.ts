import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from '../support/http/ask.ts';
import { openBrowser, whyNoBrowser } from '../support/http/browser.ts';
import { freePort } from '../support/http/ports.ts';
import { type Api, freshCode } from '../support/server/records.ts';
import { as, call, endServers, type Server, startServer, type TestKey } from '../support/server/server.ts';

after(endServers);

/** Headers that the fast path accepts, and headers that it leaves to Node. */
const parsers = [{}, { range: 'bytes=0-1' }];

describe('a server below a path of its host', () => {
  let server: Server;
  let key: TestKey;
  let api: Api;
  let origin: string;
  before(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = await startServer({ PORT: String(port), BASE_URL: `${origin}/go` });
    key = await server.newKey();
    api = as(server, key.key);
  });

  /** Requests a path on the host as a proxy forwards it. The path includes the base path. */
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask({ port: server.port }, { path, headers });

  test('redirects below the path only, with both parsers', async () => {
    const code = freshCode();
    const made = await api.post('/api/v1/shorten', { url: 'https://example.com/x', customCode: code });
    assert.equal(made.headers.get('location'), `${origin}/go/api/v1/links/${made.json.data.id}`);
    assert.equal(made.json.data.shortUrl, `${origin}/go/${code}`);
    for (const headers of parsers) {
      const answer = await get(`/go/${code}`, headers);
      assert.deepEqual([answer.status, answer.headers.location], [302, 'https://example.com/x']);
      for (const path of [`/${code}`, '/', '/gone', '/robots.txt', '/dashboard', '/api/v1/links']) {
        const outside = await get(path, headers);
        assert.equal(outside.status, 404, path);
        assert.equal(JSON.parse(outside.text).error.code, 'ROUTE_NOT_FOUND', path);
      }
      for (const path of ['/go', '/go/', '/go/robots.txt', '/healthz', '/go/healthz', '/readyz'])
        assert.equal((await get(path, headers)).status, 200, path);
    }
    const page = await get('/go/none-such', { accept: 'text/html' });
    assert.match(page.text, /<a href="\/go\/">/);
  });

  test('accepts destinations elsewhere on its host', async () => {
    assert.equal((await api.post('/api/v1/shorten', { url: `${origin}/shop` })).status, 201);
    assert.equal((await api.post('/api/v1/shorten', { url: `${origin}/gone` })).status, 201);
    for (const url of [`${origin}/go`, `${origin}/go/x`]) {
      const { status, json } = await api.post('/api/v1/shorten', { url });
      assert.deepEqual([status, json.error.code], [422, 'SELF_REFERENTIAL_URL'], url);
    }
  });

  test('sets cookies for its path', async () => {
    const code = freshCode();
    const url = 'https://example.com/secret';
    await api.post('/api/v1/shorten', { url, customCode: code, password: 'open sesame' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/go/${code}?a=b`;
    const given = await ask(
      { port: server.port },
      { method: 'POST', path, headers, body: 'password=open+sesame' },
    );
    assert.deepEqual([given.status, given.headers.location], [303, path]);
    const [cookie = ''] = given.headers['set-cookie'] ?? [];
    assert.match(cookie, new RegExp(`; Path=/go/${code}$`));
    const passed = await get(path, { cookie: cookie.split(';')[0] ?? '' });
    assert.equal(passed.headers.location, url);

    const [exclusion] = (await api.get('/api/v1/account/browser-exclusions')).json.data;
    assert.ok(exclusion.excludeUrl.startsWith(`${origin}/go/.well-known/`), exclusion.excludeUrl);
    const marked = await ask(
      { port: server.port },
      {
        method: 'POST',
        path: new URL(exclusion.excludeUrl).pathname,
        headers: { 'sec-fetch-site': 'same-origin' },
      },
    );
    assert.match(String(marked.headers['set-cookie']), /; Path=\/go\/; /);
    assert.match(String(marked.headers.location), /\/go\/dashboard\/settings\?/);

    const session = await api.post('/api/v1/session', undefined, { origin });
    assert.match(session.headers.get('set-cookie') ?? '', /^linkfold-\d+=[^;]+; Max-Age=\d+; Path=\/go\/; /);
    const secure = await api.post('/api/v1/session', undefined, { 'x-forwarded-proto': 'https' });
    assert.match(secure.headers.get('set-cookie') ?? '', /^__Secure-linkfold=.*; Path=\/go\/; .*; Secure$/);
    const held = (secure.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    assert.equal((await call(server, 'GET', '/api/v1/me', { headers: { cookie: held } })).status, 200);
  });

  test('serves custom domains at their root', async () => {
    const host = 'go.elsewhere.example';
    await server.command('domains', 'create', host, '--account', key.account, '--proven');
    const made = await api.post('/api/v1/shorten', {
      url: 'https://example.com/y',
      customCode: 'elsewhere',
      domain: host,
    });
    assert.equal(made.json.data.shortUrl, `http://${host}:${server.port}/elsewhere`);
    for (const headers of parsers) {
      assert.equal((await get('/elsewhere', { host, ...headers })).headers.location, 'https://example.com/y');
      assert.equal((await get('/go/elsewhere', { host, ...headers })).status, 404);
    }
  });

  test('has its path in the reference, the OpenAPI document and its own commands', async () => {
    const openApi = await get('/go/api/v1/openapi.json');
    assert.equal(JSON.parse(openApi.text).servers[0].url, '/go/');
    const { text } = await get('/go/api/v1/docs');
    const [, start = ''] = /src="([^"]*start\.js[^"]*)"/.exec(text) ?? [];
    assert.ok(start.startsWith('/go/api/v1/docs/'), start);
    assert.match((await get(start)).text, /url: '\/go\/api\/v1\/openapi\.json'/);
    const code = freshCode();
    await api.post('/api/v1/shorten', { url: 'https://example.com/z', customCode: code });
    const found = await server.command('login', '--account', key.account, '--json');
    assert.ok(JSON.parse(found).url.startsWith(`${origin}/go/dashboard/login#`), found);
    const search = await api.get(`/api/v1/links?search=${encodeURIComponent(`${origin}/go/${code}`)}`);
    assert.deepEqual(
      search.json.data.map(({ shortCode }: { shortCode: string }) => shortCode),
      [code],
    );
    const error = (await api.get('/api/v1/none')).json.error;
    assert.equal((await call(server, 'GET', error.docs.split('#')[0])).status, 200);
  });

  test('shows the dashboard', { skip: whyNoBrowser() ?? false }, async () => {
    const browser = await openBrowser();
    after(() => browser.close());
    const page = await browser.newPage({ locale: 'en-GB' });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400 && response.status() !== 401)
        complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${origin}/go/dashboard`);
    await page.getByLabel('API key').fill(key.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('a[href="/go/dashboard/links"]').first().waitFor();
    await page.goto(`${origin}/go/dashboard/links`);
    await page.getByText('example.com/x').first().waitFor();
    await page.locator('a[href="/go/dashboard/settings"]').first().click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(page.url(), `${origin}/go/dashboard/settings`);
    await page.getByRole('button', { name: 'Don’t count' }).first().click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Not counted', { exact: true }).waitFor();
    assert.equal(await page.locator('a[href="/go/api/v1/docs"]').count(), 1);
    await page.goto(`${origin}/go/api/v1/docs`);
    await page.getByText('Shorten').first().waitFor();
    assert.deepEqual(complaints, []);
  });
});
