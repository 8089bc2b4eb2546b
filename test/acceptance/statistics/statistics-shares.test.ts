import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import { makeFolder, makeLink } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const hour = 3_600_000;

describe('shared statistics', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ TRUST_PROXY: '1' });
  });
  after(() => server.stop());

  let strangers = 0;
  /** Reads statistics without a key. By default, each request comes from another IP address. */
  const read = (token: string, query = '', address = `203.0.113.${++strangers}`) =>
    call(server, 'GET', `/api/v1/shared/${token}/stats${query}`, { headers: { 'x-forwarded-for': address } });

  const open = (token: string, password?: string) =>
    call(server, 'POST', `/api/v1/shared/${token}/open`, {
      headers: { 'x-forwarded-for': `198.51.100.${++strangers}` },
      body: password === undefined ? {} : { password },
    });

  const sharing = async (destination = 'https://user.example.com:8443/secret/path?x=y') => {
    const { key, account } = await server.newKey();
    const api = as(server, key);
    const code = `shared-${++strangers}`;
    const folderId = await makeFolder(api);
    const id = await makeLink(api, {
      url: destination,
      customCode: code,
      title: 'told',
      description: 'hidden',
      folderId,
    });
    const made = await api.post(`/api/v1/links/${id}/share`, {});
    assert.equal(made.status, 201, made.text);
    return { api, account, key, id, code, share: made.json.data, location: made.headers.get('location') };
  };

  const assertGone = async (token: string, what: string): Promise<void> => {
    const { status, json } = await read(token);
    assert.deepEqual([status, json.error.code], [404, 'SHARE_NOT_FOUND'], what);
  };

  test("show the link's statistics, and only its URL, title and destination host", async () => {
    const { api, id, code, share } = await sharing();
    assert.match(share.token, /^lfs_[0-9A-Za-z]{32}$/);
    assert.equal(share.url, `${server.url}/api/v1/shared/${share.token}/stats`);
    for (let clicks = 0; clicks < 3; clicks += 1) await ask(server, { path: `/${code}` });
    const range = `?from=${new Date(Date.now() - 24 * hour).toISOString()}&to=${new Date(Date.now() + hour).toISOString()}`;
    const query = `${range}&groupBy=browser&timezone=Europe/Berlin&compare=previous`;
    await until(
      'the clicks are in the statistics',
      async () => (await read(share.token, query)).json.data.totals.clicks === 3,
    );
    const [shared, own] = [
      await read(share.token, query),
      await api.get(`/api/v1/links/${id}/stats${query}`),
    ];
    const { link, ...statistics } = shared.json.data;
    assert.deepEqual(link, {
      shortCode: code,
      shortUrl: `${server.url}/${code}`,
      title: 'told',
      destinationHost: 'user.example.com:8443',
    });
    assert.deepEqual(statistics, own.json.data);
    for (const hidden of ['secret', 'hidden', id]) assert.ok(!shared.text.includes(hidden), hidden);
  });

  test("show the owner's name, color and logo on request, and no other branding", async () => {
    const { api, share } = await sharing();
    const none = { name: null, accent: null, logo: null };
    assert.deepEqual((await read(share.token, '?include=branding')).json.data.branding, none);
    const shown = { name: 'Acme Bikes', accent: '#1f4d41', logo: null };
    await api.put('/api/v1/branding', { ...shown, message: 'secret', contact: 'mailto:a@example.com' });
    const { json, text } = await read(share.token, '?include=branding');
    assert.deepEqual(json.data.branding, shown);
    for (const hidden of ['secret', 'mailto']) assert.ok(!text.includes(hidden), hidden);
    assert.ok(!('branding' in (await read(share.token)).json.data));
    assert.equal((await read(share.token, '?include=account')).status, 400);
  });

  test("of folders, tags, campaigns and several links: show each subject's statistics", async () => {
    const { api, id, code } = await sharing();
    const folder = (await api.get(`/api/v1/links/${id}?include=folderId`)).json.data.folderId;
    const tagged = await api.patch(`/api/v1/links/${id}`, { tags: ['poster'] });
    assert.equal(tagged.status, 200, tagged.text);
    const tag = (await api.get('/api/v1/tags')).json.data[0].id;
    for (let clicks = 0; clicks < 3; clicks += 1) await ask(server, { path: `/${code}?utm_campaign=spring` });
    const subjects = [
      { kind: 'link', id },
      { kind: 'folder', id: folder.toUpperCase() },
      { kind: 'tag', id: tag },
      { kind: 'campaign', id: 'spring' },
    ];
    const created = await api.post('/api/v1/shares', { subjects });
    assert.equal(created.status, 201, created.text);
    const { token, url, hasPassword } = created.json.data;
    assert.deepEqual([url, hasPassword], [`${server.url}/api/v1/shared/${token}/stats`, false]);
    const opened = await open(token);
    assert.deepEqual(opened.json.data, {
      token,
      subjects: [
        { kind: 'link', name: 'told' },
        { kind: 'folder', name: 'Posters' },
        { kind: 'tag', name: 'poster' },
        { kind: 'campaign', name: 'spring' },
      ],
      branding: { name: null, accent: null, logo: null },
    });
    const clicksOf = async (place: number) =>
      (await read(token, `?subject=${place}`)).json.data.totals.clicks;
    for (const place of [0, 1, 2, 3])
      await until(`subject ${place} has its clicks`, async () => (await clicksOf(place)) === 3);
    const { status, json } = await read(token, '?subject=3&groupBy=browser');
    assert.deepEqual([status, json.data.link], [200, undefined]);
    for (const query of ['?subject=4', '?subject=-1', '?filter=link:is:x', '?groupBy=link'])
      assert.equal((await read(token, query)).status, 400, query);
    // A deleted subject shows nothing, and the other subjects still work.
    await api.delete(`/api/v1/folders/${folder}`);
    await until('the folder is gone', async () => (await read(token, '?subject=1')).status === 404);
    assert.deepEqual((await open(token)).json.data.subjects[1], { kind: 'folder', name: null });
    assert.equal((await read(token, '?subject=2')).status, 200);
    const [listed] = (await api.get('/api/v1/shares')).json.data;
    assert.deepEqual(
      [listed.id, listed.subjects, listed.hasPassword],
      [created.json.data.id, subjects.map(({ kind, id }) => ({ kind, id: id.toLowerCase() })), false],
    );
    const stranger = await sharing();
    assert.deepEqual((await stranger.api.get('/api/v1/shares')).json.data, []);
    assert.equal((await stranger.api.delete(`/api/v1/shares/${listed.id}`)).status, 404);
    for (const [subject, code] of [
      [{ kind: 'link', id }, 'LINK_NOT_FOUND'],
      [{ kind: 'tag', id: tag }, 'TAG_NOT_FOUND'],
      [{ kind: 'folder', id: folder }, 'FOLDER_NOT_FOUND'],
      [{ kind: 'folder', id: 'x' }, 'FOLDER_NOT_FOUND'],
    ] as const)
      assert.equal(
        (await stranger.api.post('/api/v1/shares', { subjects: [subject] })).json.error.code,
        code,
      );
    for (const wrong of [[], [...subjects, subjects[0]], [{ kind: 'account', id }], [{ kind: 'link' }]])
      assert.equal((await api.post('/api/v1/shares', { subjects: wrong })).status, 400);
    assert.equal((await api.delete(`/api/v1/shares/${listed.id}`)).status, 204);
    await assertGone(token, 'revoked');
    assert.equal((await open(token)).status, 404);
  });

  test('require their password, with a limit for wrong ones', async () => {
    const { api } = await sharing();
    const subjects = [{ kind: 'campaign', id: 'spring' }];
    const make = async (password: string) =>
      (await api.post('/api/v1/shares', { subjects, password })).json.data;
    const share = await make('secret word');
    const other = await make('another word');
    assert.equal(share.hasPassword, true);
    const refusal = async (answer: ReturnType<typeof open>) => (await answer).json.error?.code;
    assert.equal(await refusal(read(share.token)), 'PASSWORD_REQUIRED');
    assert.equal(await refusal(open(share.token)), 'PASSWORD_REQUIRED');
    assert.equal(await refusal(open(share.token, 'secret wort')), 'WRONG_PASSWORD');
    const { token, subjects: shown } = (await open(share.token, 'secret word')).json.data;
    assert.deepEqual(shown, [{ kind: 'campaign', name: 'spring' }]);
    assert.equal((await read(token)).status, 200);
    const proof = token.slice(share.token.length);
    for (const forged of [
      other.token + proof,
      `${token.slice(0, -1)}x`,
      `${share.token}.9999999999.${'a'.repeat(43)}`,
    ])
      assert.equal(await refusal(read(forged)), 'PASSWORD_REQUIRED', forged);
    assert.equal(await refusal(read(`${share.token}.1`)), 'SHARE_NOT_FOUND');
    const text = JSON.stringify([
      (await api.get('/api/v1/shares')).json,
      (await api.get('/api/v1/audit')).json,
    ]);
    assert.ok(!text.includes('secret word') && !text.includes('argon2'));
    const codes = new Set<string>();
    // Makes 60 guesses. 30 guesses within one minute exceed the limit, but they may be split between two minutes.
    for (let n = 0; n < 60 && !codes.has('RATE_LIMIT_EXCEEDED'); n += 1)
      codes.add(String(await refusal(open(other.token, `guess ${n}`))));
    assert.deepEqual([...codes], ['WRONG_PASSWORD', 'RATE_LIMIT_EXCEEDED'], 'from many addresses');
    assert.equal((await open(share.token, 'secret word')).status, 200, 'other shares still work');
    assert.equal((await read(token)).status, 200);
  });

  test('end when revoked, at their expiry, with the link, and while the account is suspended', async () => {
    const { api, id, share, location, account } = await sharing();
    const expiresAt = new Date(Date.now() + 3_000).toISOString();
    const short = (await api.post(`/api/v1/links/${id}/share`, { expiresAt })).json.data;
    assert.equal(short.expiresAt, expiresAt);
    const listed = await api.get(`/api/v1/links/${id}/shares`);
    const shown = [share, short].map(({ token: _, url: __, ...rest }) => rest);
    assert.deepEqual(listed.json, { success: true, data: shown });
    assert.equal((await read(short.token)).status, 200);
    assert.equal(new URL(location ?? '').pathname, `/api/v1/shares/${share.id}`);

    await api.delete(`/api/v1/links/${id}`);
    await assertGone(share.token, 'of a deleted link');
    assert.equal((await api.get(`/api/v1/links/${id}/shares`)).status, 404);
    await api.post(`/api/v1/links/${id}/restore`);
    assert.equal((await read(share.token)).status, 200);
    await server.command('accounts', 'suspend', account);
    await othersKnow();
    await assertGone(share.token, 'of a suspended account');
    await server.command('accounts', 'resume', account);
    await othersKnow();
    assert.equal((await api.delete(`/api/v1/shares/${share.id}`)).status, 204);
    await assertGone(share.token, 'revoked');
    assert.equal((await api.delete(`/api/v1/shares/${share.id}`)).status, 404);
    await until('it has expired', () => Date.now() > Date.parse(expiresAt));
    await assertGone(short.token, 'expired');
  });

  test('cannot be created by a key that lacks one of the two scopes', async () => {
    const { account, id } = await sharing();
    for (const [held, lacking] of [
      ['links:write', 'analytics:read'],
      ['analytics:read,links:read', 'links:write'],
    ] as const) {
      const { key } = await server.newKey({ account, scopes: held });
      const { status, json } = await as(server, key).post(`/api/v1/links/${id}/share`, {});
      assert.equal(status, 403);
      assert.match(json.error.message, new RegExp(lacking));
    }
  });

  test("reveal nothing about the account's links and folders", async () => {
    const { share } = await sharing();
    for (const [query, field] of [
      ['?groupBy=folder', 'groupBy'],
      ['?groupBy=link', 'groupBy'],
      ['?filter=folder:is:', 'filter'],
      ['?filter=link:is:0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10', 'filter'],
    ] as const) {
      const { status, json } = await read(share.token, query);
      assert.deepEqual([status, json.error.details[0].field], [400, field], query);
    }
  });

  test('store no secret', async () => {
    const { key, id } = await sharing();
    const { token } = (await as(server, key).post(`/api/v1/links/${id}/share`, {})).json.data;
    await read(token);
    await read(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'));
    const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile()))
      assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(token), file.name);
    assert.ok(!server.output().includes(token), 'the log');
  });

  test('reject invalid secrets, always with the same message', async () => {
    const { share } = await sharing();
    const wrong = [
      'x',
      `${share.token}x`,
      share.token.toUpperCase(),
      'lfs_',
      share.id,

      'lfs_'.padEnd(36, '0'),
    ];
    const told = new Set<string>();
    for (const token of wrong) {
      const { status, text } = await read(token);
      assert.equal(status, 404, token);
      told.add(text.replace(/"requestId":"[^"]*"/, ''));
    }
    assert.equal(told.size, 1);
  });

  test('limit an address that tries many secrets or sends too many requests', async () => {
    const { share } = await sharing();
    const statuses = async (token: string, address: string, times: number) => {
      const answers = [];
      for (let at = 0; at < times; at += 1) answers.push((await read(token, '', address)).status);
      return answers;
    };
    // Sends twice as many requests as needed, because the rate limit's minute may end during the requests.
    const guessing = await statuses('lfs_'.padEnd(36, 'a'), '198.51.100.7', 45);
    assert.ok(guessing.slice(0, 20).every((status) => status === 404));
    assert.ok(guessing.includes(429));
    const reading = await statuses(share.token, '198.51.100.8', 125);
    assert.ok(reading.slice(0, 60).every((status) => status === 200));
    const refused = reading.indexOf(429);
    assert.ok(refused >= 60, `${refused}`);
    assert.equal((await read(share.token, '', '198.51.100.9')).status, 200);
  });
});
