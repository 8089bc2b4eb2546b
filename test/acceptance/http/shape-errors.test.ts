import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { document, everyEndpoint, resolve } from '../../support/http/openapi.ts';
import { pathWith } from '../../support/server/records.ts';
import { call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const id = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a99';
const url = 'https://example.com/';
type Body = Readonly<Record<string, unknown>>;

/** Bodies of bulk requests. Which fields are required depends on `action` and on other fields. */
const bulkBodies: readonly Body[] = [
  { action: 'create', links: [{ url }] },
  { action: 'update', links: [{ id, title: 'x' }] },
  { action: 'update', ids: [id], set: { title: 'x' } },
  { action: 'update', filter: { tag: 'x' }, expectedCount: 1, set: { title: 'x' } },
  { action: 'delete', ids: [id] },
  { action: 'delete', filter: { tag: 'x' }, expectedCount: 1 },
  { action: 'delete', filter: { tag: 'x' }, cursor: 'x' },
  { action: 'restore', ids: [id] },
  { action: 'move', ids: [id], folderId: null },
  { action: 'tag', ids: [id], tags: { add: ['x'] } },
];
const tooMany = Array.from({ length: 1_001 }, () => ({ url }));

describe('reports only the field with the wrong shape', () => {
  let server: SharedServer;
  let key: string;
  before(async () => {
    server = await sharedServer();
    key = (await server.newKey({ plan: 'enterprise' })).key;
  });

  for (const endpoint of everyEndpoint.filter(({ fields = [] }) => fields.length > 0))
    test(endpoint.name, async () => {
      const bodies = endpoint.name === 'bulkLinks' ? bulkBodies : [endpoint.exampleBody];
      for (const body of bodies)
        for (const field of Object.keys(body))
          for (const wrong of [true, -1, {}, [], [1], 'x', tooMany]) {
            const sent = { ...body, [field]: wrong };
            const { json, status } = await call(server, endpoint.method, pathWith(endpoint, id), {
              key,
              body: sent,
            });
            const [first, ...others] = (status === 400 && json.error.details) || [];
            if (/^(wrong_type|too_long|too_short)$/.test(first?.reason))
              assert.deepEqual(others, [], JSON.stringify(sent).slice(0, 200));
          }
    });
});

test('requires plain integers in queries: no leading zero, sign or fraction', async () => {
  const server = await sharedServer();
  const { key } = await server.newKey({ plan: 'enterprise' });
  let checked = 0;
  for (const endpoint of everyEndpoint.filter(({ query }) => query.length > 0)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const operation = document.paths[`/api/v1${path}`][endpoint.method.toLowerCase()];
    const parameters = operation.parameters.map((one: unknown) => resolve(one));
    for (const { name, in: place, schema } of parameters) {
      if (place !== 'query' || resolve(schema).type !== 'integer') continue;
      const least = resolve(schema).minimum;
      for (const value of [`0${least}`, `+${least}`, `${least}.0`, `${least}e0`, ` ${least}`]) {
        const asked = `${pathWith(endpoint, id)}?${name}=${encodeURIComponent(value)}`;
        const { status, json } = await call(server, endpoint.method, asked, { key });
        assert.equal(status, 400, asked);
        const found = json.error.details.find(({ field }: { field: string }) => field === name);
        assert.equal(found?.reason, 'invalid_format', asked);
      }
      checked += 1;
    }
  }
  assert.ok(checked > 10, String(checked));
});
