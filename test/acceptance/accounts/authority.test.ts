// Authority within an account: nobody gains rights through another member's changes or locks out a higher role.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSoftwarePasskey } from '../../support/http/authenticator.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import { ageSessions } from '../../support/server/aged.ts';
import { asBrowser, newMember, type Person, signedInByOperator } from '../../support/server/members.ts';
import { type Api, makeFolder } from '../../support/server/records.ts';
import { type Answer, as, call, type Server, startServer } from '../../support/server/server.ts';

const said = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();
const refused = '403 INSUFFICIENT_SCOPE';
const again = '403 REAUTHENTICATION_REQUIRED';
const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
const linkScopes = ['links:read', 'links:write', 'analytics:read'];

// A separate server, because the tests change its sessions' ages.
let server: Server;
before(async () => {
  server = await startServer({ AUTH_FAILURE_LIMIT: '1000000' });
});
after(() => server.stop());

/** Creates an account with the operator's key and an owner. */
async function newAccount() {
  const { key, id, account } = await server.newKey();
  const root = as(server, key);
  const join = (role: string, name = `The ${role}`) => newMember(server, root, role, name);
  return { root, rootId: id, account, join, owner: await join('owner') };
}

const secretIn = (answer: Answer): string => new URL(answer.json.data.url).hash.slice(1);
const accept = (token: string) =>
  call(server, 'POST', '/api/v1/invitations/accept', { body: { token, name: 'Joined' } });
const openLink = (key: string) => call(server, 'POST', '/api/v1/session', { key });
const browserOf = (answer: Answer) =>
  asBrowser(server, answer.headers.get('set-cookie')?.split(';')[0] ?? '');

async function newKey(by: Pick<Person, 'send'>, body: object = {}): Promise<{ id: string; api: Api }> {
  const made = await by.send('POST', '/keys', { name: 'made', ...body });
  assert.equal(made.status, 201, made.text);
  return { id: made.json.data.id, api: as(server, made.json.data.key) };
}

/** Returns the roles to which a key may invite members, which shows its authority. */
async function invitesTo(api: Api): Promise<readonly string[]> {
  const found: string[] = [];
  for (const role of roles)
    if ((await api.post('/api/v1/invitations', { role })).status === 201) found.push(role);
  return found;
}

const scopesOf = async (api: Api): Promise<readonly string[]> =>
  (await api.get('/api/v1/me')).json.data.scopes;

