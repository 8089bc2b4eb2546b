import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

describe('templates', () => {
  let server: SharedServer;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
  });

  const make = async (url: string, fields: Record<string, unknown> = { template: true }) => {
    const made = await api.post('/api/v1/shorten', { url, customCode: freshCode(), ...fields });
    assert.equal(made.status, 201, made.text);
    return { id: made.json.data.id as string, code: made.json.data.shortCode as string };
  };
  /**
   * Sends each visit twice, once for the fast path and once for the Node path. Both must respond alike. Returns the
   * status and redirect URL.
   */
  const visit = async (path: string, headers: Record<string, string> = {}) => {
    const seen = [];
    for (const more of [{}, { cookie: 'a=b', range: 'bytes=0-1' }]) {
      const answer = await call(server, 'GET', `/${path}`, { headers: { ...headers, ...more } });
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      seen.push([answer.status, answer.headers.get('location') ?? answer.json?.error.code]);
    }
    assert.deepEqual(seen[0], seen[1]);
    return seen[0];
  };
  const read = async (id: string, include: string) =>
    (await api.get(`/api/v1/links/${id}?include=${include}`)).json.data;
  const simulate = async (id: string, visit: Record<string, unknown>, changes = {}) => {
    const answer = await api.post(`/api/v1/links/${id}/simulate`, { ...changes, visit });
    assert.equal(answer.status, 200, answer.text);
    return [answer.json.data.outcome, answer.json.data.location];
  };

  test('fills placeholders from the path after the code, and counts each visit', async () => {
    const url = 'https://tracker.example.com/browse/{1|all}';
    const { id, code } = await make(url);
    assert.deepEqual(await visit(`${code}/123`), [302, 'https://tracker.example.com/browse/123']);
    assert.deepEqual(await visit(`${code}/123/`), [302, 'https://tracker.example.com/browse/123']);
    assert.deepEqual(await visit(code.toUpperCase()), [302, 'https://tracker.example.com/browse/all']);
    assert.deepEqual(await visit(`${code}/a%2Fb%3F`), [302, 'https://tracker.example.com/browse/a%2Fb%3F']);
    assert.deepEqual(await visit(`${code}/1/2/3/4/5/6/7`), [302, 'https://tracker.example.com/browse/1']);
    assert.deepEqual(await visit(`${code}/%zz`), [404, 'ROUTE_NOT_FOUND']);
    const { clicks, destinationUrl, template } = await read(id, 'template');
    assert.deepEqual([clicks, destinationUrl, template], [10, url, true]);
  });

  test('treats braces as literal and accepts no path unless enabled', async () => {
    const { code } = await make('https://example.com/{1}?q={path}', {});
    assert.deepEqual(await visit(code), [302, 'https://example.com/%7B1%7D?q={path}']);
    assert.deepEqual(await visit(`${code}/x`), [404, 'ROUTE_NOT_FOUND']);
  });

  test('prefers the longest matching code', async () => {
    const { code } = await make('https://example.com/short/{path}');
    assert.deepEqual(await visit(`${code}+/x`), [200, undefined]);
    assert.deepEqual(await visit(`${code}/c++`), [302, 'https://example.com/short/c%2B%2B']);
  });

  test('fills placeholders from query, code, user and date', async () => {
    const { code } = await make(
      'https://example.com/{code}/{user|nobody}/{date:yyyy}?q={query.q|none}&{query|}',
      {
        template: true,
        timezone: 'Asia/Tokyo',
      },
    );
    const year = String(new Date(Date.now() + 9 * 3_600_000).getUTCFullYear());
    const at = (user: string, rest: string) => [302, `https://example.com/${code}/${user}/${year}?q=${rest}`];
    assert.deepEqual(await visit(code), at('nobody', 'none&'));
    assert.deepEqual(await visit(`${code}?q=a+b&trigger=qr`), at('nobody', 'a%20b&q=a+b'));
    const proxied = { 'x-user': 'ada@example.com', 'x-forwarded-for': '8.8.8.8' };
    assert.deepEqual(await visit(code, proxied), at('ada%40example.com', 'none&'));
  });

  test('expands rules and the expired URL too, and adds UTM parameters', async () => {
    const { id, code } = await make('https://example.com/{1}', {
      template: true,
      utm: { source: 'go' },
      expiredUrl: 'https://example.com/gone/{1|home}',
      rules: [
        { when: [{ fact: 'query', name: 'a' }], to: { url: 'https://a.example.com/{2|x}?p={1}' } },
        {
          when: [{ fact: 'query', name: 's' }],
          to: { split: [{ url: 'https://s.example.com/{path}', weight: 1 }] },
        },
      ],
    });
    assert.deepEqual(await visit(`${code}/1`), [302, 'https://example.com/1?utm_source=go']);
    assert.deepEqual(await visit(`${code}/1?a`), [302, 'https://a.example.com/x?p=1&utm_source=go']);
    assert.deepEqual(await visit(`${code}/1/2?s`), [302, 'https://s.example.com/1/2?utm_source=go']);
    assert.deepEqual(await visit(code), [404, 'LINK_UNFILLED']);
    await api.patch(`/api/v1/links/${id}`, { disabled: true });
    assert.deepEqual(await visit(`${code}/1`), [302, 'https://example.com/gone/1']);
    assert.deepEqual(await visit(code), [302, 'https://example.com/gone/home']);
  });

  test('appendPath adds the rest of the path and touches nothing else', async () => {
    const { id, code } = await make('https://example.com/docs/?v=1#top', { appendPath: true });
    assert.deepEqual(await visit(code), [302, 'https://example.com/docs/?v=1#top']);
    assert.deepEqual(await visit(`${code}/a/b%20c`), [302, 'https://example.com/docs/a/b%20c?v=1#top']);
    assert.deepEqual(await visit(`${code}/a%2F%2E%2E/x`), [302, 'https://example.com/docs/a%2F../x?v=1#top']);
    const both = await api.patch(`/api/v1/links/${id}`, { template: true });
    assert.deepEqual([both.status, both.json.error.code], [422, 'APPENDS_TO_TEMPLATE']);
  });

  test('validates an expanded URL like a destination', async () => {
    const { code } = await make('https://{1}.blocked.test/{path}');
    assert.deepEqual(await visit(`${code}/a`), [302, 'https://a.blocked.test/a']);
    assert.deepEqual(await visit(`${code}/a.b`), [404, 'EXPANSION_REFUSED']);
    const { code: long } = await make('https://example.com/?q={path}');
    assert.deepEqual(await visit(`${long}/${'a'.repeat(2_100)}`), [404, 'EXPANSION_TOO_LONG']);
    const page = await call(server, 'GET', `/${long}/${'a'.repeat(2_100)}`, {
      headers: { accept: 'text/html' },
    });
    assert.match(page.text, /This URL is too long/);
    const blocked = await api.post('/api/v1/shorten', { url: 'https://blocked.example/{1}', template: true });
    assert.equal(blocked.json.error.code, 'DESTINATION_BLOCKED');
  });

  test('shows the template and its expansion in a preview', async () => {
    const { code } = await make('https://example.com/{1}/x');
    const json = async (path: string) =>
      (await call(server, 'GET', `/${path}`, { headers: { accept: 'application/json' } })).json.data;
    assert.deepEqual(await json(`${code}+/7`), {
      shortCode: code,
      shortUrl: `${server.url}/${code}`,
      destinationUrl: 'https://example.com/{1}/x',
      expandedUrl: 'https://example.com/7/x',
    });
    assert.equal((await json(`${code}+`)).expandedUrl, null);
    const page = async (path: string) =>
      (await call(server, 'GET', `/${path}`, { headers: { accept: 'text/html' } })).text;
    assert.match(
      await page(`${code}+/7`),
      /https:\/\/example\.com\/\{1\}\/x[\s\S]+<b>example\.com<\/b>\/7\/x/,
    );
    assert.match(await page(`${code}+`), /https:\/\/example\.com\/\{1\}\/x/);
    assert.match(await page(code), /This link is incomplete/);
  });

  test('protects every path of a template with password and click limit', async () => {
    const { code } = await make('https://example.com/{1}', { template: true, password: 'right one' });
    assert.deepEqual(await visit(`${code}/1`), [403, 'PASSWORD_REQUIRED']);
    const form = { method: 'POST', body: new URLSearchParams({ password: 'right one' }) };
    const sent = await fetch(`${server.url}/${code}/1`, { ...form, redirect: 'manual' });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `/${code}/1`]);
    const cookie = sent.headers.get('set-cookie')?.split(';')[0] ?? '';
    const opened = await call(server, 'GET', `/${code}/1`, { headers: { cookie } });
    assert.equal(opened.headers.get('location'), 'https://example.com/1');
  });

  test('turns a link into a template and back, with all its URLs', async () => {
    const { id, code } = await make('https://example.com/{1|x}?a={1|y}', {
      expiredUrl: 'https://example.com/?{1|z}',
    });
    const patch = (fields: Record<string, unknown>) => api.patch(`/api/v1/links/${id}`, fields);
    assert.equal((await patch({ template: true })).status, 200);
    assert.deepEqual(await visit(`${code}/v`), [302, 'https://example.com/v?a=v']);
    const moved = await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://{1|www}.example.com/' });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(await visit(`${code}/v`), [302, 'https://v.example.com/']);
    assert.equal((await patch({ template: false })).json.error.code, 'INVALID_URL');
    const wrong = await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.com/{word}' });
    assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'INVALID_TEMPLATE']);
    assert.match(wrong.json.error.message, /\{word\}/);
    const rules = [{ when: [], to: { url: 'https://example.com/{word}' } }];
    assert.equal((await patch({ rules })).json.error.code, 'INVALID_TEMPLATE');
    await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.com/{1}' });
    assert.equal((await patch({ template: false })).status, 200);
    assert.deepEqual(await visit(code), [302, 'https://example.com/%7B1%7D']);
    const { json } = await api.get(`/api/v1/links/${id}/history?limit=1`);
    assert.deepEqual(json.data[0].changes.template, { from: true, to: false });
    assert.equal((await api.post(`/api/v1/links/${id}/history/2/restore`)).status, 200);
    assert.deepEqual(await visit(`${code}/v`), [302, 'https://example.com/v?a=v']);
  });

  test('supports templates in bulk changes and externalId restores, and reports wrong fields', async () => {
    const { id, code } = await make('https://example.com/{1|x}');
    const links = [{ id, url: 'https://{1|a}.example.com/' }];
    const bulk = await api.post('/api/v1/links/bulk', { action: 'update', links });
    assert.equal(bulk.json.data?.[0]?.status ?? bulk.status, 200, bulk.text);
    assert.deepEqual(await visit(`${code}/b`), [302, 'https://b.example.com/']);
    const put = await api.put(`/api/v1/links/by-external-id/${code}`, {
      url: 'https://example.com/{2|q}',
      template: true,
    });
    assert.deepEqual(await visit(`${put.json.data.shortCode}/a/b`), [302, 'https://example.com/b']);
    const zone = await api.post('/api/v1/shorten', { url: 'https://example.com/', timezone: 'Mars/Base' });
    assert.deepEqual([zone.status, zone.json.error.details[0].field], [400, 'timezone']);
  });

  test('simulate shows the expansion of a path', async () => {
    const { id } = await make('https://example.com/{1}/{user|me}');
    assert.deepEqual(await simulate(id, { path: 'a%2Fb' }), ['redirect', 'https://example.com/a%2Fb/me']);
    assert.deepEqual(await simulate(id, { path: 'a', user: 'ada' }), [
      'redirect',
      'https://example.com/a/ada',
    ]);
    assert.deepEqual(await simulate(id, {}), ['unfilled', null]);
    assert.deepEqual(await simulate(id, { path: '..' }), ['refused', null]);
    const changes = { url: 'https://{1}.example.com/' };
    assert.deepEqual(await simulate(id, { path: 'a' }, changes), ['redirect', 'https://a.example.com/']);
    const plain = { url: 'https://example.com/{1}', template: false };
    assert.deepEqual(await simulate(id, { path: 'a' }, plain), ['redirect', 'https://example.com/%7B1%7D']);
  });
});
