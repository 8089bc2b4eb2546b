import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Api, freshCode, makeLink } from '../../support/server/records.ts';
import { as, call, type Server, startServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

type Line = Readonly<Record<string, unknown>>;

const url = 'https://example.com/spring';
const head = { source: 'shlink', instance: 'https://s.example.com', readAt: '2026-06-01T09:00:00Z' };
const end = { type: 'end', links: 0, visits: 0, buckets: 0, counters: 0, problems: 0 };

function link(code: string, more: Line = {}): Line {
  return { type: 'link', key: `s.example.com/${code}`, domain: null, code, url, ...more };
}

function visit(code: string, at: string, more: Line = {}): Line {
  return { type: 'visit', key: `s.example.com/${code}`, at, ...more };
}

describe('imports', () => {
  let server: Server;
  before(async () => {
    server = await startServer({ LINK_QUOTAS: 'free=3' });
  });
  after(async () => {
    await server.stop();
  });

  const account = async (plan = 'enterprise'): Promise<Api> =>
    as(server, (await server.newKey({ plan })).key);
  const begin = async (api: Api, more: Line = {}) => {
    const made = await api.post('/api/v1/imports', { ...head, ...more });
    assert.ok(made.status === 201 || made.status === 200, made.text);
    return made.json.data;
  };
  const send = (api: Api, id: string, position: number, lines: readonly Line[]) =>
    api.post(`/api/v1/imports/${id}/lines`, { position, lines });
  const get = async (api: Api, id: string) => (await api.get(`/api/v1/imports/${id}`)).json.data;
  const settled = async (api: Api, id: string, state: string) => {
    await until(`the import is ${state}`, async () => (await get(api, id)).state === state);
    return get(api, id);
  };
  /** Imports a complete file in one request. */
  const take = async (api: Api, lines: readonly Line[], more: Line = {}) => {
    const { id } = await begin(api, more);
    const sent = await send(api, id, 0, [...lines, end]);
    assert.equal(sent.status, 200, sent.text);
    return settled(api, id, 'done');
  };
  const report = async (api: Api, id: string) => {
    const { text } = await api.get(`/api/v1/imports/${id}/report?format=ndjson`);
    const rows = text.trim().split('\n').filter(Boolean);
    return rows.map((row: string) => JSON.parse(row));
  };
  const outcomes = async (api: Api, id: string) =>
    (await report(api, id)).map(({ code, outcome }: Line) => `${code} ${outcome}`);
  const found = async (api: Api, code: string) => (await api.get(`/api/v1/links/by-code/${code}`)).json?.data;
  const numbers = async (api: Api, query = '') => {
    const range = 'from=2024-01-01&to=2026-12-31&timezone=UTC';
    const { json, text } = await api.get(`/api/v1/stats?${range}${query}`);
    assert.ok(json.success, text);
    return json.data;
  };
  const by = async (api: Api, dimension: string, more = '') => {
    const { breakdown } = await numbers(api, `&groupBy=${dimension}${more}`);
    return Object.fromEntries(
      breakdown.values.map((one: { value: string; clicks: number }) => [one.value, one.clicks]),
    );
  };
  const isSound = async () => assert.doesNotMatch(await server.command('db', 'check'), /\d+ clicks/);

  test('check reports rejections and changes, and stores nothing', async () => {
    const api = await account();
    const [good, other] = [freshCode(), freshCode()];
    const lines = [
      link(good, { title: 'a\nb', password: 'correct horse' }),
      link(other, { url: 'mailto:a@example.com' }),
      link(other, { domain: 'old.example.org' }),
      visit(good, '2025-01-01T00:00:00Z'),
      { type: 'odd' },
    ];
    const check = (more: Line = {}) => api.post('/api/v1/imports/plan', { lines, ...more });
    const { status, json } = await check();
    assert.equal(status, 200);
    assert.deepEqual(
      json.data.map(({ line, outcome, reason }: Line) => [line, outcome, String(reason).split(':')[0]]),
      [
        [1, 'mended', 'title'],
        [2, 'refused', 'INVALID_URL'],
        [3, 'refused', 'DOMAIN_NOT_FOUND'],
        [5, 'refused', 'The line is invalid'],
      ],
    );
    assert.equal((await check({ domain: 'old.example.org' })).json.error.code, 'DOMAIN_NOT_FOUND');
    assert.equal(await found(api, good), undefined);
    assert.deepEqual((await api.get('/api/v1/imports')).json.data, []);
  });

  test("keeps the source's data, redirects, and sorts links by their creation time", async () => {
    const api = await account();
    const [code, alias, over] = [freshCode(), freshCode(), freshCode()];
    const newer = await makeLink(api);
    const done = await take(api, [
      link(code, {
        aliases: [alias],
        title: 'Spring',
        tags: ['mail'],
        createdAt: '2024-05-06T07:08:09.000Z',
        maxClicks: 7,
      }),
      link(over, { expiresAt: '2025-01-01T00:00:00.000Z' }),
    ]);
    assert.equal(done.counts.taken, 2);
    assert.equal(done.position, 3);
    const made = await found(api, code);
    assert.deepEqual([made.title, made.createdAt], ['Spring', '2024-05-06T07:08:09.000Z']);
    const whole = (await api.get(`/api/v1/links/${made.id}?include=tags,maxClicks`)).json.data;
    assert.deepEqual([whole.tags, whole.maxClicks], [['mail'], 7]);
    for (const one of [code, alias]) assert.equal((await call(server, 'GET', `/${one}`)).status, 302);
    assert.equal((await call(server, 'GET', `/${over}`)).status, 410);
    const links = (await api.get('/api/v1/links')).json.data;
    assert.deepEqual([links[0].id, links.at(-1).id], [newer, made.id]);
  });

  test('keeps links protected: verifies bcrypt hashes, disables other links', async () => {
    const api = await account();
    const hash = '$2b$04$CVE/TyyS0UeCMJKA2Rf/ROk6gah6A4mzdpSJqS.zpSIEDVznNcJnG';
    const cases: readonly (readonly [Line, status: number])[] = [
      [{ passwordHash: hash }, 403],
      [{ passwordHash: hash.replace('2b', '2y') }, 403],
      [{ password: 'a plain one' }, 403],
      [{ passwordHash: 'pbkdf2$sha256$100000$c2FsdA==$aGFzaA==' }, 410],
      // Verifying a password with this hash would take minutes.
      [{ passwordHash: hash.replace('$04$', '$31$') }, 410],
      [
        { passwordHash: '$argon2id$v=19$m=9999999,t=99,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA' },
        410,
      ],
      [{ lost: ['password'] }, 410],
      [{ lost: ['cloaking'] }, 302],
    ];
    const codes = cases.map(() => freshCode());
    await take(
      api,
      cases.map(([more], at) => link(codes[at] ?? '', more)),
    );
    for (const [at, [more, status]] of cases.entries())
      assert.equal((await call(server, 'GET', `/${codes[at]}`)).status, status, JSON.stringify(more));
    const give = (code: string | undefined, password: string) =>
      fetch(`${server.url}/${code}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ password }),
      });
    for (const code of codes.slice(0, 2)) {
      assert.equal((await give(code, 'p\u00e4ss words')).status, 403);
      const right = await give(code, 'pa\u0308ss word');
      assert.equal(right.status, 303);
      const cookie = right.headers.getSetCookie().join().split(';')[0] ?? '';
      assert.equal((await call(server, 'GET', `/${code}`, { headers: { cookie } })).status, 302);
    }
  });

  test('skips, renames or rejects conflicts, each with its reason', async () => {
    const api = await account();
    const [mine, theirs, good] = [freshCode(), freshCode(), freshCode()];
    await makeLink(api, { customCode: mine });
    await makeLink(await account(), { customCode: theirs });
    const lines = [
      link(mine),
      link(theirs),
      link(good),
      link('a.b'),
      link('login'),
      link(freshCode(), { url: 'ftp://example.com/' }),
      link(freshCode(), { domain: 'unknown.example' }),
      { type: 'link', key: 'odd' },
      { type: 'problem', where: 'link x', reason: 'longUrl is missing' },
      link(good),
    ];
    const done = await take(api, lines);
    assert.deepEqual([done.counts.taken, done.counts.skipped, done.counts.refused], [1, 3, 6]);
    const told = await report(api, done.id);
    assert.deepEqual(
      told.map(({ line, outcome, reason }: Line) => `${line} ${outcome} ${/^\w+/.exec(String(reason))?.[0]}`),
      [
        ...['1 skipped CUSTOM_CODE_TAKEN', '2 skipped CUSTOM_CODE_TAKEN', '3 taken null'],
        ...['4 refused INVALID_CUSTOM_CODE', '5 refused CUSTOM_CODE_RESERVED', '6 refused INVALID_URL'],
        ...['7 refused DOMAIN_NOT_FOUND', '8 refused The', '9 refused longUrl', '10 skipped The'],
      ],
    );
    const csv = (await api.get(`/api/v1/imports/${done.id}/report`)).text;
    assert.match(csv, /^line,key,code,outcome,reason,linkId\r\n1,/);

    const renamed = await take(api, [link(mine, { key: 'other' })], { onConflict: 'rename', source: 'dub' });
    assert.equal(renamed.counts.renamed, 1);
    assert.deepEqual(await outcomes(api, renamed.id), [`${mine}-2 renamed`]);
    const here = await take(api, [link(freshCode(), { domain: 'unknown.example', key: 'k' })], {
      domain: new URL(server.url).hostname,
    });
    assert.equal(here.counts.taken, 1, JSON.stringify(await report(api, here.id)));
  });

  test('imports lines once: ignores repeated ones, rejects early or partial ones', async () => {
    const api = await account();
    const codes = [freshCode(), freshCode(), freshCode()];
    const { id } = await begin(api);
    const first = [link(codes[0] ?? ''), visit(codes[0] ?? '', '2025-03-01T10:00:00.000Z')];
    assert.equal((await send(api, id, 0, first)).json.data.position, 2);
    assert.deepEqual((await send(api, id, 0, first)).json.data.counts, (await get(api, id)).counts);
    for (const at of [1, 3]) {
      const wrong = await send(api, id, at, [link(codes[1] ?? ''), link(codes[2] ?? '')]);
      assert.deepEqual([wrong.status, wrong.json.error.code], [409, 'IMPORT_POSITION']);
      assert.match(wrong.json.error.message, /has received 2 lines/);
    }
    // Importing the same file continues from its last position, regardless of who starts the import.
    assert.deepEqual([(await begin(api)).id, (await begin(api)).position], [id, 2]);
    await api.patch(`/api/v1/imports/${id}`, { state: 'paused' });
    assert.equal((await send(api, id, 2, [end])).json.error.code, 'IMPORT_STATE');
    await api.patch(`/api/v1/imports/${id}`, { state: 'open' });
    await send(api, id, 2, [end]);
    const done = await settled(api, id, 'done');
    assert.deepEqual([done.counts.taken, done.counts.clicks], [1, 1]);
    assert.equal((await found(api, codes[0] ?? '')).clicks, 1);
    const stranger = await account();
    assert.equal((await stranger.get(`/api/v1/imports/${id}`)).json.error.code, 'IMPORT_NOT_FOUND');
    assert.equal((await send(stranger, id, 3, [end])).json.error.code, 'IMPORT_NOT_FOUND');
    assert.deepEqual((await stranger.get('/api/v1/imports')).json.data, []);
  });

  test('clicks: with dimensions, by hour and day, undated; repeating changes nothing', async () => {
    const api = await account();
    const [a, b] = [freshCode(), freshCode()];
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
    const key = `s.example.com/${b}`;
    const lines = [
      link(a),
      link(b),
      visit(a, '2025-03-01T10:00:00.000Z', {
        userAgent: iphone,
        country: 'DE',
        referrer: 'https://www.example.org/x',
      }),
      visit(a, '2025-03-01T23:59:59.000Z', { bot: true, country: 'FR', browser: 'firefox' }),
      visit(a, '2025-03-02T10:00:00.000Z', { clicks: 3 }),
      {
        type: 'bucket',
        key,
        at: '2025-03-01T10:00:00.000Z',
        unit: 'hour',
        clicks: 5,
        by: { country: { DE: 2, FR: 2 }, os: { ios: 5 } },
      },
      { type: 'bucket', key, at: '2025-03-03T00:00:00.000Z', unit: 'day', clicks: 40 },
      { type: 'counter', key, clicks: 50 },
      visit('nowhere', '2025-03-01T10:00:00.000Z'),
    ];
    const check = async (): Promise<void> => {
      const { totals, breakdown } = await numbers(api, '&interval=month&groupBy=country');
      assert.deepEqual([totals.clicks, totals.human, totals.bot], [50, 49, 1]);
      assert.equal(
        breakdown.values.reduce((sum: number, one: { clicks: number }) => sum + one.clicks, 0),
        50,
      );
      assert.deepEqual(await by(api, 'country'), { '': 44, DE: 3, FR: 3 });
      assert.deepEqual(await by(api, 'os'), { '': 44, ios: 6 });
      assert.deepEqual(await by(api, 'browser'), { '': 48, safari: 1, firefox: 1 });
      assert.deepEqual(await by(api, 'referrer'), { '': 49, 'example.org': 1 });
      assert.deepEqual(await by(api, 'imported'), { visit: 5, hour: 5, day: 40 });
      const clicks = [(await found(api, a)).clicks, (await found(api, b)).clicks];
      // The source reports five more clicks for the second link than it lists with dates.
      assert.deepEqual(clicks, [5, 50]);
    };
    const first = await take(api, lines);
    assert.deepEqual(
      [first.counts.clicks, first.counts.undatedClicks, first.counts.clicksOfNoLink],
      [50, 5, 1],
    );
    await check();
    await isSound();
    const again = await take(api, lines);
    const { taken, unchanged, clicks, unchangedClicks, undatedClicks } = again.counts;
    assert.deepEqual([taken, unchanged, clicks - unchangedClicks, undatedClicks], [0, 2, 0, 0]);
    await check();
    // For each day in an imported file, its clicks replace the link's clicks, unless it has fewer. Other days do not
    // change.
    await take(api, [visit(a, '2025-03-02T11:00:00.000Z', { country: 'IT' })]);
    await check();
    const italy = { country: 'IT', clicks: 3 };
    const third = await take(api, [visit(a, '2025-03-02T11:00:00.000Z', italy)]);
    assert.deepEqual([third.counts.clicks, third.counts.unchangedClicks], [3, 3]);
    assert.deepEqual(await by(api, 'country'), { '': 41, DE: 3, FR: 3, IT: 3 });
    assert.equal((await found(api, a)).clicks, 5);
    await api.post(`/api/v1/imports/${third.id}/undo`);
    await settled(api, third.id, 'undone');
    await check();
    await isSound();
  });

  test('overwrite: applies the file to links that were not changed here', async () => {
    const api = await account();
    const [equal, changed, gone] = [freshCode(), freshCode(), freshCode()];
    await take(api, [link(equal), link(changed), link(gone)]);
    const touched = await found(api, changed);
    await api.patch(`/api/v1/links/${touched.id}`, { title: 'Mine' });
    await api.delete(`/api/v1/links/${(await found(api, gone)).id}`);
    const lines = [equal, changed, gone].map((code) =>
      link(code, { url: 'https://example.com/new', title: 'New' }),
    );
    const done = await take(api, lines, { onConflict: 'overwrite' });
    assert.deepEqual(await outcomes(api, done.id), [
      `${equal} changed`,
      `${changed} skipped`,
      `${gone} skipped`,
    ]);
    const [one, other] = [await found(api, equal), await found(api, changed)];
    assert.deepEqual([one.destinationUrl, one.title], ['https://example.com/new', 'New']);
    assert.deepEqual([other.destinationUrl, other.title], [url, 'Mine']);
    const same = await take(api, lines, { onConflict: 'overwrite' });
    assert.equal(same.counts.changed, 0);
    // A field that a line omits keeps its value, because most sources omit empty and unknown fields.
    await take(api, [link(equal, { url: 'https://example.com/new', tags: ['x'] })], {
      onConflict: 'overwrite',
    });
    assert.equal((await found(api, equal)).title, 'New');
    await take(api, [link(equal, { title: '', tags: [] })], { onConflict: 'overwrite' });
    const { title, tags } = (await api.get(`/api/v1/links/by-code/${equal}?include=title,tags`)).json.data;
    assert.deepEqual([title || null, tags], [null, []]);
  });

  test('undo restores changed links, unless somebody changed them since', async () => {
    const api = await account();
    const [back, touched, again] = [freshCode(), freshCode(), freshCode()];
    const codes = [back, touched, again];
    const before = { title: 'Old', tags: ['spring'], maxClicks: 7, expiresAt: '2031-01-01T00:00:00.000Z' };
    const first = await take(
      api,
      codes.map((code) => link(code, before)),
    );
    const was = await found(api, back);
    const changes = { url: 'https://example.com/new', title: 'New', tags: ['autumn', 'sale'] };
    const lines = codes.map((code) => link(code, { ...before, ...changes, maxClicks: 9 }));
    const second = await take(api, lines, { onConflict: 'overwrite' });
    assert.deepEqual(
      await outcomes(api, second.id),
      codes.map((code) => `${code} changed`),
    );
    assert.deepEqual((await found(api, back)).tags, ['autumn', 'sale']);
    await api.patch(`/api/v1/links/${(await found(api, touched)).id}`, { description: 'Mine' });
    const lastLines = [link(again, { ...before, title: 'Newest' })];
    assert.equal((await take(api, lastLines, { onConflict: 'overwrite' })).counts.changed, 1);
    await api.post(`/api/v1/imports/${second.id}/undo`);
    const undone = await settled(api, second.id, 'undone');
    assert.deepEqual([undone.counts.undone, undone.counts.kept], [1, 2]);
    const fields = await found(api, back);
    for (const name of ['destinationUrl', 'title', 'tags', 'maxClicks', 'expiresAt', 'clicks'])
      assert.deepEqual(fields[name], was[name], name);
    const visited = await call(server, 'GET', `/${back}`);
    assert.equal(visited.headers.get('location'), was.destinationUrl);
    assert.equal((await found(api, touched)).destinationUrl, changes.url);
    assert.equal((await found(api, again)).title, 'Newest');
    await isSound();
    // As the second import has been undone, the link counts as unchanged since the first import.
    await api.post(`/api/v1/imports/${first.id}/undo`);
    assert.equal((await settled(api, first.id, 'undone')).counts.undone, 2);
    assert.equal(await found(api, back), undefined);
  });

  test('undo deletes unchanged links and their clicks; then they can be imported again', async () => {
    const api = await account();
    const [a, b] = [freshCode(), freshCode()];
    const lines = [
      link(a),
      link(b),
      visit(a, '2025-03-01T10:00:00.000Z'),
      visit(b, '2025-03-01T10:00:00.000Z'),
      { type: 'counter', key: `s.example.com/${a}`, clicks: 9 },
    ];
    const { id } = await take(api, lines);
    await api.patch(`/api/v1/links/${(await found(api, b)).id}`, { title: 'Mine' });
    assert.equal((await api.post(`/api/v1/imports/${id}/undo`)).json.data.state, 'undoing');
    const undone = await settled(api, id, 'undone');
    assert.deepEqual([undone.counts.undone, undone.counts.kept], [1, 1]);
    assert.equal(await found(api, a), undefined);
    assert.equal((await found(api, b)).clicks, 1);
    assert.equal((await numbers(api)).totals.clicks, 1);
    await isSound();
    const anew = await take(api, lines);
    assert.deepEqual([anew.counts.taken, anew.counts.unchanged], [1, 1]);
    assert.deepEqual([(await found(api, a)).clicks, (await numbers(api)).totals.clicks], [9, 2]);
    await isSound();
  });

  test('limits the clicks of a day in an import, whatever the file announces', async () => {
    const api = await account();
    const [a, b, c] = [freshCode(), freshCode(), freshCode()];
    const day = (code: string, clicks: number): Line => ({
      ...{ type: 'bucket', key: `s.example.com/${code}`, unit: 'day', clicks },
      at: '2025-03-01T00:00:00.000Z',
    });
    const lines = [link(a), link(b), link(c), day(a, 1_000_000), day(b, 999_999), day(b, 2)];
    const { id } = await begin(api);
    const sent = await send(api, id, 0, [...lines, visit(b, '2025-03-01T10:00:00.000Z'), day(c, 1)]);
    const { counts } = sent.json.data;
    assert.deepEqual([counts.clicks, counts.refused], [2_000_000, 2]);
    const refusals = (await report(api, id)).filter(({ outcome }: Line) => outcome === 'refused');
    assert.deepEqual(
      refusals.map(({ line, reason }: Line) => [line, reason]),
      [6, 8].map((line) => [
        line,
        'VALIDATION_ERROR: 2025-03-01 would have more than 2,000,000 clicks from this import, or too many bytes. Put the remaining clicks in a line of type counter, which counts clicks without a date.',
      ]),
    );
    await api.post(`/api/v1/imports/${id}/undo`);
    await settled(api, id, 'undone');
    assert.equal((await numbers(api)).totals.clicks, 0);
  });

  test('stops creating links at a quota, not the import', async () => {
    const api = await account('free');
    const { usage, limits } = (await api.get('/api/v1/me')).json.data;
    const lines = Array.from({ length: limits.links - usage.links + 2 }, () => link(freshCode()));
    const done = await take(api, lines);
    assert.equal(done.counts.refused, 2);
    assert.match((await report(api, done.id)).at(-1).reason, /^LIMIT_REACHED: /);
  });
});