/** Sends requests as a page on the passkey host would. */
function passkeyPage(cookie?: string) {
  const origin = `http://localhost:${server.port}`;
  const headers = { origin, host: new URL(origin).host, ...(cookie !== undefined && { cookie }) };
  const post = (path: string, body: unknown = {}) =>
    call(server, 'POST', `/api/v1${path}`, { body, headers });
  const passkey = createSoftwarePasskey(origin);
  return {
    /** @param meanwhile runs while the passkey is being added */
    async add(meanwhile: () => Promise<unknown> = async () => {}): Promise<Answer> {
      const asked = await post('/passkeys/options');
      if (asked.status !== 200) return asked;
      const body = { name: 'Phone', response: passkey.create(asked.json.data.challenge) };
      return (await Promise.all([post('/passkeys', body), meanwhile()]))[0];
    },
    async signIn(by = passkey): Promise<Answer> {
      const { challenge } = (await post('/session/passkey-options')).json.data;
      return post('/session/passkey', { response: by.get(challenge) });
    },
    passkey,
  };
}
const cookieIn = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('keys never gain rights', () => {
  for (const [how, remove] of [
    [
      'by a person',
      ({ owner }: Awaited<ReturnType<typeof newAccount>>, id: string) =>
        owner.send('DELETE', `/members/${id}?keys=keep`),
    ],
    [
      'by a key',
      ({ root }: Awaited<ReturnType<typeof newAccount>>, id: string) =>
        root.delete(`/api/v1/members/${id}?keys=keep`),
    ],
  ] as const)
    test(`keeps its rights exactly when its member is removed ${how}`, async () => {
      const account = await newAccount();
      const { root, owner, join } = account;
      const leaver = await join('admin', 'Leaver');
      const { id, api } = await newKey(leaver);
      assert.deepEqual(await invitesTo(api), ['admin', 'editor', 'viewer']);
      await owner.send('PATCH', `/members/${leaver.id}`, { role: 'viewer' });
      assert.equal(said(await remove(account, leaver.id)), '200');
      await othersKnow();
      assert.deepEqual(await scopesOf(api), ['links:read', 'analytics:read']);
      assert.deepEqual(await invitesTo(api), []);

      // An admin's key keeps the admin role, even if a key with more rights rotates it.
      const other = await join('admin', 'Other');
      const kept = await newKey(other);
      assert.equal(said(await remove(account, other.id)), '200');
      await othersKnow();
      assert.deepEqual(await invitesTo(kept.api), ['admin', 'editor', 'viewer']);
      const rotated = await root.post(`/api/v1/keys/${kept.id}/rotate`, {});
      assert.deepEqual(await invitesTo(as(server, rotated.json.data.key)), ['admin', 'editor', 'viewer']);
      assert.equal((await owner.send('DELETE', `/keys/${id}`)).status, 204);
    });

  test('when their member is promoted, or demoted and promoted again', async () => {
    const { owner, join } = await newAccount();
    const ada = await join('admin', 'Ada');
    const { api } = await newKey(ada);
    for (const [role, may] of [
      ['owner', ['admin', 'editor', 'viewer']],
      ['viewer', []],
      ['owner', ['admin', 'editor', 'viewer']],
    ] as const) {
      assert.equal(said(await owner.send('PATCH', `/members/${ada.id}`, { role })), '200');
      await othersKnow();
      assert.deepEqual(await invitesTo(api), may, role);
    }
  });

  test("limits an approved program to the member's role at that time", async () => {
    const { owner, join } = await newAccount();
    const ada = await join('editor', 'Ada');
    const begin = async () => {
      const { deviceCode, userCode } = (
        await call(server, 'POST', '/api/v1/devices', { body: { name: 'laptop' } })
      ).json.data;
      assert.equal((await ada.send('POST', '/devices/answer', { userCode, approve: true })).status, 200);
      return () => call(server, 'POST', '/api/v1/devices/token', { body: { deviceCode } });
    };
    const [poll, pollLate] = [await begin(), await begin()];
    const api = as(server, (await poll()).json.data.key);
    await owner.send('PATCH', `/members/${ada.id}`, { role: 'owner' });
    await othersKnow();
    assert.deepEqual(await scopesOf(api), linkScopes);
    assert.notEqual(
      (await pollLate()).json.data?.status,
      'approved',
      'an approval from before the role was raised',
    );
  });
});

describe("an invitation is limited by its creator's rights when it is accepted", () => {
  test('is void after its key is rotated or its creator demoted to viewer', async () => {
    const { root, owner, join } = await newAccount();
    const leaked = await newKey(owner);
    const token = secretIn(await leaked.api.post('/api/v1/invitations', { role: 'admin' }));
    const rotate = await root.post(`/api/v1/keys/${leaked.id}/rotate`, { graceSeconds: 0 });
    assert.equal(rotate.status, 201, rotate.text);
    await othersKnow();
    assert.equal(said(await accept(token)), '404 INVITATION_NOT_FOUND');

    const slow = await newKey(owner);
    const inGrace = secretIn(await slow.api.post('/api/v1/invitations', { role: 'editor' }));
    await root.post(`/api/v1/keys/${slow.id}/rotate`, {});
    assert.equal((await accept(inGrace)).status, 201, 'while the old key still works');

    const admin = await join('admin');
    const asViewer = secretIn(await admin.send('POST', '/invitations', { role: 'viewer' }));
    await owner.send('PATCH', `/members/${admin.id}`, { role: 'viewer' });
    await othersKnow();
    assert.equal(said(await accept(asViewer)), '404 INVITATION_NOT_FOUND');
  });

  test("an admin cannot withdraw an owner's invitation", async () => {
    const { owner, join } = await newAccount();
    const admin = await join('admin');
    const { id } = (await owner.send('POST', '/invitations', { role: 'owner' })).json.data;
    assert.equal(said(await admin.send('DELETE', `/invitations/${id}`)), refused);
    assert.equal((await owner.send('DELETE', `/invitations/${id}`)).status, 204);
  });
});

