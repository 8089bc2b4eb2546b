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
import { sharedServer } from '../../support/server/shared-server.ts';

const connections = 16;
const printable = /^https?:\/\/[\x21-\x7e]+$/;
function show(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Starts a server whose short URLs have a different host from the one it listens on. */
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

/** Returns the fields named in an error. */
function fieldsIn(answer: Answer): string[] {
  return answer.json.error.details.map(({ field }: { field: string }) => field);
}

const safe = 'https://example.com/first';
const numbered = hostileUrls.map((one, at) => ({ ...one, at }));

/** Link fields that contain a URL, each with the body of a link that redirects to the URL in this field. */
const fieldsOfLinks: readonly {
  readonly field: string;
  /** True if the field has its own error codes. */
  readonly isDestination?: boolean;
  readonly body: (url: string) => object;
}[] = [
  { field: 'url', isDestination: true, body: (url) => ({ url }) },
  { field: 'expiredUrl', body: (url) => ({ url: safe, expiredUrl: url, disabled: true }) },
  { field: 'rules[0].to.url', body: (url) => ({ url: safe, rules: [{ when: [], to: { url } }] }) },
  {
    field: 'rules[0].to.split[0].url',
    body: (url) => ({ url: safe, rules: [{ when: [], to: { split: [{ url, weight: 1 }] } }] }),
  },
];

/** Requests that create a link. */
const ways: readonly {
  readonly name: string;
  readonly make: (api: ReturnType<typeof as>, body: object, at: number) => Promise<Answer>;
}[] = [
  { name: 'a new link', make: (api, body) => api.post('/api/v1/shorten', body) },
  {
    name: 'a link by its external id',
    make: (api, body, at) => api.put(`/api/v1/links/by-external-id/hostile-${at}`, body),
  },
];

describe('hostile URLs and codes, over HTTP', () => {
  let guarded: Awaited<ReturnType<typeof startHostile>>;
  let open: Awaited<ReturnType<typeof startHostile>>;
  before(async () => {
    [guarded, open] = await Promise.all([startHostile({ BLOCK_PRIVATE_DESTINATIONS: '1' }), startHostile()]);
  });
  after(() => Promise.all([guarded.server.stop(), open.server.stop()]));

  const assertLeads = async (
    port: number,
    made: Answer,
    location: string,
    what: string,
    isDestination = true,
  ): Promise<void> => {
    assert.equal(made.status, 201, `${what} got ${made.text}`);
    const followed = await ask({ port }, { path: `/${made.json.data.shortCode}` });
    assert.equal(followed.status, 302, what);
    const locations = valuesOf(followed, 'location');
    assert.deepEqual(locations, [location], what);
    assert.match(locations[0] ?? '', printable, what);
    if (!isDestination) return;
    const preview = await ask({ port }, { path: `/${made.json.data.shortCode}+` });
    assert.equal(preview.status, 200, what);
    assert.doesNotMatch(preview.text, /<script>alert|"><script>/i, what);
  };

  for (const { field, body, isDestination = false } of fieldsOfLinks) {
    for (const { name, make } of ways) {
      test(`${field} of ${name}: rejects every URL with its place, or redirects exactly as in the table`, async () => {
        const { server, local } = guarded;
        const api = as(local, (await server.newKey()).key);
        await atMost(connections, numbered, async ({ at, url, why, outcome }) => {
          const what = `${field}, ${why}: ${show(url)}`;
          const made = await make(api, body(url), at);
          if ('refused' in outcome) {
            assertRefused(made, isDestination ? outcome.refused : 'VALIDATION_ERROR', what);
            assert.deepEqual(fieldsIn(made), [field], what);
          } else await assertLeads(local.port, made, outcome.location, what, isDestination);
        });
        const accepted = hostileUrls.filter(({ outcome }) => 'location' in outcome).length;
        const { total } = (await api.get('/api/v1/links')).json.pagination;
        assert.equal(total, accepted, 'a refused URL leaves no link behind');
      });
    }

    test(`${field} in bulk rows: the same`, async () => {
      const { server, local } = guarded;
      const api = as(local, (await server.newKey()).key);
      const links = hostileUrls.map(({ url }) => body(url));
      const answer = await api.post('/api/v1/links/bulk', { action: 'create', links });
      assert.equal(answer.status, 200, answer.text);
      await atMost(connections, numbered, async ({ at, url, why, outcome }) => {
        const what = `${field}, ${why}: ${show(url)}`;
        const { link, error } = answer.json.data.results[at];
        if ('refused' in outcome) {
          const code = isDestination ? outcome.refused : 'VALIDATION_ERROR';
          return assert.deepEqual([error?.code, error?.field], [code, field], what);
        }
        assert.equal(error, null, what);
        const followed = await ask(local, { path: `/${link.shortCode}` });
        assert.deepEqual(valuesOf(followed, 'location'), [outcome.location], what);
      });
    });
  }

  test('rejects the same URLs on change, and leaves the link', async () => {
    const { server, local } = guarded;
    const api = as(local, (await server.newKey()).key);
    const { id, shortCode } = (await api.post('/api/v1/shorten', { url: safe })).json.data;
    const path = `/api/v1/links/${id}`;
    const rules = (url: string) => {
      const split = [safe, url].map((one) => ({ url: one, weight: 1 }));
      return [{ when: [], to: { split } }];
    };
    await atMost(connections, hostileUrls, async ({ url, why, outcome }) => {
      if (!('refused' in outcome)) return;
      const what = `${why}: ${show(url)}`;
      assertRefused(await api.patch(`${path}/destination`, { url }), outcome.refused, what);
      const changed = await api.patch(path, { expiredUrl: url, rules: rules(url) });
      assertRefused(changed, 'VALIDATION_ERROR', what);
      assert.deepEqual(fieldsIn(changed), ['expiredUrl', 'rules[0].to.split[1].url'], what);
      const asImage = await api.patch(path, { card: { image: url } });
      assert.equal(asImage.json?.error?.details?.[0].field, 'card.image', what);
    });
    const { data } = (await api.get(`${path}?include=expiredUrl,rules`)).json;
    assert.deepEqual([data.expiredUrl, data.rules], [null, null]);
    const followed = await ask(local, { path: `/${shortCode}` });
    assert.deepEqual(valuesOf(followed, 'location'), [safe]);
  });

  test('the same URLs in the branding: rejected or stored as in the table', async () => {
    const { server, local } = guarded;
    const api = as(local, (await server.newKey()).key);
    await atMost(connections, hostileUrls, async ({ url, why, outcome }) => {
      for (const field of ['expiredUrl', 'contact']) {
        // A contact may be an email address, but not an `http:` page.
        if (field === 'contact' && url.startsWith('mailto:')) continue;
        const what = `${field}, ${why}: ${show(url)}`;
        const put = await api.put('/api/v1/branding', { [field]: url });
        if ('location' in outcome && (field === 'expiredUrl' || /^https:/i.test(url))) {
          assert.equal(put.json?.data?.[field], outcome.location, `${what} got ${put.text}`);
          continue;
        }
        assertRefused(put, 'VALIDATION_ERROR', what);
        assert.deepEqual(fieldsIn(put), [field], what);
      }
    });
  });

  test('accepts intranet pages without BLOCK_PRIVATE_DESTINATIONS, and changes nothing else', async () => {
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

  test('knows its own address under every loopback name without BASE_URL', async () => {
    const server = await sharedServer();
    const api = as(server, (await server.newKey()).key);
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST.', '[::1]', '0x7f.1', '2130706433', '127.1']) {
      const url = `http://${host}:${server.port}/abc`;
      assertRefused(await api.post('/api/v1/shorten', { url }), 'SELF_REFERENTIAL_URL', url);
    }
    const elsewhere = await api.post('/api/v1/shorten', { url: `http://127.0.0.1:${server.port + 1}/abc` });
    assert.equal(elsewhere.status, 201, 'another port is another service');
  });

  test('rejects every code with its error code, or accepts it unchanged', async () => {
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

  test('serves no rejected code', async () => {
    const { local } = open;
    const unusable = hostileCodes.filter(
      ({ refused, code }) => refused === 'INVALID_CUSTOM_CODE' && code.isWellFormed(),
    );
    await atMost(connections, unusable, async ({ code }) => {
      const { status } = await ask(local, { path: `/${encodeURIComponent(code)}` });
      assert.ok(status === 404 || ['robots.txt', 'favicon.ico'].includes(code), `${show(code)}: ${status}`);
    });
  });

  test('treats case variants as one code: rejects the second link, redirects both spellings to the first', async () => {
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
