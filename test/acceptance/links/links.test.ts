import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { document } from '../../support/http/openapi.ts';
import { makeFolder } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { words } from '../../support/words.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const day = 86_400_000;

/** Link fields beyond the contract's basic ones. `GET /links/:id` returns them only if `include` lists them. */
const extensions: readonly string[] = Object.keys(document.components.schemas.FullLink.properties).slice(7);

describe('links', () => {
  let server: Service;
  before(async () => {
    server = await sharedServer();
  });

  const account = async (options = {}) => as(server, (await server.newKey(options)).key);

  test('percent-encodes spaces in a destination as browsers do, but not in its host', async () => {
    const api = await account();
    const typed = ' https://example.com/a b?region=Big%20%2F%20Town area#the end ';
    const encoded = 'https://example.com/a%20b?region=Big%20%2F%20Town%20area#the%20end';
    const made = await api.post('/api/v1/shorten', {
      url: typed,
      expiredUrl: 'https://example.com/over now',
    });
    assert.deepEqual([made.status, made.json.data.destinationUrl], [201, encoded]);
    const path = `/api/v1/links/${made.json.data.id}`;
    const visit = await call(server, 'GET', `/${made.json.data.shortCode}`);
    assert.equal(visit.headers.get('location'), encoded);
    const moved = await api.patch(`${path}/destination`, { url: 'https://example.com/c d' });
    assert.equal(moved.json.data.destinationUrl, 'https://example.com/c%20d');
    for (const url of ['https://exam ple.com/', 'https://example .com', 'https ://example.com/', 'a b'])
      assert.equal((await api.post('/api/v1/shorten', { url })).json.error.code, 'INVALID_URL', url);
  });

  test('shorten returns exactly the documented fields, in order, with 201 and Location', async () => {
    const api = await account();
    const answer = await api.post('/api/v1/shorten', { url: ' https://example.com/a?b=c#d ', title: 'T' });
    assert.equal(answer.status, 201);
    assert.deepEqual(Object.keys(answer.json), ['success', 'data']);
    assert.deepEqual(
      Object.keys(answer.json.data),
      words(`
      id shortCode shortUrl destinationUrl createdAt
    `),
    );
    const { id, shortCode, shortUrl, destinationUrl, createdAt } = answer.json.data;
    assert.match(id, uuidV7);
    assert.match(shortCode, /^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
    assert.equal(shortUrl, `${server.url}/${shortCode}`);
    assert.equal(destinationUrl, 'https://example.com/a?b=c#d');
    assert.match(createdAt, iso);
    assert.equal(answer.headers.get('location'), `${server.url}/api/v1/links/${id}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.ok(answer.headers.get('x-request-id'));
  });

  test('returns a link with exactly the documented fields; include adds the rest', async () => {
    const api = await account({ plan: 'starter' });
    const expiresAt = new Date(Date.now() + day).toISOString();
    const made = await api.post('/api/v1/shorten', {
      url: 'https://example.com',
      description: 'a\nb',
      expiresAt,
    });
    const { id } = made.json.data;
    const plain = await api.get(`/api/v1/links/${id}`);
    assert.equal(plain.status, 200);
    assert.deepEqual(
      Object.keys(plain.json.data),
      words(`
      id shortCode shortUrl destinationUrl title clicks createdAt
    `),
    );
    assert.equal(plain.json.data.title, null);
    assert.equal(plain.json.data.clicks, 0);
    const full = await api.get(
      `/api/v1/links/${id}?include=status,title,description,expiresAt,folderId,updatedAt`,
    );
    assert.deepEqual(
      Object.keys(full.json.data),
      words(`
      id shortCode shortUrl destinationUrl title clicks createdAt description expiresAt folderId updatedAt
      status
    `),
    );
    assert.equal(full.json.data.description, 'a\nb');
    assert.equal(full.json.data.expiresAt, expiresAt);
    assert.equal(full.json.data.status, 'active');
    assert.equal(full.json.data.updatedAt, full.json.data.createdAt);
    const wrong = await api.get(`/api/v1/links/${id}?include=secrets`);
    assert.equal(wrong.status, 400);
    assert.equal(wrong.json.error.details[0].field, 'include');
  });

  test('lists newest first, with exact fields and a true total on every page', async () => {
    const api = await account();
    const ids: string[] = [];
    for (let n = 0; n < 23; n += 1) {
      ids.unshift((await api.post('/api/v1/shorten', { url: `https://example.com/${n}` })).json.data.id);
    }
    const first = await api.get('/api/v1/links');
    assert.equal(first.status, 200);
    assert.deepEqual(Object.keys(first.json), ['success', 'data', 'pagination']);
    assert.deepEqual(
      Object.keys(first.json.data[0]),
      words(`
      id shortCode shortUrl destinationUrl clicks createdAt
    `),
    );
    assert.deepEqual(first.json.pagination, { page: 1, limit: 20, total: 23 });
    const second = await api.get('/api/v1/links?page=2');
    const listed = [...first.json.data, ...second.json.data].map((link: { id: string }) => link.id);
    assert.deepEqual(listed, ids);
    const past = await api.get('/api/v1/links?page=9&limit=100');
    assert.deepEqual(past.json.data, []);
    assert.deepEqual(past.json.pagination, { page: 9, limit: 100, total: 23 });
    const whole = (await api.get('/api/v1/links?limit=100')).json.data;
    for (const [limit, page] of [
      [1, 11],
      [1, 12],
      [1, 13],
      [1, 22],
      [1, 23],
      [1, 24],
      [2, 12],
      [2, 13],
      [1, Number.MAX_SAFE_INTEGER],
      [100, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const { data, pagination } = (await api.get(`/api/v1/links?limit=${limit}&page=${page}`)).json;
      assert.deepEqual(data, whole.slice((page - 1) * limit, page * limit));
      assert.deepEqual(pagination, { page, limit, total: 23 });
    }
    for (const query of words(`
      limit=0 limit=05 limit=+5 limit=101 limit=ten limit=1.0 page=0 page=-1 page=1&page=2 limit=
    `)) {
      assert.equal((await api.get(`/api/v1/links?${query}`)).status, 400, query);
    }
  });

  test('PATCH: absent is unchanged, null clears, an empty object changes nothing', async () => {
    const api = await account({ plan: 'starter' });
    const made = await api.post('/api/v1/shorten', {
      url: 'https://example.com',
      title: 'old',
      description: 'kept',
    });
    const { id } = made.json.data;
    const nothing = await api.patch(`/api/v1/links/${id}`, {});
    assert.equal(nothing.status, 200);
    assert.equal(nothing.json.data.updatedAt, made.json.data.createdAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const titled = await api.patch(`/api/v1/links/${id}`, { title: 'new', expiresAt: '2099-01-01' });
    assert.deepEqual(Object.keys(titled.json.data), ['id', 'shortCode', 'title', 'expiresAt', 'updatedAt']);
    assert.equal(titled.json.data.title, 'new');
    assert.equal(titled.json.data.expiresAt, '2099-01-01T00:00:00.000Z');
    assert.ok(titled.json.data.updatedAt > made.json.data.createdAt);
    const cleared = await api.patch(`/api/v1/links/${id}`, { title: null, expiresAt: null });
    assert.equal(cleared.json.data.title, null);
    assert.equal(cleared.json.data.expiresAt, null);
    const read = await api.get(`/api/v1/links/${id}?include=description`);
    assert.equal(read.json.data.description, 'kept');
  });

  test('PATCH rejects immutable fields with the right call, and ignores equal values', async () => {
    const api = await account();
    const created = (
      await api.post('/api/v1/shorten', { url: 'https://example.com/x', customCode: `im-${Date.now()}` })
    ).json.data;
    const same = await api.patch(`/api/v1/links/${created.id}`, {
      url: created.destinationUrl,
      destinationUrl: created.destinationUrl,
      shortCode: created.shortCode,
      folderId: null,
    });
    assert.equal(same.status, 200);
    const folder = await makeFolder(api);
    await api.patch(`/api/v1/links/${created.id}/move`, { folderId: folder });
    for (const folderId of [folder, folder.toUpperCase()]) {
      const moved = await api.patch(`/api/v1/links/${created.id}`, { title: 'moved', folderId });
      assert.equal(moved.status, 200, moved.text);
    }
    for (const [field, value] of Object.entries({
      url: 'https://x.org',
      destinationUrl: 1,
      shortCode: 'other',
      customCode: null,
      folderId: 'f',
    })) {
      const answer = await api.patch(`/api/v1/links/${created.id}`, { [field]: value });
      assert.equal(answer.status, 400, field);
      assert.equal(answer.json.error.code, 'IMMUTABLE_FIELD');
      assert.equal(answer.json.error.details[0].field, field);
    }
  });

  test('ignores an expiry with a Free key: 15 days to the millisecond, with any request', async () => {
    const api = await account({ plan: 'free' });
    for (const expiresAt of ['2099-01-01', 'nonsense', 12, null, {}]) {
      const made = await api.post('/api/v1/shorten', { url: 'https://example.com', expiresAt });
      assert.equal(made.status, 201);
      const { id, createdAt } = made.json.data;
      const patched = await api.patch(`/api/v1/links/${id}`, { title: 't', expiresAt });
      assert.equal(Date.parse(patched.json.data.expiresAt) - Date.parse(createdAt), 15 * day);
    }
  });

  test('DELETE returns 204, then 404 everywhere; the owner can restore the link', async () => {
    const api = await account();
    const other = await account();
    const code = `del-${Date.now()}`;
    const { id } = (await api.post('/api/v1/shorten', { url: 'https://example.com', customCode: code })).json
      .data;
    const deleted = await api.delete(`/api/v1/links/${id}`);
    assert.equal(deleted.status, 204);
    assert.equal(deleted.text, '');
    assert.equal(deleted.headers.get('content-type'), null);
    assert.equal((await api.delete(`/api/v1/links/${id}`)).status, 404);
    assert.equal((await api.get(`/api/v1/links/${id}`)).json.error.code, 'LINK_NOT_FOUND');
    assert.equal((await call(server, 'GET', `/${code}`)).status, 404);
    const hijack = await other.post('/api/v1/shorten', {
      url: 'https://evil.example',
      customCode: code.toUpperCase(),
    });
    assert.equal(hijack.json.error.code, 'CUSTOM_CODE_TAKEN');
    const restored = await api.post(`/api/v1/links/${id}/restore`);
    assert.equal(restored.status, 200);
    assert.deepEqual(
      Object.keys(restored.json.data),
      words(`
      id shortCode shortUrl destinationUrl createdAt
    `),
    );
    assert.equal((await call(server, 'GET', `/${code}`)).status, 302);
    await api.delete(`/api/v1/links/${id}`);
    const again = await api.post('/api/v1/shorten', { url: 'https://example.com/2', customCode: code });
    assert.equal(again.status, 201);
    assert.equal((await api.post(`/api/v1/links/${id}/restore`)).json.error.code, 'CUSTOM_CODE_TAKEN');
  });

  test('finds a link by its code, in any case, with all fields', async () => {
    const api = await account();
    const folderId = (await api.post('/api/v1/folders', { name: 'F' })).json.folder.id;
    const made = await api.post('/api/v1/shorten', {
      url: 'https://example.com/',
      customCode: 'By-Code_1',
      title: 'T',
      folderId,
    });
    const { id, shortUrl } = made.json.data;
    await call(server, 'GET', '/by-code_1');
    const include = ['title', ...extensions].join(',');
    const whole = (await api.get(`/api/v1/links/${id}?include=${include}`)).json;
    assert.equal(whole.data.clicks, 1);
    // Click times are stored as whole hours, and this hour began before the link was created. Even so, `lastClickAt`
    // must not be earlier than `createdAt`.
    assert.ok(whole.data.lastClickAt >= whole.data.createdAt, whole.data.lastClickAt);
    assert.ok(
      Date.now() - Date.parse(whole.data.lastClickAt) < 3_700_000,
      'this hour, or the one that just ended',
    );
    for (const code of ['By-Code_1', 'BY-CODE_1', 'by%2Dcode_1']) {
      const found = await api.get(`/api/v1/links/by-code/${code}`);
      assert.equal(found.status, 200, code);
      assert.deepEqual(Object.entries(found.json.data), Object.entries(whole.data), code);
    }
    for (const code of ['by-code_2', '%2e%2e%2e', 'a%2fb', '%C5%BFale', 'x'.repeat(51)]) {
      const answer = await api.get(`/api/v1/links/by-code/${code}`);
      assert.deepEqual([answer.status, answer.json.error.code], [404, 'LINK_NOT_FOUND'], code);
    }
    assert.equal(shortUrl, `${server.url}/By-Code_1`);
    await api.delete(`/api/v1/links/${id}`);
    assert.equal((await api.get('/api/v1/links/by-code/By-Code_1')).status, 404);
  });

  test('lists deleted links, most recently deleted first, and finds them by their code', async () => {
    const api = await account();
    const empty = await api.get('/api/v1/links?status=deleted');
    assert.deepEqual(empty.json, { success: true, data: [], pagination: { limit: 20, nextCursor: null } });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const fields = { url: 'https://example.com/', customCode: `gone-${process.pid}-${n}` };
      ids.unshift((await api.post('/api/v1/shorten', fields)).json.data.id);
    }
    await call(server, 'GET', `/gone-${process.pid}-4`);
    for (const id of ids.toReversed()) await api.delete(`/api/v1/links/${id}`);
    const found: string[] = [];
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, json } = await api.get(`/api/v1/links?status=deleted&limit=2${query}`);
      assert.deepEqual([status, Object.keys(json)], [200, ['success', 'data', 'pagination']]);
      found.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.pagination.nextCursor;
      assert.equal(cursor === null, page === 3);
    }
    assert.deepEqual(found, ids);
    const { data } = (await api.get('/api/v1/links?status=deleted&limit=1')).json;
    assert.deepEqual(Object.keys(data[0]), [
      'id',
      'shortCode',
      'shortUrl',
      'destinationUrl',
      'title',
      'clicks',
      'createdAt',
      ...extensions,
      'deletedAt',
    ]);
    assert.deepEqual([data[0].clicks, data[0].status], [1, 'deleted']);
    assert.match(data[0].deletedAt, iso);

    const byCode = (at: number) => api.get(`/api/v1/links?status=deleted&code=GONE-${process.pid}-${at}`);
    assert.deepEqual(
      (await byCode(1)).json.data.map(({ id }: { id: string }) => id),
      [ids[3]],
    );
    await api.post(`/api/v1/links/${ids[3]}/restore`);
    assert.deepEqual((await byCode(1)).json.data, []);
    assert.ok(!(await api.get('/api/v1/links?status=deleted')).text.includes(String(ids[3])));
    for (const [query, field] of [
      ['cursor=x', 'cursor'],
      ['cursor=1.x', 'cursor'],
      ['cursor=', 'cursor'],
      ['limit=101', 'limit'],
      ['code=a&code=b', 'code'],
      ['page=1', 'page'],
      ['folderId=none', 'folderId'],
    ]) {
      const { status, json } = await api.get(`/api/v1/links?status=deleted&${query}`);
      assert.deepEqual(
        [status, json.error.code, json.error.details[0].field],
        [400, 'VALIDATION_ERROR', field],
      );
    }
    for (const query of ['status=live', 'status=', 'cursor=x', 'code=a', 'status=deleted&status=deleted'])
      assert.equal((await api.get(`/api/v1/links?${query}`)).status, 400, query);
  });

  test('reports all problems at once, with 400 if any is a 400', async () => {
    const api = await account();
    const many = await api.post('/api/v1/shorten', {
      url: 'ftp://x',
      customCode: 'a',
      title: 5,
      expiresAt: '2001-01-01',
    });
    assert.equal(many.status, 400);
    assert.equal(many.json.error.code, 'VALIDATION_ERROR');
    const fields = many.json.error.details.map((detail: { field: string }) => detail.field);
    assert.deepEqual(fields.sort(), ['customCode', 'expiresAt', 'title', 'url']);
    const one = await api.post('/api/v1/shorten', { url: 'https://example.com', customCode: 'not ok!' });
    assert.equal(one.status, 422);
    assert.equal(one.json.error.code, 'INVALID_CUSTOM_CODE');
    const two = await api.post('/api/v1/shorten', { url: server.url, customCode: 'not ok!' });
    assert.equal(two.status, 422);
    assert.equal(two.json.error.details.length, 2);
    assert.equal((await api.post('/api/v1/shorten', {})).json.error.message, 'url is required.');
  });

  test("changes a link's destination and moves the link between folders", async () => {
    const api = await account();
    const code = `mv-${Date.now()}`;
    const { id } = (await api.post('/api/v1/shorten', { url: 'https://example.com', customCode: code })).json
      .data;
    const repointed = await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.org/ü' });
    assert.deepEqual(Object.keys(repointed.json.data), ['id', 'destinationUrl', 'updatedAt']);
    assert.equal(repointed.json.data.destinationUrl, 'https://example.org/ü');
    assert.equal(
      (await call(server, 'GET', `/${code}`)).headers.get('location'),
      'https://example.org/%C3%BC',
    );
    const folder = (await api.post('/api/v1/folders', { name: 'F' })).json.folder.id;
    const moved = await api.patch(`/api/v1/links/${id}/move`, { folderId: folder });
    assert.deepEqual(moved.json, { success: true, data: { id, folderId: folder } });
    assert.equal((await api.patch(`/api/v1/links/${id}/move`, {})).status, 400);
    const unknown = await api.patch(`/api/v1/links/${id}/move`, { folderId: 'nowhere' });
    assert.equal(unknown.json.error.code, 'FOLDER_NOT_FOUND');
    const out = await api.patch(`/api/v1/links/${id}/move`, { folderId: null });
    assert.deepEqual(out.json, { success: true, data: { id, folderId: null } });
  });

  test('Idempotency-Key: replays the same request, rejects another one', async () => {
    const api = await account();
    const headers = { 'idempotency-key': 'order-1' };
    const first = await api.post('/api/v1/shorten', { url: 'https://example.com/1' }, headers);
    const again = await api.post('/api/v1/shorten', { url: 'https://example.com/1' }, headers);
    assert.equal(first.headers.get('idempotency-replayed'), null);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.status, 201);
    assert.equal(again.text, first.text);
    const other = await api.post('/api/v1/shorten', { url: 'https://example.com/2' }, headers);
    assert.equal(other.status, 409);
    assert.equal(other.json.error.code, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 1);
  });
});
