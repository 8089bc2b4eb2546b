import assert from 'node:assert/strict';
import { Agent, createServer, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { assert as check, property, webUrl } from 'fast-check';
import { words } from '../../test/support/words.ts';
import { targetOf } from '../clicks/clicks.fixtures.ts';
import { countries, countryNumber } from '../clicks/dimensions/countries.ts';
import { createReadFacts } from '../clicks/dimensions/facts.ts';
import { saltFrom } from '../clicks/dimensions/visitors.ts';
import { createExcludedBrowsers } from '../model/accounts/excluded-browsers.ts';
import { createLimiter } from '../model/accounts/limits.ts';
import type { ClickFacts } from '../model/clicks/click-facts.ts';
import { clickClasses } from '../model/clicks/clicks.ts';
import type { ServedDomain } from '../model/domains/domains.ts';
import { hostOfHeader } from '../model/domains/hosts.ts';
import { Failure } from '../model/failures.ts';
import { isReserved } from '../model/links/codes/codes.ts';
import { plainValues } from '../model/links/link-field-values.ts';
import type { Target } from '../model/links/link-records.ts';
import { proofOf } from '../model/links/passwords.ts';
import { createNetworkMatcher } from '../model/networks.ts';
import { createClientOf, readProxyTrust } from '../server/client-address.ts';
import { createFastPath } from '../server/fast-path/fast-path.ts';
import { createHttpVisits } from '../server/http-visits.ts';
import { parsePath } from './path.ts';
import { createRedirect, type RedirectOptions } from './redirect.ts';
import { classOfAgent } from './visitor.ts';

interface Click {
  readonly row: number;
  readonly at: number;
  readonly facts: ClickFacts;
}
interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Ask = (path: string, options?: RequestOptions) => Promise<Reply>;

const now = 1_000_000;
const targets: Readonly<Record<string, Target>> = {
  sale: targetOf(1, 'https://example.com/sale?a=1'),
  'a_b-1': targetOf(2),
  'shop/sale': targetOf(6),
  'é/b': targetOf(7),
  stats: targetOf(5),
  mine: {
    ...targetOf(8, 'https://example.com/{user|nobody}'),
    special: { ...plainValues, template: 1 },
  },
  old: { ...targetOf(3), expiresAt: now },
  soon: { ...targetOf(4), expiresAt: now + 1 },
  own: { ...targetOf(9), isExcluded: createNetworkMatcher(['203.0.113.0/24', '2001:db8::5', '127.0.0.1']) },
};
/** No link in these tests has a click limit. */
const unlimited = {
  hasClicksLeft: () => assert.fail(),
  consumeClick: () => assert.fail(),
  branding: () => undefined,
  inheritedExpiredUrl: (): string | undefined => undefined,
  findHost: (): ServedDomain | undefined => undefined,
  domainToken: (): string | undefined => undefined,
  appFile: (): string | undefined => undefined,
  findGolink: (): string | undefined => assert.fail(),
};
function preview(row: number) {
  return { code: `Made-${row}`, host: null, destination: `https://example.com/made/${row}`, publicQr: 0 };
}
const browser = {
  accept: 'text/html,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/127.0',
};
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Options = Partial<RedirectOptions & { readonly referrerPolicy: string; readonly proxies: string }>;

/** Starts a server and records the clicks that it counts. */
async function listen(options: Options, withFront: boolean) {
  const clicks: Click[] = [];
  const faults: string[] = [];
  let requests = 0;
  const redirect = createRedirect({
    storage: { ...unlimited, findTarget: (code) => targets[code], preview },
    journal: {
      append(target, at, facts, answer) {
        clicks.push({ row: target.row, at, facts });
        setImmediate(answer, true);
      },
    },
    now: () => now,
    newRequestId: () => {
      requests += 1;
      return `request-${requests}`;
    },
    baseUrl: () => 'https://sho.rt',
    destinations: {
      maxLength: 2_048,
      ownHosts: new Set(),
      blockedHosts: [],
      blockPrivate: false,
      isListed: () => false,
    },
    codeMisses: createLimiter(() => now),
    qrCodes: createLimiter(() => now),
    excludedBrowsers: createExcludedBrowsers(() => 'secret'),
    dashboardUrl: () => 'https://sho.rt/dashboard',
    missLimit: 3,
    // No link in these tests has a password.
    gate: {
      passwords: { isRight: () => assert.fail() },
      wrongByAddress: createLimiter(() => now),
      wrongByLink: createLimiter(() => now),
    },
    onFault: (sentence) => faults.push(sentence),
    ...options,
  });
  const { proxies = '0', referrerPolicy } = options;
  const readFacts = createReadFacts({
    classOfAgent,
    ownHosts: ['sho.rt'],
    honoursOptOut: true,
    geolocate: (address) => ({
      country: countryNumber(address === '8.8.8.8' ? 'US' : ''),
      region: '',
      network: '',
    }),
    salt: () => saltFrom(new Uint8Array(16)),
  });
  const clientOf = createClientOf(readProxyTrust(proxies));
  const hostOf = (header: string): string => (header === 'sho.rt' ? '' : hostOfHeader(header));
  const visits = {
    redirect,
    readFacts,
    hostOf,
    clientOf,
    countryHeader: 'x-country',
    userHeader: 'x-user',
    referrerPolicy,
  };
  const server = createServer({ maxHeaderSize: 16_384 }, createHttpVisits(visits));
  if (withFront)
    createFastPath(server, {
      ...visits,
      mounts: new Set(),
      now: () => now,
      tickLimit: { isFull: () => false, later: setImmediate },
    });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  closers.push(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask: Ask = (path, given = {}) =>
    new Promise((resolve, reject) => {
      const req = request({ port, host: '127.0.0.1', path, agent, ...given }, (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: { ...res.headers, date: '' },
            body: Buffer.concat(parts).toString(),
          }),
        );
      });
      req.on('error', reject);
      req.end();
    });
  return { ask, clicks, faults };
}

