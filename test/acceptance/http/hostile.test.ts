import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import {
  caseVariants,
  hostileBase,
  hostileBlockList,
  hostileCodes,
  hostileUrls,
} from '../../support/http/hostile.ts';
import { statusOf } from '../../support/http/openapi.ts';
import { freePort } from '../../support/http/ports.ts';
import { atMost, valuesOf } from '../../support/http/wire.ts';
import { type Answer, as, type Server, startServer } from '../../support/server/server.ts';

const connections = 16;
const printable = /^https?:\/\/[\x21-\x7e]+$/;
function show(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** A server whose short links live on another address than the one it listens on. */
async function startHostile(
  env: Record<string, string> = {},
): Promise<{ server: Server; local: { url: string; port: number } }> {
  const port = await freePort();
  const server = await startServer({
    PORT: String(port),
    BASE_URL: hostileBase,
    BLOCKED_HOSTS: hostileBlockList.join(','),
    ...env,
  });
  return { server, local: { url: `http://127.0.0.1:${port}`, port } };
}

function assertRefused(answer: Answer, code: string, what: string): void {
  assert.equal(answer.json?.error?.code, code, `${what} got ${answer.status} ${answer.text}`);
  assert.equal(answer.status, statusOf.get(code), what);
}

describe('hostile URLs and codes, over HTTP', () => {
  let guarded: Awaited<ReturnType<typeof startHostile>>;
  let open: Awaited<ReturnType<typeof startHostile>>;
  before(async () => {
    [guarded, open] = await Promise.all([startHostile({ BLOCK_PRIVATE_DESTINATIONS: '1' }), startHostile()]);
  });
  after(() => Promise.all([guarded.server.stop(), open.server.stop()]));

  const assertLeads = async (port: number, made: Answer, location: string, what: string): Promise<void> => {
    assert.equal(made.status, 201, `${what} got ${made.text}`);
    const followed = await ask({ port }, { path: `/${made.json.data.shortCode}` });
    assert.equal(followed.status, 302, what);
    const locations = valuesOf(followed, 'location');
    assert.deepEqual(locations, [location], what);
    assert.match(locations[0] ?? '', printable, what);
    const preview = await ask({ port }, { path: `/${made.json.data.shortCode}+` });
    assert.equal(preview.status, 200, what);
    assert.doesNotMatch(preview.text, /<script>alert|"><script>/i, what);
  };

  test('every URL is refused with its code, or leads exactly where the table says', async () => {
    const { server, local } = guarded;
    const api = as(local, (await server.newKey()).key);
    await atMost(connections, hostileUrls, async ({ url, why, outcome }) => {
      const what = `${why}: ${show(url)}`;
      const made = await api.post('/api/v1/shorten', { url });
      if ('refused' in outcome) assertRefused(made, outcome.refused, what);
      else await assertLeads(local.port, made, outcome.location, what);
    });
    const accepted = hostileUrls.filter(({ outcome }) => 'location' in outcome).length;
    const { total } = (await api.get('/api/v1/links')).json.pagination;
    assert.equal(total, accepted, 'a refused URL leaves no link behind');
  });

  test('the same URLs are refused when a link is pointed elsewhere, and the link stays', async () => {
    const { server, local } = guarded;
    const api = as(local, (await server.newKey()).key);
    const { id, shortCode } = (await api.post('/api/v1/shorten', { url: 'https://example.com/first' })).json
      .data;
    await atMost(connections, hostileUrls, async ({ url, why, outcome }) => {
      if (!('refused' in outcome)) return;
      const answer = await api.patch(`/api/v1/links/${id}/destination`, { url });
      assertRefused(answer, outcome.refused, `${why}: ${show(url)}`);
      const asImage = await api.patch(`/api/v1/links/${id}`, { card: { image: url } });
      assert.equal(asImage.json?.error?.details?.[0].field, 'card.image', `${why}: ${show(url)}`);
    });
    const followed = await ask(local, { path: `/${shortCode}` });
    assert.deepEqual(valuesOf(followed, 'location'), ['https://example.com/first']);
  });

  test('without BLOCK_PRIVATE_DESTINATIONS intranet pages can be shortened, and nothing else changes', async () => {
    const { server, local } = open;
    const api = as(local, (await server.newKey()).key);
    const intranet = hostileUrls.filter((entry) => entry.privateBlocked);
    await atMost(connections, intranet, async ({ url, why }) => {
      const made = await api.post('/api/v1/shorten', { url });
      await assertLeads(local.port, made, new URL(url).href, `${why}: ${show(url)}`);
    });
    const blocked = hostileUrls.filter(
      ({ outcome, privateBlocked }) =>
        'refused' in outcome && outcome.refused === 'DESTINATION_BLOCKED' && !privateBlocked,
    );
    await atMost(connections, blocked, async ({ url }) => {
      assertRefused(await api.post('/api/v1/shorten', { url }), 'DESTINATION_BLOCKED', show(url));
    });
  });

  test('without BASE_URL the server knows its own address under every loopback name', async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    const api = as(server, (await server.newKey()).key);
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST.', '[::1]', '0x7f.1', '2130706433', '127.1']) {
      const url = `http://${host}:${server.port}/abc`;
      assertRefused(await api.post('/api/v1/shorten', { url }), 'SELF_REFERENTIAL_URL', url);
    }
    const elsewhere = await api.post('/api/v1/shorten', { url: `http://127.0.0.1:${server.port + 1}/abc` });
    assert.equal(elsewhere.status, 201, 'another port is another service');
  });

  test('every code is refused with its code, or taken exactly as it is', async () => {
    const { server, local } = open;
    const api = as(local, (await server.newKey()).key);
    await atMost(connections, hostileCodes, async ({ code, why, refused }) => {
      const what = `${why}: ${show(code)}`;
      const made = await api.post('/api/v1/shorten', { url: 'https://example.com/code', customCode: code });
      if (refused !== undefined) return assertRefused(made, refused, what);
      assert.equal(made.status, 201, `${what} got ${made.text}`);
      assert.equal(made.json.data.shortCode, code);
      assert.equal(made.json.data.shortUrl, `${hostileBase}/${code}`);
      assert.equal((await ask(local, { path: `/${code}` })).status, 302, what);
    });
  });

  test('no refused code is answered by the public side', async () => {
    const { local } = open;
    const unusable = hostileCodes.filter(
      ({ refused, code }) => refused === 'INVALID_CUSTOM_CODE' && code.isWellFormed(),
    );
    await atMost(connections, unusable, async ({ code }) => {
      const { status } = await ask(local, { path: `/${encodeURIComponent(code)}` });
      assert.ok(status === 404 || ['robots.txt', 'favicon.ico'].includes(code), `${show(code)}: ${status}`);
    });
  });

  test('case variants are one code: the second link is refused, both spellings lead to the first', async () => {
    const { server, local } = open;
    const [first, second] = [as(local, (await server.newKey()).key), as(local, (await server.newKey()).key)];
    for (const [one, other] of caseVariants) {
      const made = await first.post('/api/v1/shorten', { url: 'https://example.com/1', customCode: one });
      assert.equal(made.status, 201, one);
      for (const api of [first, second]) {
        const again = await api.post('/api/v1/shorten', { url: 'https://evil.test/', customCode: other });
        assertRefused(again, 'CUSTOM_CODE_TAKEN', other);
      }
      for (const spelling of [one, other, one.toUpperCase(), one.toLowerCase()]) {
        const followed = await ask(local, { path: `/${spelling}` });
        assert.deepEqual(valuesOf(followed, 'location'), ['https://example.com/1'], spelling);
      }
    }
  });
});
