// Sign-in with a real OpenID Connect provider through browser requests, and attacks on it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clientId,
  clientSecret,
  openProvider,
  signInThere,
  type TestProvider,
} from '../../support/oidc/provider.ts';
import { asBrowser } from '../../support/server/members.ts';
import {
  type Answer,
  as,
  call,
  type Server,
  startServer,
  type TestKey,
} from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const said = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();

/** Starts a server with single sign-on. */
async function openSite(provider: TestProvider, env: Record<string, string> = {}): Promise<Server> {
  const server = await startServer({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPES: 'openid profile email groups',
    OIDC_GROUPS:
      'boss=default:owner, writers=default:editor, readers=default:viewer, elsewhere=nowhere:owner',
    ...env,
  });
  await provider.serve(`${server.url}/dashboard/oidc`);
  return server;
}

interface Begun {
  readonly url: string;
  readonly token: string;
}

function at(server: Server) {
  const headers = { 'sec-fetch-site': 'same-origin', origin: server.url };
  const post = (path: string, body?: unknown) =>
    call(server, 'POST', `/api/v1/session/${path}`, { headers, ...(body !== undefined && { body }) });
  const begin = async (): Promise<Begun> => (await post('oidc-options')).json.data;
  const finish = (token: string, answer: string, invitation?: string) =>
    post('oidc', { token, answer, ...(invitation !== undefined && { invitation }) });
  const enter = async (sub: string, invitation?: string): Promise<Answer> => {
    const { url, token } = await begin();
    return finish(token, (await signInThere(url, sub)).search, invitation);
  };
  const come = async (sub: string, invitation?: string) => {
    const answer = await enter(sub, invitation);
    assert.equal(answer.status, 201, answer.text);
    const browser = asBrowser(server, answer.headers.get('set-cookie')?.split(';')[0] ?? '');
    return { ...browser, person: answer.json.data.person as { id: string; name: string; role: string } };
  };
  return { post, begin, finish, enter, come };
}

