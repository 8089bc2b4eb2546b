import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { clickedBody, clickText } from '../api/webhooks.ts';
import { readAllowed } from '../external/outbound/allowed.ts';
import { createOutbound } from '../external/outbound/outbound.ts';
import { createClickCollector } from '../model/clicks/click-collector.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import type { Storage } from '../model/storage.ts';
import type { WebhookSettings } from '../model/webhooks/webhooks.ts';
import { openStorage } from '../storage/open.ts';
import { newLink, nextId } from '../storage/storage.fixtures.ts';
import { createClickDelivery } from './clicks.ts';
import { createSender } from './sender.ts';

const second = 1_000;
const day = 86_400_000;
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

for (const engine of engines) {
  describe(`click webhooks on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let storage: Storage;
    let url: string;
    let origin: string;
    let account: number;
    let now = Date.UTC(2027, 0, 1, 12);
    let status = 204;
    let offset = 0;
    const got: { path: string; at: number; bytes: number; terms: string[]; status: number }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { type, data } = JSON.parse(body);
      assert.equal(type, 'link.clicked');
      assert.doesNotMatch(body, /visitor"|"ip"|address/);
      const terms = data.clicks.map(({ utmTerm }: { utmTerm: string }) => utmTerm);
      got.push({ path: request.url ?? '', at: now, bytes: Buffer.byteLength(body), terms, status });
      response.writeHead(status).end();
    });
    before(async () => {
      url = await engine.newDatabase();
      storage = await openStorage(url);
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

    const make = async (path: string, more: Partial<WebhookSettings> = {}) => {
      const webhook = {
        id: nextId(),
        url: origin + path,
        description: null,
        disabled: false,
        createdAt: now,
      };
      const filter = { events: ['link.clicked'] as const, folderIds: null, domainIds: null, tags: null };
      await storage.createWebhook(account, { ...webhook, ...filter, ...more, secret: Buffer.from(secret) });
      return webhook.id;
    };
    const rowOf = async (code: string) => (await storage.findTarget(code))?.row ?? assert.fail();
    let terms = 0;
    /** Adds clicks, each identified by its `utm_term`, and folds them so that webhooks receive them. */
    const click = async (row: number, clicks: number, facts: object = {}): Promise<string[]> => {
      const collector = createClickCollector();
      const bodies: string[] = [];
      for (let n = 0; n < clicks; n += 1) {
        terms += 1;
        bodies.push(`t${terms}`);
        collector.add(account, row, now, {
          ...unknownFacts(0),
          visitor: 7,
          ...facts,
          utmTerm: bodies[n] ?? '',
        });
      }
      const sums = Float64Array.from([row, 0, 0, clicks]);
      offset += 1;
      await storage.applyClicks({
        journal: 'j',
        from: offset - 1,
        to: offset,
        sums,
        records: collector.take(),
      });
      return bodies;
    };
    const tell = async () => {
      while (await createClickDelivery({ storage, clickText, clickedBody, now: () => now }));
    };
    /** Creates deliveries and sends those that are due, like one run of a process. */
    const round = async () => {
      await tell();
      const sender = createSender({
        storage,
        outbound: createOutbound({ allowed: readAllowed('127.0.0.0/8') }),
        decrypt: (encrypted) => Buffer.from(encrypted).toString(),
        now: () => now,
        chance: () => 0,
        onError: (sentence, facts) => assert.fail(`${sentence} ${JSON.stringify(facts)}`),
      });
      await sender.send();
      await sender.idle();
      await sender.close();
    };
    const rounds = async (seconds: number) => {
      for (const end = now + seconds * second; now < end; now += second) await round();
    };
    const termsAt = (path: string) =>
      got.filter((one) => one.path === path && one.status < 300).flatMap((one) => one.terms);
    const checkPace = (path: string) => {
      const times = got.filter((one) => one.path === path).map(({ at }) => at);
      for (const [place, at] of times.entries())
        assert.ok(place === 0 || at - (times[place - 1] ?? 0) >= 5 * second, `${path} ${times}`);
    };

    test('sends each click once, a thousand per request, every five seconds, only to subscribed endpoints', async () => {
      await storage.createLink(account, newLink('first', { createdAt: now }));
      const row = await rowOf('first');
      await click(row, 5);
      assert.equal(await storage.hasClickSubscribers(), false);
      await storage.foldClicks(now);
      const id = await make('/all');
      await make('/created', { events: ['link.created'] });
      await make('/off', { disabled: true });
      const made = [...(await click(row, 2_500)), ...(await click(row, 3))];
      // Several processes create deliveries at the same time.
      await Promise.all([tell(), tell(), tell()]);
      await rounds(14);
      assert.deepEqual(termsAt('/all'), made);
      assert.deepEqual(
        got.map((one) => [one.path, one.terms.length]),
        [1_000, 1_000, 503].map((clicks) => ['/all', clicks]),
      );
      checkPace('/all');
      await storage.deleteWebhook(account, id);
    });

    test('keeps clicks while a receiver is down, and sends them in fewer requests; resending keeps the interval', async () => {
      const row = await rowOf('first');
      const id = await make('/down');
      status = 500;
      const counted = await click(row, 10);
      for (let n = 0; n < 20; n += 1) {
        await rounds(6);
        counted.push(...(await click(row, 4)));
      }
      assert.deepEqual(
        new Set(got.filter(({ path }) => path === '/down').map((one) => one.terms.length)),
        new Set([10]),
      );
      checkPace('/down');
      status = 204;
      now += day;
      await rounds(12);
      assert.deepEqual(termsAt('/down'), counted);
      const requests = got.length;
      for (const delivery of await storage.deliveries(account, id, 9))
        await storage.resendDelivery(account, id, delivery.id, now);
      await rounds(15);
      assert.equal(got.length, requests + 2);
      checkPace('/down');
      // Clicks are not stored for a disabled webhook.
      await storage.updateWebhook(account, id, { disabled: true }, now);
      await click(row, 7);
      await storage.foldClicks(now);
      await storage.updateWebhook(account, id, { disabled: false }, now);
      const later = await click(row, 2);
      await rounds(6);
      assert.deepEqual(termsAt('/down').slice(-2), later, 'an enabled webhook receives only later clicks');
      assert.equal(termsAt('/down').length, 2 * counted.length + 2);
      await storage.deleteWebhook(account, id);
    });

    test('filters by folders, tags and domains; keeps a body below 256 kB', async () => {
      const folder = nextId();
      await storage.createFolder(account, { id: folder, name: 'F', createdAt: now } as never);
      await storage.createLink(account, newLink('within', { createdAt: now, folderId: folder }));
      const [outside, within] = [await rowOf('first'), await rowOf('within')];
      const ids = [
        await make('/folder', { folderIds: [folder] }),
        await make('/tag', { tags: ['press'] }),
        await make('/nowhere', { domainIds: [nextId()] }),
        await make('/long'),
      ];
      await click(outside, 4);
      const made = await click(within, 3);
      await rounds(6);
      assert.deepEqual(termsAt('/folder'), made);
      assert.deepEqual(termsAt('/tag'), []);
      assert.deepEqual(termsAt('/nowhere'), []);
      const long = await click(within, 700, { referrer: '\u0001'.repeat(200), utmCampaign: '"'.repeat(300) });
      await rounds(60);
      assert.deepEqual(termsAt('/long').slice(7), long);
      assert.deepEqual(termsAt('/folder').slice(3), long);
      const sizes = got.map(({ bytes }) => bytes);
      assert.ok(Math.max(...sizes) < 256_000 && Math.max(...sizes) > 250_000, `${Math.max(...sizes)}`);
      checkPace('/long');
      for (const id of ids) await storage.deleteWebhook(account, id);
    });

    test('drops undelivered clicks after five days, and limits the size of delivered ones', async () => {
      const row = await rowOf('first');
      const id = await make('/old');
      status = 500;
      await click(row, 3);
      await rounds(1);
      await click(row, 3);
      await storage.foldClicks(now);
      now += 5 * day - second;
      const trim = async () => {
        const before = now - 30 * day;
        while (
          (await storage.hasWork('trimDeliveries', before)) &&
          (await storage.trimDeliveries(before, 100))
        );
        return (await storage.pendingClicks(account, { after: 0, had: 0 }, 1_000, false)).clicks.length;
      };
      assert.equal(await trim(), 3);
      now += 3 * second;
      assert.equal(await trim(), 0);
      await storage.deleteWebhook(account, id);
      const stored = await make('/kept');
      status = 204;
      for (let n = 0; n < 102; n += 1)
        await storage.addDelivery(
          account,
          { webhookId: stored, eventId: `evt_${n}`, type: 'link.clicked', body: '{}' },
          now,
        );
      const attempt = { at: now, ms: 1, status: 204, answer: '' };
      for (const { row: deliveryRow } of await storage.dueDeliveries(stored, now, 200)) {
        const ended = { isDelivered: true, isBusy: false, nextAttemptAt: null, disable: null };
        await storage.saveDeliveryResult({ webhookId: stored, deliveryRow, attempt, ...ended });
      }
      const last = await click(row, 1);
      await round();
      assert.deepEqual(termsAt('/kept'), last);
      assert.equal((await storage.deliveries(account, stored, 200)).length, 100);
      await storage.deleteWebhook(account, stored);
    });

    test('creates one delivery when two processes read the same clicks', async () => {
      const row = await rowOf('first');
      const id = await make('/twice');
      status = 204;
      await click(row, 2);
      // Days with earlier clicks are folded first, so fold until the new click is due.
      for (let n = 0; n < 9 && (await storage.nextClicked(now)) === undefined; n += 1)
        await storage.foldClicks(now);
      const found = (await storage.nextClicked(now)) ?? assert.fail('no webhook receives them');
      assert.equal(found.id, id);
      const { clicks } = await storage.pendingClicks(account, found.upTo, 1_000, false);
      assert.equal(clicks.length, 2);
      const to = { after: found.upTo.after + 1, had: 0 };
      for (const eventId of ['evt_one', 'evt_other'])
        await storage.addClickDelivery(found, to, { eventId, type: 'link.clicked', body: '{}' }, now);
      const made = await storage.deliveries(account, id, 9);
      assert.deepEqual(
        made.map(({ eventId }) => eventId),
        ['evt_one'],
      );
      await storage.deleteWebhook(account, id);
    });
  });
}
