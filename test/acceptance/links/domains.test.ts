import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDns } from '../../support/dns/dns-server.ts';
import { freePort } from '../../support/http/ports.ts';
import { converse } from '../../support/http/wire.ts';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

interface Domain {
  readonly id: string;
  readonly host: string;
  readonly status: string;
  readonly problem: string | null;
  readonly records: readonly { type: 'TXT' | 'CNAME'; name: string; value: string; found: boolean }[];
}

describe('custom domains', () => {
  let server: Server;
  /** The server's address. Short URLs have another host. */
  let at: { readonly url: string };
  let dns: DnsServer;
  before(async () => {
    dns = await startDns();
    const port = await freePort();
    const settings = { PORT: String(port), BASE_URL: 'https://sho.rt', DNS_SERVERS: dns.address };
    server = await startServer(settings);
    at = { url: `http://127.0.0.1:${port}` };
  });
  after(async () => {
    await server.stop();
    await dns.close();
  });

  const account = async (): Promise<Api> => as(at, (await server.newKey()).key);
  const visit = async (host: string, path: string) => {
    const answer = await call(at, 'GET', path, { headers: { host } });
    return answer.status === 302 ? answer.headers.get('location') : answer.status;
  };
  const freshHost = () => `${freshCode()}.example.com`.toLowerCase();
  const publish = ({ records }: Domain, ...which: ('TXT' | 'CNAME')[]): void => {
    for (const { type, name, value } of records)
      if (which.includes(type)) dns.zone[name] = { [type]: [value] };
  };
  const add = async (api: Api, more: object = {}): Promise<Domain> => {
    const made = await api.post('/api/v1/domains', { host: freshHost(), ...more });
    assert.equal(made.status, 201, made.text);
    return made.json.data;
  };
  const verify = (api: Api, { id }: Domain) => api.post(`/api/v1/domains/${id}/verify`);
  const active = async (api: Api, more: object = {}): Promise<Domain> => {
    const domain = await add(api, more);
    publish(domain, 'TXT', 'CNAME');
    const proven = await verify(api, domain);
    assert.equal(proven.json.data.status, 'active', proven.text);
    return proven.json.data;
  };
  const shorten = (api: Api, fields: object) =>
    api.post('/api/v1/shorten', { url: 'https://example.com/', ...fields });
  const codeOf = (answer: { json: { error: { code: string } } }): string => answer.json.error.code;

  test('ignores hyphens on golinks domains, and offers to create unknown codes', async () => {
    const api = await account();
    const { id, host } = await active(api);
    const page = (path: string) =>
      call(at, 'GET', path, { headers: { host, accept: 'text/html', 'accept-language': 'en' } });
    for (const customCode of ['on-call', 'oncall'])
      await shorten(api, { domain: host, customCode, url: `https://example.com/${customCode}` });
    assert.doesNotMatch((await page('/wiki')).text, /Create this link/);
    const change = (body: object) => api.patch(`/api/v1/domains/${id}`, body);
    const refused = await change({ golinks: true });
    assert.deepEqual([refused.status, codeOf(refused)], [409, 'DOMAIN_IN_USE']);
    assert.match(refused.json.error.message, /"on-call" and "oncall" would be the same/);
    assert.equal(refused.json.error.details[0].field, 'golinks');

    const found = await api.get(`/api/v1/links/by-code/oncall?domain=${host}`);
    assert.equal((await api.delete(`/api/v1/links/${found.json.data.id}`)).status, 204);
    assert.equal((await change({ golinks: true })).json.data.golinks, true);
    for (const path of ['/oncall', '/On-Call', '/ONCALL'])
      assert.equal(await visit(host, path), 'https://example.com/on-call', path);
    const taken = await shorten(api, { domain: host, customCode: 'OnCall' });
    assert.deepEqual([taken.status, codeOf(taken)], [409, 'CUSTOM_CODE_TAKEN']);
    assert.match(taken.json.error.message, /ignores hyphens and case, so the code is the same as "on-call"/);
    const { data } = (await api.get(`/api/v1/codes?customCode=oncall&domain=${host}`)).json;
    assert.equal(data.status, 'yours');
    assert.match(
      (await page('/wiki')).text,
      new RegExp(`/dashboard/golink\\?domain=${host}&[^"]*name=wiki"`),
    );
    assert.equal((await change({ golinks: false })).json.data.golinks, false);
    assert.equal(await visit(host, '/oncall'), 404);
  });

  test('adds a domain, shows its records, verifies it, and serves it', async () => {
    const api = await account();
    const [host, code] = [freshHost(), freshCode()];
    const made = await api.post('/api/v1/domains', { host: `${host.toUpperCase()}.` });
    assert.equal(made.status, 201, made.text);
    const domain: Domain = made.json.data;
    assert.equal(made.headers.get('location'), `https://sho.rt/api/v1/domains/${domain.id}`);
    assert.deepEqual(
      Object.keys(domain).join(),
      [
        ...['id', 'host', 'hostUnicode', 'status', 'isDefault', 'isShared', 'codes', 'rootUrl', 'unknownUrl'],
        ...[
          'expiredUrl',
          'indexed',
          'golinks',
          'linkCount',
          'createdAt',
          'verifiedAt',
          'checkedAt',
          'problem',
          'records',
        ],
      ].join(),
    );
    assert.deepEqual([domain.host, domain.status], [host, 'pending']);
    assert.deepEqual(
      domain.records.map(({ type, name }) => `${type} ${name}`),
      [`TXT _linkfold.${host}`, `CNAME ${host}`],
    );
    assert.equal(domain.records[1]?.value, 'sho.rt');
    assert.equal(codeOf(await shorten(api, { domain: host })), 'DOMAIN_NOT_ACTIVE');
    assert.equal(await visit(host, '/'), 421);
    assert.equal((await call(at, 'GET', '/healthz', { headers: { host } })).status, 200);

    const early = (await verify(api, domain)).json.data;
    assert.deepEqual([early.status, early.records[0].found], ['pending', false]);
    assert.match(early.problem, /it was not found/);
    dns.zone[`_linkfold.${host}`] = { TXT: ['linkfold=wrong'] };
    assert.match((await verify(api, domain)).json.data.problem, /found instead: linkfold=wrong/);
    publish(domain, 'TXT');
    const proven = (await verify(api, domain)).json.data;
    assert.deepEqual(
      [proven.status, proven.records.map((one: { found: boolean }) => one.found)],
      ['active', [true, false]],
    );
    publish(domain, 'CNAME');
    assert.equal((await verify(api, domain)).json.data.problem, null);

    const link = await shorten(api, { domain: host, customCode: code });
    assert.equal(link.json.data.shortUrl, `https://${host}/${code}`);
    assert.equal(await visit(host, `/${code.toUpperCase()}`), 'https://example.com/');
    assert.equal(await visit('sho.rt', `/${code}`), 404);
    assert.equal(await visit('other.example.com', `/${code}`), 421);
    const [listed] = (await api.get('/api/v1/domains')).json.data.filter((one: Domain) => one.host === host);
    assert.equal(listed.linkCount, 1);
  });

  test("shows only public addresses and Linkfold's TXT records in a check", async () => {
    const cases: readonly [Record<string, readonly string[]>, string[]][] = [
      [{ A: ['10.9.8.7'] }, []],
      [{ A: ['169.254.169.254', '8.8.8.8'] }, []],
      [{ AAAA: ['fd00:0000:0000:0000:0000:0000:0000:0001'] }, []],
      [{ CNAME: ['db.corp.internal'] }, []],
      [{ CNAME: ['shop.example.org'] }, ['shop.example.org', '8.8.4.4']],
      [{ A: ['8.8.8.8'] }, ['8.8.8.8']],
    ];
    dns.zone['db.corp.internal'] = { A: ['192.168.1.2'] };
    dns.zone['shop.example.org'] = { A: ['8.8.4.4'] };
    for (const [records, shown] of cases) {
      const api = await account();
      const domain = await add(api);
      dns.zone[domain.host] = records;
      dns.zone[`_linkfold.${domain.host}`] = { TXT: ['v=spf1 include:corp.internal', 'linkfold=wrong'] };
      const { data } = (await verify(api, domain)).json;
      assert.deepEqual(data.records[0].others, ['linkfold=wrong']);
      assert.deepEqual(data.records[1].others, shown, JSON.stringify(records));
      assert.doesNotMatch(data.problem, /10\.9|169\.254|192\.168|internal|spf1/);
    }
  });

  test('includes the domain in every response with a short URL', async () => {
    const api = await account();
    const [domain, code, alias] = [await active(api), freshCode(), freshCode()];
    const { host } = domain;
    const { id } = (await shorten(api, { domain: host, customCode: code, externalId: code })).json.data;
    await shorten(api, { customCode: code });
    const short = `https://${host}/${code}`;
    const urls = [
      (await api.get(`/api/v1/links/${id}`)).json.data.shortUrl,
      (await api.get(`/api/v1/links/by-code/${code}?domain=${host}`)).json.data.shortUrl,
      (await api.get(`/api/v1/links?domain=${host}`)).json.data[0].shortUrl,
      (await api.get(`/api/v1/links?search=${code}&domain=${host}`)).json.data[0].shortUrl,
      (await api.put(`/api/v1/links/by-external-id/${code}`, { url: 'https://example.com/2' })).json.data
        .shortUrl,
    ];
    assert.deepEqual(new Set(urls), new Set([short]));
    assert.equal(
      (await api.get(`/api/v1/links/by-code/${code}`)).json.data.shortUrl,
      `https://sho.rt/${code}`,
    );
    assert.equal((await api.get(`/api/v1/links/${id}?include=domain`)).json.data.domain, host);
    assert.equal((await api.get('/api/v1/links?domain=sho.rt')).json.pagination.total, 1);
    assert.equal((await api.get('/api/v1/links?domain=nobodys.example.com')).json.pagination.total, 0);
    assert.equal((await api.get(`/api/v1/codes?customCode=${code}&domain=${host}`)).json.data.linkId, id);
    assert.match((await api.get('/api/v1/links/export?format=csv')).text, new RegExp(short));
    const preview = await call(at, 'GET', `/${code}+`, { headers: { host, accept: 'application/json' } });
    assert.equal(preview.json.data.shortUrl, short);

    const share = new URL((await api.post(`/api/v1/links/${id}/share`)).json.data.url);
    assert.equal((await call(at, 'GET', share.pathname)).json.data.link.shortUrl, short);

    const made = await api.post(`/api/v1/links/${id}/aliases`, { customCode: alias });
    assert.equal(
      made.json.data.shortUrl,
      `https://${host}/${alias}`,
      'an alias is on the domain of its link',
    );
    assert.equal(await visit(host, `/${alias}`), 'https://example.com/2');
    const location = new URL(made.headers.get('location') ?? '');
    assert.equal((await api.delete(location.pathname + location.search)).status, 204);
    const recoded = await api.patch(`/api/v1/links/${id}/code`, { customCode: alias, domain: 'sho.rt' });
    assert.equal(recoded.json.data.shortUrl, `https://sho.rt/${alias}`);
    assert.deepEqual((await api.get(`/api/v1/links/${id}/aliases`)).json.data, [{ code, shortUrl: short }]);

    const bulk = await api.post('/api/v1/links/bulk', {
      action: 'create',
      links: [
        { url: 'https://example.com/', domain: host },
        { url: 'https://example.com/', domain: 'nobodys.example.com' },
      ],
    });
    const [first, second] = bulk.json.data.results;
    assert.ok(first.link.shortUrl.startsWith(`https://${host}/`), bulk.text);
    assert.equal(second.error.code, 'DOMAIN_NOT_FOUND');
  });

  test('creates links without a domain on the default one', async () => {
    const api = await account();
    const domain = await active(api, { rootUrl: 'https://example.com/home' });
    assert.equal(await visit(domain.host, '/'), 'https://example.com/home');
    const change = (body: object) => api.patch(`/api/v1/domains/${domain.id}`, body);
    assert.equal((await change({ isDefault: true })).json.data.isDefault, true);
    assert.ok((await shorten(api, {})).json.data.shortUrl.startsWith(`https://${domain.host}/`));
    assert.ok((await shorten(api, { domain: 'sho.rt' })).json.data.shortUrl.startsWith('https://sho.rt/'));
    const all = (await api.get('/api/v1/domains')).json.data;
    assert.deepEqual(
      all
        .map((one: { isDefault: boolean; isShared: boolean; linkCount: number }) => [
          one.isShared,
          one.isDefault,
          one.linkCount,
        ])
        .toSorted(),
      [
        [false, true, 1],
        [true, false, 1],
      ],
    );
    assert.equal((await change({ isDefault: false })).json.data.isDefault, false);
    assert.ok((await shorten(api, {})).json.data.shortUrl.startsWith('https://sho.rt/'));
  });

  test("reserves only the server's own paths on custom domains", async () => {
    const api = await account();
    for (const codes of ['folded', 'exact']) {
      const { host } = await active(api, { codes });
      for (const customCode of ['docs', 'help', 'about', 'contact', 'login', 'events', 'www']) {
        const url = `https://example.com/${customCode}`;
        const checked = await api.get(`/api/v1/codes?customCode=${customCode}&domain=${host}`);
        assert.equal(checked.json.data.status, 'free', customCode);
        const made = await shorten(api, { domain: host, customCode, url });
        assert.equal(made.status, 201, made.text);
        assert.equal(await visit(host, `/${customCode}`), url);
        assert.equal(codeOf(await shorten(api, { domain: 'sho.rt', customCode })), 'CUSTOM_CODE_RESERVED');
        const { id } = made.json.data;
        const renamed = await api.patch(`/api/v1/links/${id}/code`, { customCode: `team-${customCode}` });
        assert.equal(renamed.status, 200, renamed.text);
      }
      for (const customCode of ['api', 'Dashboard', 'healthz', 'metrics'])
        assert.equal(
          codeOf(await shorten(api, { domain: host, customCode })),
          'CUSTOM_CODE_RESERVED',
          `${customCode} of ${codes} codes`,
        );
      for (const customCode of ['', ...(codes === 'folded' ? ['ab'] : [])])
        assert.match(
          (await shorten(api, { domain: host, customCode })).text,
          /must be [13]–(?:50|190) characters/,
        );
    }
  });

  test('supports exact, case-sensitive codes with nearly any characters', async () => {
    const api = await account();
    const { host } = await active(api, { codes: 'exact' });
    for (const [customCode, url] of [
      ['a', 'https://example.com/a'],
      ['A', 'https://example.com/A'],
      ['x.y/~z=1', 'https://example.com/z'],
    ])
      assert.equal((await shorten(api, { domain: host, customCode, url })).status, 201);
    assert.equal(await visit(host, '/a'), 'https://example.com/a');
    assert.equal(await visit(host, '/A'), 'https://example.com/A');
    assert.equal(await visit(host, '/x.y/~z=1'), 'https://example.com/z');
    for (const customCode of ['a b', 'a?b', '../x', 'a//b'])
      assert.equal(
        codeOf(await shorten(api, { domain: host, customCode })),
        'INVALID_CUSTOM_CODE',
        customCode,
      );
    assert.equal(codeOf(await shorten(api, { customCode: 'x.y' })), 'INVALID_CUSTOM_CODE');
    // The password form redirects to the code, whichever characters the code contains. The cookie is limited to the
    // code's path if possible.
    const password = 'open sesame';
    for (const [customCode, cookiePath] of [
      ['a.b~c', '/a.b~c'],
      ["p.q/it's(1)@x", "/p.q/it's(1)@x"],
      ['p.q/x;y/z', '/p.q'],
      ['v;w', '/'],
    ] as const) {
      const made = await shorten(api, { domain: host, customCode, password });
      assert.equal(made.status, 201, made.text);
      const typed = await call(at, 'POST', `/${customCode}?x=1`, {
        headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password }).toString(),
      });
      assert.deepEqual([typed.status, typed.headers.get('location')], [303, `/${customCode}?x=1`]);
      const cookie = typed.headers.get('set-cookie') ?? '';
      assert.ok(cookie.endsWith(`; Path=${cookiePath}`), cookie);
    }
  });

  test('serves app files per domain, only on request', async () => {
    const api = await account();
    const assetLinks = [
      { relation: ['delegate_permission/common.handle_all_urls'], target: { namespace: 'web' } },
    ];
    const appleAppSiteAssociation = { applinks: { details: [{ appIDs: ['A.com.example'] }] } };
    const [domain, other] = [await active(api, { assetLinks, codes: 'exact' }), await active(api)];
    const path = (id = domain.id) => `/api/v1/domains/${id}`;
    const file = (name: string, host = domain.host) =>
      call(at, 'GET', `/.well-known/${name}`, { headers: { host } });
    const android = await file('assetlinks.json');
    assert.deepEqual([android.status, android.json], [200, assetLinks]);
    assert.equal(android.headers.get('content-type'), 'application/json');
    assert.equal((await file('apple-app-site-association')).status, 404);
    assert.equal((await file('assetlinks.json', other.host)).status, 404);
    assert.equal((await file('assetlinks.json', 'sho.rt')).status, 404);
    assert.equal((await api.patch(path(), { appleAppSiteAssociation })).status, 200);
    assert.deepEqual((await file('apple-app-site-association')).json, appleAppSiteAssociation);
    assert.ok(!('assetLinks' in (await api.get(path())).json.data));
    const whole = (await api.get(`${path()}?include=associationFiles,certificate`)).json.data;
    assert.deepEqual(
      [whole.assetLinks, whole.appleAppSiteAssociation, whole.certificate],
      [assetLinks, appleAppSiteAssociation, null],
    );
    const bare = (await api.get(`${path(other.id)}?include=associationFiles`)).json.data;
    assert.deepEqual([bare.assetLinks, bare.appleAppSiteAssociation], [null, null]);
    for (const wrong of [
      { assetLinks: {} },
      { appleAppSiteAssociation: [] },
      { assetLinks: ['x'.repeat(20_000)] },
    ])
      assert.equal(codeOf(await api.patch(path(), wrong)), 'VALIDATION_ERROR');
    const long = { appleAppSiteAssociation: { x: 'x'.repeat(16_384) } };
    assert.match((await api.patch(path(), long)).text, /16,?384/);
    assert.equal((await api.patch(path(), { assetLinks: null })).status, 200);
    assert.equal((await file('assetlinks.json')).status, 404);
    const refused = await shorten(api, { domain: domain.host, customCode: '.well-known/assetlinks.json' });
    assert.equal(codeOf(refused), 'CUSTOM_CODE_RESERVED');
  });

  test('reports a request on an unknown host to the operator once', async () => {
    const api = await account();
    const code = freshCode();
    assert.equal((await shorten(api, { customCode: code })).status, 201);
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('OTHER_HOSTS'));
    assert.equal(await visit('nothing.example.com', `/${freshCode()}`), 421);
    assert.deepEqual(lines(), []);
    for (const host of ['old-name.example.com', 'another.example.com'])
      assert.equal(await visit(host, `/${code}`), 421);
    await until('the problem is reported', () => lines().length > 0);
    assert.equal(lines().length, 1);
    assert.match(lines()[0] ?? '', /old-name\.example\.com/);
  });

  test('gives a host to the first account that verifies it; later it starts empty', async () => {
    const [one, other] = [await account(), await account()];
    const [host, code] = [freshHost(), freshCode()];
    const [mine, theirs] = [await add(one, { host }), await add(other, { host })];
    assert.equal(codeOf(await one.post('/api/v1/domains', { host })), 'DOMAIN_TAKEN');
    dns.zone[`_linkfold.${host}`] = { TXT: [mine, theirs].flatMap(({ records }) => records[0]?.value ?? []) };
    const both = await Promise.all([verify(one, mine), verify(other, theirs)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const isMine = both[0].status === 200;
    const [winner, loser] = isMine ? [one, other] : [other, one];
    const [won, lost] = isMine ? [mine, theirs] : [theirs, mine];
    assert.equal(codeOf(await verify(loser, lost)), 'DOMAIN_TAKEN');
    const link = (await shorten(winner, { domain: host, customCode: code })).json.data.id;
    assert.equal(codeOf(await shorten(loser, { domain: host })), 'DOMAIN_NOT_ACTIVE');
    assert.equal(codeOf(await winner.delete(`/api/v1/domains/${won.id}`)), 'DOMAIN_IN_USE');
    await winner.delete(`/api/v1/links/${link}`);
    assert.equal((await winner.delete(`/api/v1/domains/${won.id}`)).status, 204);
    assert.equal(await visit(host, `/${code}`), 421);
    assert.equal((await verify(loser, lost)).json.data.status, 'active');
    assert.equal(await visit(host, `/${code}`), 404);
    assert.equal((await shorten(loser, { domain: host, customCode: code })).status, 201);
    assert.equal(codeOf(await winner.post(`/api/v1/links/${link}/restore`)), 'DOMAIN_NOT_FOUND');
  });

  test('rejects links to custom domains like those to the shared one, everywhere', async () => {
    const [api, other] = [await account(), await account()];
    const pending = await add(api);
    const to = (host: string) => ({ url: `https://${host}/sale` });
    assert.equal((await shorten(api, to(pending.host))).status, 201, 'nobody has verified it');
    const { host, id } = await active(api);
    const link = (await shorten(api, {})).json.data.id;
    for (const refused of [
      await shorten(api, to(host)),
      await shorten(api, to(`${host.toUpperCase()}.`)),
      await shorten(api, { expiredUrl: to(host).url }),
      await shorten(api, {
        rules: [{ when: [{ fact: 'device', values: ['mobile'] }], to: { url: to(host).url } }],
      }),
      await api.patch(`/api/v1/links/${link}/destination`, to(host)),
      await api.patch(`/api/v1/domains/${id}`, { rootUrl: to(host).url }),
    ])
      assert.match(refused.json.error.message, /points back to this service/, refused.text);
    const bulk = await api.post('/api/v1/links/bulk', { action: 'create', links: [to(host)] });
    assert.equal(bulk.json.data.results[0].error.code, 'SELF_REFERENTIAL_URL');
    assert.equal((await shorten(api, to(`${host}:8443`))).status, 201, 'another service of the owner');
    assert.equal((await shorten(other, to(host))).status, 201, "another account's domain is not revealed");
    assert.equal((await api.delete(`/api/v1/domains/${id}`)).status, 204);
    assert.equal((await shorten(api, to(host))).status, 201);
  });

  test('rejects invalid hosts', async () => {
    const api = await account();
    for (const host of [
      'localhost',
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      'a.example.com:80',
      '*.example.com',
      'https://a.example.com',
      'a..b',
      '-a.example.com',
      'a_b.example.com',
      '',
    ])
      assert.equal((await api.post('/api/v1/domains', { host })).status, 400, host);
    assert.equal(codeOf(await api.post('/api/v1/domains', { host: 'SHO.rt' })), 'DOMAIN_TAKEN');
    const { json } = await api.post('/api/v1/domains', { host: 'Bücher.example' });
    assert.deepEqual([json.data.host, json.data.hostUnicode], ['xn--bcher-kva.example', 'bücher.example']);
    const reader = as(at, (await server.newKey({ scopes: 'links:read,links:write' })).key);
    assert.equal((await reader.get('/api/v1/domains')).status, 200);
    assert.equal(codeOf(await reader.post('/api/v1/domains', { host: freshHost() })), 'INSUFFICIENT_SCOPE');
  });

  test('checks a pending domain automatically', async () => {
    const api = await account();
    const domain = await add(api);
    publish(domain, 'TXT', 'CNAME');
    for (const end = Date.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 500))) {
      if ((await api.get(`/api/v1/domains/${domain.id}`)).json.data.status === 'active') break;
      assert.ok(Date.now() < end, 'it is verified within a minute');
    }
  });

  test('counts clicks on the visited domain, whatever happens to the link', async () => {
    const api = await account();
    const [here, there] = [await active(api), await active(api)];
    const code = freshCode();
    const { id } = (await shorten(api, { domain: here.host, customCode: code })).json.data;
    assert.equal((await shorten(api, { customCode: code })).status, 201);
    assert.equal(
      (await api.post(`/api/v1/links/${id}/aliases`, { customCode: code, domain: there.host })).status,
      201,
    );
    for (const host of [here.host, there.host, 'sho.rt'])
      assert.equal(await visit(host, `/${code}`), 'https://example.com/');
    // Uses a separate connection, as a visitor's browser does, because the fast path has its own parser.
    const plain = `GET /${code} HTTP/1.1\r\nHost: ${here.host}\r\n\r\n`;
    const { text: answered } = await converse(Number(new URL(at.url).port), [plain], { end: true });
    assert.match(answered, /^HTTP\/1.1 302 /);
    // Moves the link's code to the other domain. Earlier clicks remain on the old domain.
    const moved = { customCode: freshCode(), domain: there.host };
    assert.equal((await api.patch(`/api/v1/links/${id}/code`, moved)).status, 200);
    assert.equal(await visit(there.host, `/${moved.customCode}`), 'https://example.com/');

    const shared = (await api.get('/api/v1/domains')).json.data.find(
      ({ isShared }: { isShared: boolean }) => isShared,
    );
    const all = async (path: string) => {
      const { status, json, text } = await api.get(path);
      assert.equal(status, 200, text);
      return json.data;
    };
    const clicksAt = async (domain: { id: string }): Promise<number> =>
      (await all(`/api/v1/domains/${domain.id}/stats`)).totals.clicks;
    await until('all clicks are delivered', async () => (await all('/api/v1/stats')).totals.clicks === 5);
    assert.deepEqual(
      [await clicksAt(here), await clicksAt(there), await clicksAt(shared)],
      [2, 2, 1],
      'at each domain',
    );
    const { values } = (await all('/api/v1/stats?groupBy=domain')).breakdown;
    assert.deepEqual(
      new Map(
        values.map(({ value, label, clicks }: { value: string; label: string; clicks: number }) => [
          value,
          `${label} ${clicks}`,
        ]),
      ),
      new Map([
        [here.host, `${here.host} 2`],
        [there.host, `${there.host} 2`],
        ['', 'sho.rt 1'],
      ]),
    );
    for (const [filter, clicks] of [
      [`domain:is:${here.host.toUpperCase()}`, 2],
      ['domain:is:sho.rt', 1],
      ['domain:is:', 1],
      ['domain:is-not:sho.rt', 4],
      ['domain:contains:example.com', 4],
    ] as const)
      assert.equal((await all(`/api/v1/stats?filter=${filter}`)).totals.clicks, clicks, filter);
    const mine = await all(`/api/v1/links/${id}/stats?groupBy=domain&filter=domain:is:${there.host}`);
    assert.deepEqual([mine.totals.clicks, mine.breakdown.values[0].value], [2, there.host]);
    const listed = await all(`/api/v1/clicks?filter=domain:is:sho.rt`);
    assert.deepEqual(
      listed.map(({ domain, shortCode }: { domain: string; shortCode: string }) => [domain, shortCode]),
      [['', code]],
    );
    const file = await api.get('/api/v1/clicks/export?format=csv');
    assert.equal(file.text.split(here.host).length - 1, 2, file.text);

    // Another account can neither see the domain nor use it.
    const stranger = await account();
    for (const unknown of [here.id, here.id.replace(/^.{8}/, '00000000'), 'x'])
      assert.equal(codeOf(await stranger.get(`/api/v1/domains/${unknown}/stats`)), 'DOMAIN_NOT_FOUND');
    const nothing = await stranger.get(`/api/v1/stats?filter=domain:is:${here.host}`);
    assert.equal(nothing.json.data.totals.clicks, 0);
  });
});