describe('single sign-on', () => {
  let provider: TestProvider;
  let server: Server;
  let root: TestKey;
  let site: ReturnType<typeof at>;
  before(async () => {
    provider = await openProvider();
    server = await openSite(provider);
    root = await server.newKey();
    site = at(server);
  });
  after(async () => {
    await server.stop();
    await provider.close();
  });
  const api = () => as(server, root.key);
  const invite = async (role: string, email?: string): Promise<string> => {
    const answer = await api().post('/api/v1/invitations', { role, ...(email !== undefined && { email }) });
    return new URL(answer.json.data.url).hash.slice(1);
  };
  const emailOf = async (id: string): Promise<string | null> =>
    (await api().get('/api/v1/members')).json.data.find((one: { id: string }) => one.id === id)?.email;

  test('sets the role from a group at each sign-in; ends access at once without a group', async () => {
    assert.deepEqual((await call(server, 'GET', '/api/v1/session/ways')).json.data, {
      singleSignOn: { name: null },
      isOnly: false,
      mail: false,
    });
    const ada = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };
    provider.users.set('ada', { ...ada, groups: ['readers', 'other'] });
    const first = await site.come('ada');
    assert.deepEqual([first.person.name, first.person.role], ['Ada Lovelace', 'viewer']);
    assert.equal(await emailOf(first.person.id), 'ada@example.com');
    const key = async (from: typeof first) =>
      said(await from.send('POST', '/shorten', { url: 'https://example.com/' }));
    assert.equal(await key(first), '403 INSUFFICIENT_SCOPE');

    provider.users.set('ada', { ...ada, groups: ['readers', 'writers'] });
    const second = await site.come('ada');
    assert.equal(second.person.id, first.person.id, 'the same person');
    assert.equal(second.person.role, 'editor', 'the first matching rule');
    assert.equal(await key(second), '201');
    assert.equal(await key(first), '401 INVALID_SESSION', 'an existing session gains no permissions');

    provider.users.set('ada', { ...ada, groups: ['readers'] });
    const third = await site.come('ada');
    assert.equal(third.person.role, 'viewer');
    assert.equal(
      said(await second.get('/session')),
      '401 INVALID_SESSION',
      'a member with fewer permissions must sign in again',
    );

    provider.users.set('ada', { ...ada, groups: [] });
    assert.equal(said(await site.enter('ada')), '403 OIDC_NO_ACCESS');
    assert.equal(said(await third.get('/session')), '401 INVALID_SESSION', 'everywhere');
    provider.users.set('ada', { ...ada, groups: ['elsewhere'] });
    assert.equal(said(await site.enter('ada')), '403 OIDC_NO_ACCESS', 'an unknown account');
    provider.users.set('ada', { ...ada, groups: ['writers'] });
    assert.equal((await site.come('ada')).person.id, first.person.id, 'the same member comes back');
  });

  test('keeps the last owner, whatever the groups say', async () => {
    provider.users.set('grace', { name: 'Grace', groups: ['boss'] });
    const { person } = await site.come('grace');
    assert.equal(person.role, 'owner');
    provider.users.set('grace', { name: 'Grace', groups: ['readers'] });
    assert.equal((await site.come('grace')).person.role, 'owner');
  });

  test('an invitation: binds the person to issuer and subject, and to a verified email address if given', async () => {
    provider.users.set('lin', { name: 'Lin', email: 'LIN@example.com', email_verified: true });
    assert.equal(said(await site.enter('lin')), '403 OIDC_NO_ACCESS', 'nobody has invited them');
    const { person } = await site.come('lin', await invite('editor', 'lin@example.com'));
    assert.equal((await site.come('lin')).person.id, person.id, 'from now on without an invitation');
    assert.equal(
      said(await site.enter('lin', await invite('owner'))),
      '403 OIDC_REFUSED',
      'only once per account',
    );

    for (const claims of [
      { email: 'eve@example.com', email_verified: true },
      { email: 'mia@example.com', email_verified: false },
      { email: 'mia@example.com' },
      {},
    ]) {
      provider.users.set('eve', { name: 'Eve', ...claims });
      const token = await invite('admin', 'mia@example.com');
      assert.equal(said(await site.enter('eve', token)), '403 OIDC_REFUSED', JSON.stringify(claims));
      const open = await call(server, 'POST', '/api/v1/invitations/describe', { body: { token } });
      assert.equal(open.status, 200, 'it stays open for the invited person');
    }
    const accept = async (token: string) =>
      said(await call(server, 'POST', '/api/v1/invitations/accept', { body: { token, name: 'Thief' } }));
    const forMia = await invite('admin', 'mia@example.com');
    assert.equal(await accept(forMia), '403 OIDC_ONLY', 'only the provider can verify the address');
    provider.users.set('mia', { name: 'Mia', email: 'Mia@Example.com', email_verified: true });
    assert.equal((await site.come('mia', forMia)).person.role, 'admin');
    assert.equal(await accept(await invite('viewer')), '201', 'without an address the link is the secret');
    provider.users.set('kelvin', { name: 'Kate', email: '\u212aate@example.com', email_verified: true });
    assert.equal(
      said(await site.enter('kelvin', await invite('admin', 'kate@example.com'))),
      '403 OIDC_REFUSED',
      'a Kelvin sign is not a K',
    );
    const token = await invite('viewer');
    const eve = await site.come('eve', token);
    assert.equal(await emailOf(eve.person.id), null);
    provider.users.set('zoe', { name: 'Zoe' });
    assert.equal(said(await site.enter('zoe', token)), '404 INVITATION_NOT_FOUND', 'it is used');
  });

  test('a member’s email address, verified or not, does not sign in as that member', async () => {
    provider.users.set('olaf', {
      name: 'Olaf',
      email: 'olaf@example.com',
      email_verified: true,
      groups: ['boss'],
    });
    const { person } = await site.come('olaf');
    for (const email_verified of [false, true]) {
      provider.users.set('thief', { name: 'Olaf', email: 'olaf@example.com', email_verified });
      assert.equal(said(await site.enter('thief')), '403 OIDC_NO_ACCESS');
    }
    provider.users.set('thief', {
      name: 'Olaf',
      email: 'olaf@example.com',
      email_verified: true,
      groups: ['readers'],
    });
    const thief = await site.come('thief');
    assert.notEqual(thief.person.id, person.id);
    assert.equal(thief.person.role, 'viewer');
    // A removed member who signs in again becomes a new member.
    const removed = await api().delete(`/api/v1/members/${thief.person.id}`);
    assert.equal(removed.status, 200, removed.text);
    assert.equal(said(await thief.get('/session')), '401 INVALID_SESSION');
    assert.notEqual((await site.come('thief')).person.id, thief.person.id);
  });

  test('accepts a response once, in the browser that started it, for its request', async () => {
    provider.users.set('sam', { name: 'Sam', groups: ['writers'] });
    const [mine, other] = [await site.begin(), await site.begin()];
    const good = (await signInThere(mine.url, 'sam')).search;
    const bent = (change: (query: URLSearchParams) => void): string => {
      const query = new URLSearchParams(good);
      change(query);
      return `?${query}`;
    };
    assert.equal(
      said(await site.finish(other.token, good)),
      '403 OIDC_REFUSED',
      'started elsewhere: another state',
    );
    const crossing = await call(server, 'POST', '/api/v1/session/oidc', {
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      body: { token: mine.token, answer: good },
    });
    assert.equal(said(crossing), '403 CROSS_SITE_REQUEST');
    assert.equal((await site.finish(mine.token, good)).status, 201);
    assert.equal(said(await site.finish(mine.token, good)), '403 OIDC_REFUSED', 'a second time');
    const again = await site.begin();
    const replayed = bent((query) => query.set('state', new URL(again.url).searchParams.get('state') ?? ''));
    assert.equal(said(await site.finish(again.token, replayed)), '403 OIDC_REFUSED', 'a code that was used');

    const stolen = await site.begin();
    const begun = await site.begin();
    const code = (await signInThere(stolen.url, 'sam')).searchParams.get('code') ?? '';
    const injected = new URLSearchParams({
      code,
      state: new URL(begun.url).searchParams.get('state') ?? '',
      iss: provider.issuer,
    });
    assert.equal(
      said(await site.finish(begun.token, `?${injected}`)),
      '403 OIDC_REFUSED',
      'the code of another browser',
    );

    for (const [why, change] of [
      ['no state', (query: URLSearchParams) => query.delete('state')],
      ['another state', (query: URLSearchParams) => query.set('state', 'A'.repeat(43))],
      ['two states', (query: URLSearchParams) => query.append('state', query.get('state') ?? '')],
      ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
      ['no issuer', (query: URLSearchParams) => query.delete('iss')],
      ['no code', (query: URLSearchParams) => query.delete('code')],
      ['another code', (query: URLSearchParams) => query.set('code', 'A'.repeat(43))],
      [
        'turned away',
        (query: URLSearchParams) => {
          query.delete('code');
          query.set('error', 'access_denied');
        },
      ],
    ] as const) {
      const { url, token } = await site.begin();
      const query = new URLSearchParams((await signInThere(url, 'sam')).search);
      change(query);
      assert.equal(said(await site.finish(token, `?${query}`)), '403 OIDC_REFUSED', why);
    }
    for (const token of ['x', 'lfo_', `lfo_${'A'.repeat(43)}`, mine.token.replace('lfo_', 'lfl_')])
      assert.equal(said(await site.finish(token, good)), '403 OIDC_REFUSED', token);
    const asked = await call(server, 'POST', '/api/v1/session/oidc-options', {
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(said(asked), '403 OIDC_REFUSED', 'a page at another address');
  });

  test('rejects responses: wrong issuer, client or nonce, expired, unsigned', async () => {
    provider.users.set('sam', { name: 'Sam', groups: ['writers'] });
    const now = () => Math.floor(Date.now() / 1_000);
    const tried: readonly [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
      ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
      ['another client', (claims) => ({ ...claims, aud: 'somebody-else' })],
      ['another nonce', (claims) => ({ ...claims, nonce: 'A'.repeat(43) })],
      ['no nonce', ({ nonce: _, ...claims }) => claims],
      ['long over', (claims) => ({ ...claims, iat: now() - 200, exp: now() - 100 })],
      ['of the far future', (claims) => ({ ...claims, nbf: now() + 100 })],
      ['asked for by another client', (claims) => ({ ...claims, azp: 'somebody-else' })],
      ['issued in the future', (claims) => ({ ...claims, iat: now() + 100 })],
      ['signed in tomorrow', (claims) => ({ ...claims, auth_time: now() + 86_400 })],
      ['no subject', ({ sub: _, ...claims }) => claims],
      [
        'an endless subject',
        (claims) => ({ ...claims, sub: 'a'.repeat(300), name: 'a', email: 'a', groups: ['boss'] }),
      ],
      ['the subject of another than userinfo tells', (claims) => ({ ...claims, sub: 'grace' })],
    ];
    try {
      for (const [why, tamper] of tried) {
        provider.tamper = tamper;
        assert.equal(said(await site.enter('sam')), '403 OIDC_REFUSED', why);
      }
      provider.tamper = (claims) => ({ ...claims, exp: now() - 10 });
      assert.equal((await site.enter('sam')).status, 201, 'clocks may differ by seconds');
      provider.tamper = (claims) => ({ ...claims, azp: clientId, iat: now() + 10, auth_time: now() + 10 });
      assert.equal((await site.enter('sam')).status, 201, 'the same the other way');
      provider.tamper = undefined;
      provider.isForged = true;
      assert.equal(said(await site.enter('sam')), '403 OIDC_REFUSED', 'signed by somebody else');
    } finally {
      [provider.tamper, provider.isForged] = [undefined, false];
    }
    assert.equal((await site.enter('sam')).status, 201);
    const log = server.output();
    assert.ok(log.includes('single sign-on failed'), 'the log shows the reason');
    assert.ok(!log.includes(clientSecret) && !/[?&]code=/.test(log), 'and no secret');
  });

  test('takes names from the provider, and reports an unavailable provider', async () => {
    for (const [name, shown] of [
      ['\u001b[31mRed\nLine', '[31mRed Line'],
      ['Ada\u202e\u2066(owner)\u009b', 'Ada (owner)'],
      ['x'.repeat(300), 'x'.repeat(100)],
      ['  ', 'nameless'],
    ] as const) {
      provider.users.set('nameless', { name, groups: ['readers'] });
      const { person } = await site.come('nameless');
      assert.equal(person.name, shown);
      await api().delete(`/api/v1/members/${person.id}`);
    }
    provider.users.set('sam', { name: 'Sam', groups: ['writers'] });
    for (const state of ['failing', 'down'] as const) {
      const { url, token } = await site.begin();
      const { search } = await signInThere(url, 'sam');
      provider.state = state;
      assert.equal(said(await site.finish(token, search)), '502 OIDC_UNAVAILABLE', state);
      provider.state = 'up';
    }
    assert.equal((await site.enter('sam')).status, 201);
  });
});

/** Runs a test with a server and a provider, and stops both even if the test fails. */
async function withSite(
  env: (issuer: string) => Record<string, string>,
  run: (server: Server, provider: TestProvider) => Promise<void>,
): Promise<void> {
  const provider = await openProvider();
  const server = await openSite(provider, env(provider.issuer));
  try {
    await run(server, provider);
  } finally {
    await server.stop();
    await provider.close();
  }
}

test('disables other sign-in methods with single sign-on only; keys work, also while the provider is down', () =>
  withSite(
    () => ({ OIDC_ONLY: '1', OIDC_NAME: 'Example ID', OIDC_GROUPS: '*=default:owner' }),
    async (server, provider) => {
      provider.state = 'down';
      const site = at(server);
      const api = as(server, (await server.newKey()).key);
      assert.equal(said(await site.post('oidc-options')), '502 OIDC_UNAVAILABLE');
      provider.state = 'up';
      provider.users.set('ada', { name: 'Ada' });
      const ada = await site.come('ada');
      assert.equal(ada.person.role, 'owner');
      assert.deepEqual((await call(server, 'GET', '/api/v1/session/ways')).json.data, {
        singleSignOn: { name: 'Example ID' },
        isOnly: true,
        mail: false,
      });

      const { json } = await api.post('/api/v1/invitations', { role: 'viewer' });
      const token = new URL(json.data.url).hash.slice(1);
      const accepted = await call(server, 'POST', '/api/v1/invitations/accept', {
        body: { token, name: 'Eve' },
      });
      assert.equal(said(accepted), '403 OIDC_ONLY');
      assert.equal(said(await api.post(`/api/v1/members/${ada.person.id}/sign-in-link`)), '403 OIDC_ONLY');
      for (const path of ['passkey-options', 'passkey'])
        assert.equal(said(await site.post(path, { response: {} })), '403 OIDC_ONLY', path);
      assert.equal(said(await ada.send('POST', '/passkeys/options')), '403 OIDC_ONLY');
      const open = (printed: string) =>
        call(server, 'POST', '/api/v1/session', { key: new URL(printed.trim()).hash.slice(1) });
      assert.equal(
        said(await open(await server.command('login', '--person', ada.person.id))),
        '403 OIDC_ONLY',
      );
      assert.equal((await open(await server.command('login'))).status, 201, 'the operator, with a key');
      assert.equal((await api.post('/api/v1/session')).status, 201, 'an API key');
    },
  ));

test('rejects a provider with another issuer, and conflicting settings', async () => {
  await withSite(
    (issuer) => ({ OIDC_ISSUER: issuer.replace('127.0.0.1', 'localhost') }),
    async (server) => {
      assert.equal(said(await at(server).post('oidc-options')), '502 OIDC_UNAVAILABLE');
      await until('the log shows the reason', () => server.output().includes('issuer'));
    },
  );
  const config = async (env: Record<string, string>): Promise<string> => {
    try {
      return (await startServer(env)).url;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const said2 = await config({
    OIDC_ISSUER: 'http://id.example.com',
    OIDC_GROUPS: 'a=b:king',
    OIDC_SCOPES: 'profile',
  });
  for (const name of [
    'OIDC_ISSUER must be the https issuer URL',
    'OIDC_GROUPS contains "a=b:king"',
    'OIDC_SCOPES must be scopes',
  ])
    assert.ok(said2.includes(name), said2);
  const said3 = await config({ OIDC_ONLY: '1' });
  assert.ok(said3.includes('OIDC_ONLY requires OIDC_ISSUER'), said3);
});
