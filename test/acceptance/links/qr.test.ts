import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import jsQR from 'jsqr';
import { openBrowser, whyNoBrowser } from '../../support/http/browser.ts';
import { makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer } from '../../support/server/server.ts';

const decode = jsQR as unknown as typeof jsQR.default;
const noBrowser = whyNoBrowser();

describe('GET /api/v1/links/:id/qr', () => {
  let server: Server;
  let api: ReturnType<typeof as>;
  let key: string;
  let id: string;
  before(async () => {
    server = await startServer();
    key = (await server.newKey()).key;
    api = as(server, key);
    id = await makeLink(api, { customCode: 'poster', url: 'https://example.com/in?a=b' });
  });
  after(() => server.stop());

  const picture = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/api/v1/links/${id}/qr${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test('SVG or PNG, by parameter or by Accept; refusals stay JSON', async () => {
    const png = { accept: 'image/png' };
    for (const [query, headers, type] of [
      ['', {}, 'image/svg+xml'],
      ['', { accept: '*/*' }, 'image/svg+xml'],
      ['', png, 'image/png'],
      ['', { accept: 'image/svg+xml;q=0.5, image/png' }, 'image/png'],
      ['', { accept: 'image/svg+xml, image/png' }, 'image/svg+xml'],
      ['?format=svg', png, 'image/svg+xml'],
      ['?format=png', {}, 'image/png'],
    ] as const) {
      const { answer, bytes } = await picture(query, headers);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
      assert.equal(bytes.toString('latin1', 0, 4), type === 'image/png' ? '\x89PNG' : '<svg');
      const ending = type === 'image/png' ? 'png' : 'svg';
      assert.equal(answer.headers.get('content-disposition'), `inline; filename="poster.${ending}"`);
      assert.equal(answer.headers.get('vary'), 'accept');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    }
    const refused = await picture('?size=0', png);
    assert.match(refused.answer.headers.get('content-type') ?? '', /^application\/json/);
  });

  test('what cannot be drawn or read is refused, with field, reason and figure', async () => {
    for (const [query, field, reason, said] of [
      ['color=999999', 'color', 'low_contrast', /contrast of 2\.8 : 1; it must be 3 : 1 at least/],
      ['color=ffffff&background=000', 'color', 'low_contrast', /lighter than background #000000/],
      ['color=red', 'color', 'invalid_format', /three or six hexadecimal digits/],
      ['margin=17', 'margin', 'out_of_range', /between 0 and 16/],
      ['size=5000', 'size', 'out_of_range', /between 64 and 4096/],
      ['size=64&margin=16&level=H', 'size', 'out_of_range', /size must be \d+ at least/],
      ['format=gif', 'format', 'unknown_value', /svg, png/],
      ['level=X', 'level', 'unknown_value', /L, M, Q, H/],
      ['level=H&level=L', 'level', 'repeated', /once/],
    ] as const) {
      const { status, json } = await api.get(`/api/v1/links/${id}/qr?${query}`);
      assert.deepEqual([status, json.error.code], [400, 'VALIDATION_ERROR'], query);
      assert.deepEqual([json.error.details[0].field, json.error.details[0].reason], [field, reason]);
      assert.match(json.error.message, said);
    }
    const other = as(server, (await server.newKey()).key);
    assert.equal((await other.get(`/api/v1/links/${id}/qr`)).json.error.code, 'LINK_NOT_FOUND');
    const writer = as(server, (await server.newKey({ scopes: 'links:write' })).key);
    assert.equal((await writer.get(`/api/v1/links/${id}/qr`)).json.error.code, 'INSUFFICIENT_SCOPE');
  });

  test('a scan is sent on, and what the code adds to the short URL does not go along', async () => {
    const scanned = await fetch(`${server.url}/poster?trigger=qr`, { redirect: 'manual' });
    assert.deepEqual([scanned.status, scanned.headers.get('location')], [302, 'https://example.com/in?a=b']);
  });

  test('a browser draws both forms, and what it drew is read back', {
    skip: noBrowser ?? false,
  }, async (t) => {
    const browser = await openBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    const look = 'color=1f4d41&background=%23f4f1ec';
    for (const query of ['format=svg', 'format=png&size=417', `format=png&size=300&level=H&${look}`, look]) {
      const { bytes, answer } = await picture(`?${query}`);
      const href = `data:${answer.headers.get('content-type')};base64,${bytes.toString('base64')}`;
      const { width, size, pixels } = await page.evaluate(drawn, href);
      assert.equal(width, Number(/size=(\d+)/.exec(query)?.[1] ?? 1024));
      assert.equal(
        decode(new Uint8ClampedArray(pixels), size, size)?.data,
        `${server.url}/poster?trigger=qr`,
        query,
      );
      if (!query.includes(look)) continue;
      assert.deepEqual(pixels.slice(0, 3), [0xf4, 0xf1, 0xec]);
      assert.ok(pixels.some((_, at) => at % 4 === 0 && pixels[at] === 0x1f && pixels[at + 1] === 0x4d));
    }
  });
});

/** Runs in the page: the width of a picture, and its pixels as the browser draws it, not larger than a camera needs. */
async function drawn(href: string): Promise<{ width: number; size: number; pixels: number[] }> {
  // biome-ignore lint/suspicious/noExplicitAny: the compiler of tests knows no browser
  const { document, Image } = globalThis as any;
  const image = new Image();
  image.src = href;
  await image.decode();
  const canvas = document.createElement('canvas');
  const size = Math.min(image.naturalWidth, 320);
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, size, size);
  const { data } = context.getImageData(0, 0, size, size);
  return { width: image.naturalWidth, size, pixels: [...data] };
}
