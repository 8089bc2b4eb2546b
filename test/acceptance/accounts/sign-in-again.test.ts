// Tests what an attacker can do in an unlocked browser, how one browser uses several accounts, and how a member
// connects a provider.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { document } from '../../support/http/openapi.ts';
import {
  clientId,
  clientSecret,
  openProvider,
  signInThere,
  type TestProvider,
} from '../../support/oidc/provider.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import { ageSessions } from '../../support/server/aged.ts';
import { asBrowser, newMember, type Person } from '../../support/server/members.ts';
import { makeFolder, makeInvitation, makeMember } from '../../support/server/records.ts';
import { type Answer, as, call, type Server, startServer } from '../../support/server/server.ts';

const said = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const again = '403 REAUTHENTICATION_REQUIRED';

let provider: TestProvider;
let server: Server;
before(async () => {
  provider = await openProvider();
  server = await startServer({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPES: 'openid profile email groups',
    OIDC_GROUPS: 'writers=default:editor',
  });
  await provider.serve(`${server.url}/dashboard/oidc`);
});
after(async () => {
  await server.stop();
  await provider.close();
});

const newAccount = async () => {
  const made = await server.newKey();
  return { ...made, api: as(server, made.key) };
};
/** Sends requests without a key, like the sign-in page. */
const open = (path: string, body: unknown, cookie = '') =>
  call(server, 'POST', `/api/v1${path}`, {
    body,
    headers: {
      'sec-fetch-site': 'same-origin',
      origin: server.url,
      ...(cookie !== '' && { cookie }),
    },
  });

