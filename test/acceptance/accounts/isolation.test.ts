import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Answer, ask } from '../../support/http/ask.ts';
import { comparable } from '../../support/http/comparable.ts';
import { type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import {
  type Api,
  bodyWith,
  freshCode,
  makeFolder,
  makeImport,
  makeLink,
  makeRecord,
  makeShare,
  makeTag,
  notFound,
  pathWith,
  type RecordKind,
  recordOf,
} from '../../support/server/records.ts';
import { as, type Service, type TestKey } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

/** IDs for which another account must get the same response. */
interface Ids {
  readonly foreign: string;
  readonly foreignDeleted: string;
  readonly deleted: string;
  readonly unknown: string;
  readonly malformed: string;
}

const unknownId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
describe('an account cannot see that another one has a record', () => {
  let server: Service;
  let caller: TestKey;
  let own: Api;
  let owner: Api;
  let links: Ids;
  let folders: Ids;
  let codes: Ids;
  let tags: Ids;
  let sessions: Ids;
  let keys: Ids;
  let shares: Ids;
  let templates: Ids;
  let domains: Ids;
  let members: Ids;
  let invitations: Ids;
  let imports: Ids;
  let webhooks: Ids;
  /** Host of the other account's active domain. */
  let proven: string;
  let aliases: Ids;

  before(async () => {
    server = await sharedServer();
    caller = await server.newKey();
    own = as(server, caller.key);
    const ofOwner = await server.newKey();
    owner = as(server, ofOwner.key);
    proven = `${freshCode()}.example.com`.toLowerCase();
    await server.command('domains', 'create', proven, '--account', ofOwner.account, '--proven');
    await owner.post('/api/v1/shorten', {
      url: 'https://example.com',
      domain: proven,
      customCode: 'secret-code',
    });
    const [foreignFolder, foreignDeletedFolder, deletedFolder] = [
      await makeFolder(owner),
      await makeFolder(owner),
      await makeFolder(own),
    ];
    const foreign = () => ({
      title: 'secret',
      description: 'secret',
      folderId: foreignFolder,
      customCode: freshCode(),
    });
    const [foreignBody, theirDeleted, mineDeleted] = [foreign(), foreign(), { customCode: freshCode() }];
    const [foreignLink, foreignDeletedLink, deletedLink] = [
      await makeLink(owner, foreignBody),
      await makeLink(owner, theirDeleted),
      await makeLink(own, mineDeleted),
    ];
    await owner.delete(`/api/v1/links/${foreignDeletedLink}`);
    await owner.delete(`/api/v1/folders/${foreignDeletedFolder}`);
    await own.delete(`/api/v1/links/${deletedLink}`);
    await own.delete(`/api/v1/folders/${deletedFolder}`);
    const nobodys = { unknown: unknownId, malformed: 'not-a-uuid' };
    links = { foreign: foreignLink, foreignDeleted: foreignDeletedLink, deleted: deletedLink, ...nobodys };
    const beginSession = async (api: Api) => (await api.post('/api/v1/session')).json.data.id;
    // Imports are never deleted, so the foreign import stands in for a deleted one.
    const theirImport = await makeImport(owner);
    imports = { foreign: theirImport, foreignDeleted: theirImport, deleted: unknownId, ...nobodys };
    sessions = {
      foreign: await beginSession(owner),
      foreignDeleted: await beginSession(owner),
      deleted: await beginSession(own),
      ...nobodys,
    };
    await owner.delete(`/api/v1/sessions/${sessions.foreignDeleted}`);
    await own.delete(`/api/v1/sessions/${sessions.deleted}`);
    const makeKey = async (api: Api) => (await api.post('/api/v1/keys', { name: 'an API key' })).json.data.id;
    keys = {
      foreign: await makeKey(owner),
      foreignDeleted: await makeKey(owner),
      deleted: await makeKey(own),
      ...nobodys,
    };
    await owner.delete(`/api/v1/keys/${keys.foreignDeleted}`);
    await own.delete(`/api/v1/keys/${keys.deleted}`);
    codes = {
      foreign: foreignBody.customCode,
      foreignDeleted: theirDeleted.customCode,
      deleted: mineDeleted.customCode,
      unknown: freshCode(),
      malformed: '-no*code',
    };
    const [foreignTag, foreignDeletedTag, deletedTag] = [
      await makeTag(owner),
      await makeTag(owner),
      await makeTag(own),
    ];
    await owner.delete(`/api/v1/tags/${foreignDeletedTag}`);
    await own.delete(`/api/v1/tags/${deletedTag}`);
    tags = { foreign: foreignTag, foreignDeleted: foreignDeletedTag, deleted: deletedTag, ...nobodys };
    const [foreignShare, foreignRevoked, revoked] = [
      await makeShare(owner),
      await makeShare(owner),
      await makeShare(own),
    ];
    await owner.delete(`/api/v1/shares/${foreignRevoked}`);
    await own.delete(`/api/v1/shares/${revoked}`);
    shares = { foreign: foreignShare, foreignDeleted: foreignRevoked, deleted: revoked, ...nobodys };
    const [foreignTemplate, foreignDropped, dropped] = [
      await makeRecord(owner, 'template'),
      await makeRecord(owner, 'template'),
      await makeRecord(own, 'template'),
    ];
    await owner.delete(`/api/v1/utm-templates/${foreignDropped}`);
    await own.delete(`/api/v1/utm-templates/${dropped}`);
    templates = { foreign: foreignTemplate, foreignDeleted: foreignDropped, deleted: dropped, ...nobodys };
    const [foreignDomain, foreignGivenUp, givenUp] = [
      await makeRecord(owner, 'domain'),
      await makeRecord(owner, 'domain'),
      await makeRecord(own, 'domain'),
    ];
    await owner.delete(`/api/v1/domains/${foreignGivenUp}`);
    await own.delete(`/api/v1/domains/${givenUp}`);
    domains = { foreign: foreignDomain, foreignDeleted: foreignGivenUp, deleted: givenUp, ...nobodys };
    const [foreignMember, foreignRemovedMember, removedMember] = [
      await makeRecord(owner, 'member'),
      await makeRecord(owner, 'member'),
      await makeRecord(own, 'member'),
    ];
    await owner.delete(`/api/v1/members/${foreignRemovedMember}`);
    await own.delete(`/api/v1/members/${removedMember}`);
    members = {
      foreign: foreignMember,
      foreignDeleted: foreignRemovedMember,
      deleted: removedMember,
      ...nobodys,
    };
    const [foreignInvitation, foreignWithdrawn, withdrawn] = [
      await makeRecord(owner, 'invitation'),
      await makeRecord(owner, 'invitation'),
      await makeRecord(own, 'invitation'),
    ];
    await owner.delete(`/api/v1/invitations/${foreignWithdrawn}`);
    await own.delete(`/api/v1/invitations/${withdrawn}`);
    invitations = {
      foreign: foreignInvitation,
      foreignDeleted: foreignWithdrawn,
      deleted: withdrawn,
      ...nobodys,
    };
    const [foreignAlias, foreignRemoved, removed] = [
      await makeRecord(owner, 'alias'),
      await makeRecord(owner, 'alias'),
      await makeRecord(own, 'alias'),
    ];
    await owner.delete(`/api/v1/aliases/${foreignRemoved}`);
    await own.delete(`/api/v1/aliases/${removed}`);
    aliases = {
      foreign: foreignAlias,
      foreignDeleted: foreignRemoved,
      deleted: removed,
      unknown: freshCode(),
      malformed: '-no*code',
    };
    const [foreignWebhook, foreignDroppedWebhook, droppedWebhook] = [
      await makeRecord(owner, 'webhook'),
      await makeRecord(owner, 'webhook'),
      await makeRecord(own, 'webhook'),
    ];
    await owner.delete(`/api/v1/webhooks/${foreignDroppedWebhook}`);
    await own.delete(`/api/v1/webhooks/${droppedWebhook}`);
    webhooks = {
      foreign: foreignWebhook,
      foreignDeleted: foreignDroppedWebhook,
      deleted: droppedWebhook,
      ...nobodys,
    };
    folders = {
      foreign: foreignFolder,
      foreignDeleted: foreignDeletedFolder,
      deleted: deletedFolder,
      ...nobodys,
    };
  });

  /** Returns everything that the owner can see. */
  const seenByOwner = async (): Promise<string> => {
    const include = 'title,description,expiresAt,folderId,updatedAt,tags,status';
    const all = await owner.get(`/api/v1/links?limit=100&include=${include}`);
    const others = [
      'folders',
      'tags',
      'utm-templates',
      'sessions',
      'keys',
      'members',
      'invitations',
      'me',
    ].map(async (path) => {
      const { text } = await owner.get(`/api/v1/${path}`);
      // The server stores these times a while after the key or session is used.
      return text.replace(/"(lastUsedAt|lastSeenAt)":"[^"]*"/g, '"$1":null');
    });
    // The server checks the domains' DNS records during the test, so the results of these checks are not compared.
    const domainsNow = (await owner.get('/api/v1/domains')).json.data.map((domain: object) => ({
      ...domain,
      checkedAt: null,
      problem: null,
      records: null,
    }));
    return all.text + (await Promise.all(others)).join('') + JSON.stringify(domainsNow);
  };

  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    ask(server, {
      method,
      path,
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });

  const assertAlike = async (
    ids: Partial<Ids>,
    request: (id: string) => Promise<Answer>,
    expected: { readonly status: number; readonly code?: string },
  ): Promise<void> => {
    const before = await seenByOwner();
    const answers = new Map<string, Answer>();
    for (const [kind, id] of Object.entries(ids)) answers.set(kind, await request(id));
    const first = comparable([...answers.values()][0] as Answer);
    for (const [kind, answer] of answers) {
      assert.equal(answer.status, expected.status, `${kind}: ${answer.text}`);
      if (expected.code !== undefined) assert.equal(JSON.parse(answer.text).error.code, expected.code, kind);
      assert.deepEqual(comparable(answer), first, kind);
    }
    assert.equal(await seenByOwner(), before, 'the owner sees no change');
  };

  const idsOf = (record: Exclude<RecordKind, 'externalId'>): Ids =>
    ({
      link: links,
      folder: folders,
      tag: tags,
      code: codes,
      alias: aliases,
      session: sessions,
      key: keys,
      share: shares,
      template: templates,
      domain: domains,
      member: members,
      invitation: invitations,
      import: imports,
      webhook: webhooks,
    })[record];

  for (const endpoint of everyEndpoint) {
    const record = recordOf(endpoint);
    // An account may use an external ID that another account uses: see external-ids.test.ts.
    if (record === undefined || record === 'externalId') continue;
    const code = notFound[record];
    test(`${endpoint.name}: returns the same for foreign, deleted and unknown IDs`, async () => {
      const all = idsOf(record);
      // The account can restore its own deleted links and folders, and read a deleted link's history.
      const { deleted, ...others } = all;
      const [folder, tag] = [await makeFolder(own), await makeTag(own)];
      const request = (id: string) =>
        send(endpoint.method, pathWith(endpoint, id), bodyWith(endpoint, folder, tag));
      const isSeen = /^(restore|linkHistory)/.test(endpoint.name);
      await assertAlike(isSeen ? others : { ...others, deleted }, request, {
        status: 404,
        code,
      });
    });

    test(`${endpoint.name}: even with an invalid body, an unknown query and an upper-case ID`, async () => {
      const all = idsOf(record);
      const { foreign, unknown } = all;
      const shouted = { foreign: foreign.toUpperCase(), unknown: unknown.toUpperCase() };
      const path = (id: string) => `${pathWith(endpoint, id)}?x=1`;
      await assertAlike(
        shouted,
        (id) =>
          send(endpoint.method, path(id), {
            url: 5,
            codes: 5,
            name: 5,
            title: 5,
            graceSeconds: 'x',
            role: 5,
            mail: 5,
            folderId: 5,
            into: 5,
            tags: 5,
            expiresAt: 5,
          }),
        {
          status: invalidStatus(endpoint),
        },
      );
    });
  }

  const invalidStatus = (endpoint: Endpoint): number => (endpoint.fields !== undefined ? 400 : 404);

  test('accepts a foreign domain in no request, verified or not, and reveals none of its codes', async () => {
    const pending = `${freshCode()}.example.com`.toLowerCase();
    await owner.post('/api/v1/domains', { host: pending });
    const hosts = { foreign: proven, pending, unknown: 'nobodys.example.com' };
    const link = await makeLink(own);
    const refused = { status: 404, code: 'DOMAIN_NOT_FOUND' };
    const url = 'https://example.com';
    const customCode = 'secret-code';
    await assertAlike(
      hosts,
      (domain) => send('POST', '/api/v1/shorten', { url, domain, customCode }),
      refused,
    );
    const upsert = '/api/v1/links/by-external-id/of-domains';
    await assertAlike(hosts, (domain) => send('PUT', upsert, { url, domain }), refused);
    await assertAlike(
      hosts,
      (domain) => send('PATCH', `/api/v1/links/${link}/code`, { customCode, domain }),
      refused,
    );
    await assertAlike(
      hosts,
      (domain) => send('POST', `/api/v1/links/${link}/aliases`, { customCode, domain }),
      refused,
    );
    for (const [method, path] of [
      ['GET', '/api/v1/links/by-code/secret-code?'],
      ['GET', '/api/v1/codes?customCode=secret-code&'],
      ['GET', '/api/v1/links?status=deleted&code=secret-code&'],
      ['DELETE', '/api/v1/aliases/secret-code?'],
    ] as const)
      await assertAlike(hosts, (domain) => send(method, `${path}domain=${domain}`, undefined), refused);
    await assertAlike(hosts, (domain) => send('GET', `/api/v1/links?domain=${domain}`, undefined), {
      status: 200,
    });
    const rows = (domain: string) => ({ action: 'create', links: [{ url, domain }] });
    await assertAlike(hosts, (domain) => send('POST', '/api/v1/links/bulk', rows(domain)), { status: 200 });
  });

  test('creates no link in a foreign, deleted or unknown folder', async () => {
    const total = async () => (await own.get('/api/v1/links')).json.pagination.total;
    const before = await total();
    const request = (folderId: string) =>
      send('POST', '/api/v1/shorten', { url: 'https://example.com', folderId });
    await assertAlike({ ...folders }, request, { status: 404, code: 'FOLDER_NOT_FOUND' });
    assert.equal(await total(), before, 'nothing was created');
  });

  test('moves no link to a foreign, deleted or unknown folder', async () => {
    const id = await makeLink(own);
    const request = (folderId: string) => send('PATCH', `/api/v1/links/${id}/move`, { folderId });
    await assertAlike({ ...folders }, request, { status: 404, code: 'FOLDER_NOT_FOUND' });
    assert.equal((await own.get(`/api/v1/links/${id}?include=folderId`)).json.data.folderId, null);
  });

  test('lists nothing for a foreign, deleted or unknown folder', async () => {
    const request = (folderId: string) => send('GET', `/api/v1/links?folderId=${folderId}`, undefined);
    await assertAlike({ ...folders }, request, { status: 200 });
    const listed = await own.get(`/api/v1/links?folderId=${folders.foreign}`);
    assert.deepEqual(listed.json, { success: true, data: [], pagination: { page: 1, limit: 20, total: 0 } });
  });

  test('shows no foreign deleted links in pages or by code', async () => {
    const request = (code: string) => send('GET', `/api/v1/links?status=deleted&code=${code}`, undefined);
    const { deleted, ...others } = codes;
    await assertAlike(others, request, { status: 200 });
    const [mine, theirs] = [
      await own.get(`/api/v1/links?status=deleted&code=${deleted}`),
      await request(codes.foreign),
    ];
    assert.deepEqual(
      mine.json.data.map(({ id }: { id: string }) => id),
      [links.deleted],
    );
    assert.deepEqual(JSON.parse(theirs.text).data, []);
    const everything = await own.get('/api/v1/links?status=deleted&limit=100');
    assert.ok(everything.text.includes(links.deleted) && !everything.text.includes('secret'));
    assert.ok((await owner.get('/api/v1/links?status=deleted')).text.includes(links.foreignDeleted));
  });

  test('shows nothing foreign in lists, folders and usage', async () => {
    const seen = [
      await own.get('/api/v1/links?limit=100&include=title,folderId'),
      await own.get('/api/v1/folders'),
      await own.get('/api/v1/tags'),
      await own.get('/api/v1/utm-templates'),
      await own.get('/api/v1/domains'),
      await own.get('/api/v1/me'),
    ].map((answer) => answer.text);
    for (const foreign of [
      links.foreign,
      folders.foreign,
      tags.foreign,
      templates.foreign,
      domains.foreign,
      'secret',
    ])
      assert.ok(!seen.join().includes(foreign));
    assert.ok((await seenByOwner()).includes(links.foreign));
  });

  test('ignores an Idempotency-Key of another account', async () => {
    const [body, headers] = [{ name: 'Same' }, { 'idempotency-key': 'shared' }];
    const theirs = await owner.post('/api/v1/folders', body, headers);
    const mine = await own.post('/api/v1/folders', body, headers);
    assert.deepEqual([theirs.status, mine.status], [201, 201]);
    assert.equal(mine.headers.get('idempotency-replayed'), null);
    assert.notEqual(mine.json.folder.id, theirs.json.folder.id);
  });
});
