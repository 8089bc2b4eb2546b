import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { apiPrefix, type Endpoint, everyEndpoint, statusOf } from '../../support/http/openapi.ts';
import { othersKnow } from '../../support/postgres/databases.ts';
import {
  type Api,
  bodyWith,
  makeFolder,
  makeRecord,
  makeTag,
  notFound,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { type Answer, as, call, type Service, type TestKey } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';
import { words } from '../../support/words.ts';

const holders = [
  'no key',
  'a malformed key',
  'a bad checksum',
  'an unknown key',
  'an expired key',
  'a revoked key',
  'a read-only key',
  'a write-only key',
  'a key with every scope',
  "another account's key",
] as const;
type Holder = (typeof holders)[number];

const unauthenticated: Partial<Record<Holder, string>> = {
  'no key': 'MISSING_API_KEY',
  'a malformed key': 'INVALID_API_KEY',
  'a bad checksum': 'INVALID_API_KEY',
  'an unknown key': 'INVALID_API_KEY',
  'an expired key': 'EXPIRED_API_KEY',
  'a revoked key': 'INVALID_API_KEY',
};

/** Returns the expected error code for a request on the owner's record, or undefined if the request succeeds. */
function refusalOf(holder: Holder, endpoint: Endpoint): string | undefined {
  const { scope, alsoScope } = endpoint;
  if (unauthenticated[holder] !== undefined) return unauthenticated[holder];
  const needed = [scope, alsoScope].filter((one) => one !== null);
  if (holder === 'a read-only key' && needed.some((one) => one !== 'links:read')) return 'INSUFFICIENT_SCOPE';
  if (holder === 'a write-only key' && needed.some((one) => one !== 'links:write'))
    return 'INSUFFICIENT_SCOPE';
  // A key receives only the events that it may read.
  if (endpoint.name === 'events' && holder === 'a write-only key') return 'INSUFFICIENT_SCOPE';
  const record = recordOf(endpoint);
  // Sessions are visible to the key that created them, and to keys with keys:write.
  if (record === 'session') return holder === 'a key with every scope' ? undefined : 'SESSION_NOT_FOUND';
  if (holder !== "another account's key") return undefined;
  // External IDs are per account: the other account creates a new link and does not find the existing one.
  if (record === 'externalId') return endpoint.method === 'PUT' ? undefined : 'LINK_NOT_FOUND';
  return record && notFound[record];
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);
}

const challenges: Record<string, string> = {
  MISSING_API_KEY: 'Bearer realm="linkfold"',
  INVALID_API_KEY: 'Bearer realm="linkfold", error="invalid_token"',
  EXPIRED_API_KEY: 'Bearer realm="linkfold", error="invalid_token"',
};

function assertRefused(answer: Answer, code: string, what: string): void {
  assert.equal(answer.json?.error?.code, code, `${what} got ${answer.status} ${answer.text}`);
  assert.equal(answer.status, statusOf.get(code), what);
  assert.equal(answer.headers.get('www-authenticate'), challenges[code] ?? null, what);
  assert.equal(answer.json.success, false, what);
}

/** A well-formed key, with a valid checksum, that exists on no server. */
const unknownKey = 'lfk_p8qiNw8HnDNRneT1Z9RgisH8rYxEYlullxH1hE3LrBF8';

