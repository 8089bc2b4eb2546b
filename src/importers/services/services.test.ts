import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  type Answer,
  type Asked,
  bitlyOf,
  chhotoOf,
  dubOf,
  kuttOf,
  rebrandlyOf,
  type ServiceServer,
  shlinkOf,
  shortIoOf,
  sinkOf,
  startService,
  token,
  yourlsOf,
} from '../../../test/support/moving/service-server.ts';
import { readAllowed } from '../../external/outbound/allowed.ts';
import { createOutbound } from '../../external/outbound/outbound.ts';
import { type Line, readLine } from '../format.ts';
import { createJsonRequest } from '../reading/json-requests.ts';
import { linesOf, noCounts } from '../reading/read.ts';
import { foundInTable } from '../reading/tables.ts';
import type { Choices, ParseRow, SourceFailure } from '../service.ts';
import { services } from './services.ts';
import { mappingOf, tableRow } from './table.ts';

const servers: ServiceServer[] = [];
const outbound = createOutbound({ allowed: readAllowed('127.0.0.1'), keep: 2 });
after(() => {
  outbound.close();
  for (const server of servers) server.close();
});

const readAt = '2026-06-01T00:00:00.000Z';
const usual: Choices = {
  zone: 'UTC',
  domain: null,
  token,
  withClicks: true,
  readAt,
  since: undefined,
  workspace: undefined,
};
type Given = Partial<Choices> & { readonly waits?: number[] };

/** Reads from a fake service. Waits between requests take no time, but are recorded in `waits`. */
async function read(
  source: string,
  answerTo: (asked: Asked) => Answer,
  { waits = [], ...choices }: Given = {},
) {
  const server = await startService(answerTo);
  servers.push(server);
  const service = services[source];
  assert.ok(service?.api !== undefined);
  const all = { ...usual, ...choices };
  let now = Date.parse(readAt);
  const wait = async (ms: number): Promise<void> => {
    now += ms;
    waits.push(ms);
  };
  const requestJson = createJsonRequest({
    service,
    choices: all,
    at: server.url,
    outbound,
    now: () => now,
    wait,
  });
  const lines = await linesIn({ found: service.api.read(requestJson, all), source, choices: all });
  return { lines, asked: server.asked };
}

async function linesIn(
  reading: Omit<Parameters<typeof linesOf>[0], 'instance' | 'readLine'>,
): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const text of linesOf({ ...reading, instance: null, readLine }, noCounts())) {
    assert.doesNotMatch(text, /secret-token|192\.0\.2\./);
    lines.push(JSON.parse(text));
    assert.equal(typeof readLine(lines.at(-1)), 'object', text.slice(0, 300));
  }
  assert.deepEqual([lines[0]?.type, lines.at(-1)?.type], ['import', 'end']);
  return lines.slice(1, -1);
}

async function readTable(
  text: string | Buffer,
  parserOf: (columns: readonly string[]) => ParseRow,
  choices: Given = {},
) {
  const all = { ...usual, ...choices };
  const bytes = Buffer.from(text);
  const small = Math.max(7, Math.ceil(bytes.length / 300));
  for (const size of [bytes.length + 1, small]) {
    // Splits the bytes into arbitrary chunks.
    const chunks = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
    const found = foundInTable({ name: 'rows', chunks, choices: all, parserOf });
    const lines = await linesIn({ found, source: 'csv', choices: all });
    if (size === small) return lines;
  }
  return [];
}
const rowsOf = (source: string, what: 'links' | 'clicks') => (): ParseRow =>
  services[source]?.[what] ?? assert.fail(`${source} has no ${what}`);

function linksIn(lines: readonly Line[]) {
  return lines.flatMap((line) => (line.type === 'link' ? [line] : []));
}
function many<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
function keysOf(lines: readonly Line[]): string[] {
  return linksIn(lines).map(({ key }) => key);
}

