import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

const strict = { prefer: 'respond-async, handling=strict' };
const url = 'https://example.com/';

describe('Prefer: handling=strict', () => {
  let server: Service;
  let key: string;
  before(async () => {
    server = await sharedServer();
    key = (await server.newKey()).key;
  });

  const errors = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = strict,
  ) => {
    const { status, json } = await call(server, method, path, { key, body, headers });
    const details = json?.error?.details ?? [];
    return [
      status,
      ...details.map((one: { reason: string; message: string }) => `${one.reason}: ${one.message}`),
    ];
  };

  test('rejects unknown fields and parameters, with the nearest known name', async () => {
    assert.deepEqual(
      await errors('POST', '/api/v1/shorten', { url, custom_code: 'x', titel: 'y', color: 'red' }),
      [
        400,
        'unknown_field: custom_code is unknown. Did you mean customCode?',
        'unknown_field: titel is unknown. Did you mean title?',
        'unknown_field: color is unknown.',
      ],
    );
    assert.deepEqual(await errors('GET', '/api/v1/links?folder_id=none&includes=title'), [
      400,
      'unknown_field: folder_id is unknown. Did you mean folderId?',
      'unknown_field: includes is unknown. Did you mean include?',
    ]);
  });

  test('checks bulk rows and nested changes too', async () => {
    const rows = { action: 'create', links: [{ url }, { url, custom_code: 'x' }] };
    assert.deepEqual(await errors('POST', '/api/v1/links/bulk', rows), [
      400,
      'unknown_field: links[1].custom_code is unknown. Did you mean customCode?',
    ]);
  });

  test('reports at most a hundred', async () => {
    const row = { url, ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}`, 0])) };
    const body = { action: 'create', links: Array(20).fill(row) };
    assert.equal((await errors('POST', '/api/v1/links/bulk', body)).length, 101);
  });

  test('accepts known fields, including those that a change only compares', async () => {
    const id = await makeLink(as(server, key), { customCode: freshCode() });
    assert.deepEqual(await errors('PATCH', `/api/v1/links/${id}`, { title: 'Spring', url }), [200]);
    assert.deepEqual(await errors('GET', `/api/v1/links/${id}?include=title`), [200]);
    const [externalId, customCode] = [freshCode(), freshCode()];
    await makeLink(as(server, key), { customCode, externalId });
    const named = `/api/v1/links/by-external-id/${externalId}`;
    assert.deepEqual(await errors('PATCH', named, { title: 'Spring', shortCode: customCode }), [200]);
  });

  test('ignores them without it, or with lenient handling', async () => {
    for (const headers of [{}, { prefer: 'handling=lenient' }, { prefer: 'xhandling=strict' }])
      assert.deepEqual(await errors('POST', '/api/v1/shorten', { url, custom_code: 'x' }, headers), [201]);
  });
});

describe('error.docs', () => {
  test('links to the documentation of the code', async () => {
    const server = await sharedServer();
    const refused = await call(server, 'GET', '/api/v1/me');
    const { docs } = refused.json.error;
    assert.equal(docs, '/api/v1/errors#MISSING_API_KEY');
    const page = await call(server, 'GET', docs.replace(/#.*/, ''));
    assert.equal(page.status, 200);
    assert.match(page.text, /<section id="MISSING_API_KEY">/);
    const missed = await call(server, 'GET', `/${freshCode()}`, { headers: { accept: 'application/json' } });
    assert.equal(missed.json.error.docs, '/api/v1/errors#CODE_NOT_FOUND');
    assert.match(page.text, /<section id="CODE_NOT_FOUND">/);
  });
});
