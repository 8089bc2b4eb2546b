import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ask } from '../support/http/ask.ts';
import { parseExposition, seriesValue } from '../support/http/exposition.ts';
import { call, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { words } from '../support/words.ts';

const token = 'a-token-of-the-documentation';
const documentPath = '/api/v1/openapi.json';
const pagePath = '/api/v1/docs';
const anyone = { authorization: 'Bearer lfk_nonsense' };

describe('the documentation of the API', () => {
  let server: Server;
  let assets: string[];
  before(async () => {
    server = await startServer({ METRICS_TOKEN: token });
    const { text } = await call(server, 'GET', pagePath);
    assets = [...text.matchAll(/(?:src|href)="(\/api\/v1\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
  });
  after(() => server.stop());

  test('requires no key and ignores one', async () => {
    for (const path of [documentPath, pagePath, `${pagePath}/`, ...assets]) {
      for (const headers of [{}, anyone]) {
        const answer = await ask(server, { path, headers });
        assert.equal(answer.status, 200, path);
        assert.equal(answer.headers['x-content-type-options'], 'nosniff', path);
        assert.ok(answer.headers['x-request-id'], path);
      }
    }
    assert.equal(assets.length, 3);
  });

  test('is not sent again to clients that have it', async () => {
    for (const path of [documentPath, pagePath, ...assets]) {
      const first = await ask(server, { path });
      const tag = String(first.headers.etag);
      assert.match(tag, /^W\/"[\w-]{16}"$/, path);
      for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(server, { method, path, headers: { 'if-none-match': known } });
          assert.deepEqual([answer.status, answer.text], [304, ''], `${method} ${path} ${known}`);
          assert.equal(answer.headers.etag, tag);
          assert.equal(answer.headers['cache-control'], first.headers['cache-control']);
          assert.equal(answer.headers['content-type'], undefined);
        }
      }
      for (const other of ['"other"', 'W/"other"', '', tag.slice(0, -2)]) {
        const answer = await ask(server, { path, headers: { 'if-none-match': other } });
        assert.equal(answer.status, 200, `${path} ${other}`);
      }
    }
  });

  test('is revalidated by clients, except files with a content hash in their URL', async () => {
    const lifetimeOf = async (path: string) => (await ask(server, { path })).headers['cache-control'];
    assert.equal(await lifetimeOf(documentPath), 'no-cache');
    assert.equal(await lifetimeOf(pagePath), 'no-cache');
    for (const path of assets) {
      assert.equal(await lifetimeOf(path), 'public, max-age=31536000, immutable', path);
      const [plain = ''] = path.split('?');
      for (const query of ['', '?v=', '?v=other', '?v=a&v=b']) {
        assert.equal(await lifetimeOf(plain + query), 'no-cache', plain + query);
      }
    }
  });

  test('is compressed for clients that accept it, and the same for all', async () => {
    const sizeOf = async (encoding: string | undefined): Promise<[number, string]> => {
      const response = await fetch(server.url + documentPath, {
        headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
      });
      assert.equal(response.headers.get('vary'), 'accept-encoding');
      const bytes = new Uint8Array(await response.arrayBuffer());
      return [Number(response.headers.get('content-length')), new TextDecoder().decode(bytes)];
    };
    const [plain, text] = await sizeOf('identity');
    assert.equal(plain, Buffer.byteLength(text));
    assert.match(JSON.parse(text).openapi, /^3\.1/);
    for (const none of ['gzip;q=0', 'gzip; q=0.0, br', 'br, deflate', '*;q=0', 'x-gzipped', '']) {
      assert.deepEqual(await sizeOf(none), [plain, text], none);
    }
    for (const some of ['gzip', 'GZIP', 'br, gzip', 'deflate,gzip;q=0.5', 'gzip;q=1.0']) {
      const [size, same] = await sizeOf(some);
      assert.ok(size < plain / 5, `${some}: ${size} of ${plain} bytes`);
      assert.equal(same, text, some);
    }
  });

  test('HEAD returns the headers of GET', async () => {
    for (const path of [documentPath, pagePath, ...assets]) {
      for (const encoding of ['gzip', 'identity']) {
        const headers = { 'accept-encoding': encoding };
        const [got, headed] = [
          await ask(server, { path, headers }),
          await ask(server, { method: 'HEAD', path, headers }),
        ];
        assert.deepEqual([headed.status, headed.text], [200, ''], path);
        for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control']) {
          assert.equal(headed.headers[name], got.headers[name], `${path} ${encoding} ${name}`);
        }
      }
    }
  });

  test('lets the page load and run only its own files', async () => {
    const { headers, text } = await call(server, 'GET', pagePath);
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    assert.equal(policy.get('default-src'), "'none'");
    for (const name of ['script-src', 'connect-src']) assert.equal(policy.get(name), "'self'", name);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors'])
      assert.equal(policy.get(name), "'none'");
    for (const [name, sources] of policy) assert.doesNotMatch(sources, /https?:|\*|unsafe-eval/, name);
    assert.doesNotMatch(text, /https?:\/\/|<script>| on[a-z]+="| style="/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
  });

  test('rejects other methods and unknown paths', async () => {
    for (const path of [documentPath, pagePath, ...assets]) {
      const answer = await ask(server, { method: 'POST', path });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], path);
    }
    for (const path of words(`
      /viewer.js.gz /theme /../openapi.json /%2e%2e/keys /viewer.js/x /viewer.json
    `)) {
      assert.equal((await ask(server, { path: pagePath + path })).status, 404, path);
    }
  });

  test('sends a file as fast as it is read: clients that do not read fill no memory', async () => {
    const [path = ''] = assets.filter((asset) => asset.includes('viewer'));
    const size = Number((await ask(server, { method: 'HEAD', path })).headers['content-length']);
    assert.ok(size > 1_000_000);
    const readers = Array.from({ length: 50 }, () => {
      const socket = connect(server.port, '127.0.0.1').pause();
      socket.on('error', () => {});
      // Sends several requests, so that the response is larger than the operating system's buffers.
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(8));
      return socket;
    });
    const buffered = async (): Promise<number> => {
      const scraped = await call(server, 'GET', '/metrics', {
        headers: { authorization: `Bearer ${token}` },
      });
      return seriesValue(parseExposition(scraped.text), 'linkfold_unread_answer_bytes') ?? 0;
    };
    try {
      // The server counts unread bytes once a second.
      await until('unread bytes are counted', async () => (await buffered()) > 0);
      let most = 0;
      for (let look = 0; look < 30; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        most = Math.max(most, await buffered());
      }
      assert.ok(most < 50 * 256 * 1024, `${most} bytes are buffered for 50 readers`);
    } finally {
      for (const socket of readers) socket.destroy();
    }
  });

  test('costs no more than other responses: nothing is generated per request', async () => {
    const { key } = await server.newKey();
    const pid = server.child.pid;
    /** Returns the process's CPU time in hundredths of a second. */
    const usedBy = (): number => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(stat[11]) + Number(stat[12]);
    };
    const costOf = async (path: string, headers: Record<string, string>): Promise<number> => {
      const before = usedBy();
      for (let batch = 0; batch < 20; batch += 1) {
        await Promise.all(Array.from({ length: 20 }, () => ask(server, { path, headers })));
      }
      return usedBy() - before;
    };
    const authorization = `Bearer ${key}`;
    const gzip = { 'accept-encoding': 'gzip' };
    await costOf('/api/v1/links', { authorization }); // Warms up the server.
    const list = await costOf('/api/v1/links', { authorization });
    for (const [path, headers] of [
      [documentPath, gzip],
      [documentPath, { 'if-none-match': '*' }],
      [pagePath, {}],
    ] as const) {
      const cost = await costOf(path, headers);
      assert.ok(cost <= list * 3 + 10, `400 requests for ${path} took ${cost} ticks, for a list ${list}`);
    }
  });
});

