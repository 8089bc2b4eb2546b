import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, type Server, startServer } from '../../support/server/server.ts';

describe('settings of a whole account', () => {
  let server: Server;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('monitors destinations until the owner disables it; read-only members cannot', async () => {
    const { key, account } = await server.newKey();
    const reader = await server.newKey({ account, scopes: 'links:read' });
    const read = async () => (await call(server, 'GET', '/api/v1/account', { key: reader.key })).json.data;
    const change = (body: object, by = key) => call(server, 'PATCH', '/api/v1/account', { key: by, body });
    assert.deepEqual(await read(), { name: account, watchDestinations: true });
    assert.deepEqual((await change({ watchDestinations: false })).json.data, {
      name: account,
      watchDestinations: false,
    });
    assert.equal((await change({})).json.data.watchDestinations, false, 'absent fields stay');
    const refused = await change({ watchDestinations: 'no' });
    assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'watchDestinations']);
    assert.equal((await change({ watchDestinations: true }, reader.key)).status, 403);
    assert.deepEqual(await read(), { name: account, watchDestinations: false });

    const other = await server.newKey();
    const others = await call(server, 'GET', '/api/v1/account', { key: other.key });
    assert.deepEqual(others.json.data, { name: other.account, watchDestinations: true });
  });
});
