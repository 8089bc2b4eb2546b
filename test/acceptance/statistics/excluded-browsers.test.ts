import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ask } from '../../support/http/ask.ts';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, endServers, type Server, startServer, temporaryFolder } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

after(endServers);

const hasty = [process.execPath, join(import.meta.dirname, '../../support/faults/hasty-server.ts')];
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Exclusion {
  readonly domain: string;
  readonly excludeUrl: string;
  readonly countUrl: string;
  readonly expiresAt: string;
}

const exclusionsOf = async (api: Api): Promise<readonly Exclusion[]> => {
  const { status, json } = await api.get('/api/v1/account/browser-exclusions');
  assert.equal(status, 200);
  return json.data;
};
const onDomain = (all: readonly Exclusion[], domain: string): Exclusion => {
  const found = all.find((one) => one.domain === domain);
  assert.ok(found, domain);
  return found;
};
const countsOf = async (api: Api, id: string) => {
  const { clicks, excludedToday } = (await api.get(`/api/v1/links/${id}?include=excludedToday`)).json.data;
  return [clicks, excludedToday];
};

/** Opens a URL as a browser with cookies would. */
async function open(server: Server, url: string, cookie = '', post: Record<string, string> | null = null) {
  const { host, pathname } = new URL(url);
  const headers = {
    host,
    'user-agent': agent,
    accept: 'text/html',
    ...(cookie !== '' && { cookie }),
    ...post,
  };
  const method = post === null ? 'GET' : 'POST';
  const { status, headers: answered, text } = await ask(server, { method, path: pathname, headers });
  const [set = ''] = answered['set-cookie'] ?? [];
  return { status, location: answered.location, set, cookie: set.split(';')[0] ?? '', text };
}

/** Presses the button on the page for excluding a browser. */
const confirm = (server: Server, url: string, cookie?: string) =>
  open(server, url, cookie, { 'sec-fetch-site': 'same-origin' });

