import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freshCode } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';
import { until } from '../../support/until.ts';

describe('the preview of a short link', () => {
  let server: Service;
  let api: ReturnType<typeof as>;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
  });

  const look = (code: string, accept?: string, method = 'GET') =>
    call(server, method, `/${code}+`, { headers: accept === undefined ? {} : { accept } });

  test('returns JSON on request, with the link as created', async () => {
    const code = `Mixed-${freshCode()}`;
    const url = 'https://b\u00fccher.example';
    const created = (await api.post('/api/v1/shorten', { url, customCode: code })).json.data;
    for (const spelling of [code, code.toLowerCase(), code.toUpperCase()]) {
      const shown = await look(spelling, 'application/json');
      assert.equal(shown.status, 200, shown.text);
      assert.equal(
        shown.text,
        JSON.stringify({
          success: true,
          data: { shortCode: code, shortUrl: created.shortUrl, destinationUrl: url },
        }),
      );
      assert.equal(shown.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(shown.headers.get('cache-control'), 'no-store');
      assert.ok(shown.headers.get('x-request-id'));
    }
    await api.patch(`/api/v1/links/${created.id}/destination`, { url: 'https://example.com/next' });
    assert.equal((await look(code, 'application/json')).json.data.destinationUrl, 'https://example.com/next');
    const headed = await look(code, 'application/json', 'HEAD');
    assert.deepEqual([headed.status, headed.text], [200, '']);
    assert.equal((await api.get(`/api/v1/links/${created.id}`)).json.data.clicks, 0);
  });

  test('returns the page to other clients, with the code as created', async () => {
    const code = `Page-${freshCode()}`;
    await api.post('/api/v1/shorten', { url: 'https://b\u00fccher.example/', customCode: code });
    for (const accept of [
      undefined,
      '*/*',
      'text/html,*/*;q=0.8',
      'text/html, application/json',
      'image/png',
    ]) {
      const shown = await look(code.toUpperCase(), accept);
      assert.equal(shown.status, 200);
      assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.ok(shown.text.includes(`<b>/${code}<`), shown.text);
      assert.ok(shown.text.includes('xn--bcher-kva.example'), 'ambiguous characters are shown in ASCII');
    }
  });

  test('shows the account’s branding within a second, validated, removable, and no other account’s', async () => {
    const branding = '/api/v1/branding';
    const nothing = { name: null, accent: null, logo: null, message: null, contact: null, expiredUrl: null };
    assert.deepEqual((await api.get(branding)).json.data, { ...nothing, updatedAt: null });
    const png = (width: number, length = 33) => {
      const bytes = Buffer.alloc(length);
      bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(40, 20);
      return bytes.toString('base64');
    };
    const webp = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x3f\xc0\x09\0\0\0\0\0', 'latin1').toString(
      'base64',
    );
    for (const [field, wrong, reason] of [
      ['name', 'x'.repeat(51), 'too_long'],
      ['name', 'a\nb', 'invalid_characters'],
      ['name', 5, 'wrong_type'],
      ['accent', 'green', 'invalid_format'],
      ['message', 'x'.repeat(501), 'too_long'],
      ['logo', `data:image/png;base64,${png(2_049)}`, 'out_of_range'],
      ['logo', `data:image/png;base64,${png(0)}`, 'out_of_range'],
      ['logo', `data:image/png;base64,${png(40, 32_769)}`, 'too_long'],
      ['logo', `data:image/webp;base64,${png(40)}`, 'invalid_format'],
      ['logo', `data:image/png;base64,${webp}`, 'invalid_format'],
      ['logo', 'data:image/svg+xml;base64,PHN2Zy8+', 'invalid_format'],
      ['logo', `data:image/png;base64,${png(40)}" onload="`, 'invalid_format'],
      ['logo', 'https://example.com/logo.png', 'invalid_format'],
      ['contact', 'javascript:alert(1)', 'invalid_format'],
      ['contact', 'hello@acme.example', 'invalid_format'],
      ['contact', 'mailto:a@b.example?subject=x', 'invalid_format'],
      ['contact', 'https://user@acme.example/', 'invalid_format'],
      ['expiredUrl', 'ftp://acme.example/', 'invalid_format'],
      ['expiredUrl', `${server.url}/loop`, 'not_allowed'],
    ] as const) {
      const { status, json } = await api.put(branding, { [field]: wrong });
      assert.deepEqual([wrong, status, json.error.code], [wrong, 400, 'VALIDATION_ERROR']);
      const [problem, ...more] = json.error.details;
      assert.deepEqual([problem.field, problem.reason, more], [field, reason, []]);
    }
    assert.deepEqual((await api.get(branding)).json.data, { ...nothing, updatedAt: null });

    const other = as(server, (await server.newKey()).key);
    const [own, strange] = [freshCode(), freshCode()];
    const make = (from: typeof api, customCode: string, more = {}) =>
      from.post('/api/v1/shorten', { url: 'https://example.com/', customCode, disabled: true, ...more });
    const { id } = (await make(api, own)).json.data;
    await make(other, strange);
    const open = (path: string) => call(server, 'GET', path, { headers: { accept: 'text/html' } });

    const given = {
      name: ' Acme & Söhne ',
      accent: 'FD0',
      message: 'Over.\nCome again.',
      logo: `data:image/webp;base64,${webp}`,
      contact: 'mailto:hello@acme.example',
    };
    const put = await api.put(branding, given);
    assert.equal(put.status, 200, put.text);
    const kept = { ...nothing, ...given, name: 'Acme & Söhne', accent: '#ffdd00' };
    assert.deepEqual(put.json.data, { ...kept, updatedAt: put.json.data.updatedAt });
    assert.deepEqual((await api.get(branding)).json.data, put.json.data);
    assert.deepEqual((await other.get(branding)).json.data, { ...nothing, updatedAt: null });

    await until('it is seen', async () => (await open(`/${own}`)).text.includes('Come again.'));
    const gone = await open(`/${own}`);
    assert.equal(gone.status, 410);
    assert.ok(gone.text.includes(`<img class="logo" src="${given.logo}" alt="Acme &amp; Söhne">`));
    assert.ok(gone.text.includes('href="mailto:hello@acme.example"'));
    for (const path of [`/${strange}`, `/${freshCode()}`, '/'])
      assert.doesNotMatch((await open(path)).text, /Acme|ffdd00/, path);
    const json = await call(server, 'GET', `/${own}`);
    assert.deepEqual([json.status, json.json.error.code], [410, 'LINK_UNAVAILABLE']);

    const over = { ...kept, expiredUrl: 'https://acme.example/ü' };
    assert.equal((await api.put(branding, over)).json.data.expiredUrl, 'https://acme.example/%C3%BC');
    await until('it redirects there', async () => (await open(`/${own}`)).status === 302);
    assert.equal((await open(`/${own}`)).headers.get('location'), 'https://acme.example/%C3%BC');
    const simulated = (await api.post(`/api/v1/links/${id}/simulate`, {})).json.data;
    assert.deepEqual([simulated.outcome, simulated.status], ['disabled', 302]);
    await api.patch(`/api/v1/links/${id}`, { expiredUrl: 'https://example.com/own' });
    assert.equal((await open(`/${own}`)).headers.get('location'), 'https://example.com/own');
    const [later, once] = [freshCode(), freshCode()];
    await make(api, later, { disabled: false, startsAt: '2999-01-01' });
    const early = await open(`/${later}`);
    assert.deepEqual([early.status, early.text.includes('Come again.')], [404, true]);
    await make(api, once, { disabled: false, maxClicks: 1 });
    const button = await open(`/${once}`);
    assert.deepEqual([button.status, button.text.includes('class="logo"')], [200, true]);
    assert.match(
      button.headers.get('content-security-policy') ?? '',
      /'sha256-[^ ]+' 'sha256-.*form-action 'self'/,
    );

    await api.delete(`/api/v1/links/${id}`);
    const unknown = await open(`/${own}`);
    assert.deepEqual([unknown.status, /Acme|acme/.test(unknown.text)], [404, false]);
    for (const _ of [1, 2]) assert.equal((await api.delete(branding)).status, 204);
    assert.deepEqual((await api.get(branding)).json.data, { ...nothing, updatedAt: null });
  });

  test('returns errors in the same way', async () => {
    const unknown = await look(freshCode(), 'application/json');
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'CODE_NOT_FOUND']);
    const code = freshCode();
    const made = (await api.post('/api/v1/shorten', { url: 'https://example.com/', customCode: code })).json;
    await api.delete(`/api/v1/links/${made.data.id}`);
    assert.equal((await look(code, 'application/json')).status, 404);
  });
});
