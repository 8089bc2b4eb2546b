// Keys restricted to domains and folders: everything else is hidden from them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Answer, ask } from '../../support/http/ask.ts';
import { comparable } from '../../support/http/comparable.ts';
import { follow } from '../../support/http/event-stream.ts';
import { type Endpoint, everyEndpoint } from '../../support/http/openapi.ts';
import {
  type Api,
  bodyWith,
  freshCode,
  makeFolder,
  makeLink,
  makeTag,
  notFound,
  pathWith,
  recordOf,
} from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const unknownId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const sharedDomainId = '00000000-0000-7000-8000-000000000001';
const include = 'title,description,expiresAt,folderId,externalId,tags,status,domain,updatedAt';
/** Occurs in every string that must be hidden. */
const secret = 'unseen';

type Kind = 'link' | 'code' | 'externalId' | 'alias' | 'share' | 'folder' | 'tag' | 'domain';
/** IDs of records as used in paths. */
type Names = Readonly<Record<Kind, readonly string[]>>;

interface Bound {
  readonly key: string;
  readonly api: Api;
  readonly domains: readonly string[] | null;
  readonly folders: readonly string[] | null;
  /** IDs of records that are hidden from the key. */
  readonly outside: Names;
  /** Strings that occur in the hidden records, so that no response may contain them. */
  readonly words: readonly string[];
}

