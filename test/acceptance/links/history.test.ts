import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, type TestKey } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const included = [
  ...[
    'title',
    'description',
    'expiresAt',
    'folderId',
    'externalId',
    'startsAt',
    'disabled',
    'expiredUrl',
    'redirectStatus',
  ],
  ...[
    'forwardQuery',
    'rules',
    'maxClicks',
    'utm',
    'archived',
    'checkDestination',
    'card',
    'language',
    'revision',
    'tags',
    'hasPassword',
  ],
  'updatedAt',
].join();

describe('link history', () => {
  let server: SharedServer;
  let key: TestKey;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    key = await server.newKey();
    api = as(server, key.key);
  });

  const history = async (id: string, query = '') => {
    const { status, json, text } = await api.get(`/api/v1/links/${id}/history${query}`);
    assert.equal(status, 200, text);
    return json;
  };
  const back = (id: string, revision: number | string, headers: Record<string, string> = {}) =>
    api.post(`/api/v1/links/${id}/history/${revision}/restore`, {}, headers);
  const read = async (id: string) => {
    const { clicks: _, ...link } = (await api.get(`/api/v1/links/${id}?include=${included}`)).json.data;
    return link;
  };

  test('returns every change, newest first: who, when, from what to what', async () => {
    const folder = await makeFolder(api);
    const created = await api.post('/api/v1/shorten', {
      url: 'https://example.com/one',
      title: 'One',
      tags: ['a'],
    });
    const { id, shortCode } = created.json.data;
    const path = `/api/v1/links/${id}`;
    const code = freshCode();
    await api.patch(path, { title: 'Two', disabled: true, expiresAt: '2040-01-01', password: 'secret word' });
    await api.patch(path, { title: 'Two' });
    await api.patch(path, { tags: ['b'] });
    await api.patch(`${path}/destination`, { url: 'https://example.com/two' });
    await api.patch(`${path}/move`, { folderId: folder });
    await api.patch(`${path}/code`, { customCode: code });
    await api.patch(path, { password: 'another word' });
    await api.delete(path);
    await api.post(`${path}/restore`, {});
    const { data, pagination } = await history(id);
    assert.deepEqual(pagination, { limit: 20, nextCursor: null });
    const changes = data.map((change: Record<string, unknown>) => [
      change['revision'],
      change['action'],
      change['changes'],
    ]);
    const moved = { from: null, to: folder };
    assert.deepEqual(changes, [
      [9, 'restored', { aliases: { from: [], to: [shortCode] } }],
      [8, 'deleted', { aliases: { from: [shortCode], to: [] } }],
      [7, 'updated', { password: { changed: true } }],
      [
        6,
        'code-changed',
        { shortCode: { from: shortCode, to: code }, aliases: { from: [], to: [shortCode] } },
      ],
      [5, 'moved', { folderId: moved }],
      [4, 'updated', { destinationUrl: { from: 'https://example.com/one', to: 'https://example.com/two' } }],
      [3, 'tagged', { tags: { from: ['a'], to: ['b'] } }],
      [
        2,
        'updated',
        {
          title: { from: 'One', to: 'Two' },
          expiresAt: { from: null, to: '2040-01-01T00:00:00.000Z' },
          disabled: { from: false, to: true },
          password: { changed: true },
          hasPassword: { from: false, to: true },
        },
      ],
      [
        1,
        'created',
        {
          shortCode: { from: null, to: shortCode },
          title: { from: null, to: 'One' },
          ...{
            destinationUrl: { from: null, to: 'https://example.com/one' },
            tags: { from: null, to: ['a'] },
          },
        },
      ],
    ]);
    const [newest, , , , , , , , oldest] = data;
    assert.deepEqual([oldest.actor.kind, oldest.actor.id], ['key', key.id]);
    assert.equal(oldest.requestId, created.headers.get('x-request-id'));
    assert.equal(oldest.at, created.json.data.createdAt);
    assert.ok(newest.at >= oldest.at);
    assert.doesNotMatch(JSON.stringify(data), /secret word|another word|scrypt|\$/);
  });

  test('pages through the history, even of a deleted link, with a cursor per link', async () => {
    const id = await makeLink(api);
    for (let i = 0; i < 4; i++) await api.patch(`/api/v1/links/${id}`, { title: `title ${i}` });
    await api.delete(`/api/v1/links/${id}`);
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const {
        data,
        pagination,
      }: { data: { revision: number }[]; pagination: { nextCursor: string | null } } = await history(
        id,
        `?limit=2&cursor=${cursor}`,
      );
      seen.push(...data.map(({ revision }) => revision));
      cursor = pagination.nextCursor;
    }
    assert.deepEqual(seen, [6, 5, 4, 3, 2, 1]);
    const { nextCursor } = (await history(id, '?limit=2')).pagination;
    for (const [of, given, reason] of [
      [await makeLink(api), nextCursor, 'not_allowed'],
      [id, 'abc', 'invalid_format'],
      [id, '5', 'invalid_format'],
    ]) {
      const { status, json } = await api.get(`/api/v1/links/${of}/history?cursor=${given}`);
      assert.deepEqual(
        [status, json.error.details[0].field, json.error.details[0].reason],
        [400, 'cursor', reason],
      );
    }
  });

  test('rolls back every field as one new revision, which can be rolled back itself', async () => {
    const folder = await makeFolder(api);
    const draft = {
      ...{
        url: 'https://example.com/first',
        title: 'First',
        description: 'Words',
        tags: ['x', 'y'],
        folderId: folder,
      },
      externalId: freshCode(),
      expiresAt: '2041-01-01',
      startsAt: '2026-01-01',
      redirectStatus: 307,
      forwardQuery: 'add',
      maxClicks: 7,
      utm: { source: 'mail' },
      archived: true,
      checkDestination: false,
      expiredUrl: 'https://example.com/gone',
      card: { title: 'Card' },
      rules: [{ when: [{ fact: 'device', values: ['mobile'] }], to: { url: 'https://example.com/small' } }],
    };
    const made = await api.post('/api/v1/shorten', draft);
    assert.equal(made.status, 201, made.text);
    const { id } = made.json.data;
    const first = await read(id);
    const path = `/api/v1/links/${id}`;
    const nothing = Object.fromEntries(Object.keys(draft).map((name) => [name, null]));
    const { url: _u, folderId: _f, ...clear } = nothing;
    await api.patch(path, { ...clear, archived: false, checkDestination: true, disabled: true });
    await api.patch(`${path}/destination`, { url: 'https://example.com/zweites-ü' });
    await api.patch(`${path}/move`, { folderId: null });
    const changed = await read(id);
    assert.notDeepEqual(changed.title, first.title);

    const rolled = await back(id, 1);
    assert.equal(rolled.status, 200, rolled.text);
    const { updatedAt, ...data } = rolled.json.data;
    assert.deepEqual(data, {
      ...{
        id,
        shortCode: first.shortCode,
        destinationUrl: 'https://example.com/first',
        revision: 5,
        kept: [],
      },
    });
    assert.equal(rolled.headers.get('etag'), '"5"');
    assert.deepEqual(await read(id), { ...first, revision: 5, updatedAt });
    const [{ action, changes }] = (await history(id)).data;
    assert.deepEqual([action, changes.title], ['rolled-back', { from: null, to: 'First' }]);
    const visit = await fetch(`${server.url}/${first.shortCode}`, { redirect: 'manual' });
    assert.deepEqual(
      [visit.status, visit.headers.get('location')],
      [307, 'https://example.com/first?utm_source=mail'],
    );

    await back(id, 4);
    assert.deepEqual(await read(id), { ...changed, revision: 6, updatedAt: (await read(id)).updatedAt });
    assert.equal((await back(id, 6)).json.data.revision, 6, 'a write without changes creates no revision');
  });

  test('keeps and names code, password, and values that no longer exist', async () => {
    const folder = await makeFolder(api);
    const tag = freshCode();
    const made = await api.post('/api/v1/shorten', {
      url: 'https://example.com/',
      folderId: folder,
      tags: [tag, 'z'],
    });
    const { id } = made.json.data;
    const path = `/api/v1/links/${id}`;
    const code = freshCode();
    await api.patch(`${path}/code`, { customCode: code });
    await api.patch(path, { password: 'secret word', tags: [] });
    await api.delete(`/api/v1/folders/${folder}`);
    const tags = (await api.get('/api/v1/tags')).json.data as { id: string; name: string }[];
    await api.delete(`/api/v1/tags/${tags.find(({ name }) => name === tag)?.id}`);
    const { json } = await back(id, 1);
    assert.deepEqual(
      [json.data.shortCode, json.data.kept.toSorted()],
      [code, ['folderId', 'password', 'shortCode', 'tags']],
    );
    const now = await read(id);
    assert.deepEqual([now.tags, now.hasPassword], [['z'], true]);
    await api.patch(path, { tags: ['z'] });
  });

  test('does not restore a deleted folder for links that have moved elsewhere since', async () => {
    const [one, two] = [await makeFolder(api), await makeFolder(api)];
    const id = await makeLink(api, { folderId: one });
    await api.patch(`/api/v1/links/${id}/move`, { folderId: two });
    await api.delete(`/api/v1/folders/${one}`);
    assert.deepEqual((await back(id, 1)).json.data.kept, ['folderId']);
    assert.equal((await read(id)).folderId, two);
  });

  test('rejects an impossible rollback and changes nothing', async () => {
    const externalId = freshCode();
    const id = await makeLink(api, { externalId });
    await api.patch(`/api/v1/links/${id}`, { externalId: null });
    await makeLink(api, { externalId });
    const strangers = as(server, (await server.newKey()).key);
    const gone = await makeLink(api);
    await api.delete(`/api/v1/links/${gone}`);
    for (const [answer, status, code] of [
      [await back(id, 1), 409, 'EXTERNAL_ID_TAKEN'],
      [await back(id, 2, { 'if-match': '"1"' }), 412, 'REVISION_MISMATCH'],
      [await back(id, 9), 404, 'REVISION_NOT_FOUND'],
      [await back(id, 0), 404, 'REVISION_NOT_FOUND'],
      [await back(id, 'x'), 404, 'REVISION_NOT_FOUND'],
      [await back(gone, 1), 404, 'LINK_NOT_FOUND'],
      [await back('nothing', 1), 404, 'LINK_NOT_FOUND'],
      [await strangers.post(`/api/v1/links/${id}/history/1/restore`, {}), 404, 'LINK_NOT_FOUND'],
      [await strangers.get(`/api/v1/links/${id}/history`), 404, 'LINK_NOT_FOUND'],
    ] as const) {
      assert.deepEqual([answer.status, answer.json.error.code], [status, code], answer.text);
    }
    assert.equal((await read(id)).revision, 2);
  });

  test('keeps and names the expiry with a Free key', async () => {
    const id = await makeLink(api, { expiresAt: '2040-01-01' });
    await api.patch(`/api/v1/links/${id}`, { expiresAt: null, title: 'New' });
    const free = as(server, (await server.newKey({ plan: 'free', account: key.account })).key);
    const { json, text } = await free.post(`/api/v1/links/${id}/history/1/restore`, {});
    assert.deepEqual(json.data?.kept, ['expiresAt'], text);
    const now = await read(id);
    assert.deepEqual([now.expiresAt, now.title], [null, null]);
  });
});