describe('a promotion ends earlier credentials', () => {
  for (const [what, rise] of [
    [
      'to owner',
      ({ owner }: Awaited<ReturnType<typeof newAccount>>, id: string) =>
        owner.send('PATCH', `/members/${id}`, { role: 'owner' }),
    ],
    ['to operator', (_: unknown, id: string) => server.command('operators', 'add', id)],
  ] as const)
    test(`${what}: ends sessions, sign-in links and passkeys that somebody else may have added`, async () => {
      const account = await newAccount();
      const { join, owner } = account;
      const [admin, victim] = [await join('admin', 'Admin'), await join('admin', 'Victim')];
      const own = passkeyPage(victim.cookie);
      assert.equal((await own.add()).status, 201);
      const link = async () => secretIn(await admin.send('POST', `/members/${victim.id}/sign-in-link`, {}));
      const [kept, opened] = [await link(), await openLink(await link())];
      const planted = browserOf(opened);
      const first = passkeyPage(cookieIn(opened));
      assert.equal((await first.add()).status, 201);
      // A session that this passkey starts adds another passkey. The second passkey therefore also originates from the
      // sign-in link.
      const second = passkeyPage(cookieIn(await first.signIn()));
      assert.equal((await second.add()).status, 201);

      await rise(account, victim.id);
      await othersKnow();
      assert.equal(said(await planted.get('/me')), '401 INVALID_SESSION');
      assert.equal(said(await victim.get('/me')), '401 INVALID_SESSION');
      assert.equal(said(await openLink(kept)), '401 INVALID_LOGIN_LINK');
      for (const { signIn } of [first, second]) assert.equal(said(await signIn()), '403 PASSKEY_REFUSED');
      const back = browserOf(await own.signIn());
      assert.equal((await back.get('/me')).json.data?.person.id, victim.id, 'the person signs in again');
      assert.equal((await owner.get('/me')).status, 200);
    });

  test('also credentials added, and programs approved, at the same time', async () => {
    const { root, join, owner } = await newAccount();
    for (let tries = 0; tries < 6; tries += 1) {
      const victim = await join('admin', 'Victim');
      const opened = await openLink(secretIn(await root.post(`/api/v1/members/${victim.id}/sign-in-link`)));
      const { deviceCode, userCode } = (await root.post('/api/v1/devices', { name: 'program' })).json.data;
      const page = passkeyPage(cookieIn(opened));
      await page.add(async () => {
        const approved = browserOf(opened).send('POST', '/devices/answer', { userCode, approve: true });
        await Promise.all([approved, owner.send('PATCH', `/members/${victim.id}`, { role: 'owner' })]);
      });
      assert.equal(said(await page.signIn()), '403 PASSKEY_REFUSED');
      const fetched = await root.post('/api/v1/devices/token', { deviceCode });
      assert.notEqual(fetched.json.data?.status, 'approved');
    }
  });

  test('a restricted member cannot become admin or owner, nor be the last owner', async () => {
    const { root, owner } = await newAccount();
    const folder = await makeFolder(root);
    const token = secretIn(await root.post('/api/v1/invitations', { role: 'editor', folders: [folder] }));
    const { id } = (await accept(token)).json.data.person;
    for (const role of ['admin', 'owner'])
      for (const by of [
        owner.send('PATCH', `/members/${id}`, { role }),
        root.patch(`/api/v1/members/${id}`, { role }),
      ]) {
        const answer = await by;
        assert.equal(said(answer), '400 VALIDATION_ERROR', role);
        assert.equal(answer.json.error.details[0].field, 'role');
      }
    assert.equal(said(await owner.send('DELETE', `/members/${owner.id}`)), '409 LAST_OWNER');
  });
});

