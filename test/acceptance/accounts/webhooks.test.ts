import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { document } from '../../support/http/openapi.ts';
import { createJudge } from '../../support/http/openapi-judge.ts';
import { type Api, makeFolder, makeLink } from '../../support/server/records.ts';
import { as, type Server, startServer, type TestKey } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

interface Got {
  readonly path: string;
  readonly text: string;
  readonly headers: Record<string, string>;
  readonly body: { type: string; timestamp: string; data: Record<string, unknown> };
}

describe('webhooks', () => {
  let server: Server;
  let key: TestKey;
  let api: Api;
  let origin: string;
  let expiring: string;
  let expiresAt: string;
  let readLog: () => Promise<{ type: string; data: object }[]>;
  const got: Got[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const fine = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(204).end();
  const receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const headers = request.headers as Record<string, string>;
    got.push({ path: request.url ?? '', text, headers, body: JSON.parse(text) });
    answer(request, response);
  });
  const environment = { OUTBOUND_ALLOW: '127.0.0.1' };

  before(async () => {
    answer = fine;
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    server = await startServer(environment);
    key = await server.newKey();
    api = as(server, key.key);
    const other = await server.newKey();
    const apiOfOther = as(server, other.key);
    // The link expires while the other tests run.
    await apiOfOther.post('/api/v1/webhooks', { url: `${origin}/expired`, events: ['link.expired'] });
    expiresAt = new Date(Date.now() + 1_500).toISOString();
    expiring = await makeLink(apiOfOther, { expiresAt });
    readLog = async () => (await apiOfOther.get('/api/v1/events/log')).json.data;
  });
  after(() => {
    receiver.closeAllConnections();
    receiver.close();
    const { eventComplaint } = createJudge(document);
    assert.deepEqual(
      got.flatMap(({ body }) => eventComplaint(body) ?? []),
      [],
    );
  });

  const make = async (path: string, fields: object = {}) => {
    const made = await api.post('/api/v1/webhooks', {
      url: origin + path,
      events: ['link.created'],
      ...fields,
    });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('location'), `${server.url}/api/v1/webhooks/${made.json.data.id}`);
    return made.json.data as { id: string; secret: string };
  };
  const of = (path: string) => got.filter((one) => one.path === path);
  const arrived = (path: string, count: number) =>
    until(`${count} arrived at ${path}`, () => of(path).length >= count);
  const deliveries = async (id: string, query = '') =>
    (await api.get(`/api/v1/webhooks/${id}/deliveries${query}`)).json;
  const remove = async (...ids: string[]) => {
    for (const id of ids) assert.equal((await api.delete(`/api/v1/webhooks/${id}`)).status, 204);
  };

  test('delivers each event signed, with the record at the time; shows the secret once', async () => {
    const events = ['link.created', 'link.updated', 'link.deleted', 'folder.created'];
    const { id, secret } = await make('/all', { events, description: 'Inventory' });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const link = await makeLink(api, { title: 'One', password: 'secret word' });
    await api.patch(`/api/v1/links/${link}`, { title: 'Two' });
    await makeFolder(api);
    await api.patch(`/api/v1/links/${link}/destination`, { url: 'https://example.com/two' });
    await api.delete(`/api/v1/links/${link}`);
    await arrived('/all', 5);
    const told = of('/all').map(({ body: { type, data } }) => [type, data['title'] ?? data['name']]);
    assert.deepEqual(told, [
      ['link.created', 'One'],
      ['link.updated', 'Two'],
      ['folder.created', 'Posters'],
      ['link.updated', 'Two'],
      ['link.deleted', 'Two'],
    ]);
    for (const { text, headers } of of('/all')) assert.ok(new Webhook(secret).verify(text, headers));
    assert.throws(() => new Webhook(secret).verify(of('/all')[0]?.text ?? '', of('/all')[1]?.headers ?? {}));
    assert.doesNotMatch(JSON.stringify(got), /secret word|argon/);
    const { json } = await api.get('/api/v1/events/log');
    const logged = json.data.map(({ id: _, ...event }: { id: string }) => event);
    assert.deepEqual(
      of('/all').map(({ body }) => body),
      logged,
      'the log has the same bodies',
    );
    const [shown] = (await api.get('/api/v1/webhooks')).json.data;
    assert.equal(shown.secret, undefined);
    assert.deepEqual([shown.id, shown.disabled, shown.failingSince], [id, false, null]);
    await until(
      'the success is recorded',
      async () => (await api.get(`/api/v1/webhooks/${id}`)).json.data.lastSuccessAt,
    );
    await remove(id);
  });

  test('filters by folders, domains and tags; reports a link that leaves a folder there too', async () => {
    const [folder, shared] = [await makeFolder(api), '00000000-0000-7000-8000-000000000001'];
    const events = ['link.created', 'link.updated'];
    const ids = [
      (await make('/folder', { events, folderIds: [folder] })).id,
      (await make('/tag', { events, tags: ['press'] })).id,
      (await make('/nowhere', { events, domainIds: ['0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10'] })).id,
      (await make('/shared', { events, domainIds: [shared] })).id,
    ];
    const inFolder = await makeLink(api, { folderId: folder });
    await makeLink(api, { tags: ['press'] });
    await makeLink(api, { tags: ['other'] });
    await api.patch(`/api/v1/links/${inFolder}/move`, { folderId: null });
    await arrived('/shared', 4);
    await arrived('/folder', 2);
    await arrived('/tag', 1);
    assert.deepEqual(
      ['/folder', '/tag', '/nowhere'].map((path) => of(path).map(({ body }) => body.type)),
      [['link.created', 'link.updated'], ['link.created'], []],
    );
    await remove(...ids);
  });

  test('sends a test event, shows the response, and resends it', async () => {
    answer = (_, response) => void response.writeHead(500).end('broken '.repeat(1_000));
    const { id } = await make('/tried');
    const tried = await api.post(`/api/v1/webhooks/${id}/test`);
    assert.deepEqual(
      [tried.status, tried.json.data.type, tried.json.data.state],
      [201, 'webhook.test', 'waiting'],
    );
    await arrived('/tried', 1);
    await until('the response is recorded', async () => (await deliveries(id)).data[0].lastAttempt !== null);
    const [first] = (await deliveries(id)).data;
    assert.deepEqual(
      [first.attempts, first.lastAttempt.status, first.lastAttempt.answer.length, first.state],
      [1, 500, 2_048, 'waiting'],
    );
    assert.deepEqual(JSON.parse(first.body).data, { webhookId: id });
    answer = fine;
    const path = `/api/v1/webhooks/${id}/deliveries/${first.id}/resend`;
    const again = await api.post(path);
    assert.deepEqual([again.status, again.json.data.attempts], [200, 0]);
    await until('it arrived', async () => (await deliveries(id)).data[0].state === 'delivered');
    assert.equal(new Set(of('/tried').map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal((await deliveries(id)).data[0].lastAttempt.status, 204);
    for (let at = 0; at < 2; at += 1) await api.post(`/api/v1/webhooks/${id}/test`);
    const { data, pagination } = await deliveries(id, '?limit=2');
    const rest = await deliveries(id, `?limit=2&cursor=${pagination.nextCursor}`);
    assert.deepEqual([data.length, rest.data.length, rest.pagination.nextCursor], [2, 1, null]);
    assert.equal(rest.data[0].id, first.id);
    const unknown = await api.post(path.replace(first.id, id));
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'DELIVERY_NOT_FOUND']);
    await remove(id);
  });

  test('signs with the old and the new secret for a day after a rotation', async () => {
    const { id, secret } = await make('/rotated');
    const rotated = (await api.post(`/api/v1/webhooks/${id}/rotate`)).json.data;
    assert.notEqual(rotated.secret, secret);
    await api.post(`/api/v1/webhooks/${id}/test`);
    await arrived('/rotated', 1);
    const [{ text, headers } = { text: '', headers: {} }] = of('/rotated');
    for (const one of [secret, rotated.secret]) assert.ok(new Webhook(one).verify(text, headers));
    await remove(id);
  });

  test('replays events that occurred while it was disabled, except delivered ones', async () => {
    const since = new Date().toISOString();
    const { id } = await make('/replayed');
    await makeLink(api, { title: 'Before' });
    await arrived('/replayed', 1);
    await api.patch(`/api/v1/webhooks/${id}`, { disabled: true });
    for (const title of ['One', 'Two']) await makeLink(api, { title });
    const on = await api.patch(`/api/v1/webhooks/${id}`, { disabled: false });
    assert.equal(on.json.data.disabledReason, null);
    await makeLink(api, { title: 'After' });
    await arrived('/replayed', 2);
    const replayed = await api.post(`/api/v1/webhooks/${id}/replay`, { since });
    assert.deepEqual([replayed.status, replayed.json.data.since], [200, since]);
    await arrived('/replayed', 4);
    assert.deepEqual(
      of('/replayed').map(({ body }) => body.data['title']),
      ['Before', 'After', 'One', 'Two'],
    );
    const all = await api.post(`/api/v1/webhooks/${id}/replay`, { since, all: true });
    assert.deepEqual([all.status, all.json.data.deliveries], [200, 4]);
    await arrived('/replayed', 8);
    const [first, second] = [of('/replayed').slice(0, 4), of('/replayed').slice(4, 8)].map((some) =>
      some.map(({ text, headers }) => `${headers['webhook-id']} ${text}`).sort(),
    );
    assert.deepEqual(second, first, 'the same events, with the same ids');
    const { status, json } = await api.post(`/api/v1/webhooks/${id}/replay`, { since: '2027-02-30' });
    assert.deepEqual([status, json.error.details[0].reason], [400, 'invalid_format']);
    await remove(id);
  });

  test('checks addresses and does not reach the internal network', async () => {
    for (const url of [
      'ftp://example.com/',
      'https://me:pw@example.com/',
      'nothing',
      `https://example.com/${'x'.repeat(2_040)}`,
    ]) {
      const { status, json } = await api.post('/api/v1/webhooks', { url, events: ['link.created'] });
      assert.equal(status, 400, url);
      assert.ok(['INVALID_URL', 'VALIDATION_ERROR'].includes(json.error.code));
    }
    for (const body of [
      { events: [] },
      { events: ['link.clobbered'] },
      { events: ['link.created'], tags: [] },
    ])
      assert.equal((await api.post('/api/v1/webhooks', { url: origin, ...body })).status, 400);
    const made = await api.post('/api/v1/webhooks', { url: 'http://127.0.0.2:1/', events: ['link.created'] });
    const { id } = made.json.data;
    await api.post(`/api/v1/webhooks/${id}/test`);
    await until('it was tried', async () => (await deliveries(id)).data[0].lastAttempt !== null);
    const [{ lastAttempt }] = (await deliveries(id)).data;
    assert.equal(lastAttempt.status, null);
    assert.match(lastAttempt.answer, /127\.0\.0\.2 has a non-public address/);
    await remove(id);
  });

  test("reports a link's expiry on time, and logs it", async () => {
    await arrived('/expired', 1);
    const { type, data, timestamp } = of('/expired')[0]?.body ?? assert.fail();
    assert.deepEqual(
      [type, data['id'], data['expiresAt'], data['revision'], data['changes']],
      ['link.expired', expiring, expiresAt, 1, {}],
    );
    assert.ok(timestamp >= expiresAt, timestamp);
    const logged = (await readLog()).filter((event) => event.type === type);
    assert.deepEqual(
      logged.map((event) => event.data),
      [data],
    );
  });

  test('misses nothing when the server is killed', async () => {
    answer = (_, response) => void setTimeout(() => response.writeHead(200).end(), 20);
    const { id } = await make('/killed');
    const links = Array.from({ length: 80 }, (_, at) => ({ url: `https://example.com/${at}` }));
    const made = await api.post('/api/v1/links/bulk', { action: 'create', links });
    assert.equal(made.status, 200, made.text);
    await arrived('/killed', 20);
    await server.stop('SIGKILL');
    const { length: before } = of('/killed');
    assert.ok(before < 80, `${before} had arrived`);
    server = await startServer(environment, server.dataDir);
    api = as(server, key.key);
    const told = () => new Set(of('/killed').map(({ headers }) => headers['webhook-id']));
    await until('all arrived', () => told().size === 80);
    // The server repeats only requests that were in progress and deliveries that were not recorded: at most twenty per
    // endpoint.
    assert.ok(of('/killed').length <= 100, `${of('/killed').length}`);
    await until('all deliveries are recorded', async () =>
      (await deliveries(id, '?limit=100')).data.every(
        ({ state }: { state: string }) => state === 'delivered',
      ),
    );
    answer = fine;
    await remove(id);
  });

  test('delays no other account because of sixty endpoints that never respond', async (t) => {
    const tarpit = createNetServer((socket) => void socket.on('error', () => {}).resume());
    const sockets = new Set<Socket>();
    tarpit.on('connection', (socket) => sockets.add(socket));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      tarpit.close();
    });
    await new Promise<void>((resolve) => tarpit.listen(0, '127.0.0.1', resolve));
    const stuck = `http://127.0.0.1:${(tarpit.address() as AddressInfo).port}/`;
    const hostile = as(server, (await server.newKey()).key);
    for (let n = 0; n < 60; n += 1)
      await hostile.post('/api/v1/webhooks', { url: stuck + n, events: ['link.created'] });
    const { id } = await make('/victim');
    const links = Array.from({ length: 30 }, () => ({ url: 'https://example.com/' }));
    assert.equal((await hostile.post('/api/v1/links/bulk', { action: 'create', links })).status, 200);
    await until("the account's delivery slots are in use", () => sockets.size >= 8);
    const waits: number[] = [];
    for (let n = 1; n <= 12; n += 1) {
      const began = performance.now();
      await makeLink(api);
      await arrived('/victim', n);
      waits.push(performance.now() - began);
    }
    // A delivery is guaranteed to arrive within 2 s. If it waited for a request to the tarpit, it would take 15 s.
    assert.ok(Math.max(...waits) < 8_000, `${waits}`);
    assert.ok(sockets.size <= 16, `${sockets.size} requests to the tarpit`);
    for (const { id: ofHostile } of (await hostile.get('/api/v1/webhooks')).json.data)
      await hostile.delete(`/api/v1/webhooks/${ofHostile}`);
    await remove(id);
  });
});
