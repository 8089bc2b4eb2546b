import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, ask } from '../../support/http/ask.ts';
import { answersIn, converse } from '../../support/http/wire.ts';
import { roomInTheMinute } from '../../support/server/limits.ts';
import { freshCode } from '../../support/server/records.ts';
import { type Environment, endServers, type Service, startServer } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { words } from '../../support/words.ts';

const page = 'https://app.example.com';
const stranger = 'https://evil.example';
const listed = `http://localhost:5173, ${page}/`;
/**
 * Headers that any page can read (Fetch standard, CORS-safelisted response-header names). `ofConnection` lists the
 * connection's headers.
 */
const readable = words('cache-control content-language content-length content-type expires last-modified');
const ofConnection = words(`
  pragma date connection keep-alive transfer-encoding vary x-content-type-options
`);

after(endServers);

async function open(env?: Environment): Promise<{ server: Service; authorization: string }> {
  const server = await (env === undefined ? sharedServer() : startServer(env));
  return { server, authorization: `Bearer ${(await server.newKey()).key}` };
}

function corsIn({ headers }: Answer): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

/** Returns requests of all kinds with their expected status. The last one exhausts the IP address's failure limit. */
function requests(authorization: string, code: string) {
  return [
    [200, 'GET', '/api/v1/me', { authorization }],
    [200, 'HEAD', '/api/v1/links', { authorization }],
    [
      201,
      'POST',
      '/api/v1/shorten',
      { authorization, 'idempotency-key': code },
      `{"url":"https://example.com/","customCode":"${code}"}`,
    ],
    [
      201,
      'POST',
      '/api/v1/shorten',
      { authorization, 'idempotency-key': code },
      `{"url":"https://example.com/","customCode":"${code}"}`,
    ],
    [200, 'PATCH', '/api/v1/account', { authorization, 'idempotency-key': code }, '{}'],
    [400, 'POST', '/api/v1/shorten', { authorization }, '{'],
    [401, 'GET', '/api/v1/me', {}],
    [404, 'GET', '/api/v1/nothing', { authorization }],
    [404, 'GET', '/api/v1/%', { authorization }],
    [404, 'GET', '/api/v1/links/no', { authorization }],
    [405, 'PUT', '/api/v1/links', { authorization }],
    [413, 'POST', '/api/v1/shorten', { authorization }, ' '.repeat(65_537)],
    [414, 'GET', `/api/v1/links?x=${'x'.repeat(5_000)}`, { authorization }],
    [415, 'POST', '/api/v1/shorten', { authorization, 'content-type': 'text/plain' }, '{}'],
    [400, 'GET', '/api/v1/me', { authorization, host: 'a b' }],
    [200, 'GET', '/api/v1/openapi.json', {}],
    [200, 'GET', '/healthz', {}],
    [302, 'GET', `/${code}`, {}],
    [200, 'GET', `/${code}+`, { accept: 'application/json' }],
    [404, 'GET', '/no-such-code', {}],
    [429, 'GET', '/api/v1/me', { authorization, 'x-forwarded-for': '203.0.113.5' }],
  ] as const;
}

