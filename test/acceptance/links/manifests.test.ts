import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const url = 'https://example.com/';
const apps = { ios: { appUrl: 'https://example.com/app' } };

type Fields = Record<string, unknown>;

describe('manifests', () => {
  let server: SharedServer;

  before(async () => {
    server = await sharedServer();
  });

  const account = async (plan?: string): Promise<Api> =>
    as(server, (await server.newKey(plan === undefined ? {} : { plan })).key);
  const path = (name: string, call: string): string => `/api/v1/manifests/${name}/${call}`;
  const plan = async (api: Api, links: Fields[], more: Fields = {}, name = 'marketing') => {
    const answer = await api.post(path(name, 'plan'), { links, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.data;
  };
  const send = (api: Api, links: Fields[], seen: unknown, more: Fields = {}, name = 'marketing') =>
    api.post(path(name, 'apply'), { links, seen, ...more });
  /** Plans the manifest, and immediately applies the plan. */
  const apply = async (api: Api, links: Fields[], more: Fields = {}, name = 'marketing') => {
    const { maxDeletes, ...planned } = more;
    const { seen } = await plan(api, links, planned, name);
    const answer = await send(api, links, seen, { ...planned, maxDeletes }, name);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.data;
  };
  const done = (counts: Record<string, number>): Record<string, number> =>
    Object.fromEntries(Object.entries(counts).filter(([, links]) => links > 0));
  const leads = async (code: string): Promise<string | null> =>
    (await call(server, 'GET', `/${code}`)).headers.get('location');
  const whole = async (api: Api, code: string) => (await api.get(`/api/v1/links/by-code/${code}`)).json.data;
  const actions = (changes: { action: string; customCode: string }[]): string[] =>
    changes.map(({ action, customCode }) => `${action} ${customCode}`);

  test('plans without changing anything; after apply, the next plan is empty', async () => {
    const api = await account();
    const folderId = await makeFolder(api);
    const [one, two] = [freshCode(), freshCode()];
    const links = [
      {
        customCode: one,
        url: 'https://example.com/one',
        title: 'One',
        tags: ['b', 'A'],
        folderId,
        expiresAt: '2031-01-01T10:00+02:00',
        utm: { campaign: 'spring', source: 'mail' },
        redirectStatus: 301,
        expiredUrl: 'https://example.com',
        rules: [{ when: [{ fact: 'language', values: ['de'] }], to: { url: 'https://example.de/', apps } }],
        disabled: false,
      },
      { customCode: two, url },
    ];
    const first = await plan(api, links);
    assert.deepEqual(actions(first.changes), [`create ${one}`, `create ${two}`]);
    assert.deepEqual(first.seen, []);
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 0, 'a plan creates nothing');
    assert.deepEqual(done(await apply(api, links)), { create: 2 });
    assert.equal(await leads(two), url);
    const made = await whole(api, one);
    assert.deepEqual(
      [made.managedBy, made.folderId, made.tags, made.revision],
      ['marketing', folderId, ['A', 'b'], 1],
    );
    const again = await plan(api, links);
    assert.deepEqual([again.changes, done(again.counts)], [[], { unchanged: 2 }]);
    assert.deepEqual(done(await apply(api, links)), { unchanged: 2 });
    assert.equal((await whole(api, one)).revision, 1, 'unchanged links are not written');
    const found = await api.get('/api/v1/links?managedBy=marketing&include=managedBy');
    assert.equal(found.json.pagination.total, 2);
    assert.equal((await api.get('/api/v1/links?managedBy=other')).json.pagination.total, 0);
  });

  test('shows a change by field, from and to, and applies it for visitors', async () => {
    const api = await account();
    const code = freshCode();
    await apply(api, [{ customCode: code, url, title: 'Old', maxClicks: 5 }]);
    const { id } = await whole(api, code);
    assert.equal(await leads(code), url);
    const links = [{ customCode: code, url: 'https://example.com/new', tags: ['x'], disabled: false }];
    const { changes, seen } = await plan(api, links);
    assert.deepEqual(changes, [
      {
        action: 'update',
        id,
        customCode: code,
        domain: new URL(server.url).hostname,
        index: 0,
        changes: {
          url: { from: url, to: 'https://example.com/new' },
          title: { from: 'Old', to: null },
          maxClicks: { from: 5, to: null },
          tags: { from: [], to: ['x'] },
        },
      },
    ]);
    assert.deepEqual(done((await send(api, links, seen)).json.data), { update: 1 });
    assert.equal(await leads(code), 'https://example.com/new');
    const history = (await api.get(`/api/v1/links/${id}/history`)).json.data;
    assert.deepEqual([history.length, history[0].action], [2, 'updated'], 'one revision for all of it');
  });

  test('refuses everything if something changed since the plan', async () => {
    const api = await account();
    const [one, two, three] = [freshCode(), freshCode(), freshCode()];
    const before = [
      { customCode: one, url },
      { customCode: two, url },
    ];
    await apply(api, before);
    const links = [
      { customCode: one, url: 'https://example.com/1' },
      { customCode: two, url },
      { customCode: three, url },
    ];
    const { seen } = await plan(api, links);
    const { id } = await whole(api, two);
    await api.patch(`/api/v1/links/${id}`, { title: 'by hand' });
    const refused = await send(api, links, seen);
    assert.equal(refused.status, 409);
    assert.equal(refused.json.error.code, 'MANIFEST_DRIFTED');
    assert.match(refused.json.error.message, new RegExp(`"${two}" now has revision 2; in the plan it had 1`));
    assert.equal(refused.json.error.details.length, 1);
    assert.deepEqual([await leads(one), (await call(server, 'GET', `/${three}`)).status], [url, 404]);
    assert.equal(
      (await send(api, links, [])).json.error.details.length,
      2,
      'links that the plan did not include',
    );
    // A new plan reverts the change, because the manifest takes precedence.
    assert.deepEqual(done(await apply(api, links)), { create: 1, update: 2 });
    assert.equal((await whole(api, two)).title, null);
    // Deletes a link after the plan was made, so the plan is outdated.
    const later = await plan(api, links);
    await api.delete(`/api/v1/links/${id}`);
    assert.equal((await send(api, links, later.seen)).json.error.code, 'MANIFEST_DRIFTED');
  });

  test('refuses everything because of one bad link, with place and field', async () => {
    const api = await account();
    const other = await account();
    const [taken, own, code] = [freshCode(), freshCode(), freshCode()];
    await makeLink(other, { customCode: taken });
    await makeLink(api, { customCode: own });
    const links = [
      { customCode: code, url },
      { customCode: taken, url },
      { customCode: own, url },
      { customCode: code.toUpperCase(), url },
      { customCode: freshCode(), url, titel: 'no such field', title: 5 },
      { customCode: freshCode(), url, password: 'secret' },
      { customCode: freshCode(), url: 'ftp://example.com' },
      { customCode: freshCode(), url, expiresAt: '2020-01-01' },
      { customCode: freshCode(), url, domain: 'nobody.example' },
      { url },
      { customCode: 'login', url },
    ];
    const { seen } = await plan(api, []);
    for (const answer of [
      await api.post(path('m', 'plan'), { links }),
      await send(api, links, seen, {}, 'm'),
    ]) {
      assert.equal(answer.status, 409, answer.text);
      assert.equal(answer.json.error.code, 'BULK_REFUSED');
      const { details } = answer.json.error;
      const fields = details.map(({ field }: { field: string }) => field);
      assert.deepEqual(fields, [
        'links[1]',
        'links[2]',
        'links[3].customCode',
        'links[4].titel',
        'links[5].password',
        'links[6].url',
        'links[7].expiresAt',
        'links[8]',
        'links[9].customCode',
        'links[10]',
      ]);
      assert.match(details[1].message, /belongs to a link that no manifest manages\. Use adopt/);
    }
    assert.equal((await call(server, 'GET', `/${code}`)).status, 404);
    const twoThousand = Array.from({ length: 2_001 }, () => ({ customCode: code, url }));
    assert.equal((await api.post(path('m', 'plan'), { links: twoThousand })).status, 400);
  });

  test('adopts existing links only on request, and none from another manifest', async () => {
    const api = await account();
    const code = freshCode();
    const id = await makeLink(api, { customCode: code, title: 'By hand', password: 'secret' });
    const links = [{ customCode: code, url, title: 'By file' }];
    const { changes } = await plan(api, links, { adopt: true });
    assert.deepEqual(actions(changes), [`adopt ${code}`]);
    assert.deepEqual(changes[0].changes, { title: { from: 'By hand', to: 'By file' } });
    assert.deepEqual(done(await apply(api, links, { adopt: true })), { adopt: 1 });
    const link = await whole(api, code);
    assert.deepEqual(
      [link.id, link.managedBy, link.title, link.hasPassword],
      [id, 'marketing', 'By file', true],
    );
    const refused = await api.post(path('other', 'plan'), { links, adopt: true });
    assert.match(refused.json.error.message, /The manifest "marketing" manages this link/);
    // Other requests can change the link, but cannot remove it from the manifest.
    const patched = await api.patch(`/api/v1/links/${id}`, { managedBy: null });
    assert.deepEqual([patched.status, patched.json.error.code], [400, 'IMMUTABLE_FIELD']);
    assert.equal(
      (await api.patch(`/api/v1/links/${id}`, { title: 'Drift', managedBy: 'marketing' })).status,
      200,
    );
    assert.deepEqual((await plan(api, links)).changes[0].changes, {
      title: { from: 'Drift', to: 'By file' },
    });
    await api.post(`/api/v1/links/${id}/history/1/rollback`);
    assert.equal((await whole(api, code)).managedBy, 'marketing');
  });

  test('keeps, releases, or deletes unlisted links up to a limit; restores a deleted one', async () => {
    const api = await account();
    const codes = [freshCode(), freshCode(), freshCode()];
    const [one = '', two = ''] = codes;
    const links = codes.map((customCode) => ({ customCode, url }));
    await apply(api, links);
    const { id } = await whole(api, one);
    const kept = await plan(api, links.slice(1));
    assert.deepEqual(actions(kept.changes), [`keep ${one}`]);
    assert.deepEqual(done(await apply(api, links.slice(1))), { keep: 1, unchanged: 2 });
    const { seen } = await plan(api, links.slice(2), { absent: 'delete' });
    const bounded = await send(api, links.slice(2), seen, { absent: 'delete', maxDeletes: 1 });
    assert.deepEqual([bounded.status, bounded.json.error.code], [409, 'COUNT_DIFFERS']);
    const unbounded = await send(api, links.slice(2), seen, { absent: 'delete' });
    assert.match(unbounded.json.error.message, /delete 2 links, but maxDeletes is 0/);
    assert.equal(await leads(one), url);
    assert.deepEqual(done(await apply(api, links.slice(2), { absent: 'delete', maxDeletes: 2 })), {
      delete: 2,
      unchanged: 1,
    });
    assert.equal((await call(server, 'GET', `/${one}`)).status, 404);
    // If a user reverts the commit that removed the links, the manifest restores the same links with their clicks.
    assert.deepEqual(done(await apply(api, links)), { restore: 2, unchanged: 1 });
    assert.deepEqual([(await whole(api, one)).id, await leads(two)], [id, url]);
    assert.deepEqual(done(await apply(api, [], { absent: 'release' })), { release: 3 });
    assert.deepEqual([(await whole(api, one)).managedBy, await leads(one)], [null, url]);
    assert.deepEqual((await plan(api, [])).changes, []);
  });

  test("keeps a moved link's ID and clicks, and its old code as an alias", async () => {
    const api = await account();
    const [old, code] = [freshCode(), freshCode()];
    await apply(api, [{ customCode: old, url }]);
    const { id } = await whole(api, old);
    const links = [{ customCode: code, url, title: 'Moved', movedFrom: old }];
    const { changes } = await plan(api, links, { absent: 'delete' });
    assert.deepEqual(actions(changes), [`update ${code}`]);
    assert.deepEqual(changes[0].changes.customCode, { from: old, to: code });
    assert.deepEqual(done(await apply(api, links, { absent: 'delete', maxDeletes: 0 })), { update: 1 });
    assert.deepEqual([await leads(old), await leads(code), (await whole(api, code)).id], [url, url, id]);
    assert.deepEqual((await plan(api, links)).changes, [], 'it may stay in the manifest permanently');
    const both = [...links, { customCode: old, url }];
    assert.match((await api.post(path('marketing', 'plan'), { links: both })).text, /The code is an alias/);
  });

  test('keeps an expiry in the past, rejects a new one; ignores it on Free keys', async () => {
    const api = await account();
    const code = freshCode();
    const soon = new Date(Date.now() + 3_000).toISOString();
    const links = [{ customCode: code, url, expiresAt: soon }];
    await apply(api, links);
    await until('the link has expired', async () => (await whole(api, code)).status === 'expired');
    assert.deepEqual((await plan(api, links)).changes, []);
    const other = [{ customCode: code, url, expiresAt: '2020-01-01' }];
    const refused = await api.post(path('marketing', 'plan'), { links: other });
    assert.equal(refused.json.error.details[0].field, 'links[0].expiresAt');
    const free = await account('free');
    const ofFree = [{ customCode: freshCode(), url, expiresAt: '2031-01-01' }];
    await apply(free, ofFree);
    assert.deepEqual((await plan(free, ofFree)).changes, []);
  });

  test('two at a time: applies one, rejects the other; replays a repetition with the same key', async () => {
    const api = await account();
    const codes = Array.from({ length: 40 }, () => freshCode());
    const links = codes.map((customCode) => ({ customCode, url }));
    const others = codes.map((customCode) => ({ customCode, url: 'https://example.org/' }));
    await apply(api, links.slice(0, 20));
    const { seen } = await plan(api, links);
    const headers = { 'idempotency-key': `manifest-${codes[0]}` };
    const [one, two] = await Promise.all([
      api.post(path('marketing', 'apply'), { links, seen }, headers),
      send(api, others, seen),
    ]);
    assert.deepEqual([one.status, two.status].sort(), [200, 409], one.text + two.text);
    const wanted = one.status === 200 ? url : 'https://example.org/';
    for (const code of codes) assert.equal(await leads(code), wanted);
    if (one.status === 200) {
      const repeated = await api.post(path('marketing', 'apply'), { links, seen }, headers);
      assert.deepEqual([repeated.status, repeated.json], [200, one.json]);
      assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
    } else assert.match(one.json.error.code, /MANIFEST_DRIFTED|BULK_REFUSED/);
  });

  test('plans but does not apply with a read-only key; sees nothing from another account', async () => {
    const { key, account: name } = await server.newKey();
    const api = as(server, key);
    const code = freshCode();
    await apply(api, [{ customCode: code, url }]);
    const reader = as(server, (await server.newKey({ account: name, scopes: 'links:read' })).key);
    const links = [{ customCode: code, url: 'https://example.com/2' }];
    const { seen, counts } = await plan(reader, links);
    assert.deepEqual(done(counts), { update: 1 });
    assert.equal((await send(reader, links, seen)).status, 403);
    const stranger = await account();
    const empty = await plan(stranger, []);
    assert.deepEqual([empty.changes, empty.seen], [[], []]);
    assert.match(
      (await stranger.post(path('marketing', 'plan'), { links })).text,
      /is taken\. Choose another/,
    );
  });
});
