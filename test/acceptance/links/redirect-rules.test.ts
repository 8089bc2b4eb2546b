import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

const url = 'https://example.com/here?x=0#end';
const manyHosts = Array.from({ length: 100 }, (_, at) =>
  `${'a'.repeat(60)}.${at}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.f`.slice(
    -250,
  ),
);
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const desktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

describe('redirect rules and link options', () => {
  let server: SharedServer;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
  });

  const make = async (fields: Record<string, unknown>): Promise<{ id: string; code: string }> => {
    const made = await api.post('/api/v1/shorten', { url, ...fields });
    assert.equal(made.status, 201, made.text);
    return { id: made.json.data.id, code: made.json.data.shortCode };
  };
  /**
   * Sends each visit twice, once for the fast path and once for the Node path. Both must respond alike. Returns the
   * status and redirect URL.
   */
  const visit = async (path: string, headers: Record<string, string> = {}) => {
    const seen = [];
    for (const more of [{}, { cookie: 'a=b', range: 'bytes=0-1' }]) {
      const answer = await call(server, 'GET', `/${path}`, {
        headers: { 'user-agent': desktop, ...headers, ...more },
      });
      const code = answer.status < 400 ? undefined : answer.json?.error.code;
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      seen.push([answer.status, answer.headers.get('location') ?? code]);
    }
    assert.deepEqual(seen[0], seen[1]);
    return seen[0];
  };
  const clicksOf = async (id: string): Promise<number> =>
    (await api.get(`/api/v1/links/${id}`)).json.data.clicks;
  const read = async (id: string, include: string) =>
    (await api.get(`/api/v1/links/${id}?include=${include}`)).json.data;

  test('hides a link before its start; both times count correctly', async () => {
    const { id, code } = await make({ startsAt: '2999-01-01' });
    assert.deepEqual(await visit(code), [404, 'LINK_NOT_STARTED']);
    assert.deepEqual(await visit(`${code}+`), [404, 'LINK_NOT_STARTED']);
    const { startsAt, status } = await read(id, 'startsAt,status');
    assert.deepEqual([startsAt, status], ['2999-01-01T00:00:00.000Z', 'scheduled']);
    assert.equal(await clicksOf(id), 0);
    assert.equal((await api.patch(`/api/v1/links/${id}`, { startsAt: null })).status, 200);
    assert.deepEqual(await visit(code), [302, url]);
    assert.equal(await clicksOf(id), 2);
  });

  test('reports a disabled link, or redirects visitors to a fallback', async () => {
    const { id, code } = await make({ disabled: true });
    assert.deepEqual(await visit(code), [410, 'LINK_UNAVAILABLE']);
    const page = await call(server, 'GET', `/${code}`, { headers: { accept: 'text/html' } });
    assert.ok(page.text.includes('This link is not available'));
    await api.patch(`/api/v1/links/${id}`, { expiredUrl: 'https://example.com/ended' });
    assert.deepEqual(await visit(code), [302, 'https://example.com/ended']);
    assert.equal(await clicksOf(id), 0);
    await api.patch(`/api/v1/links/${id}`, { disabled: null });
    assert.deepEqual(await visit(code), [302, url]);
    assert.deepEqual(
      await read(id, 'disabled,expiredUrl,status').then((link) => [link.disabled, link.status]),
      [false, 'active'],
    );
  });

  test('uses the configured status and query forwarding', async () => {
    const { id, code } = await make({ redirectStatus: 308, forwardQuery: 'add' });
    assert.deepEqual(await visit(code), [308, url]);
    assert.deepEqual(await visit(`${code}?x=1&y=2&trigger=qr`), [
      308,
      'https://example.com/here?x=0&y=2#end',
    ]);
    await api.patch(`/api/v1/links/${id}`, { redirectStatus: null, forwardQuery: 'override' });
    assert.deepEqual(await visit(`${code}?x=1`), [302, 'https://example.com/here?x=1#end']);
    const headed = await call(server, 'HEAD', `/${code}?x=1`);
    assert.deepEqual(
      [headed.status, headed.headers.get('location')],
      [302, 'https://example.com/here?x=1#end'],
    );
    assert.equal(await clicksOf(id), 6);
  });

  test('adds UTM parameters to the destination and the targets of rules', async () => {
    const utm = { medium: 'e mail', source: 'ü&#' };
    const url = 'https://example.com/here?utm_source=old&x=0#end';
    const added = 'utm_source=%C3%BC%26%23&utm_medium=e%20mail';
    const { id, code } = await make({ url, utm });
    assert.deepEqual(await visit(`${code}?utm_source=mine`), [
      302,
      `https://example.com/here?x=0&${added}#end`,
    ]);
    const { destinationUrl, utm: read1 } = await read(id, 'utm');
    assert.deepEqual(
      [destinationUrl, read1],
      [url, { source: 'ü&#', medium: 'e mail' }],
      'the values that were sent',
    );
    const page = await call(server, 'GET', `/${code}+`, { headers: { accept: 'text/html' } });
    assert.ok(page.text.includes('utm_medium=e%20mail'), 'the preview shows the destination');

    const target = { url: 'https://example.com/rule?utm_medium=y' };
    const rules = [{ when: [{ fact: 'query', name: 'r' }], to: target }];
    const fields = { rules, forwardQuery: 'add', expiredUrl: 'https://example.com/ended' };
    await api.patch(`/api/v1/links/${id}`, fields);
    assert.deepEqual(await visit(`${code}?r=1&utm_source=mine`), [
      302,
      `https://example.com/rule?${added}&r=1`,
    ]);
    const simulated = await api.post(`/api/v1/links/${id}/simulate`, {
      visit: { query: 'r=1' },
      utm: { term: 't' },
    });
    assert.equal(simulated.json.data.location, 'https://example.com/rule?utm_medium=y&utm_term=t&r=1');
    await api.patch(`/api/v1/links/${id}`, { rules: null, forwardQuery: 'override' });
    assert.deepEqual(await visit(`${code}?utm_source=mine`), [
      302,
      'https://example.com/here?x=0&utm_medium=e%20mail&utm_source=mine#end',
    ]);
    await api.patch(`/api/v1/links/${id}`, { disabled: true, forwardQuery: null });
    assert.deepEqual(await visit(code), [302, 'https://example.com/ended']);
    await api.patch(`/api/v1/links/${id}`, { disabled: false, utm: { campaign: 'c' } });
    await api.patch(`/api/v1/links/${id}/destination`, { url: 'https://example.com/new' });
    assert.deepEqual(await visit(code), [302, 'https://example.com/new?utm_campaign=c']);
    const stamp = (await read(id, 'updatedAt')).updatedAt;
    await api.patch(`/api/v1/links/${id}`, { utm: { campaign: 'c' } });
    assert.equal((await read(id, 'updatedAt')).updatedAt, stamp);
    for (const none of [{}, null]) {
      await api.patch(`/api/v1/links/${id}`, { utm: none });
      assert.deepEqual(await visit(code), [302, 'https://example.com/new']);
      assert.equal((await read(id, 'utm')).utm, null);
    }
    const long = `https://example.com/${'é'.repeat(1_900)}`;
    const huge = '🚀'.repeat(100);
    const tooLong = await make({ url: long, utm: { source: huge, medium: huge, term: huge, content: huge } });
    const [, location] = (await visit(tooLong.code)) ?? [];
    assert.ok(location === new URL(long).href, 'a location that no browser would accept stays unchanged');
    for (const [utm, field] of [
      [{ source: '' }, 'utm.source'],
      [{ term: 'x'.repeat(101) }, 'utm.term'],
      [{ medium: 'a\nb' }, 'utm.medium'],
      [{ content: 7 }, 'utm.content'],
      [{ id: 'x' }, 'utm'],
      ['source', 'utm'],
    ] as const) {
      const { status, json } = await api.patch(`/api/v1/links/${id}`, { utm });
      assert.deepEqual([status, json.error.details[0].field], [400, field], JSON.stringify(json));
    }
  });

  test('applies the first matching rule; simulate returns the same and counts nothing', async () => {
    const rules = [
      {
        name: 'Phones in Austria',
        when: [
          { fact: 'os', values: ['iOS'] },
          { fact: 'country', values: ['at'] },
        ],
        to: { url: 'https://bücher.example/at' },
      },
      { when: [{ fact: 'language', values: ['de'] }], to: { url: 'https://example.com/de' } },
      { when: [{ fact: 'query', name: 'secret', values: ['no'] }], to: { gone: true } },
      {
        when: [{ fact: 'referrer', values: ['example.org'] }],
        to: { split: [{ url: 'https://example.com/only', weight: 3 }] },
      },
    ];
    const { id, code } = await make({ rules });
    assert.deepEqual(await read(id, 'rules').then((link) => link.rules), rules);
    const cases = [
      [
        { 'user-agent': iphone, 'x-country': 'AT' },
        { userAgent: iphone, country: 'AT' },
        'https://xn--bcher-kva.example/at',
      ],
      [{ 'user-agent': iphone, 'x-country': 'DE' }, { userAgent: iphone, country: 'DE' }, url],
      [{ 'accept-language': 'en;q=0.5,de-AT' }, { languages: 'en;q=0.5,de-AT' }, 'https://example.com/de'],
      [
        { referer: 'https://news.example.org/a' },
        { referrer: 'news.example.org' },
        'https://example.com/only',
      ],
    ] as const;
    for (const [headers, facts, expected] of cases) {
      // The request comes from a trusted proxy, because only such a proxy may set a visitor's location.
      assert.deepEqual(await visit(code, { 'x-forwarded-for': '203.0.113.9', ...headers }), [302, expected]);
      const simulated = (await api.post(`/api/v1/links/${id}/simulate`, { visit: facts })).json;
      assert.equal(simulated.data.location, expected, JSON.stringify(simulated));
    }
    assert.deepEqual(await visit(`${code}?secret=no`), [410, 'LINK_UNAVAILABLE']);
    assert.equal(await clicksOf(id), 8);
    // Each visit is sent twice, so it counts as two clicks. Visits that match no rule have an empty value.
    const countsBy = async (groupBy: string, filter = '') => {
      const { json } = await api.get(`/api/v1/links/${id}/stats?groupBy=${groupBy}${filter}`);
      return json.data.breakdown.values.map((one: { value: string; clicks: number }) => [
        one.value,
        one.clicks,
      ]);
    };
    const expected = [
      ['', 2],
      ['2', 2],
      ['4', 2],
      ['Phones in Austria', 2],
    ];
    await until('all clicks are counted', async () => isDeepStrictEqual(await countsBy('rule'), expected));
    assert.deepEqual(await countsBy('variant'), [
      ['', 6],
      ['1', 2],
    ]);
    assert.deepEqual(await countsBy('variant', '&filter=rule:is:4'), [['1', 2]]);
    const draft = { url, rules, visit: { query: 'secret=no', userAgent: desktop } };
    const { data } = (await api.post('/api/v1/simulate', draft)).json;
    assert.deepEqual([data.outcome, data.status, data.location, data.rule], ['gone', 410, null, 2]);
    assert.deepEqual(
      data.rules.map(({ holds }: { holds: boolean }) => holds),
      [false, false, true, false],
    );
    // Simulates changes without saving them.
    const tried = await api.post(`/api/v1/links/${id}/simulate`, { disabled: true });
    assert.equal(tried.json.data.outcome, 'disabled');
    assert.equal((await read(id, 'disabled')).disabled, false);
    assert.equal((await api.patch(`/api/v1/links/${id}`, { rules: [] })).status, 200);
    assert.equal((await read(id, 'rules')).rules, null);
    assert.deepEqual(await visit(code, { 'accept-language': 'de' }), [302, url]);
  });

  test('negotiates a language between the rules and the destination', async () => {
    const to = (language: string) => ({ url: `https://example.com/${language}` });
    const rules = ['fr', 'de', 'en'].map((tag) => ({
      when: [{ fact: 'language', values: [tag] }],
      to: to(tag),
    }));
    const { id, code } = await make({ url: to('it').url, rules });
    const italian = 'it-IT,it;q=0.9,en-US;q=0.8,en;q=0.7';
    const check = async (header: string, expected: string, language: object) => {
      const location = to(expected).url;
      assert.deepEqual(await visit(code, { 'accept-language': header }), [302, location], header);
      const { data } = (await api.post(`/api/v1/links/${id}/simulate`, { visit: { languages: header } }))
        .json;
      assert.deepEqual([data.location, data.language], [location, language], header);
    };
    const none = { chosen: null, range: null };
    await check(italian, 'it', { ...none, reason: 'less-preferred' });
    await check('*', 'it', { ...none, range: '*', reason: 'any' });
    await check('es-ES,es;q=0.9,fr;q=0.1', 'it', { ...none, reason: 'less-preferred' });
    await check('de-AT,de;q=0.9,en;q=0.8', 'de', { chosen: 'de', range: 'de-at', reason: 'rule' });
    assert.equal((await api.patch(`/api/v1/links/${id}`, { language: 'it' })).status, 200);
    assert.equal((await read(id, 'language')).language, 'it');
    await check(italian, 'it', { chosen: 'it', range: 'it-it', reason: 'destination' });
    await check('es-ES,es;q=0.9,fr;q=0.1', 'fr', { chosen: 'fr', range: 'fr', reason: 'rule' });
    await check('it,*;q=0.1', 'it', { chosen: 'it', range: 'it', reason: 'destination' });
    await check('ja', 'it', { ...none, reason: 'no-match' });
    // If a visitor matches a rule without a language condition, that rule's target counts as the link's destination.
    const last = { when: [], to: { url: to('ja').url, language: 'ja' } };
    await api.patch(`/api/v1/links/${id}`, { rules: [...rules, last], language: null });
    assert.deepEqual((await read(id, 'rules')).rules.at(-1), last);
    await check('ja,en;q=0.9', 'ja', { chosen: 'ja', range: 'ja', reason: 'destination' });
    await check('ko,en;q=0.5', 'en', { chosen: 'en', range: 'en', reason: 'rule' });
    const plain = await make({ language: 'pt-BR' });
    assert.deepEqual(await visit(plain.code, { 'accept-language': 'de' }), [302, url]);
    const untried = (await api.post(`/api/v1/links/${plain.id}/simulate`, {})).json.data;
    assert.equal(untried.language, null);
  });

  const person = { 'user-agent': desktop };
  const follow = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await call(server, method, `/${path}`, { headers: { ...person, ...headers } });
    const code = answer.status < 400 ? undefined : answer.json?.error?.code;
    return [answer.status, answer.headers.get('location') ?? code];
  };

  test('allows exactly maxClicks human visits; other clicks do not use it up', async () => {
    const { id, code } = await make({ maxClicks: 3 });
    const robot = { 'user-agent': 'Slackbot-LinkExpanding 1.0' };
    assert.deepEqual(await follow(code, robot), [302, url]);
    assert.deepEqual(await follow(code, {}, 'HEAD'), [302, url]);
    assert.deepEqual(await follow(code, { 'sec-purpose': 'prefetch' }), [410, 'LINK_UNAVAILABLE']);
    assert.deepEqual(await follow(`${code}+`), [200, undefined]);
    assert.equal((await read(id, 'clicksLeft')).clicksLeft, 3);
    const seen = await Promise.all(Array.from({ length: 12 }, () => follow(code)));
    assert.deepEqual(seen.map(([status]) => status).toSorted(), [
      ...Array(3).fill(302),
      ...Array(9).fill(410),
    ]);
    for (const [headers, method] of [
      [{}, 'GET'],
      [robot, 'GET'],
      [{}, 'HEAD'],
    ] as const) {
      const [status] = await follow(code, headers, method);
      assert.equal(status, 410);
    }
    assert.deepEqual(await follow(code), [410, 'LINK_EXHAUSTED']);
    assert.deepEqual(await follow(`${code}+`), [410, 'LINK_EXHAUSTED']);
    assert.deepEqual(await follow(code, {}, 'POST'), [405, 'METHOD_NOT_ALLOWED']);
    const page = await call(server, 'GET', `/${code}`, { headers: { accept: 'text/html' } });
    assert.ok(page.text.includes('This link has reached its click limit'));
    const { clicksLeft, status, clicks } = await read(id, 'clicksLeft,status');
    assert.deepEqual([clicksLeft, status, clicks], [0, 'exhausted', 4]);
    const listed = async (state: string): Promise<boolean> =>
      (await api.get(`/api/v1/links?status=${state}&limit=100`)).json.data.some(
        (link: { id: string }) => link.id === id,
      );
    assert.deepEqual([await listed('exhausted'), await listed('active')], [true, false]);
    const { data } = (await api.post(`/api/v1/links/${id}/simulate`, {})).json;
    assert.deepEqual([data.outcome, data.status, data.location], ['exhausted', 410, null]);

    await api.patch(`/api/v1/links/${id}`, { expiredUrl: 'https://example.com/sold-out' });
    assert.deepEqual(await follow(code), [302, 'https://example.com/sold-out']);
    // Raising the limit allows the additional clicks. Removing the limit allows any number.
    await api.patch(`/api/v1/links/${id}`, { maxClicks: 4, expiredUrl: null });
    assert.deepEqual(
      [await follow(code), await follow(code)],
      [
        [302, url],
        [410, 'LINK_EXHAUSTED'],
      ],
    );
    await api.patch(`/api/v1/links/${id}`, { maxClicks: null });
    assert.deepEqual(await follow(code), [302, url]);
    assert.deepEqual(
      await read(id, 'maxClicks,clicksLeft').then((link) => [link.maxClicks, link.clicksLeft]),
      [null, null],
    );
    await api.patch(`/api/v1/links/${id}`, { maxClicks: 2 });
    assert.deepEqual(await follow(code), [410, 'LINK_EXHAUSTED']);
  });

  test('redirects a one-time link by a button on a page, for every person who presses it', async () => {
    const rules = [
      { name: 'Once', when: [{ fact: 'query', name: 'to' }], to: { url: 'https://example.com/secret' } },
    ];
    const { id, code } = await make({ maxClicks: 1, rules, redirectStatus: 308 });
    for (const [path, headers, method] of [
      [`${code}?to=1`, {}, 'GET'],
      [`${code}?to=1`, { accept: 'application/json' }, 'GET'],
      [`${code}?to=1`, { 'user-agent': 'curl/8' }, 'GET'],
      [`${code}?to=1`, { 'sec-purpose': 'prefetch' }, 'GET'],
      [`${code}?to=1`, {}, 'HEAD'],
      [`${code}+`, {}, 'GET'],
    ] as const) {
      const answer = await call(server, method, `/${path}`, { headers: { ...person, ...headers } });
      assert.deepEqual([answer.status, answer.headers.get('location')], [200, null]);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.match(String(answer.headers.get('content-security-policy')), /form-action 'self' http: https:;/);
      assert.doesNotMatch(answer.text, /example\.com/);
      if (method === 'GET') assert.match(answer.text, /<form method="post">/);
    }
    const { data } = (await api.post(`/api/v1/links/${id}/simulate`, { visit: { query: 'to=1' } })).json;
    assert.deepEqual([data.status, data.location], [303, 'https://example.com/secret']);
    const pressed = await Promise.all(
      Array.from({ length: 8 }, () =>
        follow(`${code}?to=1`, { 'content-type': 'application/x-www-form-urlencoded' }, 'POST'),
      ),
    );
    assert.equal(pressed.filter(([status]) => status === 303).length, 1);
    assert.deepEqual(
      pressed.find(([status]) => status === 303),
      [303, 'https://example.com/secret'],
    );
    assert.deepEqual(await follow(code), [410, 'LINK_EXHAUSTED']);
    assert.deepEqual(await follow(code, {}, 'POST'), [410, 'LINK_EXHAUSTED']);
    assert.equal(await clicksOf(id), 1);
    // The button on the preview page works, too, because the form posts to its own URL.
    const other = await make({ maxClicks: 1 });
    assert.deepEqual(await follow(`${other.code}+`, {}, 'POST'), [303, url]);
    // Other links, and other paths, reject POST.
    const plain = await make({});
    for (const other of [plain.code, `${plain.code}+`, freshCode(), 'robots.txt', ''])
      assert.deepEqual(await follow(other, {}, 'POST'), [405, 'METHOD_NOT_ALLOWED'], other);
  });

  test('does not use up a click when the link is gone for the visitor', async () => {
    const rules = [{ when: [{ fact: 'query', name: 'gone' }], to: { gone: true } }];
    const { id, code } = await make({ maxClicks: 1, rules });
    assert.equal((await follow(`${code}?gone=1`, {}, 'POST'))[0], 410);
    assert.equal((await read(id, 'clicksLeft')).clicksLeft, 1);
    assert.deepEqual(await follow(code, {}, 'POST'), [303, url]);
  });

  test('simulate returns the status that visitors get, whatever the state', async () => {
    const states = {
      active: {},
      scheduled: { startsAt: '2999-01-01' },
      disabled: { disabled: true },
      exhausted: { maxClicks: 2 },
      expired: {},
      gone: { rules: [{ when: [], to: { gone: true } }] },
    };
    for (const [state, fields] of Object.entries(states)) {
      const soon = new Date(Date.now() + 2_000).toISOString();
      const { id, code } = await make(state === 'expired' ? { expiresAt: soon } : fields);
      if (state === 'exhausted') await Promise.all([follow(code), follow(code)]);
      if (state === 'expired')
        await until('it has expired', async () => (await read(id, 'status')).status === state);
      const [status] = await follow(code);
      const { data } = (await api.post(`/api/v1/links/${id}/simulate`, {})).json;
      assert.equal(data.status, status, state);
    }
  });

  /** Submits the page's password form, as a browser would. */
  const give = async (path: string, password: string, more: Record<string, string> = {}) => {
    const headers = { ...person, 'content-type': 'application/x-www-form-urlencoded', ...more };
    const response = await fetch(`${server.url}/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ password }),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    return {
      status: response.status,
      headers: response.headers,
      cookie: cookie.split(';')[0] ?? '',
      text: await response.text(),
    };
  };

  test('reveals nothing about a protected link before the password, and then works like any link', async () => {
    const password = 'grün & 10 €';
    const title = 'The secret plans';
    const rules = [{ when: [{ fact: 'query', name: 'to' }], to: { url: 'https://example.com/secret' } }];
    const { id, code } = await make({ password: password.normalize('NFD'), title, rules, maxClicks: 3 });
    const whole = await api.get(`/api/v1/links/by-code/${code}`);
    assert.equal(whole.json.data.hasPassword, true);
    assert.doesNotMatch(whole.text, /argon2|gr(?:ü|u)|"password/);
    for (const path of [code, `${code}?to=1`, `${code}+`, `${code}?password=${encodeURIComponent(password)}`])
      assert.deepEqual(await visit(path), [403, 'PASSWORD_REQUIRED']);
    for (const headers of [person, { 'user-agent': 'Slackbot-LinkExpanding 1.0' }]) {
      const page = await call(server, 'GET', `/${code}?to=1`, {
        headers: { accept: 'text/html', ...headers },
      });
      assert.equal(page.status, 403);
      assert.match(page.text, /<form method="post">/);
      assert.doesNotMatch(page.text, /example\.com|secret plans/);
      assert.deepEqual(
        ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => page.headers.get(name)),
        ['no-store', 'no-referrer', 'noindex'],
      );
      // Browsers also apply this policy to the redirect that follows the form's submission.
      assert.match(String(page.headers.get('content-security-policy')), /form-action 'self' http: https:;/);
    }
    const wrong = await give(code, 'grün', { accept: 'text/html' });
    assert.deepEqual([wrong.status, wrong.cookie], [403, '']);
    assert.match(wrong.text, /Wrong password/);

    const right = await give(`${code}?to=1`, password);
    assert.deepEqual([right.status, right.headers.get('location')], [303, `/${code}?to=1`]);
    assert.match(String(right.headers.get('set-cookie')), new RegExp(`; Path=/${code}$`));
    const { cookie } = right;
    assert.equal(await clicksOf(id), 0);
    for (const off of [{}, { 'x-off-the-fast-path': 'a\u00e9', range: 'bytes=0-1', te: 'trailers' }])
      assert.deepEqual(await follow(`${code}?to=1`, { cookie: `a=b; ${cookie}`, ...off }), [
        302,
        'https://example.com/secret',
      ]);
    assert.match((await call(server, 'GET', `/${code}+`, { headers: { cookie } })).text, /example\.com/);
    assert.deepEqual(await read(id, 'clicksLeft').then((link) => [link.clicksLeft, link.clicks]), [1, 2]);
    assert.deepEqual(await follow(code, { cookie }), [302, url]);
    assert.deepEqual(await follow(code, { cookie }), [410, 'LINK_EXHAUSTED']);
    await api.patch(`/api/v1/links/${id}`, { maxClicks: null });

    // The link's preview page asks for the password separately. After that, the browser returns to the preview.
    const toPreview = await give(`${code}+`, password);
    assert.equal(toPreview.headers.get('location'), `/${code}+`);
    assert.match(String(toPreview.headers.get('set-cookie')), new RegExp(`; Path=/${code}\\+$`));
    // A new password invalidates earlier cookies. Without a password, the link needs no cookie.
    await api.patch(`/api/v1/links/${id}`, { password: 'another one' });
    assert.deepEqual(await follow(code, { cookie }), [403, 'PASSWORD_REQUIRED']);
    assert.equal((await give(code, password)).status, 403);
    await api.patch(`/api/v1/links/${id}`, { disabled: true });
    assert.deepEqual(await follow(code), [410, 'LINK_UNAVAILABLE']);
    await api.patch(`/api/v1/links/${id}`, { disabled: false, password: null });
    assert.deepEqual(await follow(code), [302, url]);
    assert.equal((await read(id, 'hasPassword')).hasPassword, false);
    assert.deepEqual(await follow(code, {}, 'POST'), [405, 'METHOD_NOT_ALLOWED']);
  });

  test('accepts a password at a URL with stray characters too', async () => {
    const { code } = await make({ password: 'open sesame' });
    for (const path of [`${code}.`, `/${code}`, `${code}%20?to=1`]) {
      assert.deepEqual(await visit(path), [403, 'PASSWORD_REQUIRED'], path);
      const right = await give(path, 'open sesame');
      assert.equal(right.status, 303, right.text);
      assert.equal(right.headers.get('location'), `/${code}${path.includes('?') ? '?to=1' : ''}`);
      assert.match(right.headers.get('set-cookie') ?? '', new RegExp(`; Path=/${code}$`));
    }
  });

  test('redirects a request with a body if the status keeps its method, and counts it', async () => {
    const send = async (method: string, path: string) => {
      const headers = { 'user-agent': desktop };
      const { status, headers: sent } = await call(server, method, `/${path}`, { headers, body: { a: 1 } });
      return [status, sent.get('location') ?? sent.get('allow')];
    };
    const other = { when: [{ fact: 'query', name: 'other' }], to: { url: 'https://example.com/other' } };
    for (const redirectStatus of [307, 308, 301, 302, null]) {
      const { id, code } = await make({ redirectStatus, forwardQuery: 'add', rules: [other], maxClicks: 9 });
      const passes = redirectStatus === 307 || redirectStatus === 308;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const refused = [405, 'GET, HEAD'];
        const expected = (location: string) => (passes ? [redirectStatus, location] : refused);
        assert.deepEqual(
          await send(method, `${code}?y=[2]`),
          expected('https://example.com/here?x=0&y=%5B2%5D#end'),
        );
        assert.deepEqual(await send(method, `${code}).?other`), expected('https://example.com/other?other'));
        assert.deepEqual(await send(method, `${code}+`), refused);
      }
      assert.deepEqual(await send('OPTIONS', code), [405, 'GET, HEAD']);
      assert.equal(await clicksOf(id), passes ? 8 : 0);
      assert.equal((await read(id, 'clicksLeft')).clicksLeft, passes ? 1 : 9, 'visitors use up the limit');
      await api.patch(`/api/v1/links/${id}`, { disabled: true });
      assert.deepEqual((await send('POST', code))[0], passes ? 410 : 405);
    }
    const { code } = await make({ redirectStatus: 307, password: 'open sesame' });
    assert.equal((await send('PUT', code))[0], 405);
    assert.equal((await give(code, 'open sesame')).status, 303);
  });

  test('asks for the password before the button of a one-time link', async () => {
    const { code } = await make({ maxClicks: 1, password: 'open sesame' });
    assert.deepEqual(await follow(code, {}, 'POST'), [403, 'PASSWORD_REQUIRED']);
    const { cookie } = await give(code, 'open sesame');
    assert.match(
      (await call(server, 'GET', `/${code}`, { headers: { cookie } })).text,
      /You can use this link only once/,
    );
    assert.deepEqual(await follow(code, { cookie }, 'POST'), [303, url]);
  });

  test('limits wrong passwords by address, and rejects invalid forms', async () => {
    const { code } = await make({ password: 'open sesame' });
    const from = { 'x-forwarded-for': '203.0.113.80' };
    // Makes 21 attempts, because the rate limit's ten-minute window may end during the attempts.
    const statuses: number[] = [];
    while (statuses.length < 21 && !statuses.includes(429))
      statuses.push((await give(code, `wrong ${statuses.length}`, from)).status);
    assert.deepEqual(statuses.slice(0, 10), Array(10).fill(403));
    assert.equal(statuses.at(-1), 429);
    const limited = await give(code, 'open sesame', { ...from, accept: 'text/html' });
    assert.deepEqual([limited.status, limited.cookie], [429, '']);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    assert.equal((await give(code, 'open sesame', { 'x-forwarded-for': '203.0.113.81' })).status, 303);
    assert.equal((await give(code, 'open sesame', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await give(code, 'x'.repeat(5_000))).status, 413);
  });

  test('sets passwords in bulk, by row or for all, and stores none readable', async () => {
    const row = (password?: unknown) => ({ url, password });
    const bulk = (body: object, headers = {}) => api.post('/api/v1/links/bulk', body, headers);
    const made = await bulk({
      action: 'create',
      links: [row('first one'), row('first one'), row(null), row('abc')],
    });
    assert.deepEqual(
      made.json.data.results.map(({ status }: { status: string }) => status),
      ['done', 'done', 'done', 'failed'],
    );
    assert.equal(made.json.data.results[3].error.field, 'password');
    const [one, two, open] = made.json.data.results.map(
      (result: { link: { id: string; shortCode: string } | null }) => result.link,
    );
    const { cookie } = await give(one.shortCode, 'first one');
    assert.deepEqual(await follow(one.shortCode, { cookie }), [302, url]);
    assert.deepEqual(await follow(two.shortCode, { cookie }), [403, 'PASSWORD_REQUIRED']);
    const set = { action: 'update', ids: [one.id, open.id], set: { password: 'second one' } };
    assert.equal((await bulk(set)).json.data.done, 2);
    assert.equal((await give(open.shortCode, 'second one')).status, 303);
    const many = await bulk({
      action: 'create',
      links: Array.from({ length: 21 }, (_, at) => row(`pass ${at}`)),
    });
    assert.deepEqual([many.status, many.json.error.details[0].field], [400, 'links']);
    const reused = await api.post('/api/v1/shorten', { ...row('third one'), ifExists: 'reuse' });
    assert.equal(reused.json.error.details[0].field, 'ifExists');
    const elsewhere = 'https://example.com/protected';
    await make({ url: elsewhere, password: 'third one' });
    assert.equal((await api.post('/api/v1/shorten', { url: elsewhere, ifExists: 'reuse' })).status, 201);

    // The server ignores the password when it compares a repeated request with the first one. To compare passwords, it
    // would have to store a digest, which would make guessing fast.
    const once = { 'idempotency-key': freshCode() };
    const first = await api.post('/api/v1/shorten', row('fourth one'), once);
    const again = await api.post('/api/v1/shorten', row('fifth one'), once);
    assert.deepEqual([first.status, again.json.data.id], [201, first.json.data.id]);
    assert.equal((await api.post('/api/v1/shorten', row(), once)).status, 409);
    assert.equal((await give(first.json.data.shortCode, 'fourth one')).status, 303);
    assert.doesNotMatch(server.output(), /first one|second one|fourth one|argon2/);
  });

  test('shows the social card to preview fetchers, and redirects all others', async () => {
    const card = {
      title: `"Spring" <b>&'`,
      description: '</head><script>alert(1)</script>',
      image: 'https://bücher.example/a.png?x="y"',
    };
    const rules = [{ when: [{ fact: 'class', values: ['preview'] }], to: { gone: true } }];
    const { id, code } = await make({ card, rules });
    assert.deepEqual((await read(id, 'card')).card, card);
    const message = 'facebookexternalhit/1.1 Facebot Twitterbot/1.0';
    for (const agent of [message, 'Slackbot-LinkExpanding 1.0', 'WhatsApp/2.23']) {
      const answer = await call(server, 'GET', `/${code.toUpperCase()}`, {
        headers: { 'user-agent': agent },
      });
      assert.equal(answer.status, 200, agent);
      const { headers, text } = answer;
      assert.equal(headers.get('vary'), 'User-Agent, Accept-Language');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(String(headers.get('content-type')), /^text\/html/);
      const short = `${server.url}/${code}`;
      const title = '&quot;Spring&quot; &lt;b&gt;&amp;&#39;';
      const about = '&lt;/head&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
      for (const tag of [
        `<link rel="canonical" href="${short}">`,
        `<meta property="og:url" content="${short}">`,
        `<meta property="og:title" content="${title}">`,
        `<meta name="twitter:title" content="${title}">`,
        `<meta name="description" content="${about}">`,
        `<meta property="og:description" content="${about}">`,
        '<meta property="og:image" content="https://xn--bcher-kva.example/a.png?x=%22y%22">',
        '<meta name="twitter:card" content="summary_large_image">',
      ])
        assert.ok(text.includes(tag), `${tag} in ${text}`);
      assert.doesNotMatch(text, /<script|<b>&|example\.com/);
    }
    const fetcher = { 'user-agent': message };
    assert.deepEqual(await follow(code, fetcher, 'HEAD'), [200, undefined]);
    for (const agent of [desktop, 'curl/8', 'Googlebot/2.1 (+http://www.google.com/bot.html)'])
      assert.deepEqual(await follow(code, { 'user-agent': agent }), [302, url]);
    // Each visit counts under its client's class.
    const classes = async () =>
      (await api.get(`/api/v1/links/${id}/stats?groupBy=class`)).json.data.breakdown.values
        .map((one: { value: string; clicks: number }) => `${one.value} ${one.clicks}`)
        .toSorted();
    const expected = ['bot 2', 'human 1', 'preview 3'];
    await until('all clicks are counted', async () => isDeepStrictEqual(await classes(), expected));

    const simulated = async (visit: object) => {
      const { outcome, status, location, rule } = (await api.post(`/api/v1/links/${id}/simulate`, { visit }))
        .json.data;
      return [outcome, status, location, rule];
    };
    assert.deepEqual(await simulated({ class: 'preview' }), ['card', 200, null, null]);
    assert.deepEqual(await simulated({ class: 'bot' }), ['redirect', 302, url, null]);
    // An inactive link has no social card, and its preview shows the destination.
    await api.patch(`/api/v1/links/${id}`, { disabled: true });
    assert.deepEqual(await follow(code, fetcher), [410, 'LINK_UNAVAILABLE']);
    assert.deepEqual(await simulated({ class: 'preview' }), ['disabled', 410, null, null]);
    await api.patch(`/api/v1/links/${id}`, { disabled: false, rules: null });
    assert.match((await call(server, 'GET', `/${code}+`, { headers: fetcher })).text, /example\.com/);
    // A link with a password has no social card either, even after the visitor enters the password.
    await api.patch(`/api/v1/links/${id}`, { password: 'open sesame' });
    assert.deepEqual(await follow(code, fetcher), [403, 'PASSWORD_REQUIRED']);
    const { cookie } = await give(code, 'open sesame');
    assert.deepEqual(await follow(code, { ...fetcher, cookie }), [302, url]);
    assert.deepEqual(await simulated({ class: 'preview' }), ['redirect', 302, url, null]);
    await api.patch(`/api/v1/links/${id}`, { password: null });
    // An empty card removes the card.
    assert.equal((await api.patch(`/api/v1/links/${id}`, { card: {} })).status, 200);
    assert.equal((await read(id, 'card')).card, null);
    assert.deepEqual(await follow(code, fetcher), [302, url]);
  });

  test('uses up no click for a social card, which ends with the link', async () => {
    const fetcher = { 'user-agent': 'Twitterbot/1.0' };
    for (const maxClicks of [1, 2]) {
      const { id, code } = await make({ maxClicks, card: { description: 'Once' } });
      for (const method of ['GET', 'HEAD', 'GET'])
        assert.deepEqual(await follow(code, fetcher, method), [200, undefined]);
      const { text } = await call(server, 'GET', `/${code}`, { headers: fetcher });
      assert.match(text, new RegExp(`<meta property="og:title" content="127[^"]*/${code}">`));
      assert.match(text, /<meta name="twitter:card" content="summary">/);
      assert.equal((await read(id, 'clicksLeft')).clicksLeft, maxClicks);
      // The button redirects every client, even one that identifies as a fetcher.
      if (maxClicks === 1) assert.deepEqual(await follow(code, fetcher, 'POST'), [303, url]);
      else for (const _ of [1, 2]) assert.deepEqual(await follow(code), [302, url]);
      assert.deepEqual(await follow(code, fetcher), [410, 'LINK_EXHAUSTED']);
    }
  });

  test('reports errors with their place, and creates nothing', async () => {
    const own = `${server.url}/a`;
    for (const [fields, field, code] of [
      [{ startsAt: 'soon' }, 'startsAt', 'VALIDATION_ERROR'],
      [{ startsAt: '2998-01-01', expiresAt: '2997-01-01' }, 'startsAt', 'VALIDATION_ERROR'],
      [{ disabled: 'yes' }, 'disabled', 'VALIDATION_ERROR'],
      [{ redirectStatus: 303 }, 'redirectStatus', 'VALIDATION_ERROR'],
      [{ forwardQuery: 'all' }, 'forwardQuery', 'VALIDATION_ERROR'],
      [{ expiredUrl: 'javascript:alert(1)' }, 'expiredUrl', 'VALIDATION_ERROR'],
      [{ expiredUrl: own }, 'expiredUrl', 'VALIDATION_ERROR'],
      [{ rules: [{ when: [], to: { url: own } }] }, 'rules[0].to.url', 'VALIDATION_ERROR'],
      [
        { rules: [{ when: [], to: { split: [{ url: 'ftp://a', weight: 1 }] } }] },
        'rules[0].to.split[0].url',
        'VALIDATION_ERROR',
      ],
      [
        { rules: [{ when: [{ fact: 'os', values: ['amiga'] }], to: { gone: true } }] },
        'rules[0].when[0].values[0]',
        'VALIDATION_ERROR',
      ],
      [
        { rules: [{ when: [{ fact: 'mood', values: ['a'] }], to: { gone: true } }] },
        'rules[0].when[0].fact',
        'VALIDATION_ERROR',
      ],
      [
        { rules: [{ when: [{ fact: 'time', zone: 'Mars' }], to: { gone: true } }] },
        'rules[0].when[0].zone',
        'VALIDATION_ERROR',
      ],
      [
        { rules: [{ when: [], to: { url: 'https://a.example', gone: true } }] },
        'rules[0].to',
        'VALIDATION_ERROR',
      ],
      [
        { rules: Array.from({ length: 21 }, () => ({ when: [], to: { gone: true } })) },
        'rules',
        'VALIDATION_ERROR',
      ],
      [{ rules: 'none' }, 'rules', 'VALIDATION_ERROR'],
      ...['', 'abc', 'x'.repeat(129), 'a\tbcd', 1234].map(
        (password) => [{ password }, 'password', 'VALIDATION_ERROR'] as const,
      ),
      ...['german', 'de_AT', 'd', '', 'x'.repeat(31), 1].map(
        (language) => [{ language }, 'language', 'VALIDATION_ERROR'] as const,
      ),
      [{ rules: [{ when: [], to: { url, language: 'de_AT' } }] }, 'rules[0].to.language', 'VALIDATION_ERROR'],
      [{ card: 'none' }, 'card', 'VALIDATION_ERROR'],
      [{ card: [] }, 'card', 'VALIDATION_ERROR'],
      [{ card: { video: 'https://a.example' } }, 'card', 'VALIDATION_ERROR'],
      [{ card: { title: '' } }, 'card.title', 'VALIDATION_ERROR'],
      [{ card: { title: 'a'.repeat(256) } }, 'card.title', 'VALIDATION_ERROR'],
      [{ card: { title: 'a\nb' } }, 'card.title', 'VALIDATION_ERROR'],
      [{ card: { description: 'a'.repeat(1_001) } }, 'card.description', 'VALIDATION_ERROR'],
      ...[
        'javascript:alert(1)',
        'data:image/png;base64,aaaa',
        'http://example.com/a.png',
        '/a.png',
        ' ',
        own,
        ...[
          'https://user@example.com/',
          'https://example.com\\a',
          `https://example.com/${'a'.repeat(2_048)}`,
        ],
      ].map((image) => [{ card: { image } }, 'card.image', 'VALIDATION_ERROR'] as const),
      ...[0, -1, 1.5, '3', 1_000_000_001].map(
        (maxClicks) => [{ maxClicks }, 'maxClicks', 'VALIDATION_ERROR'] as const,
      ),
      [
        {
          rules: [{ when: [1, 2].map(() => ({ fact: 'referrer', values: manyHosts })), to: { gone: true } }],
        },
        'rules',
        'VALIDATION_ERROR',
      ],
    ] as const) {
      const customCode = freshCode();
      const refused = await api.post('/api/v1/shorten', { url, customCode, ...fields });
      const { error } = refused.json;
      assert.ok(refused.status >= 400, refused.text);
      assert.deepEqual([error.code, error.details[0].field], [code, field], refused.text);
      assert.ok(error.details[0].message.startsWith(field), error.details[0].message);
      if (/amiga|mood/.test(JSON.stringify(fields)))
        assert.match(error.details[0].message, / must be one of: .*\b(?:windows|country), /);
      assert.deepEqual(await visit(customCode), [404, 'CODE_NOT_FOUND']);
    }
    for (const [visit, field] of [
      [{ country: 'Austria' }, 'visit.country'],
      [{ country: 'A1' }, 'visit.country'],
      [{ os: 'amiga' }, 'visit.os'],
      [{ device: 'phone' }, 'visit.device'],
      [{ browser: 'toString' }, 'visit.browser'],
      [{ class: 'robot' }, 'visit.class'],
      [{ at: 'soon' }, 'visit.at'],
    ] as const) {
      const { status, json } = await api.post('/api/v1/simulate', { url, visit });
      assert.deepEqual([status, json.error.details[0].field], [400, field]);
      assert.ok(json.error.details[0].message.startsWith(field), json.error.details[0].message);
    }
    const fine = { country: 'at', os: 'iOS', device: '', browser: 'Chrome', region: 'anything' };
    assert.equal((await api.post('/api/v1/simulate', { url, visit: fine })).status, 200);
  });
});
