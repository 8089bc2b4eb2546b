import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { dir, run } from '../../../test/support/server/command-line.ts';
import type { Api } from '../../../test/support/server/records.ts';
import { as } from '../../../test/support/server/server.ts';
import { type SharedServer, sharedServer } from '../../../test/support/server/shared-server.ts';

describe('links import', () => {
  let server: SharedServer;
  before(async () => {
    server = await sharedServer();
  });

  const account = async (): Promise<{ api: Api; env: Record<string, string> }> => {
    const { key } = await server.newKey();
    return { api: as(server, key), env: { LINKFOLD_URL: server.url, LINKFOLD_API_KEY: key } };
  };
  const total = async (api: Api): Promise<number> => (await api.get('/api/v1/links')).json.pagination.total;
  const importing = (input: string | Uint8Array, env: object, ...args: string[]) =>
    run(['links', 'import', '-', ...args], { env, input });

  test('reads columns in any order, quotes, BOM and CRLF, reports errors by line, and creates nothing twice', async () => {
    const { api, env } = await account();
    const refused = join(dir, 'refused.csv');
    const input =
      '\ufeffTitle;URL;tags;description\r\n' +
      'One;https://e.com/1;"a,b";"two\r\nlines, ""quoted"""\r\n' +
      '\r\n' +
      ';ftp://e.com/2;;\r\n' +
      'Three;https://e.com/3;;\r\n' +
      'short;row\r\n' +
      '"=1+1";;;\r\n' +
      'Last;https://e.com/4;;';
    const first = await importing(input, env, '--tag', 'all', '--errors', refused);
    assert.equal(first.code, 1, first.err);
    assert.match(first.err, /3 rows done, 3 rejected\.\n$/);
    assert.deepEqual(
      first.out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[1]),
      ['https://e.com/1', 'https://e.com/3', 'https://e.com/4'],
    );
    const told = readFileSync(refused, 'utf8').trim().split('\n');
    assert.deepEqual(
      told.map((line) => line.split(',').slice(0, 3).join(',')),
      ['line,code,field', '5,INVALID_URL,url', '7,INVALID_LINE,', '8,INVALID_LINE,'],
    );
    const { data } = (await api.get('/api/v1/links?include=title,description,tags')).json;
    assert.deepEqual(
      data.map((link: Record<string, unknown>) => [link['title'], link['tags']]),
      [
        ['Last', ['all']],
        ['Three', ['all']],
        ['One', ['a', 'b']],
      ],
    );
    assert.equal(data[2].description, 'two\nlines, "quoted"');
    const again = await importing(input, env, '--tag', 'all', '--errors', refused);
    assert.deepEqual([again.code, again.out], [first.code, first.out]);
    assert.equal(await total(api), 3);
  });

  test('shorten --file: creates links again on a second run, but not with --name; rejects differing rows', async () => {
    const { api, env } = await account();
    const shorten = (input: string, ...args: string[]) =>
      run(['shorten', '--file', '-', ...args], { env, input });
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `https://e.com/${from + n}\n`).join('');
    const input = `bad\n${lines(0, 1_500)}`;
    assert.equal((await shorten(lines(0, 2))).code, 0);
    assert.equal((await shorten(lines(0, 2))).code, 0);
    assert.equal(await total(api), 4);
    const first = await shorten(input, '--batch', 'june', '--title', 'T', '--tag', 'a');
    assert.match(first.err, /^line 1: .*\nerror: 1,500 rows done, 1 rejected\.\n$/);
    const again = await shorten(input, '--batch', 'june', '--title', 'T', '--tag', 'a');
    assert.deepEqual([again.out, again.err, await total(api)], [first.out, first.err, 1_504]);
    // If a row was corrected or rows were inserted, the other rows' links must not be created again.
    for (const other of [input.replace('bad', 'https://e.com/'), lines(5_000, 6_000) + input]) {
      const { code, err } = await shorten(other, '--batch', 'june', '--title', 'T', '--tag', 'a');
      assert.equal(code, 1);
      assert.match(err, /differ from those in batch june\. .*\nerror: 0 rows done, 0 rejected up to line 1;/);
    }
    const longer = await shorten(
      `${input}${lines(1_500, 1_501)}`,
      '--batch',
      'june',
      '--title',
      'T',
      '--tag',
      'a',
    );
    assert.match(longer.err, /999 rows done, 1 rejected up to line 1000; run again/);
    assert.equal(await total(api), 1_504);
  });

  test('rejects a row that is not UTF-8, with its line', async () => {
    const { api, env } = await account();
    const input = Buffer.from('url,title\nhttps://e.com/1,caf\xe9\nhttps://e.com/2,tea\n', 'latin1');
    const { code, err } = await importing(input, env);
    assert.deepEqual([code, await total(api)], [1, 1], err);
    assert.match(err, /line 2: .*not valid UTF-8/);
  });

  test('rejects unknown columns or a missing destination column, and lists the known ones', async () => {
    const { api, env } = await account();
    const bad: [string, RegExp, ...string[]][] = [
      [
        'url,colour\nhttps://e.com/,red\n',
        /line 1: unknown column "colour"\. Columns: url, customCode, title,/,
      ],
      ['title\nx\n', /must be a header with the column url/],
      ['url,URL\n', /appears twice/],
      ['url,title\nhttps://e.com/1,x\n', /unknown column "url"/, '--action', 'delete'],
      ['url,title\nhttps://e.com/1,"open\n', /line 2: a quote/],
    ];
    for (const [input, message, ...args] of bad) {
      const { code, err } = await importing(input, env, ...args);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.doesNotMatch(err, /run again/);
    }
    assert.equal(await total(api), 0);
  });

  test('imports an export into another account, as changes, and for deletion', async () => {
    const [from, to] = [await account(), await account()];
    const code = `moves-${Date.now().toString(36)}`;
    const fields = {
      title: '=1+1',
      description: 'two\nlines',
      tags: ['a', 'b'],
      disabled: true,
      maxClicks: 5,
      utm: { source: 'mail' },
      rules: [{ when: [], to: { url: 'https://e.com/r', apps: { ios: { appUrl: 'https://e.com/app' } } } }],
    };
    const made = await from.api.post('/api/v1/shorten', {
      url: 'https://e.com/1',
      customCode: code,
      ...fields,
    });
    const { id } = made.json.data;
    const exported = (await run(['links', 'export', '--format', 'csv'], { env: from.env })).out;

    const changes = exported.replace('two\nlines', 'other').replace('https://e.com/1', 'https://e.com/2');
    const changed = await importing(changes, from.env, '--action', 'update');
    assert.equal(changed.code, 0, changed.err);
    const { data } = (await from.api.get(`/api/v1/links/${id}?include=description,tags,utm,rules`)).json;
    assert.deepEqual(
      [data.title, data.description, data.destinationUrl],
      ['=1+1', 'other', 'https://e.com/2'],
    );
    assert.deepEqual([data.tags, data.utm, data.rules], [fields.tags, fields.utm, fields.rules]);

    // The code remains reserved for the first account, so the new link has a different code.
    const elsewhere = await importing(exported.replaceAll(code, `${code}-2`), to.env);
    assert.equal(elsewhere.code, 0, elsewhere.err);
    const copy = (await to.api.get(`/api/v1/links/by-code/${code}-2`)).json.data;
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(copy[name], value, name);

    const gone = await importing(exported, from.env, '--action', 'delete');
    assert.deepEqual([gone.code, await total(from.api)], [0, 0], gone.err);
  });

  test('sends a long file in several requests, changes and deletes by ID', async () => {
    const { api, env } = await account();
    const path = join(dir, 'long.csv');
    const rows = Array.from({ length: 2_300 }, (_, n) => `https://e.com/${n},${n === 2_100 ? 'admin' : ''}`);
    writeFileSync(path, `url,customCode\n${rows.join('\n')}\n`);
    const { code, out, err } = await run(['links', 'import', path, '--json'], { env });
    assert.equal(code, 1, err);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 2_300);
    const failed = lines.filter(({ error }) => error !== undefined);
    assert.deepEqual(
      failed.map(({ line, error }) => [line, error.code]),
      [[2_102, 'CUSTOM_CODE_RESERVED']],
    );
    assert.equal(await total(api), 2_299);
    const ids = lines.slice(0, 3).map(({ id }) => id);
    const changes = `id,title,url\n${ids[0]},New,\n${ids[1]},,https://e.com/new\n`;
    assert.equal((await importing(changes, env, '--action', 'update')).code, 0);
    assert.equal((await api.get(`/api/v1/links/${ids[0]}`)).json.data.title, 'New');
    assert.equal((await api.get(`/api/v1/links/${ids[1]}`)).json.data.destinationUrl, 'https://e.com/new');
    const gone = await importing(`id\n${ids.join('\n')}\n`, env, '--action', 'delete');
    assert.deepEqual([gone.code, gone.out], [0, '']);
    assert.equal(await total(api), 2_296);
  });
});