describe('nobody acts against a higher role', () => {
  test('an admin cannot end keys or sessions of an owner, an operator, or the operator’s key', async () => {
    const { root, rootId, account, owner, join } = await newAccount();
    const admin = await join('admin', 'Admin');
    const ofOwner = await newKey(owner, { scopes: ['links:read'] });
    const opal = await join('editor', 'Opal');
    await server.command('operators', 'add', opal.id);
    const operator = await signedInByOperator(server, account, opal.id);
    const sessionOf = async ({ get }: Pick<Person, 'get'>) => (await get('/session')).json.data.session.id;
    const adminKey = await newKey(admin);
    for (const send of [
      admin.send,
      (method: string, path: string, body?: unknown) =>
        method === 'POST' ? adminKey.api.post(`/api/v1${path}`, body) : adminKey.api.delete(`/api/v1${path}`),
    ])
      for (const [method, path, body] of [
        ['DELETE', `/keys/${ofOwner.id}`],
        ['DELETE', `/keys/${rootId}`],
        ['POST', `/keys/${ofOwner.id}/rotate`, { graceSeconds: 0 }],
        ['POST', `/keys/${rootId}/rotate`, { graceSeconds: 0 }],
        ['DELETE', `/sessions/${await sessionOf(owner)}`],
        ['DELETE', `/sessions/${await sessionOf(operator)}`],
        ['DELETE', `/members/${opal.id}`],
        ['POST', `/members/${opal.id}/sign-in-link`, {}],
      ] as const)
        assert.equal(said(await send(method, path, body)), refused, `${method} ${path}`);
    assert.equal((await adminKey.api.delete('/api/v1/sessions')).status, 200);
    for (const { get } of [owner, operator])
      assert.equal((await get('/me')).status, 200, 'not by all of them together');
    assert.equal((await ofOwner.api.get('/api/v1/me')).status, 200);
    assert.equal(said(await owner.send('DELETE', `/keys/${rootId}`)), refused, 'the rescue key always works');

    // The operator's key manages all keys, and members manage their own.
    assert.equal((await root.delete(`/api/v1/keys/${ofOwner.id}`)).status, 204);
    assert.equal((await adminKey.api.delete(`/api/v1/keys/${adminKey.id}`)).status, 204);
    const second = await join('admin');
    assert.equal((await second.send('DELETE', `/sessions/${await sessionOf(second)}`)).status, 204);
    assert.equal((await root.delete(`/api/v1/sessions/${await sessionOf(owner)}`)).status, 204);
  });

  test('a key with only keys:write cannot revoke or rotate keys with more rights', async () => {
    const { root, owner } = await newAccount();
    const narrow = await root.post('/api/v1/keys', { name: 'narrow', scopes: ['keys:write', 'links:read'] });
    const { api } = { api: as(server, narrow.json.data.key) };
    const wide = await newKey(owner);
    const reader = (await root.post('/api/v1/keys', { name: 'reader', scopes: ['links:read'] })).json.data;
    const writer = (await root.post('/api/v1/keys', { name: 'writer', scopes: ['links:write'] })).json.data;
    for (const id of [wide.id, writer.id]) {
      assert.equal(said(await api.delete(`/api/v1/keys/${id}`)), refused);
      assert.equal(said(await api.post(`/api/v1/keys/${id}/rotate`, {})), refused);
    }
    assert.equal((await api.delete(`/api/v1/keys/${reader.id}`)).status, 204);
    assert.equal((await api.delete(`/api/v1/keys/${narrow.json.data.id}`)).status, 204, 'itself');
  });
});

