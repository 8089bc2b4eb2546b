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
      assert.equal(answer.headers.get('content-disposition'), `inline; filename="to-scan.${ending}"`);
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

  test('a PNG without a margin has the nearest size that its modules fill, and a header says which', async () => {
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

  test('a scan is sent on, and what the code adds to the short URL does not go along', async () => {
    const scanned = await fetch(`${server.url}/to-scan?trigger=qr`, { redirect: 'manual' });
    assert.deepEqual([scanned.status, scanned.headers.get('location')], [302, 'https://example.com/in?a=b']);
  });
});
