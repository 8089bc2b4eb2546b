import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freshCode } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';

describe('the preview of a short link', () => {
  let server: Server;
  let api: ReturnType<typeof as>;
  before(async () => {
    server = await startServer();
    api = as(server, (await server.newKey()).key);
  });
  after(() => server.stop());

  const look = (code: string, accept?: string, method = 'GET') =>
    call(server, method, `/${code}+`, { headers: accept === undefined ? {} : { accept } });

  test('a program that asks for JSON gets it, with the link as it was made', async () => {
    const code = `Mixed-${freshCode()}`;
    const url = 'https://b\u00fccher.example';
    const made = (await api.post('/api/v1/shorten', { url, customCode: code })).json.data;
    for (const spelling of [code, code.toLowerCase(), code.toUpperCase()]) {
      const shown = await look(spelling, 'application/json');
      assert.equal(shown.status, 200, shown.text);
      assert.equal(
        shown.text,
        JSON.stringify({
          success: true,
          data: { shortCode: code, shortUrl: made.shortUrl, destinationUrl: url },
        }),
      );
      assert.equal(shown.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(shown.headers.get('cache-control'), 'no-store');
      assert.ok(shown.headers.get('x-request-id'));
    }
    await api.patch(`/api/v1/links/${made.id}/destination`, { url: 'https://example.com/next' });
    assert.equal((await look(code, 'application/json')).json.data.destinationUrl, 'https://example.com/next');
    const headed = await look(code, 'application/json', 'HEAD');
    assert.deepEqual([headed.status, headed.text], [200, '']);
    assert.equal((await api.get(`/api/v1/links/${made.id}`)).json.data.clicks, 0);
  });

  test('every other client gets the page, which shows the code as it was made', async () => {
    const code = `Page-${freshCode()}`;
    await api.post('/api/v1/shorten', { url: 'https://b\u00fccher.example/', customCode: code });
    for (const accept of [
      undefined,
      '*/*',
      'text/html,*/*;q=0.8',
      'text/html, application/json',
      'image/png',
    ]) {
      const shown = await look(code.toUpperCase(), accept);
      assert.equal(shown.status, 200);
      assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.ok(shown.text.includes(`<b>/${code}<`), shown.text);
      assert.ok(shown.text.includes('xn--bcher-kva.example'), 'what a reader could mistake is in ASCII');
    }
  });

  test('what leads nowhere is refused in the same way', async () => {
    const unknown = await look(freshCode(), 'application/json');
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'CODE_NOT_FOUND']);
    const code = freshCode();
    const made = (await api.post('/api/v1/shorten', { url: 'https://example.com/', customCode: code })).json;
    await api.delete(`/api/v1/links/${made.data.id}`);
    assert.equal((await look(code, 'application/json')).status, 404);
  });
});