describe('changes that cannot be undone', () => {
  test('asks a session older than 15 minutes to sign in again, but not a key', async () => {
    const { api, key } = await newAccount();
    const owner = await newMember(server, api, 'owner', 'Owner');
    const second = await newMember(server, api, 'owner', 'Second');
    const editor = await newMember(server, api, 'editor', 'Editor');
    const domain = await api.post('/api/v1/domains', { host: 'again.example.com' });
    assert.equal(domain.status, 201, domain.text);
    const { id: domainId } = domain.json.data;
    const adminKey = (
      await owner.send('POST', '/keys', { name: 'all', scopes: ['links:read', 'people:write'] })
    ).json.data;
    const acts: readonly [string, string, unknown?][] = [
      ['DELETE', `/members/${second.id}?keys=revoke`],
      ['PATCH', `/members/${second.id}`, { role: 'admin' }],
      ['PATCH', `/members/${editor.id}`, { role: 'owner' }],
      ['POST', `/members/${second.id}/sign-in-link`],
      ['POST', '/invitations', { role: 'owner' }],
      ['POST', '/invitations', { role: 'viewer' }],
      ['PATCH', `/members/${editor.id}`, { role: 'viewer' }],
      ['POST', '/keys', { name: 'like me' }],
      ['POST', '/keys', { name: 'people', scopes: ['people:write'] }],
      ['POST', '/keys', { name: 'keys', scopes: ['links:read', 'keys:write'] }],
      ['POST', `/keys/${adminKey.id}/rotate`, {}],
      ['DELETE', '/identities'],
      ['DELETE', `/passkeys/${domainId}`],
      ['DELETE', `/domains/${domainId}`],
    ];
    await ageSessions(server);
    for (const [method, path, body] of acts)
      assert.equal(said(await owner.send(method, path, body)), again, `${method} ${path}`);
    assert.equal((await api.get('/api/v1/members')).json.data.length, 3, 'nothing was done');

    // Reversible changes still work in the old session. A key may make any change, because every request with it is
    // authenticated.
    for (const [method, path, body] of [
      ['POST', '/keys', { name: 'reader', scopes: ['links:read'] }],
      ['PATCH', `/members/${editor.id}`, { name: 'Renamed' }],
      ['POST', '/shorten', { url: 'https://example.com/' }],
    ] as const)
      assert.match(said(await owner.send(method, path, body)), /^20[01]$/, `${method} ${path}`);
    assert.equal((await api.post('/api/v1/keys', { name: 'by a key' })).status, 201);

    // Signing in again replaces the session.
    const link = await api.post(`/api/v1/members/${owner.id}/sign-in-link`);
    const begun = await call(server, 'POST', '/api/v1/session', {
      key: new URL(link.json.data.url).hash.slice(1),
      headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(begun.status, 201, begun.text);
    assert.equal(said(await owner.get('/session')), '401 INVALID_SESSION', 'the old one has ended');
    const fresh = asBrowser(server, cookieOf(begun));
    assert.equal((await fresh.send('DELETE', `/domains/${domainId}`)).status, 204);
    assert.equal((await fresh.send('DELETE', `/members/${second.id}?keys=revoke`)).status, 200);

    // Starting a session with a key confirms the user's identity.
    const ofKey = asBrowser(server, cookieOf(await call(server, 'POST', '/api/v1/session', { key })));
    assert.equal((await ofKey.send('POST', '/keys', { name: 'at once' })).status, 201);
    await ageSessions(server);
    assert.equal(said(await ofKey.send('POST', '/keys', { name: 'later' })), again);
  });

  test('ends a session after 12 hours without use and 30 days after it began', async () => {
    const { api } = await newAccount();
    const minutes = { idle: 12 * 60, whole: 30 * 24 * 60 };
    for (const [by, most] of [
      ['last_seen_at', minutes.idle],
      ['created_at', minutes.whole],
    ] as const) {
      const ada = await newMember(server, api, 'viewer');
      await ageSessions(server, by, most - 5);
      assert.equal((await ada.get('/session')).status, 200, by);
      const lin = await newMember(server, api, 'viewer');
      await ageSessions(server, by, most + 1);
      assert.equal(said(await lin.get('/session')), '401 INVALID_SESSION', by);
    }
  });

  test('tells an admin that it is not allowed before asking to sign in', async () => {
    const { api } = await newAccount();
    const owner = await newMember(server, api, 'owner');
    const admin = await newMember(server, api, 'admin');
    await ageSessions(server);
    const refused = await admin.send('DELETE', `/members/${owner.id}?keys=keep`);
    assert.equal(said(refused), '403 INSUFFICIENT_SCOPE');
  });
});

describe('several accounts in one browser', () => {
  test('signing in keeps the others; switching requires the cookie; signing out ends all', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const ada = await newMember(server, one.api, 'editor', 'Ada');
    const { token } = await makeInvitation(two.api, 'viewer');
    const joined = await open('/invitations/accept', { token, name: 'A. Lovelace' }, ada.cookie);
    const both = cookieOf(joined);
    const browser = asBrowser(server, both);
    const accounts = async (cookie: string) =>
      (await asBrowser(server, cookie).get('/session/accounts')).json.data as {
        id: string;
        account: string;
        isCurrent: boolean;
      }[];
    const found = await accounts(both);
    assert.deepEqual(
      found.map(({ account, isCurrent }) => [account, isCurrent]),
      [
        [two.account, true],
        [one.account, false],
      ],
    );
    assert.equal((await browser.get('/me')).json.data.account, two.account);
    const other = found[1]?.id ?? '';
    const switched = await browser.send('POST', '/session/switch', { sessionId: other });
    assert.equal(switched.status, 200, switched.text);
    const back = cookieOf(switched);
    assert.equal((await asBrowser(server, back).get('/me')).json.data.account, one.account);

    // A browser lists only its own accounts, and a session ID alone gives no access.
    assert.equal((await ada.get('/session/accounts')).json.data.length, 1);
    const stranger = await makeMember(two.api, 'owner');
    assert.equal(
      said(await open('/session/switch', { sessionId: other }, stranger.cookie)),
      '404 SESSION_NOT_FOUND',
    );
    assert.equal(said(await open('/session/switch', { sessionId: other })), '404 SESSION_NOT_FOUND');
    const crossing = await call(server, 'POST', '/api/v1/session/switch', {
      body: { sessionId: other },
      headers: { cookie: both, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(said(crossing), '403 CROSS_SITE_REQUEST');

    // If the current session ends, no other session replaces it automatically.
    await one.api.delete(`/api/v1/sessions/${other}`);
    const gone = await asBrowser(server, back).get('/links');
    assert.equal(said(gone), '401 INVALID_SESSION');
    const rest = cookieOf(gone);
    assert.match(rest, /=\.[\w-]{43}$/);
    assert.equal(said(await asBrowser(server, rest).get('/links')), '401 MISSING_API_KEY');
    const left = await accounts(rest);
    assert.deepEqual(
      left.map(({ account, isCurrent }) => [account, isCurrent]),
      [[two.account, false]],
    );
    assert.equal((await open('/session/switch', { sessionId: left[0]?.id }, rest)).status, 200);

    const again = cookieOf(
      await call(server, 'POST', '/api/v1/session', { key: one.key, headers: { cookie: both } }),
    );
    assert.equal((await accounts(again)).length, 2);
    assert.equal((await asBrowser(server, again).send('DELETE', '/session')).status, 204);
    assert.deepEqual(await accounts(again), []);
    assert.equal(said(await browser.get('/session')), '401 INVALID_SESSION', 'ended on the server too');
  });

  test('a browser has at most 8; another one ends the oldest', async () => {
    const { api } = await newAccount();
    let cookie = '';
    const first = await newMember(server, api, 'viewer');
    cookie = first.cookie;
    for (let n = 0; n < 8; n += 1) {
      const { token } = await makeInvitation(api);
      cookie = cookieOf(await open('/invitations/accept', { token, name: 'One of many' }, cookie));
    }
    assert.equal((await asBrowser(server, cookie).get('/session/accounts')).json.data.length, 8);
    assert.equal(said(await first.get('/session')), '401 INVALID_SESSION');
  });
});

describe('connecting a member to the provider', () => {
  const begin = async (person: { send: ReturnType<typeof asBrowser>['send'] }) =>
    (await person.send('POST', '/identities/options')).json.data as { url: string; token: string };
  const answerAs = async (url: string, sub: string) => (await signInThere(url, sub)).search;
  const enter = async (sub: string, cookie = '') => {
    const { url, token } = (await open('/session/oidc-options', {}, cookie)).json.data;
    return open('/session/oidc', { token, answer: await answerAs(url, sub) }, cookie);
  };

  test('signs the member in until they disconnect', async () => {
    const { api } = await newAccount();
    const ada = await newMember(server, api, 'admin', 'Ada');
    provider.users.set('ada', { name: 'Somebody' });
    assert.equal(said(await enter('ada')), '403 OIDC_NO_ACCESS');
    const { url, token } = await begin(ada);
    const made = await ada.send('POST', '/identities', { token, answer: await answerAs(url, 'ada') });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.data.issuer, provider.issuer);
    const came = await enter('ada');
    assert.equal(came.json.data?.person.id, ada.id, came.text);
    assert.deepEqual(
      (await ada.get('/identities')).json.data.map(({ isByGroup }: { isByGroup: boolean }) => isByGroup),
      [false],
    );
    const actions = (await api.get(`/api/v1/audit?target=${ada.id}`)).json.data;
    const connected = actions.find(({ action }: { action: string }) => action === 'identity.connected');
    assert.deepEqual(connected?.actor, { kind: 'person', id: ada.id, name: 'Ada' });
    assert.equal((await ada.send('DELETE', '/identities')).status, 204);
    assert.equal(said(await enter('ada')), '403 OIDC_NO_ACCESS');
    assert.equal((await ada.send('DELETE', '/identities')).status, 204, 'there is nothing to do');
  });

  test('an attacker cannot connect: not with a foreign response, an open browser, or a used identity', async () => {
    const { api } = await newAccount();
    const victim = await newMember(server, api, 'owner', 'Victim');
    const thief = await newMember(server, api, 'viewer', 'Thief');
    provider.users.set('thief', { name: 'Thief' });
    provider.users.set('victim', { name: 'Victim' });
    const connect = async (person: typeof victim, token: string, answer: string) =>
      said(await person.send('POST', '/identities', { token, answer }));

    // The attacker starts to connect an identity, and makes the victim's browser send the provider's response. If this
    // worked, the attacker could sign in as the victim.
    const own = await begin(thief);
    const answer = await answerAs(own.url, 'thief');
    assert.equal(await connect(victim, own.token, answer), '403 OIDC_REFUSED', 'started by somebody else');
    assert.equal(await connect(thief, own.token, answer), '403 OIDC_REFUSED', 'that attempt used it up');
    // A response to a sign-in request cannot connect an identity, and vice versa.
    const plain = (await open('/session/oidc-options', {})).json.data;
    assert.equal(await connect(victim, plain.token, await answerAs(plain.url, 'thief')), '403 OIDC_REFUSED');
    const linking = await begin(thief);
    const asSignIn = await open('/session/oidc', {
      token: linking.token,
      answer: await answerAs(linking.url, 'thief'),
    });
    assert.equal(said(asSignIn), '403 OIDC_REFUSED');
    // The victim's browser sends the victim's token with the provider's response to the attacker's request.
    const [mine, theirs] = [await begin(victim), await begin(thief)];
    assert.equal(await connect(victim, mine.token, await answerAs(theirs.url, 'thief')), '403 OIDC_REFUSED');
    const crossing = await call(server, 'POST', '/api/v1/identities', {
      body: { token: mine.token, answer: '?code=x' },
      headers: { cookie: victim.cookie, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(said(crossing), '403 CROSS_SITE_REQUEST');
    assert.equal(
      said(await api.get('/api/v1/identities')),
      '403 INSUFFICIENT_SCOPE',
      'an API key is not a member',
    );

    // An identity belongs to one member of an account, and a member has one identity.
    const good = await begin(victim);
    assert.equal(await connect(victim, good.token, await answerAs(good.url, 'victim')), '201');
    const taken = await begin(thief);
    assert.equal(await connect(thief, taken.token, await answerAs(taken.url, 'victim')), '403 OIDC_REFUSED');
    const second = await begin(victim);
    assert.equal(
      await connect(victim, second.token, await answerAs(second.url, 'thief')),
      '403 OIDC_REFUSED',
    );
    assert.equal((await enter('victim')).json.data?.person.id, victim.id);
    assert.equal(said(await enter('thief')), '403 OIDC_NO_ACCESS');

    // Nobody can add a sign-in method in an unlocked browser.
    await ageSessions(server);
    assert.equal(said(await victim.send('POST', '/identities/options')), again);
    assert.equal(said(await victim.send('POST', '/passkeys/options')), again);
    assert.equal(said(await thief.send('POST', '/identities/options')), again, 'their first, too');
  });

  test('a signed-in browser proves the identity at the provider again; disconnecting does not escape a group', async () => {
    provider.users.set('grace', { name: 'Grace', groups: ['writers'] });
    const came = await enter('grace');
    assert.equal(came.status, 201, came.text);
    const grace = asBrowser(server, cookieOf(came));
    assert.equal(said(await grace.send('DELETE', '/identities')), '403 OIDC_REFUSED');
    const asked = async (cookie: string) => {
      const { url } = (await open('/session/oidc-options', {}, cookie)).json.data;
      const { searchParams } = new URL(url);
      return [searchParams.get('prompt'), searchParams.get('max_age')];
    };
    assert.deepEqual(await asked(''), [null, null]);
    assert.deepEqual(await asked(cookieOf(came)), ['login', '0']);
    const anew = await enter('grace', cookieOf(came));
    assert.equal(anew.status, 201, anew.text);
    assert.equal(
      said(await grace.get('/session')),
      '401 INVALID_SESSION',
      'the new session replaces the old one',
    );
  });
});

describe("a member's failed attempts are counted across browsers", () => {
  const example = document.paths['/api/v1/passkeys'].post.requestBody.content['application/json'].example;
  const there = () => server.url.replace('127.0.0.1', 'localhost');
  for (const [path, body, refused] of [
    ['/identities', { token: `lfo_${'a'.repeat(43)}`, answer: '?code=x' }, '403 OIDC_REFUSED'],
    ['/passkeys', example, '403 PASSKEY_REFUSED'],
  ] as const)
    test(`with POST ${path}`, async () => {
      const { api } = await newAccount();
      const guesser = await newMember(server, api, 'viewer', 'Guesser');
      const other = await newMember(server, api, 'viewer', 'Other');
      const attempt = async ({ cookie }: Person) =>
        said(
          await call(server, 'POST', `/api/v1${path}`, {
            body,
            headers: { cookie, origin: there(), host: new URL(there()).host },
          }),
        );
      const answers = new Set<string>();
      // More attempts than the limit, because the rate limit's window may end during the loop.
      for (let n = 0; n < 45 && !answers.has('429 RATE_LIMIT_EXCEEDED'); n += 1)
        answers.add(await attempt(guesser));
      assert.deepEqual([...answers], [refused, '429 RATE_LIMIT_EXCEEDED']);
      assert.equal(await attempt(other), refused, 'nobody else');
    });
});

describe('signing in again at the provider', () => {
  const answerTo = async (url: string) => (await signInThere(url, 'grace')).search;
  const signedIn = async () => {
    provider.users.set('grace', { name: 'Grace', groups: ['writers'] });
    const { url, token } = (await open('/session/oidc-options', {})).json.data;
    return cookieOf(await open('/session/oidc', { token, answer: await answerTo(url) }));
  };
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;

  test('creates no session if the provider does not ask again or does not confirm it', async () => {
    const cookie = await signedIn();
    const enterOnceMore = async (tamper: typeof provider.tamper) => {
      const { url, token } = (await open('/session/oidc-options', {}, cookie)).json.data;
      provider.tamper = tamper;
      try {
        return said(await open('/session/oidc', { token, answer: await answerTo(url) }, cookie));
      } finally {
        provider.tamper = undefined;
      }
    };
    const logs: unknown[] = [];
    for (const [what, auth_time] of [
      ['an hour ago', secondsAgo(3_600)],
      ['a minute before it was asked', secondsAgo(60)],
      ['not at all', undefined],
      ['no number', 'now'],
    ] as const)
      assert.equal(
        await enterOnceMore(({ auth_time: own, ...claims }) => {
          logs.push(own);
          return { ...claims, ...(auth_time !== undefined && { auth_time }) };
        }),
        '403 OIDC_REFUSED',
        what,
      );
    assert.ok(
      logs.every((own) => typeof own === 'number'),
      'this provider returns the requested claim',
    );
    assert.equal(
      (await asBrowser(server, cookie).get('/session')).status,
      200,
      'the old session still works',
    );
    assert.equal(await enterOnceMore(undefined), '201');
  });

  test('rejects a response that was started without the cookie', async () => {
    const cookie = await signedIn();
    const { url, token } = (await open('/session/oidc-options', {})).json.data;
    assert.equal(new URL(url).searchParams.get('prompt'), null);
    const refused = await open('/session/oidc', { token, answer: await answerTo(url) }, cookie);
    assert.equal(said(refused), '403 OIDC_REFUSED');
    // A user who is signed out of Linkfold may still be signed in at the provider.
    provider.tamper = (claims) => ({ ...claims, auth_time: secondsAgo(3_600) });
    const begun = (await open('/session/oidc-options', {})).json.data;
    const plain = await open('/session/oidc', { token: begun.token, answer: await answerTo(begun.url) });
    provider.tamper = undefined;
    assert.equal(plain.status, 201, plain.text);
  });
});

describe('a program signs in through a browser elsewhere', () => {
  const begin = async (): Promise<{ deviceCode: string; userCode: string }> =>
    (await open('/devices', { name: 'linkfold on laptop' })).json.data;
  const poll = (deviceCode: string) => open('/devices/token', { deviceCode });
  const answer = (person: Pick<Person, 'send'>, userCode: string, approve: boolean) =>
    person.send('POST', '/devices/answer', { userCode, approve });

  test('gets a key once, limited by the member, when approved; none when denied', async () => {
    const { api } = await newAccount();
    const ada = await newMember(server, api, 'editor', 'Ada');
    const asked = await begin();
    assert.match(asked.userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.equal((await poll(asked.deviceCode)).json.data.status, 'pending');
    const typed = asked.userCode.toLowerCase().replace('-', ' ');
    const described = await ada.send('POST', '/devices/describe', { userCode: typed });
    assert.equal(described.json.data.name, 'linkfold on laptop');
    assert.equal((await answer(ada, typed, true)).status, 200);
    const given = (await poll(asked.deviceCode)).json.data;
    assert.equal(given.status, 'approved');
    assert.equal(said(await poll(asked.deviceCode)), '404 DEVICE_CODE_NOT_FOUND', 'once');
    const program = as(server, given.key);
    assert.equal((await program.post('/api/v1/shorten', { url: 'https://example.com/' })).status, 201);
    assert.equal(said(await program.get('/api/v1/members')), '403 INSUFFICIENT_SCOPE');
    const keys = (await api.get('/api/v1/keys')).json.keys as {
      name: string;
      madeBy: { name: string };
      expiresAt: string;
    }[];
    const made = keys.find(({ name }) => name === 'linkfold on laptop');
    assert.equal(made?.madeBy.name, 'Ada');
    const days = (Date.parse(made?.expiresAt ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 89 && days <= 90, `${days}`);
    const { data } = (await api.get('/api/v1/audit?action=key.created')).json;
    assert.equal(data[0].actor.name, 'Ada');
    await api.patch(`/api/v1/members/${ada.id}`, { role: 'viewer' });
    const lowered = await program.post('/api/v1/shorten', { url: 'https://example.com/' });
    assert.equal(said(lowered), '403 INSUFFICIENT_SCOPE', "lowered with the member's role");

    const other = await begin();
    const eve = await newMember(server, api, 'viewer');
    assert.equal((await answer(eve, other.userCode, false)).status, 200);
    assert.equal((await poll(other.deviceCode)).json.data.status, 'denied');
    assert.equal(said(await answer(eve, other.userCode, true)), '404 DEVICE_CODE_NOT_FOUND');
  });

  test('rejects approval with a key, an old session, another site, a guess, or a removed member', async () => {
    const { api } = await newAccount();
    const ada = await newMember(server, api, 'admin', 'Ada');
    const begun = await begin();
    assert.equal(
      said(await api.post('/api/v1/devices/answer', { userCode: begun.userCode, approve: true })),
      '403 INSUFFICIENT_SCOPE',
    );
    const crossing = await call(server, 'POST', '/api/v1/devices/answer', {
      body: { userCode: begun.userCode, approve: true },
      headers: { cookie: ada.cookie, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(said(crossing), '403 CROSS_SITE_REQUEST');
    assert.equal(
      said(await poll(begun.userCode)),
      '404 DEVICE_CODE_NOT_FOUND',
      'the displayed code cannot be polled',
    );
    const late = await newMember(server, api, 'viewer', 'Late');
    await ageSessions(server);
    assert.equal(said(await answer(late, begun.userCode, true)), again);

    const fresh = await newMember(server, api, 'viewer', 'Fresh');
    assert.equal((await answer(fresh, begun.userCode, true)).status, 200);
    await api.delete(`/api/v1/members/${fresh.id}`);
    assert.equal(said(await poll(begun.deviceCode)), '404 DEVICE_CODE_NOT_FOUND');

    // Tests two more cases: the account is suspended after the approval but before the key is fetched, and the member
    // who approves is restricted.
    const other = await newAccount();
    const suspended = await begin();
    const eve = await newMember(server, other.api, 'viewer', 'Eve');
    assert.equal((await answer(eve, suspended.userCode, true)).status, 200);
    await server.command('accounts', 'suspend', other.account);
    await othersKnow();
    assert.equal(said(await poll(suspended.deviceCode)), '404 DEVICE_CODE_NOT_FOUND');
    const [folder, bound] = [await makeFolder(api), await begin()];
    const invited = await api.post('/api/v1/invitations', { role: 'viewer', folders: [folder] });
    const token = new URL(invited.json.data.url).hash.slice(1);
    const joined = await open('/invitations/accept', { token, name: 'Bound' });
    const answered = await answer(asBrowser(server, cookieOf(joined)), bound.userCode, true);
    assert.equal(said(answered), '403 INSUFFICIENT_SCOPE');
    assert.equal((await poll(bound.deviceCode)).json.data.status, 'pending');

    const guesser = await newMember(server, api, 'viewer', 'Guesser');
    const answers = new Set<string>();
    // More attempts than the limit, because the rate limit's window may end during the loop.
    for (let n = 0; n < 45 && !answers.has('429 RATE_LIMIT_EXCEEDED'); n += 1)
      answers.add(said(await guesser.send('POST', '/devices/describe', { userCode: 'BBBB-BBBB' })));
    assert.deepEqual([...answers], ['404 DEVICE_CODE_NOT_FOUND', '429 RATE_LIMIT_EXCEEDED']);
  });
});
