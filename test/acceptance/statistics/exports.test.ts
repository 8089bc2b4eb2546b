import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { ask } from '../../support/http/ask.ts';
import { type Api, makeFolder, makeLink, makeTag } from '../../support/server/records.ts';
import { as } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

// Exports of links, statistics and clicks contain the same data as API responses, but no spreadsheet formulas.

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\ttab'];
const many = 450;

describe('exports', () => {
  let server: SharedServer;
  let api: Api;
  let key: string;
  let stranger: Api;
  let folder: string;
  let tag: string;
  const ids: string[] = [];

  const open = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return { answer, text: await answer.text() };
  };
  const csv = async (path: string): Promise<readonly Record<string, string>[]> => {
    const { answer, text } = await open(path);
    assert.equal(answer.status, 200, text);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.ok(text.endsWith('\r\n'));
    return parse(text, { columns: true, record_delimiter: '\r\n' });
  };
  const lines = async (path: string) => {
    const { answer, text } = await open(path, { accept: 'application/x-ndjson' });
    assert.equal(answer.status, 200, text);
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const get = async (path: string) => {
    const { status, json, text } = await api.get(`/api/v1${path}`);
    assert.equal(status, 200, text);
    return json;
  };

  before(async () => {
    server = await sharedServer();
    ({ key } = await server.newKey());
    api = as(server, key);
    stranger = as(server, (await server.newKey()).key);
    folder = await makeFolder(api);
    tag = await makeTag(api);
    const [{ name }] = (await get('/tags')).data;
    for (const [at, title] of [...formulas, 'two "words", and\nmore', 'Ümläut 日本'].entries()) {
      const description = title.includes('\n') || title.includes('\t') ? title : null;
      const plain = title.replaceAll(/[\n\t]/g, ' ');
      const fields = { customCode: `exported-${at}`, title: plain, description, tags: at % 2 ? [name] : [] };
      ids.push(await makeLink(api, { ...fields, folderId: at === 0 ? folder : null }));
    }
    const links = Array.from({ length: many }, () => ({ url: 'https://example.com/many' }));
    assert.equal((await api.post('/api/v1/links/bulk', { action: 'create', links })).status, 200);
    const foreign = await makeLink(stranger, { customCode: 'exported-foreign' });
    ids.push(foreign);
    for (let at = 0; at < 12; at += 1)
      await ask(server, {
        path: `/exported-${at % 2}?utm_campaign=${encodeURIComponent(formulas[at % 4] ?? '')}`,
        headers: { 'x-country': at % 3 === 0 ? 'DE' : 'US' },
      });
    await until('every click is there', async () => (await get('/stats')).data.totals.clicks === 12);
  });

  test('exports all links, as lists and reads return them', async () => {
    const rows = await lines('/links/export');
    assert.equal(rows.length, many + 7);
    const { data } = await get('/links/by-code/exported-6');
    const found = rows.find(({ id }) => id === data.id);
    assert.deepEqual(found, data);
    assert.deepEqual(Object.keys(found), Object.keys(data));
    assert.deepEqual(
      rows.map(({ id }) => id),
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
      'the newest first',
    );
    const table = await csv('/links/export?format=csv');
    assert.deepEqual(Object.keys(table[0] ?? {}), Object.keys(data));
    assert.deepEqual(
      table.map(({ id }) => id),
      rows.map(({ id }) => id),
    );
  });

  test('filters links like the list', async () => {
    for (const filter of [
      `folderId=${folder}`,
      'search=two+words',
      'status=disabled',
      'destinationHost=example.com&sort=title',
      'folderId=none&createdBefore=2020-01-01',
    ]) {
      const { data, pagination } = await get(`/links?${filter}&limit=100`);
      const rows = await lines(`/links/export?${filter}`);
      assert.equal(rows.length, pagination.total, filter);
      assert.deepEqual(
        rows.slice(0, 100).map(({ id }) => id),
        data.map(({ id }: { id: string }) => id),
      );
    }
  });

  test('prevents spreadsheet formulas, and keeps every text readable', async () => {
    const table = await csv('/links/export?search=exported&sort=createdAt&order=asc');
    const titles = table.map(({ title = '' }) => title);
    assert.deepEqual(titles.slice(0, 4), ["'=1+1", "'+1", "'-1", "'@SUM(A1)"]);
    assert.deepEqual(titles.slice(5), ['two "words", and more', 'Ümläut 日本']);
    assert.equal(table[4]?.['description'], "'\ttab");
    assert.equal(table[5]?.['description'], 'two "words", and\nmore');
    for (const { utmCampaign = '' } of await csv('/clicks/export')) assert.match(utmCampaign, /^'[=+\-@]/);
    for (const { utmCampaign } of await lines('/clicks/export'))
      assert.ok(formulas.includes(utmCampaign), 'JSON contains it unchanged');
  });

  test('exports the same clicks as the pages, with the same filters', async () => {
    for (const filter of [
      '',
      `linkId=${ids[0]}`,
      `folderId=${folder}`,
      `tagId=${tag}`,
      'filter=country:is:DE',
    ]) {
      const { data } = await get(`/clicks?${filter}`);
      assert.ok(data.length > 0);
      assert.deepEqual(await lines(`/clicks/export?${filter}`), data);
      assert.deepEqual(
        (await csv(`/clicks/export?${filter}`)).map((row) => [row['time'], row['linkId'], row['country']]),
        data.map((row: Record<string, string>) => [row['time'], row['linkId'], row['country']]),
      );
    }
  });

  test('exports the series, or the breakdown with its rest', async () => {
    const range = `from=${new Date(Date.now() - 86_400_000).toISOString()}&interval=hour`;
    const { data } = await get(`/stats?${range}`);
    assert.deepEqual(await lines(`/stats/export?${range}`), data.series);
    const groups = `${range}&groupBy=country&limit=1&compare=previous`;
    // `visitors` is not compared, because the first visitor, who came from DE, may count again after midnight.
    const rows = (await lines(`/stats/export?${groups}`)).map(({ visitors: _, ...row }) => row);
    assert.deepEqual(rows, [
      { row: 'value', value: 'US', label: '', clicks: 8, beforeClicks: 0, beforeVisitors: 0 },
      { row: 'other', value: '', label: '', clicks: 4, beforeClicks: 0, beforeVisitors: 0 },
    ]);
    const [first, ...others] = await csv(`/stats/export?${range}&compare=previous&linkId=${ids[0]}`);
    assert.deepEqual(Object.keys(first ?? {}).slice(5, 9), [
      'prefetch',
      'visitors',
      'beforeStart',
      'beforeClicks',
    ]);
    assert.equal(
      [first, ...others].reduce((sum, row) => sum + Number(row?.['clicks']), 0),
      6,
    );
  });

  test('exports every value of a breakdown, and rows sum to the totals', async () => {
    const owner = await server.newKey();
    await makeLink(as(server, owner.key), { customCode: 'exported-much' });
    const [terms, again] = [2_050, 7];
    for (let from = 0; from < terms + again; from += 100)
      await Promise.all(
        Array.from({ length: Math.min(100, terms + again - from) }, (_, at) =>
          ask(server, { path: `/exported-much?utm_term=t${(from + at) % terms}` }),
        ),
      );
    const headers = { authorization: `Bearer ${owner.key}` };
    const read = async (query: string) => {
      const path = `${server.url}/api/v1/stats/export?format=ndjson&groupBy=utmTerm${query}`;
      const rows = (await (await fetch(path, { headers })).text()).split('\n').slice(0, -1);
      return rows.map((row) => JSON.parse(row));
    };
    const clicksOf = (rows: readonly { clicks: number }[]): number =>
      rows.reduce((sum, { clicks }) => sum + clicks, 0);
    await until('every click is there', async () => clicksOf(await read('')) === terms + again);
    const rows = await read('');
    assert.equal(new Set(rows.map(({ value }) => value)).size, terms + 1);
    assert.deepEqual(rows.at(-1), { row: 'other', value: '', label: '', clicks: 0, visitors: 0 });
    assert.deepEqual([rows[0].clicks, rows[again].clicks], [2, 1]);
    const some = await read('&limit=3&compare=previous');
    assert.equal(some.length, 4);
    assert.equal(clicksOf(some), terms + again);
  });

  test('sets type, file name and no-store in the headers; HEAD too', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${server.url}/api/v1/clicks/export?format=ndjson`, {
        method,
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="clicks-\d{4}-\d\d-\d\d\.ndjson"$/,
      );
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal((await answer.text()) === '', method === 'HEAD');
    }
  });

  test('writes column names for a table without rows', async () => {
    const { text } = await open('/clicks/export?from=2020-01-01&to=2020-01-02');
    assert.match(text, /^time,linkId,shortCode,[\w,]+\r\n$/);
    assert.equal((await open('/clicks/export?format=ndjson&from=2020-01-01&to=2020-01-02')).text, '');
  });

  test('cuts off an export when its key is revoked meanwhile', async () => {
    const owner = as(server, (await server.newKey()).key);
    const description = 'd'.repeat(900);
    for (let bulk = 0; bulk < 5; bulk += 1) {
      const links = Array.from({ length: 1_000 }, () => ({ url: 'https://example.com/long', description }));
      const { status, text } = await owner.post('/api/v1/links/bulk', { action: 'create', links });
      assert.equal(status, 200, text.slice(0, 200));
    }
    const { id, key: token } = (await owner.post('/api/v1/keys', { name: 'reader' })).json.data;
    const answer = await fetch(`${server.url}/api/v1/links/export?format=ndjson`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 200);
    assert.equal((await owner.delete(`/api/v1/keys/${id}`)).status, 204);
    await assert.rejects(answer.text(), 'all links were read with a key that was revoked');
  });

  for (const [path, status, code] of [
    ['/clicks/export?format=xls', 400, 'VALIDATION_ERROR'],
    ['/clicks/export?from=yesterday', 400, 'VALIDATION_ERROR'],
    ['/stats/export?groupBy=colour', 400, 'VALIDATION_ERROR'],
    ['/links/export?createdAfter=yesterday', 400, 'VALIDATION_ERROR'],
    ['/links/export?status=deleted', 400, 'VALIDATION_ERROR'],
    ['/clicks/export?linkId=FOREIGN', 404, 'LINK_NOT_FOUND'],
    ['/stats/export?folderId=none', 404, 'FOLDER_NOT_FOUND'],
  ] as const)
    test(`rejects ${path} like any other request`, async () => {
      const { answer, text } = await open(path.replace('FOREIGN', ids.at(-1) ?? ''));
      assert.deepEqual([answer.status, JSON.parse(text).error.code], [status, code]);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(answer.headers.get('content-disposition'), null);
    });
});