describe('freshness cannot be faked', () => {
  test('asks a stale session to sign in again before granting credentials or rights', async () => {
    const { root, owner, join } = await newAccount();
    const editor = await join('editor');
    const admin = await join('admin');
    const adminKey = await newKey(admin, { scopes: ['links:read', 'domains:write'] });
    const { id: rightsId } = (await root.post('/api/v1/keys', { name: 'x', scopes: ['webhooks:write'] })).json
      .data;
    await ageSessions(server);
    for (const who of [admin, owner]) {
      const given = roles.filter((role) => who === owner || role !== 'owner');
      const acts: (readonly [string, string, unknown?])[] = [
        ['POST', `/members/${who.id}/sign-in-link`, {}],
        ['POST', `/members/${editor.id}/sign-in-link`, {}],
        ...given.map((role) => ['POST', '/invitations', { role }] as const),
        ['PATCH', `/members/${editor.id}`, { role: 'viewer' }],
        ...['keys:write', 'domains:write', 'people:write', 'audit:read', 'webhooks:write'].map(
          (scope) => ['POST', '/keys', { name: 'more', scopes: ['links:read', scope] }] as const,
        ),
        ['POST', '/keys', { name: 'all' }],
        ['POST', `/keys/${adminKey.id}/rotate`, {}],
        ['POST', `/keys/${rightsId}/rotate`, {}],
      ];
      for (const [method, path, body] of acts)
        assert.equal(
          said(await who.send(method, path, body)),
          again,
          `${method} ${path} ${JSON.stringify(body)}`,
        );
      assert.equal((await who.send('POST', '/keys', { name: 'links', scopes: linkScopes })).status, 201);
      assert.equal((await who.send('PATCH', `/members/${editor.id}`, { name: 'Renamed' })).status, 200);
      assert.equal(said(await passkeyPage(who.cookie).add()), again, 'the first passkey');
    }
  });

  test('a session cannot create a fresh one; a key, the operator or a passkey can', async () => {
    const { root, account, owner, join } = await newAccount();
    const admin = await join('admin', 'Admin');
    const other = await join('admin', 'Other');
    const link = (by: Pick<Person, 'send'>, id: string) => by.send('POST', `/members/${id}/sign-in-link`, {});
    const makesKey = (by: Pick<Person, 'send'>) => by.send('POST', '/keys', { name: 'all' });
    const ofOneself = await openLink(secretIn(await link(admin, admin.id)));
    const ofAnother = await openLink(secretIn(await link(owner, other.id)));
    const joined = await accept(secretIn(await owner.send('POST', '/invitations', { role: 'admin' })));
    for (const [what, answer] of [
      ['a link for oneself', ofOneself],
      ['a link of another session', ofAnother],
      ['an invitation of a session', joined],
    ] as const) {
      assert.equal(answer.status, 201, what);
      assert.equal(said(await makesKey(browserOf(answer))), again, what);
      assert.equal(
        said(await browserOf(answer).send('POST', '/invitations', { role: 'viewer' })),
        again,
        what,
      );
    }
    // A member who signed in with somebody else's link or invitation adds a passkey. Signing in with the passkey
    // confirms the member's identity.
    assert.equal(said(await passkeyPage(cookieIn(ofOneself)).add()), again);
    for (const answer of [ofAnother, joined]) {
      const page = passkeyPage(cookieIn(answer));
      assert.equal((await page.add()).status, 201);
      assert.equal((await makesKey(browserOf(await page.signIn()))).status, 201);
    }
    const byKey = await openLink(secretIn(await root.post(`/api/v1/members/${other.id}/sign-in-link`, {})));
    assert.equal((await makesKey(browserOf(byKey))).status, 201);
    assert.equal((await makesKey(await signedInByOperator(server, account, other.id))).status, 201);
  });

  test('the first owner is as fresh as the session of the first key', async () => {
    const { key } = await server.newKey();
    const browser = browserOf(await openLink(key));
    const becomeOwner = async () =>
      browserOf(await accept(secretIn(await browser.send('POST', '/invitations', { role: 'owner' }))));
    const owner = await becomeOwner();
    assert.equal((await owner.send('POST', '/invitations', { role: 'editor' })).status, 201);
  });
});

