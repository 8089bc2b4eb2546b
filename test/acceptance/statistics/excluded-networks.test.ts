import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode } from '../../support/server/records.ts';
import { as, call } from '../../support/server/server.ts';
import { type SharedServer, sharedServer } from '../../support/server/shared-server.ts';

const inside = '203.0.113.9';
const outside = '198.51.100.9';
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

describe('visits from excluded networks', () => {
  let server: SharedServer;
  let api: Api;
  before(async () => {
    server = await sharedServer();
    api = as(server, (await server.newKey()).key);
    const body = { excludedNetworks: ['203.0.113.0/24', '2001:db8::/48'] };
    assert.equal((await api.patch('/api/v1/account', body)).status, 200);
  });

  const make = async (fields: Record<string, unknown> = {}) => {
    const body = { url: 'https://example.com/page', customCode: freshCode(), ...fields };
    const made = await api.post('/api/v1/shorten', body);
    assert.equal(made.status, 201, made.text);
    return { id: made.json.data.id as string, code: made.json.data.shortCode as string };
  };
  /** Sends each visit twice, once for the fast path and once for the Node path. */
  const visit = async (code: string, address: string, method = 'GET') => {
    const statuses = [];
    for (const more of [{}, { cookie: 'a=b', range: 'bytes=0-1' }]) {
      const headers = { ...person, 'x-forwarded-for': address, ...more };
      statuses.push((await call(server, method, `/${code}`, { headers })).status);
    }
    return statuses;
  };
  const clicksOf = async (id: string) => (await api.get(`/api/v1/links/${id}`)).json.data.clicks;

  test('are redirected, but not counted', async () => {
    const { id, code } = await make();
    for (const address of [inside, '2001:db8:0:7::1'])
      assert.deepEqual(await visit(code, address), [302, 302]);
    assert.equal(await clicksOf(id), 0);
    assert.deepEqual(await visit(code, outside), [302, 302]);
    assert.equal(await clicksOf(id), 2);
    const clicks = await api.get(`/api/v1/clicks?linkId=${id}`);
    assert.equal(JSON.stringify(clicks.json).includes('203.0.113'), false);
  });

  test('use none of maxClicks, but an exhausted link is exhausted for them, too', async () => {
    const { id, code } = await make({ maxClicks: 2 });
    assert.deepEqual(await visit(code, inside), [302, 302]);
    assert.deepEqual(await visit(code, inside), [302, 302]);
    assert.deepEqual(await visit(code, outside), [302, 302]);
    assert.deepEqual(await visit(code, outside), [410, 410]);
    assert.deepEqual(await visit(code, inside), [410, 410]);
    assert.equal(await clicksOf(id), 2);
  });

  test('do not use up a one-time link', async () => {
    const { id, code } = await make({ maxClicks: 1 });
    assert.deepEqual(await visit(code, inside, 'POST'), [303, 303]);
    assert.equal(await clicksOf(id), 0);
    assert.deepEqual(await visit(code, outside, 'POST'), [303, 410]);
  });

  test("are counted for other accounts' links, and again once the network is removed", async () => {
    const other = as(server, (await server.newKey()).key);
    const theirs = await other.post('/api/v1/shorten', { url: 'https://example.com/x' });
    await visit(theirs.json.data.shortCode, inside);
    assert.equal((await other.get(`/api/v1/links/${theirs.json.data.id}`)).json.data.clicks, 2);
    const { id, code } = await make();
    await visit(code, inside);
    await api.patch('/api/v1/account', { excludedNetworks: [] });
    await visit(code, inside);
    assert.equal(await clicksOf(id), 2);
  });
});
