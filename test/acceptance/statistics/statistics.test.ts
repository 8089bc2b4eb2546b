import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ask } from '../../support/http/ask.ts';
import { type Api, makeFolder, makeLink } from '../../support/server/records.ts';
import { as } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

// Simulates clicks by very different visitors, and then runs every possible query on them.

const kit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const agents = {
  chrome: [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${kit} Chrome/140.0.0.0 Safari/537.36`,
    'windows',
    'desktop',
  ],
  safari: [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'ios',
    'mobile',
  ],
  firefox: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'linux', 'desktop'],
} as const;
const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** A page of a breakdown. */
interface Page {
  readonly totals: unknown;
  readonly breakdown: {
    readonly values: readonly { readonly clicks: number }[];
    readonly other: { readonly clicks: number };
    readonly nextCursor?: string | null;
  };
}

/** A click and its expected dimensions. */
interface Visit {
  readonly link: number;
  readonly folder: number | undefined;
  readonly class: string;
  readonly browser?: string;
  readonly os?: string;
  readonly device?: string;
  readonly country: string;
  readonly language: string;
  readonly referrer: string;
  readonly referrerKind: string;
  readonly trigger: string;
  readonly utmSource: string;
  readonly utmCampaign: string;
  readonly visitor: string;
}

const campaigns = ['', 'Spring, sale: 50%', 'spring', 'Ümläut 日本'];
const referrers = [
  ['', '', ''],
  ['https://www.google.com/search?q=x', 'google.com', 'search'],
  ['https://chatgpt.com/', 'chatgpt.com', 'ai'],
  ['https://blog.example.org/post', 'blog.example.org', 'other'],
] as const;
const countries = ['DE', 'US', 'JP'];

/** Returns the visit with number `at`. Each property repeats at its own interval, so that all combinations occur. */
function visitOf(at: number): { visit: Visit; path: string; headers: Record<string, string> } {
  const isBot = at % 7 === 3;
  const names = ['chrome', 'safari', 'firefox'] as const;
  const browser = names[at % 3] ?? 'chrome';
  const [agent, os, device] = agents[browser];
  const [referer, referrer, referrerKind] = referrers[Math.floor(at / 2) % 4] ?? referrers[0];
  const country = countries[Math.floor(at / 3) % 3] ?? 'DE';
  const utmCampaign = campaigns[Math.floor(at / 4) % 4] ?? '';
  const isScan = at % 5 === 0;
  const address = `203.0.113.${(at % 9) + 1}`;
  const link = at % 3;
  const query = new URLSearchParams({
    ...(utmCampaign !== '' && { utm_campaign: utmCampaign, utm_source: 'letter' }),
    ...(isScan && { trigger: 'qr' }),
  });
  return {
    path: `?${query}`,
    headers: {
      'user-agent': isBot ? bot : agent,
      'accept-language': at % 2 === 0 ? 'de-AT,de;q=0.9' : 'en-GB',
      'x-forwarded-for': address,
      'x-country': country,
      ...(referer !== '' && { referer }),
    },
    visit: {
      link,
      folder: link === 2 ? undefined : link,
      class: isBot ? 'bot' : 'human',
      ...(!isBot && { browser, os, device }),
      country,
      language: at % 2 === 0 ? 'de' : 'en',
      referrer,
      referrerKind,
      trigger: isScan ? 'qr' : 'link',
      utmCampaign,
      utmSource: utmCampaign === '' ? '' : 'letter',
      visitor: `${address} ${isBot ? bot : agent}`,
    },
  };
}

const visits = Array.from({ length: 84 }, (_, at) => visitOf(at));
const seen: readonly Visit[] = visits.map(({ visit }) => visit);
const day = 86_400_000;

type Question = Record<string, string | number | readonly string[]>;

function queryOf(question: Question): string {
  const pairs = Object.entries(question).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return `?${new URLSearchParams(pairs as [string, string][])}`;
}

describe('statistics', () => {
  let server: SharedServer;
  let api: Api;
  let key: string;
  const links: string[] = [];
  const folders: string[] = [];
  const codes: string[] = [];
  // The range also fits a test run that continues past midnight.
  const range = {
    from: new Date(Date.now() - day).toISOString(),
    to: new Date(Date.now() + day).toISOString(),
  };

  const get = async (path: string, question: Question = {}) => {
    const { status, json, text } = await api.get(`/api/v1${path}${queryOf({ ...range, ...question })}`);
    assert.equal(status, 200, text);
    return json.data;
  };

  before(async () => {
    server = await sharedServer();
    ({ key } = await server.newKey());
    api = as(server, key);
    for (let at = 0; at < 2; at += 1) folders.push(await makeFolder(api));
    for (let at = 0; at < 3; at += 1) {
      const code = `stats-${at}`;
      codes.push(code);
      links.push(await makeLink(api, { customCode: code, folderId: folders[at] ?? null }));
    }
    const stranger = as(server, (await server.newKey()).key);
    await makeLink(stranger, { customCode: 'stats-foreign' });
    await ask(server, { path: '/stats-foreign' });
    for (const { path, headers, visit } of visits) {
      const { status } = await ask(server, { path: `/${codes[visit.link]}${path}`, headers });
      assert.equal(status, 302);
    }
    await until('every click is in the statistics', async () => {
      const { totals } = await get('/stats');
      return totals.clicks === visits.length;
    });
  });

  const subjects = (): readonly (readonly [path: string, mine: (visit: Visit) => boolean])[] => [
    ['/stats', () => true],
    ...links.map((id, at) => [`/links/${id}/stats`, ({ link }: Visit) => link === at] as const),
    ...folders.map((id, at) => [`/folders/${id}/stats`, ({ folder }: Visit) => folder === at] as const),
  ];

  const wordOf = (visit: Visit, dimension: string): string => {
    if (dimension === 'link') return links[visit.link] ?? '';
    if (dimension === 'folder') return visit.folder === undefined ? '' : (folders[visit.folder] ?? '');
    return String(visit[dimension as keyof Visit] ?? '');
  };
  const sum = (rows: readonly { clicks: number }[]): number =>
    rows.reduce((total, { clicks }) => total + clicks, 0);

  test('returns totals equal to clicks, for links, folders and the account', async () => {
    for (const [path, isMine] of subjects()) {
      const mine = seen.filter(isMine);
      const { totals, series, visitorsExact } = await get(path);
      assert.equal(totals.clicks, mine.length, path);
      assert.equal(totals.bot, mine.filter((visit) => visit.class === 'bot').length, path);
      assert.equal(totals.human + totals.bot + totals.preview + totals.prefetch, totals.clicks);
      assert.equal(sum(series), totals.clicks);
      assert.equal(visitorsExact, undefined);
    }
    for (const [at, id] of links.entries()) {
      const { clicks } = (await api.get(`/api/v1/links/${id}`)).json.data;
      assert.equal((await get(`/links/${id}/stats`)).totals.clicks, clicks);
      assert.equal(clicks, seen.filter(({ link }) => link === at).length);
    }
  });

  test('distinguishes visitors by address and user agent', async () => {
    const { totals } = await get('/stats');
    const distinct = new Set(seen.map(({ visitor }) => visitor)).size;
    // A visitor who visits before and after midnight counts once on each day.
    assert.ok(totals.visitors >= distinct && totals.visitors <= 2 * distinct, `${totals.visitors}`);
  });

  const known = ['class', 'country', 'language', 'referrer', 'referrerKind', 'trigger'] as const;
  const chosen = ['utmSource', 'utmCampaign', 'link', 'folder'] as const;
  for (const dimension of [...known, ...chosen, 'browser', 'os', 'device'] as const) {
    test(`returns the clicks by ${dimension}, which sum to the totals`, async () => {
      for (const [path, isMine] of subjects()) {
        const { totals, breakdown } = await get(path, { groupBy: dimension });
        assert.equal(breakdown.dimension, dimension);
        assert.equal(sum(breakdown.values) + breakdown.other.clicks, totals.clicks);
        // Browser values of bots are not compared.
        const ofPeople = ['browser', 'os', 'device'].includes(dimension);
        const mine = seen.filter((visit) => isMine(visit) && (!ofPeople || visit.class === 'human'));
        const people = ofPeople ? await get(path, { groupBy: dimension, class: 'human' }) : { breakdown };
        const expected = Map.groupBy(mine, (visit) => wordOf(visit, dimension));
        assert.deepEqual(
          new Map(
            people.breakdown.values.map((one: { value: string; clicks: number }) => [one.value, one.clicks]),
          ),
          new Map([...expected].map(([value, of]) => [value, of.length])),
          path,
        );
        const clicks = breakdown.values.map((one: { clicks: number }) => one.clicks);
        assert.deepEqual(
          clicks,
          clicks.toSorted((a: number, b: number) => b - a),
          'most clicks first',
        );
      }
    });
  }

  for (const dimension of ['region', 'utmMedium', 'utmTerm', 'utmContent'])
    test(`returns unknown as the empty value: ${dimension}`, async () => {
      const { breakdown, totals } = await get('/stats', { groupBy: dimension });
      assert.deepEqual(
        breakdown.values.map(({ value, clicks }: { value: string; clicks: number }) => [value, clicks]),
        [['', totals.clicks]],
      );
    });

  test('includes link and folder names', async () => {
    const byLink = await get('/stats', { groupBy: 'link' });
    assert.deepEqual(byLink.breakdown.values.map(({ label }: { label: string }) => label).toSorted(), codes);
    const byFolder = await get('/stats', { groupBy: 'folder' });
    const labels = byFolder.breakdown.values.map(({ label = '' }) => label).toSorted();
    assert.deepEqual(labels, ['', 'Posters', 'Posters']);
  });

  test('returns values beyond the limit as other', async () => {
    const all = (await get('/stats', { groupBy: 'referrer' })).breakdown;
    const { breakdown } = await get('/stats', { groupBy: 'referrer', limit: 1 });
    assert.deepEqual(breakdown.values, all.values.slice(0, 1));
    assert.equal(breakdown.other.clicks, sum(all.values.slice(1)));
  });

  test('pages through a breakdown: each value once, in one order, with the same totals', async () => {
    for (const [path, question] of [
      ['/stats', { groupBy: 'link' }],
      ['/stats', { groupBy: 'browser', class: 'human,bot', compare: 'previous' }],
      [`/links/${links[0]}/stats`, { groupBy: 'country', timezone: 'Europe/Berlin' }],
      [`/folders/${folders[0]}/stats`, { groupBy: 'referrer' }],
    ] as const) {
      const whole = await get(path, { ...question, limit: 1_000 });
      assert.equal('nextCursor' in whole.breakdown, false, 'only requests with a cursor return one');
      const values = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page = await get(path, { ...question, limit: 2, cursor });
        assert.deepEqual(page.totals, whole.totals);
        assert.ok(page.breakdown.values.length <= 2);
        assert.equal(sum(page.breakdown.values) + page.breakdown.other.clicks, whole.totals.clicks);
        values.push(...page.breakdown.values);
        cursor = page.breakdown.nextCursor ?? null;
      }
      assert.ok(values.length > 2, path);
      assert.deepEqual(values, whole.breakdown.values);
    }
  });

  test('accepts a cursor only for its own breakdown, as of the first page', async () => {
    const read = async (cursor: string) =>
      (await api.get(`/api/v1/stats?groupBy=link&limit=1&cursor=${cursor}`)).json.data;
    const first = await read('');
    const { nextCursor } = first.breakdown;
    const second = await read(nextCursor);
    assert.deepEqual([second.from, second.to, second.totals], [first.from, first.to, first.totals]);
    assert.notEqual(second.breakdown.values[0].value, first.breakdown.values[0].value);
    for (const [client, path] of [
      [api, `/stats?groupBy=country&cursor=${nextCursor}`],
      [api, `/stats?groupBy=link&class=human&cursor=${nextCursor}`],
      [api, `/folders/${folders[0]}/stats?groupBy=link&cursor=${nextCursor}`],
      [as(server, (await server.newKey()).key), `/stats?groupBy=link&cursor=${nextCursor}`],
    ] as const) {
      const { status, json } = await client.get(`/api/v1${path}`);
      assert.deepEqual([status, json.error.details[0].reason], [400, 'not_allowed'], path);
    }
  });

  const encoded = encodeURIComponent('Spring, sale: 50%');
  const cases: readonly (readonly [Question, (visit: Visit) => boolean])[] = [
    [{ class: 'bot' }, (visit) => visit.class === 'bot'],
    [{ class: 'human,bot' }, () => true],
    [{ filter: 'country:is:de,JP' }, (visit) => visit.country !== 'US'],
    [{ filter: 'referrer:is-not:' }, (visit) => visit.referrer !== ''],
    [{ filter: 'referrer:contains:GOOgle' }, (visit) => visit.referrer.includes('google')],
    [{ filter: 'referrerKind:is:ai' }, (visit) => visit.referrerKind === 'ai'],
    [{ filter: `utmCampaign:is:${encoded}` }, (visit) => visit.utmCampaign === 'Spring, sale: 50%'],
    [{ filter: 'utmCampaign:is:Ümläut 日本' }, (visit) => visit.utmCampaign === 'Ümläut 日本'],
    [
      { filter: 'utmCampaign:is:', class: 'human' },
      (visit) => visit.utmCampaign === '' && visit.class === 'human',
    ],
    [{ filter: 'browser:is:firefox' }, (visit) => visit.browser === 'firefox'],
    [
      { filter: ['country:is-not:US', 'language:is:de', 'trigger:is:qr'] },
      (visit) => visit.country !== 'US' && visit.language === 'de' && visit.trigger === 'qr',
    ],
    [{ filter: ['country:is:DE', 'country:is:US'] }, () => false],
  ];
  for (const [question, passes] of cases)
    test(`filters: ${JSON.stringify(question)}`, async () => {
      for (const [path, isMine] of subjects()) {
        const { totals, series, breakdown } = await get(path, { ...question, groupBy: 'device' });
        const expected = seen.filter((visit) => isMine(visit) && passes(visit)).length;
        assert.equal(totals.clicks, expected, path);
        assert.equal(sum(series), expected);
        assert.equal(sum(breakdown.values) + breakdown.other.clicks, expected);
      }
    });

  test('filters by link and folder IDs; a foreign ID matches nothing', async () => {
    const [first = '', second = ''] = links;
    const two = await get('/stats', { filter: `link:is:${first},${second.toUpperCase()}` });
    assert.equal(two.totals.clicks, seen.filter(({ link }) => link < 2).length);
    const none = await get('/stats', { filter: 'folder:is:' });
    assert.equal(none.totals.clicks, seen.filter(({ folder }) => folder === undefined).length);
    const foreign = await get('/stats', { filter: 'link:is:0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10' });
    assert.equal(foreign.totals.clicks, 0);
  });

  test('compares with an earlier range: totals, series, and values', async () => {
    const today = { from: new Date(Date.now() - 2 * day).toISOString() };
    const later = {
      from: new Date(Date.now() + day).toISOString(),
      to: new Date(Date.now() + 2 * day).toISOString(),
    };
    const { compare, totals, breakdown } = await get('/stats', {
      ...later,
      compare: `${today.from}..${range.to}`,
      groupBy: 'country',
    });
    assert.equal(totals.clicks, 0);
    assert.equal(compare.totals.clicks, visits.length);
    assert.equal(sum(compare.series), visits.length);
    assert.equal(breakdown.other.clicks, 0);
    const now = await get('/stats', { ...later, ...range, compare: 'previous', groupBy: 'country' });
    assert.equal(now.compare.to, now.from);
    for (const { before } of now.breakdown.values) assert.deepEqual(before, { clicks: 0, visitors: 0 });
    const plain = await get('/stats', { groupBy: 'country' });
    assert.ok(!('compare' in plain) && !('before' in plain.breakdown.values[0]));
    assert.ok(!('breakdown' in (await get('/stats'))));
  });

  for (const [zone, question, starts] of [
    [
      'Europe/Berlin',
      { from: '2026-03-28', to: '2026-03-31', interval: 'day' },
      ['2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    ],
    [
      'Asia/Kathmandu',
      { from: '2026-01-01T00:10', to: '2026-01-01T02:00', interval: 'hour' },
      ['2026-01-01T00:00:00+05:45', '2026-01-01T01:00:00+05:45'],
    ],
    [
      'America/New_York',
      { from: '2026-10-26', to: '2026-11-09', interval: 'week' },
      ['2026-10-26T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
    ],
    [
      'UTC',
      { from: '2026-01-31', to: '2026-03-01', interval: 'month' },
      ['2026-01-01T00:00:00+00:00', '2026-02-01T00:00:00+00:00'],
    ],
  ] as const)
    test(`starts buckets at the time in ${zone}`, async () => {
      const { series, timezone } = await get('/stats', { ...question, timezone: zone });
      assert.equal(timezone, zone);
      assert.deepEqual(
        series.map(({ start }: { start: string }) => start),
        starts,
      );
    });

  test('returns 23 or 25 hours for a clock change day, with empty buckets', async () => {
    const of = async (from: string, to: string) =>
      (await get('/stats', { from, to, timezone: 'Europe/Berlin', interval: 'hour' })).series;
    assert.equal((await of('2026-03-29', '2026-03-30')).length, 23);
    assert.equal((await of('2026-10-25', '2026-10-26')).length, 25);
    for (const timezone of ['UTC', 'Asia/Kathmandu', 'Pacific/Apia', 'America/St_Johns']) {
      const { series } = await get('/stats', { timezone, interval: 'hour' });
      assert.equal(sum(series), visits.length, timezone);
      const busy = series.filter(({ clicks }: { clicks: number }) => clicks > 0);
      assert.ok(busy.length >= 1 && busy.length <= 2, 'all within an hour or two');
    }
  });

  test('returns clicks on links in the last 30 days on request', async () => {
    const asked = 'include=clicksByDay,title&limit=100';
    for (const zone of ['', '&timezone=Pacific/Auckland', '&timezone=Pacific/Honolulu']) {
      const { status, json } = await api.get(`/api/v1/links?${asked}${zone}`);
      assert.equal(status, 200);
      for (const [at, id] of links.entries()) {
        const { clicksByDay } = json.data.find((link: { id: string }) => link.id === id);
        assert.equal(clicksByDay.length, 30);
        const [yesterday, today] = clicksByDay.slice(-2);
        assert.equal(yesterday + today, seen.filter(({ link }) => link === at).length, zone);
        assert.ok(clicksByDay.slice(0, 28).every((clicks: number) => clicks === 0));
        const one = await api.get(`/api/v1/links/${id}?include=clicksByDay${zone}`);
        assert.deepEqual(one.json.data.clicksByDay, clicksByDay);
      }
    }
    assert.ok(!('clicksByDay' in (await api.get(`/api/v1/links/${links[0]}`)).json.data));
    for (const path of ['/links', `/links/${links[0]}`]) {
      const { status, json } = await api.get(`/api/v1${path}?include=clicksByDay&timezone=Mars`);
      assert.deepEqual([status, json.error.details[0].field], [400, 'timezone']);
    }
  });

  test('returns daily clicks for folders and tags on request', async () => {
    const tagged = [0, 1, 1].map((tag, at) =>
      api.patch(`/api/v1/links/${links[at]}`, { tags: [`of-${tag}`] }),
    );
    assert.ok((await Promise.all(tagged)).every(({ status }) => status === 200));
    const tags = (await api.get('/api/v1/tags')).json.data;
    for (const zone of ['', '&timezone=Pacific/Auckland']) {
      const asked = `?include=clicksByDay${zone}`;
      const groups = [
        ...(await api.get(`/api/v1/folders${asked}`)).json.folders,
        ...(await api.get(`/api/v1/tags${asked}`)).json.data,
      ];
      assert.equal(groups.length, 4);
      for (const { id, name, clicksByDay } of groups) {
        const mine = ({ link, folder }: Visit) =>
          folders.includes(id) ? folder === folders.indexOf(id) : name === `of-${Math.min(link, 1)}`;
        assert.equal(clicksByDay.length, 30);
        const [yesterday, today] = clicksByDay.slice(-2);
        assert.equal(yesterday + today, seen.filter(mine).length, `${name} ${zone}`);
        assert.ok(clicksByDay.slice(0, 28).every((clicks: number) => clicks === 0));
      }
    }
    // Requests the counts immediately after a merge. Another request uses an account without clicks.
    await api.post(`/api/v1/tags/${tags[0].id}/merge`, { into: tags[1].id });
    const [merged, ...gone] = (await api.get('/api/v1/tags?include=clicksByDay')).json.data;
    assert.deepEqual(gone, []);
    assert.equal(sum([{ clicks: merged.clicksByDay[28] + merged.clicksByDay[29] }]), seen.length);
    const stranger = as(server, (await server.newKey()).key);
    await makeFolder(stranger);
    const [empty] = (await stranger.get('/api/v1/folders?include=clicksByDay')).json.folders;
    assert.deepEqual(empty.clicksByDay, Array(30).fill(0));
    assert.ok(!('clicksByDay' in (await api.get('/api/v1/tags')).json.data[0]));
    for (const path of ['/folders', '/tags']) {
      const { status, json } = await api.get(`/api/v1${path}?include=clicksByDay&timezone=Mars`);
      assert.deepEqual([status, json.error.details[0].field], [400, 'timezone']);
    }
  });

  test('returns the last hour by minute, with the current minute', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const { interval, series, totals } = await get('/stats', {
      from,
      to: new Date(Date.now() + 1_000).toISOString(),
      interval: 'minute',
    });
    assert.equal(interval, 'minute');
    assert.ok(series.length === 61 || series.length === 62, `${series.length}`);
    assert.deepEqual([totals.clicks, sum(series)], [seen.length, seen.length]);
    const { data } = (await api.get('/api/v1/clicks?limit=1000')).json;
    for (const { start, clicks } of series) {
      const minute = new Date(start).toISOString().slice(0, 16);
      const within = data.filter(({ time }: { time: string }) => time.startsWith(minute));
      assert.equal(clicks, within.length, minute);
    }
  });

  test("uses the link's utm values where the visited URL has none, as of the visit", async () => {
    const owner = as(server, (await server.newKey()).key);
    const utm = { source: 'letter', medium: 'email', campaign: 'Spring, sale' };
    const [plain, ruled] = ['own-utm', 'own-utm-rule'];
    const id = await makeLink(owner, { customCode: plain, utm });
    const rules = [
      { name: 'all', when: [{ fact: 'query', name: 'r' }], to: { url: 'https://example.com/ruled' } },
    ];
    await makeLink(owner, { customCode: ruled, utm: { source: 'poster' }, rules });
    const clicksBy = async (dimension: string, more = ''): Promise<unknown> => {
      const { json, text } = await owner.get(`/api/v1/stats?groupBy=${dimension}${more}`);
      assert.equal(json.success, true, text);
      const { values } = json.data.breakdown;
      return Object.fromEntries(values.map(({ value, clicks }: Record<string, unknown>) => [value, clicks]));
    };
    for (const path of [
      plain,
      `${plain}?utm_source=chat`,
      `${plain}?utm_source=a&utm_medium=b&utm_campaign=c`,
      `${ruled}?r=1`,
    ])
      assert.equal((await ask(server, { path: `/${path}` })).status, 302);
    assert.equal((await owner.patch(`/api/v1/links/${id}`, { utm: { source: 'later' } })).status, 200);
    await ask(server, { path: `/${plain}` });
    await until('every click is there', async () =>
      isDeepStrictEqual(await clicksBy('utmSource'), { letter: 1, chat: 1, a: 1, poster: 1, later: 1 }),
    );
    assert.deepEqual(await clicksBy('utmMedium'), { email: 2, b: 1, '': 2 });
    assert.deepEqual(await clicksBy('utmCampaign'), { 'Spring, sale': 2, c: 1, '': 2 });
    assert.deepEqual(await clicksBy('utmFrom'), { link: 4, '': 1 });
    assert.deepEqual(await clicksBy('utmSource', '&filter=utmFrom:is-not:link'), { a: 1 });
    const { data } = (await owner.get('/api/v1/clicks?filter=rule:is:all')).json;
    assert.deepEqual([data[0].utmSource, data[0].utmFrom], ['poster', 'link']);
  });

  test('defaults to the last 30 days, including today', async () => {
    const { status, json } = await api.get('/api/v1/stats');
    assert.equal(status, 200);
    const { from, to, timezone, interval, totals, series } = json.data;
    assert.deepEqual([timezone, interval, series.length], ['UTC', 'day', 30]);
    assert.ok(Math.abs(Date.parse(to) - Date.now()) < 60_000);
    assert.match(from, /T00:00:00\.000Z$/);
    assert.equal(totals.clicks, visits.length);
  });

  for (const [query, field, words] of [
    ['from=yesterday', 'from', 'ISO 8601'],
    ['to=2026-02-30', 'to', 'ISO 8601'],
    ['from=2026-02-02&to=2026-02-01', 'from', 'must be before to'],
    ['timezone=Mars/Base', 'timezone', 'IANA time zone'],
    ['interval=year', 'interval', 'minute, hour, day, week, month'],
    ['from=2020-01-01&interval=minute', 'interval', 'maximum is 1,000'],
    ['from=2020-01-01&interval=hour', 'interval', 'maximum is 1,000'],
    ['from=0001-01-01', 'from', 'before 1970'],
    ['class=people', 'class', 'human, bot, preview, prefetch'],
    ['groupBy=colour', 'groupBy', 'class, trigger, country'],
    ['filter=colour:is:red', 'filter', 'Dimensions: class, trigger'],
    ['filter=country:was:DE', 'filter', 'is, is-not, contains'],
    ['filter=country', 'filter', 'dimension:operator:values'],
    ['filter=utmTerm:is:%25zz', 'filter', 'Encode % as %25'],
    [Array(11).fill('filter=country:is:DE').join('&'), 'filter', 'at most 10'],
    ['compare=before', 'compare', 'previous, year, or two'],
    ['limit=0', 'limit', 'between 1 and 1000'],
    ['limit=1001', 'limit', 'between 1 and 1000'],
    ['limit=ten', 'limit', 'must be an integer'],
    ['interval=day&interval=hour', 'interval', 'only once'],
    ['cursor=', 'cursor', 'requires groupBy'],
    ['groupBy=link&cursor=nonsense', 'cursor', 'nextCursor of an earlier response'],
    [`groupBy=link&cursor=${Buffer.from('["",1e300,1,""]').toString('base64url')}`, 'cursor', 'nextCursor'],
  ] as const)
    test(`rejects ${query.slice(0, 50)}: ${field}, ${words}`, async () => {
      for (const path of ['/stats', `/links/${links[0]}/stats`]) {
        const { status, json } = await api.get(`/api/v1${path}?${query}`);
        assert.equal(status, 400);
        assert.equal(json.error.code, 'VALIDATION_ERROR');
        const [problem, ...others] = json.error.details;
        assert.deepEqual([problem.field, others], [field, []]);
        assert.ok(problem.message.includes(words), problem.message);
      }
    });
});
