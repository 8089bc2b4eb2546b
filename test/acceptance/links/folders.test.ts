import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { as, call, type Service, startServer } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

test('refuses folders above FOLDER_LIMIT with 403; a deletion makes room', async (t) => {
  const server = await startServer({ FOLDER_LIMIT: '3' });
  t.after(() => server.stop());
  const api = as(server, (await server.newKey()).key);
  const make = (headers?: Record<string, string>) => api.post('/api/v1/folders', { name: 'f' }, headers);
  const once = { 'idempotency-key': 'first' };
  const first = await make(once);
  for (let n = 0; n < 2; n += 1) assert.equal((await make()).status, 201);
  const refused = await make();
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'LIMIT_REACHED']);
  assert.match(refused.json.error.message, /3 folders/);
  assert.deepEqual((await make(once)).json, first.json, 'a repetition makes none');
  const { limits, usage } = (await api.get('/api/v1/me')).json.data;
  assert.deepEqual([limits.folders, usage.folders], [3, 3]);
  assert.equal((await api.get('/api/v1/folders')).json.folders.length, 3);
  const other = as(server, (await server.newKey()).key);
  assert.equal((await other.post('/api/v1/folders', { name: 'f' })).status, 201);
  const path = `/api/v1/folders/${first.json.folder.id}`;
  await api.delete(path);
  const { folder } = (await make()).json;
  assert.equal((await make()).status, 403);
  const full = await api.post(`${path}/restore`);
  assert.deepEqual([full.status, full.json.error.code], [403, 'LIMIT_REACHED']);
  await api.delete(`/api/v1/folders/${folder.id}`);
  assert.equal((await api.post(`${path}/restore`)).status, 200);
});

