// Old browsers, mail clients and curl send a path or query in raw UTF-8.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answersIn, converse } from '../../support/http/wire.ts';
import { as, type Server, startServer } from '../../support/server/server.ts';

const url = 'https://example.com/here';

for (const fastRedirects of ['0', '1'])
  describe(`request targets in raw UTF-8, FAST_REDIRECTS=${fastRedirects}`, () => {
    let server: Server;
    let key: string;
    before(async () => {
      server = await startServer({ CODE_CHARACTERS: 'unicode', FAST_REDIRECTS: fastRedirects });
      ({ key } = await server.newKey());
      for (const customCode of ['plain', 'kaffee☕'])
        await as(server, key).post('/api/v1/shorten', { url, customCode, forwardQuery: 'add' });
    });
    after(() => server.stop());

    const send = async (...parts: (string | Uint8Array)[]) => {
      const { text, closed } = await converse(server.port, [
        Buffer.concat(parts.map((one) => Buffer.from(one as string))),
      ]);
      return { closed, answers: answersIn(text, { head: text.includes('HEAD') }) };
    };
    const headers = 'HTTP/1.1\r\nHost: localhost\r\nUser-Agent: node\r\nX-Raw: é';

    test('are read as if percent-encoded, and the connection is closed', async () => {
      for (const [target, location] of [
        ['/plain?name=Müller&x=[☕]', `${url}?name=M%C3%BCller&x=%5B%E2%98%95%5D`],
        ['/kaffee☕', url],
        ['/kaffee☕?a=%C3%A9é', `${url}?a=%C3%A9%C3%A9`],
        ['/plain…', url],
        ['http://localhost/plain”?é', `${url}?%C3%A9`],
      ] as const) {
        const { answers, closed } = await send(`GET ${target} ${headers}\r\n\r\n`);
        assert.deepEqual([closed, answers.length], [true, 1], target);
        assert.deepEqual([answers[0]?.status, answers[0]?.headers['location']], [302, location], target);
        assert.equal(answers[0]?.headers['connection'], 'close');
      }
      const authorization = `Authorization: Bearer ${key}`;
      const found = await send(`GET /api/v1/links?search=kaffee☕ ${headers}\r\n${authorization}\r\n\r\n`);
      assert.equal(JSON.parse(found.answers[0]?.text ?? '').pagination.total, 1);
      const clicks = (await as(server, key).get('/api/v1/links/by-code/plain')).json.data.clicks;
      assert.equal(clicks, 3);
      const later = await converse(server.port, [
        `GET /plain ${headers}\r\n\r\n`,
        `GET /plain?é ${headers}\r\n\r\n`,
      ]);
      assert.ok(later.closed);
    });

    test('lets nothing else through, and parses nothing as a second request', async () => {
      for (const request of [
        [`GET /plain?`, Uint8Array.of(0xe9), ` ${headers}\r\n\r\n`],
        [`GET /plain?`, Uint8Array.of(0xc0, 0xaf), ` ${headers}\r\n\r\n`],
        [`GET /plain?é\x01 ${headers}\r\n\r\n`],
        [`GET /plain?é\r ${headers}\r\n\r\n`],
        [`GET /plain?é HTTP/1.1\r\nHost: a b\r\n\r\n`],
        [`GET /plain?é HTTP/1.1\r\nX: y\r\n\r\n`],
        [`GET /plain?é HTTP/1.1\r\nHost : a\r\n\r\n`],
        [`GET /plain?é a ${headers}\r\n\r\n`],
        [`GET é ${headers}\r\n\r\n`],
        [`POST /plain?é ${headers}\r\nContent-Length: 0\r\n\r\n`],
        [`GET /plain?é ${headers}\r\nContent-Length: 5\r\n\r\nhello`],
        [`GET /plain?é ${headers}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
        [`GÉT /plain?é ${headers}\r\n\r\n`],
      ]) {
        const { answers, closed } = await send(...request);
        assert.deepEqual([closed, answers.map(({ status }) => status)], [true, [400]], String(request));
      }
      const before = (await as(server, key).get('/api/v1/links/by-code/plain')).json.data.clicks;
      const twice = await send(`GET /plain?é ${headers}\r\n\r\nGET /plain ${headers}\r\n\r\n`);
      assert.deepEqual([twice.closed, twice.answers.length], [true, 1]);
      assert.equal((await as(server, key).get('/api/v1/links/by-code/plain')).json.data.clicks, before + 1);
    });
  });
