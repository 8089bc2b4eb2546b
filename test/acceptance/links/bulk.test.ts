import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const url = 'https://example.com/';
const unknownId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a99';

describe('bulk changes', () => {
  let server: SharedServer;

  before(async () => {
    server = await sharedServer();
  });

  const account = async (plan?: string): Promise<Api> =>
    as(server, (await server.newKey(plan === undefined ? {} : { plan })).key);
  const bulk = (api: Api, body: object, headers?: Record<string, string>) =>
    api.post('/api/v1/links/bulk', body, headers);
  const codesOf = (answer: Awaited<ReturnType<typeof bulk>>): (string | null)[] =>
    answer.json.data.results.map(({ error }: { error: { code: string } | null }) => error?.code ?? null);
  const total = async (api: Api): Promise<number> => (await api.get('/api/v1/links')).json.pagination.total;
  const whole = async (api: Api, id: string) =>
    (await api.get(`/api/v1/links/${id}?include=title,description,expiresAt,folderId,tags`)).json.data;

  test('handles each row separately, in order, like a single call', async () => {
    const api = await account();
    const [code, folderId] = [freshCode(), await makeFolder(api)];
    const links = [
      { url, customCode: code, title: 'T', tags: ['a', 'B'], folderId },
      { url, customCode: code.toUpperCase() },
      { url: 'ftp://example.com' },
      { url: 'https://blocked.example/' },
      { url: `${server.url}/x` },
      { url, customCode: 'admin' },
      { url, folderId: unknownId },
      { url, expiresAt: '2020-01-01' },
      { title: 'no destination', tags: [5] },
      { url, tags: ['b'] },
    ];
    const answer = await bulk(api, { action: 'create', links });
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.json;
    assert.deepEqual(Object.keys(data), ['done', 'failed', 'remaining', 'nextCursor', 'results']);
    assert.deepEqual([data.done, data.failed, data.remaining, data.nextCursor], [2, 8, 0, null]);
    assert.deepEqual(codesOf(answer), [
      null,
      'CUSTOM_CODE_TAKEN',
      'INVALID_URL',
      'DESTINATION_BLOCKED',
      'SELF_REFERENTIAL_URL',
      'CUSTOM_CODE_RESERVED',
      'FOLDER_NOT_FOUND',
      'EXPIRY_IN_PAST',
      'VALIDATION_ERROR',
      null,
    ]);
    const [first] = data.results;
    assert.deepEqual(Object.keys(first), ['status', 'id', 'link', 'error']);
    assert.deepEqual(Object.keys(first.link), ['id', 'shortCode', 'shortUrl', 'destinationUrl', 'createdAt']);
    assert.deepEqual([first.status, first.link.shortCode], ['done', code]);
    assert.equal((await call(server, 'GET', `/${code}`)).headers.get('location'), url);
    const shown = await whole(api, first.id);
    assert.deepEqual([shown.title, shown.folderId, shown.tags], ['T', folderId, ['a', 'B']]);
    const missing = data.results[8].error;
    assert.deepEqual([missing.field, missing.code], ['url', 'VALIDATION_ERROR']);
    assert.match(missing.message, /url is required\. tags\[0\] must be a string/);
    assert.equal(await total(api), 2);
    assert.deepEqual(
      (await api.get('/api/v1/tags')).json.data.map((tag: { name: string; linkCount: number }) => [
        tag.name,
        tag.linkCount,
      ]),
      [
        ['a', 1],
        ['B', 2],
      ],
    );
  });

  test('all or nothing: changes nothing because of one bad row, whether its field or its code', async () => {
    const api = await account();
    const code = freshCode();
    await makeLink(api, { customCode: code });
    for (const bad of [{ url, customCode: code }, { url: 'ftp://x' }, { url, customCode: 'login' }]) {
      const links = [{ url, tags: ['never'] }, bad, { url }];
      const headers = { 'idempotency-key': freshCode() };
      const refused = await bulk(api, { action: 'create', mode: 'atomic', links }, headers);
      assert.deepEqual([refused.status, refused.json.error.code], [409, 'BULK_REFUSED'], refused.text);
      assert.match(refused.json.error.message, /^Nothing was changed, because 1 of 3 rows failed\. \[1\]: /);
      assert.equal(refused.json.error.details[0].field.slice(0, 3), '[1]');
    }
    assert.equal(await total(api), 1);
    assert.deepEqual((await api.get('/api/v1/tags')).json.data, []);
    const done = await bulk(api, { action: 'create', mode: 'atomic', links: [{ url }, { url }] });
    assert.equal(done.json.data.done, 2);
  });

  test('updates, moves, tags, deletes, restores by IDs; foreign ones are unknown', async () => {
    const [api, other] = [await account(), await account()];
    const foreign = await makeLink(other);
    const ids = [await makeLink(api, { tags: ['x', 'y'] }), await makeLink(api)];
    const [one = '', two = ''] = ids;
    const all = [...ids, foreign, unknownId, 'no id'];
    const unknown = ['LINK_NOT_FOUND', 'LINK_NOT_FOUND', 'LINK_NOT_FOUND'];
    const folderId = await makeFolder(api);
    const moves = [
      { action: 'move', ids: all, folderId },
      { action: 'update', ids: all, set: { title: 'New', url: 'https://example.com/new' } },
      { action: 'tag', ids: all, tags: { add: ['Z', 'X'], remove: ['Y', 'unknown'] } },
    ];
    for (const body of moves) {
      const answer = await bulk(api, body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(codesOf(answer), [null, null, ...unknown], body.action);
    }
    const moved = { title: 'New', destinationUrl: 'https://example.com/new', folderId };
    assert.deepEqual({ ...(await whole(api, one)), ...moved, tags: ['x', 'Z'] }, await whole(api, one));
    assert.deepEqual({ ...(await whole(api, two)), ...moved, tags: ['x', 'Z'] }, await whole(api, two));
    await bulk(api, { action: 'tag', ids: [two], tags: { set: ['only'] } });
    assert.deepEqual((await whole(api, two)).tags, ['only']);
    const rows = [
      { id: one, title: null, description: 'D' },
      { id: two, customCode: 'other' },
      { id: two, folderId: null },
      { title: 'no id' },
      { id: two, title: 5 },
    ];
    const updated = await bulk(api, { action: 'update', links: rows });
    assert.deepEqual(codesOf(updated), [
      null,
      'IMMUTABLE_FIELD',
      'IMMUTABLE_FIELD',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ]);
    const shown = await whole(api, one);
    assert.deepEqual([shown.title, shown.description], [null, 'D']);

    const deleted = await bulk(api, { action: 'delete', ids: [...all, one] });
    assert.deepEqual(codesOf(deleted), [null, null, ...unknown, 'LINK_NOT_FOUND']);
    assert.deepEqual(deleted.json.data.results[0], { status: 'done', id: one, link: null, error: null });
    assert.equal((await call(server, 'GET', `/${shown.shortCode}`)).status, 404);
    const restored = await bulk(api, { action: 'restore', ids: all });
    assert.deepEqual(codesOf(restored), [null, null, ...unknown]);
    assert.equal((await call(server, 'GET', `/${shown.shortCode}`)).status, 302);
    assert.equal(await total(api), 2);
    assert.equal(await total(other), 1);
  });

  test('enforces plans, quotas and the tag limit for each row', async () => {
    // The shared server limits accounts on this plan to three links.
    const small = await account('pro');
    const five = Array.from({ length: 5 }, () => ({ url }));
    const answer = await bulk(small, { action: 'create', links: five });
    assert.deepEqual(codesOf(answer), [null, null, null, 'LIMIT_REACHED', 'LIMIT_REACHED']);
    const free = await account('free');
    const [made] = (await bulk(free, { action: 'create', links: [{ url, expiresAt: 'whatever' }] })).json.data
      .results;
    const lifetime = Date.parse((await whole(free, made.id)).expiresAt) - Date.parse(made.link.createdAt);
    assert.equal(lifetime, 15 * 86_400_000);
    const kept = (await whole(free, made.id)).expiresAt;
    await bulk(free, { action: 'update', ids: [made.id], set: { expiresAt: '2090-01-01' } });
    assert.equal((await whole(free, made.id)).expiresAt, kept);
    const names = (from: number) => Array.from({ length: 15 }, (_, n) => `t${from + n}`);
    assert.deepEqual(codesOf(await bulk(free, { action: 'tag', ids: [made.id], tags: { add: names(0) } })), [
      null,
    ]);
    const over = await bulk(free, { action: 'tag', ids: [made.id], tags: { add: names(15) } });
    assert.match(over.json.data.results[0].error.message, /at most 20 tags; this one would have 30/);
  });

  test('creates a thousand rows once when repeated with their key; rejects more', async () => {
    const api = await account();
    const links = Array.from({ length: 1_000 }, (_, n) => ({ url: `${url}${n}`, title: `Row ${n}` }));
    const headers = { 'idempotency-key': 'thousand' };
    const [first, second] = [
      await bulk(api, { action: 'create', links }, headers),
      await bulk(api, { action: 'create', links }, headers),
    ];
    assert.equal(first.json.data.done, 1_000);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal(await total(api), 1_000);
    assert.deepEqual(
      first.json.data.results.map(({ link }: { link: { destinationUrl: string } }) => link.destinationUrl),
      links.map((link) => link.url),
    );
    const more = await bulk(api, { action: 'create', links: [...links, { url }] });
    assert.deepEqual([more.status, more.json.error.details[0].field], [400, 'links']);
    const large = await bulk(api, { action: 'create', links: [{ url, x: 'x'.repeat(1_100_000) }] });
    assert.deepEqual([large.status, large.json.error.code], [413, 'BODY_TOO_LARGE']);
  });

  test('applies the rows of one of two concurrent requests first, then those of the other', async () => {
    const api = await account();
    const rows = (title: string) => Array.from({ length: 400 }, () => ({ url, title }));
    const both = ['one', 'two'].map((title) => bulk(api, { action: 'create', links: rows(title) }));
    for (const { json } of await Promise.all(both)) assert.equal(json.data.done, 400);
    const titles: string[] = [];
    for (let page = 1; page <= 8; page += 1) {
      const { data } = (await api.get(`/api/v1/links?include=title&limit=100&page=${page}`)).json;
      titles.push(...data.map(({ title }: { title: string }) => title));
    }
    const changes = titles.filter((title, at) => at > 0 && title !== titles[at - 1]);
    assert.deepEqual([titles.length, changes.length], [800, 1]);
  });

  test('handles rows individually if they reuse a code or an externalId', async () => {
    const api = await account();
    const code = freshCode();
    await api.delete(`/api/v1/links/${await makeLink(api, { customCode: code })}`);
    const links = [
      { url, tags: ['a'] },
      { url, customCode: code.toUpperCase(), tags: ['a', 'b'] },
    ];
    const again = await bulk(api, { action: 'create', links });
    assert.deepEqual(codesOf(again), [null, null], again.text);
    const named = await bulk(api, {
      action: 'create',
      links: [{ url, externalId: code }, { url, externalId: code }, { url }],
    });
    assert.deepEqual(codesOf(named), [null, 'EXTERNAL_ID_TAKEN', null]);
    assert.equal(await total(api), 4);
    assert.equal((await call(server, 'GET', `/${code}`)).status, 302);
    const { data } = (await api.get('/api/v1/tags')).json;
    assert.deepEqual(
      data.map(({ name, linkCount }: { name: string; linkCount: number }) => [name, linkCount]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
  });

  test('rejects an incomplete or contradictory request with the field', async () => {
    const api = await account();
    const bad: [object, string][] = [
      [{}, 'action'],
      [{ action: 'explode', ids: ['x'] }, 'action'],
      [{ action: 'create' }, 'links'],
      [{ action: 'create', ids: ['x'] }, 'ids'],
      [{ action: 'create', links: [] }, 'links'],
      [{ action: 'create', links: ['x'] }, 'links'],
      [{ action: 'delete' }, 'ids'],
      [{ action: 'delete', ids: ['x'], filter: {}, expectedCount: 1 }, 'ids'],
      [{ action: 'delete', filter: {} }, 'expectedCount'],
      [{ action: 'move', ids: ['x'] }, 'folderId'],
      [{ action: 'tag', ids: ['x'] }, 'tags'],
      [{ action: 'tag', ids: ['x'], tags: {} }, 'tags'],
      [{ action: 'tag', ids: ['x'], tags: { add: ['a'], set: ['b'] } }, 'tags'],
      [{ action: 'tag', ids: ['x'], tags: { add: ['a,b'] } }, 'tags'],
      [{ action: 'update', ids: ['x'] }, 'ids'],
      [{ action: 'update', ids: ['x'], set: { title: 5 } }, 'set.title'],
      [{ action: 'delete', ids: ['x'], mode: 'perhaps' }, 'mode'],
      [{ action: 'delete', filter: { tags: 'x' }, expectedCount: 1 }, 'filter'],
      [{ action: 'delete', filter: { createdAfter: 'soon' }, expectedCount: 1 }, 'filter.createdAfter'],
      [{ action: 'delete', filter: { status: 'deleted' }, expectedCount: 1 }, 'filter.status'],
      [{ action: 'delete', filter: {}, cursor: 'x' }, 'cursor'],
      [{ action: 'restore', filter: {}, expectedCount: 1 }, 'filter'],
    ];
    for (const [body, field] of bad) {
      const { status, json } = await bulk(api, body);
      assert.deepEqual([status, json.error?.details?.[0].field], [400, field], JSON.stringify(body));
    }
  });

  test('by filter: confirms the count, continues above a thousand, replays a repetition', async () => {
    const [api, other] = [await account(), await account()];
    for (const from of [0, 600]) {
      const links = Array.from({ length: 600 }, (_, n) => ({ url: `${url}${from + n}`, tags: ['old'] }));
      await bulk(api, { action: 'create', links });
    }
    await makeLink(api, { tags: ['new'] });
    await makeLink(other, { tags: ['old'] });
    const filter = { tag: 'OLD' };
    const wrong = await bulk(api, { action: 'delete', filter, expectedCount: 1_199 });
    assert.deepEqual([wrong.status, wrong.json.error.code], [409, 'COUNT_DIFFERS']);
    assert.match(wrong.json.error.message, /matches 1200 links/);
    assert.equal(await total(api), 1_201);

    const tagging = { action: 'tag', filter, tags: { add: ['seen'] } };
    const tagged = await bulk(api, { ...tagging, expectedCount: 1_200 });
    assert.equal(tagged.status, 200, tagged.text);
    const first = tagged.json.data;
    assert.deepEqual([first.done, first.remaining], [1_000, 200]);
    const more = await bulk(api, { ...tagging, cursor: first.nextCursor });
    assert.equal(more.status, 200, more.text);
    const second = more.json.data;
    assert.deepEqual([second.done, second.remaining, second.nextCursor], [200, 0, null]);
    const tags = async () =>
      (await api.get('/api/v1/tags')).json.data.map(
        ({ name, linkCount }: { name: string; linkCount: number }) => [name, linkCount],
      );
    assert.deepEqual(await tags(), [
      ['new', 1],
      ['old', 1_200],
      ['seen', 1_200],
    ]);

    const deleting = { action: 'delete', filter, expectedCount: 1_200 };
    const headers = { 'idempotency-key': freshCode() };
    const deleted = await bulk(api, deleting, headers);
    assert.equal(deleted.json.data.remaining, 200);
    const again = await bulk(api, deleting, headers);
    assert.equal(again.text, deleted.text);
    const rest = await bulk(api, { action: 'delete', filter, cursor: deleted.json.data.nextCursor });
    assert.deepEqual([rest.json.data.done, rest.json.data.remaining], [200, 0]);
    assert.equal(await total(api), 1);
    assert.equal(await total(other), 1);
    const none = await bulk(api, { action: 'delete', filter: { tag: 'unknown' }, expectedCount: 0 });
    assert.deepEqual([none.status, none.json.data.results], [200, []]);
  });

  test('by filter in smaller requests, returning the previous fields', async () => {
    const api = await account();
    const folders = [await makeFolder(api), await makeFolder(api)] as const;
    const [there, elsewhere] = folders;
    const expiresAt = '2090-01-01T00:00:00.000Z';
    const links = Array.from({ length: 5 }, (_, n) => ({
      url: `${url}${n}`,
      ...(n % 2 === 0 && { folderId: there, tags: ['b', 'A'], expiresAt }),
    }));
    await bulk(api, { action: 'create', links });
    const everywhere = async (body: object): Promise<{ previous?: object; id: string }[]> => {
      const results = [];
      let place: object = { expectedCount: 5 };
      for (const left of [3, 1, 0]) {
        const answer = await bulk(api, { ...body, filter: {}, ...place, limit: 2 });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.data.remaining, left);
        results.push(...answer.json.data.results);
        place = { cursor: answer.json.data.nextCursor };
      }
      return results;
    };
    const previousOf = async (body: object) => (await everywhere(body)).map(({ previous }) => previous);
    // The results are sorted newest first.
    const each = (even: object, odd: object) => [even, odd, even, odd, even];
    assert.deepEqual(
      await previousOf({ action: 'move', folderId: elsewhere, previous: ['folderId'] }),
      each({ folderId: there }, { folderId: null }),
    );
    assert.deepEqual(
      await previousOf({ action: 'update', set: { archived: true }, previous: ['archived', 'expiresAt'] }),
      each({ archived: false, expiresAt }, { archived: false, expiresAt: null }),
    );
    const tagged = await everywhere({
      action: 'tag',
      tags: { add: ['c'], remove: ['a'] },
      previous: ['tags'],
    });
    assert.deepEqual(
      tagged.map(({ previous }) => previous),
      each({ tags: ['A', 'b'] }, { tags: [] }),
    );
    const undo = tagged.map(({ id, previous }) => ({ id, ...previous }));
    assert.equal((await bulk(api, { action: 'update', links: undo })).json.data.done, 5);
    assert.deepEqual((await whole(api, tagged[0]?.id ?? '')).tags, ['A', 'b']);

    // A repeated request with the same idempotency key returns the same previous values as the first.
    const headers = { 'idempotency-key': freshCode() };
    const ids = tagged.map(({ id }) => id);
    const moving = { action: 'move', ids, folderId: null, previous: ['folderId'] };
    const [first, second] = [await bulk(api, moving, headers), await bulk(api, moving, headers)];
    assert.deepEqual(first.json.data.results[0].previous, { folderId: elsewhere });
    assert.equal(second.text, first.text);
    for (const wrong of [{ limit: 0 }, { limit: 1_001 }, { previous: ['password'] }, { previous: 'tags' }])
      assert.equal((await bulk(api, { ...moving, ...wrong })).status, 400, JSON.stringify(wrong));
  });
});
