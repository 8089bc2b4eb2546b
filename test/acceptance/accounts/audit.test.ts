import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import {
  type Api,
  bodyWith,
  freshCode,
  makeFolder,
  makeInvitation,
  makeLink,
  makeRecord,
  makeTag,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { as, call, type TestKey } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

interface Row {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string | null };
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly revision: number | null;
  readonly changes: Readonly<Record<string, { from?: unknown; to?: unknown; changed?: true }>>;
  readonly requestId: string | null;
  readonly eventType?: string | null;
}

/**
 * Endpoints to skip. Some change nothing permanently. The others need an authenticator, and `passkeys.test.ts` covers
 * them.
 */
const apart: ReadonlySet<string> = new Set([
  ...[
    'simulate',
    'simulateLink',
    'describeInvitation',
    'describeSignInLink',
    'planManifest',
    'checkImportLines',
  ],
  ...['beginPasskey', 'addPasskey', 'renamePasskey', 'removePasskey', 'askForPasskey', 'signInByPasskey'],
]);
/** Endpoints that add an unusual number of audit rows, and why. */
const counts: Readonly<Record<string, readonly [rows: number, why: string]>> = {
  verifyDomain: [0, 'the domain waits as before: there is no record of it'],
  addImportLines: [1, 'one a link, and the lines have one'],
  bulkLinks: [2, 'one a link, and there are two'],
  ...{ testWebhook: [0, 'nothing is changed'], resendDelivery: [0, 'nothing is changed'] },
  replayWebhook: [0, 'nothing is changed'],
  endSession: [0, 'a key has no session that could end'],
};

