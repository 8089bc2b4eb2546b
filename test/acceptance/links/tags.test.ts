import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Api, makeLink, makeTag } from '../../support/server/records.ts';
import { as, type Server, startServer } from '../../support/server/server.ts';

const url = 'https://example.com/';

describe('tags', () => {
  let server: Server;
  let api: Api;
  let other: Api;

  before(async () => {
    server = await startServer({ TAG_LIMIT: '40' });
    api = as(server, (await server.newKey()).key);
    other = as(server, (await server.newKey()).key);
  });
  after(() => server.stop());

  const account = async (): Promise<Api> => as(server, (await server.newKey()).key);
  const tagsOf = async (id: string, client = api): Promise<string[]> =>
    (await client.get(`/api/v1/links/${id}?include=tags`)).json.data.tags;
  const counts = async (client: Api): Promise<Record<string, number>> => {
    const { data } = (await client.get('/api/v1/tags')).json;
    return Object.fromEntries(
      data.map((tag: { name: string; linkCount: number }) => [tag.name, tag.linkCount]),
    );
  };

  test('are set on create, changed and cleared by PATCH, and returned only with include', async () => {
    const made = await api.post('/api/v1/shorten', { url, tags: [' Mail ', 'mail', 'Spring 🌷'] });
    assert.equal(made.status, 201, made.text);
    const { id, shortCode } = made.json.data;
    assert.ok(!('tags' in made.json.data));
    const path = `/api/v1/links/${id}`;
    assert.deepEqual(await tagsOf(id), ['Mail', 'Spring 🌷']);
    assert.ok(!('tags' in (await api.get(path)).json.data));
    assert.deepEqual((await api.get(`/api/v1/links/by-code/${shortCode}`)).json.data.tags, [
      'Mail',
      'Spring 🌷',
    ]);
    const listed = (await api.get('/api/v1/links?include=tags&limit=1')).json.data[0];
    assert.deepEqual([listed.id, listed.tags], [id, ['Mail', 'Spring 🌷']]);
    await api.patch(path, { title: 'T' });
    assert.deepEqual(await tagsOf(id), ['Mail', 'Spring 🌷'], 'absent stays');
    await api.patch(path, { tags: ['MAIL', 'new'] });
    assert.deepEqual(await tagsOf(id), ['Mail', 'new']);
    for (const none of [null, []]) {
      await api.patch(path, { tags: ['x'] });
      await api.patch(path, { tags: none });
      assert.deepEqual(await tagsOf(id), []);
    }
    assert.deepEqual((await other.get('/api/v1/tags')).json.data, []);
    const put = await api.put('/api/v1/links/by-external-id/tagged', { url, tags: ['a'] });
    assert.deepEqual(await tagsOf(put.json.data.id), ['a']);
    await api.put('/api/v1/links/by-external-id/tagged', { url });
    assert.deepEqual(await tagsOf(put.json.data.id), [], 'a replacement clears fields that it omits');
  });

  test('rejects an invalid list with its place and creates nothing', async () => {
    const own = await account();
    const bad: [unknown, RegExp][] = [
      ['x', /^tags must be an array/],
      [[5], /^tags\[0\] must be a string/],
      [['ok', ''], /^tags\[1\] must be at least 1 character/],
      [['ok', '  '], /^tags\[1\] must contain at least one visible/],
      [['\u200d'], /^tags\[0\] must contain at least one visible/],
      [['x'.repeat(51)], /^tags\[0\] must be at most 50 characters/],
      [['a,b'], /^tags\[0\] must contain only/],
      [['a\nb'], /^tags\[0\] must not contain control/],
      [['\u202egnp'], /^tags\[0\] must contain only/],
      [Array.from({ length: 21 }, (_, n) => `t${n}`), /^tags must have at most 20/],
    ];
    for (const [tags, message] of bad) {
      const { status, json } = await own.post('/api/v1/shorten', { url, tags });
      assert.deepEqual([status, json.error?.code], [400, 'VALIDATION_ERROR'], JSON.stringify(tags));
      assert.deepEqual([json.error.details.length, json.error.details[0].field], [1, 'tags']);
      assert.match(json.error.message, message);
    }
    const taken = await own.post('/api/v1/shorten', { url, customCode: 'admin', tags: ['never'] });
    assert.equal(taken.status, 409);
    assert.deepEqual(await counts(own), {});
    const good = [
      '#1!',
      "O'Neill; DROP",
      '日本語',
      'é'.normalize('NFD'),
      '<b>',
      'کتاب\u200cها',
      '❤️',
      'x'.repeat(50),
    ];
    const id = await makeLink(own, { tags: good });
    assert.deepEqual((await tagsOf(id, own)).sort(), good.map((name) => name.normalize('NFC')).sort());
  });

  test('lists by name, renames, merges, deletes: exact fields and counts', async () => {
    const own = await account();
    const created = await own.post('/api/v1/tags', { name: ' beta ' });
    assert.equal(created.status, 201);
    assert.equal(created.headers.get('location'), `${server.url}/api/v1/tags/${created.json.data.id}`);
    const fields = ['id', 'name', 'linkCount', 'createdAt', 'updatedAt'];
    assert.deepEqual(Object.keys(created.json.data), fields);
    const one = await makeLink(own, { tags: ['Alpha', 'beta'] });
    const two = await makeLink(own, { tags: ['Alpha'] });
    const deleted = await makeLink(own, { tags: ['beta'] });
    await own.delete(`/api/v1/links/${deleted}`);
    assert.deepEqual(Object.entries(await counts(own)), [
      ['Alpha', 2],
      ['beta', 1],
    ]);
    const beta = `/api/v1/tags/${created.json.data.id}`;
    const alpha = (await own.get('/api/v1/tags')).json.data[0];
    assert.deepEqual(Object.keys(alpha), fields);

    const clash = await own.patch(beta, { name: 'ALPHA' });
    assert.deepEqual([clash.status, clash.json.error.code], [409, 'TAG_NAME_TAKEN']);
    assert.match(clash.json.error.message, /already has a tag "Alpha".+\/merge/);
    const again = await own.post('/api/v1/tags', { name: 'alpha' });
    assert.deepEqual([again.status, again.json.error.code], [409, 'TAG_NAME_TAKEN']);
    const renamed = await own.patch(beta, { name: 'Beta' });
    assert.deepEqual([renamed.status, renamed.json.data.name, renamed.json.data.linkCount], [200, 'Beta', 1]);
    assert.deepEqual(await tagsOf(one, own), ['Alpha', 'Beta']);

    const itself = await own.post(`${beta}/merge`, { into: created.json.data.id });
    assert.deepEqual([itself.status, itself.json.error.details[0].field], [400, 'into']);
    const foreign = await own.post(`${beta}/merge`, { into: await makeTag(other) });
    assert.deepEqual([foreign.status, foreign.json.error.code], [404, 'TAG_NOT_FOUND']);
    await other.patch(`/api/v1/links/${one}`, { tags: ['Of nobody'] });
    assert.ok(!('Of nobody' in (await counts(other))), 'an unknown link creates no tag');
    const merged = await own.post(`${beta}/merge`, { into: alpha.id });
    assert.deepEqual([merged.status, merged.json.data.id, merged.json.data.linkCount], [200, alpha.id, 2]);
    assert.equal((await own.patch(beta, { name: 'x' })).json.error.code, 'TAG_NOT_FOUND');
    await own.post(`/api/v1/links/${deleted}/restore`);
    assert.deepEqual(await tagsOf(deleted, own), ['Alpha'], 'a deleted link keeps its tags for a restore');
    assert.deepEqual(await counts(own), { Alpha: 3 });

    assert.equal((await own.delete(`/api/v1/tags/${alpha.id}`)).status, 204);
    assert.deepEqual([await tagsOf(one, own), await tagsOf(two, own), await counts(own)], [[], [], {}]);
    assert.equal((await own.delete(`/api/v1/tags/${alpha.id}`)).json.error.code, 'TAG_NOT_FOUND');
    await makeTag(own, 'Alpha');
    assert.deepEqual(await tagsOf(two, own), [], 'a new tag with the same name is a different tag');
  });

  test('refuses tags above TAG_LIMIT with 403, and creates nothing', async () => {
    const own = await account();
    const names = Array.from({ length: 39 }, (_, n) => `t${n}`);
    const ids = [];
    for (const at of [0, 20]) ids.push(await makeLink(own, { tags: names.slice(at, at + 20) }));
    const refusals = [
      await own.post('/api/v1/shorten', { url, tags: ['y', 'z'] }),
      await own.patch(`/api/v1/links/${ids[0]}`, { tags: ['y', 'z'] }),
    ];
    for (const { status, json } of refusals) {
      assert.deepEqual([status, json.error.code], [403, 'LIMIT_REACHED']);
      assert.match(json.error.message, /40 tags/);
    }
    assert.deepEqual(await tagsOf(ids[0] ?? '', own), names.slice(0, 20).sort());
    await makeTag(own, 'y');
    assert.equal((await own.post('/api/v1/tags', { name: 'z' })).json.error.code, 'LIMIT_REACHED');
    assert.equal(Object.keys(await counts(own)).length, 40);
  });

  test('filters the list: any, all or none of several, in any case, with other filters and a cursor', async () => {
    const own = await account();
    const created: string[] = [];
    for (const tags of [['a', 'b'], ['a'], ['b', 'c'], [], ['c']])
      created.push(await makeLink(own, { tags, title: 'T' }));
    const found = async (query: string): Promise<number[]> => {
      const { status, json } = await own.get(`/api/v1/links?${query}`);
      assert.equal(status, 200);
      assert.equal(json.pagination.total, json.data.length);
      return json.data.map(({ id }: { id: string }) => created.indexOf(id)).sort();
    };
    const expected: [string, number[]][] = [
      ['tag=a', [0, 1]],
      ['tag=A,%20C', [0, 1, 2, 4]],
      ['tag=a,b&tagMatch=all', [0]],
      ['tag=a,b&tagMatch=none', [3, 4]],
      ['tag=unknown', []],
      ['tag=a,unknown&tagMatch=all', []],
      ['tag=unknown&tagMatch=none', [0, 1, 2, 3, 4]],
      ['tag=b&search=example&sort=title', [0, 2]],
    ];
    for (const [query, places] of expected) assert.deepEqual(await found(query), places, query);
    const first = (await own.get('/api/v1/links?tag=a,c&limit=2&cursor=')).json;
    const cursor = encodeURIComponent(first.pagination.nextCursor);
    const second = (await own.get(`/api/v1/links?tag=a,c&limit=2&cursor=${cursor}`)).json;
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }: { id: string }) => created.indexOf(id)),
      [4, 2, 1, 0],
    );
    assert.equal((await own.get(`/api/v1/links?tag=b&limit=2&cursor=${cursor}`)).status, 400);
    const tags = (await own.get('/api/v1/tags')).json.data;
    await own.post(`/api/v1/tags/${tags[0].id}/merge`, { into: tags[2].id });
    assert.deepEqual(await found('tag=c'), [0, 1, 2, 4]);
    assert.deepEqual(await found('tag=a'), []);
    const refusals = [
      ['tagMatch=any', 'tagMatch'],
      ['tag=a&tagMatch=x', 'tagMatch'],
      ['tag=a&status=deleted', 'tag'],
    ];
    for (const [query, field] of refusals)
      assert.equal((await own.get(`/api/v1/links?${query}`)).json.error.details[0].field, field);
  });

  test('UTM templates: creates, lists by name, changes and deletes; names are case-insensitive', async () => {
    const path = '/api/v1/utm-templates';
    const own = await account();
    const make = async (name: string, utm: unknown) => own.post(path, { name, utm });
    const made = await make(' Über ', { medium: 'email', source: 'x' });
    assert.equal(made.status, 201, made.text);
    const { id, name, utm, createdAt, updatedAt } = made.json.data;
    assert.deepEqual([name, utm, createdAt], ['Über', { source: 'x', medium: 'email' }, updatedAt]);
    assert.ok(made.headers.get('location')?.endsWith(`${path}/${id}`));
    const other = (await make('Alpha', { term: 't' })).json.data.id;
    const names = async () => (await own.get(path)).json.data.map((one: { name: string }) => one.name);
    assert.deepEqual(await names(), ['Alpha', 'Über']);

    const same = await own.patch(`${path}/${id}`, { utm: { source: 'x', medium: 'email' } });
    assert.deepEqual([same.status, same.json.data], [200, made.json.data], 'nothing was changed');
    const changed = (await own.patch(`${path}/${id}`, { name: 'ÜBER', utm: { term: 'y' } })).json.data;
    assert.deepEqual([changed.name, changed.utm], ['ÜBER', { term: 'y' }]);
    for (const taken of [
      await make('über', { source: 'z' }),
      await own.patch(`${path}/${other}`, { name: 'über' }),
    ])
      assert.deepEqual([taken.status, taken.json.error.code], [409, 'UTM_TEMPLATE_NAME_TAKEN']);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => make('Once', { source: 'z' })));
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    for (const [body, field] of [
      [{ utm: { source: 'x' } }, 'name'],
      [{ name: ' ', utm: { source: 'x' } }, 'name'],
      [{ name: 'n'.repeat(51), utm: { source: 'x' } }, 'name'],
      [{ name: 'n' }, 'utm'],
      [{ name: 'n', utm: {} }, 'utm'],
      [{ name: 'n', utm: { source: 'x'.repeat(101) } }, 'utm.source'],
    ] as const) {
      const { status, json } = await own.post(path, body);
      assert.deepEqual([status, json.error.details[0].field], [400, field], JSON.stringify(json));
    }
    assert.equal((await own.delete(`${path}/${other.toUpperCase()}`)).status, 204);
    assert.equal((await own.delete(`${path}/${other}`)).json.error.code, 'UTM_TEMPLATE_NOT_FOUND');
    assert.deepEqual(await names(), ['Once', 'ÜBER']);
    for (let at = 2; at < 100; at += 1) assert.equal((await make(`n${at}`, { source: 'x' })).status, 201);
    const over = await make('one more', { source: 'x' });
    assert.deepEqual([over.status, over.json.error.code], [403, 'LIMIT_REACHED']);
  });
});
