import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDns } from '../../support/dns/dns-server.ts';
import { type Answer, type Asked, ask } from '../../support/http/ask.ts';
import { type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import { createJudge, type Judge } from '../../support/http/openapi-judge.ts';
import { answersIn, converse } from '../../support/http/wire.ts';
import { othersKnow, refuseWrites } from '../../support/postgres/databases.ts';
import {
  type Api,
  bodyWith,
  deliveryOf,
  freshCode,
  makeFolder,
  makeImport,
  makeLink,
  makeMember,
  makeRecord,
  makeTag,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';

const unknownId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a99';
const url = 'https://example.com/';
/** Longer than the server's timeout for incomplete requests. */
const timeoutWithinMs = 30_000;

/** Error codes that a client cannot trigger at will. Other tests cover them. */
const ofTheServer = new Set([
  'INTERNAL_ERROR',
  'OVERLOADED',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
  'OIDC_ONLY',
  'REAUTHENTICATION_REQUIRED',
]);

type Fields = Record<string, unknown>;

describe('the OpenAPI document matches responses', () => {
  let server: Server;
  let judge: Judge;
  let dns: DnsServer;
  let account: string;
  let owner: Api;
  const folderLimit = 80;
  let folder: string;
  /** Requests with incomplete headers. Each takes the server's full timeout, so all are started in parallel. */
  let timeouts: Map<Endpoint, Promise<Answer>>;
  const keys = {
    own: '',
    readOnly: '',
    writeOnly: '',
    expired: '',
    suspended: '',
    /** Key of an account at its link limit. */
    full: '',
    /** Key limited to one request per minute. */
    limited: '',
    /** Key of the account that owns the code `launch`. */
    launcher: '',
  };

  before(async () => {
    dns = await startDns();
    server = await startServer({
      DNS_SERVERS: dns.address,
      RATE_LIMITS: 'free=1',
      LINK_QUOTAS: 'starter=1',
      BLOCKED_HOSTS: 'blocked.example',
      FOLDER_LIMIT: String(folderLimit),
      TAG_LIMIT: '200',
    });
    timeouts = new Map(everyEndpoint.map((endpoint) => [endpoint, dawdle(endpoint)]));
    for (const answer of timeouts.values()) answer.catch(() => {}); // Rejections are handled where awaited.
    judge = createJudge((await call(server, 'GET', '/api/v1/openapi.json')).json);
    const own = await server.newKey();
    const { key } = own;
    account = own.account;
    keys.own = key;
    owner = as(server, key);
    folder = await makeFolder(owner);
    keys.readOnly = (await server.newKey({ account, scopes: 'links:read' })).key;
    keys.writeOnly = (await server.newKey({ account, scopes: 'links:write' })).key;
    // A key's expiry. It is late enough for a busy machine. The timeout requests take longer anyway.
    const soon = new Date(Date.now() + 8_000).toISOString();
    keys.expired = (await server.newKey({ account, expires: soon })).key;
    keys.full = (await server.newKey({ plan: 'starter' })).key;
    keys.limited = (await server.newKey({ plan: 'free' })).key;
    keys.launcher = (await server.newKey()).key;
    const suspended = await server.newKey();
    keys.suspended = suspended.key;
    await server.command('accounts', 'suspend', suspended.account);
    await othersKnow();
    while (Date.now() < Date.parse(soon)) await new Promise((resolve) => setTimeout(resolve, 100));
  });
  after(async () => {
    await server.stop();
    await dns.close();
  });

  interface Sent extends Partial<Asked> {
    readonly key?: string | undefined;
    readonly fields?: Fields;
    readonly api?: Api;
  }

  /** Returns a request that would succeed except for the given changes. */
  const requestFor = async (endpoint: Endpoint, sent: Sent = {}): Promise<Asked> => {
    const { key = keys.own, fields, api = owner, headers, ...rest } = sent;
    const record = recordOf(endpoint);
    const path = rest.path ?? pathWith(endpoint, record === undefined ? '' : await makeRecord(api, record));
    const tag = endpoint.fields?.includes('into') ? await makeTag(api) : undefined;
    const good = bodyWith(endpoint, folder, tag) as Fields | undefined;
    const body = good === undefined ? undefined : JSON.stringify({ ...good, ...fields });
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
    return {
      method: endpoint.method,
      body,
      ...rest,
      path,
      headers: { ...type, ...authorization, ...headers },
    };
  };
  const send = async (endpoint: Endpoint, sent: Sent = {}): Promise<Answer> =>
    ask(server, await requestFor(endpoint, sent));

  const raw = async (endpoint: Endpoint, head: string): Promise<Answer> => {
    const bytes = `${endpoint.method} ${pathWith(endpoint, unknownId)} HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`;
    const { text } = await converse(server.port, [bytes], { enough: (so) => answersIn(so).length > 0 });
    return answersIn(text)[0] as Answer;
  };

  const dawdle = (endpoint: Endpoint): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1');
      const tooLate = setTimeout(() => socket.destroy(new Error('no answer')), timeoutWithinMs);
      let text = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const [answer] = answersIn(text);
        if (answer === undefined) return;
        clearTimeout(tooLate);
        socket.destroy();
        resolve(answer);
      });
      socket.write(`${endpoint.method} ${pathWith(endpoint, unknownId)} HTTP/1.1\r\nHost: a\r\n`);
    });

  const sharesUnknown = (endpoint: Endpoint, kind: string) =>
    send(endpoint, { fields: { subjects: [{ kind, id: unknownId }] } });
  /** @param field query field that names the record if the path does not */
  const unknownIn = (endpoint: Endpoint, field = 'linkId'): Promise<Answer> => {
    const path = pathWith(endpoint, unknownId);
    return send(endpoint, { path: endpoint.query.includes(field) ? `${path}?${field}=${unknownId}` : path });
  };

  /** Returns a request with a cookie for a session that does not exist. */
  const withCookie = (
    { fields }: Endpoint,
    from: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Sent => ({
    key: '',
    headers: {
      cookie: `__Host-linkfold=${'a'.repeat(43)}`,
      ...from,
      ...(fields !== undefined && { 'content-type': 'application/json' }),
    },
  });

  /** Sends a field or parameter value that the endpoint rejects. */
  const wrongField = (endpoint: Endpoint): Promise<Answer> => {
    const { fields = [], query } = endpoint;
    if (fields.length > 0)
      return send(endpoint, { fields: Object.fromEntries(fields.map((one) => [one, [{}]])) });
    if (query.length === 0 && endpoint.method === 'GET')
      return send(endpoint, { path: pathWith(endpoint, 'a b') });
    if (query.length === 0)
      return send(endpoint, { headers: { 'idempotency-key': 'a b', 'if-match': 'a b' } });
    // Any non-empty string could be a host.
    const wrong = query.map((name) => (name === 'domain' ? 'domain=' : `${name}=0`)).join('&');
    return send(endpoint, { path: `${pathWith(endpoint, unknownId)}?${wrong}` });
  };

  const provenDomain = async (): Promise<{ id: string; host: string }> => {
    const host = `${freshCode()}.example.com`;
    await server.command('domains', 'create', host, '--account', account, '--proven');
    return (await owner.get('/api/v1/domains')).json.data.find((one: { host: string }) => one.host === host);
  };
  /** @param host the code's domain */
  const onDomain = async (endpoint: Endpoint, host: string): Promise<Answer> => {
    const sent = { fields: { domain: host, customCode: freshCode(), folderId: null } };
    if (endpoint.fields !== undefined) return send(endpoint, sent);
    return send(endpoint, { path: `${pathWith(endpoint, 'launch')}?domain=${host}` });
  };

  type Provoke = (endpoint: Endpoint) => Promise<Answer>;
  const provocations: Record<string, Provoke> = {
    INVALID_JSON: (endpoint) => send(endpoint, { body: '{' }),
    INVALID_BODY: (endpoint) => send(endpoint, { body: '[]' }),
    INVALID_URL: (endpoint) => send(endpoint, { fields: { url: 'ftp://example.com/' } }),
    IMMUTABLE_FIELD: async (endpoint) => {
      if (recordOf(endpoint) !== 'externalId')
        return send(endpoint, { fields: { url: 'https://elsewhere.example/' } });
      const api = as(server, keys.launcher);
      await api.post('/api/v1/shorten', { url, customCode: 'launch' });
      const { id } = (await api.get('/api/v1/links/by-code/launch')).json.data;
      const externalId = freshCode();
      await api.patch(`/api/v1/links/${id}`, { externalId });
      const fields = { customCode: 'elsewhere', folderId: null };
      return send(endpoint, { key: keys.launcher, path: pathWith(endpoint, externalId), fields });
    },
    BAD_REQUEST: (endpoint) => raw(endpoint, 'no header'),
    MISSING_API_KEY: (endpoint) => send(endpoint, { key: '' }),
    INVALID_API_KEY: (endpoint) => send(endpoint, { key: 'lfk_nonsense' }),
    EXPIRED_API_KEY: (endpoint) => send(endpoint, { key: keys.expired }),
    INVALID_SESSION: (endpoint) => send(endpoint, withCookie(endpoint)),
    INVALID_LOGIN_LINK: (endpoint) => send(endpoint, { key: `lfl_${'a'.repeat(43)}` }),
    AMBIGUOUS_CREDENTIALS: (endpoint) =>
      send(endpoint, { headers: { cookie: `__Host-linkfold=${'a'.repeat(43)}` } }),
    CROSS_SITE_REQUEST: (endpoint) => {
      const from = { 'sec-fetch-site': 'cross-site' };
      return endpoint.name === 'createSession'
        ? send(endpoint, { headers: from })
        : send(endpoint, withCookie(endpoint, from));
    },
    INSECURE_CONNECTION: (endpoint) =>
      send(endpoint, { headers: { origin: 'http://192.0.2.1', host: '192.0.2.1' } }),
    SESSION_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    KEY_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    MEMBER_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    INVITATION_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    WEBHOOK_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    DELIVERY_NOT_FOUND: async (endpoint) => {
      const id = await makeRecord(owner, 'webhook');
      return send(endpoint, { path: pathWith(endpoint, id).replace(deliveryOf(id), id) });
    },
    LAST_OWNER: async (endpoint) => {
      const { key } = await server.newKey();
      const { id } = await makeMember(as(server, key), 'owner');
      return send(endpoint, { key, path: pathWith(endpoint, id) });
    },
    MEMBER_HAS_KEYS: async (endpoint) => {
      const { id, cookie } = await makeMember(owner, 'admin');
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      await call(server, 'POST', '/api/v1/keys', { body: { name: 'left behind' }, headers });
      return send(endpoint, { path: pathWith(endpoint, id) });
    },
    INSUFFICIENT_SCOPE: (endpoint) =>
      endpoint.name === 'events'
        ? send(endpoint, { key: keys.readOnly, path: `${pathWith(endpoint, '')}?types=click` })
        : send(endpoint, { key: endpoint.scope === 'links:read' ? keys.writeOnly : keys.readOnly }),
    ACCOUNT_SUSPENDED: (endpoint) => send(endpoint, { key: keys.suspended }),
    LIMIT_REACHED: async (endpoint) => {
      if (endpoint.name === 'createShare') {
        const api = as(server, keys.full);
        for (let made = 0; made < 100; made += 1) await api.post('/api/v1/shares', endpoint.exampleBody);
        return send(endpoint, { key: keys.full });
      }
      if (endpoint.path.endsWith('/share')) {
        const path = pathWith(endpoint, await makeLink(owner));
        for (let made = 0; made < 100; made += 1) await owner.post(path);
        return send(endpoint, { path });
      }
      if (/\/(aliases|code)$/.test(endpoint.path)) {
        const id = await makeLink(owner);
        for (let made = 0; made < 20; made += 1)
          await owner.post(`/api/v1/links/${id}/aliases`, { customCode: freshCode() });
        return send(endpoint, { path: pathWith(endpoint, id) });
      }
      const api = as(server, keys.full);
      if (endpoint.path === '/keys') {
        for (let made = 0; made < 200; made += 1) await api.post('/api/v1/keys', { name: 'one of many' });
        return send(endpoint, { key: keys.full, fields: { expiresAt: null } });
      }
      if (endpoint.path.startsWith('/folders')) {
        const made = async () => (await api.get('/api/v1/folders')).json.folders;
        while ((await made()).length < folderLimit) await makeFolder(api);
        if (endpoint.path === '/folders') return send(endpoint, { key: keys.full });
        const [{ id }] = await made();
        await api.delete(`/api/v1/folders/${id}`);
        await makeFolder(api);
        return send(endpoint, { key: keys.full, path: pathWith(endpoint, id) });
      }
      if (endpoint.path === '/invitations') {
        for (let made = 0; made < 100; made += 1) await makeRecord(api, 'invitation');
        return send(endpoint, { key: keys.full });
      }
      if (endpoint.path === '/domains') {
        for (let made = 0; made < 100; made += 1) await makeRecord(api, 'domain');
        return send(endpoint, { key: keys.full });
      }
      if (endpoint.path === '/webhooks') {
        const { key } = await server.newKey();
        for (let made = 0; made < 100; made += 1) await makeRecord(as(server, key), 'webhook');
        return send(endpoint, { key });
      }
      if (endpoint.path === '/utm-templates') {
        for (let made = 0; made < 100; made += 1) await makeRecord(api, 'template');
        return send(endpoint, { key: keys.full });
      }
      if (endpoint.path === '/tags' || endpoint.method === 'PATCH') {
        while ((await api.get('/api/v1/tags')).json.data.length < 200) await makeTag(api);
        const own = (await api.get('/api/v1/links')).json.data[0]?.id ?? (await makeLink(api));
        const fields = { tags: [freshCode()] };
        const isNamed = recordOf(endpoint) === 'externalId';
        if (isNamed) await api.patch(`/api/v1/links/${own}`, { externalId: 'full' });
        return send(endpoint, {
          key: keys.full,
          path: pathWith(endpoint, isNamed ? 'full' : own),
          fields: endpoint.path === '/tags' ? {} : fields,
        });
      }
      const id = (await api.get('/api/v1/links')).json.data[0]?.id ?? (await makeLink(api));
      if (recordOf(endpoint) === undefined)
        return send(endpoint, { key: keys.full, fields: { folderId: null } });
      await api.delete(`/api/v1/links/${id}`);
      await makeLink(api);
      return send(endpoint, { key: keys.full, path: pathWith(endpoint, id), fields: { folderId: null } });
    },
    ROUTE_NOT_FOUND: (endpoint) =>
      send(endpoint, { path: pathWith(endpoint, unknownId).replace(unknownId, '%zz') }),
    LINK_NOT_FOUND: (endpoint) =>
      endpoint.name === 'createShare' ? sharesUnknown(endpoint, 'link') : unknownIn(endpoint),
    TOO_MANY_STREAMS: async (endpoint) => {
      const { key } = await server.newKey();
      const over = new AbortController();
      const one = () =>
        fetch(server.url + pathWith(endpoint, ''), {
          headers: { authorization: `Bearer ${key}` },
          signal: over.signal,
        });
      try {
        await Promise.all(Array.from({ length: 50 }, one));
        return await send(endpoint, { key });
      } finally {
        over.abort();
      }
    },
    TAG_NOT_FOUND: (endpoint) =>
      endpoint.name === 'createShare' ? sharesUnknown(endpoint, 'tag') : unknownIn(endpoint, 'tagId'),
    TAG_NAME_TAKEN: async (endpoint) => {
      await owner.post('/api/v1/tags', { name: 'Spring' });
      return send(endpoint, { fields: { name: 'Spring' } });
    },
    UTM_TEMPLATE_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    UTM_TEMPLATE_NAME_TAKEN: async (endpoint) => {
      await owner.post('/api/v1/utm-templates', { name: 'Newsletter', utm: { source: 'x' } });
      return send(endpoint, { fields: { name: 'Newsletter' } });
    },
    DOMAIN_NOT_FOUND: async (endpoint) => {
      if (/^create(?:Key|Invitation)$/.test(endpoint.name))
        return send(endpoint, { fields: { domains: ['none.example.com'] } });
      if (endpoint.name !== 'restoreLink')
        return recordOf(endpoint) === 'domain' ? unknownIn(endpoint) : onDomain(endpoint, 'none.example.com');
      const domain = await provenDomain();
      const id = await makeLink(owner, { domain: domain.host });
      await owner.delete(`/api/v1/links/${id}`);
      await owner.delete(`/api/v1/domains/${domain.id}`);
      return send(endpoint, { path: pathWith(endpoint, id) });
    },
    DOMAIN_NOT_ACTIVE: async (endpoint) => {
      if (endpoint.path.startsWith('/domains')) return send(endpoint, { fields: { isDefault: true } });
      await owner.post('/api/v1/domains', { host: 'go.example.com' });
      return onDomain(endpoint, 'go.example.com');
    },
    DOMAIN_TAKEN: async (endpoint) => {
      if (recordOf(endpoint) === undefined) {
        const fields = { host: `${freshCode()}.example.com` };
        await send(endpoint, { fields });
        return send(endpoint, { fields });
      }
      const { host } = await provenDomain();
      const api = as(server, keys.launcher);
      const { id, records } = (await api.post('/api/v1/domains', { host })).json.data;
      dns.zone[records[0].name] = { TXT: [records[0].value] };
      return send(endpoint, { key: keys.launcher, path: pathWith(endpoint, id) });
    },
    DOMAIN_IN_USE: async (endpoint) => {
      const { id, host } = await provenDomain();
      const link = await makeLink(owner, { domain: host });
      if (recordOf(endpoint) === undefined) {
        await owner.delete(`/api/v1/links/${link}`);
        await owner.delete(`/api/v1/domains/${id}`);
        return send(endpoint, { fields: { host, codes: 'exact' } });
      }
      return send(endpoint, { path: pathWith(endpoint, id), fields: { codes: 'exact' } });
    },
    SHARE_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    IMPORT_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    IMPORT_POSITION: (endpoint) => send(endpoint, { fields: { position: 5 } }),
    IMPORT_STATE: async (endpoint) => {
      const path = pathWith(endpoint, await makeImport(owner));
      const at = path.replace(/\/lines$/, '');
      if (endpoint.method === 'PATCH') await owner.post(`${at}/undo`);
      else await owner.patch(at, { state: 'paused' });
      return send(endpoint, { path });
    },
    ALIAS_NOT_FOUND: (endpoint) => unknownIn(endpoint),
    FOLDER_NOT_FOUND: (endpoint) =>
      /^create(?:Key|Invitation)$/.test(endpoint.name)
        ? send(endpoint, { fields: { folders: [unknownId] } })
        : endpoint.name === 'createShare'
          ? sharesUnknown(endpoint, 'folder')
          : recordOf(endpoint) === 'folder' || endpoint.method === 'GET'
            ? unknownIn(endpoint, 'folderId')
            : send(endpoint, { fields: { folderId: unknownId } }),
    REQUEST_TIMEOUT: (endpoint) => timeouts.get(endpoint) ?? dawdle(endpoint),
    EXTERNAL_ID_TAKEN: async (endpoint) => {
      const fields = { customCode: freshCode(), folderId: null, externalId: 'crm-1042' };
      if (recordOf(endpoint) === undefined) {
        await send(endpoint, { fields });
        return send(endpoint, { fields: { ...fields, customCode: freshCode() } });
      }
      const named = (await owner.get('/api/v1/links?externalId=crm-1042')).json.data[0]?.id;
      if (endpoint.method === 'PATCH') {
        if (named === undefined) await makeLink(owner, { externalId: 'crm-1042' });
        return send(endpoint, { fields: { externalId: 'crm-1042' } });
      }
      if (named !== undefined) await owner.delete(`/api/v1/links/${named}`);
      const id = await makeLink(owner, { externalId: 'crm-1042' });
      const isRollBack = endpoint.path.includes(':revision');
      if (isRollBack) await owner.patch(`/api/v1/links/${id}`, { externalId: null });
      else await owner.delete(`/api/v1/links/${id}`);
      await makeLink(owner, { externalId: 'crm-1042' });
      return send(endpoint, { path: pathWith(endpoint, id) });
    },
    LINK_EXISTS: async (endpoint) => {
      await makeLink(owner);
      return send(endpoint, { fields: { customCode: freshCode(), folderId: null, ifExists: 'fail' } });
    },
    CUSTOM_CODE_TAKEN: async (endpoint) => {
      const key = keys.launcher;
      const api = as(server, key);
      const launch = { url, customCode: 'launch' };
      await api.post('/api/v1/shorten', launch);
      const id = (await api.get('/api/v1/links')).json.data[0].id;
      if (/\/(aliases|code)$/.test(endpoint.path)) {
        const path = pathWith(endpoint, await makeLink(api));
        return send(endpoint, { key, path, fields: { customCode: 'launch' } });
      }
      if (recordOf(endpoint) === 'link') {
        // The account that owned a deleted link may reuse its code.
        await api.delete(`/api/v1/links/${id}`);
        await api.post('/api/v1/shorten', launch);
      }
      const fields = { customCode: 'launch', folderId: null };
      return send(endpoint, { key, path: pathWith(endpoint, id), fields });
    },
    CUSTOM_CODE_RESERVED: (endpoint) => send(endpoint, { fields: { customCode: 'login' } }),
    IDEMPOTENCY_KEY_REUSED: async (endpoint) => {
      const headers = { 'idempotency-key': freshCode() };
      await owner.post('/api/v1/tags', { name: freshCode() }, headers);
      return send(endpoint, { headers });
    },
    SECRET_SHOWN_BEFORE: async (endpoint) => {
      const request = await requestFor(endpoint, { headers: { 'idempotency-key': freshCode() } });
      await ask(server, request);
      return ask(server, request);
    },
    IDEMPOTENCY_IN_PROGRESS: async (endpoint) => {
      const request = await requestFor(endpoint, { headers: { 'idempotency-key': freshCode() } });
      const release = await refuseWrites(server.dataDir);
      const first = ask(server, request);
      try {
        // Retries until the first request is in progress, because the second is rejected only then. Before that, the
        // second would simply wait as well.
        for (let tries = 0; tries < 50; tries += 1) {
          const second = ask(server, request);
          const soon = new Promise<void>((resolve) => setTimeout(resolve, 100));
          const answer = await Promise.race([second, soon]);
          if (answer) return answer;
          second.catch(() => {});
        }
        return assert.fail('the second request was never rejected');
      } finally {
        await release();
        const complaint = complaintAbout(request, await first);
        assert.equal(complaint, undefined);
      }
    },
    BODY_TOO_LARGE: (endpoint) =>
      send(endpoint, {
        body: 'x'.repeat(/bulk|lines$|plan$|manifests/.test(endpoint.path) ? 2_200_000 : 70_000),
      }),
    BULK_REFUSED: (endpoint) =>
      send(endpoint, { fields: { mode: 'atomic', links: [{ url, customCode: 'login' }] } }),
    MANIFEST_DRIFTED: (endpoint) =>
      send(endpoint, { fields: { seen: [{ id: '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10', revision: 4 }] } }),
    COUNT_DIFFERS: async (endpoint) => {
      if (!endpoint.path.startsWith('/manifests'))
        return send(endpoint, {
          fields: { action: 'delete', links: null, filter: { externalId: freshCode() }, expectedCount: 1 },
        });
      const path = pathWith(endpoint, '');
      await owner.post(path, { links: [{ url, customCode: freshCode() }], seen: [] });
      const without = { links: [], absent: 'delete' };
      const { seen } = (await owner.post(path.replace('apply', 'plan'), without)).json.data;
      return send(endpoint, { path, fields: { ...without, seen } });
    },
    REVISION_MISMATCH: async (endpoint) => {
      const externalId = freshCode();
      const id = await makeLink(owner, { externalId });
      for (const title of ['a', 'b', 'c']) await owner.patch(`/api/v1/links/${id}`, { title });
      const path = pathWith(endpoint, endpoint.path.includes(':externalId') ? externalId : id);
      return send(endpoint, { path, headers: { 'if-match': '"99"' } });
    },
    REVISION_NOT_FOUND: async (endpoint) => {
      const path = pathWith(endpoint, await makeLink(owner));
      return send(endpoint, { path: path.replace('/history/1', '/history/2') });
    },
    URI_TOO_LONG: (endpoint) =>
      send(endpoint, { path: `${pathWith(endpoint, unknownId)}?x=${'x'.repeat(5_000)}` }),
    UNSUPPORTED_MEDIA_TYPE: (endpoint) => send(endpoint, { headers: { 'content-type': 'text' } }),
    EXPECTATION_FAILED: (endpoint) => send(endpoint, { headers: { expect: 'miracles' } }),
    INVALID_CUSTOM_CODE: (endpoint) =>
      endpoint.method === 'GET'
        ? send(endpoint, { path: `${pathWith(endpoint, '')}?customCode=spring%20launch` })
        : send(endpoint, { fields: { customCode: 'spring launch' } }),
    INVALID_TEMPLATE: async (endpoint) => {
      const externalId = freshCode();
      const link = await makeLink(owner, { template: true, externalId });
      const path = pathWith(endpoint, endpoint.path.includes(':externalId') ? externalId : link);
      return send(endpoint, { path, fields: { url: 'https://example.com/{foo}', template: true } });
    },
    APPENDS_TO_TEMPLATE: (endpoint) => send(endpoint, { fields: { url, template: true, appendPath: true } }),
    DESTINATION_BLOCKED: (endpoint) => send(endpoint, { fields: { url: 'https://blocked.example/' } }),
    SELF_REFERENTIAL_URL: (endpoint) => send(endpoint, { fields: { url: `${server.url}/launch` } }),
    EXPIRY_IN_PAST: (endpoint) => send(endpoint, { fields: { expiresAt: '2020-01-01' } }),
    RATE_LIMIT_EXCEEDED: async (endpoint) => {
      // Sends up to three requests, because the rate limit's minute may end between two of them.
      await send(endpoint, { key: keys.limited });
      const answer = await send(endpoint, { key: keys.limited });
      return answer.status === 429 ? answer : send(endpoint, { key: keys.limited });
    },
    HEADERS_TOO_LARGE: (endpoint) => send(endpoint, { headers: { 'x-long': 'x'.repeat(20_000) } }),
  };

  const complaintAbout = (request: Asked, answer: Answer): string | undefined =>
    judge.complaintAbout({
      method: request.method ?? 'GET',
      path: request.path,
      status: answer.status,
      text: answer.text,
      header: (name) => answer.headers[name]?.toString(),
      headerNames: Object.keys(answer.headers),
    });

  /** Returns an error as a string without the limits, hosts and IDs that differ between installations. */
  const errorText = ({ message, details }: { message: string; details?: unknown }): string =>
    JSON.stringify({ message, details })
      .replace(/limit of \d+/, 'limit of …')
      .replaceAll(/fresh-[\w-]+\.example\.com/g, 'go.example.com')
      .replaceAll(/(created|delete) [\w-]{8,36}(?=\.| and)/g, '$1 …')
      .replaceAll(/link \\"[\w-]+\\" with the id [0-9a-f-]{36}/g, 'link …');

  for (const endpoint of everyEndpoint) {
    const { method } = endpoint;

    test(`${endpoint.name}: returns the documented success`, async () => {
      const ofDomains = 'certificate,associationFiles';
      const own: Record<string, string> = {
        audit: 'targetName,eventType',
        linkHistory: 'eventType',
        listFolders: 'expiredUrl',
        listTags: 'clicksByDay',
        listDomains: ofDomains,
        getDomain: ofDomains,
      };
      const words = own[endpoint.name] ?? 'title,status';
      const paths = [undefined, ...(endpoint.query.includes('include') ? [`?include=${words}`] : [])];
      for (const query of paths) {
        const request = await requestFor(endpoint);
        const asked = { ...request, path: request.path + (query ?? '') };
        const answer = await ask(server, asked);
        assert.equal(answer.status, endpoint.success, answer.text);
        assert.equal(complaintAbout(asked, answer), undefined);
      }
    });

    test(`${endpoint.name}: returns every documented failure, word for word`, async () => {
      const operation = judge.operationOf(method, pathWith(endpoint, unknownId));
      assert.ok(operation !== undefined);
      const failures = judge.failuresOf(operation).filter(({ code }) => !ofTheServer.has(code));
      assert.ok(failures.length > 10);
      const complaints: string[] = [];
      const judgeFailure = async ({ code, status, example }: (typeof failures)[number]): Promise<void> => {
        const severally = {
          customCode: 'spring launch',
          url: `${server.url}/launch`,
          ...(/simulate|updateLinkBy/.test(endpoint.name) && { expiresAt: '2020-01-01' }),
        };
        const provoke =
          code === 'VALIDATION_ERROR'
            ? () => (status === 422 ? send(endpoint, { fields: severally }) : wrongField(endpoint))
            : () => provocations[code]?.(endpoint);
        const answer = await provoke();
        if (answer === undefined) return void complaints.push(`${code} cannot be provoked`);
        const { error = {} } = JSON.parse(answer.text);
        if (error.code !== code || answer.status !== status)
          return void complaints.push(`${code} ${status} is ${answer.status} ${answer.text}`);
        const complaint = complaintAbout({ method, path: pathWith(endpoint, unknownId) }, answer);
        if (complaint !== undefined) complaints.push(complaint);
        // All endpoints share one example of invalid fields.
        if (code === 'VALIDATION_ERROR' && status === 400) return;
        const [shown, given] = [errorText(example.error), errorText(error)];
        if (shown !== given) complaints.push(`${code} says ${given}, the example ${shown}`);
      };
      for (const failure of failures) await judgeFailure(failure);
      assert.deepEqual(complaints, []);
    });
  }
});
