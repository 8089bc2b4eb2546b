import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { freshCode, makeLink } from '../../support/server/records.ts';
import { as, type Service } from '../../support/server/server.ts';
import { sharedServer } from '../../support/server/shared-server.ts';

describe('checks for the link editor', () => {
  let server: Service;
  before(async () => {
    server = await sharedServer();
  });
  const newApi = async () => as(server, (await server.newKey()).key);

  test('reports a code as free, yours, taken or reserved, and suggests free ones', async () => {
    const [own, other] = [await newApi(), await newApi()];
    const code = `Spring-${freshCode()}`;
    const check = async (api: typeof own, wished: string) =>
      (await api.get(`/api/v1/codes?customCode=${wished}`)).json.data;
    assert.deepEqual(await check(own, code), { status: 'free', linkId: null, suggestions: [] });
    const id = await makeLink(own, { customCode: code });
    await makeLink(other, { customCode: `${code}-2` });

    const mine = await check(own, code.toUpperCase());
    assert.deepEqual([mine.status, mine.linkId, mine.suggestions.length], ['yours', id, 3]);
    assert.ok(!mine.suggestions.map((one: string) => one.toLowerCase()).includes(`${code}-2`.toLowerCase()));
    const theirs = await check(other, code);
    assert.deepEqual([theirs.status, theirs.linkId], ['taken', null]);
    for (const offered of theirs.suggestions)
      assert.ok(await makeLink(other, { customCode: offered }), 'a suggested code is available');

    await own.delete(`/api/v1/links/${id}`);
    assert.equal((await check(own, code)).status, 'free', 'the account may use it again');
    assert.equal((await check(other, code)).status, 'taken', 'another may not');
    const reserved = await check(own, 'Dashboard');
    assert.deepEqual([reserved.status, reserved.suggestions.length], ['reserved', 3]);
    const long = 'x'.repeat(50);
    await makeLink(other, { customCode: long });
    for (const one of (await check(own, long)).suggestions) assert.ok(one.length <= 50, one);

    const drawn = (await own.get('/api/v1/codes')).json.data;
    assert.deepEqual([drawn.status, drawn.suggestions.length], ['free', 3]);
    for (const customCode of ['', 'ab', 'x'.repeat(51)]) {
      const refusals = [
        await own.post('/api/v1/shorten', { url: 'https://example.com/', customCode }),
        await own.patch(`/api/v1/links/${await makeLink(own)}/code`, { customCode }),
        await own.get(`/api/v1/codes?customCode=${customCode}`),
      ];
      for (const { status, json } of refusals) {
        const [{ message }] = json.error.details;
        assert.deepEqual([status, message], [400, 'customCode must be 3–50 characters.'], customCode);
      }
    }
    for (const [wished, status, error] of [
      ['ab', 400, 'VALIDATION_ERROR'],
      ['a%20b', 422, 'INVALID_CUSTOM_CODE'],
      ['-abc', 422, 'INVALID_CUSTOM_CODE'],
      ['%C3%A9', 400, 'VALIDATION_ERROR'],
      ['caf%C3%A9', 422, 'INVALID_CUSTOM_CODE'],
    ] as const) {
      const { json, ...answer } = await own.get(`/api/v1/codes?customCode=${wished}`);
      assert.deepEqual([wished, answer.status, json.error.code], [wished, status, error]);
      assert.equal(json.error.details[0].field, 'customCode');
    }
  });

  test("stores an account's dashboard preferences", async () => {
    const [own, other] = [await newApi(), await newApi()];
    const read = async (api: typeof own) => (await api.get('/api/v1/preferences')).json.data;
    assert.deepEqual(await read(own), { values: {}, updatedAt: null });
    const values = { views: '[{"name":"Spring"}]', 'ü "odd"': 'a\n\t\u2028</script>' };
    const put = await own.put('/api/v1/preferences', { values });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(await read(own), put.json.data);
    assert.deepEqual(put.json.data.values, values);
    assert.deepEqual(await read(other), { values: {}, updatedAt: null });
    await own.put('/api/v1/preferences', { values: { other: 'x' } });
    assert.deepEqual((await read(own)).values, { other: 'x' }, 'a put replaces all');
    for (const wrong of [undefined, 5, { a: 5 }, { a: 'x'.repeat(32_768) }]) {
      const answer = await own.put('/api/v1/preferences', { values: wrong });
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'VALIDATION_ERROR']);
    }
    assert.deepEqual((await read(own)).values, { other: 'x' });
  });
});