describe('folders', () => {
  let server: Service;
  before(async () => {
    server = await sharedServer();
  });

  const account = async () => as(server, (await server.newKey()).key);

  test('creates (201), lists, renames (200), deletes (204) with exact fields', async () => {
    const api = await account();
    const made = await api.post('/api/v1/folders', { name: '  Posters  ' });
    assert.equal(made.status, 201);
    assert.deepEqual(Object.keys(made.json), ['success', 'folder']);
    assert.deepEqual(Object.keys(made.json.folder), ['id', 'name', 'createdAt']);
    assert.equal(made.json.folder.name, 'Posters');
    const { id } = made.json.folder;

    const listed = await api.get('/api/v1/folders');
    assert.deepEqual(Object.keys(listed.json), ['success', 'folders']);
    assert.deepEqual(listed.json.folders, [
      { id, name: 'Posters', linkCount: 0, createdAt: made.json.folder.createdAt },
    ]);
    assert.deepEqual(Object.keys(listed.json.folders[0]), ['id', 'name', 'linkCount', 'createdAt']);

    const renamed = await api.patch(`/api/v1/folders/${id}`, { name: 'Billboards' });
    assert.equal(renamed.status, 200);
    assert.deepEqual(Object.keys(renamed.json.folder), ['id', 'name', 'updatedAt']);
    assert.equal(renamed.json.folder.name, 'Billboards');
    const unchanged = await api.patch(`/api/v1/folders/${id}`, { name: 'Billboards' });
    assert.equal(unchanged.json.folder.updatedAt, renamed.json.folder.updatedAt);

    const deleted = await api.delete(`/api/v1/folders/${id}`);
    assert.equal(deleted.status, 204);
    assert.equal(deleted.text, '');
    assert.equal((await api.delete(`/api/v1/folders/${id}`)).json.error.code, 'FOLDER_NOT_FOUND');
    assert.equal((await api.patch(`/api/v1/folders/${id}`, { name: 'x' })).status, 404);
  });

  test('names: accepts 1 to 50 code points as sent, visible, including duplicates', async () => {
    const api = await account();
    const bad = [
      undefined,
      null,
      5,
      '',
      ' ',
      '\u200b',
      '\u3164',
      'x'.repeat(51),
      `${' '.repeat(50)}x`,
      'a\u0000',
      '\ud800',
    ];
    for (const name of bad) {
      const answer = await api.post('/api/v1/folders', { name });
      assert.equal(answer.status, 400, JSON.stringify(name));
      assert.equal(answer.json.error.details[0].field, 'name');
    }
    for (const name of ['x', '😀'.repeat(50), 'é', '.', 'x', 'Größe']) {
      const answer = await api.post('/api/v1/folders', { name });
      assert.equal(answer.status, 201, name);
      assert.equal(answer.json.folder.name, name);
    }
  });

  test("expiredUrl: applies to expired links before the branding's but after their own; returned only with include", async () => {
    const api = await account();
    const [over, later] = ['https://example.com/over', 'https://example.com/later'];
    for (const [body, reason] of [
      [{ expiredUrl: 5 }, 'wrong_type'],
      [{ expiredUrl: 'ftp://example.com/' }, 'invalid_format'],
      [{ expiredUrl: `${server.url}/loop` }, 'not_allowed'],
    ] as const) {
      const { status, json } = await api.post('/api/v1/folders', { name: 'f', ...body });
      assert.equal(status, 400);
      const [problem, ...more] = json.error.details;
      assert.deepEqual([problem.field, problem.reason, more], ['expiredUrl', reason, []]);
    }
    const made = await api.post('/api/v1/folders', { name: 'f', expiredUrl: 'https://example.com/\u00fc' });
    assert.deepEqual(Object.keys(made.json.folder), ['id', 'name', 'createdAt']);
    const { id } = made.json.folder;
    const listed = async (query: string) => (await api.get(`/api/v1/folders${query}`)).json;
    assert.deepEqual(Object.keys((await listed('')).folders[0]), ['id', 'name', 'linkCount', 'createdAt']);
    const storedUrl = async () => (await listed('?include=expiredUrl')).folders[0].expiredUrl;
    assert.equal(await storedUrl(), 'https://example.com/%C3%BC');
    assert.equal((await listed('?include=name')).error.details[0].field, 'include');

    const change = (body: object) => api.patch(`/api/v1/folders/${id}`, body);
    const absent = await change({ other: 1 });
    assert.deepEqual([absent.status, absent.json.error.details[0].field], [400, 'name']);
    assert.equal((await change({ name: '', expiredUrl: over })).json.error.details[0].field, 'name');
    const changed = await change({ expiredUrl: over });
    assert.deepEqual([changed.status, Object.keys(changed.json.folder)], [200, ['id', 'name', 'updatedAt']]);
    assert.equal(changed.json.folder.name, 'f');
    const { updatedAt } = (await change({ expiredUrl: over })).json.folder;
    assert.equal(updatedAt, changed.json.folder.updatedAt);
    assert.equal((await (await account()).patch(`/api/v1/folders/${id}`, { expiredUrl: later })).status, 404);

    const body = { url: 'https://example.com/', folderId: id, disabled: true };
    const { id: linkId, shortCode } = (await api.post('/api/v1/shorten', body)).json.data;
    const link = `/api/v1/links/${linkId}`;
    const leadsTo = (expected: string | null) =>
      until(`it redirects to ${expected}`, async () => {
        const { headers } = await call(server, 'GET', `/${shortCode}`);
        return headers.get('location') === expected;
      });
    const simulated = async () => (await api.post(`${link}/simulate`, {})).json.data.location;
    await api.put('/api/v1/branding', { expiredUrl: 'https://example.com/all' });
    await leadsTo(over);
    assert.equal(await simulated(), over);
    await change({ name: 'g', expiredUrl: later });
    await leadsTo(later);
    await api.patch(link, { expiredUrl: 'https://example.com/own' });
    await leadsTo('https://example.com/own');
    await api.patch(link, { expiredUrl: null });
    await api.patch(`${link}/move`, { folderId: null });
    await leadsTo('https://example.com/all');
    assert.equal(await simulated(), 'https://example.com/all');
    await api.delete('/api/v1/branding');
    await leadsTo(null);
    await api.patch(`${link}/move`, { folderId: id });
    await leadsTo(later);
    await change({ expiredUrl: null });
    assert.equal(await storedUrl(), null);
    await leadsTo(null);
    assert.equal((await api.get(`${link}?include=expiredUrl`)).json.data.expiredUrl, null);

    await change({ expiredUrl: over });
    await leadsTo(over);
    await api.put('/api/v1/branding', { expiredUrl: 'https://example.com/all' });
    await api.delete(`/api/v1/folders/${id}`);
    await leadsTo('https://example.com/all');
  });

  test('checks the folder before a reserved code', async () => {
    const [api, other] = [await account(), await account()];
    const folderOf = async (one: typeof api): Promise<string> =>
      (await one.post('/api/v1/folders', { name: 'f' })).json.folder.id;
    const shorten = async (folderId: string) => {
      const body = { url: 'https://example.com', customCode: 'admin', folderId };
      const { status, json } = await api.post('/api/v1/shorten', body);
      return [status, json.error.code];
    };
    const own = await folderOf(api);
    assert.deepEqual(await shorten(own), [409, 'CUSTOM_CODE_RESERVED']);
    assert.deepEqual(await shorten(own.toUpperCase()), [409, 'CUSTOM_CODE_RESERVED']);
    assert.deepEqual(await shorten(await folderOf(other)), [404, 'FOLDER_NOT_FOUND']);
    assert.deepEqual(await shorten(crypto.randomUUID()), [404, 'FOLDER_NOT_FOUND']);
    await api.delete(`/api/v1/folders/${own}`);
    assert.deepEqual(await shorten(own), [404, 'FOLDER_NOT_FOUND']);
  });

  test('returns the filtered total as linkCount; deleting a folder keeps its links', async () => {
    const api = await account();
    const folder = async (name: string): Promise<string> =>
      (await api.post('/api/v1/folders', { name })).json.folder.id;
    const [a, b] = [await folder('a'), await folder('b')];
    const links: string[] = [];
    for (const folderId of [a, a, a, b, undefined]) {
      links.push((await api.post('/api/v1/shorten', { url: 'https://example.com', folderId })).json.data.id);
    }
    const counts = async () => {
      const { folders } = (await api.get('/api/v1/folders')).json;
      const total = async (filter: string) =>
        (await api.get(`/api/v1/links?limit=1${filter}`)).json.pagination.total;
      for (const { id, linkCount } of folders) assert.equal(linkCount, await total(`&folderId=${id}`));
      const byName = folders.map((f: { name: string; linkCount: number }) => [f.name, f.linkCount]);
      return { ...Object.fromEntries(byName), none: await total('&folderId=none'), all: await total('') };
    };
    assert.deepEqual(await counts(), { a: 3, b: 1, none: 1, all: 5 });
    await api.patch(`/api/v1/links/${links[0]}/move`, { folderId: b });
    await api.delete(`/api/v1/links/${links[1]}`);
    assert.deepEqual(await counts(), { a: 1, b: 2, none: 1, all: 4 });
    await api.delete(`/api/v1/folders/${b}`);
    assert.deepEqual(await counts(), { a: 1, none: 3, all: 4 });
    await api.delete(`/api/v1/folders/${a}`);
    await api.post(`/api/v1/links/${links[1]}/restore`);
    assert.deepEqual(await counts(), { none: 5, all: 5 });
    assert.equal((await api.get(`/api/v1/links?folderId=${a}`)).json.pagination.total, 0);
    assert.equal((await api.get(`/api/v1/links?folderId=${a}&search=example`)).json.pagination.total, 0);
  });

  test('restores a deleted folder with the links not moved elsewhere', async () => {
    const [api, stranger] = [await account(), await account()];
    const fields = { name: 'Posters', expiredUrl: 'https://example.com/over' };
    const { id } = (await api.post('/api/v1/folders', fields)).json.folder;
    const other = (await api.post('/api/v1/folders', { name: 'Other' })).json.folder.id;
    const make = async () =>
      (await api.post('/api/v1/shorten', { url: 'https://example.com', folderId: id })).json.data.id;
    const [stays, moves, goes] = [await make(), await make(), await make()];
    const listed = async () => (await api.get('/api/v1/folders?include=expiredUrl')).json.folders[0];
    const { linkCount: _, ...before } = await listed();
    const path = `/api/v1/folders/${id}`;
    assert.equal((await api.delete(path)).status, 204);
    await api.patch(`/api/v1/links/${moves}/move`, { folderId: other });
    await api.delete(`/api/v1/links/${goes}`);
    const foreign = await stranger.post(`${path}/restore`);
    assert.deepEqual([foreign.status, foreign.json.error.code], [404, 'FOLDER_NOT_FOUND']);

    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await api.post(`${path}/restore`);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(json.folder), ['id', 'name', 'linkCount', 'createdAt']);
      assert.equal(json.folder.linkCount, 1);
    }
    assert.deepEqual(await listed(), { ...before, linkCount: 1 });
    const inIt = (await api.get(`/api/v1/links?folderId=${id}`)).json.data;
    assert.deepEqual(
      inIt.map((link: { id: string }) => link.id),
      [stays],
    );
    await api.post(`/api/v1/links/${goes}/restore`);
    assert.equal((await listed()).linkCount, 2);
  });
});