describe('restricted keys', () => {
  let server: Service;
  let owner: Api;
  let account: string;
  let host: string;
  let otherHost: string;
  let sharedHost: string;
  let inside: string;
  let folder: string;
  let otherFolder: string;
  const bound = new Map<string, Bound>();

  interface Made {
    readonly word: string;
    readonly id: string;
    readonly code: string;
    readonly externalId: string;
    readonly share: string;
    readonly tag: string;
    readonly alias: string;
  }

  /** Creates a link with all kinds of related records, whose names and codes contain `secret`. */
  const makeWhole = async (place: object): Promise<Made> => {
    const word = `${secret}-${freshCode()}`;
    const [code, externalId, name, alias] = [1, 2, 3, 4].map(() => `${word}-${freshCode()}`) as [
      string,
      string,
      string,
      string,
    ];
    const id = await makeLink(owner, {
      ...place,
      url: `https://${word}.example.net/${code}`,
      title: `${word} title`,
      customCode: code,
      externalId,
      tags: [name],
    });
    const { data: tags } = (await owner.get('/api/v1/tags')).json;
    const tag = tags.find((one: { name: string }) => one.name === name).id;
    await owner.post(`/api/v1/links/${id}/aliases`, { customCode: alias });
    const share = (await owner.post(`/api/v1/links/${id}/share`)).json.data.id;
    return { word, id, code, externalId, share, tag, alias };
  };

  before(async () => {
    server = await sharedServer();
    const key = await server.newKey();
    ({ account } = key);
    owner = as(server, key.key);
    sharedHost = new URL((await owner.get('/api/v1/session')).json.data.baseUrl).hostname;
    [host, otherHost] = [1, 2].map(() => `${freshCode()}.example.com`.toLowerCase()) as [string, string];
    for (const one of [host, otherHost])
      await server.command('domains', 'create', one, '--account', account, '--proven');
    folder = await makeFolder(owner);
    otherFolder = (await owner.post('/api/v1/folders', { name: `${secret} folder` })).json.folder.id;
    inside = await makeLink(owner, {
      domain: host,
      folderId: folder,
      title: 'inside',
      customCode: freshCode(),
    });

    const { data: domains } = (await owner.get('/api/v1/domains')).json;
    const idOf = (name: string): string => domains.find((one: { host: string }) => one.host === name).id;
    const onShared = await makeWhole({ folderId: folder });
    const elsewhere = await makeWhole({ domain: otherHost, folderId: folder });
    const inOther = await makeWhole({ domain: host, folderId: otherFolder });
    const inNone = await makeWhole({ domain: host });
    const namesOf = (links: readonly Made[], more: Partial<Names>): Names => ({
      link: links.map(({ id }) => id),
      code: links.map(({ code }) => code),
      externalId: links.map(({ externalId }) => externalId),
      alias: links.map(({ alias }) => alias),
      share: links.map(({ share }) => share),
      tag: links.map(({ tag }) => tag),
      folder: [],
      domain: [],
      ...more,
    });
    const offDomain = { domain: [sharedDomainId, idOf(otherHost)] };
    const offFolder = { folder: [otherFolder] };
    for (const [name, bounds, links, more] of [
      ['domain', { domains: [host] }, [onShared, elsewhere], offDomain],
      ['folder', { folders: [folder] }, [inOther, inNone], offFolder],
      [
        'domain and folder',
        { domains: [host], folders: [folder] },
        [onShared, elsewhere, inOther, inNone],
        { ...offDomain, ...offFolder },
      ],
    ] as const) {
      const made = await owner.post('/api/v1/keys', { name, ...bounds });
      assert.equal(made.status, 201, made.text);
      const { data } = made.json;
      bound.set(name, {
        key: data.key,
        api: as(server, data.key),
        domains: data.domains,
        folders: data.folders,
        outside: namesOf(links, more),
        words: [...links.map(({ word }) => word), ...('folder' in more ? [`${secret} folder`] : [])],
      });
    }
  });

  const get = (name: string): Bound => {
    const found = bound.get(name);
    assert.ok(found);
    return found;
  };
  const names = ['domain', 'folder', 'domain and folder'];

  const send = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(server, {
      method,
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });

  const everything = async (): Promise<string> => {
    const asked = [
      `links?limit=100&include=${include}`,
      'folders',
      'tags',
      'utm-templates',
      'keys',
      'links?status=deleted',
    ];
    const seen = await Promise.all(asked.map(async (path) => (await owner.get(`/api/v1/${path}`)).text));
    return seen.join('').replaceAll(/"lastUsedAt":[^,]*/g, '');
  };

  const forRestricted = everyEndpoint.filter(({ closedToRestrictedKeys }) => !closedToRestrictedKeys);

  for (const endpoint of everyEndpoint.filter(({ closedToRestrictedKeys }) => closedToRestrictedKeys))
    test(`${endpoint.name} is not available to them`, async () => {
      for (const name of names) {
        const body = bodyWith(endpoint, folder);
        const answer = await send(get(name).key, endpoint.method, pathWith(endpoint, unknownId), body);
        assert.equal(answer.status, 403, answer.text);
        assert.equal(JSON.parse(answer.text).error.code, 'INSUFFICIENT_SCOPE');
        if (/^(?:links|analytics):/.test(endpoint.scope ?? '')) assert.match(answer.text, /is restricted to/);
      }
    });

  /** Returns the query strings to try: none, and the domain for records that are not on the default domain. */
  const hostsFor = ({ query }: Endpoint): readonly string[] =>
    query.includes('domain') ? ['', `?domain=${host}`] : [''];

  for (const endpoint of forRestricted) {
    const kind = recordOf(endpoint);
    if (kind === undefined || kind === 'session') continue;
    test(`${endpoint.name}: hidden records look like records that never existed`, async () => {
      for (const name of names) {
        const { key, outside } = get(name);
        const body = bodyWith(endpoint, folder, await makeTag(owner));
        const before = await everything();
        for (const record of outside[kind as Kind]) {
          // A PUT request would create the record. It is rejected for every key, because the unique name already
          // exists.
          const isMade = endpoint.method === 'PUT';
          for (const more of isMade ? [''] : hostsFor(endpoint)) {
            const answers = await Promise.all(
              [record, kind === 'alias' || kind === 'code' ? freshCode() : unknownId].map((id) =>
                isMade && id !== record
                  ? undefined
                  : send(key, endpoint.method, pathWith(endpoint, id) + more, body),
              ),
            );
            const [answer, unknown] = answers as [Answer, Answer];
            if (isMade) {
              assert.equal(answer.status, 409, answer.text);
              assert.equal(JSON.parse(answer.text).error.code, 'EXTERNAL_ID_TAKEN');
              continue;
            }
            assert.equal(answer.status, 404, `${name}: ${answer.text}`);
            assert.equal(JSON.parse(answer.text).error.code, notFound[kind]);
            assert.deepEqual(comparable(answer), comparable(unknown), name);
          }
        }
        assert.equal(await everything(), before, 'nothing was changed');
      }
    });
  }

  const needed: Readonly<Record<string, string>> = { checkCode: `?customCode=${freshCode()}` };
  for (const endpoint of forRestricted.filter((one) => recordOf(one) === undefined && one.method === 'GET')) {
    if (endpoint.name === 'events') continue;
    test(`${endpoint.name}: reveals nothing that is hidden`, async () => {
      for (const name of names) {
        const { key, outside, words } = get(name);
        const questions = [
          needed[endpoint.name] ?? '',
          ...(endpoint.query.includes('include') && endpoint.query.includes('search')
            ? [
                `?include=${include},clicksByDay&limit=100`,
                `?search=${secret}`,
                '?sort=clicks&status=active',
                '?cursor=',
                '?status=deleted',
              ]
            : []),
          ...(endpoint.query.includes('groupBy') ? ['?groupBy=link', '?groupBy=folder'] : []),
          ...(endpoint.query.includes('folderId') ? [`?folderId=${folder}`] : []),
        ];
        for (const question of questions) {
          const answer = await send(key, 'GET', pathWith(endpoint, '') + question);
          assert.equal(answer.status, 200, `${question}: ${answer.text}`);
          const ids = [...words, ...outside.link, ...outside.folder, ...outside.tag, ...outside.domain];
          for (const id of ids) assert.ok(!answer.text.includes(id), `${name} ${question}: ${answer.text}`);
        }
      }
    });
  }

  for (const endpoint of forRestricted.filter((one) => recordOf(one) === 'link'))
    test(`${endpoint.name}: works with visible records`, async () => {
      for (const name of names) {
        const id = await makeLink(owner, { domain: host, folderId: folder });
        if (endpoint.name.startsWith('restore')) await owner.delete(`/api/v1/links/${id}`);
        const answer = await send(get(name).key, endpoint.method, pathWith(endpoint, id), {
          ...bodyWith(endpoint, folder),
          ...(endpoint.name === 'addAlias' || endpoint.name === 'changeCode' ? { domain: host } : {}),
        });
        assert.ok(answer.status < 300, `${name}: ${answer.status} ${answer.text}`);
      }
    });

  test('creates and moves links, and changes codes, only within the restrictions', async () => {
    const url = 'https://example.com/';
    const { api: byDomain } = get('domain');
    const { api: byFolder } = get('folder');
    const { api: byBoth } = get('domain and folder');
    const refused = async (answer: Promise<{ status: number; text: string }>, code: string) => {
      const { status, text } = await answer;
      assert.equal(status, 404, text);
      assert.match(text, new RegExp(code));
    };
    for (const domain of [sharedHost, otherHost, 'nobodys.example.com']) {
      await refused(byDomain.post('/api/v1/shorten', { url, domain }), 'DOMAIN_NOT_FOUND');
      await refused(byBoth.post('/api/v1/shorten', { url, domain }), 'DOMAIN_NOT_FOUND');
      for (const [method, path] of [
        ['patch', 'code'],
        ['post', 'aliases'],
      ] as const)
        await refused(
          byDomain[method](`/api/v1/links/${inside}/${path}`, { customCode: freshCode(), domain }),
          'DOMAIN_NOT_FOUND',
        );
      await refused(byDomain.get(`/api/v1/codes?domain=${domain}`), 'DOMAIN_NOT_FOUND');
    }
    for (const folderId of [otherFolder, unknownId]) {
      await refused(byFolder.post('/api/v1/shorten', { url, folderId }), 'FOLDER_NOT_FOUND');
      await refused(byFolder.patch(`/api/v1/links/${inside}/move`, { folderId }), 'FOLDER_NOT_FOUND');
      await refused(
        byBoth.put(`/api/v1/links/by-external-id/${freshCode()}`, { url, folderId }),
        'FOLDER_NOT_FOUND',
      );
    }
    await refused(byFolder.patch(`/api/v1/links/${inside}/move`, { folderId: null }), 'FOLDER_NOT_FOUND');
    const { data } = (await byBoth.post('/api/v1/shorten', { url })).json;
    const made = (await byBoth.get(`/api/v1/links/${data.id}?include=folderId,domain`)).json.data;
    assert.deepEqual([made.folderId, made.domain], [folder, host], 'the restriction is the default');
  });

  test('bulk: fails hidden rows individually; filters find visible links', async () => {
    const { api, outside } = get('domain and folder');
    const before = await everything();
    for (const action of ['delete', 'restore', 'tag', 'update', 'move']) {
      const more = {
        tag: { tags: { add: ['a'] } },
        update: { set: { title: 'taken over' } },
        move: { folderId: folder },
      }[action as 'tag'];
      const { json } = await api.post('/api/v1/links/bulk', { action, ids: outside.link, ...more });
      for (const row of json.data?.results ?? json.results ?? [{}]) {
        assert.equal(row.error?.code, 'LINK_NOT_FOUND', JSON.stringify(row));
        assert.ok(!JSON.stringify(row).includes(secret));
      }
    }
    const rows = [
      { url: 'https://example.com/', domain: otherHost },
      { url: 'https://example.com/', folderId: otherFolder },
    ];
    const made = await api.post('/api/v1/links/bulk', { action: 'create', links: rows });
    assert.ok(!made.text.includes('"status":"done"'), made.text);
    assert.equal(await everything(), before);
    const total = (await api.get('/api/v1/links')).json.pagination.total;
    const filtered = {
      action: 'update',
      filter: { archived: 'false' },
      set: { description: 'found' },
      expectedCount: total,
    };
    const changed = await api.post('/api/v1/links/bulk', filtered);
    assert.equal(changed.status, 200, changed.text);
    assert.ok(!changed.text.includes(secret));
    const all = (await owner.get('/api/v1/links?limit=100&include=description,title')).json.data;
    for (const link of all) if (link.title?.startsWith(secret)) assert.equal(link.description, null);
  });

  test('limits a manifest to visible links, whatever else has its name', async () => {
    const { api, outside } = get('domain and folder');
    const [name, mine, foreign] = [1, 2, 3].map(() => freshCode().toLowerCase()) as [string, string, string];
    const url = 'https://example.com/';
    const apply = async (by: Api, links: object[], more: object = {}) => {
      const body = { links, ...more };
      const plan = await by.post(`/api/v1/manifests/${name}/plan`, body);
      const done = await by.post(`/api/v1/manifests/${name}/apply`, {
        ...body,
        seen: plan.json.data?.seen ?? [],
      });
      return { plan, done };
    };
    const hidden = { url, customCode: `${secret}-${foreign}`, domain: host };
    assert.equal((await apply(owner, [hidden])).done.status, 200);
    const before = await everything();
    const deleting = { absent: 'delete', maxDeletes: 9 };
    const { plan, done } = await apply(api, [{ url, customCode: mine }], deleting);
    assert.equal(done.status, 200, done.text);
    assert.deepEqual([done.json.data.create, done.json.data.delete], [1, 0]);
    assert.ok(!(plan.text + done.text).includes(secret), plan.text);
    const made = (await api.get(`/api/v1/links?managedBy=${name}&include=folderId,domain`)).json.data;
    assert.deepEqual(
      made.map(({ shortCode, folderId, domain }: Record<string, string>) => [shortCode, folderId, domain]),
      [[mine, folder, host]],
    );
    const emptied = await apply(api, [], deleting);
    assert.equal(emptied.done.json.data?.delete, 1, emptied.done.text);
    for (const [link, code] of [
      [{ url, customCode: foreign, domain: otherHost }, /links\[0\]: Domain not found/],
      [{ url, customCode: foreign, folderId: otherFolder }, /links\[0\]: Folder not found/],
      [hidden, /links\[0\]: .*(taken|in use)/],
    ] as const) {
      const refused = await apply(api, [link, { url, customCode: freshCode() }], { adopt: true });
      assert.equal(refused.done.status, 409, refused.done.text);
      assert.match(refused.done.text, code);
      assert.equal(refused.plan.status, 409, 'the plan reports it too');
      assert.match(refused.plan.text, code);
      for (const id of outside.link) assert.ok(!refused.done.text.includes(id));
    }
    const after = (await owner.get(`/api/v1/links?managedBy=${name}`)).json.data;
    assert.deepEqual(
      after.map(({ shortCode }: { shortCode: string }) => shortCode),
      [hidden.customCode],
    );
    assert.ok(before.includes(hidden.customCode));
  });

  test('does not reuse or reveal a hidden link to the same destination', async () => {
    const url = `https://${secret}.example.net/same-${freshCode()}`;
    const theirs = await makeLink(owner, { url, domain: host, folderId: otherFolder });
    const { api } = get('domain and folder');
    for (const ifExists of ['fail', 'reuse']) {
      const made = await api.post('/api/v1/shorten', { url, ifExists, domain: host });
      assert.notEqual(made.json.data?.id, theirs, made.text);
      assert.equal(made.status, ifExists === 'fail' ? 201 : 200, made.text);
    }
  });

  test('counts visible links only', async () => {
    const only = await makeFolder(owner);
    for (const place of [{ domain: host }, { domain: host }, {}, { domain: otherHost }])
      await makeLink(owner, { ...place, folderId: only, tags: ['counted'] });
    const { data } = (await owner.post('/api/v1/keys', { name: 'counts', domains: [host], folders: [only] }))
      .json;
    const api = as(server, data.key);
    const [list, folders, tags, domains, me] = await Promise.all(
      ['links', 'folders', 'tags', 'domains', 'me'].map(
        async (path) => (await api.get(`/api/v1/${path}`)).json,
      ),
    );
    assert.equal(list.pagination.total, 2);
    assert.deepEqual(
      folders.folders.map((one: { id: string; linkCount: number }) => [one.id, one.linkCount]),
      [[only, 2]],
    );
    assert.deepEqual(
      tags.data.map((one: { name: string; linkCount: number }) => [one.name, one.linkCount]),
      [['counted', 2]],
    );
    assert.deepEqual(
      domains.data.map((one: { host: string; linkCount: number; isDefault: boolean }) => [
        one.host,
        one.linkCount,
        one.isDefault,
      ]),
      [[host, 2, true]],
    );
    assert.deepEqual(me.data.usage, { links: 2, folders: 1 });
    assert.deepEqual([me.data.domains, me.data.folders], [[host], [only]]);
    const page = await api.get('/api/v1/links?limit=1&page=2');
    assert.deepEqual([page.json.data.length, page.json.pagination.total], [1, 2]);
  });

  test('limits statistics, clicks and events to visible links', async () => {
    const only = await makeFolder(owner);
    const code = freshCode();
    const seen = await makeLink(owner, { folderId: only, customCode: code });
    const hidden = `${secret}-${freshCode()}`;
    await makeLink(owner, { customCode: hidden });
    const { data } = (await owner.post('/api/v1/keys', { name: 'clicks', folders: [only] })).json;
    const api = as(server, data.key);
    const stream = await follow(server, data.key);
    for (const one of [hidden, code, hidden, code, hidden]) await call(server, 'GET', `/${one}`);
    await until('two clicks', async () => (await api.get('/api/v1/stats')).json.data.totals.clicks === 2);
    const asked = [
      'stats?groupBy=link',
      'stats?groupBy=folder',
      'clicks',
      'clicks/export',
      'stats/export?groupBy=link',
    ];
    for (const path of [...asked, 'folders?include=clicksByDay']) {
      const { text } = await api.get(`/api/v1/${path}`);
      assert.ok(!text.includes(secret), `${path}: ${text}`);
    }
    assert.equal((await api.get('/api/v1/clicks')).json.data.length, 2);
    await owner.patch(`/api/v1/links/${seen}`, { title: 'told' });
    const told = await stream.count(3);
    stream.close();
    assert.ok(!JSON.stringify(told).includes(secret));
    assert.deepEqual(told.map(({ event }) => event).sort(), ['click', 'click', 'link.updated']);
  });

  test("does not replay another key's Idempotency-Key", async () => {
    const [body, headers] = [{ url: `https://${secret}.example.net/` }, { 'idempotency-key': freshCode() }];
    assert.equal((await owner.post('/api/v1/shorten', body, headers)).status, 201);
    const { status, text } = await get('domain').api.post('/api/v1/shorten', body, headers);
    assert.equal(status, 409, text);
    assert.ok(!text.includes(secret));
  });

  test('offers an assistant the allowed tools, and a browser the restrictions of its key', async () => {
    const { key, api, words } = get('domain');
    const hasNone = (text: string): void => {
      for (const word of words) assert.ok(!text.includes(word), text);
    };
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'shorten_url'));
    for (const name of ['find_links', 'list_folders'].filter((one) =>
      tools.some((tool) => tool.name === one),
    ))
      hasNone(JSON.stringify(await client.callTool({ name, arguments: {} })));
    await client.close();
    const begun = await api.post('/api/v1/session');
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const listed = await call(server, 'GET', `/api/v1/links?limit=100&include=${include}`, {
      headers: { cookie },
    });
    assert.equal(listed.status, 200);
    hasNone(listed.text);
    const keys = await call(server, 'GET', '/api/v1/keys', { headers: { cookie } });
    assert.equal(keys.status, 403);
  });

  test('validates restrictions within the account and scopes, and copies them on rotation', async () => {
    const refused = async (body: object, status: number, code: string) => {
      const answer = await owner.post('/api/v1/keys', { name: 'x', ...body });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json.error.code, code);
    };
    await refused({ domains: ['nobodys.example.com'] }, 404, 'DOMAIN_NOT_FOUND');
    await refused({ folders: [unknownId] }, 404, 'FOLDER_NOT_FOUND');
    await refused({ folders: ['no id'] }, 404, 'FOLDER_NOT_FOUND');
    await refused({ domains: [] }, 400, 'VALIDATION_ERROR');
    await refused({ domains: [host], scopes: ['keys:write'] }, 400, 'VALIDATION_ERROR');
    const stranger = as(server, (await server.newKey()).key);
    for (const body of [{ domains: [host] }, { folders: [folder] }])
      assert.equal((await stranger.post('/api/v1/keys', { name: 'x', ...body })).status, 404);
    const { data } = (await owner.post('/api/v1/keys', { name: 'x', domains: [sharedHost, host] })).json;
    assert.deepEqual(data.domains, [sharedHost, host]);
    assert.deepEqual(data.scopes, ['links:read', 'links:write', 'analytics:read']);
    const next = (await owner.post(`/api/v1/keys/${data.id}/rotate`, {})).json.data;
    assert.deepEqual([next.domains, next.folders, next.scopes], [data.domains, null, data.scopes]);
    const listed = await as(server, next.key).get(`/api/v1/links?limit=100&include=domain`);
    for (const link of listed.json.data) assert.notEqual(link.domain, otherHost);
    const made = JSON.parse(
      await server.command(
        'keys',
        'create',
        '--account',
        account,
        '--domain',
        host,
        '--folder',
        folder,
        '--json',
      ),
    );
    assert.deepEqual([made.domains, made.folders], [[host], [folder]]);
    assert.equal((await as(server, made.key).get(`/api/v1/links/${inside}`)).status, 200);
  });

  test('limits a member invited to folders to these folders, even in sessions', async () => {
    const refused = await owner.post('/api/v1/invitations', { role: 'admin', folders: [folder] });
    assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'role']);
    assert.equal(
      (await owner.post('/api/v1/invitations', { role: 'viewer', folders: [unknownId] })).status,
      404,
    );
    const invited = (
      await owner.post('/api/v1/invitations', { role: 'editor', domains: [host], folders: [folder] })
    ).json.data;
    assert.deepEqual([invited.domains, invited.folders], [[host], [folder]]);
    const token = new URL(invited.url).hash.slice(1);
    const joined = await call(server, 'POST', '/api/v1/invitations/accept', { body: { token, name: 'Ada' } });
    const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asked = (path: string) => call(server, 'GET', path, { headers: { cookie } });
    const listed = await asked(`/api/v1/links?limit=100&include=${include}`);
    for (const word of get('domain and folder').words) assert.ok(!listed.text.includes(word), listed.text);
    assert.equal((await asked(`/api/v1/links/${inside}`)).status, 200);
    for (const id of get('domain and folder').outside.link)
      assert.equal((await asked(`/api/v1/links/${id}`)).status, 404);
    assert.equal((await asked('/api/v1/preferences')).status, 200);
    const { data: members } = (await owner.get('/api/v1/members')).json;
    assert.deepEqual([members[0].domains, members[0].folders], [[host], [folder]]);
  });

  test('hides the links of a deleted folder or domain, and shows no others', async () => {
    const [gone, hostGone] = [await makeFolder(owner), `${freshCode()}.example.com`.toLowerCase()];
    await server.command('domains', 'create', hostGone, '--account', account, '--proven');
    const id = await makeLink(owner, { folderId: gone });
    const { data } = (await owner.post('/api/v1/keys', { name: 'x', folders: [gone] })).json;
    const other = (await owner.post('/api/v1/keys', { name: 'x', domains: [hostGone] })).json.data;
    const { data: domains } = (await owner.get('/api/v1/domains')).json;
    await owner.delete(`/api/v1/folders/${gone}`);
    await owner.delete(
      `/api/v1/domains/${domains.find((one: { host: string }) => one.host === hostGone).id}`,
    );
    for (const api of [as(server, data.key), as(server, other.key)]) {
      assert.equal((await api.get('/api/v1/links')).json.pagination.total, 0);
      assert.equal((await api.get(`/api/v1/links/${id}`)).status, 404);
      assert.equal((await api.post('/api/v1/shorten', { url: 'https://example.com/' })).status, 404);
    }
    await owner.post(`/api/v1/folders/${gone}/restore`);
    assert.equal((await as(server, data.key).get(`/api/v1/links/${id}`)).status, 200);
  });
});
