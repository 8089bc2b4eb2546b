import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Answer, ask } from '../../support/http/ask.ts';
import { answersIn, converse, faultIn, valuesOf } from '../../support/http/wire.ts';
import { type Api, freshCode, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer, temporaryFolder } from '../../support/server/server.ts';
import { words } from '../../support/words.ts';

const url = 'https://example.com/';
const appleFile =
  '{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/*"}]}]}}\n';
const emoji = '\u{1f600}';

describe('the HTTP protocol', () => {
  let server: Server;
  before(async () => {
    const file = join(temporaryFolder('app-links'), 'apple.json');
    writeFileSync(file, appleFile);
    server = await startServer({ APPLE_APP_SITE_ASSOCIATION: file });
  });
  after(() => server.stop());

  const account = async (): Promise<{ api: Api; key: string }> => {
    const { key } = await server.newKey();
    return { api: as(server, key), key };
  };

  const shorten = (
    key: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string> = {},
  ) =>
    ask(server, {
      method: 'POST',
      path: '/api/v1/shorten',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    });

  const codeOf = (answer: Answer): string | undefined => JSON.parse(answer.text).error?.code;

  test('serves app link files as JSON without a redirect, only if configured', async () => {
    const path = '/.well-known/apple-app-site-association';
    // A request with a cookie and a range is not handled by the fast path.
    for (const given of [path, `${path}?x=1`, `http://LOCALHOST:1${path}`])
      for (const headers of [{}, { cookie: 'a=b', range: 'bytes=0-1' }]) {
        const answer = await ask(server, { path: given, headers });
        assert.deepEqual([answer.status, answer.text], [200, appleFile], given);
        assert.deepEqual(valuesOf(answer, 'content-type'), ['application/json']);
        assert.deepEqual(valuesOf(answer, 'x-content-type-options'), ['nosniff']);
      }
    const head = await ask(server, { method: 'HEAD', path });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal((await ask(server, { method: 'POST', path })).status, 405);
    for (const other of ['assetlinks.json', 'toString', '', `apple-app-site-association/x`, 'x/../y'])
      assert.equal((await ask(server, { path: `/.well-known/${other}` })).status, 404, other);
  });

  test('media types: accepts JSON in UTF-8 under any of its names, or no type', async () => {
    const { key } = await account();
    const good = [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
    ];
    const alsoGood = [
      'application/json; charset="utf-8"',
      'application/json ; charset=utf8',
      'application/problem+json',
    ];
    for (const type of [
      ...good,
      ...alsoGood,
      'application/vnd.api+json; charset=utf-8',
      'application/json; profile=x',
    ]) {
      const answer = await shorten(key, JSON.stringify({ url }), { 'content-type': type });
      assert.equal(answer.status, 201, `${type}: ${answer.text}`);
    }
    assert.equal((await shorten(key, JSON.stringify({ url }))).status, 201, 'no type at all');
    const bad = [
      'text/plain',
      'text/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'json',
      '',
      '*/*',
    ];
    const charsets = ['utf-16', 'latin1', 'us-ascii', '"utf-16"', ''].map(
      (name) => `application/json; charset=${name}`,
    );
    for (const type of [
      ...bad,
      ...charsets,
      'application/jsonx',
      'application/json5',
      'application/json, text/plain',
    ]) {
      const answer = await shorten(key, JSON.stringify({ url }), { 'content-type': type });
      assert.equal(answer.status, 415, `${type}: ${answer.text}`);
      assert.equal(codeOf(answer), 'UNSUPPORTED_MEDIA_TYPE');
    }
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      assert.equal(
        codeOf(await shorten(key, JSON.stringify({ url }), headers)),
        'UNSUPPORTED_MEDIA_TYPE',
        encoding,
      );
    }
    const identity = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
    assert.equal((await shorten(key, JSON.stringify({ url }), identity)).status, 201);
  });

  test('DELETE requires no type and ignores a body', async () => {
    const { api, key } = await account();
    for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/json' }]) {
      const path = `/api/v1/links/${await makeLink(api)}`;
      const authorization = `Bearer ${key}`;
      const answer = await ask(server, {
        method: 'DELETE',
        path,
        headers: { ...headers, authorization },
        body: '{',
      });
      assert.equal(answer.status, 204, answer.text);
      assert.equal(answer.headers['content-type'], undefined);
    }
  });

  test('strips one byte-order mark, rejects two; requires valid UTF-8', async () => {
    const { key } = await account();
    const json = JSON.stringify({ url });
    assert.equal((await shorten(key, `\ufeff${json}`)).status, 201);
    for (const body of [
      `\ufeff\ufeff${json}`,
      Buffer.from(json, 'utf16le'),
      Buffer.from([0xff, ...Buffer.from(json)]),
    ]) {
      assert.equal(codeOf(await shorten(key, body)), 'INVALID_JSON');
    }
    const latin1 = Buffer.from(JSON.stringify({ url, title: '\u00e4' }), 'latin1');
    assert.equal(codeOf(await shorten(key, latin1)), 'INVALID_JSON');
  });

  test('treats an empty body as an empty object; rejects anything but an object', async () => {
    const { api, key } = await account();
    const id = await makeLink(api, { title: 'kept' });
    for (const body of [undefined, '', ' \n\t\r ', '{}', '\ufeff']) {
      const refused = await shorten(key, body);
      assert.equal(codeOf(refused), 'VALIDATION_ERROR', JSON.stringify(body));
      assert.equal(JSON.parse(refused.text).error.message, 'url is required.');
      const authorization = `Bearer ${key}`;
      const patched = await ask(server, {
        method: 'PATCH',
        path: `/api/v1/links/${id}`,
        headers: { authorization },
        body,
      });
      assert.equal(patched.status, 200, JSON.stringify(body));
      assert.equal(JSON.parse(patched.text).data.title, 'kept');
    }
    for (const body of ['null', '[]', '"text"', '5', 'true', `[${JSON.stringify({ url })}]`]) {
      assert.equal(codeOf(await shorten(key, body)), 'INVALID_BODY', body);
    }
    for (const body of [
      '{',
      'nope',
      '{"url":NaN}',
      "{'url':1}",
      '{"url":1,}',
      '{"url":1}{',
      `{${'['.repeat(10_000)}`,
    ]) {
      assert.equal(codeOf(await shorten(key, body)), 'INVALID_JSON', body.slice(0, 20));
    }
  });

  test('accepts a body of 64 KiB, rejects one byte more, declared or in chunks', async () => {
    const { key } = await account();
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ url, unknown: '' });
      return JSON.stringify({ url, unknown: 'x'.repeat(bytes - frame.length) });
    };
    for (const chunked of [false, true]) {
      const send = (bytes: number) =>
        ask(server, {
          method: 'POST',
          path: '/api/v1/shorten',
          chunked,
          body: sized(bytes),
          headers: { authorization: `Bearer ${key}` },
        });
      assert.equal((await send(65_536)).status, 201);
      assert.equal(codeOf(await send(65_537)), 'BODY_TOO_LARGE', `chunked: ${chunked}`);
    }
  });

  test('accepts a target of 4,096 bytes as sent, rejects one byte more', async () => {
    const { api } = await account();
    const code = freshCode();
    await makeLink(api, { customCode: code });
    const padded = (start: string, length: number): string => start + '"'.repeat(length - start.length);
    // A quotation mark is one byte in the request and three (`%22`) in the parsed absolute URL.
    for (const start of [`/${code}?`, `http://a/${code}?`, '/api/v1/links?x=']) {
      const [whole, tooLong] = [padded(start, 4_096), padded(start, 4_097)];
      assert.equal((await ask(server, { path: whole })).status, start.includes('api') ? 401 : 302);
      const refused = await ask(server, { path: tooLong });
      assert.equal(refused.status, 414, start);
      assert.equal(codeOf(refused), 'URI_TOO_LONG');
    }
  });

  test('accepts list values joined, repeated, and both', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    await api.post('/api/v1/shorten', { url, tags: ['one', 'two'] });
    await api.post('/api/v1/shorten', { url, tags: ['one'] });
    for (const query of [
      'include=title,status,tags',
      'include=title&include=status&include=tags',
      'include=title,status&include=tags',
    ]) {
      const { data } = (await api.get(`/api/v1/links?${query}`)).json;
      assert.deepEqual(Object.keys(data[0]).slice(6), ['title', 'tags', 'status'], query);
    }
    for (const query of ['tag=one,two&tagMatch=all', 'tag=one&tag=two&tagMatch=all'])
      assert.equal((await api.get(`/api/v1/links?${query}`)).json.pagination.total, 1, query);
    for (const query of ['class=human,bot', 'class=human&class=bot'])
      assert.equal((await api.get(`/api/v1/stats?${query}`)).status, 200, query);
    const wrong = await api.get('/api/v1/links?include=title&include=nonsense');
    assert.deepEqual([wrong.status, wrong.json.error.details[0].reason], [400, 'unknown_value']);
  });

  test('rejects two filters joined into one, with the fix', async () => {
    const { key } = await server.newKey();
    const api = as(server, key);
    const fused = await api.get(`/api/v1/stats?filter=${encodeURIComponent('country:is:DE,os:is:ios')}`);
    assert.equal(fused.status, 400);
    assert.match(fused.json.error.message, /%3A/);
    const encoded = encodeURIComponent(`utmCampaign:is:${encodeURIComponent('a:b')}`);
    assert.equal((await api.get(`/api/v1/stats?filter=${encoded}`)).status, 200);
    assert.equal((await api.get('/api/v1/stats?filter=country:is:DE&filter=os:is:ios')).status, 200);
  });

  test('rejects a repeated parameter that is not a list, ignores an unknown one', async () => {
    const { api } = await account();
    const id = await makeLink(api);
    for (const [path, field] of [
      ['/api/v1/links?page=1&page=1', 'page'],
      ['/api/v1/links?limit=5&limit=6', 'limit'],
      ['/api/v1/links?folderId=none&folderId=none', 'folderId'],
      [`/api/v1/links/${id}?timezone=UTC&timezone=UTC`, 'timezone'],
    ] as const) {
      const answer = await api.get(path);
      assert.equal(answer.status, 400, path);
      const { field: told, reason } = answer.json.error.details[0];
      assert.deepEqual([told, reason], [field, 'repeated']);
    }
    for (const query of words('x=1&x=2 pages=0 Page=0 page[]=0 __proto__=1&__proto__=2 % &&=& page=1&')) {
      assert.equal((await api.get(`/api/v1/links?${query}`)).status, 200, query);
    }
  });

  test('ignores unknown and foreign body fields, including __proto__', async () => {
    const { api, key } = await account();
    const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
    const made = await api.post('/api/v1/shorten', {
      url,
      id,
      clicks: 99,
      createdAt: '2001-01-01',
      shortUrl: 'x',
      accountId: 1,
    });
    assert.equal(made.status, 201);
    assert.notEqual(made.json.data.id, id);
    const hostile = `{"url":"${url}","__proto__":{"title":"polluted"},"constructor":{"prototype":{"title":"polluted"}}}`;
    const polluted = JSON.parse((await shorten(key, hostile)).text);
    for (const one of [made.json.data.id, polluted.data.id]) {
      const read = await api.get(`/api/v1/links/${one}`);
      assert.deepEqual([read.json.data.title, read.json.data.clicks], [null, 0]);
    }
    assert.equal(
      codeOf(await shorten(key, `{"__proto__":{"url":"${url}"}}`)),
      'VALIDATION_ERROR',
      'own fields only',
    );
  });

  test('treats null on create as absent', async () => {
    const { api } = await account();
    const nulls = { customCode: null, title: null, description: null, expiresAt: null, folderId: null };
    const made = await api.post('/api/v1/shorten', { url, ...nulls });
    assert.equal(made.status, 201, made.text);
    const include = 'title,description,expiresAt,folderId';
    const { data } = (await api.get(`/api/v1/links/${made.json.data.id}?include=${include}`)).json;
    assert.deepEqual([data.title, data.description, data.expiresAt, data.folderId], [null, null, null, null]);
    const required = await api.post('/api/v1/shorten', { url: null });
    assert.deepEqual([required.status, required.json.error.details[0].field], [400, 'url']);
  });

  test('counts lengths in code points', async () => {
    const { api } = await account();
    const id = await makeLink(api);
    const folder = await makeFolder(api);
    for (const [field, most] of [
      ['title', 255],
      ['description', 2_000],
    ] as const) {
      for (const one of [emoji, '\u00fc', 'x', '\u{1d4d0}']) {
        const text = one.repeat(most);
        assert.equal(
          (await api.post('/api/v1/shorten', { url, [field]: text })).status,
          201,
          `${field} ${one}`,
        );
        assert.equal((await api.patch(`/api/v1/links/${id}`, { [field]: text })).status, 200);
        assert.equal((await api.get(`/api/v1/links/${id}?include=${field}`)).json.data[field], text);
        for (const long of [
          await api.post('/api/v1/shorten', { url, [field]: text + one }),
          await api.patch(`/api/v1/links/${id}`, { [field]: text + one }),
        ]) {
          assert.equal(long.status, 400);
          assert.deepEqual(long.json.error.details, [
            { field, reason: 'too_long', message: `${field} must be at most ${most} characters.` },
          ]);
        }
      }
    }
    assert.equal((await api.patch(`/api/v1/folders/${folder}`, { name: emoji.repeat(50) })).status, 200);
    for (const name of [emoji.repeat(51), 'x'.repeat(51), `${'x'.repeat(50)} `]) {
      const long = await api.patch(`/api/v1/folders/${folder}`, { name });
      assert.deepEqual([long.status, long.json.error.details[0].reason], [400, 'too_long']);
      assert.equal((await api.post('/api/v1/folders', { name })).status, 400);
    }
  });

  test('rejects control characters and lone surrogates in every text, except line breaks and tabs in descriptions', async () => {
    const { api } = await account();
    const link = await makeLink(api);
    const bad = ['\0', 'a\u0000b', '\u0001', '\u001f', '\u001b[31m', '\r', 'a\ud800', '\udc00\ud800'];
    for (const text of bad) {
      for (const field of ['title', 'description', 'customCode', 'folderId', 'url', 'expiresAt']) {
        const value = field === 'customCode' ? `abc${text}` : field === 'url' ? url + text : text;
        const answer = await api.post('/api/v1/shorten', { url, [field]: value });
        // A line break at the end of a URL is trimmed.
        const trimmed = field === 'url' && text === '\r';
        assert.equal(answer.status, trimmed ? 201 : 400, `${field}: ${JSON.stringify(text)} ${answer.text}`);
        if (!trimmed) assert.equal(answer.json.error.details[0].field, field);
      }
      const named = await api.post('/api/v1/folders', { name: `a${text}` });
      assert.equal(named.status, 400, JSON.stringify(text));
      const moved = await api.patch(`/api/v1/links/${link}/move`, { folderId: text });
      assert.equal(moved.status, 400, JSON.stringify(text));
    }
    assert.equal((await api.post('/api/v1/shorten', { url, title: 'a\nb' })).status, 400);
    for (const text of ['a\nb\tc', '\u007f', '\u0085', '\u202e', '\ufeff', '\u{10ffff}', emoji]) {
      const made = await api.post('/api/v1/shorten', { url, description: text });
      assert.equal(made.status, 201, JSON.stringify(text));
      const read = await api.get(`/api/v1/links/${made.json.data.id}?include=description`);
      assert.equal(read.json.data.description, text);
    }
  });

  test('returns the same error envelope with ordered keys and the request ID from the header', async () => {
    const { key } = await account();
    const authorization = `Bearer ${key}`;
    const raw = async (bytes: string): Promise<Answer> => {
      const { text } = await converse(server.port, [bytes], { enough: (so) => answersIn(so).length > 0 });
      return answersIn(text)[0] as Answer;
    };
    const refusals: Record<string, Answer> = {
      fields: await shorten(key, '{"url":5,"title":5}'),
      'a missing key': await ask(server, { path: '/api/v1/links' }),
      'a wrong method': await ask(server, { method: 'PUT', path: '/api/v1/links' }),
      'an unknown path': await ask(server, { path: '/api/nothing' }),
      'broken percent-encoding': await ask(server, { path: '/api/v1/links/%zz' }),
      'broken percent-encoding outside': await ask(server, { path: '/%zz' }),
      'an unknown code': await ask(server, { path: '/unknown-code' }),
      'a code and a wrong method': await ask(server, { method: 'POST', path: '/unknown-code' }),
      'a probe and a wrong method': await ask(server, { method: 'POST', path: '/healthz' }),
      'a long target': await ask(server, { path: `/api/v1/${'a'.repeat(5_000)}` }),
      'a long public target': await ask(server, { path: `/${'a'.repeat(5_000)}` }),
      'long headers': await ask(server, { path: '/', headers: { 'x-long': 'a'.repeat(20_000) } }),
      'a large body': await shorten(key, 'x'.repeat(70_000)),
      'a strange expectation': await ask(server, { path: '/', headers: { expect: 'miracles' } }),
      'no host': await raw('GET / HTTP/1.1\r\n\r\n'),
      'no HTTP': await raw('hello\r\n\r\n'),
      CONNECT: await raw('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
      'an unknown link': await ask(server, { path: '/api/v1/links/nope', headers: { authorization } }),
    };
    const ids = new Set<string>();
    for (const [what, answer] of Object.entries(refusals)) {
      assert.equal(faultIn(answer), undefined, what);
      const body = JSON.parse(answer.text);
      assert.deepEqual(Object.keys(body), ['success', 'error'], what);
      const details = what === 'fields' ? ['details'] : [];
      assert.deepEqual(Object.keys(body.error), ['code', 'message', ...details, 'requestId', 'docs'], what);
      for (const detail of body.error.details ?? []) {
        assert.deepEqual(Object.keys(detail), ['field', 'reason', 'message'], what);
      }
      assert.equal(answer.headers['cache-control'], 'no-store', what);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', what);
      assert.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.text), what);
      assert.ok(!answer.text.includes(key) && !/node_modules|\.ts:|SQLITE|at \w+ \(/.test(answer.text), what);
      ids.add(body.error.requestId);
    }
    assert.equal(ids.size, Object.keys(refusals).length, 'every request has an id of its own');
  });

  test('sends the common headers with every API response', async () => {
    const { api } = await account();
    const made = await api.post('/api/v1/shorten', { url });
    const folder = await api.post('/api/v1/folders', { name: 'x' });
    const id = made.json.data.id;
    const answers = [made, folder, await api.get('/api/v1/links'), await api.get(`/api/v1/links/${id}`)];
    for (const answer of [...answers, await api.get('/api/v1/me')]) {
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.match(answer.headers.get('x-request-id') ?? '', /^\S{8,}$/);
    }
    const location = folder.headers.get('location');
    assert.equal(location, `${server.url}/api/v1/folders/${folder.json.folder.id}`);
    const deleted = await api.delete(`/api/v1/links/${id}`);
    assert.deepEqual([deleted.text, deleted.headers.get('content-type')], ['', null]);
    assert.equal(deleted.headers.get('cache-control'), 'no-store');
    assert.ok(deleted.headers.get('x-request-id'));
  });

  const headWith = (target: string, ...lines: string[]): string =>
    [`GET ${target} HTTP/1.1`, 'Connection: close', ...lines, '', ''].join('\r\n');
  const codeFor = async (...lines: string[]): Promise<(string | number)[]> => {
    const codes = [];
    for (const target of ['/api/v1/openapi.json', '/unknown-code', '/healthz']) {
      const [answer] = answersIn((await converse(server.port, [headWith(target, ...lines)])).text);
      const { error } = JSON.parse(answer?.text ?? '{}');
      codes.push(error?.code ?? answer?.status ?? 'nothing');
    }
    return codes;
  };

  test('rejects an invalid or repeated Host header', async () => {
    const bad = [
      'a b',
      'a/b',
      'a b/../@',
      'a@b',
      'a:b',
      'a:80:80',
      '[::1',
      '::1',
      '[a]]',
      'a?b',
      'a#b',
      '<a>',
      'a"',
      'a%2',
    ];
    for (const host of bad)
      assert.deepEqual(await codeFor(`Host: ${host}`), Array(3).fill('BAD_REQUEST'), host);
    const twice = await codeFor('Host: a.example', 'Host: a.example');
    assert.deepEqual(twice, Array(3).fill('BAD_REQUEST'));
    const good = [
      'a',
      'LOCALHOST:8080',
      '127.0.0.1:80',
      '[::1]',
      '[2001:db8::1]:3000',
      'a_b.example',
      'a:',
      '',
      'a%20b',
    ];
    for (const host of good)
      assert.deepEqual(await codeFor(`Host: ${host}`), [200, 'CODE_NOT_FOUND', 200], host);
    const other = await codeFor('Host: A.example:8080');
    assert.deepEqual(other, [200, 'UNKNOWN_HOST', 200], 'short links are of the installation’s own hosts');
  });

  test('rejects a request with two Authorization headers', async () => {
    const { key } = await account();
    const [first, second] = [`Authorization: Bearer ${key}`, 'authorization: Bearer other'];
    for (const lines of [
      [first, second],
      [second, first],
      [first, first],
    ]) {
      assert.deepEqual(await codeFor('Host: a', ...lines), Array(3).fill('BAD_REQUEST'));
      const { text } = await converse(server.port, [headWith('/api/v1/me', 'Host: a', ...lines)]);
      assert.match(text, /^HTTP\/1\.1 400 .*two Authorization headers/s);
    }
  });

  test("builds short URLs from the server's settings, never from the Host header", async () => {
    const { key } = await account();
    const answer = await shorten(key, JSON.stringify({ url }), {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    assert.equal(answer.status, 201);
    assert.ok(
      !answer.text.includes('evil.example') && !String(answer.headers.location).includes('evil.example'),
    );
    assert.ok(JSON.parse(answer.text).data.shortUrl.startsWith(`${server.url}/`));
  });
});
