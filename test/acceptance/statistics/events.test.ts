// Clients follow events on any process, receive each exactly once, and see only their own account's events.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { follow } from '../../support/http/event-stream.ts';
import { newMember } from '../../support/server/members.ts';
import { makeFolder } from '../../support/server/records.ts';
import { as, call, endServers, type Server, startServer, type TestKey } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { words } from '../../support/words.ts';

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  referer: 'https://news.example.com/a?secret=1',
};

describe('events', () => {
  let server: Server;
  let holder: TestKey;
  let api: ReturnType<typeof as>;
  before(async () => {
    server = await startServer({ WORKERS: '2' });
    holder = await server.newKey();
    api = as(server, holder.key);
  });
  after(endServers);

  const newLink = async (fields: object = {}, by = api): Promise<{ id: string; code: string }> => {
    const { data } = (await by.post('/api/v1/shorten', { url: 'https://example.com/', ...fields })).json;
    return { id: data.id, code: data.shortCode };
  };
  const click = async (code: string): Promise<void> => {
    assert.equal((await call(server, 'GET', `/${code}`, { headers: firefox })).status, 302);
  };
  const typesOf = (told: readonly { event: string }[]): readonly string[] => told.map(({ event }) => event);

  test('sends clicks and every change of a link once, without visitor data', async () => {
    const mine = await server.newKey();
    const own = as(server, mine.key);
    const stream = await follow(server, mine.key);
    const link = await newLink({}, own);
    const folderId = await makeFolder(own);
    const path = `/api/v1/links/${link.id}`;
    await own.patch(path, { title: 'A title', tags: ['one'] });
    await own.patch(path, { title: 'A title' });
    await own.patch(`${path}/move`, { folderId });
    await own.delete(path);
    await own.post(`${path}/restore`);
    const told = await stream.count(5);
    assert.deepEqual(
      typesOf(told),
      words(`
      link.created link.updated link.moved link.deleted link.restored
    `),
    );
    assert.deepEqual(
      told.map(({ data }) => data.eventType),
      words(`
      link.created link.updated link.updated link.deleted link.restored
    `),
    );
    const { time: at, ...change } = told[4]?.data ?? {};
    const eventType = 'link.restored';
    assert.deepEqual(change, {
      type: 'link.restored',
      linkId: link.id,
      shortCode: link.code,
      folderId,
      eventType,
    });
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);

    await click(link.code);
    const { data } = (await stream.count(6))[5] ?? {};
    const { time: clickedAt, ...said } = data;
    assert.ok(Math.abs(Date.parse(clickedAt) - Date.now()) < 60_000);
    assert.deepEqual(said, {
      type: 'click',
      linkId: link.id,
      shortCode: link.code,
      folderId,
      eventType: 'link.clicked',
      class: 'human',
      trigger: 'link',
      country: '',
      region: '',
      browser: 'firefox',
      os: 'linux',
      device: 'desktop',
      language: '',
      referrer: 'news.example.com',
      referrerKind: 'other',
      utmSource: '',
      utmMedium: '',
      utmCampaign: '',
      utmTerm: '',
      utmContent: '',
      network: '',
      utmFrom: '',
      domain: '',
      imported: '',
      rule: '',
      variant: '',
    });
    stream.close();
  });

  test('sends each event once to clients on every worker, and none from another account', async () => {
    const stranger = await server.newKey();
    const streams = await Promise.all(Array.from({ length: 8 }, () => follow(server, holder.key)));
    const strange = await follow(server, stranger.key);
    const { code } = await newLink();
    await Promise.all(Array.from({ length: 40 }, () => click(code)));
    const theirs = await newLink({}, as(server, stranger.key));
    const last = await newLink();
    for (const stream of streams) {
      await until('the last event', () => stream.received.some(({ data }) => data.linkId === last.id));
      await stream.count(42);
      assert.equal(typesOf(stream.received).filter((type) => type === 'click').length, 40);
      assert.equal(new Set(stream.received.map(({ id }) => id)).size, 42);
      assert.ok(stream.received.every(({ data }) => data.linkId !== theirs.id));
      stream.close();
    }
    assert.deepEqual(
      (await strange.count(1)).map(({ data }) => data.linkId),
      [theirs.id],
    );
    strange.close();
  });

  test('resumes after the last event on any process, without gaps or duplicates', async () => {
    const other = await startServer({}, server.dataDir);
    const { code } = await newLink();
    const query = '?types=click';
    const whole = await follow(server, holder.key, { query });
    const ids: string[] = [];
    let lastEventId = whole.received.at(-1)?.id ?? '';
    for (let round = 0; round < 4; round += 1) {
      const stream = await follow(round % 2 === 0 ? server : other, holder.key, { query, lastEventId });
      await Promise.all(Array.from({ length: 10 }, () => click(code)));
      // The client disconnects partway through, and more events occur before it reconnects.
      await stream.count(1 + round);
      stream.close();
      const seen = stream.received.slice(0, 1 + round);
      ids.push(...seen.map(({ id }) => id));
      lastEventId = seen.at(-1)?.id ?? '';
      await Promise.all(Array.from({ length: 5 }, () => click(code)));
    }
    const rest = await follow(other, holder.key, { query, lastEventId });
    await whole.count(60);
    await until('the rest', () => ids.length + rest.received.length >= 60);
    assert.deepEqual(
      [...ids, ...rest.received.map(({ id }) => id)],
      whole.received.map(({ id }) => id),
    );
    whole.close();
    rest.close();
    await other.stop();
  });

  test('answers an invalid or old ID with a reset', async () => {
    for (const lastEventId of ['nonsense', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      const stream = await follow(server, holder.key, { lastEventId });
      assert.deepEqual(typesOf(await stream.count(1)), ['reset']);
      const { code } = await newLink();
      const told = await stream.count(2);
      assert.equal(told[1]?.data.shortCode, code);
      stream.close();
    }
  });

  test('sends only requested events that the key may read', async () => {
    const { account } = holder;
    const folderId = await makeFolder(api);
    const [inside, outside] = [await newLink({ folderId }), await newLink()];
    const reader = await server.newKey({ account, scopes: 'links:read' });
    const analyst = await server.newKey({ account, scopes: 'analytics:read' });
    const streams = {
      reader: await follow(server, reader.key),
      analyst: await follow(server, analyst.key),
      ofLink: await follow(server, holder.key, { query: `?linkId=${outside.id.toUpperCase()}` }),
      ofFolder: await follow(server, holder.key, { query: `?folderId=${folderId}&types=click,link.updated` }),
      ofNone: await follow(server, holder.key, { query: '?folderId=none&types=click' }),
    };
    for (const { id, code } of [inside, outside]) {
      await api.patch(`/api/v1/links/${id}`, { title: 'new' });
      await click(code);
    }
    const [a, b] = [inside.code, outside.code];
    const expected = {
      reader: [`link.updated ${a}`, `link.updated ${b}`],
      analyst: [`click ${a}`, `click ${b}`],
      ofLink: [`link.updated ${b}`, `click ${b}`],
      ofFolder: [`link.updated ${a}`, `click ${a}`],
      ofNone: [`click ${b}`],
    };
    for (const [name, stream] of Object.entries(streams)) {
      const wanted = expected[name as keyof typeof expected];
      const told = await stream.count(wanted.length);
      // Clicks reach the database slightly later than changes, so the order of events varies.
      assert.deepEqual(
        told.map(({ event, data }) => `${event} ${data.shortCode}`).sort(),
        [...wanted].sort(),
      );
      stream.close();
    }
    const refused = await call(server, 'GET', '/api/v1/events?types=click', { key: reader.key });
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'INSUFFICIENT_SCOPE']);
    const stranger = await server.newKey();
    for (const [query, code] of [
      [`linkId=${outside.id}`, 'LINK_NOT_FOUND'],
      [`folderId=${folderId}`, 'FOLDER_NOT_FOUND'],
    ]) {
      const answer = await call(server, 'GET', `/api/v1/events?${query}`, { key: stranger.key });
      assert.deepEqual([answer.status, answer.json.error.code], [404, code]);
    }
  });

  test('ends a stream soon after its key is revoked, its session ended or its account suspended', async () => {
    const ended = async (stream: Awaited<ReturnType<typeof follow>>, code: string): Promise<void> => {
      await until('the stream ends', stream.hasEnded);
      assert.deepEqual([stream.received.at(-1)?.event, stream.received.at(-1)?.data.code], ['end', code]);
    };
    const doomed = await server.newKey();
    const revoked = await follow(server, doomed.key);
    await server.command('keys', 'revoke', doomed.id);
    await ended(revoked, 'INVALID_API_KEY');

    const signedIn = await call(server, 'POST', '/api/v1/session', { key: holder.key });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const browser = await follow(server, '', { headers: { cookie } });
    const origin = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    const out = await call(server, 'DELETE', '/api/v1/session', { headers: { cookie, ...origin } });
    assert.equal(out.status, 204, out.text);
    await ended(browser, 'INVALID_SESSION');

    // Revoking a key or changing a role ends streams immediately on the worker that handles it, and on other workers at
    // their next poll. The regular check of all streams, every two seconds, would come later.
    const owner = as(server, (await server.newKey()).key);
    const person = await newMember(server, owner, 'admin');
    const made = (await person.send('POST', '/keys', { name: 'ci' })).json.data;
    for (const [act, secret] of [
      [
        () => owner.post('/api/v1/keys', { name: 'x' }).then(() => owner.delete(`/api/v1/keys/${made.id}`)),
        made.key,
      ],
      [() => owner.patch(`/api/v1/members/${person.id}`, { role: 'viewer' }), ''],
    ] as const) {
      const headers = secret === '' ? { headers: { cookie: person.cookie } } : {};
      const streams = [await follow(server, secret, headers), await follow(server, secret, headers)];
      await act();
      const from = performance.now();
      for (const stream of streams) await until('the stream ends', stream.hasEnded);
      const took = performance.now() - from;
      assert.ok(took < 1_500, `${took} ms`);
    }

    const suspect = await server.newKey();
    const suspended = await follow(server, suspect.key);
    await server.command('accounts', 'suspend', suspect.account);
    await ended(suspended, 'ACCOUNT_SUSPENDED');
  });

  test('ends streams at once when the server stops, and asks clients to reconnect', async () => {
    const brief = await startServer({ SHUTDOWN_DELAY: '0' });
    const { key } = await brief.newKey();
    const stream = await follow(brief, key);
    assert.equal(await brief.stop(), 0);
    assert.deepEqual([stream.received[0]?.event, stream.received[0]?.data.code], ['end', 'SHUTTING_DOWN']);
  });
});