describe('changes to the whole account', () => {
  test('are refused for editors and for link keys', async () => {
    const { root, owner, join } = await newAccount();
    const [editor, admin] = [await join('editor'), await join('admin')];
    const forLinks = as(
      server,
      (await root.post('/api/v1/keys', { name: 'links', scopes: linkScopes })).json.data.key,
    );
    const acts = [
      ['PATCH', '/account', { watchDestinations: false }],
      ['PUT', '/branding', { name: 'Mine' }],
      ['DELETE', '/branding', undefined],
    ] as const;
    for (const [method, path, body] of acts) {
      assert.equal(said(await editor.send(method, path, body)), refused, `${method} ${path}`);
      for (const who of [admin, owner])
        assert.match(said(await who.send(method, path, body)), /^20[04]$/, `${method} ${path}`);
    }
    assert.equal(said(await forLinks.patch('/api/v1/account', { watchDestinations: true })), refused);
    assert.equal((await root.patch('/api/v1/account', { watchDestinations: true })).status, 200);
  });

  test('webhooks show their creator, and removing a member lists what they leave', async () => {
    const { root, owner, join } = await newAccount();
    const admin = await join('admin', 'Leaver');
    const key = await newKey(admin);
    const hook = { url: 'https://hooks.example.com/a', events: ['link.created'] };
    const byPerson = (await admin.send('POST', '/webhooks', hook)).json.data;
    const byKey = (await key.api.post('/api/v1/webhooks', hook)).json.data;
    assert.deepEqual(byPerson.createdBy, { kind: 'person', id: admin.id, name: 'Leaver' });
    assert.deepEqual(byKey.createdBy, { kind: 'key', id: key.id, name: 'made' });
    await owner.send('POST', '/webhooks', hook);
    await admin.send('POST', '/invitations', { role: 'viewer' });
    const [member] = (await root.get('/api/v1/members')).json.data.filter(
      (one: { id: string }) => one.id === admin.id,
    );
    const webhooks = [byPerson, byKey].map(({ id }: { id: string }) => ({ id, url: hook.url }));
    assert.deepEqual([member.webhooks, member.invitations], [webhooks, 1]);
    const narrow = { name: 'people', scopes: ['people:write'] };
    const blind = as(server, (await root.post('/api/v1/keys', narrow)).json.data.key);
    assert.ok(!(await blind.get('/api/v1/members')).text.includes(hook.url), 'addresses may hold secrets');

    const unsaid = await owner.send('DELETE', `/members/${admin.id}`);
    assert.equal(said(unsaid), '409 MEMBER_HAS_KEYS');
    assert.match(
      unsaid.json.error.message,
      /keys: "made"\. Webhooks that stay: 2\. Invitations that will be withdrawn: 1\./,
    );
    const removed = (await owner.send('DELETE', `/members/${admin.id}?keys=revoke`)).json.data;
    assert.deepEqual([removed.webhooks, removed.invitations], [webhooks, 1]);
  });

  test('the audit log names the member for each action, including signing in and new credentials', async () => {
    const { root, account } = await newAccount();
    const ada = await newMember(server, root, 'admin', 'Ada');
    const page = passkeyPage(ada.cookie);
    await page.add();
    await page.signIn();
    const asked = (await call(server, 'POST', '/api/v1/devices', { body: { name: 'laptop' } })).json.data;
    await ada.send('POST', '/devices/answer', { userCode: asked.userCode, approve: true });
    await call(server, 'POST', '/api/v1/devices/token', { body: { deviceCode: asked.deviceCode } });
    const { data } = (await root.get('/api/v1/audit?limit=100')).json as {
      data: { action: string; actor: { kind: string; name: string } }[];
    };
    const authors = Object.fromEntries(
      data.map(({ action, actor }) => [action, `${actor.kind} ${actor.name}`]),
    );
    for (const action of ['person.joined', 'passkey.created', 'session.created', 'key.created'])
      assert.ok(authors[action] !== undefined, `${action} of ${account}`);
    for (const action of ['passkey.created', 'session.created']) assert.equal(authors[action], 'person Ada');
    assert.ok(!data.some(({ actor }) => actor.kind === 'background'), JSON.stringify(authors));
  });
});
