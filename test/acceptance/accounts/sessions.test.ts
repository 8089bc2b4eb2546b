import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEndpoint } from '../../support/http/openapi.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import { makeLink } from '../../support/server/records.ts';
import {
  type Answer,
  as,
  call,
  endServers,
  type Server,
  type Service,
  startServer,
  type TestKey,
  temporaryFolder,
} from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

after(endServers);

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

/** Starts a session with a key, like a browser. */
async function signIn(server: Service, key: string, headers: Record<string, string> = {}) {
  const answer = await call(server, 'POST', '/api/v1/session', {
    key,
    headers: { 'user-agent': firefox, ...headers },
  });
  assert.equal(answer.status, 201, answer.text);
  return browserWith(server, cookieOf(answer));
}

/** Sends requests like a dashboard page. */
function browserWith(server: Service, cookie: string) {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(server, method, `/api/v1${path}`, {
      ...(body !== undefined && { body }),
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    });
  return { cookie, send, get: (path: string) => send('GET', path) };
}

const codeOf = ({ status, json }: Answer): [number, string | undefined] => [status, json?.error?.code];

describe('sessions', () => {
  let server: SharedServer;
  let holder: TestKey;
  before(async () => {
    server = await sharedServer();
    holder = await server.newKey();
  });

  test('a key creates a session with the same rights in every endpoint, which names its account', async () => {
    const browser = await signIn(server, holder.key);
    assert.match(browser.cookie, new RegExp(`^linkfold-${server.port}=[\\w-]{43}$`));
    const made = await browser.send('POST', '/shorten', { url: 'https://example.com/' });
    assert.equal(made.status, 201, made.text);
    const api = as(server, holder.key);
    assert.equal(
      (await api.get(`/api/v1/links/${made.json.data.id}`)).status,
      200,
      'it belongs to the same account',
    );
    assert.equal((await browser.send('DELETE', `/links/${made.json.data.id}`)).status, 204);

    const { data } = (await browser.get('/session')).json;
    const { session, version, baseUrl, ...identity } = data;
    assert.deepEqual(identity, (await api.get('/api/v1/me')).json.data);
    assert.deepEqual(
      [session.agent, session.isCurrent, session.keyId],
      ['Firefox on Linux', true, holder.id],
    );
    const lasts = Date.parse(session.expiresAt) - Date.parse(session.lastSeenAt);
    assert.equal(lasts, 12 * 3_600_000);
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.equal(baseUrl, server.url);
    assert.equal((await api.get('/api/v1/session')).json.data.session, null, 'a key has none');
    for (const { name, method, path } of everyEndpoint) {
      if (name === 'createSession' || name === 'endSession' || path.includes(':') || method !== 'GET')
        continue;
      const answer = await browser.send(method, path);
      assert.ok(
        answer.status < 300 || answer.status === 400 || answer.status === 403,
        `${name}: ${answer.text}`,
      );
      assert.notEqual(answer.json?.error?.code, 'INVALID_SESSION', name);
    }
  });

  test('a session has no more rights than its key', async () => {
    const { key } = await server.newKey({ account: holder.account, scopes: 'links:read' });
    const browser = await signIn(server, key);
    assert.equal((await browser.get('/links')).status, 200);
    const refused = await browser.send('POST', '/shorten', { url: 'https://example.com/' });
    assert.deepEqual(codeOf(refused), [403, 'INSUFFICIENT_SCOPE']);
    const other = await signIn(server, (await server.newKey()).key);
    const link = await makeLink(as(server, holder.key));
    assert.deepEqual(codeOf(await other.get(`/links/${link}`)), [404, 'LINK_NOT_FOUND']);
  });

  test('restricts the cookie to this host, without scripts or other sites; http only on a loopback address', async () => {
    const answers = async (headers: Record<string, string>): Promise<Answer> =>
      call(server, 'POST', '/api/v1/session', { key: holder.key, headers });
    const attributes = async (headers: Record<string, string>): Promise<string> =>
      (await answers(headers)).headers.get('set-cookie')?.replace(/=[\w-]{43};/, '=…;') ?? '';
    const month = 'Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict';
    const secure = `__Host-linkfold=…; ${month}; Secure`;
    const rows: [Record<string, string>, string][] = [
      [{}, `linkfold-${server.port}=…; ${month}`],
      [{ origin: server.url }, `linkfold-${server.port}=…; ${month}`],
      [{ host: 'localhost:8080', origin: 'http://localhost:8080' }, `linkfold-8080=…; ${month}`],
      [{ host: '[::1]:80', origin: 'http://[::1]' }, `linkfold-80=…; ${month}`],
      [{ host: 'go.example.com', origin: 'https://go.example.com' }, secure],
      [{ host: 'go.example.com' }, secure],
      // A local proxy may not forward the host, so the server uses the browser's `Origin` and `Sec-Fetch-Site` headers.
      [{ origin: 'https://go.example.com', 'sec-fetch-site': 'same-origin' }, secure],
      [{ 'x-forwarded-proto': 'https' }, secure],
    ];
    for (const [headers, expected] of rows)
      assert.equal(await attributes(headers), expected, JSON.stringify(headers));
    const plain = await answers({ host: '192.0.2.1:3000', origin: 'http://192.0.2.1:3000' });
    assert.deepEqual(codeOf(plain), [403, 'INSECURE_CONNECTION']);
    assert.equal(plain.headers.get('set-cookie'), null);
  });

  test('checks headers sent with a session, and requests from elsewhere', async () => {
    const { cookie } = await signIn(server, holder.key);
    const json = 'application/json';
    const own = { 'sec-fetch-site': 'same-origin' };
    const rows: [string, string, Record<string, string>, number, string?][] = [
      ['a change from a page of this server', 'POST', { ...own, 'content-type': json }, 201],
      [
        'an equal origin, where the browser says no more',
        'POST',
        { origin: server.url, 'content-type': json },
        201,
      ],
      ['a read needs no proof', 'GET', {}, 200],
      ['a change without proof', 'POST', { 'content-type': json }, 403, 'CROSS_SITE_REQUEST'],
      [
        'another site',
        'POST',
        { 'sec-fetch-site': 'cross-site', 'content-type': json },
        403,
        'CROSS_SITE_REQUEST',
      ],
      ['another origin of the site', 'POST', { 'sec-fetch-site': 'same-site' }, 403, 'CROSS_SITE_REQUEST'],
      [
        'no page at all',
        'POST',
        { 'sec-fetch-site': 'none', 'content-type': json },
        403,
        'CROSS_SITE_REQUEST',
      ],
      [
        'another site with an equal origin',
        'POST',
        { 'sec-fetch-site': 'cross-site', origin: server.url },
        403,
        'CROSS_SITE_REQUEST',
      ],
      [
        'a foreign origin',
        'POST',
        { origin: 'https://evil.example', 'content-type': json },
        403,
        'CROSS_SITE_REQUEST',
      ],
      ['a hidden origin', 'POST', { origin: 'null', 'content-type': json }, 403, 'CROSS_SITE_REQUEST'],
      [
        'an origin with another port',
        'POST',
        { origin: server.url.replace(/\d+$/, '1') },
        403,
        'CROSS_SITE_REQUEST',
      ],
      ['a form', 'POST', { ...own, 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a body of no type', 'POST', { ...own, 'content-type': '' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a key too', 'GET', { authorization: `Bearer ${holder.key}` }, 400, 'AMBIGUOUS_CREDENTIALS'],
      ['a bad key too', 'GET', { authorization: 'bearer' }, 400, 'AMBIGUOUS_CREDENTIALS'],
      ['the password of a proxy too', 'GET', { authorization: 'Basic YTpi' }, 200],
    ];
    for (const [what, method, headers, status, code] of rows) {
      const answer =
        method === 'GET'
          ? await call(server, 'GET', '/api/v1/folders', { headers: { cookie, ...headers } })
          : await call(server, 'POST', '/api/v1/folders', {
              body: { name: 'x' },
              headers: { cookie, ...headers },
            });
      assert.deepEqual([what, ...codeOf(answer)], [what, status, code]);
    }
  });

  test('accepts only the full token of a live session, and clears a wrong one', async () => {
    const { cookie } = await signIn(server, holder.key);
    const [name = '', token = ''] = cookie.split('=');
    const wrong = [
      `${name}=`,
      `${name}=${token.slice(1)}`,
      `${name}=${token.toLowerCase()}x`,
      `${name}=${'a'.repeat(43)}`,
      `${name}=${holder.key}`,
      `__Host-linkfold=${'a'.repeat(43)}; ${cookie}`,
    ];
    for (const sent of wrong) {
      const answer = await call(server, 'GET', '/api/v1/me', { headers: { cookie: sent } });
      assert.deepEqual([sent, ...codeOf(answer)], [sent, 401, 'INVALID_SESSION']);
      assert.match(answer.headers.get('set-cookie') ?? '', /^linkfold-\d+=; Max-Age=0; Path=\//);
    }
    for (const sent of ['', 'other=1', `linkfold=${token}`, `linkfold-1=${token}`, token])
      assert.deepEqual(
        codeOf(await call(server, 'GET', '/api/v1/me', { headers: { cookie: sent } })),
        [401, 'MISSING_API_KEY'],
        sent,
      );
    const far = await call(server, 'GET', '/api/v1/me', { headers: { cookie, host: 'go.example.com' } });
    assert.deepEqual(
      codeOf(far),
      [401, 'MISSING_API_KEY'],
      'the plain name counts on loopback addresses only',
    );
    const good = await call(server, 'GET', '/api/v1/me', { headers: { cookie: `a=b;${cookie} ; c=d` } });
    assert.equal(good.status, 200);
    assert.ok(!server.output().includes(token), 'no log has it');
  });

  test('ends a session at once: sign-out, ending one, ending all others', async () => {
    const { key, id } = await server.newKey();
    const [one, two, three] = [
      await signIn(server, key),
      await signIn(server, key),
      await signIn(server, key),
    ];
    const listed = (await one.get('/sessions')).json.sessions;
    assert.equal(listed.length, 3);
    assert.deepEqual([...new Set(listed.map((session: { keyId: string }) => session.keyId))], [id]);
    assert.equal(listed.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent).length, 1);
    const gone = await one.send('DELETE', '/session');
    assert.deepEqual([gone.status, cookieOf(gone)], [204, `linkfold-${server.port}=`]);
    assert.deepEqual(codeOf(await one.get('/me')), [401, 'INVALID_SESSION']);
    const second = (await two.get('/session')).json.data.session.id;
    assert.equal((await three.send('DELETE', `/sessions/${second}`)).status, 204);
    assert.deepEqual(codeOf(await two.get('/me')), [401, 'INVALID_SESSION']);
    await signIn(server, key);
    const ended = await three.send('DELETE', '/sessions');
    assert.deepEqual(ended.json.data, { ended: 1 });
    assert.equal((await three.get('/sessions')).json.sessions.length, 1);
  });

  test('ends a session with its key: revoked, expired, rotated without grace, account suspended', async () => {
    const soon = new Date(Date.now() + 15_000).toISOString();
    const ends: [string, Partial<Record<'expires', string>>, (key: TestKey) => Promise<unknown>][] = [
      ['expired', { expires: soon }, async () => {}],
      ['revoked', {}, ({ id }) => server.command('keys', 'revoke', id)],
      ['rotated', {}, ({ id }) => server.command('keys', 'rotate', id, '--grace', '0')],
      ['suspended', {}, ({ account }) => server.command('accounts', 'suspend', account)],
    ];
    const begun = await Promise.all(
      ends.map(async ([how, options, end]) => {
        const key = await server.newKey(options);
        const browser = await signIn(server, key.key);
        assert.equal((await browser.get('/me')).status, 200, how);
        return { how, key, browser, end };
      }),
    );
    for (const { how, key, browser, end } of begun) {
      await end(key);
      await until(`its key is ${how}`, async () => (await browser.get('/me')).status === 401);
      assert.deepEqual([how, ...codeOf(await browser.get('/me'))], [how, 401, 'INVALID_SESSION']);
      if (how === 'suspended') {
        await server.command('accounts', 'resume', key.account);
        await othersKnow();
        assert.equal((await browser.get('/me')).status, 401, 'and does not come back');
      }
    }
  });

  test('allows fifty sessions per key and ends the least recently used above that', async () => {
    const { key } = await server.newKey();
    const first = await signIn(server, key);
    for (let made = 0; made < 50; made += 1) await signIn(server, key);
    assert.equal((await as(server, key).get('/api/v1/sessions')).json.sessions.length, 50);
    assert.deepEqual(codeOf(await first.get('/me')), [401, 'INVALID_SESSION']);
  });

  test('signs in the first browser that opens a login link, which has no other use', async () => {
    await server.newKey({ account: holder.account, scopes: 'links:read' });
    const link = JSON.parse(await server.command('login', '--account', holder.account, '--json'));
    const [page, token = ''] = link.url.split('#');
    assert.equal(page, `${server.url}/dashboard/login`);
    assert.equal(link.keyId, holder.id, 'the key with the most permissions');
    assert.equal(Math.round((Date.parse(link.expiresAt) - Date.now()) / 60_000), 30);
    assert.deepEqual(codeOf(await call(server, 'GET', '/api/v1/me', { key: token })), [
      401,
      'INVALID_API_KEY',
    ]);
    const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' }, key: token };
    assert.deepEqual(codeOf(await call(server, 'POST', '/api/v1/session', elsewhere)), [
      403,
      'CROSS_SITE_REQUEST',
    ]);
    const describe = (secret: string) =>
      call(server, 'POST', '/api/v1/sign-in-links/describe', { body: { token: secret } });
    for (let looks = 0; looks < 2; looks += 1) {
      const { data } = (await describe(token)).json;
      assert.deepEqual(
        [data.account, data.person, data.expiresAt],
        [holder.account, null, link.expiresAt],
        'looking at the link does not use it up',
      );
    }
    for (const wrong of [`lfl_${'a'.repeat(43)}`, token.slice(0, -1), holder.key, 'x'])
      assert.deepEqual(codeOf(await describe(wrong)), [401, 'INVALID_LOGIN_LINK'], wrong);
    const lan = { headers: { host: '192.0.2.1', origin: 'http://192.0.2.1' }, key: token };
    assert.deepEqual(codeOf(await call(server, 'POST', '/api/v1/session', lan)), [
      403,
      'INSECURE_CONNECTION',
    ]);
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => call(server, 'POST', '/api/v1/session', { key: token })),
    );
    const statuses = tries.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 401, 401, 401, 401]);
    assert.deepEqual(codeOf(await describe(token)), [401, 'INVALID_LOGIN_LINK'], 'it is used');
    for (const answer of tries.filter(({ status }) => status === 401))
      assert.equal(answer.json.error.code, 'INVALID_LOGIN_LINK');
    const made = tries.find(({ status }) => status === 201) as Answer;
    assert.equal(
      (await browserWith(server, cookieOf(made)).get('/session')).json.data.account,
      holder.account,
    );

    const { id, key } = await server.newKey();
    const unused = JSON.parse(await server.command('login', '--account', 'default', '--json'));
    assert.notEqual(unused.keyId, id);
    const own = JSON.parse(
      await server.command(
        'login',
        '--account',
        (await as(server, key).get('/api/v1/me')).json.data.account,
        '--json',
      ),
    );
    await server.command('keys', 'revoke', id);
    await othersKnow();
    const late = await call(server, 'POST', '/api/v1/session', { key: own.url.split('#')[1] });
    assert.deepEqual(codeOf(late), [401, 'INVALID_LOGIN_LINK']);
    assert.ok(!server.output().includes(token));
  });

  test('lists and ends sessions with the command line', async () => {
    const key = await server.newKey();
    const browser = await signIn(server, key.key);
    const other = await signIn(server, key.key);
    const list = async () =>
      JSON.parse(await server.command('sessions', 'list', '--account', key.account, '--json'));
    const listed = await list();
    assert.deepEqual(
      listed.map(({ account, agent, keyId }: Record<string, string>) => [account, agent, keyId]),
      Array.from({ length: 2 }, () => [key.account, 'Firefox on Linux', key.id]),
    );
    const { id } = (await browser.get('/session')).json.data.session;
    await server.command('sessions', 'end', id);
    assert.deepEqual(codeOf(await browser.get('/me')), [401, 'INVALID_SESSION']);
    assert.equal((await other.get('/me')).status, 200);
    await server.command('sessions', 'end', '--all', '--account', key.account);
    assert.deepEqual(await list(), []);
    await assert.rejects(server.command('sessions', 'end', id), /Session not found/);
  });
});

