// GET /links searches, sorts and filters links. An error for an invalid combination names its field.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

describe('finding links', () => {
  let server: Service;
  let api: Api;
  let other: Api;
  const ids: string[] = [];

  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
    other = as(server, (await server.newKey()).key);
    const made = [
      { url: 'https://shop.example/spring/berlin', title: 'Café zum Frühling' },
      { url: 'https://shop.example:8080/x', title: 'alpha', expiresAt: '2199-01-01', tags: ['Ölfarben 2'] },
      { url: 'https://news.example/spring', description: 'Nothing\nof BERLIN', customCode: 'Qx-launch' },
      { url: 'https://news.example/100%25_sure', title: 'Beta' },
    ];
    for (const more of made) ids.push(await makeLink(api, more));
    await makeLink(other, { url: 'https://shop.example/spring/berlin' });
  });

  const get = (query: Record<string, string>, client = api) =>
    client.get(`/api/v1/links?${new URLSearchParams(query)}`);
  /** Returns the links in a response, as numbers in the order in which the links were created. */
  const found = async (query: Record<string, string>, client = api): Promise<number[]> => {
    const { status, json } = await get(query, client);
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.pagination.total, json.data.length);
    return json.data.map(({ id }: { id: string }) => ids.indexOf(id));
  };

  test('finds words anywhere, in any order, ignoring case and accents', async () => {
    assert.deepEqual(await found({ search: 'SPRING' }), [2, 0]);
    assert.deepEqual(await found({ search: 'berlin spring' }), [2, 0]);
    assert.deepEqual(await found({ search: 'cafe fruhling' }), [0]);
    assert.deepEqual(await found({ search: '%25_' }), [3], 'no wildcards');
    assert.deepEqual(await found({ search: 'olfarb ALPHA' }), [1], 'in the name of a tag');
    assert.deepEqual(await found({ search: 'qx' }), [2], 'two letters begin a code');
    assert.deepEqual(await found({ search: 'ri' }), []);
    assert.deepEqual(await found({ search: '  ' }), [3, 2, 1, 0]);
    assert.deepEqual(await found({ search: 'spring', cursor: '' }), [2, 0]);
    assert.equal((await get({ search: 'spring' }, other)).json.pagination.total, 1);
  });

  test('shows an edit and a delete at once', async () => {
    const id = await makeLink(api, { title: 'passing words' });
    ids.push(id);
    await api.patch(`/api/v1/links/${id}`, { title: 'Übergang' });
    assert.deepEqual(await found({ search: 'passing' }), []);
    assert.deepEqual(await found({ search: 'ubergang' }), [4]);
    await api.delete(`/api/v1/links/${id}`);
    assert.deepEqual(await found({ search: 'ubergang' }), []);
  });

  test('finds a link by its short URL, however it was copied', async () => {
    const own = as(server, (await server.newKey()).key);
    const code = `Poster-${freshCode()}`;
    const id = await makeLink(own, { customCode: code });
    const longer = await makeLink(own, { customCode: `${code}-2`, title: 'C# and C++' });
    const foreign = freshCode();
    await makeLink(other, { customCode: foreign });
    const { host, origin } = new URL(server.url);
    const foundIds = async (search: string): Promise<string[]> =>
      (await get({ search }, own)).json.data.map((link: { id: string }) => link.id);
    for (const search of [
      `${origin}/${code}`,
      `${host}/${code}`,
      `//${host}/${code}`.slice(2),
      `/${code}`,
      `${code}+`,
      `${origin}/${code.toUpperCase()}+`,
      `${origin}/${code}/`,
      `${origin}//${code}`,
      `${origin}/${code}?trigger=qr#x`,
      `${code}?utm_source=poster`,
      `${origin}/${code.replaceAll('-', '%2D')}`,
      `  ${origin}/${code}  `,
    ])
      assert.deepEqual(await foundIds(search), [id], search);
    assert.deepEqual(await foundIds(`${host}/${code.slice(0, -2)}`), [longer, id], 'while it is being typed');
    for (const search of [`${origin}/${foreign}`, `/${foreign}`, `elsewhere.example/${code}`])
      assert.deepEqual(await foundIds(search), [], search);
    assert.deepEqual(await foundIds(`${origin}/${code} nowhere`), [], 'every word must match');
    for (const search of ['C#', 'c++', 'c# c++']) assert.deepEqual(await foundIds(search), [longer], search);
    assert.deepEqual(await found({ search: 'news.example/spring' }), [2], 'destinations are still found');
  });

  test('compares words and tags without typographic differences', async () => {
    const own = as(server, (await server.newKey()).key);
    const title = 'O’Hara: “Größe” – Øre, Łódź & Æther';
    const id = await makeLink(own, { title, tags: ['Straße', 'O’Neill'] });
    await makeLink(own, { title: 'another one' });
    for (const search of [
      ...["o'hara", 'O’HARA', 'O‘Hara', 'grosse', 'GRÖSSE', 'Größe', 'grosse hara', '"grosse"', '«Größe»'],
      ...['-', '—', 'ore', 'lodz', 'aether', 'strasse', 'STRAẞE', "o'neill"],
    ])
      assert.deepEqual(
        (await get({ search }, own)).json.data.map((link: { id: string }) => link.id),
        [id],
        search,
      );
    for (const tag of ['Straße', 'STRASSE', 'strasse', "O'Neill", 'o’neill', "strasse,O'NEILL"])
      for (const tagMatch of ['any', 'all'])
        assert.equal((await get({ tag, tagMatch }, own)).json.pagination.total, 1, tag);
    assert.equal((await get({ tag: 'strasse,none such', tagMatch: 'all' }, own)).json.pagination.total, 0);
    const without = await get({ tag: "STRASSE,o'neill", tagMatch: 'none' }, own);
    assert.equal(without.json.pagination.total, 1);
  });

  test('filters and sorts', async () => {
    assert.deepEqual(await found({ destinationHost: 'Shop.example' }), [0]);
    assert.deepEqual(await found({ destinationHost: 'shop.example:8080' }), [1]);
    assert.deepEqual(await found({ sort: 'title' }), [1, 3, 0, 2]);
    assert.deepEqual(await found({ sort: 'title', order: 'desc' }), [0, 3, 1, 2]);
    assert.deepEqual(await found({ sort: 'expiresAt' }), [1, 3, 2, 0]);
    assert.deepEqual(await found({ status: 'expired' }), []);
    assert.deepEqual(await found({ createdBefore: '2020-01-01' }), []);
    assert.deepEqual(await found({ createdAfter: '2020-01-01', order: 'asc' }), [0, 1, 2, 3]);
  });

  test('keeps an archived link working and listed, and filters it', async () => {
    const folderId = await makeFolder(api);
    const [visible, away] = [
      await makeLink(api, { folderId }),
      await makeLink(api, { folderId, archived: true }),
    ];
    const of = async (query: Record<string, string>) => {
      const { json } = await get({ folderId, ...query });
      return [json.data.map(({ id }: { id: string }) => id), json.pagination.total];
    };
    assert.deepEqual(await of({}), [[away, visible], 2], 'lists are as documented');
    assert.deepEqual(await of({ archived: 'true' }), [[away], 1]);
    for (const query of [
      { archived: 'false' },
      { archived: 'false', cursor: '' },
      { archived: 'false', status: 'active' },
    ])
      assert.deepEqual(await of(query), [[visible], 1]);
    assert.equal((await get({ archived: 'false', cursor: '', limit: '1' })).json.pagination.total, 5);
    const { shortCode, archived, status } = (await api.get(`/api/v1/links/${away}?include=archived,status`))
      .json.data;
    assert.deepEqual([archived, status], [true, 'active']);
    assert.equal((await call(server, 'GET', `/${shortCode}`)).status, 302);
    const filter = { folderId, archived: 'true' };
    const body = { action: 'update', filter, expectedCount: 1, set: { archived: false } };
    assert.equal((await api.post('/api/v1/links/bulk', body)).json.data.done, 1);
    assert.deepEqual(await of(filter), [[], 0]);
    for (const id of [visible, away]) await api.delete(`/api/v1/links/${id}`);
    await refused({ archived: 'yes' }, 'archived', /true, false/);
    await refused(
      { archived: 'true', status: 'deleted' },
      'archived',
      /cannot be combined with status=deleted/,
    );
  });

  test('pages through every link with a cursor, valid in its own list only', async () => {
    for (const sort of ['createdAt', 'updatedAt', 'clicks', 'lastClickAt', 'expiresAt', 'title']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, json } = await get({ sort, cursor, limit: '1', include: 'title' });
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(json.pagination), ['limit', 'total', 'nextCursor']);
        seen.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = json.pagination.nextCursor;
      }
      assert.deepEqual([...seen].sort(), ids.slice(0, 4).sort(), sort);
    }
    const { nextCursor } = (await get({ cursor: '', limit: '1' })).json.pagination;
    await refused({ cursor: nextCursor, sort: 'title' }, 'cursor', /belongs to a list with other filters/);
    const stranger = await get({ cursor: nextCursor, limit: '1' }, other);
    assert.equal(stranger.json.error.details[0].field, 'cursor');
  });

  const refused = async (query: Record<string, string>, field: string, message: RegExp): Promise<void> => {
    const { status, json } = await get(query);
    assert.equal(status, 400);
    assert.deepEqual([json.error.code, json.error.details[0].field], ['VALIDATION_ERROR', field]);
    assert.match(json.error.details[0].message, message);
  };

  test('rejects invalid queries', async () => {
    await refused({ cursor: '', page: '1' }, 'page', /cannot be combined/);
    await refused({ cursor: 'x'.repeat(30) }, 'cursor', /nextCursor of an earlier response/);
    await refused({ sort: 'code' }, 'sort', /createdAt, updatedAt/);
    await refused({ order: 'up' }, 'order', /asc, desc/);
    await refused({ search: 'a b c d e f g h i' }, 'search', /at most 8 words/);
    await refused({ search: 'x'.repeat(201) }, 'search', /at most 200/);
    await refused({ createdAfter: 'yesterday' }, 'createdAfter', /ISO 8601/);
    await refused({ destinationHost: 'https://a.example/' }, 'destinationHost', /without scheme/);
    await refused({ status: 'deleted', search: 'a' }, 'search', /cannot be combined with status=deleted/);
  });
});
