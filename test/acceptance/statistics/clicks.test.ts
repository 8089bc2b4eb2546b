import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { type Api, makeFolder, makeLink, makeTag } from '../../support/server/records.ts';
import { as } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';
import { words } from '../../support/words.ts';

// Follows links to create clicks, and then reads the individual clicks from the API page by page.

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const formula = '=HYPERLINK("http://evil.example","a, b")';

/**
 * Returns the click with number `at`. Clicks alternate between two links. Every third is by a bot, every fifth is a
 * scan, and every second one has a campaign.
 */
function visitOf(at: number) {
  const [isBot, isScan, isOfCampaign] = [at % 3 === 2, at % 5 === 0, at % 2 === 0];
  const query = new URLSearchParams({
    ...(isScan && { trigger: 'qr' }),
    ...(isOfCampaign && { utm_source: 'letter', utm_campaign: formula }),
  });
  return {
    link: at % 2,
    path: `?${query}`,
    headers: {
      'user-agent': isBot ? bot : phone,
      'accept-language': 'de-AT',
      'x-country': 'DE',
      ...(at % 4 === 1 && { referer: 'https://www.google.com/search?q=x' }),
    },
    said: {
      class: isBot ? 'bot' : 'human',
      trigger: isScan ? 'qr' : 'link',
      country: 'DE',
      region: '',
      ...(!isBot && { browser: 'safari', os: 'ios', device: 'mobile' }),
      language: 'de',
      ...(at % 4 === 1
        ? { referrer: 'google.com', referrerKind: 'search' }
        : { referrer: '', referrerKind: '' }),
      utmSource: isOfCampaign ? 'letter' : '',
      utmMedium: '',
      utmCampaign: isOfCampaign ? formula : '',
      utmTerm: '',
      utmContent: '',
      rule: '',
      variant: '',
      network: '',
      utmFrom: '',
      domain: '',
      imported: '',
    },
  };
}

const visits = Array.from({ length: 30 }, (_, at) => visitOf(at));
const keys = words(`
  time linkId shortCode folderId class trigger country region browser os device language referrer referrerKind
  utmSource utmMedium utmCampaign utmTerm utmContent rule variant network utmFrom domain imported
`);
type Click = Readonly<Record<string, string>>;

/** Returns a click as a string to compare. Browser values of bots are left out. */
function lineOf(click: Click): string {
  const { time: _, browser, os, device, ...rest } = click;
  const ofPerson = click['class'] === 'human' ? [browser, os, device] : [];
  return JSON.stringify([...Object.entries(rest).toSorted(), ...ofPerson]);
}

