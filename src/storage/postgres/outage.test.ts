// The database disappears, hangs, recovers, and loses responses. No request may wait longer than promised, no
// acknowledged write may be lost, and no write may be applied twice.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy, type TcpProxy } from '../../../test/support/http/tcp-proxy.ts';
import { type Postgres, postgresMissing, startPostgres } from '../../../test/support/postgres/postgres.ts';
import { startReplica } from '../../../test/support/postgres/replica.ts';
import { until } from '../../../test/support/until.ts';
import { Failure } from '../../model/failures.ts';
import type { IdempotencyClaim } from '../../model/idempotency.ts';
import type { Storage } from '../../model/storage.ts';
import { checkDatabase } from '../check/check.ts';
import { newLink, recordsOf } from '../storage.fixtures.ts';
import { openPostgres, type PostgresOptions } from './engine.ts';

const missing = await postgresMissing();
const patienceMs = 1_200;
/** Tolerance in addition to the promised timeout, for timers and a busy machine. */
const slackMs = 4_000;
const recoveredWithinMs = 10_000;

let names = 0;
function unused(word: string): string {
  names += 1;
  return `${word}-${names}`;
}

/** Checks that the work fails in time, and returns the error message. */
async function refusalOf(work: Promise<unknown>, withinMs = patienceMs + slackMs): Promise<string> {
  const began = performance.now();
  const error = await work.then(
    () => assert.fail('It was not refused.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Failure && error.code === 'STORAGE_UNAVAILABLE', String(error));
  const took = performance.now() - began;
  assert.ok(took < withinMs, `${took} ms`);
  return error.message;
}

/** Returns true for COMMIT, but not for READ COMMITTED. */
function isCommit(data: Buffer): boolean {
  return data.includes('COMMIT\0');
}

async function recovers(storage: Storage, account: number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const failure = await Promise.all([
      storage.createLink(account, newLink(unused('back'))),
      storage.hasKeys(),
      storage.ping(),
    ]).then(
      () => undefined,
      (error: unknown) => error,
    );
    const took = performance.now() - began;
    if (failure === undefined) return assert.ok(took < recoveredWithinMs, `${took} ms`);
    assert.ok(took < recoveredWithinMs, `${took} ms: ${failure}`);
    await pause(20);
  }
}

describe('an unavailable PostgreSQL server', { skip: missing ?? false }, () => {
  let server: Postgres;
  let proxy: TcpProxy;
  before(async () => {
    server = await startPostgres({ settings: { fsync: 'on' } });
    proxy = await startProxy(server.port);
  });
  after(async () => {
    await proxy.close();
    await server.end();
  });

  const using = async (
    work: (storage: Storage, account: number) => Promise<void>,
    options: PostgresOptions = {},
  ): Promise<void> => {
    const url = server.url().replace(`:${server.port}/`, `:${proxy.port}/`);
    const storage = await openPostgres(url, { patienceMs, ...options });
    try {
      const account =
        (await storage.createAccount('mine', 1))?.id ?? (await storage.accounts())[0]?.id ?? assert.fail();
      if ((await storage.findTarget('first')) === undefined)
        await storage.createLink(account, newLink('first'));
      await work(storage, account);
      assert.equal(storage.waitingWrites(), 0);
    } finally {
      proxy.flow();
      proxy.watch(undefined);
      await storage.close();
    }
    assert.deepEqual(await checkDatabase(server.url()), []);
  };

  test('every request times out during silence, and later requests are served at once', () =>
    using(async (storage, account) => {
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => storage.createLink(account, newLink(`warm-${n}`))),
      );
      proxy.stall();
      const first = Array.from({ length: 20 }, (_, n) => [
        refusalOf(storage.createLink(account, newLink(`silent-${n}`))),
        refusalOf(Promise.resolve(storage.hasKeys())),
      ]).flat();
      await Promise.all([...first, refusalOf(storage.ping())]);
      // New connections to the database don't respond either.
      await Promise.all([refusalOf(Promise.resolve(storage.hasKeys())), refusalOf(storage.ping())]);
      proxy.flow();
      await recovers(storage, account);
      for (let n = 0; n < 20; n += 1) assert.equal(await storage.findTarget(`silent-${n}`), undefined);
      assert.ok(storage.stats().faults.timeout >= 20);
    }));

  test('a network that drops its connections costs one timeout, not one each', () =>
    using(async (storage, account) => {
      await Promise.all([storage.ping(), ...Array.from({ length: 9 }, () => storage.hasKeys())]);
      proxy.forget();
      await refusalOf(Promise.resolve(storage.hasKeys()));
      const began = performance.now();
      await Promise.all([storage.hasKeys(), storage.createLink(account, newLink(unused('forgotten')))]);
      assert.ok(performance.now() - began < patienceMs, 'waited again for less than the full patience');
      // Only the ping connection has not yet noticed that the connections are lost.
      await refusalOf(storage.ping());
      await storage.ping();
    }));

  test('requests fail at once while the server is killed, and succeed as soon as it is back', () =>
    using(async (storage, account) => {
      const alarms: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        const created: string[] = [];
        let running = true;
        const load = Array.from({ length: 4 }, async (_, one) => {
          for (let n = 0; running; n += 1) {
            const code = `load-${round}-${one}-${n}`;
            await storage.createLink(account, newLink(code)).then(
              () => created.push(code),
              (error: unknown) => {
                assert.ok(error instanceof Failure && error.code === 'STORAGE_UNAVAILABLE', String(error));
                alarms.push(error.message);
              },
            );
            await pause(5);
          }
        });
        await Promise.race([until('some links are created', () => created.length > 10), ...load]);
        await server.stop('immediate');
        await refusalOf(storage.createLink(account, newLink('away')), 200);
        await refusalOf(Promise.resolve(storage.hasKeys()), 200);
        assert.ok(await storage.findTarget('first'), 'the cached link still redirects');
        await server.start();
        await recovers(storage, account);
        running = false;
        await Promise.all(load);
        for (const code of created) assert.ok(await storage.findTarget(code), code);
      }
      assert.ok(alarms.length > 0);
    }));

  test('a connection lost while idle fails no request', () =>
    using(async (storage, account) => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([storage.hasKeys(), storage.createLink(account, newLink(unused('idle')))]);
        proxy.refuse();
        await pause(50);
        proxy.flow();
        await storage.createLink(account, newLink(unused('after')));
        assert.equal(await storage.hasKeys(), false);
        await storage.ping();
      }
    }));

  test('connections to a standby, after a name change of the primary, are closed', async (t) => {
    const standby = await startReplica(server);
    t.after(() => standby.end());
    await using(async (storage, account) => {
      proxy.refuse();
      proxy.lead(standby.port);
      proxy.flow();
      await Promise.all(Array.from({ length: 6 }, () => storage.hasKeys()));
      assert.match(await refusalOf(storage.createLink(account, newLink('standby'))), /read-only/);
      assert.match(await refusalOf(storage.ping()), /read-only/);
      await pause(600);
      // Connections that were opened to the standby stay open.
      proxy.lead(server.port);
      await pause(600);
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((one) => storage.createLink(account, newLink(`led-${one}`))),
      );
      await recovers(storage, account);
      await storage.findTarget('first');
      await pause(600);
      const { changeLogLagSeconds = Number.POSITIVE_INFINITY } = storage.stats();
      assert.ok(changeLogLagSeconds < 1, `${changeLogLagSeconds} s`);
    }).finally(() => proxy.lead(server.port));
  });

  test('a transaction is retried if the connection is lost before the commit was sent', () =>
    using(async (storage, account) => {
      let cuts = 0;
      proxy.watch((data, cut) => {
        if (cuts > 0 || !data.includes('INSERT INTO codes') || isCommit(data)) return;
        cuts += 1;
        cut('before');
      });
      await storage.createLink(account, newLink('cut-short'));
      assert.equal(cuts, 1);
      assert.equal(storage.stats().retries, 1);
      proxy.watch((data, cut) => {
        if (cuts > 1 || !data.includes('FROM codes')) return;
        cuts += 1;
        cut('before');
      });
      assert.ok(await storage.findTarget('cut-short'));
      assert.equal(cuts, 2);
    }));

  test('a lost commit response is not retried and reported as unknown; with a key the result is found', () =>
    using(async (storage, account) => {
      let cuts = 0;
      const cutNextCommit = (): void => {
        cuts = 0;
        proxy.watch((data, cut) => {
          if (cuts > 0 || !isCommit(data)) return;
          cuts += 1;
          cut('after');
        });
      };
      cutNextCommit();
      const message = await refusalOf(storage.createLink(account, newLink('unknown')));
      assert.match(
        message,
        /the connection was lost during a commit; the change may or may not have been applied/,
      );
      assert.equal(cuts, 1);
      assert.equal(storage.stats().retries, 0);
      assert.ok(await storage.findTarget('unknown'), 'in this case, the change was applied');

      const before = (await storage.usage(account)).links;
      const once: IdempotencyClaim = { accountId: account, key: unused('key'), fingerprint: 'f', at: 1 };
      cutNextCommit();
      const { value } = await storage.idempotent(once, (writes) =>
        writes.createLink(account, newLink('with-key')),
      );
      assert.equal(cuts, 1);
      assert.equal((await storage.link(account, value.id))?.link.code, 'with-key');
      assert.equal((await storage.usage(account)).links, before + 1);

      cutNextCommit();
      const row = (await storage.link(account, value.id))?.link.row ?? 0;
      const sums = new Float64Array([row, 1, 0, 1]);
      const batch = { journal: 'j', from: 0, to: 1, sums, records: recordsOf(account, sums) };
      await refusalOf(storage.applyClicks(batch));
      assert.equal(await storage.applyClicks(batch), false, 'the same batch again counts nothing');
      assert.equal((await storage.link(account, value.id))?.link.clicks, 1);
    }));

  test('closing does not wait for an unresponsive server', async () => {
    const url = server.url().replace(`:${server.port}/`, `:${proxy.port}/`);
    const storage = await openPostgres(url, { patienceMs });
    await Promise.all([storage.ping(), storage.hasKeys()]);
    proxy.stall();
    const reading = refusalOf(Promise.resolve(storage.hasKeys()));
    const began = performance.now();
    await storage.close();
    assert.ok(performance.now() - began < patienceMs + slackMs);
    await reading;
    proxy.flow();
  });

  test('startup against silence times out and names the server', async () => {
    proxy.stall();
    const url = server
      .url('postgres', { connect_timeout: '1' })
      .replace(`:${server.port}/`, `:${proxy.port}/`);
    assert.match(
      await refusalOf(openPostgres(url), 2_000),
      new RegExp(`could not use the database at 127.0.0.1:${proxy.port}`),
    );
    proxy.flow();
  });
});
