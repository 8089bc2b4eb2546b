import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
type Body = any;
const { default: Kutt } = createRequire(import.meta.url)('kutt') as Body;

export function kuttTests(server: () => Server): void {
  const program = (key: string) => new Kutt().set('api', `${server().url}/api/v2`).set('key', key);
  const account = async (options = {}) => {
    const { key } = await server().newKey(options);
    const api = as(server(), key);
    return {
      key,
      api,
      kutt: program(key),
      links: program(key).links(),
      page: () => `https://example.com/${freshCode()}`,
    };
  };
  const refusal = (asked: Promise<unknown>): Promise<[number, string]> =>
    asked.then(
      () => assert.fail('it was not refused'),
      (error: Body) => [error.cause.status, error.message],
    );

  test('its client creates, lists, edits and deletes links', async () => {
    const { links, page } = await account();
    const [target, customurl] = [page(), freshCode()];
    const created = await links.create({
      target,
      customurl,
      description: 'Fish',
      expire_in: '2 hours',
      password: 'secret',
    });
    const { address, link, visit_count, banned, password, description, domain } = created;
    assert.deepEqual(
      { address, link, target: created.target, visit_count, banned, password, description, domain },
      {
        ...{ address: customurl, link: `${server().url}/${customurl}`, target, visit_count: 0 },
        ...{ banned: false, password: true, description: 'Fish', domain: null },
      },
    );
    const hours = (new Date(created.expire_in).getTime() - Date.now()) / 3_600_000;
    assert.ok(hours > 1.8 && hours < 2.2, String(created.expire_in));
    const plain = page();
    const first = await links.create({ target: plain });
    assert.equal((await links.create({ target: plain, reuse: true })).id, first.id);
    assert.notEqual((await links.create({ target: plain })).id, first.id);
    const { data, total, limit, skip } = await links.list({ limit: 2, skip: 1 });
    assert.deepEqual([data.map(({ id }: Body) => id), total, limit, skip], [[first.id, created.id], 3, 2, 1]);
    const moved = freshCode();
    const changed = await links.update(created.id, { target: page(), address: moved, description: 'Chips' });
    assert.deepEqual(
      [changed.address, changed.description, changed.target === target],
      [moved, 'Chips', false],
    );
    assert.match(await links.remove(created.id), /deleted/);
    assert.equal((await links.list()).total, 2);
    assert.deepEqual((await refusal(links.remove(created.id)))[0], 404);
  });

  test('returns statistics for the four periods, the health and the user', async () => {
    const { key, api, kutt, page } = await account();
    const customCode = freshCode();
    const id = await makeLink(api, { url: page(), customCode });
    await call(server(), 'GET', `/${customCode}`, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
    let told: Body;
    await until('the statistics have the visit', async () => {
      told = (await call(server(), 'GET', `/api/v2/links/${id}/stats`, { headers: { 'x-api-key': key } }))
        .json;
      return told.lastDay.total === 1 && told.lastDay.stats.browser.length === 1;
    });
    const buckets = Object.fromEntries(
      ['lastDay', 'lastWeek', 'lastMonth', 'lastYear'].map((name) => [name, told[name].views.length]),
    );
    assert.deepEqual(buckets, { lastDay: 24, lastWeek: 7, lastMonth: 30, lastYear: 12 });
    assert.equal(told.lastYear.views.at(-1), 1);
    assert.deepEqual(told.lastDay.stats.browser, [{ name: 'firefox', value: 1 }]);
    assert.deepEqual(told.lastDay.stats.referrer, [{ name: 'direct', value: 1 }]);
    assert.equal((await kutt.users().info()).domains.length, 0);
    assert.equal((await call(server(), 'GET', '/api/v2/health')).text, 'OK');
  });

  test('errors state the problem, and another account finds nothing', async () => {
    const { api, links, page } = await account();
    const customurl = freshCode();
    const { id } = await links.create({ target: page(), customurl });
    assert.match((await refusal(links.create({ target: page(), customurl }))).join(' '), /^400 .*taken/i);
    assert.match(
      (await refusal(links.create({ target: page(), expire_in: 'soon' }))).join(' '),
      /^400 .*expire_in/,
    );
    assert.equal((await refusal(links.create({ target: 'mailto:x' })))[0], 400);
    assert.equal((await refusal(program('no-key').links().list()))[0], 401);
    const reader = (await account({ scopes: 'links:read' })).links;
    assert.match((await refusal(reader.create({ target: page() }))).join(' '), /^403 .*links:write/);
    const stranger = (await account()).links;
    for (const asked of [() => stranger.remove(id), () => stranger.update(id, { description: 'Mine' })])
      assert.equal((await refusal(asked()))[0], 404);
    assert.equal((await stranger.list()).total, 0);
    assert.equal((await api.get(`/api/v1/links/${id}?include=description`)).json.data.description, null);
    const nothing = await call(server(), 'GET', '/api/v2/nothing');
    assert.deepEqual([nothing.status, typeof nothing.json.error], [404, 'string']);
  });
}
