import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

describe('options for codes and existing destinations', () => {
  let server: Service;
  before(async () => {
    server = await sharedServer();
  });

  const account = async (): Promise<Api> => as(server, (await server.newKey()).key);
  const page = () => `https://example.com/${freshCode()}`;
  const shorten = (api: Api, body: Record<string, unknown>) => api.post('/api/v1/shorten', body);

  test('generates a code with the requested prefix and length', async () => {
    const api = await account();
    const url = page();
    for (const [wish, shape] of [
      [{ prefix: 'Sale-' }, `^Sale-[${alphabet}]{8}$`],
      [{ length: 6 }, `^[${alphabet}]{6}$`],
      [{ prefix: 'a'.repeat(18), length: 32 }, `^a{18}[${alphabet}]{32}$`],
      [{ prefix: null, length: null, ifExists: null }, `^[${alphabet}]{8}$`],
    ] as const) {
      const made = await shorten(api, { url, ...wish });
      assert.equal(made.status, 201, made.text);
      assert.match(made.json.data.shortCode, new RegExp(shape));
    }
    const put = await api.put('/api/v1/links/by-external-id/drawn', { url, prefix: 'crm_', length: 10 });
    assert.match(put.json.data.shortCode, new RegExp(`^crm_[${alphabet}]{10}$`));
    const bulk = await api.post('/api/v1/links/bulk', {
      action: 'create',
      links: [{ url, prefix: 'row-', length: 7 }],
    });
    assert.match(bulk.json.data.results[0].link.shortCode, new RegExp(`^row-[${alphabet}]{7}$`));
  });

  test('rejects an impossible option with its field, and creates nothing', async () => {
    const api = await account();
    for (const [wish, status, field, reason] of [
      [{ length: 5 }, 400, 'length', 'out_of_range'],
      [{ length: 33 }, 400, 'length', 'out_of_range'],
      [{ length: 8.5 }, 400, 'length', 'wrong_type'],
      [{ length: '8' }, 400, 'length', 'wrong_type'],
      [{ prefix: '' }, 400, 'prefix', 'too_short'],
      [{ prefix: 'a'.repeat(19) }, 400, 'prefix', 'too_long'],
      [{ prefix: '-a' }, 422, 'prefix', 'invalid_characters'],
      [{ prefix: 'a/b' }, 422, 'prefix', 'invalid_characters'],
      [{ prefix: 'a', customCode: freshCode() }, 400, 'prefix', 'not_allowed'],
      [{ length: 8, customCode: freshCode() }, 400, 'length', 'not_allowed'],
      [{ ifExists: 'perhaps' }, 400, 'ifExists', 'unknown_value'],
    ] as const) {
      const { status: answered, json } = await shorten(api, { url: page(), ...wish });
      assert.equal(answered, status, JSON.stringify(json));
      assert.deepEqual([json.error.details[0].field, json.error.details[0].reason], [field, reason]);
    }
    assert.equal((await api.get('/api/v1/links')).json.pagination.total, 0);
  });

  test('reuse returns the oldest link with the destination, fail names it, new creates another', async () => {
    const [api, other] = [await account(), await account()];
    const name = freshCode();
    const url = `https://example.com/${name}`;
    const oldest = await makeLink(api, { url, title: 'First' });
    await makeLink(api, { url });
    const reuse = (fields = {}, client = api) =>
      shorten(client, { url: `HTTPS://Example.com:443/${name}`, ifExists: 'reuse', ...fields });

    const again = await reuse({ title: 'Second', folderId: null, prefix: 'x' });
    assert.deepEqual([again.status, again.json.data.id], [200, oldest]);
    assert.equal(again.headers.get('location'), null, 'nothing was created');
    assert.equal((await api.get(`/api/v1/links/${oldest}`)).json.data.title, 'First');

    const refused = await shorten(api, { url, ifExists: 'fail' });
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'LINK_EXISTS']);
    assert.deepEqual(refused.json.error.details[0].field, 'url');
    assert.match(refused.json.error.message, new RegExp(oldest));
    assert.equal((await shorten(api, { url, ifExists: 'new' })).status, 201);

    const theirs = await reuse({}, other);
    assert.equal(theirs.status, 201, "another account's link is not reused");
    assert.equal((await shorten(await account(), { url, ifExists: 'fail' })).status, 201);

    const code = freshCode();
    const coded = await reuse({ customCode: code });
    assert.equal(coded.status, 201, 'no link to this destination has the code');
    assert.deepEqual(
      [(await reuse({ customCode: code.toUpperCase() })).json.data.id, (await reuse()).json.data.id],
      [coded.json.data.id, oldest],
    );
    const elsewhere = await shorten(api, { url: page(), customCode: code, ifExists: 'reuse' });
    assert.deepEqual([elsewhere.status, elsewhere.json.error.code], [409, 'CUSTOM_CODE_TAKEN']);
  });

  test('skips links that are not active or were changed to another destination', async () => {
    const api = await account();
    const url = page();
    const reuse = async () => (await shorten(api, { url, ifExists: 'reuse' })).json.data.id;
    const gone = await makeLink(api, { url });
    const off = await makeLink(api, { url });
    const moved = await makeLink(api, { url });
    const used = await makeLink(api, { url, maxClicks: 2 });
    const kept = await makeLink(api, { url });
    assert.equal(await reuse(), gone);
    await api.delete(`/api/v1/links/${gone}`);
    assert.equal(await reuse(), off);
    await api.patch(`/api/v1/links/${off}`, { disabled: true });
    assert.equal(await reuse(), moved);
    await api.patch(`/api/v1/links/${moved}/destination`, { url: page() });
    assert.equal(await reuse(), used);
    const { shortCode } = (await api.get(`/api/v1/links/${used}`)).json.data;
    for (const status of [302, 302, 410])
      assert.equal((await call(server, 'GET', `/${shortCode}`, { headers: person })).status, status);
    assert.equal(await reuse(), kept);
    await api.post(`/api/v1/links/${gone}/restore`);
    assert.equal(await reuse(), gone);
  });

  test('distinguishes links with and without UTM parameters', async () => {
    const api = await account();
    const url = page();
    const reuse = async (utm?: object) => (await shorten(api, { url, utm, ifExists: 'reuse' })).json.data.id;
    const [plain, mail] = [
      await makeLink(api, { url }),
      await makeLink(api, { url, utm: { source: 'mail' } }),
    ];
    assert.deepEqual([await reuse(), await reuse({}), await reuse({ source: 'mail' })], [plain, plain, mail]);
    const other = await reuse({ source: 'post' });
    assert.ok(![plain, mail].includes(other));
    assert.equal((await shorten(api, { url, utm: { source: 'x' }, ifExists: 'fail' })).status, 201);
    assert.equal((await shorten(api, { url, utm: { source: 'post' }, ifExists: 'fail' })).status, 409);
  });

  test('distinguishes destinations that differ only near the end', async () => {
    const api = await account();
    const long = `https://example.com/${'é'.repeat(1_000)}`;
    const id = await makeLink(api, { url: `${long}1` });
    const another = await shorten(api, { url: `${long}2`, ifExists: 'reuse' });
    assert.equal(another.status, 201);
    assert.equal((await shorten(api, { url: `${long}1`, ifExists: 'reuse' })).json.data.id, id);
  });

  test('creates one link for concurrent requests, single and in bulk; replays the first response', async () => {
    const api = await account();
    const url = page();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => shorten(api, { url, ifExists: 'reuse' })),
    );
    assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(39).fill(200), 201]);
    const strict = page();
    const refusals = await Promise.all(
      Array.from({ length: 10 }, () => shorten(api, { url: strict, ifExists: 'fail' })),
    );
    assert.equal(refusals.filter(({ status }) => status === 201).length, 1);
    const row = { url: page(), ifExists: 'reuse' };
    const bulk = await api.post('/api/v1/links/bulk', { action: 'create', links: [row, row] });
    const [first, second] = bulk.json.data.results;
    assert.equal(first.link.id, second.link.id);
    const fail = { ...row, ifExists: 'fail' };
    const failed = await api.post('/api/v1/links/bulk', { action: 'create', links: [fail] });
    assert.equal(failed.json.data.results[0].error.code, 'LINK_EXISTS');

    const headers = { 'idempotency-key': freshCode() };
    const body = { url: page(), ifExists: 'reuse' };
    for (const replayed of [null, 'true']) {
      const answer = await api.post('/api/v1/shorten', body, headers);
      assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [201, replayed]);
    }
  });
});
