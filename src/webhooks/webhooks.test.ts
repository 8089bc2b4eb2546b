import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook as Receiver } from 'standardwebhooks';
import { engines } from '../../test/support/postgres/databases.ts';
import { until } from '../../test/support/until.ts';
import { createEncryption } from '../external/certificates/encryption.ts';
import { readAllowed } from '../external/outbound/allowed.ts';
import { createOutbound } from '../external/outbound/outbound.ts';
import type { Author } from '../model/accounts/actors.ts';
import type { AccountEvent } from '../model/history/events.ts';
import type { Storage } from '../model/storage.ts';
import { nextAttempt, retryAfterIn } from '../model/webhooks/schedule.ts';
import { generateSigningSecret, signedHeaders } from '../model/webhooks/signing.ts';
import type { WebhookSettings } from '../model/webhooks/webhooks.ts';
import { openStorage } from '../storage/open.ts';
import { newLink, nextId } from '../storage/storage.fixtures.ts';
import { fanOut, replay } from './fan-out.ts';
import { createSender, type Sender } from './sender.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
const encryption = createEncryption('x'.repeat(32));

test('signs like the Standard Webhooks library, with the old and the new secret', () => {
  const [old, current] = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
  const body = JSON.stringify({ type: 'link.created', data: { title: 'Grüße ☕' } });
  const headers = signedHeaders('evt_1', Date.now(), body, [current, old]);
  for (const secret of [old, current]) assert.ok(new Receiver(secret).verify(body, headers));
  assert.throws(() => new Receiver(generateSigningSecret(randomBytes)).verify(body, headers));
  assert.throws(() => new Receiver(old).verify(`${body} `, headers));
});

test('retries ten times on schedule, ±10 %, and respects Retry-After', () => {
  const waits = (chance: number) =>
    Array.from({ length: 10 }, (_, at) => nextAttempt(at + 1, 0, chance)).map((at) => at && at / second);
  const exact = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined];
  assert.deepEqual(waits(0.5), exact);
  assert.deepEqual([waits(0)[1], waits(1)[1]], [270, 330]);
  assert.equal(nextAttempt(1, 0, 0.5, 2 * hour), 2 * hour);
  assert.equal(nextAttempt(1, 0, 0.5, 90 * day), day);
  assert.deepEqual(
    ['7', 'Fri, 01 Jan 2027 00:01:00 GMT', 'soon', undefined].map((header) =>
      retryAfterIn(header, Date.UTC(2027, 0, 1)),
    ),
    [7_000, minute, undefined, undefined],
  );
});

