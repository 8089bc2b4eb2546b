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
    assert.deepEqual(await read(), {
      name: account,
      watchDestinations: true,
      excludedNetworks: [],
      appSchemes: [],
    });
    assert.deepEqual((await change({ watchDestinations: false })).json.data, {
      name: account,
      watchDestinations: false,
      excludedNetworks: [],
      appSchemes: [],
    });
    assert.equal((await change({})).json.data.watchDestinations, false, 'absent fields stay');
    const refused = await change({ watchDestinations: 'no' });
    assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'watchDestinations']);
    assert.equal((await change({ watchDestinations: true }, reader.key)).status, 403);
    assert.deepEqual(await read(), {
      name: account,
      watchDestinations: false,
      excludedNetworks: [],
      appSchemes: [],
    });

    const other = await server.newKey();
    const others = await call(server, 'GET', '/api/v1/account', { key: other.key });
    assert.deepEqual(others.json.data, {
      name: other.account,
      watchDestinations: true,
      excludedNetworks: [],
      appSchemes: [],
    });
  });

  test('accepts up to 50 networks, changes one field at a time, and records each change', async () => {
    const { key } = await server.newKey();
    const change = (body: object) => call(server, 'PATCH', '/api/v1/account', { key, body });
    const networks = Array.from({ length: 50 }, (_, n) => `10.0.${n}.0/24`);
    const all = await Promise.all([
      change({ excludedNetworks: networks }),
      change({ watchDestinations: false }),
    ]);
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, 200],
    );
    const { data } = (await change({})).json;
    assert.deepEqual([data.excludedNetworks, data.watchDestinations], [networks, false]);
    for (const [excludedNetworks, reason] of [
      [[...networks, '::1'], 'too_long'],
      [['10.0.0.0/33'], 'invalid_format'],
      [['2001:db8::/129'], 'invalid_format'],
      [['10.0.0'], 'invalid_format'],
      [['example.com'], 'invalid_format'],
      [['10.0.0.1 10.0.0.2'], 'invalid_format'],
      [[''], 'invalid_format'],
      [['10.0.0.0/8', '0.0.0.0/0'], 'not_allowed'],
      [['::/0'], 'not_allowed'],
      ['10.0.0.1', 'wrong_type'],
      [null, 'wrong_type'],
    ]) {
      const { status, json } = await change({ excludedNetworks });
      assert.deepEqual(
        [status, json.error.details[0].reason],
        [400, reason],
        JSON.stringify(excludedNetworks),
      );
    }
    assert.deepEqual((await change({ excludedNetworks: [] })).json.data.excludedNetworks, []);
    const { json } = await call(server, 'GET', '/api/v1/audit?action=account.updated', { key });
    assert.deepEqual(json.data[0].changes, { excludedNetworks: { from: networks, to: null } });
  });
});