/** Sends each request to two servers, one with the fast path and one without, and requires equal responses. */
async function serve(options: Options = {}): Promise<{ ask: Ask; clicks: Click[]; faults: string[] }> {
  const plain = await listen(options, false);
  const fronted = await listen(options, true);
  const ask: Ask = async (path, given) => {
    const reply = await plain.ask(path, given);
    assert.deepEqual(await fronted.ask(path, given), reply, path);
    assert.deepEqual(fronted.clicks, plain.clicks);
    assert.deepEqual(fronted.faults, plain.faults);
    return reply;
  };
  return { ...plain, ask };
}

function codeOf({ body }: Reply): string {
  return JSON.parse(body).error.code;
}

test('redirects a live link with 302 and exactly the needed headers, and counts one click', async () => {
  const { ask, clicks } = await serve();
  const { status, headers, body } = await ask('/sale', { headers: browser });
  assert.equal(status, 302);
  const { date, connection, 'keep-alive': _, ...rest } = headers;
  assert.deepEqual(rest, {
    location: 'https://example.com/sale?a=1',
    'cache-control': 'no-store',
    'content-length': '0',
  });
  assert.equal(body, '');
  assert.deepEqual(
    clicks.map(({ row, at, facts }) => [row, at, facts.class]),
    [[1, now, 0]],
  );
});

test('redirects visits from excluded networks without counting them', async () => {
  const { ask, clicks } = await serve({ proxies: '1' });
  for (const address of ['203.0.113.9', '::ffff:203.0.113.10', '2001:DB8:0::5', ''])
    assert.equal((await ask('/own', { headers: { 'x-forwarded-for': address } })).status, 302, address);
  assert.equal(clicks.length, 0);
  // Counts visits from another network, from another address in the same /64, and with a forged first entry in
  // `X-Forwarded-For`.
  for (const address of ['203.0.114.1', '2001:db8::6', '203.0.113.9, 198.51.100.1'])
    assert.equal((await ask('/own', { headers: { 'x-forwarded-for': address } })).status, 302, address);
  assert.equal(clicks.length, 3);
  await ask('/sale', { headers: { 'x-forwarded-for': '203.0.113.9' } });
  assert.equal(clicks.length, 4, 'other accounts count the visit');
});

test("counts no visit with the account's cookie, and sets it by a signed URL", async () => {
  const browsers = createExcludedBrowsers(() => 'secret');
  const kept: unknown[] = [];
  const missed = { unknown: () => assert.fail(), link: (...visit: unknown[]) => void kept.push(visit) };
  const cookie = browsers.cookie(targets['sale']?.account ?? 0, '');
  const { ask, clicks } = await serve({ missed });
  const visit = async (headers: Record<string, string | string[]>) =>
    assert.equal((await ask('/sale', { headers })).status, 302);
  await visit({ cookie: `a=b; ${cookie}` });
  await visit({ cookie: ['a=b', cookie] });
  assert.equal((await ask('/sale', { method: 'HEAD', headers: { cookie } })).status, 302);
  assert.equal(clicks.length, 0);
  assert.deepEqual(kept, Array(4).fill([1, 'excluded']), 'on both servers');
  await visit({ cookie: browsers.cookie(99, '') });
  await visit({ cookie: `${cookie.slice(0, -1)}!` });
  assert.equal(clicks.length, 2);

  const seconds = now / 1_000;
  const pathOf = (until: number) => browsers.path({ account: 7, host: '', excludes: true }, until);
  const press = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };
  for (const method of ['GET', 'POST']) {
    const asked = await ask(pathOf(seconds + 1), { method });
    assert.deepEqual([asked.status, asked.headers['set-cookie']], [200, undefined], method);
    assert.match(asked.body, /<form method="post">/);
  }
  const marked = await ask(pathOf(seconds + 1), press);
  assert.deepEqual(
    [marked.status, marked.headers.location, marked.headers['cache-control']],
    [303, 'https://sho.rt/dashboard/settings?domain=sho.rt&visits=excluded#ownVisits', 'no-store'],
  );
  const [set] = marked.headers['set-cookie'] ?? [];
  assert.equal(set, `${browsers.cookie(7, '')}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure`);
  const late = await ask(pathOf(seconds));
  assert.equal(late.headers.location?.includes('visits=expired'), true);
  assert.equal(late.headers['set-cookie'], undefined);
  assert.equal((await ask(pathOf(seconds + 1), { method: 'PUT' })).status, 404);
  const alone = await serve({ dashboardUrl: () => undefined });
  assert.deepEqual(
    [(await alone.ask(pathOf(seconds + 1), press)).status, (await alone.ask(pathOf(seconds))).status],
    [200, 410],
  );
});

test('ignores case, query, one trailing slash, encoding and an absolute target', async () => {
  const { ask, clicks } = await serve();
  const same = words(`
    /SALE /sale?x=/y /sale/ /sale/?q /%73ale /s%61l%65/ http://other.host/sale?x /sale#x
  `);
  for (const path of same)
    assert.equal((await ask(path)).headers.location, 'https://example.com/sale?a=1', path);
  assert.equal(clicks.length, same.length);
  assert.equal((await ask('/a_b-1')).status, 302);
  assert.equal((await ask('/soon')).status, 302);
});

test('redirects a code with slashes whatever the setting, even with escaped slashes', async () => {
  for (const codeSegments of [1, 2, 3]) {
    const { ask, clicks } = await serve({ codeSegments });
    const same = words('/shop/sale /Shop/SALE /shop/sale/ /shop/sale?x=/y/ /shop/sale/?q /shop%2Fsale');
    for (const path of [...same, '/%73hop%2fsale/', 'http://other.host/shop/sale'])
      assert.equal((await ask(path)).headers.location, 'https://example.com/6', path);
    assert.equal((await ask('/%C3%A9/b')).headers.location, 'https://example.com/7');
    assert.equal(clicks.length, 9);
    for (const path of ['/shop/sale+', '/shop/sale%2B/', '/shop%2Fsale+'])
      assert.match((await ask(path, { headers: browser })).body, /<b>\/Made-6</, path);
    assert.equal((await ask('/shop/sale', { method: 'HEAD' })).status, 302);
    assert.equal(clicks.length, 9);
    assert.equal((await ask('/shop/sale', { method: 'POST' })).status, codeSegments === 1 ? 404 : 405);
  }
});

