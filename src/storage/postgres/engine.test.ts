// Behavior specific to PostgreSQL, in addition to storage.test.ts: lock order, timeouts, reserved connections, number
// ranges and connection poolers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  noPostgres,
} from '../../../test/support/postgres/databases.ts';
import { Failure } from '../../model/failures.ts';
import type { BriefLink } from '../../model/links/link-records.ts';
import type { Storage } from '../../model/storage.ts';
import { checkDatabase } from '../check/check.ts';
import { hexOf, newKey, newLink, nextId, recordsOf } from '../storage.fixtures.ts';
import { type Connection, connect } from './connections/connection.ts';
import { postgresAddressIn } from './connections/url.ts';
import { openPostgres, type PostgresOptions } from './engine.ts';

const missing = await noPostgres();

function newFolder(storage: Storage, account: number) {
  return storage.createFolder(account, { id: nextId(), name: 'Folder', createdAt: 1 });
}

interface Options {
  readonly storage: Storage;
  readonly account: number;
  /** A connection outside the storage instance, used to hold locks. */
  readonly client: Connection;
  readonly url: string;
  /** Waits until at least this many statements in the database are waiting for a lock. */
  blocked(statements: number): Promise<void>;
}

async function using(
  work: (given: Options) => Promise<void>,
  options: PostgresOptions & { readonly session?: string } = {},
): Promise<void> {
  const url = await newPostgresDatabase();
  const { session } = options;
  const own = session === undefined ? url : `${url}&options=${encodeURIComponent(session)}`;
  const storage = await openPostgres(own, options);
  const client = await connect(postgresAddressIn(url), { statementMs: 0 });
  const watcher = await connect(postgresAddressIn(url), { statementMs: 0 });
  const blocked = async (statements: number): Promise<void> => {
    for (let looks = 0; looks < 1_000; looks += 1) {
      const found = (await watcher.get<{ found: number }>(waitingForLocks, []))?.found ?? 0;
      if (found >= statements) return;
      await pause(5);
    }
    assert.fail(`${statements} statements never waited for a lock at the same time.`);
  };
  try {
    const account = (await storage.createAccount('mine', 1))?.id ?? 0;
    await work({ storage, account, client, url, blocked });
    assert.deepEqual(await checkDatabase(url), []);
  } finally {
    for (const one of [storage.close(), client.end(), watcher.end()]) await one;
    await dropPostgresDatabase(url);
  }
}

/** Session settings that make the planner look up rows one by one in the given order, as in large tables. */
const oneByOne = {
  session: ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']
    .map((plan) => `-c enable_${plan}=off`)
    .join(' '),
};

