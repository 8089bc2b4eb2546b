import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import type { Migration } from '../db/dialect.ts';
import { migrationStatus, openStorage } from '../open.ts';
import { type Connection, openConnection, sqliteDialect } from '../sqlite/connection.ts';
import { openSqlite } from '../sqlite/engine.ts';
import { exclusivelyOn, migrateSqlite } from '../sqlite/migration.ts';
import { migrations } from './list.ts';
import { migrate, migrationReporter, migrationStatusOf } from './migrate.ts';

const folder = temporaryFolder('migrate');
let files = 0;
function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}
async function using(work: (connection: Connection, path: string) => Promise<void>): Promise<void> {
  const path = newPath();
  const connection = openConnection(path, { readsOnly: false });
  try {
    await work(connection, path);
  } finally {
    connection.close();
  }
}
function run(connection: Connection, list: readonly Migration[]) {
  return migrate(connection, sqliteDialect, exclusivelyOn(connection), list);
}
const latest = migrations.at(-1)?.number ?? 0;
const pending = migrations.map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}`);
function tables(connection: Connection): string[] {
  return connection
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", [])
    .map(({ name }) => name);
}
const first: Migration = {
  number: 1,
  name: 'first',
  statements: () => ['CREATE TABLE a (x)', 'CREATE TABLE b (x)'],
};
const second: Migration = {
  number: 2,
  name: 'second',
  statements: () => ['CREATE TABLE c (x)', 'ALTER TABLE a ADD y'],
};

test('requires consecutive numbers, so that a missing file is detected', () => {
  assert.deepEqual(
    migrations.map(({ number }) => number),
    migrations.map((_, index) => index + 1),
  );
});

test('migrates a new database fully, and changes nothing the second time', () =>
  using(async (connection) => {
    const status = { version: 2, latest: 2, pending: [] };
    assert.deepEqual(await run(connection, [first, second]), status);
    assert.deepEqual(tables(connection), ['a', 'b', 'c', 'migrations']);
    const log = () =>
      connection.all<object>('SELECT * FROM migrations ORDER BY number', []).map((row) => ({ ...row }));
    const before = log();
    assert.deepEqual(await run(connection, [first, second]), status);
    assert.deepEqual(log(), before);
  }));

test('applies only the missing migrations', () =>
  using(async (connection) => {
    await run(connection, [first]);
    connection.run('INSERT INTO a (x) VALUES (7)', []);
    await run(connection, [first, second]);
    assert.deepEqual({ ...connection.get<object>('SELECT x, y FROM a', []) }, { x: 7, y: null });
  }));

test('rejects a database newer than the program', () =>
  using(async (connection) => {
    await run(connection, [first, second]);
    await assert.rejects(run(connection, [first]), /schema version 2.*only up to 1.*newer version/);
  }));

test('rejects an edited migration', () =>
  using(async (connection) => {
    await run(connection, [first]);
    const edited = { ...first, statements: () => ['CREATE TABLE a (x, y)', 'CREATE TABLE b (x)'] };
    await assert.rejects(run(connection, [edited, second]), /0001-first differs.*instead of editing it/);
    assert.deepEqual(tables(connection), ['a', 'b', 'migrations']);
  }));

test('leaves nothing of a failed migration, and keeps those before it', () =>
  using(async (connection) => {
    const broken = { ...second, statements: () => ['CREATE TABLE c (x)', 'CREATE TABLE a (x)'] };
    await assert.rejects(run(connection, [first, broken]), /already exists/);
    assert.deepEqual(tables(connection), [], 'an empty database gets all migrations or none');
    await run(connection, [first]);
    await assert.rejects(run(connection, [first, broken]), /already exists/);
    assert.deepEqual(tables(connection), ['a', 'b', 'migrations']);
    assert.deepEqual(await run(connection, [first, second]), { version: 2, latest: 2, pending: [] });
  }));

const third: Migration = {
  number: 3,
  name: 'third',
  statements: () => ['ALTER TABLE a ADD z INTEGER NOT NULL DEFAULT 0'],
  backfill: { table: 'a', key: 'x', statement: 'UPDATE a SET z = z + x WHERE x > ? AND x <= ?' },
};
function insertRows(connection: Connection, from: number, to: number): void {
  for (let x = from; x <= to; x += 1) connection.run('INSERT INTO a (x) VALUES (?)', [x]);
}
function unfilled(connection: Connection): number {
  return connection.get<{ n: number }>('SELECT COUNT(*) AS n FROM a WHERE z <> x', [])?.n ?? -1;
}

test('resumes a backfill, processes each row once, and lets others write in between', () =>
  using(async (connection) => {
    await run(connection, [first]);
    insertRows(connection, 1, 2_500);
    const reported: number[] = [];
    const list = [first, second, third];
    const ending = new Error('ended');
    await assert.rejects(
      migrate(connection, sqliteDialect, exclusivelyOn(connection), list, (name, done) => {
        reported.push(done);
        assert.equal(name, '0003-third');
        assert.ok(!connection.database.isTransaction, 'the callback may take as long as it likes');
        insertRows(connection, 2_500 + 10 * reported.length, 2_509 + 10 * reported.length);
        if (reported.length === 2) throw ending;
      }),
      ending,
    );
    assert.deepEqual(reported.length, 2);
    assert.deepEqual((await migrationStatusOf(connection, sqliteDialect, list)).pending, ['0003-third']);
    const edited = {
      ...third,
      backfill: { ...third.backfill, key: 'x', table: 'a', statement: 'UPDATE a SET z = 1' },
    };
    await assert.rejects(
      run(connection, [first, second, edited]),
      /0003-third differs from the one that was started/,
    );
    assert.deepEqual(await run(connection, list), { version: 3, latest: 3, pending: [] });
    assert.equal(unfilled(connection), 0);
    assert.equal(connection.get<object>('SELECT * FROM migration_progress', []), undefined);
  }));

test('finishes a backfill even though rows are added after each batch', () =>
  using(async (connection) => {
    await run(connection, [first]);
    insertRows(connection, 1, 1_500);
    let reported = 0;
    const list = [first, second, third];
    await migrate(connection, sqliteDialect, exclusivelyOn(connection), list, (_name, done, total) => {
      reported += 1;
      assert.ok(reported < 5, `still at ${done} of ${total}`);
      insertRows(connection, total + 1, total + 1);
    });
    assert.equal(unfilled(connection), 1, 'the row created after the last batch');
  }));

test('creates indexes last, and accepts an existing one', () =>
  using(async (connection) => {
    await run(connection, [first]);
    insertRows(connection, 1, 1_500);
    const indexed = { ...third, indexes: [{ name: 'a_by_z', on: 'a (z)' }] };
    const indexes = () =>
      connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'index'", []).length;
    const list = [first, second, indexed];
    await migrate(connection, sqliteDialect, exclusivelyOn(connection), list, (_name, done, total) => {
      if (done < total) assert.equal(indexes(), 0);
    });
    assert.equal(indexes(), 1);
    assert.deepEqual(await run(connection, list), { version: 3, latest: 3, pending: [] });
    await assert.rejects(run(connection, [first, second, third]), /0003-third differs/);
  }));

test('lets one of two migrate while the other waits and logs it; an up-to-date database does not wait', async () => {
  const path = newPath();
  const list = [first, second, third];
  await migrateSqlite(path, { migrations: [first] });
  const rows = openConnection(path, { readsOnly: false });
  insertRows(rows, 1, 3_000);
  const messages: string[] = [];
  const one = (name: string) =>
    migrateSqlite(path, {
      migrations: list,
      onWait: () => messages.push(`${name} waits`),
      onBackfill: () => messages.push(name),
    });
  await Promise.all([one('first'), one('second')]);
  assert.equal(messages.filter((line) => line.endsWith(' waits')).length, 1);
  assert.equal(
    new Set(messages.filter((line) => !line.endsWith(' waits'))).size,
    1,
    'one of them ran all migrations',
  );
  assert.equal(unfilled(rows), 0);
  rows.close();
  assert.ok(!existsSync(`${path}-migrating`));
  await migrateSqlite(path, { migrations: list, onWait: () => assert.fail('nothing to wait for') });
});

function start(program: string, path: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return once(child, 'close').then(([code, signal]) => ({ code, signal, errors }));
}

test('migrates once when several processes start together', async () => {
  const program = `
    import { openSqlite } from '${import.meta.dirname}/../sqlite/engine.ts';
    await (await openSqlite(process.argv[1])).close();`;
  for (let round = 0; round < 3; round += 1) {
    const path = newPath();
    const ends = await Promise.all(Array.from({ length: 4 }, () => start(program, path)));
    assert.deepEqual(ends, Array(4).fill({ code: 0, signal: null, errors: '' }));
    assert.deepEqual(await migrationStatus(`sqlite:${path}`), { version: latest, latest, pending: [] });
  }
});

test('leaves nothing of a migration whose process is killed', async () => {
  const path = newPath();
  const program = `
    import { openConnection, sqliteDialect } from '${import.meta.dirname}/../sqlite/connection.ts';
    import { exclusivelyOn } from '${import.meta.dirname}/../sqlite/migration.ts';
    import { migrate } from '${import.meta.dirname}/migrate.ts';
    const connection = openConnection(process.argv[1], { readsOnly: false });
    let statements = 0;
    const dying = { ...connection, run: (sql, params) => {
      statements += 1;
      if (statements === 6) process.kill(process.pid, 'SIGKILL');
      return connection.run(sql, params);
    } };
    await migrate(dying, sqliteDialect, exclusivelyOn(connection));`;
  assert.equal((await start(program, path)).signal, 'SIGKILL');
  assert.deepEqual(await migrationStatus(`sqlite:${path}`), { version: 0, latest, pending });
  const storage = await openSqlite(path);
  assert.ok(await storage.createAccount('a', 1));
  await storage.close();
});

test('reports the status of a missing database without creating it', async () => {
  const path = newPath();
  assert.deepEqual(await migrationStatus(`sqlite:${path}`), { version: 0, latest, pending });
  assert.ok(!existsSync(path));
  await (await openStorage(`sqlite:${path}`)).close();
  assert.deepEqual((await migrationStatus(`sqlite:${path}`)).pending, []);
});

test('logs every tenth of a backfill', () => {
  const reported: unknown[] = [];
  const { onBackfill } = migrationReporter((_sentence, facts) => reported.push(facts?.['done']));
  for (let done = 0; done <= 1_000; done += 7) onBackfill?.('0001-initial', done, 1_000);
  assert.deepEqual(reported, [105, 203, 301, 406, 504, 602, 700, 805, 903]);
});
