import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { call, endServers, type Service, startServer } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

before(() => {
  const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'build-dashboard.ts');
  execFileSync(process.execPath, [script]);
});
after(endServers);

/** Returns the files that the page loads immediately. */
function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

/** Returns a response with its raw bytes. */
async function bytesOf(server: Service, path: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  const { hostname: host, port } = new URL(server.url);
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request({ host, port, path, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            bytes: Buffer.concat(parts),
          }),
        );
      });
      sent.on('error', reject).end();
    },
  );
}

describe('the dashboard as files', () => {
  let server: SharedServer;
  before(async () => {
    server = await sharedServer();
  });

  test('serves one page at every path below /dashboard, under a policy that allows no foreign content', async () => {
    const first = await call(server, 'GET', '/dashboard');
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    assert.equal(
      first.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    assert.equal(first.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(first.text, /<script(?![^>]* src=)|<style| style="| on\w+="/, 'nothing inline');
    for (const path of ['/dashboard/', '/dashboard?a=b', '/dashboard/links?q=%00', '/dashboard/a/b/c']) {
      const shown = await call(server, 'GET', path);
      assert.deepEqual([path, shown.status, shown.text], [path, 200, first.text]);
    }
    const headed = await call(server, 'HEAD', '/dashboard/links');
    assert.deepEqual([headed.status, headed.text], [200, '']);
    const tag = first.headers.get('etag') ?? '';
    const again = await call(server, 'GET', '/dashboard', { headers: { 'if-none-match': tag } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  test('caches its files permanently, compresses them on request, and serves the same bytes', async () => {
    const paths = filesOf((await call(server, 'GET', '/dashboard')).text);
    assert.ok(paths.some((path) => path.endsWith('.js')) && paths.some((path) => path.endsWith('.css')));
    for (const path of paths) {
      const plain = await bytesOf(server, path);
      assert.equal(plain.status, 200, path);
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.match(
        String(plain.headers['content-type']),
        /^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml|application\/manifest\+json)$/,
      );
      assert.equal(plain.headers['content-encoding'], undefined);
      const brotli = await bytesOf(server, path, { 'accept-encoding': 'gzip, deflate, br' });
      assert.equal(brotli.headers['content-encoding'], 'br');
      assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes);
      const gzip = await bytesOf(server, path, { 'accept-encoding': 'br;q=0, gzip' });
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
    }
  });

  test('can be installed on a phone as a share target', async () => {
    const page = (await call(server, 'GET', '/dashboard')).text;
    const [, path = ''] = /rel="manifest" href="([^"]+)"/.exec(page) ?? [];
    const { icons, scope, share_target: target } = JSON.parse((await call(server, 'GET', path)).text);
    assert.deepEqual([scope, target.action, target.method], ['/dashboard', '/dashboard/links', 'GET']);
    for (const { src, type } of icons) {
      const icon = await call(server, 'GET', src);
      assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, type]);
    }
  });

  test('returns 404 for a file of another build, and serves nothing outside the build', async () => {
    for (const path of [
      '/dashboard/assets/main-OLD.js',
      '/dashboard/assets/../../package.json',
      '/dashboard/assets/%2e%2e/index.html',
      '/dashboard/assets/__proto__',
    ]) {
      const { status, headers } = await bytesOf(server, path);
      assert.deepEqual([path, status, headers['cache-control']], [path, 404, 'no-store']);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await call(server, method, '/dashboard');
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
    }
    for (const path of ['/dashboards', '/dashboard+', '/dashboardx/y'])
      assert.equal((await call(server, 'GET', path)).status, 404, path);
  });

  test('loads at most 61 kB first, and 251 kB in total, gzipped', async (t) => {
    const { readBuild } = await sizes();
    const { first, all } = readBuild(filesOf((await call(server, 'GET', '/dashboard')).text));
    t.diagnostic(`first load ${first} bytes, everything ${all} bytes, gzipped`);
    assert.ok(first <= 61_000, `${first}`);
    // Maximum gzipped size in bytes. It grew with features: members, passkeys, app files, destination monitoring,
    // history, imports, webhooks, several accounts, golinks, apps, and parsers for exports from other services (20 kB,
    // loaded once a file is chosen).
    assert.ok(all <= 251_000, `${all}`);
  });
});

async function sizes() {
  const { readFileSync } = await import('node:fs');
  const { files } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', '..', '.dashboard.json'), 'utf8'),
  ) as { files: Record<string, { gzip: string }> };
  const lengthOf = (name: string): number => Buffer.from(files[name]?.gzip ?? '', 'base64').length;
  return {
    readBuild: (paths: readonly string[]) => ({
      first: ['index.html', ...paths.map((path) => path.replace('/dashboard/', ''))]
        .map(lengthOf)
        .reduce((sum, one) => sum + one, 0),
      all: Object.keys(files)
        .map(lengthOf)
        .reduce((sum, one) => sum + one, 0),
    }),
  };
}

test('DASHBOARD=0 disables it, DASHBOARD_HOST binds it to a host', async () => {
  const off = await startServer({ DASHBOARD: '0' });
  assert.equal((await call(off, 'GET', '/dashboard')).status, 404);
  assert.equal((await call(off, 'GET', '/dashboard/links')).status, 404);
  assert.equal(await off.stop(), 0);

  const bound = await startServer({ DASHBOARD_HOST: 'Links.Example.com' });
  const at = async (host: string): Promise<number> =>
    (await call(bound, 'GET', '/dashboard/links', { headers: { host } })).status;
  assert.deepEqual(
    [await at('links.example.com'), await at('LINKS.example.com:8443'), await at('go.example.com')],
    [200, 200, 421],
  );
  const { key } = await bound.newKey();
  const url = 'https://links.example.com/round';
  const refused = await call(bound, 'POST', '/api/v1/shorten', { key, body: { url } });
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'SELF_REFERENTIAL_URL']);
  assert.equal(await bound.stop(), 0);
});
