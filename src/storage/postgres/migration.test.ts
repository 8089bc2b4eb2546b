// Runs the migrations from migrate.test.ts while several nodes continue to use the database.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  dropPostgresDatabase,
  emptyPostgresDatabase,
  noPostgres,
} from '../../../test/support/postgres/databases.ts';
import type { Migration } from '../db/dialect.ts';
import { migrations } from '../migrations/list.ts';
import type { MigrationOptions } from '../migrations/migrate.ts';
import { migrationStatus } from '../open.ts';
import { type Connection, connect } from './connections/connection.ts';
import { postgresAddressIn } from './connections/url.ts';
import { openPostgres } from './engine.ts';
import { migratePostgres } from './migration.ts';

const first: Migration = {
  number: 1,
  name: 'first',
  statements: () => ['CREATE TABLE a (x BIGINT PRIMARY KEY)', 'CREATE TABLE b (x BIGINT)'],
};
const second: Migration = {
  number: 2,
  name: 'second',
  statements: () => ['ALTER TABLE a ADD z BIGINT NOT NULL DEFAULT 0'],
  backfill: { table: 'a', key: 'x', statement: 'UPDATE a SET z = z + x WHERE x > ? AND x <= ?' },
  indexes: [{ name: 'a_by_z', on: 'a (z) WHERE z > 0' }],
};

interface Options {
  readonly run: (
    list: readonly Migration[],
    options?: MigrationOptions,
  ) => ReturnType<typeof migratePostgres>;
  readonly beside: Connection;
  readonly another: () => Promise<Connection>;
}

async function using(work: (given: Options) => Promise<void>): Promise<void> {
  const url = await emptyPostgresDatabase();
  const opened: Connection[] = [];
  const another = async (): Promise<Connection> => {
    const connection = await connect(postgresAddressIn(url), { statementMs: 0 });
    opened.push(connection);
    return connection;
  };
  try {
    const run: Options['run'] = (list, options) => migratePostgres(another, { migrations: list, ...options });
    await work({ run, beside: await another(), another });
  } finally {
    for (const connection of opened) await connection.end();
    await dropPostgresDatabase(url);
  }
}

function fill(connection: Connection, rows: number) {
  return connection.run('INSERT INTO a (x) SELECT generate_series(1, CAST(? AS BIGINT))', [rows]);
}
const facts = `
  SELECT (SELECT count(*) FROM a WHERE z <> x) AS unfilled, (SELECT count(*) FROM migration_progress) AS progress,
    (SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass('a_by_z') AND indisvalid) AS indexes`;
const wholly = { unfilled: 0, progress: 0, indexes: 1 };

describe('migrations on PostgreSQL', { skip: (await noPostgres()) ?? false }, () => {
  test('nodes that start together on an empty database migrate once, and all serve', async () => {
    const url = await emptyPostgresDatabase();
    const before = await migrationStatus(url);
    assert.deepEqual([before.version, before.pending.length], [0, migrations.length]);
    const nodes = await Promise.all(Array.from({ length: 6 }, () => openPostgres(url)));
    assert.deepEqual((await migrationStatus(url)).pending, []);
    const connection = await connect(postgresAddressIn(url), { statementMs: 0 });
    const index = await connection.get<{ found: string }>("SELECT to_regclass('links_by_text') AS found", []);
    await connection.end();
    assert.equal(String(index?.found), 'links_by_text', 'substring searches have an index');
    await Promise.all(nodes.map((node) => node.ping()));
    for (const node of nodes) await node.close();
    await dropPostgresDatabase(url);
  });

  test('one of two nodes migrates while the other waits and logs it; afterwards neither waits', () =>
    using(async ({ run, beside }) => {
      await run([first]);
      await fill(beside, 3_000);
      const messages: string[] = [];
      const one = (name: string) =>
        run([first, second], {
          onWait: () => messages.push(`${name} waits`),
          onBackfill: () => messages.push(name),
        });
      await Promise.all([one('first'), one('second')]);
      assert.equal(messages.filter((line) => line.endsWith(' waits')).length, 1);
      assert.equal(new Set(messages.filter((line) => !line.endsWith(' waits'))).size, 1);
      assert.deepEqual({ ...(await beside.get<object>(facts, [])) }, wholly);
      await run([first, second], { onWait: () => assert.fail('nothing to wait for') });
      await assert.rejects(run([first]), /schema version 2.*only up to 1.*newer version/);
    }));

  test('a waiting node takes over when the migrating one is gone', () =>
    using(async ({ run, beside, another }) => {
      await run([first]);
      await fill(beside, 30_000);
      const own: Connection[] = [];
      let batches = 0;
      let waits = 0;
      const dying = migratePostgres(
        async () => {
          const connection = await another();
          own.push(connection);
          return connection;
        },
        {
          migrations: [first, second],
          onBackfill() {
            batches += 1;
            if (waits === 1) for (const connection of own) connection.drop(new Error('gone'));
          },
        },
      );
      const refused = assert.rejects(dying);
      while (batches === 0) await pause(5);
      const heir = run([first, second], { onWait: () => (waits += 1) });
      await refused;
      assert.deepEqual((await heir).pending, []);
      assert.equal(waits, 1);
      assert.deepEqual({ ...(await beside.get<object>(facts, [])) }, wholly);
    }));

  test('waiting for a table in use hardly delays its users', () =>
    using(async ({ run, beside, another }) => {
      await run([first]);
      await fill(beside, 10);
      // Simulates a long report. If a migration waited for the report to end, all other transactions would wait too.
      await beside.command('BEGIN; LOCK TABLE a IN ACCESS SHARE MODE');
      const migrating = run([first, second]);
      const reader = await another();
      let slowest = 0;
      for (const end = performance.now() + 5_000; performance.now() < end; await pause(20)) {
        const began = performance.now();
        await reader.all('SELECT count(*) FROM a', []);
        slowest = Math.max(slowest, performance.now() - began);
      }
      assert.ok(slowest > 500 && slowest < 4_000, `${slowest} ms`);
      await beside.command('COMMIT');
      await migrating;
      assert.deepEqual({ ...(await beside.get<object>(facts, [])) }, wholly);
    }));

  test('an index is built while others write, and rebuilt if abandoned halfway', () =>
    using(async ({ run, beside, another }) => {
      await run([first]);
      await fill(beside, 10);
      // While this transaction is open, an index on a table that it has changed cannot be completed.
      await beside.command('BEGIN');
      await beside.run('INSERT INTO b (x) VALUES (1)', []);
      const old = await another();
      await old.command('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await old.all('SELECT x FROM b', []);
      const watcher = await another();
      const migrating = run([first, second]);
      const making = async (): Promise<number | undefined> =>
        (await watcher.get<{ pid: number }>(waitsForOld, []))?.pid;
      let pid: number | undefined;
      while (pid === undefined) pid = await making();
      await watcher.run('INSERT INTO a (x) VALUES (11)', []);
      await watcher.get('SELECT pg_terminate_backend(CAST(? AS INTEGER))', [pid]);
      await assert.rejects(migrating);
      assert.equal((await watcher.get<{ n: number }>(invalid, []))?.n, 1);
      await old.command('COMMIT');
      await beside.command('COMMIT');
      await run([first, second]);
      assert.deepEqual({ ...(await beside.get<object>(facts, [])) }, wholly);
    }));
});

const waitsForOld = "SELECT pid FROM pg_stat_progress_create_index WHERE phase = 'waiting for old snapshots'";
const invalid = 'SELECT count(*) AS n FROM pg_index WHERE NOT indisvalid';
