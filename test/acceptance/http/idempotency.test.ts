import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { document, everyEndpoint, resolve } from '../../support/http/openapi.ts';
import {
  type Api,
  bodyWith,
  makeFolder,
  makeLink,
  makeRecord,
  makeTag,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { as, call, startServer, temporaryFolder } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const url = 'https://example.com/';
/** Endpoints whose responses contain a secret. It is shown once and not stored, so the response cannot be replayed. */
const secretive: ReadonlySet<string> = new Set([
  'shareLink',
  'createShare',
  'createSession',
  'createKey',
  'rotateKey',
  'createSignInLink',
  'createInvitation',
  ...['createWebhook', 'rotateWebhook'],
]);
const posts = everyEndpoint.filter(({ idempotent }) => idempotent);

/** Number of records that an endpoint adds. Endpoints that are not listed add one. */
const effects: Readonly<Record<string, number>> = {
  mergeTags: -1,
  addAlias: 0,
  verifyDomain: 0,
  createSignInLink: 0,
  addImportLines: 0,
  undoImport: 0,
  rollBackLink: 0,
  ...{ rotateWebhook: 0, testWebhook: 0, resendDelivery: 0, replayWebhook: 0 },
};

describe('Idempotency-Key', () => {
  let server: SharedServer;
  before(async () => {
    server = await sharedServer();
  });

  const account = async () => {
    const { key, account: name } = await server.newKey();
    return { api: as(server, key), key, name };
  };

  /** Returns the number of records in the account. */
  const countRecords = async (api: Api): Promise<number> => {
    const { links, folders } = (await api.get('/api/v1/me')).json.data.usage;
    const all = await api.get('/api/v1/links');
    const lists = [
      'tags',
      'utm-templates',
      'domains',
      'keys',
      'sessions',
      'invitations',
      'imports',
      'webhooks',
      'shares',
    ];
    for (const { id } of all.json.data) lists.push(`links/${id}/shares`);
    const held = await Promise.all(lists.map((list) => api.get(`/api/v1/${list}`)));
    const counts = held.map(({ json: { data, keys, sessions } }) => (data ?? keys ?? sessions).length);
    return counts.reduce((sum, count) => sum + count, links + folders);
  };

  test('applies to every POST that writes; other writes ignore it with a header, reads ignore it', async () => {
    const { key } = await account();
    for (const { name, method, path, idempotent } of everyEndpoint) {
      const isRead = method === 'GET' || /\/(?:simulate|plan)$/.test(path);
      assert.equal(idempotent, method === 'POST' && !isRead, name);
      const operation = document.paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`][method.toLowerCase()];
      const [success] = Object.values(operation.responses);
      assert.equal('Idempotency-Key-Ignored' in resolve(success).headers, !isRead && !idempotent, name);
      if (idempotent || path === '/events') continue;
      const answer = await ask(server, {
        method,
        path: `/api/v1${path.replace(/:\w+/, 'no-such')}`,
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'a b' },
        ...(method === 'PUT' && { body: '{}' }),
      });
      assert.doesNotMatch(answer.text, /Idempotency-Key/, name);
    }
  });

  test('accepts any key on other writes, runs them each time and says so', async () => {
    const { api, key } = await account();
    const [link, folder, tag] = [await makeLink(api), await makeFolder(api), await makeTag(api)];
    const writes = [
      ['PUT', 'links/by-external-id/ignored', { url }],
      ['PATCH', 'links/by-external-id/ignored', { title: 'One' }],
      ['PATCH', 'links/by-external-id/ignored', { title: 'Two' }],
      ['DELETE', 'links/by-external-id/ignored', undefined],
      ['PATCH', `links/${link}`, { title: 'Three' }],
      ['PATCH', `folders/${folder}`, { name: 'Four' }],
      ['DELETE', `folders/${folder}`, undefined],
      ['DELETE', `tags/${tag}`, undefined],
      ['DELETE', `links/${link}`, undefined],
    ] as const;
    for (const [n, [method, path, body]] of writes.entries()) {
      const headers = { 'idempotency-key': n % 2 === 0 ? 'same' : 'a b' };
      const answer = await call(server, method, `/api/v1/${path}`, { key, body, headers });
      assert.ok(answer.status < 300, answer.text);
      assert.equal(answer.headers.get('idempotency-key-ignored'), 'true', `${method} ${path}`);
      if (body !== undefined && 'title' in body) assert.equal(answer.json.data.title, body.title);
    }
    const quiet = await call(server, 'PATCH', `/api/v1/links/${await makeLink(api)}`, { key, body: {} });
    assert.deepEqual([quiet.status, quiet.headers.get('idempotency-key-ignored')], [200, null]);
  });

  for (const endpoint of posts) {
    test(`${endpoint.name}: returns the same response on repetition, without secrets and without a second effect`, async () => {
      const { api, key } = await account();
      const record = recordOf(endpoint);
      const id = record === undefined ? '' : await makeRecord(api, record);
      if (endpoint.name.startsWith('restore'))
        await api.delete(pathWith(endpoint, id).replace('/restore', ''));
      const [path, body] = [
        pathWith(endpoint, id),
        bodyWith(endpoint, await makeFolder(api), await makeTag(api)),
      ];
      const send = () => api.post(path, body, { 'idempotency-key': `once-${endpoint.name}` });
      const first = await send();
      assert.equal(first.status, endpoint.success, first.text);
      assert.equal(first.headers.get('idempotency-replayed'), null);
      const before = await countRecords(api);
      for (let n = 0; n < 3; n += 1) {
        const again = await send();
        if (secretive.has(endpoint.name)) {
          assert.deepEqual([again.status, again.json.error.code], [409, 'SECRET_SHOWN_BEFORE']);
          // The response for a sign-in link has no ID, so any ID matches.
          const { id: made = '[0-9a-f]{8}' } = first.json.data;
          assert.match(again.json.error.message, new RegExp(`created ${made}\\.`));
          assert.equal(again.headers.get('set-cookie'), null);
          continue;
        }
        assert.equal(again.status, first.status);
        assert.equal(again.text, first.text);
        assert.equal(again.headers.get('idempotency-replayed'), 'true');
        assert.equal(again.headers.get('location'), first.headers.get('location'));
      }
      assert.equal(await countRecords(api), before);
      const headers = { 'idempotency-key': `once-${endpoint.name}` };
      const other = await api.post('/api/v1/tags', { name: 'else' }, headers);
      assert.deepEqual([other.status, other.json.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
      const elsewhere = await call(server, 'POST', path, { key, body });
      assert.equal(
        elsewhere.headers.get('idempotency-replayed'),
        null,
        'without the header nothing is replayed',
      );
    });

    test(`${endpoint.name}: of 30 concurrent requests one has the effect; the others replay it or must wait`, async () => {
      const { api } = await account();
      const record = recordOf(endpoint);
      const id = record === undefined ? '' : await makeRecord(api, record);
      if (endpoint.name.startsWith('restore'))
        await api.delete(pathWith(endpoint, id).replace('/restore', ''));
      const [path, body] = [
        pathWith(endpoint, id),
        bodyWith(endpoint, await makeFolder(api), await makeTag(api)),
      ];
      const before = await countRecords(api);
      const send = () => api.post(path, body, { 'idempotency-key': 'stampede' });
      const answers = await Promise.all(Array.from({ length: 30 }, send));
      const done = answers.filter(({ status }) => status === endpoint.success);
      assert.equal(done.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1);
      assert.equal(new Set(done.map(({ text }) => text)).size, 1, 'all return the same record');
      for (const answer of answers) {
        if (done.includes(answer) || answer.json.error.code === 'SECRET_SHOWN_BEFORE') continue;
        assert.deepEqual([answer.status, answer.json.error.code], [409, 'IDEMPOTENCY_IN_PROGRESS']);
        assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
      const change = (await countRecords(api)) - before;
      assert.equal(change, effects[endpoint.name] ?? 1);
      const later = await send();
      if (secretive.has(endpoint.name)) return assert.equal(later.json.error.code, 'SECRET_SHOWN_BEFORE');
      assert.deepEqual([later.text, later.headers.get('idempotency-replayed')], [done[0]?.text, 'true']);
    });
  }

  test('belongs to the account: replays for another key of the account, not for another path', async () => {
    const { api, name } = await account();
    const second = as(server, (await server.newKey({ account: name })).key);
    const headers = { 'idempotency-key': 'shared' };
    const first = await api.post('/api/v1/shorten', { url }, headers);
    assert.equal((await second.post('/api/v1/shorten', { url }, headers)).text, first.text);
    const folder = await api.post('/api/v1/folders', { url, name: 'x' }, headers);
    assert.equal(folder.json.error.code, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('treats another spelling of the path as the same request', async () => {
    const { api } = await account();
    const made = (await api.post('/api/v1/shorten', { url })).json.data;
    await api.delete(`/api/v1/links/${made.id}`);
    const spellings = [
      ['/api/v1/shorten', '/api/v1/shorten/', '/api/v1/shorten?x=1', '/api/v1/shor%74en'],
      [
        `/api/v1/links/${made.id}/restore`,
        `/api/v1/links/${made.id.toUpperCase()}/restore/`,
        `/api/v1/links/%${made.id.charCodeAt(0).toString(16)}${made.id.slice(1)}/restore`,
      ],
    ];
    for (const [at, paths] of spellings.entries()) {
      const headers = { 'idempotency-key': `spelled-${at}` };
      const answers = [];
      for (const path of paths) answers.push(await api.post(path, { url }, headers));
      for (const { text } of answers) assert.equal(text, answers[0]?.text);
      const replayed = answers.map(({ headers: got }) => got.get('idempotency-replayed'));
      assert.deepEqual(replayed, [null, ...paths.slice(1).map(() => 'true')]);
    }
  });

  test('does not store a refused request: a corrected one may use the same key', async () => {
    const { api } = await account();
    const headers = { 'idempotency-key': 'mended' };
    assert.equal((await api.post('/api/v1/shorten', { url: 'ftp://x' }, headers)).status, 400);
    const nowhere = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
    assert.equal((await api.post('/api/v1/shorten', { url, folderId: nowhere }, headers)).status, 404);
    const mended = await api.post('/api/v1/shorten', { url }, headers);
    assert.deepEqual([mended.status, mended.headers.get('idempotency-replayed')], [201, null]);
  });

  test('rejects a malformed key and a repeated header', async () => {
    const { api, key } = await account();
    const authorization = `Bearer ${key}`;
    const send = (value: string | string[]) =>
      ask(server, {
        method: 'POST',
        path: '/api/v1/shorten',
        headers: { authorization, 'idempotency-key': value, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      });
    for (const bad of ['', 'a b', '\u00e4', 'x'.repeat(256), 'a\tb', ['one', 'two']]) {
      const answer = await send(bad);
      assert.equal(answer.status, 400, JSON.stringify(bad));
      const { code, details } = JSON.parse(answer.text).error;
      assert.deepEqual([code, details[0].field], ['VALIDATION_ERROR', 'Idempotency-Key']);
    }
    for (const good of ['x'.repeat(255), '0', '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', '__proto__']) {
      assert.equal((await send(good)).status, 201, good);
    }
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 4);
  });

  test('survives a restart', async (t) => {
    const dataDir = temporaryFolder('once');
    let restarted = await startServer({}, dataDir);
    t.after(() => restarted.stop());
    const { key } = await restarted.newKey();
    const headers = { 'idempotency-key': 'before-the-restart' };
    const first = await as(restarted, key).post('/api/v1/folders', { name: 'Posters' }, headers);
    assert.equal(await restarted.stop(), 0);
    restarted = await startServer({}, dataDir);
    const again = await as(restarted, key).post('/api/v1/folders', { name: 'Posters' }, headers);
    assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
  });
});
