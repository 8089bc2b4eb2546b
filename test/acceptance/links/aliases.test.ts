import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { answersIn, converse } from '../../support/http/wire.ts';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';

describe("a link's additional codes", () => {
  let server: Server;
  before(async () => {
    server = await startServer({ CODE_CHARACTERS: 'unicode', CODE_SEGMENTS: '3' });
  });
  after(() => server.stop());

  const account = async (): Promise<Api> => as(server, (await server.newKey()).key);
  const visit = async (code: string) => {
    const { status, headers } = await call(server, 'GET', `/${code}`);
    return status === 302 ? headers.get('location') : status;
  };
  const page = () => `https://example.com/${freshCode()}`;
  const add = (api: Api, id: string, customCode: string) =>
    api.post(`/api/v1/links/${id}/aliases`, { customCode });
  const recode = (api: Api, id: string, customCode: string) =>
    api.patch(`/api/v1/links/${id}/code`, { customCode });
  const aliasesOf = async (api: Api, id: string): Promise<string[]> =>
    (await api.get(`/api/v1/links/${id}/aliases`)).json.data.map(({ code }: { code: string }) => code);
  const read = async (api: Api, id: string) => (await api.get(`/api/v1/links/${id}`)).json.data;

  test('redirects the new code and, permanently, the old one', async () => {
    const [api, other] = [await account(), await account()];
    const [url, old, code] = [page(), `Old-${freshCode()}`, `New-${freshCode()}`];
    const id = await makeLink(api, { url, customCode: old });
    await visit(old);
    const changed = await recode(api, id, code);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(Object.keys(changed.json.data), ['id', 'shortCode', 'shortUrl', 'updatedAt']);
    assert.deepEqual([changed.json.data.shortCode, await aliasesOf(api, id)], [code, [old]]);
    for (const one of [old, code, code.toUpperCase(), old.toLowerCase()]) assert.equal(await visit(one), url);
    assert.deepEqual([(await read(api, id)).shortCode, (await read(api, id)).clicks], [code, 5]);
    for (const one of [old, code])
      assert.equal((await api.get(`/api/v1/links/by-code/${one}`)).json.data.shortCode, code);
    const preview = await call(server, 'GET', `/${old}+`, { headers: { accept: 'application/json' } });
    assert.equal(preview.json.data.shortCode, code);

    const refused = await other.post('/api/v1/shorten', { url, customCode: old });
    assert.equal(refused.json.error.code, 'CUSTOM_CODE_TAKEN');
    const { status, linkId } = (await api.get(`/api/v1/codes?customCode=${old}`)).json.data;
    assert.deepEqual([status, linkId], ['yours', id]);
    assert.deepEqual((await api.get(`/api/v1/links?search=${old.toLowerCase()}`)).json.data[0]?.id, id);

    await recode(api, id, old.toUpperCase());
    assert.deepEqual(
      [(await read(api, id)).shortCode, await aliasesOf(api, id)],
      [old.toUpperCase(), [code]],
    );
    await recode(api, id, old);
    assert.deepEqual([(await read(api, id)).shortCode, await aliasesOf(api, id)], [old, [code]]);
    const { updatedAt } = (await recode(api, id, old)).json.data;
    assert.equal(
      (await recode(api, id, old)).json.data.updatedAt,
      updatedAt,
      'without a change, updatedAt stays',
    );
    const immutable = await api.patch(`/api/v1/links/${id}`, { customCode: code });
    assert.match(immutable.json.error.message, /PATCH \/api\/v1\/links\/:id\/code/);
  });

  test('follows the link with every alias: destination, states, delete and restore', async () => {
    const api = await account();
    const [first, second, url] = [freshCode(), freshCode(), page()];
    const id = await makeLink(api, { url });
    const made = await add(api, id, first);
    assert.deepEqual([made.status, made.json.data.code], [201, first]);
    assert.equal(new URL(made.headers.get('location') ?? '').pathname, `/api/v1/aliases/${first}`);
    assert.equal((await add(api, id, first.toUpperCase())).status, 200, 'it exists already');
    await add(api, id, second);
    const { shortCode } = await read(api, id);
    const all = [shortCode, first, second];
    const visits = () => Promise.all(all.map(visit));
    assert.deepEqual(await visits(), [url, url, url]);
    const elsewhere = page();
    await api.patch(`/api/v1/links/${id}/destination`, { url: elsewhere });
    assert.deepEqual(await visits(), [elsewhere, elsewhere, elsewhere]);
    await api.patch(`/api/v1/links/${id}`, { disabled: true });
    assert.deepEqual(await visits(), [410, 410, 410]);
    await api.patch(`/api/v1/links/${id}`, { disabled: false });
    await api.delete(`/api/v1/links/${id}`);
    assert.deepEqual(await visits(), [404, 404, 404]);
    for (const path of [`links/${id}/aliases`, `links/by-code/${first}`])
      assert.equal((await api.get(`/api/v1/${path}`)).status, 404);
    assert.equal((await api.delete(`/api/v1/aliases/${first}`)).json.error.code, 'ALIAS_NOT_FOUND');
    assert.equal((await api.get(`/api/v1/links?status=deleted&code=${first}`)).json.data[0].id, id);

    const heir = await makeLink(api, { customCode: second });
    assert.equal((await api.post(`/api/v1/links/${id}/restore`)).status, 200);
    assert.deepEqual(await visits(), [elsewhere, elsewhere, 'https://example.com/']);
    assert.deepEqual(
      await aliasesOf(api, id),
      [first],
      'a code that the account has reused stays with the new link',
    );
    assert.deepEqual(
      (await api.get(`/api/v1/links?search=${second}`)).json.data.map((link: { id: string }) => link.id),
      [heir],
    );
  });

  test('stops redirecting a removed alias, which stays with its account', async () => {
    const [api, other] = [await account(), await account()];
    const [id, code] = [await makeLink(api), freshCode()];
    await add(api, id, code);
    assert.equal(await visit(code), 'https://example.com/');
    assert.equal((await other.delete(`/api/v1/aliases/${code}`)).status, 404);
    assert.equal((await api.delete(`/api/v1/aliases/${code.toUpperCase()}`)).status, 204);
    assert.deepEqual([await visit(code), await aliasesOf(api, id)], [404, []]);
    for (const path of [`aliases/${code}`, `aliases/${(await read(api, id)).shortCode}`])
      assert.equal((await api.delete(`/api/v1/${path}`)).json.error.code, 'ALIAS_NOT_FOUND');
    assert.equal((await api.get(`/api/v1/links/by-code/${code}`)).status, 404);
    assert.deepEqual((await api.get(`/api/v1/links?search=${code}`)).json.data, []);
    const taken = await other.post('/api/v1/shorten', { url: page(), customCode: code });
    assert.equal(taken.json.error.code, 'CUSTOM_CODE_TAKEN');
    await api.delete(`/api/v1/links/${id}`);
    await api.post(`/api/v1/links/${id}/restore`);
    assert.equal(await visit(code), 404, 'a restore does not bring it back');
    const url = page();
    await makeLink(api, { url, customCode: code });
    assert.equal(await visit(code), url);
  });

  test('rejects an invalid code and changes nothing', async () => {
    const [api, other] = [await account(), await account()];
    const [id, theirs, mine, url] = [await makeLink(api), freshCode(), freshCode(), page()];
    await makeLink(other, { customCode: theirs });
    await makeLink(api, { customCode: mine });
    const { shortCode } = await read(api, id);
    for (const [code, status, error] of [
      [theirs, 409, 'CUSTOM_CODE_TAKEN'],
      [mine.toUpperCase(), 409, 'CUSTOM_CODE_TAKEN'],
      ['Login', 409, 'CUSTOM_CODE_RESERVED'],
      ['a b c', 422, 'INVALID_CUSTOM_CODE'],
      ['ab', 400, 'VALIDATION_ERROR'],
    ] as const)
      for (const give of [add, recode]) {
        const answer = await give(api, id, code);
        assert.deepEqual([answer.status, answer.json.error.code], [status, error], answer.text);
      }
    assert.equal((await add(api, id, shortCode)).json.error.code, 'CUSTOM_CODE_TAKEN');
    assert.equal((await add(api, '-', 'login')).json.error.code, 'LINK_NOT_FOUND');
    const many = await Promise.all(
      Array.from({ length: 22 }, (_, n) =>
        n % 2 === 0 ? add(api, id, freshCode()) : recode(api, id, freshCode()),
      ),
    );
    const limited = many.filter(({ status }) => status === 403);
    assert.deepEqual([limited.length, limited[0]?.json.error.code], [2, 'LIMIT_REACHED']);
    assert.equal((await aliasesOf(api, id)).length, 20);
    const [any = ''] = await aliasesOf(api, id);
    assert.equal((await recode(api, id, any)).status, 200, 'an alias becomes the code');
    await api.put('/api/v1/links/by-external-id/recoded', { url, customCode: `${mine}-put` });
    const { id: put } = (await api.get('/api/v1/links?externalId=recoded')).json.data[0];
    await recode(api, put, `${mine}-now`);
    const again = await api.put('/api/v1/links/by-external-id/recoded', { url, customCode: `${mine}-put` });
    assert.deepEqual([again.status, again.json.data.shortCode], [200, `${mine}-now`]);
  });

  test('gives a code to one of several concurrent requests', async () => {
    const accounts = [await account(), await account()];
    const links = await Promise.all(accounts.flatMap((api) => [makeLink(api), makeLink(api)]));
    const code = freshCode();
    const answers = await Promise.all(
      links.map((id, n) => (n % 2 === 0 ? add : recode)(accounts[n < 2 ? 0 : 1] as Api, id, code)),
    );
    assert.equal(answers.filter(({ status }) => status < 300).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 3);
    assert.equal(await visit(code), 'https://example.com/');
  });

  test('supports codes with letters from every script and emoji everywhere, if enabled', async () => {
    const [api, other] = [await account(), await account()];
    const end = freshCode();
    const [url, code] = [page(), `☕\ufe0f-Caf\u00e9-${end}`];
    const made = await api.post('/api/v1/shorten', { url, customCode: code.normalize('NFD') });
    assert.equal(made.status, 201, made.text);
    const { id, shortCode, shortUrl } = made.json.data;
    const path = encodeURIComponent(code);
    assert.deepEqual([shortCode, shortUrl], [code, `${server.url}/${path}`], 'composed, and plain ASCII');

    const others = [code.normalize('NFD').toUpperCase(), code.replace('\ufe0f', '')].map(encodeURIComponent);
    for (const one of [path, path.toLowerCase(), `${path}/`, `${path}?utm=1`, ...others])
      assert.equal(await visit(one), url, one);
    const raw = await converse(server.port, [
      `GET /${code} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    ]);
    assert.equal(answersIn(raw.text)[0]?.headers['location'], url, 'raw UTF-8');
    for (const one of [`${path}%00`, `${path}%E2%80%8B`, `${path}%E2%80%9D.`])
      assert.equal(await visit(one), url, one);
    for (const one of ['%E2%98', '%FF', encodeURIComponent(`cafe-${end}`)])
      assert.equal(await visit(one), 404, one);
    const preview = await call(server, 'GET', `/${path}+`, { headers: { accept: 'application/json' } });
    assert.deepEqual([preview.json.data.shortCode, preview.json.data.shortUrl], [code, shortUrl]);
    const shown = await call(server, 'GET', `/${path}%2B`, { headers: { accept: 'text/html' } });
    assert.match(shown.text, new RegExp(`<b>/${code}</b>`));

    const { customCode, ...wanted } = { url: page(), customCode: code.replace('\ufe0f', '').toUpperCase() };
    const taken = await other.post('/api/v1/shorten', { ...wanted, customCode });
    assert.deepEqual([taken.status, taken.json.error.code], [409, 'CUSTOM_CODE_TAKEN']);
    const check = await api.get(`/api/v1/codes?customCode=${path}`);
    assert.deepEqual([check.json.data.status, check.json.data.linkId], ['yours', id]);
    assert.equal(check.json.data.suggestions.length, 3);
    assert.equal((await api.get(`/api/v1/links/by-code/${path}`)).json.data.id, id);
    const found = await api.get(`/api/v1/links?q=${encodeURIComponent(`☕\ufe0f-CAFÉ-${end}`)}`);
    assert.deepEqual(
      found.json.data?.map((link: { id: string }) => link.id),
      [id],
    );
    const qr = await api.get(`/api/v1/links/${id}/qr`);
    assert.equal(qr.headers.get('content-disposition'), `inline; filename="${path}.svg"`);

    const [alias, now] = [`кофе-${end.replace(/[a-z]/g, '')}`, `咖啡${end}`];
    const added = await add(api, id, alias);
    assert.deepEqual(added.json.data, {
      code: alias,
      shortUrl: `${server.url}/${encodeURIComponent(alias)}`,
    });
    assert.ok(added.headers.get('location')?.endsWith(`/aliases/${encodeURIComponent(alias)}`));
    assert.equal((await recode(api, id, now)).json.data.shortCode, now);
    for (const one of [path, alias, now]) assert.equal(await visit(one), url, one);
    const rows = [`🚀${end}`, `sаle-${end}`, 'ａｐｉ'].map((one) => ({ url: page(), customCode: one }));
    const { results } = (await api.post('/api/v1/links/bulk', { action: 'create', links: rows })).json.data;
    assert.deepEqual(
      results.map(({ link, error }: { link?: { shortUrl: string }; error?: { code: string } }) =>
        error ? error.code : link?.shortUrl,
      ),
      [`${server.url}/${encodeURIComponent(`🚀${end}`)}`, 'INVALID_CUSTOM_CODE', 'CUSTOM_CODE_RESERVED'],
    );
    assert.equal((await api.delete(`/api/v1/aliases/${encodeURIComponent(alias)}`)).status, 204);
    assert.equal(await visit(alias), 404);
    const gone = await makeLink(api, { customCode: `ü${end}` });
    await api.delete(`/api/v1/links/${gone}`);
    const deleted = await api.get(`/api/v1/links?status=deleted&code=${encodeURIComponent(`Ü${end}`)}`);
    assert.equal(deleted.json.data[0]?.id, gone);
  });

  test('asks for the password of a link with such a code, and supports one-time links', async () => {
    const [api, code] = [await account(), `🔑${freshCode()}`];
    const url = page();
    await makeLink(api, { url, customCode: code, password: 'sesame' });
    const path = `/${encodeURIComponent(code)}`;
    assert.equal((await call(server, 'GET', path)).status, 403);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask(server, { method: 'POST', path, headers, body: 'password=sesame' });
    assert.deepEqual([answer.status, answer.headers.location], [303, path]);
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    assert.ok(cookie.endsWith(`; Path=${path}`), cookie);
    const open = await call(server, 'GET', path, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    assert.equal(open.headers.get('location'), url);

    const once = `🎟${code}`;
    await makeLink(api, { url, customCode: once, maxClicks: 1 });
    const pressed = await call(server, 'POST', `/${encodeURIComponent(once)}`);
    assert.equal(pressed.headers.get('location'), url);
    assert.equal(await visit(once), 410);
  });

  test('supports codes with slashes everywhere, if enabled', async () => {
    const [api, other] = [await account(), await account()];
    const end = freshCode();
    const [url, first, code] = [page(), end, `${end}/Sale`];
    await makeLink(other, { url: page(), customCode: first });
    const made = await api.post('/api/v1/shorten', { url, customCode: code });
    assert.equal(made.status, 201, made.text);
    const { id, shortCode, shortUrl } = made.json.data;
    assert.deepEqual([shortCode, shortUrl], [code, `${server.url}/${code}`]);
    for (const one of [code, code.toUpperCase(), `${code}/`, `${code}?a=/b/`, code.replace('/', '%2F')])
      assert.equal(await visit(one), url, one);
    const unknown = [`${end}/none`, `${end}/sale/x`];
    for (const one of [`${end}//sale`, `/${code}`, `${code}//`, `${code}%00`, `${code}).`]) {
      const answer = await ask(server, { path: `/${one}` });
      assert.equal(answer.headers['location'], url, one);
    }
    const none = [`${code}/x/y`, `${end}/../${code}`];
    for (const [paths, error] of [
      [unknown, 'CODE_NOT_FOUND'],
      [none, 'ROUTE_NOT_FOUND'],
    ] as const)
      for (const path of paths) {
        // The path is sent as it is; a URL parser would normalize it.
        const answer = await ask(server, { path: `/${path}`, headers: { accept: 'application/json' } });
        assert.deepEqual([path, answer.status, JSON.parse(answer.text).error.code], [path, 404, error]);
      }
    const preview = await call(server, 'GET', `/${code}+`, { headers: { accept: 'application/json' } });
    assert.deepEqual([preview.json.data.shortCode, preview.json.data.shortUrl], [code, shortUrl]);

    const path = encodeURIComponent(code);
    assert.equal((await api.get(`/api/v1/links/by-code/${path}`)).json.data.id, id);
    assert.equal((await other.get(`/api/v1/links/by-code/${path}`)).status, 404);
    assert.equal((await api.get(`/api/v1/links/by-code/${code}`)).status, 404, 'in one segment only');
    const check = (wished: string) => api.get(`/api/v1/codes?customCode=${encodeURIComponent(wished)}`);
    const { status, linkId, suggestions } = (await check(code)).json.data;
    assert.deepEqual([status, linkId, suggestions[0]], ['yours', id, `${code}-2`]);
    const reserved = (await check(`API/${end}`)).json.data;
    assert.deepEqual([reserved.status, reserved.suggestions[0]], ['reserved', `API-2/${end}`]);
    assert.match(
      (await api.get(`/api/v1/links/${id}/qr`)).headers.get('content-disposition') ?? '',
      /%2FSale/,
    );
    const found = (await api.get(`/api/v1/links?q=${path}`)).json.data;
    assert.deepEqual([found.length, found[0].id], [1, id]);

    const [alias, now] = [`${end}/a/b`, `☕${end}/Now`];
    const added = await add(api, id, alias);
    assert.deepEqual(added.json.data, { code: alias, shortUrl: `${server.url}/${alias}` });
    assert.ok(added.headers.get('location')?.endsWith(`/aliases/${encodeURIComponent(alias)}`));
    assert.equal((await recode(api, id, now)).json.data.shortUrl, `${server.url}/%E2%98%95${end}/Now`);
    for (const one of [code, alias, encodeURIComponent(now)]) assert.equal(await visit(one), url, one);
    assert.equal((await api.delete(`/api/v1/aliases/${encodeURIComponent(alias)}`)).status, 204);
    assert.equal(await visit(alias), 404);
    const { link } = (
      await api.post('/api/v1/links/bulk', { action: 'create', links: [{ url, prefix: 'promo/' }] })
    ).json.data.results[0];
    assert.match(link.shortCode, /^promo\/[2-9a-z]{8}$/);
    assert.equal(await visit(link.shortCode), url);
    const drawn = await api.post('/api/v1/shorten', { url, prefix: 'shop/a/', length: 6 });
    assert.match(drawn.json.data.shortCode, /^shop\/a\/[2-9a-z]{6}$/);
    await api.delete(`/api/v1/links/${id}`);
    const deleted = await api.get(`/api/v1/links?status=deleted&code=${encodeURIComponent(now)}`);
    assert.equal(deleted.json.data[0]?.id, id);
  });

  test('rejects an invalid code with slashes everywhere', async () => {
    const api = await account();
    const [id, url] = [await makeLink(api), page()];
    const bulk = (row: object) =>
      api.post('/api/v1/links/bulk', { action: 'create', links: [{ url, ...row }] });
    const codeOf = ({ json }: { json: { error?: { code: string } } }) => json.error?.code;
    for (const [customCode, error] of [
      ['api/x', 'CUSTOM_CODE_RESERVED'],
      ['Dashboard/links/x', 'CUSTOM_CODE_RESERVED'],
      ['ａｐｉ/x', 'CUSTOM_CODE_RESERVED'],
      ['a/b/c/d', 'INVALID_CUSTOM_CODE'],
      ['/a/b', 'INVALID_CUSTOM_CODE'],
      ['a/b/', 'INVALID_CUSTOM_CODE'],
      ['a//b', 'INVALID_CUSTOM_CODE'],
      ['a/../b', 'INVALID_CUSTOM_CODE'],
      ['a%2Fb', 'INVALID_CUSTOM_CODE'],
      ['.well-known/x', 'INVALID_CUSTOM_CODE'],
      ['☕/sаle', 'INVALID_CUSTOM_CODE'],
      ['/', 'VALIDATION_ERROR'],
      [`${'x'.repeat(49)}/x`, 'VALIDATION_ERROR'],
    ] as const) {
      for (const answer of [
        await api.post('/api/v1/shorten', { url, customCode }),
        await add(api, id, customCode),
        await recode(api, id, customCode),
        await api.put('/api/v1/links/by-external-id/segments', { url, customCode }),
      ])
        assert.deepEqual([customCode, codeOf(answer)], [customCode, error], answer.text);
      assert.equal((await bulk({ customCode })).json.data.results[0].error.code, error, customCode);
    }
    for (const [prefix, error] of [
      ['api/', 'CUSTOM_CODE_RESERVED'],
      ['api/x-', 'CUSTOM_CODE_RESERVED'],
      ['a/b/c/', 'INVALID_CUSTOM_CODE'],
      ['//', 'INVALID_CUSTOM_CODE'],
    ] as const) {
      assert.deepEqual([prefix, codeOf(await api.post('/api/v1/shorten', { url, prefix }))], [prefix, error]);
      assert.equal((await bulk({ prefix })).json.data.results[0].error.code, error, prefix);
    }
    const many = await api.post('/api/v1/shorten', { url, customCode: 'a/b/c/d' });
    assert.match(many.json.error.message, /4 segments.*maximum is 3/);
  });

  test("asks separately for passwords of two links, one below the other's path", async () => {
    const [api, code, url] = [await account(), freshCode(), page()];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const cookies: string[] = [];
    for (const [customCode, password] of [
      [code, 'sesame'],
      [`${code}/in`, 'sesame'],
    ] as const) {
      const path = `/${customCode}`;
      await makeLink(api, { url, customCode, password });
      const before = await call(server, 'GET', path, { headers: { cookie: cookies.join('; ') } });
      assert.equal(before.status, 403, "the other link's cookie is not accepted");
      const answer = await ask(server, { method: 'POST', path, headers, body: `password=${password}` });
      const [cookie = ''] = answer.headers['set-cookie'] ?? [];
      assert.deepEqual([answer.headers.location, cookie.endsWith(`; Path=${path}`)], [path, true]);
      cookies.push(cookie.split(';')[0] ?? '');
      const open = await call(server, 'GET', path, { headers: { cookie: cookies.join('; ') } });
      assert.equal(open.headers.get('location'), url);
    }
    const once = `${code}/once`;
    await makeLink(api, { url, customCode: once, maxClicks: 1 });
    const pressed = await call(server, 'POST', `/${once}`);
    assert.deepEqual([pressed.headers.get('location'), await visit(once)], [url, 410]);
  });

  test('keeps redirecting codes with slashes after they are disabled, and creates no more', async () => {
    const [key, code, url] = [(await server.newKey()).key, `${freshCode()}/Sale`, page()];
    const [before, unicode] = [as(server, key), `☕${code}`];
    const id = await makeLink(before, { url, customCode: code });
    await makeLink(before, { url, customCode: unicode });
    const plain = await startServer({}, server.dataDir);
    try {
      const api = as(plain, key);
      for (const path of [code, code.replace('/', '%2F'), `${code}/?x`, encodeURIComponent(unicode)])
        assert.equal((await call(plain, 'GET', `/${path}`)).headers.get('location'), url, path);
      assert.equal((await api.get(`/api/v1/links/by-code/${encodeURIComponent(code)}`)).json.data.id, id);
      for (const [path, error] of [
        [`${code}x`, 'ROUTE_NOT_FOUND'],
        [`${code}x`.replace('/', '%2F'), 'CODE_NOT_FOUND'],
      ] as const)
        assert.equal((await call(plain, 'GET', `/${path}`)).json.error.code, error, path);
      for (const fields of [{ customCode: `${code}-2` }, { customCode: 'api/x' }, { prefix: 'shop/' }]) {
        const { json } = await api.post('/api/v1/shorten', { url, ...fields });
        assert.deepEqual(
          [json.error.code, json.error.details[0].reason],
          ['INVALID_CUSTOM_CODE', 'invalid_characters'],
        );
      }
    } finally {
      await plain.stop();
    }
  });

  test('leaves nothing for the database check to find', async () => {
    assert.equal(await server.command('db', 'check'), '');
  });
});