describe('Dub', () => {
  const whole = {
    ...{
      id: 'link_1',
      domain: 'd.example',
      key: 'Sale/May',
      url: 'https://e.com/1',
      archived: true,
      clicks: 4,
    },
    ...{
      expiresAt: '2027-01-01T00:00:00.000Z',
      expiredUrl: 'https://e.com/over',
      password: 'p4ss',
      externalId: 'x1',
    },
    ...{
      title: 'T',
      comments: 'C',
      tags: [{ id: 't', name: 'spring', color: 'red' }],
      createdAt: '2024-05-06T07:08:09.123Z',
    },
    ...{
      ios: 'https://e.com/ios',
      android: null,
      geo: { DE: 'https://e.com/de' },
      utm_source: 'mail',
      proxy: true,
    },
    testVariants: [
      { url: 'https://e.com/a', percentage: 30 },
      { url: 'https://e.com/b', percentage: 70 },
    ],
  };
  const expected = {
    ...{
      type: 'link',
      key: 'link_1',
      domain: 'd.example',
      code: 'Sale/May',
      url: 'https://e.com/1',
      title: 'T',
    },
    ...{
      description: 'C',
      tags: ['spring'],
      createdAt: '2024-05-06T07:08:09.123Z',
      externalId: 'x1',
      password: 'p4ss',
    },
    ...{
      expiresAt: '2027-01-01T00:00:00.000Z',
      expiredUrl: 'https://e.com/over',
      archived: true,
      lost: ['card'],
    },
    utm: { source: 'mail' },
    rules: [
      { when: [{ fact: 'os', values: ['ios'] }], to: { url: 'https://e.com/ios' } },
      { when: [{ fact: 'country', values: ['DE'] }], to: { url: 'https://e.com/de' } },
      {
        when: [],
        to: {
          split: [
            { url: 'https://e.com/a', weight: 30 },
            { url: 'https://e.com/b', weight: 70 },
          ],
        },
      },
    ],
  };

  test('reads links with all fields, and individual clicks', async () => {
    const click = {
      country: 'DE',
      ip: '192.0.2.1',
      device: 'Mobile',
      os: 'iOS',
      browser: 'Safari',
      referer: '(direct)',
    };
    const event = { event: 'click', timestamp: '2024-06-01T10:00:00.000Z', click, link: { id: 'link_1' } };
    const events = { link_1: many(1_002, () => event) };
    const { lines } = await read('dub', dubOf([whole], { events }));
    assert.deepEqual(lines.slice(0, 3), [
      expected,
      { type: 'counter', key: 'link_1', clicks: 4 },
      {
        type: 'visit',
        key: 'link_1',
        at: '2024-06-01T10:00:00.000Z',
        referrer: '',
        country: 'DE',
        browser: 'Safari',
        os: 'iOS',
        device: 'Mobile',
      },
    ]);
    assert.equal(lines.length, 2 + 1_002);
  });

  test('reads daily counts if the plan has no individual clicks, nothing for links without clicks; pages', async () => {
    const others = many(250, (at) => ({
      id: `l${at}`,
      domain: 'd.example',
      key: `k${at}`,
      url: 'https://e.com',
      clicks: 0,
    }));
    const { lines, asked } = await read('dub', dubOf([...others, whole]));
    assert.deepEqual(keysOf(lines), [...others.map(({ id }) => id), 'link_1']);
    assert.deepEqual(lines.at(-1), {
      type: 'bucket',
      key: 'link_1',
      at: '2026-01-02T00:00:00.000Z',
      unit: 'day',
      clicks: 3,
    });
    assert.equal(asked.filter(({ path }) => path === '/analytics').length, 1);
    const without = await read('dub', dubOf([whole]), { withClicks: false });
    assert.deepEqual(without.lines, [expected]);
    assert.equal(without.asked.length, 1);
  });
});

