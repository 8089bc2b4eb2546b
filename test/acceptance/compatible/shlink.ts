import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sdk from '@shlinkio/shlink-js-sdk';
import * as http from '@shlinkio/shlink-js-sdk/fetch';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: the types are written for another module system
type Body = any;
const { ShlinkApiClient } = sdk as Body;
const { FetchHttpClient } = http as Body;

export function shlinkTests(server: () => Server): void {
  const client = (apiKey: string) =>
    new ShlinkApiClient(new FetchHttpClient(fetch), { baseUrl: server().url, apiKey });
  const account = async () => {
    const { key } = await server().newKey();
    return {
      key,
      api: as(server(), key),
      shlink: client(key),
      page: () => `https://example.com/${freshCode()}`,
    };
  };
  const refusal = async (asked: Promise<unknown>) => {
    const problem = await asked.then(
      () => assert.fail('it was not refused'),
      (error: Record<string, unknown>) => error,
    );
    return [problem['status'], String(problem['type']).split('/').at(-1)];
  };

  test('its SDK creates, reads, lists, edits and deletes short URLs', async () => {
    const { shlink, page } = await account();
    const [longUrl, customSlug] = [page(), freshCode()];
    assert.deepEqual((await shlink.health()).status, 'pass');
    const created = await shlink.createShortUrl({
      ...{ longUrl, customSlug, title: 'Fish', tags: ['shop', 'spring'], maxVisits: 9, forwardQuery: true },
      ...{ validSince: '2020-01-01T00:00:00+00:00', validUntil: '2090-01-01T00:00:00+00:00' },
    });
    assert.deepEqual(
      { ...created, dateCreated: '' },
      {
        ...{ shortCode: customSlug, shortUrl: `${server().url}/${customSlug}`, longUrl, dateCreated: '' },
        ...{ tags: ['shop', 'spring'], title: 'Fish', domain: null, crawlable: false, forwardQuery: true },
        ...{ hasRedirectRules: false, visitsCount: 0, visitsSummary: { total: 0, nonBots: 0, bots: 0 } },
        meta: {
          ...{ validSince: '2020-01-01T00:00:00+00:00', validUntil: '2090-01-01T00:00:00+00:00' },
          maxVisits: 9,
        },
      },
    );
    assert.match(created.dateCreated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.equal((await shlink.createShortUrl({ longUrl, findIfExists: true })).shortCode, customSlug);
    const drawn = await shlink.createShortUrl({ longUrl: page(), shortCodeLength: 6 });
    assert.equal(drawn.shortCode.length, 6);
    const edited = await shlink.updateShortUrl(
      { shortCode: customSlug },
      { longUrl: page(), title: null, tags: ['shop'], maxVisits: null, forwardQuery: false },
    );
    assert.notEqual(edited.longUrl, longUrl);
    assert.deepEqual(
      [edited.title, edited.tags, edited.meta.maxVisits, edited.meta.validSince, edited.forwardQuery],
      [null, ['shop'], null, '2020-01-01T00:00:00+00:00', false],
    );
    assert.deepEqual(await shlink.getShortUrl({ shortCode: customSlug }), edited);
    await shlink.deleteShortUrl({ shortCode: customSlug });
    assert.deepEqual(await refusal(shlink.getShortUrl({ shortCode: customSlug })), [
      404,
      'short-url-not-found',
    ]);
  });

  test('lists can be paged, filtered and sorted', async () => {
    const { shlink, api, page } = await account();
    const codes = Array.from({ length: 5 }, freshCode);
    for (const [at, customCode] of codes.entries())
      await makeLink(api, {
        url: page(),
        customCode,
        title: `Number${at}`,
        tags: at % 2 === 0 ? ['even'] : ['odd'],
      });
    const newest = codes.toReversed();
    const list = async (asked: object) =>
      (await shlink.listShortUrls(asked)).data.map(({ shortCode }: Body) => shortCode);
    assert.deepEqual(await list({}), newest);
    assert.deepEqual(await list({ itemsPerPage: 1_000 }), newest);
    const second = await shlink.listShortUrls({ page: '2', itemsPerPage: 2 });
    assert.deepEqual(
      second.data.map(({ shortCode }: Body) => shortCode),
      newest.slice(2, 4),
    );
    const { currentPage, pagesCount, totalItems } = second.pagination;
    assert.deepEqual([currentPage, pagesCount, totalItems], [2, 3, 5]);
    assert.deepEqual(
      await list({ tags: ['odd'] }),
      newest.filter((_, at) => at % 2 === 1),
    );
    assert.deepEqual(await list({ tags: ['odd', 'even'], tagsMode: 'all' }), []);
    assert.deepEqual(await list({ orderBy: { field: 'title', dir: 'ASC' } }), codes);
    assert.deepEqual(await list({ searchTerm: 'number3' }), [codes[3]]);
    assert.deepEqual(await list({ domain: 'DEFAULT', itemsPerPage: 500 }), newest);
    assert.deepEqual(await list({ endDate: '2020-01-01T00:00:00+00:00' }), []);
    const wrong = shlink.listShortUrls({ orderBy: { field: 'longUrl', dir: 'ASC' } });
    assert.deepEqual(await refusal(wrong), [400, 'invalid-data']);
  });

  test('returns visits by link, by tag, by domain and in total, with humans and bots separate', async () => {
    const { shlink, api, page } = await account();
    const shortCode = freshCode();
    await makeLink(api, { url: page(), customCode: shortCode, tags: ['shop'] });
    const visit = (agent: string) =>
      call(server(), 'GET', `/${shortCode}`, {
        headers: { 'user-agent': agent, referer: 'https://news.example/' },
      });
    await visit('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
    await visit('Googlebot/2.1 (+http://www.google.com/bot.html)');
    const summary = { total: 2, nonBots: 1, bots: 1 };
    await until('statistics have both visits', async () => {
      const { visitsSummary } = await shlink.getShortUrl({ shortCode });
      return visitsSummary.bots === 1 && visitsSummary.total === 2;
    });
    const { data, pagination } = await shlink.getShortUrlVisits({ shortCode });
    assert.equal(pagination.totalItems, 2);
    assert.deepEqual(data.map(({ potentialBot }: Body) => potentialBot).toSorted(), [false, true]);
    const [person] = data.filter(({ potentialBot }: Body) => !potentialBot);
    assert.deepEqual([person?.referer, person?.userAgent], ['news.example', 'firefox; linux']);
    const one = await shlink.getShortUrlVisits({ shortCode }, { page: 2, itemsPerPage: 1 });
    assert.deepEqual(one.data, data.slice(1));
    assert.deepEqual((await shlink.getShortUrlVisits({ shortCode }, { excludeBots: true })).data, [person]);
    assert.deepEqual((await shlink.getVisitsOverview()).nonOrphanVisits, summary);
    for (const same of [
      shlink.getTagVisits('shop'),
      shlink.getNonOrphanVisits(),
      shlink.getDomainVisits('DEFAULT'),
    ])
      assert.deepEqual((await same).data, data);
    assert.deepEqual((await shlink.getOrphanVisits()).data, []);
    assert.deepEqual((await shlink.listShortUrls()).data[0]?.visitsSummary, summary);
    assert.deepEqual((await shlink.tagsStats()).data, [
      { tag: 'shop', shortUrlsCount: 1, visitsSummary: summary },
    ]);
    const early = { startDate: '2020-01-01T00:00:00+00:00', endDate: '2020-02-01T00:00:00+00:00' };
    assert.deepEqual((await shlink.getShortUrlVisits({ shortCode }, early)).data, []);
  });

  test('lists tags and domains, reads rules, and rejects unsupported calls', async () => {
    const { key, shlink, api, page } = await account();
    const shortCode = freshCode();
    const rules = [
      { when: [{ fact: 'language', values: ['de'] }], to: { url: 'https://example.com/de' } },
      { when: [{ fact: 'class', values: ['bot'] }], to: { gone: true } },
    ];
    const url = page();
    await makeLink(api, { url, customCode: shortCode, tags: ['one', 'two'], rules });
    await shlink.editTag({ oldName: 'one', newName: 'three' });
    assert.deepEqual((await shlink.listTags()).data.toSorted(), ['three', 'two']);
    assert.deepEqual(await refusal(shlink.editTag({ oldName: 'none', newName: 'x' })), [
      404,
      'tag-not-found',
    ]);
    assert.deepEqual(await refusal(shlink.editTag({ oldName: 'two', newName: 'three' })), [
      409,
      'tag-conflict',
    ]);
    await shlink.deleteTags(['three', 'two']);
    assert.deepEqual((await shlink.listTags()).data, []);
    const { data } = await shlink.listDomains();
    assert.deepEqual(
      data.map(({ domain, isDefault }: Body) => [domain, isDefault]),
      [['127.0.0.1', true]],
    );
    assert.deepEqual(await shlink.getShortUrlRedirectRules({ shortCode }), {
      defaultLongUrl: url,
      redirectRules: [
        {
          conditions: [{ type: 'language', matchKey: null, matchValue: 'de' }],
          longUrl: 'https://example.com/de',
          priority: 1,
        },
      ],
    });
    for (const asked of [
      () => shlink.mercureInfo(),
      () => shlink.setShortUrlRedirectRules({ shortCode }, { redirectRules: [] }),
      () => shlink.deleteShortUrlVisits({ shortCode }),
    ])
      assert.equal((await refusal(asked()))[0], 501);
    const { status, json, headers } = await call(server(), 'GET', '/rest/v3/nothing', {
      headers: { 'x-api-key': key },
    });
    assert.deepEqual(
      [status, json ?? headers.get('content-type')],
      [404, 'application/problem+json; charset=utf-8'],
    );
    const old = await call(server(), 'GET', '/rest/v2/short-urls/nothing', { headers: { 'x-api-key': key } });
    assert.equal(JSON.parse(old.text).type, 'INVALID_SHORTCODE');
  });

  test("errors have Shlink's types, and another account finds nothing", async () => {
    const { shlink, page } = await account();
    const shortCode = freshCode();
    await shlink.createShortUrl({ longUrl: page(), customSlug: shortCode });
    assert.deepEqual(await refusal(shlink.createShortUrl({ longUrl: page(), customSlug: shortCode })), [
      400,
      'non-unique-slug',
    ]);
    assert.deepEqual(await refusal(shlink.createShortUrl({ longUrl: 'mailto:x' })), [400, 'invalid-data']);
    assert.deepEqual(await refusal(client('no-key').listTags()), [401, 'invalid-api-key']);
    assert.deepEqual(await refusal(client('').listTags()), [401, 'missing-authentication']);
    const reader = client((await server().newKey({ scopes: 'links:read' })).key);
    assert.deepEqual(await refusal(reader.createShortUrl({ longUrl: page() })), [403, 'insufficient-scope']);
    const stranger = (await account()).shlink;
    for (const asked of [
      () => stranger.getShortUrl({ shortCode }),
      () => stranger.updateShortUrl({ shortCode }, { title: 'Mine' }),
      () => stranger.deleteShortUrl({ shortCode }),
      () => stranger.getShortUrlVisits({ shortCode }),
    ])
      assert.deepEqual(await refusal(asked()), [404, 'short-url-not-found']);
    assert.equal((await shlink.getShortUrl({ shortCode })).title, null);
  });
}
