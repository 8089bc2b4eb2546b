import assert from 'node:assert/strict';
import http from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server, type TestKey } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const require = createRequire(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: neither program has types
type Program = any;

/**
 * Runs a client call. The clients accept only a host without a port, so their requests are redirected to the server.
 */
async function asked(server: Server, ask: (callback: (error: unknown, answer: Program) => void) => void) {
  const { get } = http;
  http.get = ((options: http.RequestOptions, callback: () => void) =>
    get({ path: options.path, host: '127.0.0.1', port: server.port }, callback)) as typeof http.get;
  try {
    return await new Promise<Program>((resolve, reject) =>
      ask((error, answer) => (error ? reject(error) : resolve(answer))),
    );
  } finally {
    http.get = get;
  }
}

function ways(server: Server, key: string) {
  const yourls = (action: string, fields: Record<string, string> = {}, format = 'json') =>
    call(
      server,
      'GET',
      `/yourls-api.php?${new URLSearchParams({ signature: key, action, format, ...fields })}`,
    );
  return { yourls, api: as(server, key), page: () => `https://example.com/${freshCode()}` };
}

export function yourlsTests(server: () => Server): void {
  const account = async () => {
    const key: TestKey = await server().newKey();
    return { key, ...ways(server(), key.key) };
  };

  test('takes URLs without a scheme, as YOURLS does', async () => {
    const { yourls } = await account();
    const host = `${freshCode().toLowerCase()}.example`;
    for (const [url, stored] of [
      [`${host}/a`, `http://${host}/a`],
      [`${host}:8080/a?b=http://c.example/`, `http://${host}:8080/a?b=http://c.example/`],
      [`HTTPS://${host}/`, `HTTPS://${host}/`],
    ] as const) {
      const { json } = await yourls('shorturl', { url });
      assert.deepEqual([json.status, json.url?.url], ['success', stored], url);
    }
    for (const url of ['javascript:alert(1)', 'mailto:a@b.example', 'ftp://b.example/', ''])
      assert.equal((await yourls('shorturl', { url })).json.status, 'fail', url);
  });

  for (const name of ['yourls', 'node-yourls'])
    test(`the program ${name} shortens, expands and reads statistics`, async () => {
      const { key, api, page } = await account();
      const [url, code] = [page(), freshCode()];
      const program = new (require(name) as Program)('http://short.example', key.key);
      const created = await asked(server(), (done) => program.shorten(url, done));
      assert.deepEqual(
        [created.status, created.statusCode, created.url.url, created.shorturl],
        ['success', '200', url, `${server().url}/${created.url.keyword}`],
      );
      assert.equal((await call(server(), 'GET', `/${created.url.keyword}`)).headers.get('location'), url);
      const again = await asked(server(), (done) => program.shorten(url, done));
      assert.deepEqual([again.status, again.code, again.shorturl], ['fail', 'error:url', created.shorturl]);
      const vanity = await asked(server(), (done) => program.vanity(page(), code, done));
      assert.equal(vanity.url.keyword, code);
      const taken = await asked(server(), (done) => program.vanity(page(), code, done));
      assert.deepEqual([taken.status, taken.code], ['fail', 'error:keyword']);
      for (const item of [code, vanity.shorturl, vanity.shorturl.replace('http://', '')]) {
        const { longurl, keyword } = await asked(server(), (done) => program.expand(item, done));
        assert.deepEqual([longurl, keyword], [vanity.url.url, code], item);
      }
      const stats = await asked(server(), (done) => program.urlstats(created.url.keyword, done));
      assert.deepEqual([stats.statusCode, stats.link.url, stats.link.clicks], ['200', url, '1']);
      // Statistics include a click within two seconds.
      await until('the click is counted', async () => {
        const sums = await asked(server(), (done) => program.dbstats(done));
        assert.equal(sums['db-stats'].total_links, '2');
        return sums['db-stats'].total_clicks === '1';
      });
      const gone = await asked(server(), (done) => program.expand('nothing-here', done));
      assert.equal(gone.errorCode, '404');
      assert.equal((await api.get('/api/v1/links')).json.pagination.total, 2);
    });

  test('every format has its structure and media type', async () => {
    const { yourls, api, page } = await account();
    const [code, url] = [freshCode(), `${page()}?a=1&b=<2>`];
    await makeLink(api, { url, customCode: code, title: 'Fish & "chips"\u0000'.slice(0, -1) });
    const xml = await yourls('expand', { shorturl: code }, 'xml');
    assert.match(xml.headers.get('content-type') ?? '', /^application\/xml/);
    assert.match(
      xml.text,
      /<result><keyword>.+<longurl>https:\/\/example.com\/.+\?a=1&amp;b=&lt;2&gt;<\/longurl>/,
    );
    assert.match(xml.text, /<title>Fish &amp; &quot;chips&quot;<\/title>/);
    assert.equal((await yourls('expand', { shorturl: code }, 'simple')).text, url);
    assert.equal((await yourls('expand', { shorturl: 'nothing-here' }, 'simple')).text, '');
    const script = await yourls('expand', { shorturl: code, callback: 'app.show' }, 'jsonp');
    assert.equal(script.headers.get('x-content-type-options'), 'nosniff');
    assert.match(script.headers.get('content-type') ?? '', /^application\/javascript/);
    const [, json = ''] = /^app\.show\((.*)\)$/.exec(script.text) ?? [];
    assert.equal(JSON.parse(json).longurl, url);
    assert.ok(!json.includes('<'));
    for (const callback of ['alert(1)//', '', 'a.', 'a b', `${'x'.repeat(200)}`]) {
      const refused = await yourls('expand', { shorturl: code, callback }, 'jsonp');
      assert.deepEqual([refused.status, refused.json.errorCode], [400, '400'], callback);
    }
  });

  test('links can be listed, edited and deleted', async () => {
    const { yourls, api, page } = await account();
    const codes = [freshCode(), freshCode(), freshCode()];
    for (const customCode of codes) await makeLink(api, { url: page(), customCode });
    const list = async (fields: Record<string, string>) =>
      Object.values<{ shorturl: string }>((await yourls('stats', fields)).json.links).map(({ shorturl }) =>
        new URL(shorturl).pathname.slice(1),
      );
    assert.deepEqual(await list({ filter: 'last' }), codes.toReversed());
    assert.deepEqual(await list({ filter: 'last', limit: '2', start: '1' }), codes.toReversed().slice(1));
    assert.deepEqual(await list({ filter: 'last', limit: '0' }), []);
    for (const wrong of [{ filter: 'rand' }, { limit: '5000' }, { limit: '-1' }])
      assert.equal((await yourls('stats', wrong)).status, 400, JSON.stringify(wrong));
    const [code = ''] = codes;
    const url = page();
    const changed = await yourls('update', { shorturl: code, url, title: 'Moved' });
    assert.deepEqual([changed.status, changed.json.statusCode], [200, '200']);
    const { json } = await yourls('expand', { shorturl: code });
    assert.deepEqual([json.longurl, json.title], [url, 'Moved']);
    assert.equal((await yourls('update', { shorturl: code, url: 'ftp://x' })).status, 400);
    assert.equal((await yourls('delete', { shorturl: code })).status, 200);
    assert.equal((await yourls('expand', { shorturl: code })).status, 404);
  });

  test('accepts forms, and returns an error for invalid requests', async () => {
    const { key, yourls, page } = await account();
    const post = (fields: Record<string, string>) =>
      fetch(`${server().url}/yourls-api.php`, { method: 'POST', body: new URLSearchParams(fields) });
    const url = page();
    const made = await post({ signature: key.key, action: 'shorturl', format: 'json', url });
    assert.equal(((await made.json()) as Program).url.url, url);
    const wrong = [
      ['error:nourl', 'shorturl', { url: 'mailto:a@example.com' }],
      ['error:nourl', 'shorturl', {}],
      ['error:noloop', 'shorturl', { url: `${server().url}/x` }],
      ['error:keyword', 'shorturl', { url, keyword: 'no!' }],
      ['error:keyword', 'shorturl', { url, keyword: 'admin' }],
    ] as const;
    for (const [code, action, fields] of wrong) {
      const { json, text } = await yourls(action, fields as Record<string, string>);
      assert.deepEqual([json.status, json.code], ['fail', code], text);
    }
    assert.match((await yourls('nothing')).json.message, /shorturl, expand/);
    assert.match((await yourls('expand')).json.message, /shorturl is required/);
    const timed = await yourls('version', { timestamp: '1700000000' });
    assert.match(timed.json.message, /Send the API key itself/);
    const signed = { signature: 'd41d8cd98f00b204e9800998ecf8427e', timestamp: '1' };
    for (const fields of [signed, { signature: '' }, { username: 'joe', password: 'secret' }]) {
      const refused = await post({ action: 'version', format: 'json', ...fields });
      const said = (await refused.json()) as Program;
      assert.deepEqual([refused.status, said.errorCode], [403, '403'], JSON.stringify(fields));
    }
  });

  test('a key is limited to its scopes and its own links', async () => {
    const { yourls, api, page } = await account();
    const [code, url] = [freshCode(), page()];
    await makeLink(api, { url, customCode: code });
    const reader = ways(server(), (await server().newKey({ scopes: 'links:read' })).key);
    const refused = await reader.yourls('shorturl', { url: page() });
    assert.deepEqual([refused.status, refused.json.errorCode], [403, '403']);
    assert.match(refused.json.message, /links:write/);
    for (const [action, fields] of [
      ['expand', {}],
      ['url-stats', {}],
    ] as const)
      assert.equal((await reader.yourls(action, { shorturl: code, ...fields })).status, 404, action);
    const stranger = await account();
    for (const action of ['update', 'delete'])
      assert.equal((await stranger.yourls(action, { shorturl: code, url: page() })).status, 404, action);
    assert.equal((await stranger.yourls('shorturl', { url })).json.status, 'success', 'its own link');
    assert.equal((await yourls('expand', { shorturl: code })).json.longurl, url);
    const told = await stranger.yourls('stats');
    assert.equal(told.status, 200, told.text);
    assert.deepEqual(
      Object.values<{ url: string }>(told.json.links).map((link) => link.url),
      [url],
    );
    const theirs = await stranger.api.get('/api/v1/links');
    assert.equal(theirs.json.pagination.total, 1);
  });
}