describe('Shlink', () => {
  const link = (at: number, more = {}) => ({
    ...{
      shortCode: `c${at}`,
      shortUrl: `https://s.example/c${at}`,
      longUrl: `https://e.com/${at}`,
      domain: null,
    },
    ...{
      dateCreated: '2024-05-06T09:08:09+02:00',
      tags: [],
      title: null,
      forwardQuery: false,
      crawlable: false,
    },
    ...{
      meta: { validSince: null, validUntil: null, maxVisits: null },
      visitsSummary: { total: 0, nonBots: 0, bots: 0 },
    },
    hasRedirectRules: false,
    ...more,
  });

  test('reads links with limits, tags, rules and visits', async () => {
    const whole = link(1, {
      ...{
        shortCode: 'a/b',
        shortUrl: 'https://s.example/a/b',
        title: 'T',
        tags: ['x', 'y'],
        forwardQuery: true,
      },
      meta: {
        validSince: '2024-01-01T00:00:00+00:00',
        validUntil: '2030-01-01T00:00:00+00:00',
        maxVisits: 5,
      },
      visitsSummary: { total: 3, nonBots: 2, bots: 1 },
      hasRedirectRules: true,
    });
    const condition = (type: string, matchValue: string | null, matchKey: string | null = null) => ({
      type,
      matchKey,
      matchValue,
    });
    const rules = [
      {
        longUrl: 'https://e.com/2',
        priority: 2,
        conditions: [condition('language', 'de'), condition('query-param', '1', 'a')],
      },
      { longUrl: 'https://e.com/ip', priority: 3, conditions: [condition('ip-address', '192.0.2.0/24')] },
      {
        longUrl: 'https://e.com/1',
        priority: 1,
        conditions: [condition('device', 'ios'), condition('device', 'mobile')],
      },
      { longUrl: 'https://e.com/4', priority: 4, conditions: [condition('geolocation-country-code', 'DE')] },
      {
        longUrl: 'https://e.com/5',
        priority: 5,
        conditions: [condition('after-date', '2026-01-01T00:00:00+01:00')],
      },
      { longUrl: 'https://e.com/6', priority: 6, conditions: [condition('browser', 'firefox')] },
      { longUrl: 'https://e.com/7', priority: 7, conditions: [condition('browser', 'android_browser')] },
    ];
    const visits = [
      {
        ...{
          referer: 'https://r.example/x',
          date: '2024-06-02T10:00:00+02:00',
          userAgent: 'UA',
          potentialBot: false,
        },
        visitLocation: { countryCode: 'DE', countryName: 'Germany', regionName: 'Bavaria', cityName: 'X' },
      },
      {
        referer: '',
        date: '2024-06-01T10:00:00+00:00',
        userAgent: 'Bot',
        visitLocation: null,
        potentialBot: true,
      },
      // This visit is newer than `readAt`, so it is left for a later run.
      {
        referer: '',
        date: '2026-06-02T10:00:00+00:00',
        userAgent: '',
        visitLocation: null,
        potentialBot: false,
      },
    ];
    const data = { links: [whole], visits: { 'a/b': visits }, rules: { 'a/b': rules } };
    const { lines } = await read('shlink', shlinkOf(data));
    const when = (...conditions: object[]) => conditions;
    assert.deepEqual(lines, [
      {
        ...{
          type: 'link',
          key: 's.example/a/b',
          domain: 's.example',
          code: 'a/b',
          url: 'https://e.com/1',
          title: 'T',
        },
        tags: ['x', 'y'],
        createdAt: '2024-05-06T07:08:09.000Z',
        startsAt: '2024-01-01T00:00:00.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
        maxClicks: 5,
        clicksUsed: 3,
        forwardQuery: 'override',
        lost: ['rules'],
        rules: [
          {
            when: when({ fact: 'os', values: ['ios'] }, { fact: 'device', values: ['mobile', 'tablet'] }),
            to: { url: 'https://e.com/1' },
          },
          {
            when: when({ fact: 'language', values: ['de'] }, { fact: 'query', name: 'a', values: ['1'] }),
            to: { url: 'https://e.com/2' },
          },
          { when: when({ fact: 'country', values: ['DE'] }), to: { url: 'https://e.com/4' } },
          { when: when({ fact: 'date', from: '2025-12-31T23:00:00.000Z' }), to: { url: 'https://e.com/5' } },
          { when: when({ fact: 'browser', values: ['firefox'] }), to: { url: 'https://e.com/6' } },
        ],
      },
      {
        ...{
          type: 'visit',
          key: 's.example/a/b',
          at: '2024-06-02T08:00:00.000Z',
          userAgent: 'UA',
          country: 'DE',
        },
        referrer: 'https://r.example/x',
        region: 'Bavaria',
      },
      {
        type: 'visit',
        key: 's.example/a/b',
        at: '2024-06-01T10:00:00.000Z',
        userAgent: 'Bot',
        bot: true,
        referrer: '',
      },
      { type: 'counter', key: 's.example/a/b', clicks: 3, bots: 1 },
    ]);
    const later = await read('shlink', shlinkOf(data), { since: '2024-06-02T00:00:00.000Z' });
    assert.equal(later.lines.filter(({ type }) => type === 'visit').length, 1);
    // Simulates a source that ignores the date range.
    const all = ({ query, ...asked }: Asked): Answer =>
      shlinkOf(data)({ ...asked, query: { ...query, startDate: '' } });
    const left = await read('shlink', all, { since: '2024-06-02T00:00:00.000Z' });
    assert.deepEqual(left.lines, later.lines);
  });

  test('reads each link once while links are created and deleted', async () => {
    const links = many(350, (at) => link(at));
    let changed = 0;
    const onPage = (page: number): void => {
      // The first ten links are deleted, so all later links move up.
      if (page !== 1 || changed++ > 0) return;
      links.splice(0, 10);
      links.push(link(1_000));
    };
    const { lines } = await read('shlink', shlinkOf({ links, onPage }), { withClicks: false });
    const keys = keysOf(lines);
    assert.ok(lines.every(({ type }) => type !== 'problem'));
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(new Set(keys), new Set([...many(350, (at) => `s.example/c${at}`), 's.example/c1000']));
  });

  test('skips nothing because of one faulty link; stops with a reason if a whole page is unreadable', async () => {
    const odd = [
      link(1),
      null,
      link(2, { longUrl: null }),
      link(3, { dateCreated: 'soon' }),
      link(4, { tags: [7] }),
      link(5),
    ];
    const play = shlinkOf({ links: odd as Record<string, unknown>[] });
    const broken = (asked: Asked): Answer =>
      asked.path.endsWith('/c1/visits') ? { status: 500 } : play(asked);
    const { lines } = await read('shlink', broken);
    assert.deepEqual(keysOf(lines), ['s.example/c1', 's.example/c3', 's.example/c4', 's.example/c5']);
    assert.deepEqual(
      lines.flatMap((line) => ('reason' in line ? [`${line.where}: ${line.reason}`] : [])),
      [
        'clicks of link s.example/c1: Shlink returned status 500',
        'link: the row is not an object',
        'link c2: longUrl is missing',
        'link c3: "soon" is not a date',
      ],
    );
    await assert.rejects(
      read('shlink', () => ({ shortUrls: { data: 'secret-token' } })),
      /the response has no list/,
    );
    await assert.rejects(
      read('shlink', () => ({ status: 301 })),
      /Shlink redirected the request \(status 301\)/,
    );
    await assert.rejects(read('shlink', play, { token: 'wrong' }), /rejected the token \(status 401\)/);
  });
});

test('stops with a reason if lists never repeat or loop', async () => {
  let made = 0;
  const link = () => {
    made += 1;
    return { id: `id${made}`, address: `k${made}`, target: 'https://e.com/' };
  };
  const links = many(60, link);
  const { lines } = await read(
    'kutt',
    kuttOf(links, () => links.unshift(link())),
  );
  assert.match(JSON.stringify(lines.at(-1)), /the list changed during every attempt to read it/);
  const circle = () => ({ links: [], list_complete: false, cursor: 'again' });
  await assert.rejects(read('sink', circle), /returned the same page twice/);
});

