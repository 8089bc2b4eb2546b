import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { othersKnow } from '../../support/postgres/databases.ts';
import { type Answer, as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const codeOf = ({ status, json }: Answer): [number, string | undefined] => [status, json?.error?.code];

describe('keys created with keys', () => {
  let server: SharedServer;
  before(async () => {
    server = await sharedServer();
  });

  test('creates a key that works at once and is shown once', async () => {
    const { key, id, account } = await server.newKey();
    const api = as(server, key);
    const made = await api.post('/api/v1/keys', {
      name: 'newsletter',
      scopes: ['links:read'],
      expiresAt: '2090-01-01',
    });
    assert.equal(made.status, 201, made.text);
    const { key: token, ...facts } = made.json.data;
    assert.equal((await as(server, token).get('/api/v1/me')).json.data.account, account);
    assert.deepEqual(
      codeOf(await as(server, token).post('/api/v1/shorten', { url: 'https://example.com/' })),
      [403, 'INSUFFICIENT_SCOPE'],
    );
    assert.deepEqual(codeOf(await as(server, token).get('/api/v1/keys')), [403, 'INSUFFICIENT_SCOPE']);
    const listed = await api.get('/api/v1/keys');
    assert.ok(!listed.text.includes(token));
    const { lastUsedAt: _, ...shown } = listed.json.keys.find((one: { id: string }) => one.id === facts.id);
    const { lastUsedAt: __, ...expected } = facts;
    assert.deepEqual(shown, expected);
    assert.deepEqual(
      [facts.state, facts.expiresAt, facts.plan, facts.isCurrent],
      ['live', '2090-01-01T00:00:00.000Z', 'enterprise', false],
    );
    assert.equal(listed.json.keys.find((one: { id: string }) => one.id === id).isCurrent, true);
    assert.ok(!server.output().includes(token));
  });

  test('copies omitted fields from the creating key', async () => {
    const expires = '2091-02-03T04:05:06.000Z';
    const { key } = await server.newKey({ plan: 'starter', scopes: 'links:read,keys:write', expires });
    const { scopes, plan, expiresAt } = (await as(server, key).post('/api/v1/keys', { name: 'same' })).json
      .data;
    assert.deepEqual([scopes, plan, expiresAt], [['links:read', 'keys:write'], 'starter', expires]);
  });

  test('never grants more than the creating key has', async () => {
    const expires = '2091-02-03T04:05:06.000Z';
    const { key, account } = await server.newKey({
      plan: 'starter',
      scopes: 'links:read,keys:write',
      expires,
    });
    const api = as(server, key);
    const rows: [string, object, number, string, string?][] = [
      ['a scope', { scopes: ['links:write'] }, 403, 'INSUFFICIENT_SCOPE'],
      ['one scope of several', { scopes: ['links:read', 'links:write'] }, 403, 'INSUFFICIENT_SCOPE'],
      ['a plan', { plan: 'pro' }, 400, 'VALIDATION_ERROR', 'plan'],
      ['a time', { expiresAt: '2091-02-03T04:05:06.001Z' }, 400, 'VALIDATION_ERROR', 'expiresAt'],
      ['no end', { expiresAt: null }, 400, 'VALIDATION_ERROR', 'expiresAt'],
      ['a past time', { expiresAt: '2020-01-01' }, 422, 'EXPIRY_IN_PAST', 'expiresAt'],
      ['no time', { expiresAt: 'soon' }, 400, 'VALIDATION_ERROR', 'expiresAt'],
      ['an unknown scope', { scopes: ['everything'] }, 400, 'VALIDATION_ERROR', 'scopes'],
      ['no scope', { scopes: [] }, 400, 'VALIDATION_ERROR', 'scopes'],
      ['no name', { name: '' }, 400, 'VALIDATION_ERROR', 'name'],
    ];
    for (const [what, wish, status, code, field] of rows) {
      const answer = await api.post('/api/v1/keys', { name: 'more', ...wish });
      assert.deepEqual([what, ...codeOf(answer)], [what, status, code]);
      assert.equal(answer.json.error.details?.[0]?.field.replace(/\[\d\]$/, ''), field, what);
    }
    for (const options of [
      { scopes: 'links:read,links:write' },
      { scopes: 'links:read', plan: 'pro' },
      { scopes: 'links:read' },
    ]) {
      const stronger = await server.newKey({ account, plan: 'starter', ...options });
      const answer = await api.post(`/api/v1/keys/${stronger.id}/rotate`, {});
      assert.deepEqual([options, ...codeOf(answer)], [options, 403, 'INSUFFICIENT_SCOPE']);
      assert.equal((await as(server, stronger.key).get('/api/v1/me')).status, 200, 'the old key still works');
    }
  });

  test('keeps a rotated key for its grace period, stops a revoked one at once; neither returns', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    const made = (await api.post('/api/v1/keys', { name: 'old' })).json.data;
    const path = `/api/v1/keys/${made.id}`;
    const rotated = await api.post(`${path}/rotate`, { graceSeconds: 3600 });
    assert.equal(rotated.status, 201, rotated.text);
    const { key: token, replaces, oldExpiresAt, name } = rotated.json.data;
    assert.deepEqual([replaces, name], [made.id, 'old']);
    assert.ok(Math.abs(Date.parse(oldExpiresAt) - Date.now() - 3_600_000) < 60_000, oldExpiresAt);
    for (const one of [made.key, token]) assert.equal((await as(server, one).get('/api/v1/me')).status, 200);
    assert.deepEqual(codeOf(await api.post(`${path}/rotate`, {})), [404, 'KEY_NOT_FOUND'], 'only once');

    const atOnce = await api.post(`/api/v1/keys/${rotated.json.data.id}/rotate`, { graceSeconds: 0 });
    await until('no grace', async () => (await as(server, token).get('/api/v1/me')).status === 401);
    const last = atOnce.json.data;
    assert.equal((await api.delete(`/api/v1/keys/${last.id}`)).status, 204);
    await othersKnow();
    assert.deepEqual(codeOf(await as(server, last.key).get('/api/v1/me')), [401, 'INVALID_API_KEY']);
    assert.deepEqual(codeOf(await api.delete(`/api/v1/keys/${last.id}`)), [404, 'KEY_NOT_FOUND']);
    const states = (await api.get('/api/v1/keys')).json.keys.map(({ state }: { state: string }) => state);
    assert.deepEqual(states.sort(), ['expired', 'live', 'live', 'revoked']);
  });

  test('works the same in a session, which outlives the new key but not its own', async () => {
    const { key, id } = await server.newKey();
    const begun = await call(server, 'POST', '/api/v1/session', { key });
    const headers = {
      cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '',
      'sec-fetch-site': 'same-origin',
    };
    const made = await call(server, 'POST', '/api/v1/keys', { body: { name: 'by a browser' }, headers });
    assert.equal(made.status, 201, made.text);
    const gone = await call(server, 'DELETE', `/api/v1/keys/${id}`, { headers });
    assert.equal(gone.status, 204, 'its own key too');
    assert.deepEqual(codeOf(await call(server, 'GET', '/api/v1/me', { headers })), [401, 'INVALID_SESSION']);
  });
});