test('treats paths with several segments as unknown codes up to the setting, otherwise as unknown paths', async () => {
  const unknown: string[] = [];
  const missed = { unknown: (code: string) => void unknown.push(code), link: () => assert.fail() };
  const codesOf = async (codeSegments: number, paths: readonly string[], method = 'GET') => {
    const { ask } = await serve({ codeSegments, missed });
    const codes: string[] = [];
    for (const path of paths) codes.push(codeOf(await ask(path, { method })));
    return codes;
  };
  const none = ['/a/b', '/a/b/', '/a/b+', '/shop/sale/x'];
  const route = none.map(() => 'ROUTE_NOT_FOUND');
  for (const method of ['GET', 'POST', 'PUT']) assert.deepEqual(await codesOf(1, none, method), route);
  assert.deepEqual(await codesOf(2, none), [...route.slice(0, 3).fill('CODE_NOT_FOUND'), 'ROUTE_NOT_FOUND']);
  assert.deepEqual(await codesOf(3, none), route.fill('CODE_NOT_FOUND'));
  assert.equal(unknown.length, 2 * 7, 'on both servers');
  assert.ok(unknown.includes('shop/sale/x'));
  const odd = [
    ...['/shop/./sale', '/shop/../shop/sale', '/shop/..', '/shop/%2e%2e'],
    '/shop/-sale',
    '/shop/sale.php',
    '/a/b/c/d/e/f',
    '/.well-known/x',
    '/shop;/sale',
    '/shop+/sale',
    `/${'x/'.repeat(1_500)}x`,
    `/${'x'.repeat(40)}/${'x'.repeat(40)}`,
  ];
  for (const codeSegments of [1, 5])
    assert.deepEqual(
      await codesOf(codeSegments, odd),
      odd.map(() => 'ROUTE_NOT_FOUND'),
    );
  assert.deepEqual(await codesOf(1, ['/a%2Fb', '/a%2F', '/%2F']), Array(3).fill('CODE_NOT_FOUND'));
  assert.equal(unknown.length, 16, 'impossible codes are not counted, and /a on both servers');
});

/** Suffixes that chat apps, mail clients, markup and people attach to a short URL. */
const strays = [
  ...[
    ...'.,)]>}"\'!;:|*`^\\~=@$',
    '…',
    '”',
    '’',
    '»',
    '。',
    '、',
    '）',
    '–',
    '️',
    '...',
    ').',
    '">',
    '/',
    '//',
    './',
  ],
  ...[
    '%20',
    '%0A',
    '%0D%0A',
    '%09',
    '%00',
    '%C2%A0',
    '%E2%80%8B',
    '%E2%80%8D',
    '%EF%BB%BF',
    '%E2%80%A6',
    '%E2%80',
    '%',
  ],
  ...[
    '&gt;',
    '&quot;',
    '&nbsp;',
    '%22%3Emore',
    '%20and%20more',
    '](https://sho.rt/sale)',
    '%26amp;',
    '&',
    '_',
    '-',
    '++',
  ],
];

test('ignores stray characters around a code if no link has them, without counting a guess', async () => {
  const missed = { unknown: () => assert.fail(), link: () => assert.fail() };
  const { ask, clicks } = await serve({ missed, proxies: '1', missLimit: 1, codeSegments: 2 });
  const headers = { 'x-forwarded-for': '203.0.113.77', ...browser };
  const around = [
    '//sale',
    '///sale/',
    '/(sale)',
    '/%20sale',
    '/%E2%80%9Csale%E2%80%9D',
    '/sa%E2%80%8Ble',
    '/*sale*',
  ];
  const inShop = [
    '/shop//sale',
    '//shop/sale',
    '/shop/sale).',
    '/shop/%2Fsale',
    '/shop%2F/sale%20',
    '/shop/sale%2F',
  ];
  const paths = [...strays.map((stray) => `/sale${encodeURI(stray).replaceAll('%25', '%')}`), ...around];
  for (const [path, location] of [
    ...paths.map((one) => [one, targets['sale']?.location] as const),
    ...inShop.map((one) => [one, targets['shop/sale']?.location] as const),
    ['/%C3%A9/b.', targets['é/b']?.location] as const,
  ]) {
    const seen = clicks.length;
    for (const method of ['GET', 'HEAD']) {
      const { status, headers: sent, body } = await ask(path, { method, headers });
      if (path.endsWith('++')) assert.match(body, method === 'GET' ? /Made-1/ : /^$/);
      else assert.deepEqual([status, sent.location], [302, location], `${method} ${path}`);
    }
    assert.equal(clicks.length, seen + (path.endsWith('++') ? 0 : 1), path);
  }
  assert.match((await ask('/sale+.', { headers })).body, /Made-1/);
  for (const path of ['//', '///?x']) assert.equal((await ask(path)).status, 200, path);
  assert.equal((await ask('/sale.', { method: 'POST' })).status, 405);
});

test('counts the query of a code without a question mark, but not markup', async () => {
  const { ask, clicks } = await serve();
  for (const [path, source] of [
    ['/sale&utm_source=mail', 'mail'],
    ['/sale/&utm_source=mail&utm_medium=x?y=1', 'mail'],
    ['/sale%3Futm_source=mail', 'mail'],
    ['/sale%3Futm_source%3De%20mail%26x%3D1', 'e mail'],
    ['/sale&amp;utm_source=e+mail&amp;x=1', 'e mail'],
    ['/sale%26utm_source=mail.', 'mail'],
    ['/sale&gt;', ''],
  ] as const) {
    assert.equal((await ask(path)).status, 302, path);
    assert.equal(clicks.at(-1)?.facts.utmSource, source, path);
  }
});

