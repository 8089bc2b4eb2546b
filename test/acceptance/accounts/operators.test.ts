// Operators, added on the server's machine, see and suspend all accounts. For everybody else, the endpoints do not
// exist.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { othersKnow } from '../../support/postgres/databases.ts';
import { ageSessions } from '../../support/server/aged.ts';
import { asBrowser, newMember, type Person, signedInByOperator } from '../../support/server/members.ts';
import { freshCode, makeFolder, makeInvitation, makeLink } from '../../support/server/records.ts';
import { type Answer, as, call, type Server, startServer } from '../../support/server/server.ts';

const codeOf = ({ status, json }: Answer): string => `${status} ${json?.error?.code ?? ''}`.trim();
const nothing = '404 ROUTE_NOT_FOUND';

describe('operators', () => {
  // A separate server, because the tests change its sessions' ages.
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const newAccount = async (options = {}) => {
    const made = await server.newKey(options);
    return { ...made, api: as(server, made.key) };
  };
  const signIn = async (account: string, id: string) => {
    await othersKnow();
    return signedInByOperator(server, account, id);
  };
  /** Creates a member of a new account who becomes an operator and signs in again. */
  const newOperator = async (role = 'viewer', name = 'Opal') => {
    const home = await newAccount();
    const person = await newMember(server, home.api, role, name);
    await server.command('operators', 'add', person.id);
    return { home, person, operator: await signIn(home.account, person.id) };
  };
  const calls: readonly [string, string, unknown?][] = [
    ['GET', '/operator/accounts'],
    ['POST', '/operator/accounts/suspend', { account: 'default' }],
    ['POST', '/operator/accounts/resume', { account: 'default' }],
  ];

  test('is hidden from members of any role and from every key; without credentials asks for a key', async () => {
    const { api } = await newAccount();
    const people = await Promise.all(
      (['owner', 'admin', 'editor', 'viewer'] as const).map((role) => newMember(server, api, role)),
    );
    const unknown = await people[0]?.send('GET', '/operator/nothing');
    assert.ok(unknown !== undefined);
    for (const [method, path, body] of calls) {
      for (const person of people) {
        const answer = await person.send(method, path, body);
        assert.equal(codeOf(answer), nothing, `${method} ${path}`);
        assert.equal(
          answer.json.error.message,
          unknown.json.error.message,
          'the same as for an unknown record',
        );
      }
      const byKey =
        method === 'GET' ? await api.get(`/api/v1${path}`) : await api.post(`/api/v1${path}`, body);
      assert.equal(codeOf(byKey), nothing, `${method} ${path} with a key`);
      const asNobody = await call(server, method, `/api/v1${path}`, { ...(body !== undefined && { body }) });
      assert.equal(codeOf(asNobody), '401 MISSING_API_KEY');
    }
    for (const person of people) assert.equal((await person.get('/session')).json.data.isOperator, false);
  });

  test("is not available to an operator's key or an approved program", async () => {
    const { home, operator } = await newOperator('owner');
    assert.equal((await operator.get('/session')).json.data.isOperator, true);
    const { key } = (await operator.send('POST', '/keys', { name: 'of an operator' })).json.data;
    assert.equal(codeOf(await as(server, key).get('/api/v1/operator/accounts')), nothing);
    const ofKey = await call(server, 'POST', '/api/v1/session', { key });
    const browser = asBrowser(server, ofKey.headers.get('set-cookie')?.split(';')[0] ?? '');
    assert.equal(codeOf(await browser.get('/operator/accounts')), nothing, 'the session of that key');
    const asked = (await call(server, 'POST', '/api/v1/devices', { body: { name: 'laptop' } })).json.data;
    const { userCode, deviceCode } = asked;
    await operator.send('POST', '/devices/answer', { userCode, approve: true });
    const taken = await call(server, 'POST', '/api/v1/devices/token', { body: { deviceCode } });
    assert.equal(codeOf(await as(server, taken.json.data.key).get('/api/v1/operator/accounts')), nothing);
    assert.equal(codeOf(await home.api.get('/api/v1/operator/accounts')), nothing);
  });

  test('lists accounts with counts, finds them by a part of the name in any case, page by page', async () => {
    const mark = freshCode();
    const name = `Äpfel ${mark}`;
    await server.command('accounts', 'create', name);
    await server.command('keys', 'create', '--account', name, '--plan', 'free', '--scopes', 'links:read');
    const { key } = await newAccount({ account: name });
    const api = as(server, key);
    await makeLink(api);
    await makeFolder(api);
    await newMember(server, api, 'editor');
    for (const other of ['one', 'two', 'three'])
      await server.command('accounts', 'create', `${mark} ${other}`);
    const { operator } = await newOperator();
    const find = async (query: string) => {
      const answer = await operator.get(`/operator/accounts?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json as { data: { name: string }[]; pagination: { nextCursor: string | null } };
    };
    const [found] = (await find(`search=${encodeURIComponent(`äPFEL ${mark}`.toUpperCase())}`)).data;
    const { createdAt, lastUsedAt, ...facts } = found as unknown as Record<string, unknown>;
    assert.deepEqual(facts, {
      name,
      suspendedAt: null,
      plans: ['enterprise', 'free'],
      people: 1,
      keys: 2,
      links: 1,
    });
    assert.match(String(createdAt), /^\d{4}-/);
    assert.ok(lastUsedAt === null || /^\d{4}-/.test(String(lastUsedAt)));
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const page = await find(`search=${mark}&limit=2&cursor=${cursor}`);
      names.push(...page.data.map((one) => one.name));
      cursor = page.pagination.nextCursor;
      if (cursor !== null) {
        const foreign = await operator.get(`/operator/accounts?search=other&cursor=${cursor}`);
        assert.equal(codeOf(foreign), '400 VALIDATION_ERROR', 'a cursor from another search');
      }
    }
    assert.deepEqual([names, pages], [[`${mark} three`, `${mark} two`, `${mark} one`, name], 2]);
    assert.deepEqual((await find('search=%25')).data, [], 'wildcards have no effect');
    assert.equal((await find('limit=1')).data.length, 1);
  });

  test('suspends: refuses keys and members at once, keeps redirecting links, closes shared statistics; then resumes', async () => {
    const { account, api, key } = await newAccount();
    const code = freshCode();
    await makeLink(api, { customCode: code });
    const { token: secret } = (await api.post(`/api/v1/links/${await makeLink(api)}/share`)).json.data;
    const shared = () => call(server, 'GET', `/api/v1/shared/${secret}/stats`);
    assert.equal((await shared()).status, 200);
    const ada = await newMember(server, api, 'editor', 'Ada');
    const { token } = await makeInvitation(api);
    const { home, operator, person } = await newOperator('viewer', 'Opal');
    const suspended = await operator.send('POST', '/operator/accounts/suspend', { account });
    assert.equal(suspended.status, 200, suspended.text);
    assert.match(suspended.json.data.suspendedAt, /^\d{4}-/);
    await othersKnow();
    assert.equal(codeOf(await api.get('/api/v1/links')), '403 ACCOUNT_SUSPENDED');
    assert.equal(codeOf(await ada.get('/links')), '401 INVALID_SESSION');
    const joins = await call(server, 'POST', '/api/v1/invitations/accept', { body: { token, name: 'Late' } });
    assert.equal(codeOf(joins), '404 INVITATION_NOT_FOUND');
    const led = await fetch(`${server.url}/${code}`, { redirect: 'manual' });
    assert.equal(led.status, 302, 'short links keep working');
    assert.equal(codeOf(await shared()), '404 SHARE_NOT_FOUND');
    const [listed] = (await operator.get(`/operator/accounts?search=${account}`)).json.data;
    assert.equal(listed.suspendedAt, suspended.json.data.suspendedAt);

    const resumed = await operator.send('POST', '/operator/accounts/resume', { account });
    assert.equal(resumed.json.data?.suspendedAt, null, resumed.text);
    await othersKnow();
    assert.equal((await call(server, 'GET', '/api/v1/links', { key })).status, 200);
    assert.equal(codeOf(await ada.get('/links')), '401 INVALID_SESSION', 'members can sign in again');

    // The audit log shows the action and who performed it, but nothing about the operator's account.
    const { data } = (await api.get('/api/v1/audit?limit=100')).json;
    const ofAccount = data.filter(({ action }: { action: string }) => /^account\.(?:susp|res)/.test(action));
    assert.deepEqual(
      ofAccount.map(({ action, actor }: { action: string; actor: unknown }) => [action, actor]),
      ['account.resumed', 'account.suspended'].map((action) => [
        action,
        { kind: 'operator', id: null, name: 'Opal' },
      ]),
    );
    assert.ok(!JSON.stringify(data).includes(person.id));
    assert.ok(!JSON.stringify(data).includes(home.account));
  });

  test('requires a fresh session and an existing other account; refuses other sites', async () => {
    const { account } = await newAccount();
    const { home, person, operator } = await newOperator('owner');
    const send = (verb: string, name: string, by: Pick<Person, 'send'> = operator) =>
      by.send('POST', `/operator/accounts/${verb}`, { account: name });
    assert.equal(codeOf(await send('suspend', 'nobody has this')), '404 ACCOUNT_NOT_FOUND');
    assert.equal(
      codeOf(await send('suspend', account.toUpperCase())),
      '404 ACCOUNT_NOT_FOUND',
      'the name is case-sensitive',
    );
    assert.equal(codeOf(await send('suspend', home.account)), '403 INSUFFICIENT_SCOPE');
    await server.command('operators', 'remove', person.id);
    assert.equal(codeOf(await operator.get('/operator/accounts')), '401 INVALID_SESSION');
    const again = await signIn(home.account, person.id);
    assert.equal(codeOf(await again.get('/operator/accounts')), nothing, 'no longer an operator');
    assert.equal(codeOf(await send('suspend', account, again)), nothing);
    await server.command('operators', 'add', person.id);
    const back = await signIn(home.account, person.id);
    await ageSessions(server);
    assert.equal((await back.get('/operator/accounts')).status, 200, 'reading is still allowed');
    for (const verb of ['suspend', 'resume'])
      assert.equal(codeOf(await send(verb, account, back)), '403 REAUTHENTICATION_REQUIRED');
    const crossing = await call(server, 'POST', '/api/v1/operator/accounts/suspend', {
      body: { account },
      headers: { cookie: person.cookie, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(codeOf(crossing), '403 CROSS_SITE_REQUEST');
  });

  test('managing the account of an operator does not make anyone an operator', async () => {
    const home = await newAccount();
    const owner = await newMember(server, home.api, 'owner', 'Mallory');
    const victim = await newMember(server, home.api, 'editor', 'Victim');
    // The owner requests sign-in links for the member: two before the member becomes an operator, and one after that.
    const link = async () => owner.send('POST', `/members/${victim.id}/sign-in-link`);
    const enter = (made: Answer) =>
      call(server, 'POST', '/api/v1/session', { key: new URL(made.json.data.url).hash.slice(1) });
    const [kept, used] = [await link(), await link()];
    const begun = asBrowser(server, (await enter(used)).headers.get('set-cookie')?.split(';')[0] ?? '');
    assert.equal((await begun.get('/session')).status, 200);
    await server.command('operators', 'add', victim.id);
    assert.equal(codeOf(await begun.get('/operator/accounts')), '401 INVALID_SESSION');
    assert.equal(codeOf(await enter(kept)), '401 INVALID_LOGIN_LINK');
    assert.equal(codeOf(await link()), '403 INSUFFICIENT_SCOPE');
    assert.equal(
      codeOf(await home.api.post(`/api/v1/members/${victim.id}/sign-in-link`)),
      '403 INSUFFICIENT_SCOPE',
    );
    const fresh = await signIn(home.account, victim.id);
    assert.equal((await fresh.get('/operator/accounts')).status, 200);
    assert.equal(codeOf(await owner.send('DELETE', `/members/${victim.id}`)), '403 INSUFFICIENT_SCOPE');
    // The operator's key may still remove the member, who then has no access.
    assert.equal((await home.api.delete(`/api/v1/members/${victim.id}`)).status, 200);
    assert.equal(codeOf(await fresh.get('/operator/accounts')), '401 INVALID_SESSION');
    assert.ok(!(await server.command('operators', 'list', '--json')).includes(victim.id));
  });

  test('finds members by ID or email, by account if ambiguous, and shows how they sign in', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const email = `${freshCode()}@example.com`;
    const join = async ({ api }: typeof one) => {
      const { url } = (await api.post('/api/v1/invitations', { role: 'admin', email })).json.data;
      const body = { token: new URL(url).hash.slice(1), name: 'Ada Lovelace' };
      return (await call(server, 'POST', '/api/v1/invitations/accept', { body })).json.data.person.id;
    };
    const id = await join(one);
    const shown = await server.command('operators', 'add', email.toUpperCase());
    assert.match(shown, new RegExp(`Ada Lovelace of ${one.account} \\(admin\\) is an operator`));
    const other = await join(two);
    await assert.rejects(server.command('operators', 'remove', email), /Several people.*--account/s);
    await assert.rejects(server.command('operators', 'remove', other), /is not an operator/);
    await assert.rejects(server.command('operators', 'add', 'nobody@example.com'), /No member/);
    const listed = JSON.parse(await server.command('operators', 'list', '--json'));
    const found = listed.filter((each: { email: string }) => each.email === email);
    assert.deepEqual(
      found.map((each: Record<string, unknown>) => [each['id'], each['account'], each['role']]),
      [[id, one.account, 'admin']],
    );
    await server.command('operators', 'remove', email, '--account', one.account);
    const folder = await makeFolder(one.api);
    const { url } = (await one.api.post('/api/v1/invitations', { role: 'viewer', folders: [folder] })).json
      .data;
    const body = { token: new URL(url).hash.slice(1), name: 'Bound' };
    const bound = (await call(server, 'POST', '/api/v1/invitations/accept', { body })).json.data.person.id;
    await assert.rejects(server.command('operators', 'add', bound), /restricted to domains or folders/);
    const { data } = (await one.api.get(`/api/v1/audit?target=${id}&action=person.updated`)).json;
    assert.deepEqual(
      data.map(({ changes, actor }: { changes: unknown; actor: { kind: string } }) => [changes, actor.kind]),
      [
        [{ isOperator: { from: true, to: false } }, 'operator'],
        [{ isOperator: { from: false, to: true } }, 'operator'],
      ],
    );
  });
});