for (const engine of engines) {
  describe(`webhooks on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let storage: Storage;
    let url: string;
    let server: Server;
    let origin: string;
    let account: number;
    let now = Date.UTC(2027, 0, 1);
    let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
    const got: { id: string; body: string; path: string; headers: Record<string, string> }[] = [];
    const fine = (_request: IncomingMessage, response: ServerResponse): void =>
      void response.writeHead(204).end();
    before(async () => {
      url = await engine.newDatabase();
      storage = await openStorage(url);
      server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        const headers = request.headers as Record<string, string>;
        got.push({ id: headers['webhook-id'] ?? '', body, path: request.url ?? '', headers });
        answer(request, response, body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      account = (await storage.createAccount('mine', now))?.id ?? 0;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await storage.close();
      await engine.drop(url);
    });

    const senderFor = (): Sender =>
      createSender({
        storage,
        outbound: createOutbound({ allowed: readAllowed('127.0.0.0/8') }),
        decrypt: encryption.decrypt,
        now: () => now,
        chance: () => 0.5,
        onError: (sentence, facts) => assert.fail(`${sentence} ${JSON.stringify(facts)}`),
      });
    /** Sends all due deliveries, in as many turns as necessary. */
    const sendAll = async (sender = senderFor()): Promise<void> => {
      while ((await sender.send()) || (await storage.hasDueDeliveries(now))) await sender.idle();
      await sender.close();
    };
    const secrets = new Map<string, string>();
    const make = async (path: string, more: Partial<WebhookSettings> = {}) => {
      const id = nextId();
      const secret = generateSigningSecret(randomBytes);
      secrets.set(id, secret);
      await storage.createWebhook(account, {
        ...{
          id,
          url: origin + path,
          events: ['link.created', 'link.updated', 'link.deleted'],
          description: null,
        },
        ...{ folderIds: null, domainIds: null, tags: null, disabled: false, createdAt: now, ...more },
        secret: encryption.encrypt(secret, id),
      });
      return id;
    };
    const readAll = async (): Promise<void> => {
      const bodyOf = ({ name: type, seq }: AccountEvent) => JSON.stringify({ type, data: { seq } });
      while (await fanOut({ storage, bodyOf, now: () => now }));
      while (await replay({ storage, bodyOf, now: () => now }));
    };
    const by = (at: number): Author => ({ kind: 'key', id: 'k', name: 'test', requestId: 'r', at });
    const deliveriesOf = (id: string) => storage.deliveries(account, id, 99);
    /** Returns all log entries after a position. On PostgreSQL, this waits for transactions from concurrent tests. */
    const logBehind = async (from: number, accountId?: number) => {
      const events: AccountEvent[] = [];
      await until('the log is read to its end', async () => {
        const page = await storage.followEvents(events.at(-1)?.seq ?? from, 1_000, accountId);
        events.push(...page.events);
        return page.head !== undefined && !page.hasMore;
      });
      return events;
    };

    test('creates one signed delivery per subscribed endpoint for every change, in order', async () => {
      answer = fine;
      await readAll();
      const one = await make('/one');
      const other = await make('/other', { events: ['link.deleted'] });
      const off = await make('/off', { disabled: true });
      const ids: string[] = [];
      for (let at = 0; at < 5; at += 1) {
        const link = newLink(`first-${at}`, { createdAt: now });
        ids.push((await storage.writesBy(by(now)).createLink(account, link)).id);
      }
      await storage.writesBy(by(now)).deleteLink(account, ids[0] ?? '', now);
      // Three processes read the log at the same time; one of them creates the deliveries.
      while ((await deliveriesOf(one)).length < 6) await Promise.all([readAll(), readAll(), readAll()]);
      assert.equal((await deliveriesOf(one)).length, 6);
      got.length = 0;
      // Two processes send the deliveries at the same time.
      await Promise.all([sendAll(), sendAll()]);
      const ofOne = got.filter(({ path }) => path === '/one');
      const seqs = ofOne.map(({ body }) => JSON.parse(body).data.seq as number);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
        'in order',
      );
      assert.equal(new Set(seqs).size, 6);
      assert.deepEqual(
        got.filter(({ path }) => path !== '/one').map(({ path, body }) => [path, JSON.parse(body).type]),
        [['/other', 'link.deleted']],
      );
      for (const { body, headers } of ofOne) {
        const timestamp = { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
        assert.throws(() =>
          new Receiver(secrets.get(other) ?? '').verify(body, { ...headers, ...timestamp }),
        );
        const signed = signedHeaders(headers['webhook-id'] ?? '', now, body, [secrets.get(one) ?? '']);
        assert.equal(headers['webhook-signature'], signed['webhook-signature']);
      }
      assert.ok(
        (await deliveriesOf(one)).every(
          ({ state, lastAttempt }) => state === 'delivered' && lastAttempt?.status === 204,
        ),
      );
      assert.deepEqual(await deliveriesOf(off), []);
      for (const id of [one, other, off]) await storage.deleteWebhook(account, id);
    });

    test('delivers everything to a receiver that was down for three days, without duplicates', async () => {
      answer = (_request, response) => void response.writeHead(500).end('no'.repeat(5_000));
      const id = await make('/down');
      for (let at = 0; at < 3; at += 1)
        await storage.writesBy(by(now)).createLink(account, newLink(`down-${at}`, { createdAt: now }));
      while ((await deliveriesOf(id)).length < 3) await readAll();
      const upAt = now + 3 * day;
      while (now < upAt) {
        await sendAll();
        now += 20 * minute;
      }
      const waiting = await deliveriesOf(id);
      assert.deepEqual(
        waiting.map(({ state, attempts, lastAttempt: last }) => [
          state,
          attempts,
          last?.status,
          last?.answer.length,
        ]),
        Array(3).fill(['waiting', 9, 500, 2_048]),
      );
      assert.equal((await storage.webhook(account, id))?.disabled, false);
      got.length = 0;
      answer = fine;
      now += day + hour;
      await sendAll();
      assert.equal(new Set(got.map((one) => one.id)).size, 3);
      assert.ok((await deliveriesOf(id)).every(({ state }) => state === 'delivered'));
      assert.equal((await storage.webhook(account, id))?.failingSince, null);
      await storage.deleteWebhook(account, id);
    });

    test('disables an endpoint after 410 or five days without success; follows no redirects; respects Retry-After', async () => {
      const tell = async (path: string, reply: typeof answer) => {
        answer = reply;
        const id = await make(path);
        await storage.addDelivery(
          account,
          { webhookId: id, eventId: `evt_${path}`, type: 't', body: '{}' },
          now,
        );
        await sendAll();
        const [delivery] = await deliveriesOf(id);
        return { id, delivery, webhook: await storage.webhook(account, id) };
      };
      const gone = await tell('/gone', (_request, response) => void response.writeHead(410).end());
      assert.deepEqual([gone.webhook?.disabled, gone.webhook?.disabledReason], [true, 'gone']);
      assert.equal(gone.delivery?.state, 'failed');
      const led = await tell(
        '/led',
        (_request, response) => void response.writeHead(302, { location: `${origin}/elsewhere` }).end(),
      );
      assert.equal(led.delivery?.lastAttempt?.status, 302);
      assert.ok(got.every(({ path }) => path !== '/elsewhere'));
      const busy = await tell(
        '/busy',
        (_request, response) => void response.writeHead(429, { 'retry-after': '7200' }).end(),
      );
      assert.equal(busy.delivery?.nextAttemptAt, now + 2 * hour);
      const lies = await tell('/lies', ({ socket }) => void socket.end('what?\r\n\r\n'));
      assert.deepEqual([lies.delivery?.state, lies.delivery?.lastAttempt?.status], ['waiting', null]);
      assert.match(lies.delivery?.lastAttempt?.answer ?? '', /not HTTP/);
      const closes = await tell('/closes', ({ socket }) => void socket.destroy());
      assert.match(closes.delivery?.lastAttempt?.answer ?? '', /is incomplete or not HTTP/);
      answer = (_request, response) => void response.writeHead(500).end();
      now += 5 * day + hour;
      await sendAll();
      const hopeless = await storage.webhook(account, closes.id);
      assert.deepEqual([hopeless?.disabled, hopeless?.disabledReason], [true, 'failing']);
      // When the webhook is enabled again, its endpoint receives the pending deliveries.
      answer = fine;
      await storage.updateWebhook(account, closes.id, { disabled: false }, now);
      await storage.replayWebhook(account, closes.id, { since: 0, all: false }, now);
      await sendAll();
      assert.equal((await deliveriesOf(closes.id))[0]?.state, 'delivered');
      for (const { id } of [gone, led, busy, lies, closes]) await storage.deleteWebhook(account, id);
    });

    test('logs automatic link events once, without a revision', async () => {
      const link = await storage
        .writesBy(by(now))
        .createLink(account, newLink('by-itself', { createdAt: now, maxClicks: 2 }));
      const from = (await logBehind(0)).at(-1)?.seq ?? 0;
      const { row } = (await storage.findTarget('by-itself')) ?? assert.fail();
      const admitted = await Promise.all([1, 2, 3].map(() => storage.consumeClick(account, row, now)));
      assert.deepEqual(admitted.toSorted(), [false, true, true]);
      await storage.monitorDestinations(0, 1_000, now);
      for (const state of ['fine', 'suspect', 'failing', 'failing', 'recovered', 'fine'] as const) {
        now += hour;
        const due = (await storage.dueDestinations(now, 1_000)).find(({ linkId }) => linkId === link.id);
        assert.ok(due);
        const found = {
          problem: state === 'failing' ? 'gone' : null,
          notice: null,
          status: 200,
          redirects: 0,
        } as const;
        const check = { ...found, state, certificateEndsAt: null, since: now, checkedAt: now };
        await storage.saveDestinationChecks([{ due, dueAt: now, check, title: undefined }]);
      }
      const events = await logBehind(from, account);
      assert.deepEqual(
        events.map(({ name, targetId, revision, body }) => [name, targetId, revision, body?.['revision']]),
        ['link.exhausted', 'destination.failing', 'destination.recovered'].map((name) => [
          name,
          link.id,
          null,
          1,
        ]),
      );
      assert.equal((await storage.linkEvents(account, link.id, 9))?.length, 1);
    });

    test('sends each expiry of a link once, however often it is postponed', async () => {
      const round = async (other = storage): Promise<void> => {
        if (!(await storage.hasWork('recordExpirations', now))) return;
        while (
          (await Promise.all([storage, other].map((it) => it.recordExpirations(now, 2)))).includes(true)
        );
      };
      const writes = () => storage.writesBy(by(now));
      const make = (code: string, expiresAt: number | null) =>
        writes().createLink(account, newLink(code, { createdAt: now, expiresAt }));
      await make('ended-before', now - hour);
      await round();
      const from = (await logBehind(0)).at(-1)?.seq ?? 0;
      const types = async () =>
        (await logBehind(from, account))
          .filter(({ name }) => name === 'link.expired')
          .map(({ targetId }) => targetId);
      const end = now + hour;
      const three = await Promise.all([1, 2, 3].map((n) => make(`ends-${n}`, end)));
      const [put, gone] = [await make('put-off', end), await make('gone', end)];
      await make('never', null);
      await writes().updateLink(account, put.id, { expiresAt: end + day }, now);
      await writes().deleteLink(account, gone.id, now);
      now = end + second;
      // A transaction that changes the expiry may not be committed yet.
      assert.equal(await storage.hasWork('recordExpirations', now), false);
      now = end + minute;
      const other = await openStorage(url);
      try {
        await round(other);
        assert.deepEqual((await types()).toSorted(), three.map(({ id }) => id).toSorted());
        // Moves the first link's expiry back and forth, between the recorded time and another time.
        const [first] = three;
        assert.ok(first);
        for (const expiresAt of [null, end, end + 2 * day, end, end + 2 * day])
          await writes().updateLink(account, first.id, { expiresAt }, now);
        await round(other);
        assert.equal((await types()).length, 3);
        now = end + day + minute;
        await round(other);
        assert.deepEqual((await types()).slice(3), [put.id]);
        now = end + 2 * day + minute;
        await round(other);
        await round(other);
        assert.deepEqual((await types()).slice(4), [first.id]);
      } finally {
        await other.close();
      }
      const events = await logBehind(from, account);
      const last = events.findLast(({ name }) => name === 'link.expired');
      assert.deepEqual([last?.revision, last?.body?.['expiresAt']], [null, end + 2 * day]);
    });

    test("delays no other endpoint because of a slow one, and resends a killed process's deliveries", async () => {
      const slow = await make('/slow');
      const quick = await make('/quick');
      let running = 0;
      let most = 0;
      const pending: ServerResponse[] = [];
      answer = (request, response) => {
        if (request.url !== '/slow') return void response.writeHead(200).end();
        running += 1;
        most = Math.max(most, running);
        pending.push(response);
      };
      for (let at = 0; at < 3; at += 1)
        for (const webhookId of [slow, quick])
          await storage.addDelivery(
            account,
            { webhookId, eventId: `evt_s${at}`, type: 't', body: '{}' },
            now,
          );
      got.length = 0;
      const killed = senderFor();
      await killed.send();
      const other = senderFor();
      const isQuickDone = async () => (await deliveriesOf(quick)).every(({ state }) => state === 'delivered');
      while (!(await isQuickDone())) {
        await other.send();
        await pause(5);
      }
      assert.equal(most, 1, 'one request at a time');
      await killed.close();
      assert.equal((await deliveriesOf(slow))[0]?.attempts, 0, 'an interrupted request is not an attempt');
      // A process that was killed still holds its lease for a while.
      await storage.leaseWebhooks(now, now + minute, []);
      assert.equal(await storage.hasDueDeliveries(now), false);
      now += minute + second;
      answer = fine;
      await sendAll();
      const ofSlow = got.filter(({ path }) => path === '/slow').map(({ id }) => id);
      assert.deepEqual([...new Set(ofSlow)].toSorted(), ['evt_s0', 'evt_s1', 'evt_s2']);
      assert.ok((await deliveriesOf(slow)).every(({ state }) => state === 'delivered'));
      await other.close();
      for (const response of pending) response.destroy();
    });

    test('shares slots between accounts: a quarter for one, and room for one more', async () => {
      const newAccount = async (endpoints: number, failing = 0) => {
        const { id = 0 } = (await storage.createAccount(`shares-${nextId()}`, now)) ?? {};
        for (let n = 0; n < endpoints; n += 1) {
          const settings = {
            events: ['link.created' as const],
            folderIds: null,
            domainIds: null,
            tags: null,
          };
          const webhookId = nextId();
          const more = { description: null, disabled: false, createdAt: now, secret: new Uint8Array(1) };
          await storage.createWebhook(id, { id: webhookId, url: `${origin}/${n}`, ...settings, ...more });
          await storage.addDelivery(id, { webhookId, eventId: 'evt', type: 't', body: '{}' }, now);
          if (n >= failing) continue;
          const attempt = { at: now, ms: 1, status: null, answer: '' };
          const { row = 0 } = (await storage.dueDeliveries(webhookId, now, 1))[0] ?? {};
          const outcome = { isDelivered: false, isBusy: false, nextAttemptAt: now, disable: null };
          await storage.saveDeliveryResult({ webhookId, deliveryRow: row, attempt, ...outcome });
        }
        return id;
      };
      const pending: number[] = [];
      const lease = async () => {
        const leased = await storage.leaseWebhooks(now, now + minute, pending);
        pending.push(...leased.map(({ accountId }) => accountId));
        return leased;
      };
      const first = await newAccount(20, 10);
      const alone = await lease();
      assert.deepEqual(
        alone.map(({ accountId, failingSince }) => [accountId, failingSince]),
        Array(8).fill([first, null]),
        'a quarter of the slots, endpoints that do not fail first',
      );
      assert.deepEqual(await lease(), []);
      pending.length = 0;
      const busy = await Promise.all(Array.from({ length: 12 }, () => newAccount(5)));
      while ((await lease()).length > 0);
      for (const id of busy) assert.equal(pending.filter((one) => one === id).length, 2, `${pending}`);
      const another = await newAccount(1);
      assert.deepEqual(
        (await lease()).map(({ accountId }) => accountId),
        [another],
      );
      for (const id of [first, ...busy, another])
        for (const { id: webhookId } of await storage.webhooks(id))
          await storage.deleteWebhook(id, webhookId);
    });

    test('pauses an endpoint that does not respond, with its other deliveries', async () => {
      now += day;
      const id = await make('/rests');
      answer = ({ socket }) => void socket.destroy();
      for (const eventId of ['evt_r1', 'evt_r2'])
        await storage.addDelivery(account, { webhookId: id, eventId, type: 't', body: '{}' }, now);
      const attempts = async () => (await deliveriesOf(id)).map((delivery) => delivery.attempts).toReversed();
      await sendAll();
      assert.deepEqual(await attempts(), [1, 0]);
      assert.equal(await storage.hasDueDeliveries(now + 4 * second), false);
      now += 5 * second;
      answer = fine;
      await sendAll();
      assert.deepEqual(await attempts(), [2, 1]);
      await storage.deleteWebhook(account, id);
    });
  });
}