test('accepts exact codes with any of these characters, and finds them first', async () => {
  const links: Record<string, Target> = {};
  for (const [at, code] of ['a', 'a.', 'C++', 'T&C_car', '(b)', 'v1.2/notes.html'].entries())
    links[`3=${code}`] = targetOf(100 + at);
  const { ask, clicks } = await serve({
    ...byHost,
    storage: {
      ...unlimited,
      ...byHost.storage,
      findTarget: (key) => links[key],
    } as RedirectOptions['storage'],
  });
  for (const [path, at] of [
    ...[
      ['/a', 0],
      ['/a.', 1],
      ['/a..', 1],
      ['/a,', 0],
      ['/C++', 2],
      ['/C++.', 2],
    ],
    ...[
      ['/T&C_car', 3],
      ['/T&C_car)', 3],
      ['/T&C_car&utm_source=x', 3],
      ['/(b)', 4],
      ['/(b))', 4],
    ],
    ...[
      ['/v1.2//notes.html', 5],
      ['/v1.2/notes.html.', 5],
    ],
  ] as const) {
    assert.equal((await ask(String(path), { headers: { host: exact.host } })).status, 302, String(path));
    assert.equal(clicks.at(-1)?.row, 100 + Number(at), String(path));
  }
});

test('inserts the encoded code into the URL for unknown codes, never into its host', async () => {
  const location = 'https://{code}.example.com/%7Bcode%7D?s={code}#{code}';
  const { ask } = await serve({ unknownCodeRedirect: location, codeSegments: 2 });
  for (const [path, code] of [
    ['/none', 'none'],
    ['/none+', 'none'],
    ['/none.', 'none'],
    ['//none', 'none'],
    ['/none//', 'none'],
    ['/a//b)', 'a%2Fb'],
    ['/%C3%BC', '%C3%BC'],
    ['/@evil.example', encodeURIComponent('@evil.example')],
    ['/$&x$1', 'none'],
  ] as const) {
    const { status, headers } = await ask(path);
    const filled = `https://{code}.example.com/${code}?s=${code}#${code}`;
    if (path !== '/$&x$1') assert.deepEqual([status, headers.location], [302, filled], path);
    else assert.match(headers.location ?? '', /^https:\/\/\{code\}\.example\.com\/[\w%]+\?/);
  }
});

test('responds to HEAD in the same way and counts nothing', async () => {
  const { ask, clicks } = await serve({ referrerPolicy: 'no-referrer' });
  const get = await ask('/sale');
  const head = await ask('/sale', { method: 'HEAD' });
  assert.equal(head.status, 302);
  assert.deepEqual({ ...head.headers, date: '' }, { ...get.headers, date: '' });
  assert.equal(head.headers['referrer-policy'], 'no-referrer');
  assert.equal((await ask('/nothing', { method: 'HEAD' })).status, 404);
  assert.equal(clicks.length, 1);
});

test('returns 404 for unknown codes, 410 for expired ones: JSON for programs, a page for browsers', async () => {
  const { ask, clicks } = await serve();
  const table = [
    ['/nothing', 404, 'CODE_NOT_FOUND'],
    ['/%', 404, 'CODE_NOT_FOUND'],
    ['/%E0%A4%A', 404, 'CODE_NOT_FOUND'],
    ['/sa%2Fle', 404, 'CODE_NOT_FOUND'],
    ['/.env', 404, 'CODE_NOT_FOUND'],
    ['/old', 410, 'LINK_EXPIRED'],
    ['/old+', 410, 'LINK_EXPIRED'],
    ['/nothing+', 404, 'CODE_NOT_FOUND'],
    ['/sale/x', 404, 'ROUTE_NOT_FOUND'],
    ['ftp://host/sale', 404, 'ROUTE_NOT_FOUND'],
  ] as const;
  for (const [path, status, code] of table) {
    const json = await ask(path);
    assert.equal(json.status, status, path);
    assert.equal(codeOf(json), code, path);
    assert.equal(JSON.parse(json.body).error.requestId, json.headers['x-request-id']);
    const page = await ask(path, { headers: browser });
    assert.equal(page.status, status, path);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.body, /^<!doctype html>/);
    for (const { headers } of [json, page]) {
      assert.equal(headers['cache-control'], 'no-store', path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
    }
  }
  assert.deepEqual(clicks, []);
});

test('returns 405 with Allow for other methods', async () => {
  const { ask } = await serve();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const reply = await ask('/sale', { method });
    assert.equal(reply.status, 405);
    assert.equal(codeOf(reply), 'METHOD_NOT_ALLOWED');
    assert.equal(reply.headers.allow, 'GET, HEAD');
  }
});

test('redirects a link whose code was reserved later', async () => {
  const { ask } = await serve();
  assert.ok(isReserved('stats'));
  assert.equal((await ask('/stats')).headers.location, 'https://example.com/5');
  assert.equal((await ask('/Stats+')).status, 200);
});

test('shows the destination in a preview and counts nothing', async () => {
  const { ask, clicks } = await serve();
  for (const path of ['/sale+', '/sale%2B', '/Sale+/?x']) {
    const { status, headers, body } = await ask(path);
    assert.equal(status, 200);
    assert.equal(headers.location, undefined);
    assert.match(body, /<b>example\.com<\/b>\/sale\?a=1/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.match(body, /<b>\/Made-1</);
  }
  const { body, headers } = await ask('/sale+', { headers: { accept: 'application/json' } });
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(body), {
    success: true,
    data: {
      shortCode: 'Made-1',
      shortUrl: 'https://sho.rt/Made-1',
      destinationUrl: 'https://example.com/made/1',
    },
  });
  assert.deepEqual(clicks, []);
});

