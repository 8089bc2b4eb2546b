import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';
import { bitlyTests } from './bitly.ts';
import { kuttTests } from './kutt.ts';
import { shlinkTests } from './shlink.ts';
import { yourlsTests } from './yourls.ts';

describe('clients of other services', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ COMPATIBLE: 'yourls,shlink,kutt,bitly', CODE_SEGMENTS: '3' });
  });
  after(() => server.stop());

  describe('YOURLS', () => yourlsTests(() => server));

  describe('Shlink', () => shlinkTests(() => server));
  describe('Kutt', () => kuttTests(() => server));
  describe('Bitly', () => bitlyTests(() => server));

  test('logs no keys, wherever the clients put them', async () => {
    const { key } = await server.newKey();
    const unknown = key.slice(0, -4) + (key.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const one of [key, unknown]) {
      await call(server, 'GET', `/yourls-api.php?action=version&signature=${one}`);
      await call(server, 'GET', `/yourls-api.php?action=version&signature=${one}&timestamp=1`);
      await call(server, 'GET', `/rest/v3/health?apiKey=${one}`);
    }
    const log = server.output();
    assert.match(log, /"route":"\/yourls-api.php"/);
    for (const one of [key, unknown]) assert.ok(!log.includes(one.slice(12)), 'a key is in the log');
  });

  test('creates nothing with a key that may not read the result', async () => {
    const { key, account } = await server.newKey({ scopes: 'links:write' });
    const reader = as(server, (await server.newKey({ account })).key);
    const url = 'https://example.com/unread';
    const asks = [
      ['/rest/v3/short-urls', { longUrl: url }, { 'x-api-key': key }],
      ['/api/v2/links', { target: url }, { 'x-api-key': key }],
      ['/v4/shorten', { long_url: url }, { authorization: `Bearer ${key}` }],
    ] as const;
    for (const [path, body, headers] of asks)
      assert.equal((await call(server, 'POST', path, { body, headers })).status, 403, path);
    assert.equal((await reader.get('/api/v1/links')).json.pagination.total, 0);
  });

  test('treats paths outside the interfaces as codes', async () => {
    const api = as(server, (await server.newKey()).key);
    const code = freshCode();
    await makeLink(api, { customCode: `shop/${code}` });
    assert.equal((await call(server, 'GET', `/shop/${code}`)).status, 302);
    for (const path of ['/yourls-api', '/yourls-api.php/x'])
      assert.equal((await call(server, 'GET', path)).json.success, false, path);
  });
});

describe('without COMPATIBLE', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ CODE_SEGMENTS: '3' });
  });
  after(() => server.stop());

  test('answers no interface of another service, and reserves codes that could conflict', async () => {
    const { key } = await server.newKey();
    for (const path of [`/yourls-api.php?action=version&signature=${key}`, '/rest/v3/health', '/v4/user'])
      assert.equal((await call(server, 'GET', path)).status, 404, path);
    const kutt = await call(server, 'GET', '/api/v2/health');
    assert.equal(kutt.json.error.code, 'ROUTE_NOT_FOUND');
    const api = as(server, key);
    for (const customCode of ['rest/launch', 'V4/launch', 'rest/v3/health']) {
      const refused = await api.post('/api/v1/shorten', { url: 'https://example.com/', customCode });
      assert.equal(refused.json.error.code, 'CUSTOM_CODE_RESERVED', customCode);
    }
    const alone = await api.post('/api/v1/shorten', { url: 'https://example.com/', customCode: 'rest' });
    assert.deepEqual([alone.status, (await call(server, 'GET', '/rest')).status], [201, 302]);
  });
});