describe('permissions of each key', () => {
  let server: Service;
  const keys = new Map<Holder, string | undefined>();
  let both: TestKey;
  let owner: Api;
  let ownFolder: string;
  let otherFolder: string;

  before(async () => {
    server = await sharedServer();
    both = await server.newKey();
    const { account, key } = both;
    // Created first, so that this key expires while the other keys are being created.
    const expired = await server.newKey({ account, expires: new Date(Date.now() + 12_000).toISOString() });
    assert.equal(
      (await call(server, 'GET', '/api/v1/me', { key: expired.key })).status,
      200,
      'live at first',
    );
    keys.set('an expired key', expired.key);
    const revoked = await server.newKey({ account });
    const others = await server.newKey();
    keys.set('no key', undefined);
    keys.set('a malformed key', 'lfk_nonsense');
    keys.set('a bad checksum', key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'));
    keys.set('an unknown key', unknownKey);
    keys.set('a revoked key', revoked.key);
    keys.set('a read-only key', (await server.newKey({ account, scopes: 'links:read' })).key);
    keys.set('a write-only key', (await server.newKey({ account, scopes: 'links:write' })).key);
    keys.set('a key with every scope', key);
    keys.set("another account's key", others.key);
    owner = as(server, key);
    ownFolder = await makeFolder(owner);
    otherFolder = await makeFolder(as(server, others.key));
    assert.equal(
      (await call(server, 'GET', '/api/v1/me', { key: revoked.key })).status,
      200,
      'live at first',
    );
    await server.command('keys', 'revoke', revoked.id);
    for (const [holder, { key: dead }] of Object.entries({ revoked, expired })) {
      const isRefused = async () => (await call(server, 'GET', '/api/v1/me', { key: dead })).status === 401;
      await until(`a key is ${holder}`, isRefused);
    }
  });

  /**
   * Sends a request that would succeed with the owner's key. A request that must succeed gets a new record, and a
   * request that must be rejected gets a spare one.
   */
  const attempt = async (
    endpoint: Endpoint,
    key: string | undefined,
    folder: string,
    isRefused: boolean,
  ): Promise<Answer> => {
    const id = isRefused ? await spareOf(endpoint) : await recordFor(endpoint);
    const tag = endpoint.fields?.includes('into') ? await makeTag(owner) : undefined;
    return call(server, endpoint.method, pathWith(endpoint, id), {
      key,
      body: bodyWith(endpoint, folder, tag),
    });
  };
  const recordFor = async (endpoint: Endpoint): Promise<string> => {
    const record = recordOf(endpoint);
    return record === undefined ? '' : makeRecord(owner, record);
  };
  const spares = new Map<string, string>();
  /** Returns an endpoint's spare record. Only requests that must be rejected use it, so it never changes. */
  const spareOf = async (endpoint: Endpoint): Promise<string> => {
    const id = spares.get(endpoint.name) ?? (await recordFor(endpoint));
    spares.set(endpoint.name, id);
    return id;
  };

  for (const endpoint of everyEndpoint) {
    for (const holder of holders) {
      const refusal = refusalOf(holder, endpoint);
      test(`${endpoint.name} with ${holder}: ${refusal ?? endpoint.success}`, async () => {
        const folder = holder === "another account's key" ? otherFolder : ownFolder;
        const answer = await attempt(endpoint, keys.get(holder), folder, refusal !== undefined);
        if (refusal !== undefined) return assertRefused(answer, refusal, endpoint.name);
        const isMade = holder === "another account's key" && recordOf(endpoint) === 'externalId';
        assert.equal(answer.status, isMade ? 201 : endpoint.success, answer.text);
        if (endpoint.success === 204) assert.equal(answer.text, '');
        else if (!endpoint.givesFile) assert.equal(answer.json.success, true);
      });
    }
  }

  test('requires links:read for reading, links:write otherwise (document §5.2); separate scopes for statistics, keys and members, none for sessions', () => {
    for (const { name, method, path, scope } of everyEndpoint) {
      const read = /\/(?:stats|clicks|missed-visits)(?:\/export)?$/.test(path)
        ? 'analytics:read'
        : 'links:read';
      // `simulate` and `plan` accept a body but change nothing.
      const reads = method === 'GET' || /\/(?:simulate|plan)$/.test(path);
      const ofLinks = reads ? read : 'links:write';
      const isOfAccount = /^\/(?:domains|account|branding)(?:\/|$)/.test(path);
      const ofDomains = isOfAccount && !reads ? 'domains:write' : ofLinks;
      const ofPeople = /^\/(?:members|invitations)(?:\/|$)/.test(path) ? 'people:write' : ofDomains;
      const documented = /^\/keys(?:\/|$)/.test(path) ? 'keys:write' : ofPeople;
      if (/^\/audit(?:\/|$)/.test(path)) assert.equal(scope, 'audit:read', name);
      else if (/^\/webhooks(?:\/|$)/.test(path)) assert.equal(scope, 'webhooks:write', name);
      else
        assert.equal(
          scope,
          /^\/(?:(?:me|sessions?|sign-in-links)(?:\/|$)|events$)/.test(path) ? null : documented,
          name,
        );
    }
    assert.ok(everyEndpoint.length >= 16);
  });

  test('names the missing scope in an error', async () => {
    const read = await call(server, 'POST', '/api/v1/folders', {
      key: keys.get('a read-only key'),
      body: {},
    });
    assert.match(read.json.error.message, /links:write/);
    const write = await call(server, 'GET', '/api/v1/links', { key: keys.get('a write-only key') });
    assert.match(write.json.error.message, /links:read/);
  });

  test('accepts only "Bearer <key>", with the scheme in any case', async () => {
    const get = (authorization: string) => call(server, 'GET', '/api/v1/me', { headers: { authorization } });
    for (const good of [`Bearer ${both.key}`, `bearer ${both.key}`, `BEARER  ${both.key} `]) {
      assert.equal((await get(good)).status, 200, good.slice(0, 8));
    }
    const bad = [
      '',
      'Bearer',
      'Bearer ',
      both.key,
      `Basic ${both.key}`,
      `Token ${both.key}`,
      `Bearer:${both.key}`,
    ];
    const worse = [
      `Bearer ${both.key} x`,
      `Bearer ${both.key},`,
      `Bearer "${both.key}"`,
      `Bearer <${both.key}>`,
    ];
    const worst = [`Bearer x, Bearer ${both.key}`, `Bearer ${both.key.toLowerCase()}`, `Bearer ${both.id}`];
    for (const wrong of [...bad, ...worse, ...worst, `Bearer ${'a'.repeat(10_000)}`, 'Bearer null']) {
      assertRefused(await get(wrong), 'INVALID_API_KEY', wrong.slice(0, 12));
    }
    const query = await call(server, 'GET', `/api/v1/me?api_key=${both.key}&access_token=${both.key}`);
    assertRefused(query, 'MISSING_API_KEY', 'a key in the query');
  });

  test('returns 403 from every endpoint for a suspended account, and works again when resumed', async () => {
    const suspended = await server.newKey();
    const api = as(server, suspended.key);
    const folder = await makeFolder(api);
    await server.command('accounts', 'suspend', suspended.account);
    await othersKnow();
    for (const endpoint of everyEndpoint) {
      const answer = await attempt(endpoint, suspended.key, folder, true);
      assertRefused(answer, 'ACCOUNT_SUSPENDED', endpoint.name);
    }
    await server.command('accounts', 'resume', suspended.account);
    await othersKnow();
    assert.equal((await api.get('/api/v1/me')).status, 200);
  });

  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
  const paths = Map.groupBy(everyEndpoint, ({ path }) => path);
  const keyless = ['/openapi.json', '/docs'].map((path) => [path, [{ method: 'GET' }]] as const);
  for (const [path, declared] of [...paths, ...keyless]) {
    // A request to `/links/bulk` also matches `/links/:id`.
    const also = [...paths].filter(
      ([other]) => other !== path && !path.includes(':') && matches(other, path),
    );
    const every = [...declared, ...also.flatMap(([, others]) => others)];
    const allowed = new Set<string>(every.map(({ method }) => method));
    if (allowed.has('GET')) allowed.add('HEAD');
    test(`${path} returns 405 with Allow for every method except ${[...allowed].join(', ')}`, async () => {
      const target = apiPrefix + path.replace(/:\w+/, '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10');
      for (const method of methods.filter((one) => !allowed.has(one))) {
        // The allowed methods do not depend on the key, so only one method is tested with a key.
        const headers = method === 'PROPFIND' ? { authorization: `Bearer ${both.key}` } : {};
        const answer = await ask(server, { method, path: target, headers });
        assert.equal(answer.status, 405, `${method}: ${answer.text}`);
        assert.deepEqual(new Set(String(answer.headers.allow).split(', ')), allowed, method);
        if (method !== 'HEAD') assert.equal(JSON.parse(answer.text).error.code, 'METHOD_NOT_ALLOWED');
      }
    });
  }

  test('answers HEAD like GET, without the body', async () => {
    for (const endpoint of everyEndpoint) {
      if (endpoint.method !== 'GET') continue;
      const record = recordOf(endpoint);
      const path = pathWith(endpoint, record === undefined ? '' : await makeRecord(owner, record));
      for (const holder of ['a key with every scope', 'a write-only key', 'no key'] as const) {
        const key = keys.get(holder);
        const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
        const [got, headed] = [
          await ask(server, { path, headers }),
          await ask(server, { method: 'HEAD', path, headers }),
        ];
        const what = `${endpoint.name} with ${holder}`;
        assert.equal(headed.status, got.status, what);
        assert.equal(headed.text, '', what);
        for (const header of ['content-type', 'content-length', 'cache-control', 'www-authenticate']) {
          assert.equal(headed.headers[header], got.headers[header], `${what}: ${header}`);
        }
      }
    }
  });

  test('accepts one trailing slash, but not two', async () => {
    for (const endpoint of everyEndpoint) {
      const record = recordOf(endpoint);
      const id = record === undefined ? '' : await makeRecord(owner, record);
      const [path, body] = [pathWith(endpoint, id), bodyWith(endpoint, ownFolder, await makeTag(owner))];
      const twice = await call(server, endpoint.method, `${path}//`, { key: both.key, body });
      assert.ok([404, 405].includes(twice.status), `${endpoint.name} with two slashes: ${twice.text}`);
      const once = await call(server, endpoint.method, `${path}/`, { key: both.key, body });
      assert.equal(once.status, endpoint.success, `${endpoint.name} with one slash: ${once.text}`);
    }
    for (const path of ['/healthz', '/readyz', '/robots.txt', '/api/v1/openapi.json']) {
      for (const query of ['', '?x=1']) {
        assert.equal((await call(server, 'GET', `${path}/${query}`)).status, 200, path);
        assert.equal((await call(server, 'GET', `${path}//${query}`)).status, 404, path);
      }
    }
  });

  test('returns 404 for an unknown path, with or without a key', async () => {
    const unknown = words('/api /api/ /api/v1 /api/v1/ /api/v2/links /api/v1/Links /api/v1/links/a/b');
    for (const path of [
      ...unknown,
      '/api/v1/nothing',
      '/api/v1//links',
      '/api/v1/links/a/move/b',
      '/api/v1/%6cinks2',
    ]) {
      for (const key of [undefined, both.key]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answer = await call(server, method, path, { key, ...(method === 'POST' && { body: '{' }) });
          assertRefused(answer, 'ROUTE_NOT_FOUND', `${method} ${path}`);
        }
      }
    }
  });

  test('requires no key for public paths', async () => {
    for (const path of ['/api/v1/openapi.json', '/api/v1/docs', '/healthz', '/readyz', '/']) {
      assert.equal((await call(server, 'GET', path)).status, 200, path);
    }
  });
});