test('refuses a preview when storage fails; a preview of a just deleted link is a 404', async () => {
  const findTarget = (code: string) => targets[code];
  const away = async () => Promise.reject(new Failure('STORAGE_UNAVAILABLE', 'Storage is away.'));
  assert.equal(
    (await (await serve({ storage: { ...unlimited, findTarget, preview: away } })).ask('/sale+')).status,
    503,
  );
  const gone = await serve({ storage: { ...unlimited, findTarget, preview: () => undefined } });
  assert.equal((await gone.ask('/sale+')).status, 404);
});

test("brands a link's pages, read once a second; without storage shows the default pages", async () => {
  const branding = {
    name: 'Acme',
    accent: '#1f4d41',
    logo: null,
    message: 'Ask us.',
    contact: null,
    expiredUrl: null,
    updatedAt: 0,
  };
  const reads: number[] = [];
  const of = (answer: (account: number) => typeof branding | undefined) => ({
    storage: {
      ...unlimited,
      findTarget: (code: string) => targets[code],
      preview,
      branding: (account: number) => {
        reads.push(account);
        return answer(account);
      },
    },
  });
  const { ask } = await serve(of(() => branding));
  const { status, headers, body } = await ask('/old', { headers: browser });
  assert.equal(status, 410);
  assert.match(body, /<p class="name">Acme<\/p>[\s\S]*<p class="message">Ask us\.<\/p>/);
  assert.match(String(headers['content-security-policy']), /style-src 'sha256-[^']+' 'sha256-[^']+';/);
  await ask('/old');
  await ask('/sale');
  const account = targets['old']?.account;
  assert.deepEqual(reads, [account, account], 'once by each of the two servers, and not for a live link');
  assert.match((await ask('/sale+', { headers: browser })).body, /<p class="name">Acme<\/p>/);
  assert.doesNotMatch((await ask('/none', { headers: browser })).body, /Acme/);

  const away = await serve(of(() => assert.fail('storage is away')));
  const usual = await away.ask('/old', { headers: browser });
  assert.deepEqual([usual.status, usual.body.includes('This link has expired')], [410, true]);
  assert.deepEqual(away.faults, []);

  const asked: number[][] = [];
  const inheritedExpiredUrl = (...link: number[]): string => {
    asked.push(link);
    return 'https://acme.example/over';
  };
  const elsewhere = await serve({ storage: { ...of(() => branding).storage, inheritedExpiredUrl } });
  for (const _ of [1, 2]) {
    const sent = await elsewhere.ask('/old');
    assert.deepEqual([sent.status, sent.headers.location], [302, 'https://acme.example/over']);
  }
  await elsewhere.ask('/sale');
  const old = [account, targets['old']?.row];
  assert.deepEqual([asked, elsewhere.clicks.length], [[old, old], 1], 'once by each of the two servers');
  const { storage } = of(() => branding);
  const silent = await serve({
    storage: { ...storage, inheritedExpiredUrl: () => assert.fail('it is away') },
  });
  assert.match((await silent.ask('/old', { headers: browser })).body, /<p class="name">Acme<\/p>/);
});

test('redirects unknown codes as the operator configured, and counts and limits them as usual', async () => {
  const unknown: string[] = [];
  const missed = { unknown: (code: string) => void unknown.push(code), link: () => assert.fail() };
  const { ask } = await serve({ unknownCodeRedirect: 'https://example.com/lost', missed, proxies: '1' });
  for (const [path, method] of [
    ['/none', 'GET'],
    ['/none', 'HEAD'],
    ['/none+', 'GET'],
    ['/%3Codd', 'GET'],
  ] as const) {
    const { status, headers } = await ask(path, { method });
    assert.deepEqual([path, status, headers.location], [path, 302, 'https://example.com/lost']);
  }
  assert.deepEqual(unknown, ['none', 'none', 'none', 'none', 'odd', 'odd'], 'GET requests, on both servers');
  assert.equal((await ask('/a/b')).status, 404, 'a path that cannot be a code');
  assert.equal((await ask('/sale')).headers.location, 'https://example.com/sale?a=1');
  const headers = { 'x-forwarded-for': '203.0.113.5' };
  const statuses = [];
  for (let miss = 0; miss < 4; miss += 1) statuses.push((await ask('/none', { headers })).status);
  // The two servers don't share a limiter.
  assert.deepEqual(statuses, [302, 302, 302, 429]);
  await assert.rejects(serve({ unknownCodeRedirect: 'https://exämple.com/' }), /printable/);
});

test('shows a page at the root, or redirects', async () => {
  const { ask } = await serve();
  for (const path of ['/', '/?x', 'http://host', 'http://host/']) {
    const { status, body } = await ask(path);
    assert.equal(status, 200, path);
    assert.match(body, /href="\/api\/v1\/docs"/);
  }
  await assert.rejects(serve({ rootRedirect: 'https://exämple.com/' }), /printable/);
  const robots = await ask('/robots.txt');
  assert.match(robots.headers['content-type'] ?? '', /text\/plain/);
  const elsewhere = await serve({ rootRedirect: 'https://example.com/' });
  const reply = await elsewhere.ask('/');
  assert.equal(reply.status, 302);
  assert.equal(reply.headers.location, 'https://example.com/');
  assert.deepEqual(elsewhere.clicks, []);
});

test('shows the unknown code on a page if it is a possible code, and links to the root', async () => {
  const { ask } = await serve();
  const page = await ask('/Sprnig?x', { headers: browser });
  assert.match(page.body, /no short link <b>\/Sprnig<\/b> here/);
  assert.match(page.body, /<a href="\/">/);
  assert.match((await ask('/old', { headers: browser })).body, /<a href="\/">/);
  const odd = await ask('/%3C%22%3E', { headers: browser });
  assert.match(odd.body, /This page does not exist/);
});

test('serves a valid icon', async () => {
  const { ask } = await serve();
  const icon = await ask('/favicon.ico');
  assert.equal(icon.status, 200);
  assert.equal(icon.headers['content-type'], 'image/svg+xml');
  assert.equal(icon.headers['cache-control'], 'public, max-age=86400');
  assert.match(icon.body, /^<svg [^>]+><style>[^<]+<\/style><path d="[^"]+"\/><\/svg>$/);
});