describe('requests', () => {
  const link = { shortCode: 'a', shortUrl: 'https://s.example/a', longUrl: 'https://e.com/' };

  test('waits as long as the source asks, retries after errors and broken responses, and gives up with a reason', async () => {
    const odd: Answer[] = [
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': new Date(Date.parse(readAt) + 20_000).toUTCString() } },
      { status: 500 },
      { status: 200, text: '{"shortUrls":{"data":[{"shortCo' },
    ];
    const play = shlinkOf({ links: [link] });
    const waits: number[] = [];
    const { lines } = await read('shlink', (asked) => odd.shift() ?? play(asked), { waits });
    assert.equal(linksIn(lines).length, 1);
    assert.deepEqual(waits, [7_000, 13_000, 4_000, 8_000]);
    const always = (answer: Answer) => read('shlink', () => answer);
    await assert.rejects(
      always({ status: 429 }),
      (error: SourceFailure) => error.isAway && /Run the command again later/.test(error.message),
    );
    await assert.rejects(
      always({ status: 429, headers: { 'retry-after': '7200' } }),
      /Run the command again in 120 minutes/,
    );
    await assert.rejects(always({ status: 502 }), /returned status 502/);
    await assert.rejects(
      always({ status: 200, text: '<html>secret-token' }),
      (error: Error) => !/secret/.test(error.message),
    );
  });

  test("respects a source's rate limit", async () => {
    const waits: number[] = [];
    await read(
      'short-io',
      shortIoOf({ 's.example': [{ idString: 'l', path: 'a', originalURL: 'https://e.com' }] }),
      { waits },
    );
    assert.deepEqual(waits, [1_050, 1_050]);
  });
});

test('Kutt: reads links from its API while they change; reports what protected links lose', async () => {
  const link = (at: number, more = {}) => ({
    ...{
      id: `id${at}`,
      address: `k${at}`,
      target: `https://e.com/${at}`,
      created_at: '2024-05-06T07:08:09.000Z',
    },
    banned: false,
    password: false,
    visit_count: at,
    description: null,
    expire_in: null,
    domain: null,
    ...more,
  });
  const more = {
    description: 'D',
    password: true,
    banned: true,
    expire_in: '2030-01-01T00:00:00Z',
    domain: 'k.example',
  };
  const links = [link(0, more), ...many(149, (at) => link(at + 1))];
  const onPage = (skip: number): void => {
    if (skip === 0) links.unshift(link(1_000 + links.length));
  };
  const { lines } = await read('kutt', kuttOf(links, onPage));
  const keys = keysOf(lines);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(many(150, (at) => `id${at}`).every((key) => keys.includes(key)));
  assert.deepEqual(lines.slice(0, 4), [
    {
      ...{
        type: 'link',
        key: 'id0',
        domain: 'k.example',
        code: 'k0',
        url: 'https://e.com/0',
        description: 'D',
      },
      ...{
        createdAt: '2024-05-06T07:08:09.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
        disabled: true,
        lost: ['password'],
      },
    },
    { type: 'counter', key: 'id0', clicks: 0 },
    {
      type: 'link',
      key: 'id1',
      domain: null,
      code: 'k1',
      url: 'https://e.com/1',
      createdAt: '2024-05-06T07:08:09.000Z',
    },
    { type: 'counter', key: 'id1', clicks: 1 },
  ]);
});

test('Kutt: reads hourly counts from its database', async () => {
  const row = {
    ...{
      id: 1,
      link_id: 5,
      created_at: '2024-06-01 10:59:00',
      total: 3,
      br_chrome: 2,
      br_other: 1,
      os_ios: 3,
      os_other: 0,
    },
    countries: '{"de":2,"unknown":1}',
    referrers: '{"direct":1,"news[dot]example":2}',
  };
  assert.deepEqual(await readTable(`${JSON.stringify(row)}\n`, rowsOf('kutt', 'clicks')), [
    {
      type: 'bucket',
      key: '5',
      at: '2024-06-01T10:00:00.000Z',
      unit: 'hour',
      clicks: 3,
      by: {
        country: { DE: 2, '': 1 },
        referrer: { '': 1, 'news.example': 2 },
        browser: { chrome: 2, other: 1 },
        os: { ios: 3 },
      },
    },
    { type: 'unused', where: 'rows', columns: ['id'] },
  ]);
});

test('YOURLS: reads links from its API without its signature in a URL; reads its tables', async () => {
  const links = many(230, (at) => ({
    ...{
      shorturl: `https://y.example/k${at}`,
      url: `https://e.com/${at}`,
      title: 'T',
      ip: '192.0.2.1',
      clicks: '3',
    },
    timestamp: '2024-05-06 07:08:09',
  }));
  const { lines, asked } = await read('yourls', yourlsOf(links), { zone: 'Europe/Berlin' });
  assert.equal(asked.length, 3);
  assert.ok(asked.every(({ query }) => Object.keys(query).length === 0));
  assert.deepEqual(
    keysOf(lines),
    many(230, (at) => `y.example/k${at}`),
  );
  assert.deepEqual(lines.slice(0, 2), [
    {
      type: 'link',
      key: 'y.example/k0',
      domain: 'y.example',
      code: 'k0',
      url: 'https://e.com/0',
      title: 'T',
      createdAt: '2024-05-06T05:08:09.000Z',
    },
    { type: 'counter', key: 'y.example/k0', clicks: 3 },
  ]);
  const rows =
    'keyword,url,title,timestamp,ip,clicks\nsale,https://e.com/,"T, ""q""",2024-05-06 07:08:09,192.0.2.1,7\n';
  const [link, counter] = await readTable(rows, rowsOf('yourls', 'links'), { domain: 'y.example' });
  assert.deepEqual(link, {
    ...{
      type: 'link',
      key: 'y.example/sale',
      domain: 'y.example',
      code: 'sale',
      url: 'https://e.com/',
      title: 'T, "q"',
    },
    createdAt: '2024-05-06T07:08:09.000Z',
  });
  assert.deepEqual(counter, { type: 'counter', key: 'y.example/sale', clicks: 7 });
  const log =
    'click_time\tshorturl\treferrer\tuser_agent\tcountry_code\n2024-06-01 10:00:00\tsale\tdirect\tUA\tDE\n';
  assert.deepEqual(await readTable(log, rowsOf('yourls', 'clicks')), [
    {
      type: 'visit',
      key: '/sale',
      at: '2024-06-01T10:00:00.000Z',
      userAgent: 'UA',
      referrer: '',
      country: 'DE',
    },
  ]);
});