describe('pages of other origins', () => {
  test('allows no page by default and sends no such header', async () => {
    const { server, authorization } = await open();
    const asked = { origin: page, 'access-control-request-method': 'GET' };
    const preflight = await ask(server, { method: 'OPTIONS', path: '/api/v1/me', headers: asked });
    assert.deepEqual([preflight.status, corsIn(preflight)], [405, []]);
    const answer = await ask(server, { path: '/api/v1/me', headers: { authorization, origin: page } });
    assert.deepEqual([answer.status, corsIn(answer), answer.headers.vary], [200, [], undefined]);
  });

  const opened = new Map<string, ReturnType<typeof open>>();
  before(() => {
    for (const CORS_ORIGINS of [listed, '*']) {
      const limits = { AUTH_FAILURE_LIMIT: '1', RATE_LIMITS: 'enterprise=100' };
      opened.set(CORS_ORIGINS, open({ CORS_ORIGINS, TRUST_PROXY: '1', ...limits }));
    }
  });
  const at = (origins: string) => opened.get(origins) ?? assert.fail(origins);

  for (const [origins, allowed, vary] of [
    [listed, page, 'Origin'],
    ['*', '*', undefined],
  ] as const) {
    test(`CORS_ORIGINS=${origins}: lets pages read every response with all headers, errors too`, async () => {
      const { server, authorization } = await at(origins);
      await roomInTheMinute();
      const wrong = { authorization: 'Bearer no', 'x-forwarded-for': '203.0.113.5' };
      await ask(server, { path: '/api/v1/me', headers: wrong });
      const sent = new Set<string>();
      for (const [status, method, path, headers, body] of requests(authorization, freshCode())) {
        const answer = await ask(server, { method, path, headers: { origin: page, ...headers }, body });
        assert.equal(answer.status, status, `${method} ${path.slice(0, 40)}: ${answer.text}`);
        const what = `${status} of ${method} ${path.slice(0, 40)}`;
        assert.equal(answer.headers['access-control-allow-origin'], allowed, what);
        // The OpenAPI document is compressed for clients that support it.
        const varies = [vary, path === '/api/v1/openapi.json' ? 'accept-encoding' : undefined];
        assert.equal(answer.headers.vary, varies.filter((name) => name).join(', ') || undefined, what);
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
        const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase().split(', ');
        for (const name of Object.keys(answer.headers)) {
          sent.add(name);
          if ([...readable, ...ofConnection].includes(name) || name.startsWith('access-control-')) continue;
          assert.ok(exposed.includes(name), `${name} of ${what}`);
        }
      }
      const wanted = words(
        'x-request-id location retry-after idempotency-replayed idempotency-key-ignored x-ratelimit-remaining',
      );
      for (const name of [...wanted, 'allow', 'www-authenticate'])
        assert.ok(sent.has(name), `${name} was never sent`);
    });

    test(`CORS_ORIGINS=${origins}: answers a preflight without a key, for any path`, async () => {
      const { server } = await at(origins);
      const from = { 'x-forwarded-for': '198.51.100.5' };
      for (const status of [401, 429])
        assert.equal((await ask(server, { path: '/api/v1/me', headers: from })).status, status);
      for (const path of ['/api/v1/shorten', '/api/v1/links/x/move', '/code', '/api/v1/nothing']) {
        const headers = {
          ...from,
          origin: page,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        };
        const answer = await ask(server, { method: 'OPTIONS', path, headers });
        assert.deepEqual([answer.status, answer.text], [204, '']);
        const got = (name: string): string => String(answer.headers[`access-control-${name}`]);
        assert.equal(got('allow-origin'), allowed);
        assert.deepEqual(got('allow-methods').split(', '), ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
        for (const name of ['authorization', 'content-type', 'idempotency-key'])
          assert.ok(got('allow-headers').toLowerCase().split(', ').includes(name), name);
        assert.match(got('max-age'), /^[1-9]\d+$/);
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      }
      const bare = await ask(server, {
        method: 'OPTIONS',
        path: '/api/v1/links',
        headers: { origin: page },
      });
      assert.equal(bare.status, 405, 'OPTIONS alone is not a preflight request');
    });
  }

  test('sends no such headers to a page of another origin', async () => {
    const { server, authorization } = await at(listed);
    const others = [stranger, 'null', `${page}.evil.example`, 'http://app.example.com', `${page}:8443`, ''];
    for (const origin of others) {
      const asked = { origin, 'access-control-request-method': 'GET' };
      const preflight = await ask(server, { method: 'OPTIONS', path: '/api/v1/me', headers: asked });
      assert.deepEqual([preflight.status, corsIn(preflight)], [405, []], origin);
      const answer = await ask(server, { path: '/api/v1/me', headers: { authorization, origin } });
      assert.deepEqual([answer.status, corsIn(answer)], [200, []], origin);
    }
  });

  test('responds the same on and off the fast path', async () => {
    const code = freshCode();
    const outcomes = [];
    for (const { server, authorization } of [
      await at(listed),
      await open({ CORS_ORIGINS: listed, FAST_REDIRECTS: '0' }),
    ]) {
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ url: 'https://example.com/', customCode: code });
      await ask(server, { method: 'POST', path: '/api/v1/shorten', headers, body });
      const get = (origin: string): string => `GET /${code} HTTP/1.1\r\nHost: h\r\n${origin}\r\n`;
      const answers = [];
      for (const origin of [
        '',
        `Origin: ${page}\r\n`,
        `Origin: ${stranger}\r\n`,
        `Origin: ${page}\r\nOrigin: a\r\n`,
      ]) {
        const enough = (text: string): boolean => text.endsWith('\r\n\r\n');
        const [answer] = answersIn((await converse(server.port, [get(origin)], { enough })).text);
        assert.equal(answer?.status, 302);
        const { date: _, ...rest } = answer.headers;
        answers.push(rest);
      }
      assert.deepEqual(
        answers.map((rest) => rest['access-control-allow-origin']),
        [undefined, page, undefined, undefined],
      );
      outcomes.push(answers);
    }
    assert.deepEqual(outcomes[0], outcomes[1]);
  });

  test('rejects an invalid origin at startup', async () => {
    for (const wrong of [`${page}/app`, '*.example.com'])
      await assert.rejects(
        startServer({ CORS_ORIGINS: wrong }),
        /CORS_ORIGINS contains ".+"; use origins such as/,
        wrong,
      );
  });
});
