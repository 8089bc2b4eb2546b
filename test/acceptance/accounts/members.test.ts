import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { everyEndpoint } from '../../support/http/openapi.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import { asBrowser, newMember, type Person } from '../../support/server/members.ts';
import {
  type Api,
  bodyWith,
  makeFolder,
  makeInvitation,
  makeLink,
  makeRecord,
  makeTag,
  notFound,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { type Answer, as, call, type Service, type TestKey } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
type Role = (typeof roles)[number];

/** Scopes of each role, repeated here so that a change to the list in the source is noticed. */
const everything = [
  ...['links:read', 'links:write', 'analytics:read', 'keys:write', 'domains:write', 'people:write'],
  ...['audit:read', 'webhooks:write'],
];
const scopesOf: Readonly<Record<Role, readonly string[]>> = {
  owner: everything,
  admin: everything,
  editor: ['links:read', 'links:write', 'analytics:read'],
  viewer: ['links:read', 'analytics:read'],
};

const said = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();

describe('members of an account', () => {
  let server: Service;
  let root: TestKey;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    root = await server.newKey();
    api = as(server, root.key);
  });

  const join = (role: Role, name?: string, inviter = api): Promise<Person> =>
    newMember(server, inviter, role, name);
  const accept = (token: string, headers = {}) =>
    call(server, 'POST', '/api/v1/invitations/accept', { body: { token, name: 'Ada' }, headers });
  const newAccount = async (): Promise<Api> => as(server, (await server.newKey()).key);
  const ownerAlone = async () => {
    const own = await newAccount();
    return { own, owner: await join('owner', 'The only one', own) };
  };

  test('an invitation shows what it grants, admits one member, and starts their session', async () => {
    const invited = await api.post('/api/v1/invitations', { role: 'editor', email: 'ada@example.com' });
    assert.equal(invited.status, 201, invited.text);
    const { url, mailed, ...waiting } = invited.json.data;
    assert.equal(mailed, null, 'no mail server is configured');
    assert.match(url, new RegExp(`^${server.url}/dashboard/join#lfi_[\\w-]{43}$`));
    assert.equal(Date.parse(waiting.expiresAt) - Date.parse(waiting.createdAt), 7 * 86_400_000);
    assert.ok((await api.get('/api/v1/invitations')).text.includes(waiting.id));
    assert.deepEqual((await api.get(`/api/v1/invitations/${waiting.id}`)).json.data, waiting);
    const token = new URL(url).hash.slice(1);
    assert.ok(!(await api.get('/api/v1/invitations')).text.includes(token), 'the secret is shown once');

    const described = await call(server, 'POST', '/api/v1/invitations/describe', { body: { token } });
    const { account, role, email } = described.json.data;
    assert.deepEqual([account, role, email], [root.account, 'editor', 'ada@example.com']);

    const joined = await accept(token);
    assert.equal(joined.status, 201, joined.text);
    const ada = asBrowser(server, joined.headers.get('set-cookie')?.split(';')[0] ?? '');
    const me = (await ada.get('/me')).json.data;
    assert.deepEqual(
      [me.account, me.person.name, me.person.role, me.scopes, me.plan],
      [root.account, 'Ada', 'editor', scopesOf.editor, 'enterprise'],
    );
    assert.deepEqual((await ada.get('/session')).json.data.session.person, me.person);
    const [found] = (await api.get('/api/v1/members')).json.data.filter(
      (one: { id: string }) => one.id === me.person.id,
    );
    assert.deepEqual(
      [found.name, found.email, found.role, found.keys],
      ['Ada', 'ada@example.com', 'editor', []],
    );
    assert.equal(said(await accept(token)), '404 INVITATION_NOT_FOUND', 'it works once');
    assert.ok(!(await api.get('/api/v1/keys')).text.includes(me.key.id), "the member's key is not listed");
    assert.equal(said(await api.delete(`/api/v1/keys/${me.key.id}`)), '404 KEY_NOT_FOUND');
    assert.equal(said(await api.post(`/api/v1/keys/${me.key.id}/rotate`, {})), '404 KEY_NOT_FOUND');
  });

  test('only one of two browsers that accept at once joins', async () => {
    const { token } = await makeInvitation(api);
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404, 404]);
  });

  test('rejects a revoked, unknown, malformed or cross-site invitation', async () => {
    const { id, token } = await makeInvitation(api);
    const elsewhere = await accept(token, { 'sec-fetch-site': 'cross-site' });
    assert.equal(said(elsewhere), '403 CROSS_SITE_REQUEST');
    const insecure = await accept(token, { origin: 'http://192.0.2.1', host: '192.0.2.1' });
    assert.equal(said(insecure), '403 INSECURE_CONNECTION', 'and it is not used up');
    assert.equal((await api.delete(`/api/v1/invitations/${id}`)).status, 204);
    for (const wrong of [token, `lfi_${'a'.repeat(43)}`, 'lfi_', root.key, `lfl_${'a'.repeat(43)}`])
      assert.equal(said(await accept(wrong)), '404 INVITATION_NOT_FOUND');
  });

  test('rejects an invalid email address and role by name', async () => {
    const wrong = await api.post('/api/v1/invitations', { role: 'king', email: 'no address' });
    assert.equal(wrong.status, 400);
    assert.deepEqual(
      wrong.json.error.details.map(({ field }: { field: string }) => field),
      ['role', 'email'],
    );
  });

  describe('every role at every endpoint', () => {
    let people: Map<Role, Person>;
    let foreign: Api;
    let folder: string;
    before(async () => {
      people = new Map();
      for (const role of roles) people.set(role, await join(role));
      foreign = await newAccount();
      folder = await makeFolder(api);
    });
    const theirs = new Map<string, string>();
    const foreignId = async (record: Parameters<typeof makeRecord>[1]): Promise<string> => {
      const id = theirs.get(record) ?? (await makeRecord(foreign, record));
      theirs.set(record, id);
      return id;
    };

    for (const endpoint of everyEndpoint) {
      const { name, method, scope, alsoScope } = endpoint;
      // Sessions are created with a key or link, never in a session.
      if (name === 'createSession') continue;
      const needed = [scope, alsoScope].filter((one) => one !== null);
      const mayCall = (role: Role): boolean => needed.every((one) => scopesOf[role].includes(one));
      test(`${name}: ${roles.filter(mayCall).join(', ')}`, async () => {
        const record = recordOf(endpoint);
        const bodyFor = async () => {
          const tag = endpoint.fields?.includes('into') ? await makeTag(api) : undefined;
          return bodyWith(endpoint, folder, tag) ?? (method === 'POST' ? {} : undefined);
        };
        for (const [role, person] of people) {
          // Endpoints that may end the current session are called in another member's session, with the same role.
          const isEnding = /^end/.test(name);
          const browser = isEnding ? await join(role) : person;
          const send = async (id: string) =>
            browser.send(method, pathWith(endpoint, id).slice('/api/v1'.length), await bodyFor());
          if (!mayCall(role)) {
            const refused = await send(record === undefined ? '' : await foreignId(record));
            assert.equal(said(refused), '403 INSUFFICIENT_SCOPE', `${role}: ${refused.text}`);
            continue;
          }
          if (record !== undefined && record !== 'externalId') {
            const answer = await send(await foreignId(record));
            assert.equal(
              said(answer),
              `404 ${notFound[record]}`,
              `${role} at a foreign record: ${answer.text}`,
            );
          }
          // The rest runs only for the lowest allowed role; higher roles may do the same.
          if (role !== roles.findLast(mayCall)) continue;
          const own = record === undefined ? '' : await makeRecord(api, record);
          // Without the `keys:write` scope, editors and viewers see only their own sessions.
          const isHidden = record === 'session' && !scopesOf[role].includes('keys:write');
          const answer = await send(own);
          assert.equal(answer.status, isHidden ? 404 : endpoint.success, `${role}: ${answer.text}`);
        }
      });
    }
  });

  test('nobody exceeds their role: not with invitations, changes, sign-in links, or keys', async () => {
    const { own, owner } = await ownerAlone();
    const admin = await join('admin', 'Admin', own);
    const editor = await join('editor', 'Editor', own);
    const { account } = (await own.get('/api/v1/me')).json.data;
    const refused = async (what: string, answer: Promise<Answer>) =>
      assert.equal(said(await answer), '403 INSUFFICIENT_SCOPE', what);
    const asOwner = { role: 'owner' };
    await refused('invites an owner', admin.send('POST', '/invitations', asOwner));
    await refused('makes itself owner', admin.send('PATCH', `/members/${admin.id}`, asOwner));
    await refused('lowers the owner', admin.send('PATCH', `/members/${owner.id}`, { role: 'viewer' }));
    await refused('renames the owner', admin.send('PATCH', `/members/${owner.id}`, { name: 'Nobody' }));
    await refused('removes the owner', admin.send('DELETE', `/members/${owner.id}`));
    await refused('signs in as the owner', admin.send('POST', `/members/${owner.id}/sign-in-link`, {}));

    const made = (await admin.send('POST', '/keys', { name: 'of the admin' })).json.data;
    await refused('its key invites an owner', as(server, made.key).post('/api/v1/invitations', asOwner));
    // The operator's key, which has no creator, has all permissions. An admin must not be able to rotate it.
    const [first] = (await own.get('/api/v1/keys')).json.keys.filter(
      (one: { madeBy: unknown }) => !one.madeBy,
    );
    await refused('rotates the operator’s key', admin.send('POST', `/keys/${first.id}/rotate`, {}));
    // An admin cannot gain rights by leaving the account either. Keys that remained would no longer be limited to a
    // role.
    assert.equal(said(await admin.send('DELETE', `/members/${admin.id}?keys=keep`)), '400 VALIDATION_ERROR');

    await refused('an editor makes a key', editor.send('POST', '/keys', { name: 'x' }));
    await refused('an editor invites', editor.send('POST', '/invitations', { role: 'viewer' }));
    const narrow = await server.newKey({ account, scopes: 'people:write,links:read,analytics:read' });
    const byNarrow = (role: string) => as(server, narrow.key).post('/api/v1/invitations', { role });
    await refused('a key invites to more than it may', byNarrow('editor'));
    assert.equal((await byNarrow('viewer')).status, 201);
    const ending = await server.newKey({ account, expires: new Date(Date.now() + 3_600_000).toISOString() });
    await refused(
      'a key that expires',
      as(server, ending.key).post('/api/v1/invitations', { role: 'viewer' }),
    );
  });

  test("limits an invitation to its creator's rights when it is accepted", async () => {
    const { own, owner } = await ownerAlone();
    const admin = await join('admin', 'Admin', own);
    const invite = async (): Promise<string> => {
      const answer = await admin.send('POST', '/invitations', { role: 'admin' });
      return new URL(answer.json.data.url).hash.slice(1);
    };
    const token = await invite();
    assert.equal((await owner.send('PATCH', `/members/${admin.id}`, { role: 'editor' })).status, 200);
    assert.equal(said(await accept(token)), '404 INVITATION_NOT_FOUND');
    await owner.send('PATCH', `/members/${admin.id}`, { role: 'admin' });
    assert.equal((await accept(token)).status, 201, 'with the role restored, the invitation works again');

    const { id, token: ofKey } = await makeInvitation(own);
    const key = (await own.get('/api/v1/me')).json.data.key.id;
    assert.ok(id);
    await own.delete(`/api/v1/keys/${key}`);
    await othersKnow();
    assert.equal(said(await accept(ofKey)), '404 INVITATION_NOT_FOUND', 'a revoked key invites nobody');
  });

  test('keeps the last owner, even if two owners demote each other at once', async () => {
    const { own, owner } = await ownerAlone();
    assert.equal(said(await own.delete(`/api/v1/members/${owner.id}`)), '409 LAST_OWNER');
    const lowered = await owner.send('PATCH', `/members/${owner.id}`, { role: 'admin' });
    assert.equal(said(lowered), '409 LAST_OWNER');
    for (let round = 0; round < 5; round += 1) {
      const other = await join('owner', 'Another', own);
      const lower = (id: string) => own.patch(`/api/v1/members/${id}`, { role: 'viewer' });
      const answers = await Promise.all([lower(owner.id), lower(other.id)]);
      assert.deepEqual(answers.map(said).sort(), ['200', '409 LAST_OWNER']);
      const left = (await own.get('/api/v1/members')).json.data.filter(
        (one: { role: string }) => one.role === 'owner',
      );
      assert.equal(left.length, 1);
      if (left[0].id !== owner.id) await own.patch(`/api/v1/members/${owner.id}`, { role: 'owner' });
      await own.patch(`/api/v1/members/${other.id}`, { role: 'viewer' });
    }
  });

  test('demotion ends sessions and limits keys at once', async () => {
    const admin = await join('admin');
    const created = (await admin.send('POST', '/keys', { name: 'of an admin' })).json.data;
    assert.deepEqual(created.madeBy, { id: admin.id, name: 'The admin' });
    const ofKey = as(server, created.key);
    assert.deepEqual((await ofKey.get('/api/v1/me')).json.data.scopes, scopesOf.admin);
    assert.equal((await ofKey.get('/api/v1/me')).json.data.person, null, 'an API key is not a member');
    await api.patch(`/api/v1/members/${admin.id}`, { role: 'viewer' });
    assert.equal(said(await admin.get('/me')), '401 INVALID_SESSION');
    await othersKnow();
    assert.deepEqual((await ofKey.get('/api/v1/me')).json.data.scopes, scopesOf.viewer);
    assert.equal(
      said(await ofKey.post('/api/v1/shorten', { url: 'https://example.com/' })),
      '403 INSUFFICIENT_SCOPE',
    );
    await api.patch(`/api/v1/members/${admin.id}`, { role: 'editor', name: 'Renamed' });
    await othersKnow();
    assert.deepEqual((await ofKey.get('/api/v1/me')).json.data.scopes, scopesOf.editor);
    const [listed] = (await api.get('/api/v1/keys')).json.keys;
    assert.deepEqual([listed.id, listed.madeBy.name], [created.id, 'Renamed']);
  });

  test('removal ends access at once; links stay, and keys as chosen', async () => {
    const { own, owner } = await ownerAlone();
    const leave = async (how: string) => {
      const admin = await join('admin', 'Leaver', own);
      const link = await admin.send('POST', '/shorten', { url: 'https://example.com/stays' });
      const created = (await admin.send('POST', '/keys', { name: 'robot' })).json.data;
      const { token } = await makeInvitation({
        post: (path, body) => admin.send('POST', path.slice(7), body),
      } as Api);
      const signIn = (await own.post(`/api/v1/members/${admin.id}/sign-in-link`)).json.data.url;
      const listed = (await own.get('/api/v1/members')).json.data.at(-1);
      assert.deepEqual(listed.keys, [{ id: created.id, name: 'robot' }]);
      const asked = await owner.send('DELETE', `/members/${admin.id}`);
      assert.equal(said(asked), '409 MEMBER_HAS_KEYS');
      assert.equal((await admin.get('/me')).status, 200, 'nothing has happened yet');
      const removed = await owner.send('DELETE', `/members/${admin.id}?keys=${how}`);
      const left = { webhooks: [], invitations: 1 };
      assert.deepEqual(removed.json.data, { keys: listed.keys, kept: how === 'keep', ...left });
      assert.equal(said(await admin.get('/me')), '401 INVALID_SESSION');
      assert.equal(said(await accept(token)), '404 INVITATION_NOT_FOUND', 'their invitations are withdrawn');
      const late = await call(server, 'POST', '/api/v1/session', { key: new URL(signIn).hash.slice(1) });
      assert.equal(said(late), '401 INVALID_LOGIN_LINK');
      assert.equal((await own.get(`/api/v1/links/${link.json.data.id}`)).status, 200, 'the link stays');
      assert.equal(said(await own.delete(`/api/v1/members/${admin.id}`)), '404 MEMBER_NOT_FOUND');
      await othersKnow();
      return created;
    };
    const revoked = await leave('revoke');
    assert.equal(said(await as(server, revoked.key).get('/api/v1/me')), '401 INVALID_API_KEY');
    const kept = await leave('keep');
    assert.equal((await as(server, kept.key).get('/api/v1/me')).status, 200);
    const [now] = (await own.get('/api/v1/keys')).json.keys.filter(
      (one: { id: string }) => one.id === kept.id,
    );
    assert.equal(now.madeBy.id, owner.id, 'the member who removed them now owns it');
  });

  test('a sign-in link from an owner signs in that member only, and only once', async () => {
    const viewer = await join('viewer', 'Lost the phone');
    const made = await api.post(`/api/v1/members/${viewer.id}/sign-in-link`);
    assert.match(made.json.data.url, new RegExp(`^${server.url}/dashboard/login#lfl_`));
    const token = new URL(made.json.data.url).hash.slice(1);
    const signIn = () => call(server, 'POST', '/api/v1/session', { key: token });
    const first = await signIn();
    assert.equal(first.json.data.person.id, viewer.id);
    assert.equal(said(await signIn()), '401 INVALID_LOGIN_LINK');
  });

  test('members see and end their own sessions; preferences are per member', async () => {
    const [one, other] = [await join('editor', 'One'), await join('editor', 'Other')];
    const sessions = (await one.get('/sessions')).json.sessions;
    assert.deepEqual(
      sessions.map(({ person }: { person: { name: string } }) => person.name),
      ['One'],
    );
    await one.send('PUT', '/preferences', { values: { theme: 'dark' } });
    assert.deepEqual((await other.get('/preferences')).json.data.values, {});
    assert.deepEqual((await one.get('/preferences')).json.data.values, { theme: 'dark' });
    assert.ok(!(await api.get('/api/v1/preferences')).text.includes('dark'));
    assert.equal((await one.send('DELETE', `/sessions/${sessions[0].id}`)).status, 204);
    assert.equal(said(await one.get('/me')), '401 INVALID_SESSION');
    assert.equal((await other.get('/me')).status, 200);
  });

  test('nobody joins or acts in a suspended account', async () => {
    const key = await server.newKey();
    const own = as(server, key.key);
    const owner = await join('owner', 'Owner', own);
    const { token } = await makeInvitation(own);
    await makeLink(own);
    await server.command('accounts', 'suspend', key.account);
    await othersKnow();
    assert.equal(said(await accept(token)), '404 INVITATION_NOT_FOUND');
    assert.equal(said(await owner.get('/me')), '401 INVALID_SESSION');
  });
});