test('API_DOCS=0 removes the page and keeps the document', async (t) => {
  const server = await startServer({ API_DOCS: '0' });
  t.after(() => server.stop());
  for (const path of [pagePath, `${pagePath}/viewer.js`, `${pagePath}/start.js`, `${pagePath}/theme.css`]) {
    const answer = await call(server, 'GET', path);
    assert.deepEqual([answer.status, answer.json.error.code], [404, 'ROUTE_NOT_FOUND'], path);
  }
  assert.equal((await call(server, 'GET', documentPath)).status, 200);
  const { text } = await call(server, 'GET', '/', { headers: { accept: 'text/html' } });
  assert.deepEqual(
    [...text.matchAll(/href="(\/api[^"]*)"/g)].map(([, path]) => path),
    [documentPath],
    'the first page leads to what is there',
  );
});

test("uses the viewer's original package file, under a permissive license", async () => {
  const read = (name: string): Buffer =>
    readFileSync(new URL(`../../src/api/reference/files/${name}`, import.meta.url));
  const told = JSON.parse(read('viewer.json').toString()) as { license: string; sha256: string };
  const bytes = gunzipSync(read('viewer.js.gz'));
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))).toString('hex');
  assert.equal(digest, told.sha256);
  const licences = [
    ...read('viewer-licenses.txt')
      .toString()
      .matchAll(/^@?[\w./-]+ [\w.-]+ \(([\w.-]+)\)$/gm),
  ];
  assert.ok(licences.length > 100);
  const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];
  assert.deepEqual(
    [...new Set(licences.map(([, name = '']) => name))].filter((name) => !permissive.includes(name)),
    [],
  );
});