test('Polr: reads rows from its tables', async () => {
  const links =
    'id,short_url,long_url,clicks,secret_key,is_disabled,created_at\n1,a,https://e.com/1,3,,0,2024-05-06 07:08:09\n2,b,https://e.com/2,0,xyz,1,\\N\n';
  assert.deepEqual(await readTable(links, rowsOf('polr', 'links')), [
    {
      type: 'link',
      key: '1',
      domain: null,
      code: 'a',
      url: 'https://e.com/1',
      createdAt: '2024-05-06T07:08:09.000Z',
    },
    { type: 'counter', key: '1', clicks: 3 },
    { type: 'link', key: '2', domain: null, code: 'b/xyz', url: 'https://e.com/2', disabled: true },
    { type: 'counter', key: '2', clicks: 0 },
  ]);
  const clicks =
    'link_id,created_at,country,referer,referer_host,user_agent\n1,2024-06-01 10:00:00,DE,NULL,r.example,UA\n';
  assert.deepEqual(await readTable(clicks, rowsOf('polr', 'clicks')), [
    {
      type: 'visit',
      key: '1',
      at: '2024-06-01T10:00:00.000Z',
      userAgent: 'UA',
      referrer: 'r.example',
      country: 'DE',
    },
  ]);
});

test('Sink: reads links from its export, sampled clicks from its data set', async () => {
  const link = (at: number, more = {}) => ({
    id: `i${at}`,
    slug: `s${at}`,
    url: `https://e.com/${at}`,
    createdAt: 1_714_979_289,
    ...more,
  });
  const more = {
    ...{
      comment: 'C',
      title: 'T',
      expiration: 1_893_456_000,
      apple: 'https://e.com/ios',
      google: 'https://e.com/android',
    },
    ...{
      redirectWithQuery: true,
      unsafe: true,
      cloaking: true,
      password: 'pbkdf2$sha256$1$a$b',
      geo: { de: 'https://e.com/de' },
    },
  };
  const links = [link(0, more), link(1, { password: 'plain' }), ...many(110, (at) => link(at + 2))];
  const { lines } = await read('sink', sinkOf(links), { domain: 'k.example' });
  assert.deepEqual(
    keysOf(lines),
    many(112, (at) => `k.example/s${at}`),
  );
  assert.deepEqual(lines[0], {
    ...{
      type: 'link',
      key: 'k.example/s0',
      domain: 'k.example',
      code: 's0',
      url: 'https://e.com/0',
      title: 'T',
      description: 'C',
    },
    createdAt: '2024-05-06T07:08:09.000Z',
    expiresAt: '2030-01-01T00:00:00.000Z',
    disabled: true,
    forwardQuery: 'override',
    lost: ['password', 'cloaking', 'card'],
    rules: [
      { when: [{ fact: 'os', values: ['ios'] }], to: { url: 'https://e.com/ios' } },
      { when: [{ fact: 'os', values: ['android'] }], to: { url: 'https://e.com/android' } },
      { when: [{ fact: 'country', values: ['DE'] }], to: { url: 'https://e.com/de' } },
    ],
  });
  assert.equal(linksIn(lines)[1]?.password, 'plain');
  // Version 0.2 has a list endpoint instead, which returns null for a link that was just deleted.
  const older = (asked: Asked): Answer => {
    if (asked.path === '/api/link/export') return { status: 404 };
    assert.equal(asked.path, '/api/link/list');
    const from = Number(asked.query['cursor'] ?? 0);
    const rows = [null, ...links].slice(from, from + Number(asked.query['limit']));
    const isLast = from + rows.length > links.length;
    return { links: rows, list_complete: isLast, ...(!isLast && { cursor: String(from + rows.length) }) };
  };
  assert.deepEqual((await read('sink', older, { domain: 'k.example' })).lines, lines);
  const row = {
    timestamp: '2024-06-01 10:00:00',
    slug: 's0',
    sample_interval: '10',
    ua: 'UA',
    ip: '192.0.2.1',
    country: 'DE',
    os: 'iOS',
  };
  assert.deepEqual(await readTable(JSON.stringify(row), rowsOf('sink', 'clicks')), [
    {
      ...{
        type: 'visit',
        key: '/s0',
        at: '2024-06-01T10:00:00.000Z',
        clicks: 10,
        userAgent: 'UA',
        referrer: '',
      },
      country: 'DE',
      os: 'iOS',
    },
    { type: 'unused', where: 'rows', columns: ['ip'] },
  ]);
});