test('keeps sessions after kill -9 and in every worker; limits wrong ones by address', async () => {
  const dataDir = temporaryFolder('data');
  const env = { WORKERS: '3', TRUST_PROXY: '1', AUTH_FAILURE_LIMIT: '5' };
  const first = await startServer(env, dataDir);
  const { key, id } = await first.newKey();
  const { cookie } = await signIn(first, key, { host: 'go.example.com' });
  const request = (server: Server) =>
    Promise.all(
      Array.from({ length: 12 }, async () => {
        // Each request uses its own connection, which any worker may accept.
        const answer = await fetch(`${server.url}/api/v1/me`, { headers: { cookie, connection: 'close' } });
        return answer.status;
      }),
    );
  assert.deepEqual([...new Set(await request(first))], [200]);
  await first.stop('SIGKILL');

  const second = await startServer(env, dataDir);
  assert.deepEqual([...new Set(await request(second))], [200]);
  const guess = () =>
    call(second, 'GET', '/api/v1/me', {
      headers: { cookie: `__Host-linkfold=${'a'.repeat(43)}`, 'x-forwarded-for': '203.0.113.9' },
    });
  await until('guesses are refused before they are looked up', async () => (await guess()).status === 429);
  await second.command('keys', 'revoke', id);
  assert.deepEqual([...new Set(await request(second))], [401]);
  assert.equal(await second.stop(), 0);
});