describe('individual clicks', () => {
  let server: SharedServer;
  let api: Api;
  let stranger: Api;
  let folder: string;
  let tag: string;
  const codes = ['clicks-0', 'clicks-1'];
  const links: string[] = [];
  let foreign: string;

  const get = async (path: string) => {
    const { status, json, text } = await api.get(`/api/v1${path}`);
    assert.equal(status, 200, text);
    return json;
  };

  /** Returns every click in a list, and the number of clicks on each page. */
  const walk = async (path: string, limit: number) => {
    const clicks: Click[] = [];
    const lengths: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const and = path.includes('?') ? '&' : '?';
      const page = await get(`${path}${and}limit=${limit}&cursor=${cursor}`);
      clicks.push(...page.data);
      lengths.push(page.data.length);
      ({ nextCursor: cursor } = page.pagination);
    }
    return { clicks, lengths };
  };

  const expected = (isWanted: (visit: ReturnType<typeof visitOf>) => boolean): string[] =>
    visits
      .filter(isWanted)
      .map(({ link, said }) =>
        lineOf({
          linkId: links[link] ?? '',
          shortCode: codes[link] ?? '',
          folderId: link === 0 ? folder : '',
          ...said,
        }),
      )
      .toSorted();

  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
    stranger = as(server, (await server.newKey()).key);
    folder = await makeFolder(api);
    tag = await makeTag(api);
    const [{ name }] = (await get('/tags')).data;
    links.push(await makeLink(api, { customCode: codes[0], folderId: folder, tags: [name] }));
    links.push(await makeLink(api, { customCode: codes[1] }));
    foreign = await makeLink(stranger, { customCode: 'clicks-foreign' });
    await ask(server, { path: '/clicks-foreign' });
    for (const { link, path, headers } of visits)
      assert.equal((await ask(server, { path: `/${codes[link]}${path}`, headers })).status, 302);
    await until('every click is there', async () => (await get('/clicks')).data.length === visits.length);
  });

  test('show all dimensions, nothing that identifies a visitor; newest first', async () => {
    const { data, pagination } = await get('/clicks');
    assert.deepEqual(
      data.map(lineOf).toSorted(),
      expected(() => true),
    );
    assert.deepEqual(pagination, { limit: 100, nextCursor: null });
    for (const click of data) {
      assert.deepEqual(Object.keys(click), keys);
      assert.match(click.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
      assert.ok(Math.abs(Date.parse(click.time) - Date.now()) < 600_000);
    }
    const times = data.map(({ time }: Click) => time);
    assert.deepEqual(times, times.toSorted().toReversed());
  });

  test('appear once, page by page, whatever the page size', async () => {
    for (const limit of [1, 7, 15, 30]) {
      const { clicks, lengths } = await walk('/clicks', limit);
      assert.deepEqual(
        clicks.map(lineOf).toSorted(),
        expected(() => true),
      );
      assert.deepEqual(new Set(lengths.slice(0, -1)), new Set(limit < 30 ? [limit] : []));
    }
  });

  test('filter by link, folder, tag, class, dimension and range', async () => {
    const campaign = encodeURIComponent(`utmCampaign:is:${encodeURIComponent(formula)}`);
    const lists: readonly (readonly [string, (visit: ReturnType<typeof visitOf>) => boolean])[] = [
      [`/links/${links[1]}/clicks`, ({ link }) => link === 1],
      [
        `/links/${links[0]?.toUpperCase()}/clicks?class=human`,
        ({ link, said }) => link === 0 && said.class === 'human',
      ],
      [`/clicks?linkId=${links[1]}`, ({ link }) => link === 1],
      [`/clicks?folderId=${folder}`, ({ link }) => link === 0],
      [`/clicks?tagId=${tag}`, ({ link }) => link === 0],
      ['/clicks?class=bot,preview', ({ said }) => said.class === 'bot'],
      [
        '/clicks?filter=trigger:is:qr&filter=referrerKind:is:search',
        ({ said }) => said.trigger === 'qr' && said.referrer !== '',
      ],
      [`/clicks?filter=${campaign}`, ({ said }) => said.utmCampaign !== ''],
      ['/clicks?filter=folder:is:', ({ link }) => link === 1],
      [`/clicks?filter=link:is:${foreign}`, () => false],
      ['/clicks?from=2020-01-01&to=2020-02-01', () => false],
    ];
    for (const [path, isWanted] of lists) {
      const { clicks } = await walk(path, 4);
      assert.deepEqual(clicks.map(lineOf).toSorted(), expected(isWanted), path);
    }
  });

  test('are hidden from other accounts, and a cursor works in its own list only', async () => {
    for (const path of [`/links/${foreign}/clicks`, `/clicks?linkId=${foreign}`, '/links/none/clicks'])
      assert.deepEqual((await api.get(`/api/v1${path}`)).json.error.code, 'LINK_NOT_FOUND');
    const theirs = (await stranger.get('/api/v1/clicks')).json;
    assert.deepEqual(
      theirs.data.map(({ linkId }: Click) => linkId),
      [foreign],
    );
    const { nextCursor } = (await get('/clicks?limit=1')).pagination;
    for (const [client, path] of [
      [api, `/clicks?class=human&cursor=${nextCursor}`],
      [api, `/links/${links[0]}/clicks?cursor=${nextCursor}`],
      [stranger, `/clicks?cursor=${nextCursor}`],
    ] as const) {
      const { status, json } = await client.get(`/api/v1${path}`);
      assert.deepEqual([status, json.error.details[0].reason], [400, 'not_allowed'], path);
    }
  });

  for (const [query, field] of [
    ['cursor=nonsense', 'cursor'],
    ['cursor=%00', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['from=yesterday', 'from'],
    ['timezone=Mars', 'timezone'],
    ['filter=colour:is:red', 'filter'],
    ['class=people', 'class'],
    ['linkId=a&tagId=b', 'tagId'],
  ] as const)
    test(`reject ${query}`, async () => {
      const { status, json } = await api.get(`/api/v1/clicks?${query}`);
      assert.deepEqual([status, json.error.code], [400, 'VALIDATION_ERROR']);
      assert.equal(json.error.details[0].field, field);
    });
});