test('Umami: reads links from its API with the link host, and daily clicks', async () => {
  const links = many(130, (at) => ({
    ...{ id: `u${at}`, name: `N${at}`, slug: `s${at}`, url: `https://e.com/${at}` },
    ...{ createdAt: '2024-05-06T07:08:09.000Z', deletedAt: null },
  }));
  const umamiOf =
    (linksUrl?: string) =>
    ({ path, query }: Asked): Answer => {
      if (path === '/api/config') return { linksUrl };
      if (path.endsWith('/pageviews'))
        return path === '/api/websites/u0/pageviews' && query['unit'] === 'day'
          ? { pageviews: [{ x: '2024-06-01 00:00:00', y: '5' }], sessions: [] }
          : { pageviews: [], sessions: [] };
      assert.equal(path, '/api/links');
      const from = (Number(query['page']) - 1) * Number(query['pageSize']);
      return { data: links.slice(from, from + Number(query['pageSize'])), count: links.length };
    };
  const { lines } = await read('umami', umamiOf('https://go.example'), { zone: 'Europe/Berlin' });
  assert.equal(linksIn(lines).length, 130);
  const first = { type: 'link', key: 'u0', code: 's0', url: 'https://e.com/0', title: 'N0' };
  const createdAt = '2024-05-06T07:08:09.000Z';
  assert.deepEqual(lines.slice(0, 2), [
    { ...first, domain: 'go.example', createdAt },
    { type: 'bucket', key: 'u0', at: '2024-06-01T00:00:00.000Z', unit: 'day', clicks: 5 },
  ]);
  const plain = await read('umami', umamiOf(), { domain: 'u.example', withClicks: false });
  assert.deepEqual(plain.lines[0], { ...first, domain: 'u.example', createdAt, aliases: ['q/s0'] });
});

