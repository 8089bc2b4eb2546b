import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeLink } from '../../support/server/records.ts';
import { as, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

describe('GET /api/v1/links/:id/qr', () => {
  let server: Service;
  let api: ReturnType<typeof as>;
  let key: string;
  let id: string;
  before(async () => {
    server = await sharedServer();
    key = (await server.newKey()).key;
    api = as(server, key);
    id = await makeLink(api, { customCode: 'to-scan', url: 'https://example.com/in?a=b' });
  });

  const picture = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/api/v1/links/${id}/qr${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  test('returns SVG or PNG, by parameter or Accept; errors stay JSON', async () => {
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
      assert.equal(answer.headers.get('content-disposition'), `inline; filename="to-scan.${ending}"`);
      assert.equal(answer.headers.get('vary'), 'accept');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    }
    const refused = await picture('?size=0', png);
    assert.match(refused.answer.headers.get('content-type') ?? '', /^application\/json/);
  });

  test('draws for print in millimeters, as SVG and PDF, with squares or dots', async () => {
    const pdf = await picture('?format=pdf&millimetres=60&shape=dots');
    assert.equal(pdf.answer.headers.get('content-type'), 'application/pdf');
    assert.match(pdf.answer.headers.get('content-disposition') ?? '', /filename="to-scan\.pdf"/);
    // 60 mm in points of 1/72 inch.
    assert.match(pdf.bytes.toString('latin1'), /^%PDF-1\.4.*MediaBox\[0 0 170\.0787 170\.0787\].*%%EOF\n$/s);
    const svg = (await picture('?millimetres=60&shape=dots')).bytes.toString();
    assert.match(svg, /^<svg [^>]*width="60mm" height="60mm".*<path [^>]*a0\.6 0\.6 0/s);
  });

  test('rejects what cannot be drawn or scanned, with field, reason and value', async () => {
    for (const [query, field, reason, said] of [
      ['color=999999', 'color', 'low_contrast', /contrast of 2\.8 : 1; it must be at least 3:1/],
      ['color=ffffff&background=000', 'color', 'low_contrast', /lighter than background #000000/],
      ['color=red', 'color', 'invalid_format', /hex color of 3 or 6 digits/],
      ['margin=17', 'margin', 'out_of_range', /between 0 and 16/],
      ['size=5000', 'size', 'out_of_range', /between 64 and 4096/],
      ['size=64&margin=16&level=H', 'size', 'out_of_range', /size must be at least \d+/],
      ['format=gif', 'format', 'unknown_value', /svg, png, pdf/],
      ['shape=stars', 'shape', 'unknown_value', /square, dots/],
      ['millimetres=9', 'millimetres', 'out_of_range', /between 10 and 2000/],
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

  test('rounds a PNG without a margin to its modules, and returns the size in a header', async () => {
    for (const [query, asked] of [
      ['format=png&margin=0&size=200', 200],
      ['format=png&margin=0&size=4096', 4096],
      ['format=png&margin=0&size=64', 64],
    ] as const) {
      const { answer, bytes } = await picture(`?${query}`);
      const size = Number(answer.headers.get('x-qr-size'));
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [size, size]);
      assert.ok(size <= 4096 && Math.abs(size - asked) < 29, `${size} for ${asked}`);
    }
    for (const query of ['format=png&margin=1&size=200', 'format=svg&margin=0&size=200'])
      assert.equal((await picture(`?${query}`)).answer.headers.get('x-qr-size'), '200');
  });

  test('omits a transparent background', async () => {
    const svg = (await picture('?background=transparent')).bytes.toString();
    assert.ok(!svg.includes('<rect'));
    const png = (await picture('?background=transparent&format=png')).bytes;
    assert.ok(png.includes('tRNS') && !(await picture('?format=png')).bytes.includes('tRNS'));
    const { json } = await api.get(`/api/v1/links/${id}/qr?background=transparent&color=ccc`);
    assert.match(json.error.message, /contrast/);
  });

  test('redirects a scan without forwarding the marker', async () => {
    const scanned = await fetch(`${server.url}/to-scan?trigger=qr`, { redirect: 'manual' });
    assert.deepEqual([scanned.status, scanned.headers.get('location')], [302, 'https://example.com/in?a=b']);
  });
});

describe('GET /{code}.qr', () => {
  let server: Service;
  let api: ReturnType<typeof as>;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
  });

  const publicLink = async (customCode: string) => {
    const id = await makeLink(api, { customCode, url: 'https://example.com/', publicQr: true });
    return { id, at: `${server.url}/${customCode}.qr` };
  };

  test('serves SVG, and PNG by parameter or Accept, without a key, cacheable', async () => {
    const { id, at } = await publicLink('open-qr');
    const own = (await api.get(`/api/v1/links/${id}/qr?size=512`)).text;
    for (const [query, accept, type] of [
      ['', '*/*', 'image/svg+xml'],
      ['', 'image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8', 'image/svg+xml'],
      ['', 'image/png', 'image/png'],
      ['', 'image/svg+xml;q=0.5, image/png', 'image/png'],
      ['?format=png&size=300&background=transparent', '*/*', 'image/png'],
    ] as const) {
      const answer = await fetch(at + query, { headers: { accept } });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type]);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (type === 'image/svg+xml') assert.equal(bytes.toString(), own);
      else assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
      if (query !== '') assert.deepEqual([bytes.readUInt32BE(16), bytes.includes('tRNS')], [300, true]);
    }
    const head = await fetch(at, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal((await api.get(`/api/v1/links/${id}`)).json.data.clicks, 0);
  });

  test('returns 404 for a link that is inactive or has no public code, as for an unknown code', async () => {
    const { id, at } = await publicLink('closed-qr');
    await makeLink(api, { customCode: 'private-qr', url: 'https://example.com/' });
    await api.patch(`/api/v1/links/${id}`, { publicQr: false });
    for (const url of [at, `${server.url}/private-qr.qr`, `${server.url}/no-such-code.qr`]) {
      const answer = await fetch(url);
      assert.deepEqual(
        [answer.status, JSON.parse(await answer.text()).error.code],
        [404, 'CODE_NOT_FOUND'],
        url,
      );
    }
  });

  test('rejects what cannot be drawn, with field and fix', async () => {
    const { at } = await publicLink('refused-qr');
    for (const [query, field] of [
      ['format=pdf', 'format'],
      ['size=10', 'size'],
      ['size=9999', 'size'],
      ['background=red', 'background'],
    ] as const) {
      const answer = await fetch(`${at}?${query}`);
      const { error } = JSON.parse(await answer.text());
      assert.deepEqual([answer.status, error.code, error.details[0].field], [400, 'VALIDATION_ERROR', field]);
    }
  });
});
