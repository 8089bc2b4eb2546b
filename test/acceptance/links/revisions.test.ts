import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer } from '../../support/server/server.ts';

describe('revisions of links', () => {
  let server: Server;
  let api: Api;
  before(async () => {
    server = await startServer();
    api = as(server, (await server.newKey()).key);
  });
  after(() => server.stop());

  const match = (tag: string) => ({ 'if-match': tag });

  test('creates one revision per change of a field, returned in the response, and no other', async () => {
    const made = await api.post('/api/v1/shorten', { url: 'https://example.com/' });
    assert.equal(made.headers.get('etag'), '"1"');
    const { id, shortCode } = made.json.data;
    const path = `/api/v1/links/${id}`;
    const changes: [method: 'patch' | 'post', path: string, body: object, revision: number][] = [
      ['patch', path, { title: 'one' }, 2],
      ['patch', path, { title: 'one' }, 2],
      ['patch', path, { tags: ['a'] }, 3],
      ['patch', `${path}/destination`, { url: 'https://example.com/two' }, 4],
      ['patch', `${path}/code`, { customCode: freshCode() }, 5],
      ['patch', `${path}/move`, { folderId: null }, 5],
      ['post', `${path}/restore`, {}, 5],
    ];
    for (const [method, where, body, revision] of changes) {
      const { status, headers, text } = await api[method](where, body);
      assert.deepEqual([status, headers.get('etag')], [200, `"${revision}"`], text);
    }
    assert.equal((await api.delete(path)).headers.get('etag'), null);
    assert.equal((await api.post(`${path}/restore`, {})).headers.get('etag'), '"7"');
    await fetch(`${server.url}/${shortCode}`, { redirect: 'manual' });
    const read = await api.get(`${path}?include=revision`);
    assert.deepEqual([read.headers.get('etag'), read.json.data.revision], ['"7"', 7]);
    assert.equal((await api.get(path)).json.data.revision, undefined, 'documented responses stay unchanged');
    const again = await api.post('/api/v1/shorten', { url: 'https://example.com/two', ifExists: 'reuse' });
    assert.deepEqual([again.status, again.headers.get('etag')], [200, '"7"']);
  });

  test('If-Match prevents overwriting unseen changes', async () => {
    const path = `/api/v1/links/${await makeLink(api, { externalId: freshCode() })}`;
    assert.equal((await api.patch(path, { title: 'mine' }, match('"1"'))).status, 200);
    const refusals = [
      await api.patch(path, { title: 'yours' }, match('"1"')),
      await api.patch(`${path}/destination`, { url: 'https://example.com/x' }, match('"1"')),
      await api.patch(`${path}/code`, { customCode: freshCode() }, match('"1"')),
      await api.patch(`${path}/move`, { folderId: null }, match('"1"')),
      await api.post(`${path}/restore`, {}, match('"1"')),
      await api.delete(path, match('"1"')),
    ];
    for (const { status, json, headers } of refusals) {
      assert.deepEqual([status, json.error.code, headers.get('etag')], [412, 'REVISION_MISMATCH', '"2"']);
      assert.match(json.error.message, /current revision is 2/);
    }
    assert.equal((await api.get(path)).json.data.title, 'mine');
    for (const [header, status] of [
      ['"7", "2"', 200],
      ['W/"3"', 200],
      ['*', 200],
      ['3', 400],
      ['"x"', 400],
      ['', 400],
    ] as const) {
      const { status: got, json } = await api.patch(path, { title: `by ${header}` }, match(header));
      assert.equal(got, status, header);
      if (status === 400) assert.equal(json.error.details[0].field, 'If-Match');
    }
    const other = await api.patch('/api/v1/links/00000000-0000-4000-8000-000000000000', {}, match('"1"'));
    assert.equal(other.json.error.code, 'LINK_NOT_FOUND');
    const folder = await api.post('/api/v1/folders', { name: 'f' }, match('"1"'));
    assert.deepEqual([folder.status, folder.json.error.details[0].reason], [400, 'not_allowed']);
  });

  test('If-None-Match returns no body while the revision is current', async () => {
    const id = await makeLink(api);
    const path = `/api/v1/links/${id}`;
    const known = (tag: string) => api.get(path, { 'if-none-match': tag });
    const unchanged = await known('"1"');
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('etag')], [304, '', '"1"']);
    assert.equal((await known('W/"1", "9"')).status, 304);
    assert.equal((await known('"2"')).status, 200);
    assert.equal((await known('abc')).status, 200);
    await api.patch(path, { title: 'new' });
    assert.equal((await known('"1"')).status, 200);
  });
});