describe('the audit log of an account', () => {
  let server: SharedServer;
  let key: TestKey;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    key = await server.newKey();
    api = as(server, key.key);
  });

  const audit = async (by: Api, query = ''): Promise<readonly Row[]> => {
    const { status, json, text } = await by.get(`/api/v1/audit?limit=100${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };
  const account = async () => as(server, (await server.newKey()).key);

  /** Sends a request that changes data, and returns the audit rows that it added. */
  async function rowsAddedBy(endpoint: Endpoint, of: Api) {
    const record = recordOf(endpoint);
    const folder = await makeFolder(of);
    const tag = await makeTag(of);
    const id = record === undefined ? '' : await makeRecord(of, record);
    if (endpoint.name.startsWith('restore')) await of.delete(pathWith(endpoint, id).replace('/restore', ''));
    if (endpoint.name === 'rollBackLink') await of.patch(`/api/v1/links/${id}`, { title: freshCode() });
    if (endpoint.name === 'endOtherSessions') await of.post('/api/v1/session');
    if (endpoint.name === 'deleteBranding') await of.put('/api/v1/branding', { name: 'Acme' });
    const body = { ...bodyWith(endpoint, folder, tag), ...(await bodyFor(endpoint, of)) };
    const before = await audit(of);
    const path = pathWith(endpoint, id);
    const answer = await of[endpoint.method.toLowerCase() as 'post'](path, body);
    assert.equal(answer.status, endpoint.success, answer.text);
    const known = new Set(before.map(({ id }) => id));
    return { answer, rows: (await audit(of)).filter((row) => !known.has(row.id)) };
  }

  async function bodyFor({ name }: Endpoint, of: Api): Promise<object> {
    if (name === 'shorten') return { tags: null };
    if (name === 'renameFolder') return { name: freshCode() };
    if (name === 'updateDomain') return { rootUrl: 'https://example.com/root', isDefault: undefined };
    // On a shared server, the example's code may belong to another account. Then nothing would be imported.
    if (name === 'addImportLines')
      return {
        lines: [{ type: 'link', key: 'a', domain: null, code: freshCode(), url: 'https://example.com/' }],
      };
    if (name === 'acceptInvitation') return { token: (await makeInvitation(of)).token, name: 'Ada' };
    if (name === 'bulkLinks')
      return {
        action: 'create',
        mode: null,
        links: [{ url: 'https://example.com/1' }, { url: 'https://example.com/2' }],
      };
    return {};
  }

  const changing = everyEndpoint.filter(({ method, name }) => method !== 'GET' && !apart.has(name));
  for (const endpoint of changing)
    test(`${endpoint.name} adds exactly one row per change`, async () => {
      const { answer, rows } = await rowsAddedBy(endpoint, api);
      const [expected, why] = counts[endpoint.name] ?? [1, ''];
      assert.equal(rows.length, expected, `${why} ${JSON.stringify(rows)}`);
      for (const { requestId, target, action } of rows) {
        assert.equal(requestId, answer.headers.get('x-request-id'));
        assert.equal(action.split('.')[0], target.kind);
      }
      const told = JSON.stringify(rows);
      for (const secret of [answer.json?.data?.key, answer.json?.key, answer.json?.data?.token])
        if (typeof secret === 'string') assert.ok(!told.includes(secret), 'no secret is returned');
    });

  test('records a given upper-case ID in its stored form', async () => {
    const of = await account();
    const folder = await makeFolder(of);
    assert.equal((await of.delete(`/api/v1/folders/${folder.toUpperCase()}`)).status, 204);
    const [row] = await audit(of, '&action=folder.deleted');
    assert.equal(row?.target.id, folder);
  });

  test('records nothing for a change without effect', async () => {
    const of = await account();
    const id = await makeLink(of, { title: 'Same', tags: ['a'] });
    const folder = await makeFolder(of);
    await of.put('/api/v1/preferences', { values: {} });
    const before = await audit(of);
    await of.patch(`/api/v1/links/${id}`, { title: 'Same', tags: ['a'] });
    await of.patch(`/api/v1/folders/${folder}`, { name: 'Posters' });
    await of.put('/api/v1/preferences', { values: {} });
    await of.delete('/api/v1/branding');
    assert.deepEqual(await audit(of), before);
  });

  test('records who, when, from what to what, with filters and pages', async () => {
    const of = await server.newKey();
    const owner = as(server, of.key);
    const other = (await owner.post('/api/v1/keys', { name: 'deploy', scopes: ['links:write'] })).json;
    const id = await makeLink(owner, { title: 'One' });
    const deploy = as(server, other.key ?? other.data.key);
    await deploy.patch(`/api/v1/links/${id}`, { title: 'Two', password: 'secret word' });
    const folder = await makeFolder(owner);
    await owner.patch(`/api/v1/folders/${folder}`, { name: 'Other' });
    const [renamed, made, updated, created, ofKey] = await audit(owner);
    assert.deepEqual(renamed?.changes, { name: { from: 'Posters', to: 'Other' } });
    assert.deepEqual(renamed?.target, { kind: 'folder', id: folder });
    assert.deepEqual(made?.changes, { name: { from: null, to: 'Posters' } });
    assert.deepEqual([updated?.actor.name, updated?.revision], ['deploy', 2]);
    assert.deepEqual(updated?.changes, {
      title: { from: 'One', to: 'Two' },
      password: { changed: true },
      hasPassword: { from: false, to: true },
    });
    assert.deepEqual([created?.action, created?.actor.id], ['link.created', of.id]);
    assert.deepEqual([ofKey?.action, ofKey?.changes['scopes']?.to], ['key.created', ['links:write']]);
    const actions = async (query: string) => (await audit(owner, query)).map(({ action }) => action);
    assert.deepEqual(await actions(`&target=${folder}`), ['folder.updated', 'folder.created']);
    assert.deepEqual(await actions(`&target=${id}&action=link.updated`), ['link.updated']);
    assert.deepEqual(await actions(`&actor=${updated?.actor.id}`), ['link.updated']);
    assert.deepEqual(await actions('&kind=folder'), ['folder.updated', 'folder.created']);
    assert.deepEqual(await actions('&kind=folder&action=link.updated'), []);
    assert.deepEqual(await actions('&from=2100-01-01'), []);
    assert.equal((await actions('&to=2100-01-01')).length, 6);

    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json }: { json: { data: Row[]; pagination: { nextCursor: string | null } } } = await owner.get(
        `/api/v1/audit?limit=2&cursor=${cursor}`,
      );
      paged.push(...json.data.map(({ action }) => action));
      cursor = json.pagination.nextCursor;
    }
    assert.deepEqual(paged, await actions(''));
    const next = (await owner.get('/api/v1/audit?limit=2')).json.pagination.nextCursor;
    for (const [query, reason] of [
      [`cursor=${next}&action=link.updated`, 'not_allowed'],
      [`cursor=${next}&kind=link`, 'not_allowed'],
      ['kind=nothing', 'unknown_value'],
      ['cursor=5', 'invalid_format'],
      ['from=2027-02-30', 'invalid_format'],
    ] as const) {
      const { status, json } = await owner.get(`/api/v1/audit?${query}`);
      assert.deepEqual([status, json.error?.details[0].reason], [400, reason], query);
    }

    const file = await call(server, 'GET', '/api/v1/audit/export', { key: of.key });
    assert.match(file.headers.get('content-type') ?? '', /x-ndjson/);
    const lines = file.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines, await audit(owner));
  });

  test('include=targetName adds the name of each target, even if deleted', async () => {
    const of = await account();
    const code = freshCode();
    const id = await makeLink(of, { customCode: code });
    await of.patch(`/api/v1/links/${id}`, { title: 'Spring' });
    await of.delete(`/api/v1/links/${id}`);
    const folder = await makeFolder(of);
    await of.delete(`/api/v1/folders/${folder}`);
    await of.put('/api/v1/preferences', { values: { theme: 'dark' } });
    await of.post('/api/v1/invitations', { email: 'ada@example.com', role: 'viewer' });
    const named = (await audit(of, '&include=targetName')).map(
      ({ action, target }) => `${action} ${(target as { name?: string | null }).name}`,
    );
    assert.deepEqual(named.slice(0, 7), [
      'invitation.created ada@example.com',
      'preferences.updated null',
      'folder.deleted Posters',
      'folder.created Posters',
      `link.deleted ${code}`,
      `link.updated ${code}`,
      `link.created ${code}`,
    ]);
  });

  test('include=eventType adds the webhook event type, as link history does', async () => {
    const of = await account();
    const id = await makeLink(of, {});
    const folderId = await makeFolder(of);
    await of.patch(`/api/v1/links/${id}/move`, { folderId });
    await of.put('/api/v1/preferences', { values: { theme: 'dark' } });
    const named = (await audit(of, '&include=eventType')).map(
      ({ action, eventType }) => `${action} ${eventType}`,
    );
    assert.deepEqual(named.slice(0, 4), [
      'preferences.updated null',
      'link.moved link.updated',
      'folder.created folder.created',
      'link.created link.created',
    ]);
    const { data } = (await of.get(`/api/v1/links/${id}/history?include=eventType`)).json;
    assert.deepEqual(
      data.map(({ action, eventType }: Record<string, string>) => `${action} ${eventType}`),
      ['moved link.updated', 'created link.created'],
    );
    assert.ok(!('eventType' in ((await audit(of))[0] ?? {})));
  });

  test('requires its own scope and shows one account only', async () => {
    const reader = (await api.post('/api/v1/keys', { name: 'r', scopes: ['links:read', 'links:write'] }))
      .json;
    const refused = as(server, reader.key ?? reader.data.key);
    for (const path of ['audit', 'audit/export']) {
      const { status, json } = await refused.get(`/api/v1/${path}`);
      assert.deepEqual([status, json.error.code], [403, 'INSUFFICIENT_SCOPE']);
      assert.match(json.error.message, /audit:read/);
    }
    const strangers = await account();
    const id = await makeLink(strangers);
    assert.equal((await audit(api, `&target=${id}`)).length, 0);
    const seen = (await audit(strangers)).map(({ target }) => target);
    assert.deepEqual(seen[0], { kind: 'link', id });
    // The operator created the account's key.
    assert.deepEqual(
      seen.slice(1).map(({ kind }) => kind),
      ['key'],
    );
  });

  test('reads the event log after a position without missing events', async () => {
    const of = await account();
    const id = await makeLink(of, { title: 'One', tags: ['a'], password: 'secret word' });
    const path = '/api/v1/events/log';
    const first = (await of.get(path)).json;
    assert.deepEqual([first.data.length, first.pagination.hasMore], [1, false]);
    const { type, data, timestamp } = first.data[0];
    assert.deepEqual(
      [type, data.id, data.title, data.tags, data.revision, data.hasPassword, data.createdAt],
      ['link.created', id, 'One', ['a'], 1, true, timestamp],
    );
    assert.doesNotMatch(JSON.stringify(first), /secret word|argon/);
    const after = first.pagination.nextCursor;
    assert.deepEqual((await of.get(`${path}?after=${after}`)).json.data, []);
    await of.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.com/two' });
    await of.post('/api/v1/keys', { name: 'is not told' });
    await makeFolder(of);
    await of.delete(`/api/v1/links/${id}`);
    const told: string[] = [];
    for (let place = after, more = true; more; ) {
      const { json } = await of.get(`${path}?limit=1&after=${place}`);
      told.push(...json.data.map((event: { type: string }) => event.type));
      place = json.pagination.nextCursor;
      more = json.pagination.hasMore;
    }
    assert.deepEqual(told, ['link.updated', 'folder.created', 'link.deleted']);
    const [updated] = (await of.get(`${path}?after=${after}`)).json.data;
    assert.deepEqual(updated.data.changes, {
      destinationUrl: { from: 'https://example.com/', to: 'https://example.com/two' },
    });
    assert.deepEqual([updated.data.title, updated.data.revision], ['One', 2]);
    const stranger = await (await account()).get(`${path}?after=${after}`);
    assert.deepEqual([stranger.status, stranger.json.error.details[0].field], [400, 'after']);
  });
});