const waitingForLocks = `
  SELECT count(*) AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Starts writes while the rows that they need are locked, and releases all locks at the same time. */
async function atOnce<T>({ client, blocked }: Options, hold: string, work: () => Promise<T>[]): Promise<T[]> {
  await client.command('BEGIN');
  await client.all(`${hold} FOR UPDATE`, []);
  const begun = work();
  await blocked(begun.length);
  await client.command('COMMIT');
  return Promise.all(begun);
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const thrown = await work.then(
    () => assert.fail('It did not fail.'),
    (error: unknown) => error,
  );
  return thrown instanceof Failure ? thrown.code : thrown;
}

describe('postgres', { skip: missing ?? false }, () => {
  test('opposite moves that share two counters do not deadlock', () =>
    // Opens enough connections that two of them use each counter slot.
    using(
      async (given) => {
        const { storage, account } = given;
        const [a, b] = [await newFolder(storage, account), await newFolder(storage, account)];
        const links: BriefLink[] = [];
        for (let n = 0; n < 33; n += 1) {
          const folderId = n < 16 ? a.id : b.id;
          links.push(await storage.createLink(account, newLink(`code-${n}`, { folderId })));
        }
        // Creates all slots of all counters before the test.
        for (const to of [b.id, a.id]) {
          await Promise.all(links.map(({ id }) => storage.moveLink(account, id, to, 1)));
        }
        for (const { id } of links.slice(16)) await storage.moveLink(account, id, b.id, 1);
        await atOnce(given, 'SELECT links FROM link_counts', () =>
          links.map(({ id }, n) => storage.moveLink(account, id, n < 16 ? b.id : a.id, 2)),
        );
        assert.equal(storage.stats().retries, 0);
      },
      { connections: 45 },
    ));

  test('click batches on the same links in different order do not deadlock', () =>
    using(async (given) => {
      const { storage, account } = given;
      const links = await Promise.all(
        ['a', 'b', 'c'].map((code) => storage.createLink(account, newLink(`hot-${code}`))),
      );
      const found = await storage.rowsOf(links.map(({ id }) => hexOf(id)));
      const rows = [...found.values()].map(({ row }) => row);
      const batch = (journal: string, order: readonly number[], at: number) => {
        const sums = new Float64Array(order.flatMap((row) => [row, 1, 0, 1]));
        return { journal, from: at, to: at + 1, sums, records: recordsOf(account, sums) };
      };
      await storage.applyClicks(batch('one', rows, 0));
      await storage.applyClicks(batch('two', rows, 0));
      // Each batch has changed one row when it reaches the middle row, which is locked.
      await atOnce(given, `SELECT clicks FROM recent_clicks WHERE link_row = ${rows.toSorted()[1]}`, () => [
        storage.applyClicks(batch('one', rows, 1)),
        storage.applyClicks(batch('two', rows.toReversed(), 1)),
      ]);
      assert.equal(storage.stats().retries, 0);
      const page = await storage.links(account, { kind: 'all' }, 10, 0);
      assert.deepEqual(
        page.links.map(({ clicks }) => clicks),
        [4, 4, 4],
      );
    }, oneByOne));

  test('key uses saved in different order do not deadlock', () =>
    using(async (given) => {
      const { storage } = given;
      const names = ['keyaaaaa', 'keybbbbb', 'keyccccc'];
      for (const id of names) await storage.createKey(newKey(id));
      const uses = names.map((id) => ({ id, at: 5 }));
      await atOnce(given, `SELECT id FROM api_keys WHERE id = '${names[1]}'`, () => [
        storage.touchKeys(uses),
        storage.touchKeys(uses.toReversed()),
      ]);
      assert.equal(storage.stats().retries, 0);
    }, oneByOne));

  test('deleting a folder waits for a link being created in it, and then removes the link from it', () =>
    using(async ({ storage, account, client, url, blocked }) => {
      const folder = await newFolder(storage, account);
      const holder = await storage.createLink(account, newLink('code'));
      await storage.deleteLink(account, holder.id, 1);
      const second = await openPostgres(url);
      try {
        // The transaction that creates the link in the folder waits for the row with the link's code, which is locked.
        await client.command('BEGIN');
        await client.all('SELECT key FROM codes FOR UPDATE', []);
        const making = storage.createLink(account, newLink('code', { folderId: folder.id }));
        await blocked(1);
        const removing = second.deleteFolder(account, folder.id, 1);
        await blocked(2);
        await client.command('COMMIT');
        const [created, removed] = await Promise.all([making, removing]);
        assert.equal(removed, true);
        assert.equal((await storage.link(account, created.id))?.link.folderId, null);
        assert.equal(second.stats().retries, 0);
      } finally {
        await second.close();
      }
    }));

  test('a link that waits for the deletion of its folder finds no folder, though it read it before', () =>
    using(async ({ storage, account, client, blocked }) => {
      const folder = await newFolder(storage, account);
      await client.command('BEGIN');
      await client.all('SELECT id FROM folders FOR UPDATE', []);
      const making = codeOf(storage.createLink(account, newLink('code', { folderId: folder.id })));
      await blocked(1);
      await client.run('DELETE FROM folders', []);
      await client.command('COMMIT');
      assert.equal(await making, 'FOLDER_NOT_FOUND');
      assert.equal(storage.stats().retries, 0);
    }));

  test('both of two deadlocked writes succeed', () =>
    using(async ({ storage, account, client, blocked }) => {
      const [a, b] = await Promise.all(
        ['aaaa', 'bbbb'].map((code) => storage.createLink(account, newLink(code))),
      );
      assert.ok(a && b);
      const folder = await newFolder(storage, account);
      // The test locks the second link and then the first; emptying the deleted folder locks the first link first.
      for (const { id } of [a, b]) await storage.moveLink(account, id, folder.id, 1);
      await storage.deleteFolder(account, folder.id, 1);
      assert.equal(await storage.emptyFolders(2, 10), true, 'from here on, it cannot be restored');
      await client.command("BEGIN; SET LOCAL deadlock_timeout = '10s'");
      const lock = 'SELECT id FROM links WHERE id = ? FOR UPDATE';
      await client.all(lock, [Buffer.from(hexOf(b.id), 'hex')]);
      const removing = storage.emptyFolders(2, 10);
      await blocked(1);
      const first = client.all(lock, [Buffer.from(hexOf(a.id), 'hex')]);
      await first; // succeeds once the other transaction is rolled back
      await client.command('COMMIT');
      assert.equal(await removing, true);
      assert.ok(storage.stats().retries >= 1);
    }));

  test('a key used while its account is being suspended waits, and is accepted by no node', () =>
    using(async ({ storage, client, blocked }) => {
      await storage.createKey(newKey('old'));
      // The keys in the change log must be exactly the keys that the suspension affects.
      await client.command(`BEGIN; UPDATE accounts SET suspended_at = 5;
        INSERT INTO change_log (kind, name) SELECT 'key', id FROM api_keys`);
      const next = { id: 'next', digest: new Uint8Array(32), createdAt: 2, oldExpiresAt: 9 };
      const created = [storage.createKey(newKey('new')), storage.rotateKey('old', next)];
      await blocked(2);
      await client.command('COMMIT');
      for (const key of await Promise.all(created)) assert.equal(key.accountSuspended, true, key.id);
    }));

  test('probes of many nodes do not wait for each other', (t) =>
    using(async ({ storage, client, url }) => {
      const draws = t.mock.method(Math, 'random', () => 0);
      const one = await openPostgres(url);
      draws.mock.mockImplementation(() => 0.99);
      const other = await openPostgres(url, { patienceMs: 3_000 });
      draws.mock.restore();
      try {
        await one.ping();
        await client.command('BEGIN');
        // Locks the row that `one` uses for its pings.
        await client.all("SELECT key FROM meta WHERE key = 'ping 0' FOR UPDATE", []);
        await other.ping();
        await client.command('COMMIT');
        await storage.ping();
      } finally {
        await Promise.all([one.close(), other.close()]);
      }
    }));

  test('a write that waits too long for locks returns 503 and leaves nothing', () =>
    using(
      async ({ storage, account, client, blocked }) => {
        const link = await storage.createLink(account, newLink('code'));
        await client.command('BEGIN');
        await client.all('SELECT id FROM links FOR UPDATE', []);
        let givenUp = 0;
        const changes = Array.from({ length: 12 }, (_, n) =>
          codeOf(storage.updateLink(account, link.id, { title: String(n) }, 2)).finally(() => (givenUp += 1)),
        );
        await blocked(6);
        // Queued writes use neither the connections for reads nor the ping connection.
        await Promise.all([storage.ping(), storage.link(account, link.id), storage.findTarget('code')]);
        assert.equal(givenUp, 0);
        assert.deepEqual(new Set(await Promise.all(changes)), new Set(['STORAGE_UNAVAILABLE']));
        await client.command('COMMIT');
        assert.equal((await storage.link(account, link.id))?.link.title, null);
        assert.ok(storage.stats().faults.timeout >= 1);
        assert.equal(storage.waitingWrites(), 0);
      },
      { patienceMs: 1_500 },
    ));

  test('a bulk write may exceed the timeout if each statement is answered in time', () =>
    using(
      async ({ storage, account, client, blocked }) => {
        const ids: string[] = [];
        for (let n = 0; n < 16; n += 1)
          ids.push((await storage.createLink(account, newLink(`slow-${n}`))).id);
        await client.command(
          `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.1); RETURN NEW; END $$;
           CREATE TRIGGER slow BEFORE UPDATE ON links FOR EACH ROW EXECUTE FUNCTION slow()`,
        );
        const many = (of: readonly string[]) =>
          storage.bulkLinks(
            account,
            of.map((id) => ['deleteLink', id, 1] as const),
            'each',
            { remaining: 0, nextCursor: null },
          );
        const { outcomes } = await many(ids.slice(1));
        assert.ok(outcomes.every((outcome) => !('refused' in outcome)));
        assert.equal((await storage.usage(account)).links, 1);
        await client.command('BEGIN; LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
        const stuck = codeOf(many(ids.slice(0, 1)));
        await blocked(1);
        assert.equal(await stuck, 'STORAGE_UNAVAILABLE');
        await client.command('COMMIT; DROP TRIGGER slow ON links');
      },
      { patienceMs: 1_000 },
    ));

  test('long reads leave connections for lookups, writes and the probe', () =>
    using(async ({ storage, account, client, blocked }) => {
      await storage.createLink(account, newLink('code'));
      await client.command('BEGIN; LOCK TABLE click_journals IN ACCESS EXCLUSIVE MODE');
      const reads = Array.from({ length: 30 }, () => storage.appliedTo('unknown'));
      await blocked(4);
      await storage.ping();
      await storage.createLink(account, newLink('other'));
      assert.ok(await storage.findTarget('code'), 'a visitor is before them');
      await client.command('COMMIT');
      await Promise.all(reads);
    }));

  test('numbers above 2^53 are rejected, not rounded; bytes, texts and null are unchanged', () =>
    using(async ({ client }) => {
      const bytes = new Uint8Array([0, 255, 1]);
      const sent = [Number.MAX_SAFE_INTEGER, bytes, 'É?\\"\u2028', null];
      const found = await client.get(
        `SELECT CAST(? AS BIGINT) AS n, CAST(? AS BYTEA) AS b, CAST(? AS TEXT) AS t, CAST(? AS TEXT) AS z, '?' AS q`,
        sent,
      );
      assert.deepEqual({ ...(found as object) }, { n: sent[0], b: bytes, t: sent[2], z: null, q: '?' });
      await assert.rejects(client.get('SELECT CAST(9007199254740993 AS BIGINT) AS n', []), /too large/);
      assert.equal((await client.get<{ n: number }>('SELECT 1 AS n', []))?.n, 1);
    }));

  test('leaves no state on a connection behind a pooler; without one prepares each statement once', () =>
    using(async ({ storage, account, url, client }) => {
      const prepared = 'SELECT count(*) AS n FROM pg_prepared_statements';
      const pooled = await connect(postgresAddressIn(`${url}&pooler=transaction`), { statementMs: 1_000 });
      try {
        for (const [connection, expected] of [
          [pooled, 0],
          [client, 1],
        ] as const) {
          for (let n = 0; n < 3; n += 1)
            await connection.get('SELECT id FROM links WHERE id = ?', [new Uint8Array()]);
          const own = await connection.get<{ n: number }>(
            `${prepared} WHERE statement LIKE 'SELECT id FROM links%'`,
            [],
          );
          assert.equal(own?.n, expected);
        }
        assert.equal(
          (await pooled.get<{ t: string }>("SELECT current_setting('statement_timeout') AS t", []))?.t,
          '0',
        );
      } finally {
        await pooled.end();
      }
      const behind = await openPostgres(`${url}&pooler=transaction`, { patienceMs: 2_000 });
      try {
        await behind.createLink(account, newLink('pooled'));
        assert.ok(await storage.findTarget('pooled'));
        await client.command('BEGIN; LOCK TABLE codes IN ACCESS EXCLUSIVE MODE');
        assert.equal(await codeOf(behind.createLink(account, newLink('late'))), 'STORAGE_UNAVAILABLE');
        await pause(300);
        const left = await client.get<{ found: number }>(waitingForLocks, []);
        assert.equal(left?.found, 0, 'the server has given up too');
        await client.command('COMMIT');
      } finally {
        await behind.close();
      }
    }));
});
