import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
type Body = any;
const require = createRequire(import.meta.url);
const { BitlyClient } = require('bitly') as Body;
const axios = createRequire(require.resolve('bitly'))('axios') as Body;

/** The client supports HTTPS only, so the tests redirect its requests for this host to the server. */
const host = 'short.example';

export function bitlyTests(server: () => Server): void {
  axios.interceptors.request.use((asked: { url: string }) => ({
    ...asked,
    url: asked.url.replace(`https://${host}`, server().url),
  }));

  const account = async (options = {}) => {
    const { key } = await server().newKey(options);
    const headers = { authorization: `Bearer ${key}` };
    return {
      client: new BitlyClient(key, { apiUrl: host }),
      api: as(server(), key),
      v4: (method: string, path: string, body?: object) =>
        call(server(), method, `/v4${path}`, { headers, ...(body && { body }) }),
      page: () => `https://example.com/${freshCode()}`,
    };
  };
  const idOf = (code: string) => `${server().url.replace('http://', '')}/${code}`;
  const refusal = (asked: Promise<unknown>): Promise<Body> =>
    asked.then(
      () => assert.fail('it was not refused'),
      (error: unknown) => error,
    );

  test('its client shortens, reads, expands and counts', async () => {
    const { client, page } = await account();
    const url = page();
    const created = await client.shorten(url);
    assert.deepEqual(
      [created.long_url, created.link, created.id, created.archived, created.tags, created.custom_bitlinks],
      [url, `http://${created.id}`, created.id, false, [], []],
    );
    assert.match(created.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    assert.equal((await client.shorten(url)).id, created.id);
    const code = created.id.split('/')[1];
    assert.equal((await call(server(), 'GET', `/${code}`)).headers.get('location'), url);
    // The client prepends `bit.ly` to anything that looks like a code.
    for (const item of [created.id, code, created.link])
      assert.equal((await client.getBitlink(item)).long_url, url, item);
    assert.deepEqual(await client.expand(created.id), {
      ...{ id: created.id, link: created.link, long_url: url, created_at: created.created_at },
    });
    let days: Body;
    await until('the click is counted', async () => {
      days = await client.clicks(created.id);
      return days.link_clicks.length > 0;
    });
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00+0000`;
    assert.deepEqual([days.unit, days.units, days.link_clicks], ['day', -1, [{ date: today, clicks: 1 }]]);
    assert.equal((await client.clicks(created.id, 'hour', 3)).link_clicks.length, 3);
    assert.deepEqual((await client.referrers(created.id)).metrics, [{ value: 'direct', clicks: 1 }]);
    const { facet, metrics } = await client.countries(created.id);
    assert.deepEqual([facet, metrics], ['countries', [{ value: '', clicks: 1 }]]);
  });

  test('links can be created, edited, listed and deleted', async () => {
    const { v4, api, page } = await account();
    const [long_url, keyword, other] = [page(), freshCode(), freshCode()];
    const made = await v4('POST', '/bitlinks', { long_url, keyword, title: 'Fish', tags: ['a', 'b'] });
    assert.deepEqual(
      [made.status, made.json.id, made.json.title, made.json.tags],
      [201, idOf(keyword), 'Fish', ['a', 'b']],
    );
    const custom = { custom_bitlink: idOf(other), bitlink_id: idOf(keyword) };
    const added = (await v4('POST', '/custom_bitlinks', custom)).json;
    assert.deepEqual(added.bitlink.custom_bitlinks, [added.custom_bitlink]);
    const target = page();
    const edited = await v4('PATCH', `/bitlinks/${idOf(other)}`, { title: 'Chips', long_url: target });
    assert.deepEqual(
      [edited.json.id, edited.json.title, edited.json.long_url],
      [idOf(keyword), 'Chips', target],
    );
    for (const _ of [1, 2]) await makeLink(api, { url: page() });
    const [{ guid }] = (await v4('GET', '/groups')).json.groups;
    const first = (await v4('GET', `/groups/${guid}/bitlinks?size=2`)).json;
    const more = `search_after=${encodeURIComponent(first.pagination.search_after)}`;
    const second = (await v4('GET', `/groups/${guid}/bitlinks?size=2&${more}`)).json;
    assert.deepEqual(
      [first.links.length, second.links.map(({ id }: Body) => id), second.pagination.search_after],
      [2, [idOf(keyword)], ''],
    );
    assert.equal((await v4('GET', `/groups/${guid}/bitlinks?tags=a`)).json.links.length, 1);
    assert.equal((await v4('PATCH', `/bitlinks/${idOf(keyword)}`, { archived: true })).json.archived, true);
    assert.equal((await v4('GET', `/groups/${guid}/bitlinks`)).json.links.length, 2);
    assert.equal((await v4('GET', `/groups/${guid}/bitlinks?archived=both`)).json.links.length, 3);
    assert.equal((await v4('GET', '/user')).json.default_group_guid, guid);
    const gone = await v4('DELETE', `/bitlinks/${encodeURIComponent(idOf(keyword))}`);
    assert.deepEqual([gone.status, gone.json.links_deleted], [200, [{ id: idOf(keyword) }]]);
    assert.equal((await v4('GET', `/bitlinks/${idOf(keyword)}`)).status, 404);
    const { total_clicks } = (await v4('GET', `/bitlinks/${first.links[0].id}/clicks/summary`)).json;
    assert.equal(total_clicks, 0);
  });

  test('errors have its format, and another account finds nothing', async () => {
    const { client, v4, page } = await account();
    const created = await client.shorten(page());
    const wrong = await refusal(client.shorten('not a url'));
    assert.deepEqual([wrong.message, wrong.errors[0].field], ['INVALID_ARG_LONG_URL', 'long_url']);
    assert.equal((await refusal(client.shorten(created.link))).message, 'ALREADY_A_BITLY_LINK');
    assert.equal(
      (await refusal(new BitlyClient('no-key', { apiUrl: host }).shorten(page()))).message,
      'FORBIDDEN',
    );
    const stranger = await account();
    assert.equal((await refusal(stranger.client.getBitlink(created.id))).message, 'NOT_FOUND');
    for (const [method, path] of [
      ['PATCH', `/bitlinks/${created.id}`],
      ['DELETE', `/bitlinks/${created.id}`],
      ['GET', `/bitlinks/${created.id}/clicks`],
      ['GET', '/nothing'],
      ['POST', '/bulk'],
    ] as const)
      assert.equal((await stranger.v4(method, path, method === 'GET' ? undefined : {})).status, 404, path);
    for (const query of ['unit=year', 'units=0', 'units=5000', 'units=x', 'unit_reference=soon'])
      assert.equal((await v4('GET', `/bitlinks/${created.id}/clicks?${query}`)).status, 400, query);
    const taken = { long_url: page(), keyword: created.id.split('/')[1] };
    assert.equal((await v4('POST', '/bitlinks', taken)).json.message, 'CONFLICT');
    const reader = await account({ scopes: 'links:read' });
    assert.equal((await reader.v4('POST', '/shorten', { long_url: page() })).status, 403);
  });
}
