import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { words } from '../../support/words.ts';

const url = 'https://example.com/';

describe('externalId', () => {
  let server: Service;
  let api: Api;
  let other: Api;

  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
    other = as(server, (await server.newKey()).key);
  });

  const idsNamed = async (externalId: string, more = '', client = api): Promise<string[]> => {
    const path = `/api/v1/links?externalId=${encodeURIComponent(externalId)}${more}`;
    const { status, json } = await client.get(path);
    assert.equal(status, 200);
    assert.equal(json.pagination.total, json.data.length);
    return json.data.map(({ id }: { id: string }) => id);
  };

  test('is returned only with include, changed and cleared by PATCH', async () => {
    const { json } = await api.post('/api/v1/shorten', { url, externalId: 'crm-1' });
    const fields = ['id', 'shortCode', 'shortUrl', 'destinationUrl', 'createdAt'];
    assert.deepEqual(Object.keys(json.data), fields);
    const path = `/api/v1/links/${json.data.id}`;
    const told = async () => (await api.get(`${path}?include=externalId`)).json.data.externalId;
    assert.equal(await told(), 'crm-1');
    assert.ok(!('externalId' in (await api.get(path)).json.data));
    assert.ok(!('externalId' in (await api.get('/api/v1/links')).json.data[0]));
    const changed = await api.patch(path, { externalId: 'crm-2' });
    assert.ok(!('externalId' in changed.json.data));
    assert.equal(await told(), 'crm-2');
    await api.patch(path, { title: 'T' });
    assert.equal(await told(), 'crm-2', 'absent stays');
    await api.patch(path, { externalId: null });
    assert.equal(await told(), null);
  });

  test('rejects a conflict with the field and the fix, and changes nothing', async () => {
    const first = await makeLink(api, { externalId: 'clash' });
    const second = await makeLink(api);
    const refusals = [
      await api.post('/api/v1/shorten', { url, externalId: 'clash' }),
      await api.patch(`/api/v1/links/${second}`, { externalId: 'clash', title: 'never' }),
    ];
    for (const { status, json } of refusals) {
      assert.equal(status, 409);
      assert.equal(json.error.code, 'EXTERNAL_ID_TAKEN');
      assert.match(json.error.message, /externalId "clash"\. Choose another externalId/);
    }
    assert.equal((await api.get(`/api/v1/links/${second}`)).json.data.title, null);
    assert.equal((await api.patch(`/api/v1/links/${first}`, { externalId: 'clash' })).status, 200);
    assert.equal((await other.post('/api/v1/shorten', { url, externalId: 'clash' })).status, 201);
  });

  test('is released by a deleted link, which can be restored only while it is free', async () => {
    const old = await makeLink(api, { externalId: 'again' });
    await api.delete(`/api/v1/links/${old}`);
    assert.deepEqual(await idsNamed('again'), []);
    const heir = await makeLink(api, { externalId: 'again' });
    const refused = await api.post(`/api/v1/links/${old}/restore`);
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'EXTERNAL_ID_TAKEN']);
    await api.patch(`/api/v1/links/${heir}`, { externalId: null });
    assert.equal((await api.post(`/api/v1/links/${old}/restore`)).status, 200);
    assert.deepEqual(await idsNamed('again'), [old]);
  });

  test("finds only the account's link in a list, even with a folder", async () => {
    const folderId = await makeFolder(api);
    const id = await makeLink(api, { externalId: 'find/me?&=%', folderId });
    assert.deepEqual(await idsNamed('find/me?&=%'), [id]);
    assert.deepEqual(await idsNamed('find/me?&=%', `&folderId=${folderId}`), [id]);
    assert.deepEqual(await idsNamed('find/me?&=%', '&folderId=none'), []);
    assert.deepEqual(await idsNamed('FIND/me?&=%'), []);
    assert.deepEqual(await idsNamed('find/me?&=%', '', other), []);
    const beyond = (await api.get('/api/v1/links?externalId=find%2Fme%3F%26%3D%25&page=2')).json;
    assert.deepEqual([beyond.data, beyond.pagination.total], [[], 1]);
  });

  test('accepts only 1 to 255 printable ASCII characters without spaces', async () => {
    const bad = ['', 'a b', ' a', 'a\n', '\u0000', 'ä', '🚀', '\u202e', '\ud800', '.', '..', 'x'.repeat(256)];
    for (const externalId of [...bad, 5, true, {}, ['a']]) {
      const { status, json } = await api.post('/api/v1/shorten', { url, externalId });
      assert.deepEqual([status, json.error?.code], [400, 'VALIDATION_ERROR'], JSON.stringify(externalId));
      assert.equal(json.error.details[0].field, 'externalId');
    }
    const good = ['0', 'x'.repeat(255), '...', "'; DROP TABLE links; --", '{"a":1}', '%2e%2e', '<b>', '\\'];
    for (const externalId of good.map((text) => text.replaceAll(' ', '+'))) {
      const id = await makeLink(api, { externalId });
      assert.deepEqual(await idsNamed(externalId), [id], externalId);
    }
    assert.equal((await api.get('/api/v1/links?externalId=a%00b')).status, 400);
    assert.equal((await api.get('/api/v1/links?externalId=a&externalId=b')).status, 400);
  });

  const put = (externalId: string, body: unknown, client = api) =>
    client.put(`/api/v1/links/by-external-id/${encodeURIComponent(externalId)}`, body);
  const whole = async (code: string) => (await api.get(`/api/v1/links/by-code/${code}`)).json.data;

  test('creates or replaces exactly by upsert, and changes nothing on repetition', async () => {
    const folderId = await makeFolder(api);
    const full = { url, title: 'T', description: 'D', expiresAt: '2090-01-01', folderId };
    const made = await put('up/1?', full);
    assert.equal(made.status, 201, made.text);
    const { id, shortCode } = made.json.data;
    assert.equal(made.headers.get('location'), `${server.url}/api/v1/links/${id}`);
    assert.deepEqual(Object.keys(made.json.data), words('id shortCode shortUrl destinationUrl createdAt'));
    const before = await whole(shortCode);
    assert.deepEqual([before.title, before.folderId, before.externalId], ['T', folderId, 'up/1?']);
    const again = await put('up/1?', full);
    assert.deepEqual([again.status, again.json], [200, made.json]);
    assert.equal(again.headers.get('location'), null);
    assert.deepEqual(await whole(shortCode), before);

    await call(server, 'GET', `/${shortCode}`);
    const other = 'https://example.com/other';
    const replaced = await put('up/1?', { url: other, customCode: shortCode.toUpperCase() });
    assert.deepEqual([replaced.status, replaced.json.data.destinationUrl], [200, other]);
    const after = await whole(shortCode);
    const cleared = { title: null, description: null, expiresAt: null, folderId: null };
    const { updatedAt, ...rest } = after;
    assert.deepEqual(rest, { ...rest, ...cleared, id, externalId: 'up/1?', clicks: 1 });
    assert.ok(updatedAt >= before.updatedAt);
    assert.equal((await call(server, 'GET', `/${shortCode}`)).headers.get('location'), other);
  });

  test('rejects another code, a foreign folder and a bad name in an upsert, and changes nothing', async () => {
    const made = await put('up-2', { url, customCode: `up-2-${process.pid}`, title: 'T' });
    const before = await whole(made.json.data.shortCode);
    const folderId = await makeFolder(other);
    const refusals: [unknown, number, string][] = [
      [{ url, customCode: 'elsewhere' }, 400, 'IMMUTABLE_FIELD'],
      [{ url, folderId }, 404, 'FOLDER_NOT_FOUND'],
      [{ title: 'no destination' }, 400, 'VALIDATION_ERROR'],
      [{ url: 'javascript:alert(1)' }, 400, 'INVALID_URL'],
    ];
    for (const [body, status, code] of refusals) {
      const answer = await put('up-2', body);
      assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
    }
    assert.deepEqual(await whole(made.json.data.shortCode), before);
    for (const name of ['a b', 'ä', 'x'.repeat(256), '\0'])
      assert.equal((await put(name, { url })).json.error.details[0].field, 'externalId', name);
  });

  const at = (externalId: string) => `/api/v1/links/by-external-id/${encodeURIComponent(externalId)}`;

  test("creates a separate link for another account's upsert", async () => {
    const mine = (await put('up-3', { url })).json.data;
    const theirs = await put('up-3', { url: 'https://example.com/theirs' }, other);
    assert.equal(theirs.status, 201);
    assert.equal((await whole(mine.shortCode)).destinationUrl, url);
    await api.delete(`/api/v1/links/${mine.id}`);
    assert.equal((await other.get(at('up-3'))).json.data.id, theirs.json.data.id);
  });

  test('reads, changes and deletes the link by its ID within the account', async () => {
    const id = await makeLink(api, { externalId: 'crm/7?', title: 'T', description: 'D' });
    const code = (await api.get(`/api/v1/links/${id}`)).json.data.shortCode;
    const read = await api.get(at('crm/7?'));
    assert.deepEqual([read.status, read.json.data], [200, await whole(code)]);

    const moved = 'https://example.com/moved';
    const changed = await api.patch(at('crm/7?'), { url: moved, title: null });
    assert.equal(changed.status, 200, changed.text);
    const byId = (await api.patch(`/api/v1/links/${id}`, {})).json;
    assert.deepEqual(changed.json, byId, 'as the call by id answers');
    const { title, description, destinationUrl } = await whole(code);
    assert.deepEqual([title, description, destinationUrl], [null, 'D', moved], 'absent stays');
    assert.equal((await call(server, 'GET', `/${code}`)).headers.get('location'), moved);
    const refusals: [unknown, number, string][] = [
      [{ customCode: 'elsewhere' }, 400, 'IMMUTABLE_FIELD'],
      [{ url: 'javascript:alert(1)' }, 400, 'INVALID_URL'],
      [{ title: 5 }, 400, 'VALIDATION_ERROR'],
    ];
    for (const [body, status, refusal] of refusals) {
      const answer = await api.patch(at('crm/7?'), body);
      assert.deepEqual([answer.status, answer.json.error.code], [status, refusal]);
    }

    for (const client of [other, api])
      for (const name of client === api ? ['never', 'CRM/7?'] : ['crm/7?'])
        for (const ask of ['get', 'patch', 'delete'] as const) {
          const { status, json } = await client[ask](at(name), {} as never);
          assert.deepEqual([status, json.error.code], [404, 'LINK_NOT_FOUND'], `${ask} ${name}`);
        }
    assert.equal((await api.patch(at('crm/7?'), { externalId: 'crm/8' })).status, 200);
    assert.equal((await api.delete(at('crm/8'))).status, 204);
    assert.equal((await api.delete(at('crm/8'))).status, 404);
    assert.equal((await call(server, 'GET', `/${code}`)).status, 404);
    for (const ask of ['get', 'patch', 'delete'] as const)
      assert.equal((await api[ask](at('a b'), {} as never)).json.error.details[0].field, 'externalId');
  });

  const deletedWith = async (externalId: string, more = '', client = api) => {
    const path = `/api/v1/links?status=deleted&externalId=${encodeURIComponent(externalId)}${more}`;
    const { status, json } = await client.get(path);
    assert.equal(status, 200);
    return json;
  };

  test('finds deleted links by it, page by page, within the account', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift(await makeLink(api, { externalId: 'bin' }));
      await api.delete(at('bin'));
    }
    const id = await makeLink(api);
    await api.delete(`/api/v1/links/${id}`);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await deletedWith('bin', `&limit=2${cursor}`);
      found.push(...data.map((link: { id: string }) => link.id));
      if (pagination.nextCursor === null) break;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
    assert.deepEqual(found, ids);
    assert.deepEqual((await deletedWith('bin', '', other)).data, []);
    assert.deepEqual((await deletedWith('BIN')).data, []);
    const [{ shortCode }] = (await deletedWith('bin')).data;
    assert.equal((await deletedWith('bin', `&code=${shortCode}`)).data.length, 1);
    assert.equal((await deletedWith('other', `&code=${shortCode}`)).data.length, 0);
  });

  test('restores a deleted link by upsert: ID, printed code, aliases and clicks', async () => {
    const code = `back-${process.pid}`;
    const made = (await put('back', { url, customCode: code, title: 'T' })).json.data;
    await api.post(`/api/v1/links/${made.id}/aliases`, { customCode: `${code}-old` });
    await call(server, 'GET', `/${code}`);
    await api.delete(at('back'));
    assert.equal((await call(server, 'GET', `/${code}`)).status, 404);
    const next = 'https://example.com/next';
    const back = await put('back', { url: next, customCode: code });
    assert.deepEqual([back.status, back.json.data], [201, { ...made, destinationUrl: next }], back.text);
    const { title, clicks } = await whole(code);
    assert.deepEqual([title, clicks], [null, 1], 'as by any upsert');
    for (const printed of [code, `${code}-old`])
      assert.equal((await call(server, 'GET', `/${printed}`)).headers.get('location'), next);
    assert.equal((await put('back', { url: next, customCode: code })).status, 200);
    assert.deepEqual((await deletedWith('back')).data, []);
  });

  test('gives a restored link the requested code in addition; restores none whose code is reused', async () => {
    const [code, other] = [`two-${process.pid}`, `new-${process.pid}`];
    const { id } = (await put('two', { url, customCode: code })).json.data;
    await api.delete(at('two'));
    const back = (await put('two', { url, customCode: other })).json.data;
    assert.deepEqual([back.id, back.shortCode], [id, other]);
    assert.equal((await call(server, 'GET', `/${code}`)).headers.get('location'), url);

    await api.delete(at('two'));
    await makeLink(api, { customCode: other });
    const heir = await put('two', { url });
    assert.equal(heir.status, 201);
    assert.notEqual(heir.json.data.id, id);
  });

  test('leaves at most one link under one ID after concurrent upserts and deletes', async () => {
    const { id } = (await put('tumult', { url })).json.data;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 3 === 0 ? api.delete(at('tumult')) : put('tumult', { url: `${url}${n}` }),
      ),
    );
    for (const { status, text } of answers) assert.ok([200, 201, 204, 404].includes(status), text);
    for (const { json } of answers) if (json?.data) assert.equal(json.data.id, id);
    const count = (status: number) => answers.filter((one) => one.status === status).length;
    const last = await put('tumult', { url });
    assert.equal(last.json.data.id, id);
    assert.equal(count(201) + (last.status === 201 ? 1 : 0), count(204), 'each delete was undone once');
  });

  test('keeps the original expiry with a Free key', async () => {
    const free = as(server, (await server.newKey({ plan: 'free' })).key);
    const { id } = (await put('up-4', { url }, free)).json.data;
    const expiry = async () => (await free.get(`/api/v1/links/${id}?include=expiresAt`)).json.data.expiresAt;
    const first = await expiry();
    assert.equal((await put('up-4', { url, title: 'T', expiresAt: '2090-01-01' }, free)).status, 200);
    assert.equal(await expiry(), first);
  });

  test('creates one link for concurrent upserts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put('up-5', { url: `${url}${n}` })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(11).fill(200), 201]);
    assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1);
  });
});