describe('a browser that is excluded from statistics', () => {
  test("is redirected but not counted, only on its cookie's domain and for its cookie's account", async () => {
    const dataDir = temporaryFolder('excluded');
    const before = await startServer({}, dataDir);
    const { key, account } = await before.newKey();
    const { key: theirKey } = await before.newKey();
    const [first, second] = ['go.first.example', 'go.second.example'];
    for (const host of [first, second])
      await before.command('domains', 'create', host, '--account', account, '--proven');
    await before.stop();
    const server = await startServer({}, dataDir, hasty);
    const api = as(server, key);
    const pending = await api.post('/api/v1/domains', { host: 'go.pending.example' });
    assert.equal(pending.status, 201);
    const code = freshCode();
    const id = await makeLink(api, { customCode: code, domain: first });
    const alias = await api.post(`/api/v1/links/${id}/aliases`, { customCode: code, domain: second });
    assert.equal(alias.status, 201, alias.text);

    const all = await exclusionsOf(api);
    assert.deepEqual(all.map(({ domain }) => domain).sort(), ['127.0.0.1', first, second]);
    const { excludeUrl, countUrl, expiresAt } = onDomain(all, first);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    assert.ok(minutes > 8 && minutes <= 10, expiresAt);

    // Another site cannot exclude a visitor's browser. The page asks the visitor to confirm, and accepts only requests
    // from its own form.
    for (const post of [null, {}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://other.example' }]) {
      const asked = await open(server, excludeUrl, '', post);
      assert.deepEqual([asked.status, asked.set], [200, ''], JSON.stringify(post));
      assert.match(asked.text, /<form method="post"><button/);
    }
    const plain = await open(server, excludeUrl, '', { origin: `http://${new URL(excludeUrl).host}` });
    assert.equal(plain.status, 303);
    const marked = await confirm(server, excludeUrl);
    assert.equal(marked.status, 303);
    const { searchParams, pathname, hash } = new URL(marked.location ?? '');
    assert.equal(pathname + hash, '/dashboard/settings#ownVisits');
    assert.deepEqual([...searchParams.values()], [first, 'excluded']);
    assert.match(
      marked.set,
      /^linkfold_uncounted_\d+=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    );
    const { cookie } = marked;

    const visit = async (host: string, cookies: string, visited = code) =>
      (await open(server, `http://${host}/${visited}`, cookies)).status;
    assert.equal(await visit(first, cookie), 302);
    assert.equal(await visit(first, `other=1; ${cookie}`), 302);
    // On the alias's domain, the browser has no cookie until it is excluded there, too. A cookie copied from the first
    // domain is invalid there.
    assert.equal(await visit(second, ''), 302);
    assert.equal(await visit(second, cookie), 302);
    assert.equal(await visit(second, (await confirm(server, onDomain(all, second).excludeUrl)).cookie), 302);
    // Visits with a forged exclusion cookie are counted.
    const [name = ''] = cookie.split('=');
    for (const forged of [`${name}=1`, `${name}=${'A'.repeat(43)}`, cookie.slice(0, -1)])
      assert.equal(await visit(first, forged), 302);
    await until('the excluded visits are stored', async () => (await countsOf(api, id))[1] === 3);
    assert.deepEqual(await countsOf(api, id), [5, 3]);

    // Another account counts visits from this browser. A renamed cookie is invalid for that account.
    const theirs = as(server, theirKey);
    const strange = freshCode();
    const strangeId = await makeLink(theirs, { customCode: strange });
    const shared = await confirm(server, onDomain(await exclusionsOf(theirs), '127.0.0.1').excludeUrl);
    const [theirName = ''] = shared.cookie.split('=');
    assert.equal(await visit(new URL(server.url).host, cookie, strange), 302);
    assert.equal(await visit(new URL(server.url).host, cookie.replace(name, theirName), strange), 302);
    assert.deepEqual(await countsOf(theirs, strangeId), [2, 0]);

    const again = await confirm(server, countUrl, cookie);
    assert.match(again.set, new RegExp(`^${name}=[^;]+; Path=/; Max-Age=0; HttpOnly; SameSite=Lax$`));
    assert.equal(new URL(again.location ?? '').searchParams.get('visits'), 'counted');

    // An exclusion URL works only on its domain, and only if it is unchanged.
    for (const url of [
      excludeUrl.replace(first, second),
      excludeUrl.replace(/\.(\d+)(?=\.[^.]*$)/, (text) => `${text}0`),
      `${excludeUrl}A`,
      excludeUrl.replace(/\d+(?=\.exclude)/, '99'),
    ]) {
      const { status, set } = await confirm(server, url);
      assert.deepEqual([status, set], [404, ''], url);
    }
    await server.stop();
  });

  test('is counted as excluded by all workers, across restarts', async () => {
    const dataDir = temporaryFolder('excluded-workers');
    const server = await startServer({ WORKERS: '2' }, dataDir);
    const { key } = await server.newKey();
    const api = as(server, key);
    const code = freshCode();
    const id = await makeLink(api, { customCode: code });
    const [exclusion] = await exclusionsOf(api);
    const { cookie } = await confirm(server, exclusion?.excludeUrl ?? '');
    for (let n = 0; n < 20; n += 1)
      assert.equal((await open(server, `${server.url}/${code}`, cookie)).status, 302);
    assert.equal(await server.stop(), 0);
    const next = await startServer({}, dataDir);
    assert.deepEqual(await countsOf(as(next, key), id), [0, 20]);
    assert.equal((await open(next, `${next.url}/${code}`, cookie)).status, 302, 'the secret is kept');
    assert.deepEqual((await as(next, key).get(`/api/v1/missed-visits`)).json.data, []);
    await next.stop();
    const last = await startServer({}, dataDir);
    assert.deepEqual(await countsOf(as(last, key), id), [0, 21]);
    await last.stop();
  });
});