test('Chhoto URL: pages after the oldest link of the previous page', async () => {
  const links = many(2_100, (at) => ({
    shortlink: `c${at}`,
    longlink: `https://e.com/${at}`,
    hits: at,
    expiry_time: 0,
    notes: '',
  }));
  links.push({
    shortlink: 'last',
    longlink: 'https://e.com/',
    hits: 2,
    expiry_time: 1_893_456_000,
    notes: 'N',
  });
  const { lines, asked } = await read('chhoto-url', chhotoOf(links), { domain: 'c.example' });
  assert.equal(asked.length, 3);
  assert.deepEqual(new Set(keysOf(lines)), new Set(links.map(({ shortlink }) => `c.example/${shortlink}`)));
  assert.equal(linksIn(lines).length, 2_101);
  assert.deepEqual(
    linksIn(lines).find(({ key }) => key === 'c.example/last'),
    {
      ...{
        type: 'link',
        key: 'c.example/last',
        domain: 'c.example',
        code: 'last',
        url: 'https://e.com/',
        description: 'N',
      },
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
  );
});

test('Bitly: reads every group, a link with its codes, daily counts', async () => {
  const link = (id: string, more = {}) => ({
    ...{
      id,
      link: `https://${id}`,
      custom_bitlinks: [],
      long_url: 'https://e.com/',
      title: 'T',
      archived: false,
      tags: [],
    },
    created_at: '2024-05-06T07:08:09+0000',
    deeplinks: [],
    ...more,
  });
  const custom = ['https://go.example/Sale', 'https://go.example/sale-2', 'https://bit.ly/sale-3'];
  const whole = link('bit.ly/3abC', { custom_bitlinks: custom, tags: ['x'], archived: true });
  const days = [
    { date: '2024-06-02T00:00:00+0000', clicks: 0 },
    { date: '2024-06-01T00:00:00+0000', clicks: 5 },
  ];
  const groups = { One: [whole], Two: many(130, (at) => link(`bit.ly/k${at}`)) };
  const { lines } = await read('bitly', bitlyOf(groups, { 'bit.ly/3abC': days }));
  assert.equal(linksIn(lines).length, 131);
  assert.deepEqual(lines.slice(0, 3), [
    {
      ...{
        type: 'link',
        key: 'bit.ly/3abC',
        domain: 'go.example',
        code: 'Sale',
        aliases: ['sale-2'],
        tags: ['x'],
      },
      url: 'https://e.com/',
      title: 'T',
      createdAt: '2024-05-06T07:08:09.000Z',
      archived: true,
      lost: ['codes on other hosts'],
    },
    { type: 'bucket', key: 'bit.ly/3abC', at: '2024-06-01T00:00:00.000Z', unit: 'day', clicks: 5 },
    {
      ...{
        type: 'link',
        key: 'bit.ly/k0',
        domain: 'bit.ly',
        code: 'k0',
        url: 'https://e.com/',
        title: 'T',
        lost: ['host'],
      },
      createdAt: '2024-05-06T07:08:09.000Z',
    },
  ]);
  const one = await read('bitly', bitlyOf(groups), { workspace: 'One' });
  assert.equal(linksIn(one.lines).length, 1);
});

test('Short.io: reads every domain, limits and splits, totals and daily counts', async () => {
  const whole = {
    ...{
      idString: 'lnk_1',
      path: 'Sale',
      originalURL: 'https://e.com/',
      title: 'T',
      tags: ['x'],
      clicksLimit: 9,
      password: 'p4ss',
    },
    ...{
      createdAt: '2024-05-06T07:08:09.000Z',
      expiresAt: 1_893_456_000_000,
      expiredURL: 'https://e.com/over',
      archived: false,
    },
    ...{
      iphoneURL: 'https://e.com/ios',
      splitURL: 'https://e.com/b',
      splitPercent: 30,
      utmMedium: 'mail',
      cloaking: true,
    },
  };
  const days = [
    { x: '2024-06-01T00:00:00.000Z', y: '4' },
    { x: '2024-06-02T00:00:00.000Z', y: 0 },
  ];
  const others = many(200, (at) => ({ idString: `o${at}`, path: `o${at}`, originalURL: 'https://e.com/' }));
  const { lines } = await read(
    'short-io',
    shortIoOf({ 'a.example': [whole], 'b.example': others }, { lnk_1: days }),
  );
  assert.equal(linksIn(lines).filter(({ domain }) => domain === 'b.example').length, 200);
  assert.deepEqual(lines.slice(0, 3), [
    {
      ...{
        type: 'link',
        key: 'lnk_1',
        domain: 'a.example',
        code: 'Sale',
        url: 'https://e.com/',
        title: 'T',
        tags: ['x'],
      },
      ...{
        createdAt: '2024-05-06T07:08:09.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
        expiredUrl: 'https://e.com/over',
      },
      maxClicks: 9,
      clicksUsed: 4,
      password: 'p4ss',
      utm: { medium: 'mail' },
      lost: ['cloaking'],
      rules: [
        { when: [{ fact: 'os', values: ['ios'] }], to: { url: 'https://e.com/ios' } },
        {
          when: [],
          to: {
            split: [
              { url: 'https://e.com/b', weight: 30 },
              { url: 'https://e.com/', weight: 70 },
            ],
          },
        },
      ],
    },
    { type: 'counter', key: 'lnk_1', clicks: 4 },
    { type: 'bucket', key: 'lnk_1', at: '2024-06-01T00:00:00.000Z', unit: 'day', clicks: 4 },
  ]);
});

test('Rebrandly: pages after the last link, reads tags of each', async () => {
  const links = many(60, (at) => ({
    ...{
      id: `r${at}`,
      slashtag: `s${at}`,
      destination: 'https://e.com/',
      title: 'T',
      createdAt: '2024-05-06T07:08:09.000Z',
    },
    clicks: 3,
    status: at === 0 ? 'inactive' : 'active',
    domain: { id: 'd', fullName: 'r.example' },
  }));
  const { lines } = await read(
    'rebrandly',
    rebrandlyOf(links, { r0: [{ id: 't', name: 'x', color: 'red' }] }),
  );
  assert.deepEqual(
    keysOf(lines),
    many(60, (at) => `r${at}`),
  );
  assert.deepEqual(lines.slice(0, 2), [
    {
      ...{
        type: 'link',
        key: 'r0',
        domain: 'r.example',
        code: 's0',
        url: 'https://e.com/',
        title: 'T',
        tags: ['x'],
      },
      createdAt: '2024-05-06T07:08:09.000Z',
      disabled: true,
    },
    { type: 'counter', key: 'r0', clicks: 3 },
  ]);
});

describe('spreadsheets', () => {
  const guessed = (columns: readonly string[]): ParseRow => tableRow(mappingOf(columns, {}));

  test('guesses columns by their names, or takes a given mapping', async () => {
    const text =
      '\ufeffShort Link;Long URL;Clicks;Date created;Tags\r\nhttps://s.example/A%20b;https://e.com/1;5;2024-05-06;"x, y"\r\n';
    assert.deepEqual(await readTable(text, guessed), [
      {
        type: 'link',
        key: 's.example/A b',
        domain: 's.example',
        code: 'A b',
        url: 'https://e.com/1',
        tags: ['x', 'y'],
        createdAt: '2024-05-06T00:00:00.000Z',
      },
      { type: 'counter', key: 's.example/A b', clicks: 5 },
    ]);
    const columns = ['Back half', 'url', 'Note', 'Title'];
    assert.throws(() => mappingOf(columns.slice(1), {}), /No column found for code. Use --column code=NAME/);
    assert.throws(() => mappingOf(['code'], {}), /No column found for url/);
    assert.throws(() => mappingOf(columns, { title: 'Titel' }), /Column "Titel" not found\..*Back half, url/);
    assert.deepEqual(mappingOf([...columns, 'code'], { title: 'Note', code: 'Back half' }), {
      code: ['Back half'],
      title: ['Note'],
      url: ['url'],
    });
  });

  test('reads rows with missing cells, stray quotes or another encoding; reports a row without a code', async () => {
    const bytes = Buffer.concat([
      Buffer.from('code,url,title\na,https://e.com/a,"two\r\nlines"\nb,https://e.com/b\n"never closed,x,y\n'),
      Buffer.from('c,https://e.com/c,caf\xe9\n', 'latin1'),
      Buffer.from('d,https://e.com/d,"q"uote\n\n,https://e.com/e,\n__proto__,https://e.com/f,x'),
    ]);
    const lines = await readTable(bytes, guessed);
    assert.deepEqual(
      lines.map((line) =>
        'reason' in line ? `${line.where}: ${line.reason}` : 'code' in line && [line.code, line.title],
      ),
      [
        ['a', 'two\r\nlines'],
        ['b', undefined],
        ['"never closed', 'y'],
        ['c', 'café'],
        ['d', '"q"uote'],
        'rows line 9: the code is missing',
        ['__proto__', 'x'],
      ],
    );
  });

  test('reports lines that are not JSON, too long or truncated', async () => {
    const long = await readTable(`{${'['.repeat(3_000_000)}\n{"code":"a","url":"https://e.com/"}`, guessed);
    assert.deepEqual(
      long.map(({ type }) => type),
      ['problem', 'link'],
    );
    const text = `{"code":"a","url":"https://e.com/"}\n{"code":\n[]\n7\n{"code":"b","url":"${'x'.repeat(1_000_001)}"}\n{"code":"c","url":"${'x'.repeat(70_000)}"}\n{"code":"d","url":"https://e.com/"}`;
    const lines = await readTable(text, guessed);
    assert.deepEqual(keysOf(lines), ['/a', '/d']);
    assert.deepEqual(
      lines.flatMap((line) => (line.type === 'problem' ? [line.where] : [])),
      [2, 3, 4, 5, 6].map((line) => `rows line ${line}`),
    );
  });
});

test('survives random values anywhere and returns only what the format allows', async () => {
  const odd = [
    undefined,
    null,
    '',
    '\u0000',
    '\ud800',
    -1,
    1e99,
    {},
    [],
    [[]],
    [null],
    { a: { b: {} } },
    'x'.repeat(40_000),
    true,
    '9'.repeat(30),
  ];
  const pages: Record<string, Record<string, unknown>> = {
    dub: {
      id: 'i',
      domain: 'd',
      key: 'k',
      url: 'u',
      tags: [],
      geo: {},
      testVariants: [],
      createdAt: 1,
      clicks: 1,
    },
    shlink: {
      shortCode: 'a',
      shortUrl: 'https://s.example/a',
      longUrl: 'u',
      meta: {},
      visitsSummary: {},
      tags: [],
      hasRedirectRules: true,
    },
    kutt: { id: 1, address: 'a', target: 't', created_at: 1, visit_count: 1, domain: 'd' },
    yourls: { shorturl: 'https://y.example/a', url: 'u', title: 't', timestamp: 1, clicks: 1 },
    sink: { slug: 's', url: 'u', expiration: 1, geo: {}, tags: [], password: 'p' },
    'chhoto-url': { shortlink: 's', longlink: 'u', hits: 1, expiry_time: 1 },
    bitly: { id: 'bit.ly/a', long_url: 'u', custom_bitlinks: [], tags: [], deeplinks: [], created_at: 1 },
    'short-io': { idString: 'l', path: 'a', originalURL: 'u', splitURL: 'x', splitPercent: 1, tags: [] },
    rebrandly: { id: 'r', slashtag: 's', destination: 'd', domain: {}, clicks: 1 },
  };
  const good = {
    shortlink: 'good',
    longlink: 'u',
    id: 'bit.ly/good',
    long_url: 'u',
    slug: 'good',
    url: 'u',
    key: 'good',
  };
  const last = {
    ...{
      ...good,
      shortCode: 'good',
      longUrl: 'u',
      address: 'good',
      target: 'u',
      shorturl: 'https://y.example/good',
    },
    ...{
      idString: 'good',
      path: 'good',
      originalURL: 'u',
      slashtag: 'good',
      destination: 'u',
      shortUrl: 'https://s.example/good',
    },
  };
  for (const [source, row] of Object.entries(pages)) {
    const rows: Record<string, unknown>[] = [];
    for (const name of Object.keys(row)) for (const value of odd) rows.push({ ...row, [name]: value });
    rows.push(last);
    const ruled = { redirectRules: [{ longUrl: 'u', priority: 1, conditions: [null] }] };
    const play: Record<string, (asked: Asked) => Answer> = {
      dub: ({ path, query }) => (path === '/links' ? (query['startingAfter'] ? [] : rows) : odd) as Answer,
      shlink: ({ path }) =>
        path.endsWith('short-urls')
          ? { shortUrls: { data: rows, pagination: { totalItems: 0 } } }
          : path.endsWith('rules')
            ? ruled
            : { visits: { data: odd } },
      kutt: ({ query }) => ({ data: query['skip'] === '0' ? rows : [] }),
      yourls: ({ form }) => ({ links: form['start'] === '0' ? rows : [] }),
      sink: () => ({ links: rows, list_complete: true }),
      'chhoto-url': () => rows,
      bitly: ({ path }) =>
        path === '/v4/groups'
          ? { groups: [{ guid: 'g' }] }
          : path.endsWith('/clicks')
            ? { link_clicks: odd }
            : { links: rows },
      'short-io': ({ path }) =>
        path === '/api/domains'
          ? [{ id: 1, hostname: 'h' }]
          : path === '/api/links'
            ? { links: rows }
            : { clickStatistics: { datasets: odd } },
      rebrandly: ({ path, query }) => (path === '/v1/links' ? (query['last'] ? [] : rows) : (odd as Answer)),
    };
    const { lines } = await read(source, play[source] ?? assert.fail(source));
    assert.ok(
      linksIn(lines).some(({ code }) => code === 'good'),
      source,
    );
    assert.ok(
      lines.some(({ type }) => type === 'problem'),
      source,
    );
  }
});