test("takes the visitor's address only from a trusted proxy", async () => {
  const headers = { 'x-user': 'ada', 'x-forwarded-for': '203.0.113.9' };
  const seen = async (proxies: string, more = {}): Promise<string | undefined> =>
    (await (await serve({ proxies })).ask('/mine', { headers: { ...headers, ...more } })).headers.location;
  assert.equal(await seen('1'), 'https://example.com/ada');
  assert.equal(await seen('0'), 'https://example.com/nobody');
  assert.equal(await seen('1', { 'x-user': ['ada', 'eve'] }), 'https://example.com/nobody');
});

test('serves 120 public QR codes per minute and address; other addresses and redirects are not limited', async () => {
  const storage = {
    ...unlimited,
    findTarget: (code: string) => targets[code],
    preview: (row: number) => ({ ...preview(row), publicQr: 1 }),
  };
  const { ask } = await serve({ proxies: '1', storage });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  for (let picture = 0; picture < 120; picture += 1)
    assert.equal((await ask('/sale.qr', from('203.0.113.8'))).status, 200);
  const refused = await ask('/sale.qr', from('203.0.113.8'));
  assert.deepEqual([refused.status, codeOf(refused)], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.equal(refused.headers['x-ratelimit-limit'], '120');
  assert.equal((await ask('/sale', from('203.0.113.8'))).status, 302);
  assert.equal((await ask('/sale.qr', from('203.0.113.9'))).status, 200);
});

test('limits an address that guesses codes, but known codes continue to work', async () => {
  let address = '203.0.113.9';
  const { ask: send } = await serve({ proxies: '1' });
  const ask: Ask = (path) => send(path, { headers: { 'x-forwarded-for': address } });
  for (let miss = 0; miss < 3; miss += 1) assert.equal((await ask(`/none${miss}`)).status, 404);
  const refused = await ask('/none4');
  assert.equal(refused.status, 429);
  assert.equal(codeOf(refused), 'RATE_LIMIT_EXCEEDED');
  assert.equal(refused.headers['retry-after'], '20');
  assert.equal(refused.headers['x-ratelimit-limit'], '3');
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  assert.equal(refused.headers['x-ratelimit-reset'], '1020');
  assert.equal((await ask('/none5+')).status, 429);
  assert.equal(
    (await ask('/none/more')).status,
    429,
    'existing links may have more segments than are now allowed',
  );
  const headers = { 'x-forwarded-for': address };
  assert.equal((await send('/none/more', { headers, method: 'POST' })).status, 429);
  assert.equal((await ask('/shop/sale')).status, 302);
  assert.equal((await ask('/none/more.php')).status, 429, 'a template may match the rest');
  assert.equal((await ask('/no.php/more.php')).status, 404, 'an impossible code is not a guess');
  assert.equal((await ask('/sale')).status, 302);
  assert.equal((await ask('/old')).status, 410);
  assert.equal((await ask('/favicon.ico')).status, 200);
  address = '203.0.113.10';
  assert.equal((await ask('/none')).status, 404);
  address = '10.0.0.1';
  for (let miss = 0; miss < 9; miss += 1) assert.equal((await ask('/none')).status, 404);
});

test('handles storage that answers later, refuses, or fails', async () => {
  const late = await serve({
    storage: {
      ...unlimited,
      findTarget: async (code) => targets[code],
      preview: async (row) => preview(row),
    },
  });
  assert.equal((await late.ask('/sale')).status, 302);
  assert.equal((await late.ask('/nothing')).status, 404);
  const away = (): never => {
    throw new Failure('STORAGE_UNAVAILABLE', 'Storage is away.', { retryAfterSeconds: 5 });
  };
  const broken = (): never => {
    throw new Error('a secret');
  };
  for (const findTarget of [away, async () => away()]) {
    const reply = await (await serve({ storage: { ...unlimited, findTarget, preview } })).ask('/sale');
    assert.equal(reply.status, 503);
    assert.equal(codeOf(reply), 'STORAGE_UNAVAILABLE');
    assert.equal(reply.headers['retry-after'], '5');
  }
  for (const findTarget of [broken, async () => broken()]) {
    const { ask, faults } = await serve({ storage: { ...unlimited, findTarget, preview } });
    const reply = await ask('/sale');
    assert.equal(reply.status, 500);
    assert.doesNotMatch(reply.body, /secret/);
    assert.equal(faults.length, 1);
  }
});

test('returns 503 for a click that cannot be recorded', async () => {
  const { ask } = await serve({ journal: { append: (_target, _at, _class, answer) => answer(false) } });
  const reply = await ask('/sale');
  assert.equal(reply.status, 503);
  assert.equal(codeOf(reply), 'STORAGE_UNAVAILABLE');
  assert.ok(reply.headers['retry-after']);
});

test('lets no visitor through without a password that is set during the visit', async () => {
  const special = { ...plainValues, startsAt: now, rules: null, password: 'a hash' };
  const link: Target = { ...targetOf(6), special };
  let time = 0;
  const { ask } = await listen(
    { now: () => time++, storage: { ...unlimited, findTarget: () => link, preview } },
    false,
  );
  for (let before = 0; before < 6; before += 1) {
    time = now - before;
    assert.match(codeOf(await ask('/plans')), /^(?:LINK_NOT_STARTED|PASSWORD_REQUIRED)$/);
  }
});

test('handles an error after the password like any error', async () => {
  const special = { ...plainValues, startsAt: null, rules: 'no JSON', password: 'a hash' };
  const link: Target = { ...targetOf(6), special };
  const { ask, faults } = await serve({ storage: { ...unlimited, findTarget: () => link, preview } });
  const cookie = `linkfold_pass=${proofOf(link.id, special.password, now)}`;
  assert.equal(codeOf(await ask('/plans', { headers: { cookie } })), 'INTERNAL_ERROR');
  assert.equal(faults.length, 1);
});

test('parses any request target without throwing', () => {
  void check(property(webUrl(), (url) => parsePath(url).kind !== undefined));
  for (const target of [
    '',
    '*',
    '?',
    'http://',
    'https://h?x',
    '/+',
    '/++',
    '/%2B',
    '/a%',
    '/a/b/',
    '/a/%',
    '////',
  ])
    assert.ok(parsePath(target));
  assert.deepEqual(parsePath('/+'), { kind: 'code', code: '+', preview: false });
});

test('classifies every request separately, even pipelined ones', async () => {
  const { ask, clicks } = await serve();
  const visitors = [
    [browser, 'human'],
    [browser, 'human'],
    [{ 'user-agent': 'Twitterbot/1.0' }, 'preview'],
    [{ 'user-agent': 'Twitterbot/2.0' }, 'preview'],
    [{ ...browser, 'sec-purpose': 'prefetch' }, 'prefetch'],
    [{ ...browser, 'sec-purpose': 'x', 'x-moz': 'prefetch' }, 'prefetch'],
    [{}, 'bot'],
    [{ 'user-agent': '' }, 'bot'],
    [browser, 'human'],
    [{ 'user-agent': `Googlebot/${'1'.repeat(browser['user-agent'].length - 10)}` }, 'bot'],
    [browser, 'human'],
  ] as const;
  for (const [headers] of visitors) await ask('/sale', { headers });
  assert.deepEqual(
    clicks.map(({ facts }) => clickClasses[facts.class]),
    visitors.map(([, clickClass]) => clickClass),
  );
});

test('records the same click with both parsers: headers, query, and the address from a trusted proxy', async () => {
  const { ask, clicks } = await serve({ proxies: '127.0.0.1' });
  const by = { ...browser, 'x-forwarded-for': '8.8.8.8' };
  const visits: readonly (readonly [string, Record<string, string>])[] = [
    ['/sale', by],
    ['/sale', { ...by, referer: 'https://www.google.com/', 'accept-language': 'de-DE, en' }],
    ['/sale?utm_source=News+letter&trigger=qr', { ...by, 'x-country': ' FR ' }],
    ['/sale/?utm_term=%F0%9F%9A%80', { ...by, 'sec-gpc': '1' }],
    ['/sale', { ...by, dnt: ' 1 ' }],
    ['/sale', { ...by, dnt: '0', 'x-forwarded-for': '1.1.1.1, 2001:db8::1' }],
    ['/sale', { ...browser, referer: 'https://sho.rt/x' }],
  ];
  for (const [path, headers] of visits) await ask(path, { headers });
  const said = clicks.map(({ facts }) => [countries[facts.country], facts.referrer, facts.utmSource]);
  assert.deepEqual(said.slice(0, 3), [
    ['US', '', ''],
    ['US', 'google.com', ''],
    ['FR', '', 'News letter'],
  ]);
  assert.deepEqual(
    clicks.map(({ facts }) => facts.trigger),
    [0, 0, 1, 0, 0, 0, 0],
  );
  assert.equal(clicks[3]?.facts.utmTerm, '🚀');
  const visitors = clicks.map(({ facts }) => facts.visitor);
  assert.ok(visitors[0] !== 0 && visitors[5] !== 0 && visitors[6] !== 0);
  assert.deepEqual([visitors[1], visitors[3], visitors[4]], [visitors[0], 0, 0]);
  assert.equal(new Set([visitors[0], visitors[5], visitors[6]]).size, 3);
});

test('ignores headers from an untrusted proxy', async () => {
  const { ask, clicks } = await serve();
  await ask('/sale', { headers: { ...browser, 'x-forwarded-for': '8.8.8.8', 'x-country': 'FR' } });
  assert.equal(clicks[0]?.facts.country, 0);
});

const go: ServedDomain = {
  space: '2:',
  host: 'go.example.com',
  accountId: 1,
  rootUrl: 'https://example.com/',
  unknownUrl: null,
  expiredUrl: null,
  indexed: false,
  golinks: false,
  hasAppFiles: false,
};
const exact: ServedDomain = {
  ...go,
  space: '3=',
  host: 'xn--bcher-kva.example',
  rootUrl: null,
  indexed: true,
};
const onDomains: Readonly<Record<string, Target>> = {
  ...targets,
  '2:sale': targetOf(21),
  '3=aB': targetOf(31),
  '3=a.b/c/d/e/f/g': targetOf(32),
  '3=c+': targetOf(33),
};
const byHost: Options = {
  storage: {
    ...unlimited,
    findTarget: (key) => onDomains[key],
    preview: (row) => ({
      code: 'aB',
      destination: `https://example.com/${row}`,
      host: exact.host,
      publicQr: 0,
    }),
    findHost: (host) => [go, exact].find((domain) => domain.host === host),
  },
};

test("redirects a code on the host's domain, however the host is written", async () => {
  const { ask, clicks } = await serve(byHost);
  const hosts: [host: string, path: string, row: number][] = [
    ['sho.rt', '/sale', 1],
    ['127.0.0.1:3000', '/sale', 1],
    ['[::1]:3000', '/sale', 1],
    ['localhost', '/sale', 1],
    ['intranet', '/sale', 1],
    ['', '/sale', 1],
    ['go.example.com', '/sale', 21],
    ['GO.Example.COM.:8080', '/SALE', 21],
    ['xn--bcher-kva.example', '/aB', 31],
    ['XN--Bcher-KVA.example', '/a.b/c/d/e/f/g', 32],
    ['xn--bcher-kva.example', '/c+', 33],
  ];
  // Each visit reuses a connection whose previous request had another host.
  for (const [host, path, row] of [...hosts, ...hosts.toReversed()]) {
    assert.equal((await ask(path, { headers: { host } })).status, 302, `${host}${path}`);
    assert.equal(clicks.at(-1)?.row, row, `${host}${path}`);
  }
  for (const [host, path] of [
    ['xn--bcher-kva.example', '/ab'],
    ['go.example.com', '/old'],
    ['sho.rt', '/2:sale'],
    ['sho.rt', '/2%3Asale'],
  ] as const)
    assert.equal((await ask(path, { headers: { host } })).status, 404, `${host}${path}`);
  const preview = await ask('/aB+', { headers: { host: exact.host, accept: 'application/json' } });
  assert.equal(JSON.parse(preview.body).data.shortUrl, 'https://xn--bcher-kva.example/aB');
});

test('finds codes on golinks domains without hyphens, and offers to create unknown ones', async () => {
  const golinks = { ...go, space: '4:', host: 'golinks.example.com', rootUrl: null, golinks: true };
  const onGolinks: Readonly<Record<string, Target>> = {
    '4:on-call': targetOf(41),
    '4:how-to': {
      ...targetOf(42, 'https://example.com/{1}'),
      special: { ...plainValues, template: 1 },
    },
  };
  const requests: string[] = [];
  const { ask, clicks } = await serve({
    storage: {
      ...unlimited,
      preview,
      findTarget: (key) => ({ ...onDomains, ...onGolinks })[key],
      findGolink(key) {
        requests.push(key);
        return Object.keys(onGolinks).find((one) => one.replaceAll('-', '') === key.replaceAll('-', ''));
      },
      findHost: (host) => [go, golinks].find((domain) => domain.host === host),
    },
  });
  const visit = (path: string, host = golinks.host) =>
    ask(path, { headers: { host, accept: 'text/html', 'accept-language': 'en' } });
  for (const path of ['/on-call', '/On-Call']) {
    assert.equal((await visit(path)).status, 302, path);
    assert.equal(clicks.at(-1)?.row, 41);
  }
  assert.deepEqual(requests, []);
  for (const path of ['/oncall', '/ONCALL?x', '/o-n-call/']) {
    assert.equal((await visit(path)).status, 302, path);
    assert.equal(clicks.at(-1)?.row, 41);
  }
  assert.deepEqual([...new Set(requests)], ['4:oncall', '4:o-n-call']);
  assert.equal((await visit('/HowTo/fly')).headers.location, 'https://example.com/fly');
  assert.match((await visit('/oncall+')).body, /Made-41/);
  assert.equal((await visit('/how-to%2Ffly')).headers.location, 'https://example.com/fly');

  const search = await visit('/opensearch.xml');
  assert.deepEqual(
    [search.status, search.headers['content-type']],
    [200, 'application/opensearchdescription+xml'],
  );
  assert.match(
    search.body,
    /<ShortName>golinks<[\s\S]*template="https:\/\/golinks\.example\.com\/\{searchTerms\}"/,
  );
  assert.equal((await visit('/opensearch.xml', go.host)).status, 404);

  const unknown = await visit('/foo');
  assert.equal(unknown.status, 404);
  assert.match(
    unknown.body,
    /<a class="go" href="https:\/\/sho\.rt\/dashboard\/golink\?domain=golinks\.example\.com&amp;name=foo"[^>]*>Create this link</,
  );
  assert.match(
    unknown.body,
    /<link rel="search" [^>]*href="\/opensearch\.xml" title="golinks\.example\.com">/,
  );
  assert.match((await visit('/foo/1/2')).body, /name=foo"/);
  assert.doesNotMatch((await visit('/foo', go.host)).body, /Create this link/);
  assert.doesNotMatch((await visit('/.env')).body, /Create this link/);
  requests.length = 0;
  assert.equal((await visit('/sa-le', go.host)).status, 404);
  assert.deepEqual(requests, [], 'other domains are not asked a second time');
});

test("uses the domain's root, robots and unknown code settings", async () => {
  const storage = {
    ...unlimited,
    ...byHost.storage,
    findHost: () => ({ ...go, unknownUrl: 'https://example.com/404' }),
  };
  const { ask } = await serve({
    ...byHost,
    storage: storage as RedirectOptions['storage'],
    wellKnown: { 'assetlinks.json': '[]' },
  });
  const headers = { host: go.host };
  assert.equal((await ask('/', { headers })).headers.location, go.rootUrl);
  assert.equal((await ask('/none', { headers })).headers.location, 'https://example.com/404');
  assert.match((await ask('/robots.txt', { headers })).body, /Disallow: \/\n/);
  assert.equal((await ask('/.well-known/assetlinks.json', { headers })).status, 404);
});

test("serves the domain's app files, even with exact codes", async () => {
  for (const domain of [go, exact]) {
    const { ask } = await serve({
      storage: {
        ...unlimited,
        ...byHost.storage,
        findHost: () => ({ ...domain, hasAppFiles: true }),
        appFile: (host, name) => (name === 'assetLinks' ? `["${host}"]` : null),
      } as RedirectOptions['storage'],
    });
    const headers = { host: domain.host };
    const file = await ask('/.well-known/assetlinks.json', { headers });
    assert.deepEqual([file.status, file.body], [200, `["${domain.host}"]`]);
    assert.equal(file.headers['content-type'], 'application/json');
    const head = await ask('/.well-known/assetlinks.json?x', { headers, method: 'HEAD' });
    assert.deepEqual([head.status, head.body], [200, '']);
    for (const other of ['apple-app-site-association', 'toString', 'assetlinks.json/x'])
      assert.equal((await ask(`/.well-known/${other}`, { headers })).status, 404, other);
    assert.equal((await ask('/.well-known/assetlinks.json', { headers, method: 'POST' })).status, 405);
  }
});

test('returns 421 for a host that is not a domain, unless the operator shares links', async () => {
  const { ask } = await serve(byHost);
  const refused = await ask('/sale', { headers: { host: 'evil.example.com' } });
  assert.equal(refused.status, 421);
  assert.equal(JSON.parse(refused.body).error.code, 'UNKNOWN_HOST');
  const shares = await serve({ ...byHost, servesOtherHosts: true });
  assert.equal((await shares.ask('/sale', { headers: { host: 'evil.example.com' } })).status, 302);
});
