import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines } from '../../test/support/postgres/databases.ts';
import { until } from '../../test/support/until.ts';
import { createClickCollector } from '../model/clicks/click-collector.ts';
import { unknownFacts } from '../model/clicks/click-facts.ts';
import {
  decryptPosition,
  type EventPosition,
  type EventRequest,
  encryptPosition,
  eventWindowMs,
  type LinkEvent,
} from '../model/clicks/events.ts';
import type { Storage } from '../model/storage.ts';
import { openStorage } from './open.ts';
import { postgresAddressIn } from './postgres/connections/url.ts';
import { connectUnpooled } from './postgres/engine.ts';
import { newLink } from './storage.fixtures.ts';

const t0 = Date.UTC(2027, 0, 1);
const secret = new Uint8Array(16).fill(7);

/** Reads an account's events page by page and stores the position. */
class Reader {
  readonly told: LinkEvent[] = [];
  after: EventPosition | undefined;
  losses = 0;
  readonly #storage: Storage;
  readonly #accountId: number;

  constructor(storage: Storage, accountId: number) {
    this.#storage = storage;
    this.#accountId = accountId;
  }

  /** @returns true if more events can be read */
  async read(max: number): Promise<boolean> {
    const ask: EventRequest = { accountId: this.#accountId, clicks: true, changes: true, after: this.after };
    const page = (await this.#storage.readEvents([ask], max))?.pages[0];
    this.told.push(...(page?.events ?? []));
    this.losses += Number(page?.isLost ?? false);
    this.after = page?.end;
    return page?.hasMore === true;
  }

  async begin(): Promise<this> {
    await until('the end of the log is known', async () => {
      await this.read(1);
      return this.after !== undefined;
    });
    return this;
  }

  async readAll(events: number, max = 7): Promise<readonly LinkEvent[]> {
    await until(`${events} events, not ${this.told.length}`, async () => {
      while (await this.read(max));
      return this.told.length >= events;
    });
    return this.told;
  }
}

test('decodes a position only with its secret, and its text reveals nothing', () => {
  const position = { change: 12_345_678_901, batch: 98_765, clicks: 4_321 };
  const text = encryptPosition(position, secret);
  assert.match(text, /^[\w-]{22}$/);
  assert.deepEqual(decryptPosition(text, secret), position);
  assert.equal(decryptPosition(text, new Uint8Array(16)), undefined);
  assert.notEqual(encryptPosition({ ...position, clicks: 4_322 }, secret).slice(0, 8), text.slice(0, 8));
  for (const wrong of ['', 'x', text.slice(1), `${text}A`, 'ä'.repeat(22)])
    assert.equal(decryptPosition(wrong, secret), undefined);
});

for (const engine of engines) {
  describe(`events on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const opened = async (work: (storage: Storage, url: string) => Promise<void>): Promise<void> => {
      const url = await engine.newDatabase();
      const storage = await openStorage(url);
      try {
        await work(storage, url);
      } finally {
        await storage.close();
        await engine.drop(url);
      }
    };

    let applied = 0;
    const click = async (storage: Storage, clicks: readonly (readonly [account: number, row: number])[]) => {
      const collector = createClickCollector();
      for (const [account, row] of clicks) collector.add(account, row, t0, unknownFacts(0));
      const byRow = Map.groupBy(clicks, ([, row]) => row);
      const sums = [...byRow].flatMap(([row, some]) => [row, t0 / 3_600_000, 0, some.length]);
      applied += 1;
      const batch = { journal: `j${applied}`, from: 0, to: 1, sums: Float64Array.from(sums) };
      await storage.applyClicks({ ...batch, records: collector.take() });
    };
    const account = async (storage: Storage, name: string) => {
      const id = (await storage.createAccount(name, t0))?.id ?? 0;
      const link = await storage.createLink(id, newLink(`of-${name}`));
      return { id, link, row: (await storage.findTarget(`of-${name}`))?.row ?? 0 };
    };

    test('reach each reader once, whatever the page size and folding', () =>
      opened(async (storage) => {
        const [a, b] = [await account(storage, 'a'), await account(storage, 'b')];
        assert.equal(
          await storage.readEvents([], 1),
          undefined,
          'no event is recorded while no process reads events',
        );
        await storage.renewEventReader(t0, secret);
        const [early, late] = [
          await new Reader(storage, a.id).begin(),
          await new Reader(storage, a.id).begin(),
        ];
        for (let round = 1; round <= 6; round += 1) {
          const some = Array.from({ length: 10 * round }, (_, n) => (n % 3 === 0 ? b : a));
          await click(
            storage,
            some.map(({ id, row }) => [id, row]),
          );
          await storage.updateLink(a.id, a.link.id, { title: `title ${round}` }, t0 + round);
          if (round % 2 === 0) while (await storage.foldClicks(t0 + 1_000));
          await early.read(1 + round);
        }
        const clicksOfA = 138;
        for (const reader of [early, late]) {
          const told = await reader.readAll(clicksOfA + 6);
          assert.equal(told.length, clicksOfA + 6);
          const places = told.map(({ position }) => JSON.stringify(position));
          assert.equal(new Set(places).size, told.length);
          assert.ok(told.every(({ linkId, code }) => linkId === a.link.id && code === 'of-a'));
          assert.equal(told.filter(({ type }) => type === 'link.updated').length, 6);
          assert.equal(reader.losses, 0);
        }
        // Clicks in retained batches are not counted a second time.
        while (await storage.foldClicks(t0 + 1_000));
        assert.equal(await storage.hasWork('foldClicks', t0 + 1_000), false);
        const range = { from: t0 - 1, to: t0 + 1_000, buckets: Float64Array.of(t0 - 1) };
        const subject = { kind: 'account' } as const;
        const answer = await storage.statistics(a.id, { subject, range, filters: [], limit: 1 });
        assert.equal(answer?.totals.clicks, clicksOfA);
      }));

    test('are kept for at least a window, then deleted; none is kept without readers', () =>
      opened(async (storage) => {
        const a = await account(storage, 'a');
        let now = t0;
        await storage.renewEventReader(now, secret);
        const reader = await new Reader(storage, a.id).begin();
        const stays = await new Reader(storage, a.id).begin();
        const step = async (ms: number): Promise<void> => {
          now += ms;
          await storage.renewEventReader(now, new Uint8Array(16));
          while (await storage.foldClicks(now));
          while (await storage.trimEvents(now, 2));
          assert.equal(await storage.hasWork('trimEvents', now), false);
        };
        for (let n = 0; n < 3; n += 1) await click(storage, [[a.id, a.row]]);
        await storage.updateLink(a.id, a.link.id, { title: 'one' }, now);
        for (let n = 0; n < 3; n += 1) await step(eventWindowMs / 3);
        assert.equal((await reader.readAll(4)).length, 4);
        for (let n = 0; n < 4; n += 1) {
          await click(storage, [[a.id, a.row]]);
          await step(eventWindowMs);
        }
        await reader.readAll(8);
        assert.deepEqual([reader.told.length, reader.losses], [8, 0]);
        // The reader was away for too long. It is notified that events were lost, and continues.
        await stays.read(10);
        assert.deepEqual([stays.told.length, stays.losses], [0, 1]);
        await click(storage, [[a.id, a.row]]);
        assert.equal((await stays.readAll(1)).length, 1);

        now += eventWindowMs + 1;
        while (await storage.trimEvents(now, 2));
        assert.equal(await storage.hasWork('trimEvents', now), false);
        assert.equal(await storage.readEvents([], 1), undefined);
        await storage.updateLink(a.id, a.link.id, { title: 'two' }, now);
        await storage.renewEventReader(now, new Uint8Array(16).fill(1));
        const again = new Reader(storage, a.id);
        again.after = reader.after;
        await until('the end of the log is known', async () => {
          await again.read(10);
          return again.after !== undefined;
        });
        assert.deepEqual(again.told, []);
      }));

    test(
      'keep one order, even when a transaction commits after a later one',
      {
        skip: engine.name === 'sqlite',
      },
      () =>
        opened(async (storage, url) => {
          const a = await account(storage, 'a');
          await storage.renewEventReader(t0, secret);
          const reader = await new Reader(storage, a.id).begin();
          const columns = 'account_id, link_row, name, actor_kind, revision, at';
          const insert = `INSERT INTO events (${columns}) VALUES (${a.id}, ${a.row}, 'link.updated', 'background', 2, `;
          const slow = await connectUnpooled(postgresAddressIn(url));
          const rolledBack = await connectUnpooled(postgresAddressIn(url));
          try {
            await slow.command('BEGIN');
            await slow.run(`${insert}1)`, []);
            await rolledBack.command('BEGIN');
            await rolledBack.run(`${insert}2)`, []);
            await rolledBack.command('ROLLBACK');
            await storage.updateLink(a.id, a.link.id, { title: 'later' }, t0 + 3);
            for (let n = 0; n < 5; n += 1) await reader.read(10);
            assert.deepEqual(reader.told, [], 'earlier events are not visible yet');
            assert.ok(
              (await storage.followEvents(0, 10)).events.every(({ name }) => name !== 'link.updated'),
            );
            await slow.command('COMMIT');
            const told = await reader.readAll(2);
            assert.deepEqual(
              told.map(({ at }) => at),
              [1, t0 + 3],
            );
            const log = await storage.followEvents(0, 10);
            assert.deepEqual(
              log.events.filter(({ name }) => name === 'link.updated').map(({ at }) => at),
              [1, t0 + 3],
            );
          } finally {
            await slow.end();
            await rolledBack.end();
          }
        }),
    );
  });
}
