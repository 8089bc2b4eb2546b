import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const agents = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  instagram:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.0.0 Android',
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  googlebot:
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  whatsapp: 'WhatsApp/2.24.1 i',
} as const;
const web = 'https://example.com/item/1';
const appStore = 'https://apps.apple.com/app/acme/id123456789';
const apps = {
  ios: { appUrl: 'acme://item/1', storeUrl: appStore },
  android: { appUrl: 'acme://item/1' },
};
const intent = `intent://item/1#Intent;scheme=acme;S.browser_fallback_url=${encodeURIComponent(web)};end`;

describe('rules that open apps', () => {
  let server: SharedServer;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
  });

  const toApp = (to: object = {}) => [{ name: 'App', when: [], to: { url: web, apps, ...to } }];
  const make = async (fields: Record<string, unknown> = {}) => {
    const body = { url: 'https://example.com/own', customCode: freshCode(), rules: toApp(), ...fields };
    const made = await api.post('/api/v1/shorten', body);
    assert.equal(made.status, 201, made.text);
    return { id: made.json.data.id as string, code: made.json.data.shortCode as string };
  };
  /** Sends each visit twice, once for the fast path and once for the Node path. Both must return the same response. */
  const visit = async (
    code: string,
    agent: keyof typeof agents,
    more: Record<string, string> = {},
    method = 'GET',
  ) => {
    const seen = [];
    for (const headers of [{}, { cookie: 'a=b', range: 'bytes=0-1' }]) {
      const answer = await call(server, method, `/${code}`, {
        headers: { 'user-agent': agents[agent], accept: 'text/html', ...more, ...headers },
      });
      const { status, text } = answer;
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      seen.push({ status, location: answer.headers.get('location'), text, headers: answer.headers });
    }
    const [first, second] = seen;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(
      [first.status, first.location, first.text],
      [second.status, second.location, second.text],
    );
    return first;
  };
  const allow = async (appSchemes: readonly string[], by = api) => {
    const { status, json } = await by.patch('/api/v1/account', { appSchemes });
    assert.equal(status, 200);
    return json.data.appSchemes;
  };

  test('allow only app schemes, and only for those who may change settings', async () => {
    const own = as(server, (await server.newKey()).key);
    const refused = async (appSchemes: unknown) => {
      const { status, json } = await own.patch('/api/v1/account', { appSchemes });
      assert.equal(status, 400, JSON.stringify(appSchemes));
      const [{ field, reason, message }] = json.error.details;
      assert.ok(message.startsWith(field), message);
      return [field, reason];
    };
    for (const scheme of [
      ...['javascript', 'JavaScript', 'data', 'file', 'vbscript', 'blob', 'about', 'http', 'https', 'intent'],
    ])
      assert.deepEqual(await refused(['acme', scheme]), ['appSchemes', 'not_allowed'], scheme);
    for (const scheme of ['', 'a', 'acme://', 'ac me', 'é', '1acme', 'a'.repeat(51)])
      assert.deepEqual(await refused([scheme]), ['appSchemes', 'invalid_format'], scheme);
    assert.deepEqual(await refused('acme'), ['appSchemes', 'wrong_type']);
    assert.deepEqual(await refused(Array.from({ length: 21 }, (_, n) => `acme${n}`)), [
      'appSchemes',
      'too_long',
    ]);
    assert.deepEqual(await allow(['ACME', 'com.acme.shop'], own), ['acme', 'com.acme.shop']);
    const { json } = await own.get('/api/v1/audit?action=account.updated');
    assert.deepEqual(json.data[0].changes, { appSchemes: { from: [], to: ['acme', 'com.acme.shop'] } });
    const { account } = (await own.get('/api/v1/me')).json.data;
    const editor = as(server, (await server.newKey({ account, scopes: 'links:read,links:write' })).key);
    assert.equal((await editor.patch('/api/v1/account', { appSchemes: [] })).status, 403);
    assert.deepEqual((await editor.get('/api/v1/account')).json.data.appSchemes, ['acme', 'com.acme.shop']);
  });

  test('are refused with field and remedy until the account allows their scheme, at once after that', async () => {
    const own = as(server, (await server.newKey()).key);
    const create = (to: object) => own.post('/api/v1/shorten', { url: web, rules: toApp(to) });
    const problemOf = async (to: object) => {
      const { status, json } = await create(to);
      assert.equal(status, 400);
      const [{ field, reason }] = json.error.details;
      return [json.error.code, field.replace('rules[0].to.', ''), reason];
    };
    assert.deepEqual(await problemOf({}), ['VALIDATION_ERROR', 'apps.ios.appUrl', 'not_allowed']);
    await allow(['acme'], own);
    const made = await create({});
    assert.equal(made.status, 201, made.text);
    await allow([], own);
    assert.deepEqual(await problemOf({}), ['VALIDATION_ERROR', 'apps.ios.appUrl', 'not_allowed']);
    const link = `/api/v1/links/${made.json.data.id}`;
    assert.equal((await own.patch(link, { rules: toApp() })).status, 400);
    assert.equal((await own.patch(link, { title: 'Other fields can change' })).status, 200);
    await allow(['acme'], own);
    for (const [to, field, reason] of [
      [{ apps: {} }, 'apps', 'missing'],
      [{ apps: { ios: { appUrl: 'javascript:alert(1)' } } }, 'apps.ios.appUrl', 'not_allowed'],
      [{ apps: { ios: { appUrl: 'acme://a b' } } }, 'apps.ios.appUrl', 'invalid_format'],
      [
        { apps: { ios: { appUrl: `${server.url}/x`.replace('http:', 'https:') } } },
        'apps.ios.appUrl',
        'not_allowed',
      ],
      [
        { apps: { android: { appUrl: 'acme://a', storeUrl: 'market://a' } } },
        'apps.android.storeUrl',
        'invalid_format',
      ],
      [{ url: 'acme://web' }, 'url', 'invalid_format'],
    ] as const)
      assert.deepEqual(await problemOf(to), ['VALIDATION_ERROR', field, reason], JSON.stringify(to));
    for (const to of [
      { apps: { windows: { appUrl: 'acme://a' } } },
      { apps: { ios: {} } },
      { apps: { ios: 'acme://a' } },
    ])
      assert.equal((await create(to)).status, 400, JSON.stringify(to));
  });

  test('open the app on its platform; everyone else goes to the web page', async () => {
    await allow(['acme']);
    const { id, code } = await make();
    for (const agent of ['desktop', 'googlebot', 'whatsapp'] as const)
      assert.deepEqual(
        await visit(code, agent).then(({ status, location }) => [status, location]),
        [302, web],
        agent,
      );
    const program = await visit(code, 'ios', { accept: '*/*' });
    assert.deepEqual([program.status, program.location], [302, web], 'clients other than browsers');
    const android = await visit(code, 'android');
    assert.deepEqual([android.status, android.location], [302, intent]);
    const ios = await visit(code, 'ios', { 'accept-language': 'de' });
    assert.equal(ios.status, 200);
    assert.equal(ios.headers.get('vary'), 'User-Agent, Accept-Language');
    assert.match(ios.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match(
      ios.text,
      /<html lang="de">[\s\S]*href="acme:\/\/item\/1"[\s\S]*id123456789"[\s\S]*href="https:\/\/example\.com\/item\/1"/,
    );
    const inApp = await visit(code, 'instagram');
    assert.equal(inApp.status, 200);
    assert.match(inApp.text, /href="acme:\/\/item\/1"/);
    const head = await visit(code, 'ios', {}, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, '']);
    const preview = await visit(`${code}+`, 'ios');
    assert.ok(
      preview.text.includes('example.com') && !preview.text.includes('acme:'),
      'the preview shows the web page',
    );
    assert.equal((await api.get(`/api/v1/links/${id}`)).json.data.clicks, 14);
    await until('the clicks are counted for their rules', async () => {
      const { json } = await api.get(`/api/v1/links/${id}/stats?groupBy=rule`);
      const values = json.data.breakdown.values as { readonly value: string }[];
      return isDeepStrictEqual(
        values.map(({ value }) => value),
        ['App'],
      );
    });
  });

  test('fall back to the store or the web page once their scheme is removed', async () => {
    await allow(['acme']);
    const { code } = await make();
    assert.equal((await visit(code, 'ios')).status, 200);
    await allow(['other']);
    const redirectOf = async (agent: keyof typeof agents) => {
      const { status, location } = await visit(code, agent);
      return [status, location];
    };
    assert.deepEqual(await redirectOf('ios'), [302, appStore]);
    assert.deepEqual(await redirectOf('android'), [302, web]);
    const simulated = await api.post('/api/v1/simulate', { url: web, visit: { os: 'ios' } });
    assert.equal(simulated.json.data.location, web);
    await allow(['acme']);
    assert.equal((await visit(code, 'ios')).status, 200);
    assert.deepEqual(await redirectOf('android'), [302, intent]);
  });

  test('apply to links with UTM parameters, templates, passwords, a click limit and other statuses', async () => {
    await allow(['acme']);
    const utm = await make({ utm: { source: 's' }, forwardQuery: 'add', redirectStatus: 307 });
    const { status, location } = await visit(`${utm.code}?a=1`, 'android');
    assert.deepEqual(
      [status, location],
      [307, intent.replace('item%2F1', 'item%2F1%3Futm_source%3Ds%26a%3D1')],
    );
    const posted = await visit(
      utm.code,
      'ios',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'POST',
    );
    assert.deepEqual([posted.status, posted.location], [307, `${web}?utm_source=s`], 'a request with a body');

    const template = await make({ template: true, rules: toApp({ url: 'https://example.com/{1|none}' }) });
    assert.ok((await visit(`${template.code}/7`, 'android')).location?.includes('example.com%2F7;end'));
    assert.ok((await visit(`${template.code}/7`, 'ios')).text.includes('href="https://example.com/7"'));

    const secret = await make({ password: 'open sesame' });
    const locked = await visit(secret.code, 'ios');
    assert.equal(locked.status, 403);
    assert.ok(!locked.text.includes('acme:'));

    const once = await make({ maxClicks: 1 });
    const button = await visit(once.code, 'android');
    assert.equal(button.status, 200);
    assert.ok(!button.text.includes('acme:'));
    const headers = { 'user-agent': agents.android, accept: 'text/html' };
    const followed = await call(server, 'POST', `/${once.code}`, { headers });
    assert.equal(followed.status, 200, 'a form cannot redirect to an app');
    assert.ok(followed.text.includes('href="acme://item/1"'));
    assert.equal((await call(server, 'POST', `/${once.code}`, { headers })).status, 410);
  });

  test('are simulated and exported as they are', async () => {
    await allow(['acme']);
    const { id } = await make();
    const simulate = async (visit: object) => {
      const { outcome, status, location, rule } = (await api.post(`/api/v1/links/${id}/simulate`, { visit }))
        .json.data;
      return [outcome, status, location, rule];
    };
    assert.deepEqual(await simulate({ os: 'ios' }), ['app', 200, 'acme://item/1', 0]);
    assert.deepEqual(await simulate({ os: 'android', browser: 'chrome' }), ['redirect', 302, intent, 0]);
    assert.deepEqual(await simulate({ os: 'ios', class: 'bot' }), ['redirect', 302, web, 0]);
    assert.deepEqual(await simulate({}), ['redirect', 302, web, 0]);
    const { json } = await api.get(`/api/v1/links/${id}?include=rules`);
    assert.deepEqual(json.data.rules, toApp());
  });
});
