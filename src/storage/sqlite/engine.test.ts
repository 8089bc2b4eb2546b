// Guarantees specific to the embedded engine, in addition to storage.test.ts.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { Failure } from '../../model/failures.ts';
import type { Storage } from '../../model/storage.ts';
import { checkDatabase } from '../check/check.ts';
import { deletedPage, deletedPageByExternalId } from '../statements/finding/link-look-ups.ts';
import { linkPages, targetByCode } from '../statements/finding/link-reads.ts';
import { newLink, nextId, recordsOf } from '../storage.fixtures.ts';
import { type Connection, openConnection } from './connection.ts';
import { openSqlite } from './engine.ts';

const folder = temporaryFolder('sqlite');

let files = 0;
function newPath(): string {
  files += 1;
  return join(folder, `${files}.db`);
}
async function using(
  work: (storage: Storage, account: number, beside: Connection, path: string) => Promise<void>,
): Promise<void> {
  const path = newPath();
  const storage = await openSqlite(path);
  const other = openConnection(path, { readsOnly: false });
  try {
    const account = await storage.createAccount('mine', 1);
    assert.ok(account);
    await work(storage, account.id, other, path);
  } finally {
    other.close();
    await storage.close();
  }
}
function newFolder(storage: Storage, account: number, name: string) {
  return storage.createFolder(account, { id: nextId(), name, createdAt: 1 });
}
function codeOf(error: unknown): unknown {
  return error instanceof Failure ? error.code : error;
}

/** Sends writes that share one transaction, because they queue up while an earlier write waits for a lock. */
async function inOneCommit<T>(storage: Storage, beside: Connection, writes: () => Promise<T>[]) {
  beside.database.exec('BEGIN IMMEDIATE');
  const first = storage.ping();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = Promise.allSettled(writes());
  beside.database.exec('COMMIT');
  await first;
  return sent;
}

test('makes every connection as durable as documented', () => {
  const read = (connection: Connection, pragma: string) =>
    Object.values({ ...connection.database.prepare(`PRAGMA ${pragma}`).get() })[0];
  const path = newPath();
  const writer = openConnection(path, { readsOnly: false });
  const reader = openConnection(path, { readsOnly: true });
  for (const connection of [writer, reader]) {
    assert.equal(read(connection, 'journal_mode'), 'wal');
    assert.equal(read(connection, 'synchronous'), 2, 'FULL');
    assert.equal(read(connection, 'fullfsync'), 1);
    assert.equal(read(connection, 'foreign_keys'), 1);
    assert.equal(read(connection, 'busy_timeout'), 5_000);
    assert.equal(read(connection, 'journal_size_limit'), 64 * 1024 * 1024);
  }
  assert.throws(() => reader.run('CREATE TABLE x (y)', []), { code: 'STORAGE_UNAVAILABLE' });
  const weak = openConnection(path, { readsOnly: false, synchronous: 'NORMAL' });
  assert.equal(read(weak, 'synchronous'), 1);
  for (const connection of [writer, reader, weak]) connection.close();
});

test('the database can be read by its owner only', () =>
  using(async (_storage, _account, _beside, path) => {
    for (const file of [path, `${path}-wal`]) assert.equal(statSync(file).mode & 0o777, 0o600);
  }));

test('finds a redirect with three index searches; a list page scans an index and joins only its rows', () =>
  using(async (_storage, _account, beside) => {
    const plan = (sql: string): string[] => {
      const params = Array<null>((sql.match(/\?/g) ?? []).length).fill(null);
      return beside.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params).map(({ detail }) => detail);
    };
    assert.deepEqual(plan(targetByCode), [
      'SEARCH c USING PRIMARY KEY (key=?)',
      'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
    // The query may sort the few tags of one link, but never the links.
    const deletedSteps = (statement: string) =>
      plan(statement).filter((step) => / [lnx] USING|TEMP/.test(step) && !step.includes('string_agg'));
    assert.deepEqual(deletedSteps(deletedPage), [
      'SEARCH l USING INDEX links_deleted (account_id=? AND deleted_at>? AND (deleted_at,id)<(?,?))',
    ]);
    assert.deepEqual(deletedSteps(deletedPageByExternalId), [
      'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH x USING COVERING INDEX links_deleted_by_external_id (account_id=? AND external_id=? AND deleted_at>?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
    const walks = {
      all: 'SEARCH i USING COVERING INDEX links_live (account_id=?)',
      none: 'SEARCH i USING COVERING INDEX links_live_by_folder (account_id=? AND folder_id=?)',
      loose: 'SEARCH d USING COVERING INDEX folders_deleted (account_id=?)',
      folder: 'SEARCH i USING COVERING INDEX links_live_by_folder (account_id=? AND folder_id=?)',
    };
    const pages = Object.values(linkPages).flatMap((statements) =>
      (['all', 'none', 'loose', 'folder'] as const).map((kind) => [kind, statements[kind]] as const),
    );
    for (const [kind, sql] of pages) {
      const steps = plan(sql);
      assert.ok(steps.includes(walks[kind]), steps.join('\n'));
      assert.ok(
        steps.some((step) => step.startsWith('SEARCH l USING INTEGER PRIMARY KEY')),
        steps.join('\n'),
      );
      assert.ok(!steps.some((step) => /SCAN (i|l|k|n|j|r)\b/.test(step)), steps.join('\n'));
    }
  }));

test('stores whole numbers as integers, including those above 32 bits', () =>
  using(async (storage, account, beside) => {
    await storage.createFolder(account, { id: nextId(), name: 'f', createdAt: 1_798_761_600_123 });
    const row = beside.get<object>(
      'SELECT created_at AS value, typeof(created_at) AS type, typeof(?) AS bound FROM folders',
      [5],
    );
    assert.deepEqual({ ...row }, { value: 1_798_761_600_123, type: 'integer', bound: 'integer' });
  }));

test('fails no other write in the same commit', () =>
  using(async (storage, account, beside) => {
    const outcomes = await inOneCommit(storage, beside, () =>
      ['a', 'b', 'c'].map((name) => newFolder(storage, name === 'b' ? account + 1_000 : account, name)),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      (await storage.folders(account, 10_000)).map(({ name }) => name),
      ['a', 'c'],
    );
  }));

test('refuses everything when the commit fails, leaves nothing, and the next one works', () =>
  using(async (storage, account, beside) => {
    beside.database.exec(`
      CREATE TABLE trap (account INTEGER REFERENCES accounts (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER spring AFTER INSERT ON folders WHEN NEW.name = 'bad' BEGIN INSERT INTO trap VALUES (-1); END`);
    const outcomes = await inOneCommit(storage, beside, () =>
      ['good', 'bad', 'fine'].map((name) => newFolder(storage, account, name)),
    );
    for (const outcome of outcomes) {
      assert.equal(outcome.status === 'rejected' && codeOf(outcome.reason), 'STORAGE_UNAVAILABLE');
    }
    assert.deepEqual(await storage.folders(account, 10_000), []);
    await newFolder(storage, account, 'next');
    assert.equal((await storage.folders(account, 10_000)).length, 1);
  }));

test('acknowledges nothing when SQLite rolls back the whole transaction', () =>
  using(async (storage, account, beside) => {
    beside.database.exec(
      `CREATE TRIGGER spring AFTER INSERT ON folders WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'all gone'); END`,
    );
    const outcomes = await inOneCommit(storage, beside, () =>
      ['good', 'bad', 'fine'].map((name) => newFolder(storage, account, name)),
    );
    for (const outcome of outcomes) {
      assert.equal(outcome.status === 'rejected' && codeOf(outcome.reason), 'STORAGE_UNAVAILABLE');
    }
    assert.deepEqual(await storage.folders(account, 10_000), []);
    await newFolder(storage, account, 'next');
  }));

test('returns STORAGE_UNAVAILABLE for a lock of another process, with Retry-After and without a path', () =>
  using(async (_storage, _account, beside, path) => {
    const other = openConnection(path, { readsOnly: false });
    other.database.exec('PRAGMA busy_timeout = 0');
    beside.database.exec('BEGIN IMMEDIATE');
    assert.throws(
      () => other.run('DELETE FROM once', []),
      (error) => {
        assert.ok(error instanceof Failure);
        assert.deepEqual([error.code, error.facts.retryAfterSeconds], ['STORAGE_UNAVAILABLE', 1]);
        assert.ok(!error.message.includes(folder) && !error.message.includes('DELETE'));
        return true;
      },
    );
    beside.database.exec('COMMIT');
    other.close();
  }));

test('returns STORAGE_UNAVAILABLE for a path that cannot be opened', async () => {
  const path = newPath();
  await (await openSqlite(path)).close();
  await assert.rejects(openSqlite(join(path, 'below.db')), { code: 'STORAGE_UNAVAILABLE' });
});

test('leaves nothing of a fold slice that fails midway', () =>
  using(async (storage, account, beside, path) => {
    const links = await Promise.all(['aaa', 'bbb'].map((code) => storage.createLink(account, newLink(code))));
    const sums = new Float64Array([1, 7, 0, 3, 1, 7, 1, 2, 2, 7, 0, 4]);
    await storage.applyClicks({ journal: 'j', from: 0, to: 1, sums, records: recordsOf(account, sums) });
    beside.database.exec(`
      CREATE TRIGGER spring BEFORE DELETE ON recent_clicks WHEN OLD.link_row = 2 BEGIN
        SELECT RAISE(ABORT, 'no further'); END`);
    const state = () =>
      Promise.all(links.map(async ({ id }) => (await storage.link(account, id))?.link.clicks));
    const before = await state();
    await assert.rejects(storage.rollUpClicks(0, 10), /no further/);
    assert.deepEqual(await state(), before);
    assert.deepEqual(beside.all('SELECT * FROM link_clicks', []), [], 'not even the first link');
    beside.database.exec('DROP TRIGGER spring');
    assert.equal(await storage.rollUpClicks(0, 10), 2);
    assert.deepEqual(await state(), before);
    assert.deepEqual(beside.all('SELECT * FROM recent_clicks', []), []);
    assert.deepEqual(await checkDatabase(`sqlite:${path}`), []);
  }));

test('counts each click once when killed while adding and folding', async () => {
  const path = newPath();
  const links = 50;
  const prepared = await openSqlite(path);
  const { id: account = 0 } = (await prepared.createAccount('mine', 1)) ?? {};
  for (let n = 0; n < links; n += 1) await prepared.createLink(account, newLink(`code-${n}`));
  await prepared.close();
  const program = `
    import { openSqlite } from '${import.meta.dirname}/engine.ts';
    import { recordsOf } from '${import.meta.dirname}/../storage.fixtures.ts';
    const storage = await openSqlite(process.argv[1]);
    const rows = Array.from({ length: ${links} }, (_, n) => n + 1);
    const fold = async () => { for (let after; ; after = await storage.rollUpClicks(after ?? 0, 7)); };
    void fold();
    for (let at = await storage.appliedTo('j'); ; at += 1) {
      const sums = new Float64Array(rows.flatMap((row) => [row, at % 3, at % 4, 1]));
      await storage.applyClicks({ journal: 'j', from: at, to: at + 1, sums, records: recordsOf(${account}, sums) });
      process.stdout.write('x');
    }`;
  for (let life = 0; life < 5; life += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let batches = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      batches += chunk.length;
      if (batches > 8 + 3 * life) child.kill('SIGKILL');
    });
    await once(child, 'close');
  }
  const storage = await openSqlite(path);
  const file = openConnection(path, { readsOnly: true });
  try {
    const applied = await storage.appliedTo('j');
    assert.ok(applied >= 40, `${applied} batches`);
    const hold = async (): Promise<void> => {
      const page = await storage.links(account, { kind: 'all' }, 100, 0);
      assert.deepEqual(
        page.links.map(({ clicks }) => clicks),
        Array(links).fill(applied),
      );
      assert.deepEqual(await checkDatabase(`sqlite:${path}`), []);
    };
    await hold();
    for (let after: number | undefined = 0; after !== undefined; )
      after = await storage.rollUpClicks(after, 10);
    assert.equal(await storage.rollUpClicks(0, 10), undefined);
    await hold();
  } finally {
    file.close();
    await storage.close();
  }
});

test('keeps every write acknowledged before kill -9', async () => {
  const path = newPath();
  const program = `
    import { openSqlite } from '${import.meta.dirname}/engine.ts';
    const storage = await openSqlite(process.argv[1]);
    const { id } = await storage.createAccount('mine', 1);
    for (let n = 0; ; n += 1) {
      const folder = '01900000-0000-7000-8000-' + n.toString(16).padStart(12, '0');
      const done = storage.createFolder(id, { id: folder, name: 'f', createdAt: 1 });
      const reported = done.then(() => process.stdout.write(folder + '\\n'));
      if (n % 200 === 0) await reported; // more would be rejected as OVERLOADED
    }`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program, path]);
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
    if (printed.length > 37 * 500) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL');
  const storage = await openSqlite(path);
  try {
    const there = new Set((await storage.folders(1, 10_000)).map(({ id }) => id));
    const acknowledged = printed.split('\n').slice(0, -1);
    assert.ok(acknowledged.length >= 500);
    assert.deepEqual(
      acknowledged.filter((id) => !there.has(id)),
      [],
    );
  } finally {
    await storage.close();
  }
});

test('with writesLater, starts the writer thread with the first write', async () => {
  let threads = 0;
  const count = (): void => {
    threads += 1;
  };
  process.on('worker', count);
  try {
    const storage = await openSqlite(newPath(), { writesLater: true });
    assert.deepEqual(await storage.accounts(), []);
    assert.equal(threads, 0, 'a read started it');
    assert.ok(await storage.createAccount('later', 1));
    assert.equal((await storage.accounts()).length, 1);
    assert.equal(threads, 1);
    await storage.close();
  } finally {
    process.off('worker', count);
  }
});

test('with writesLater, ready starts the writer thread and reports why it cannot write', async () => {
  const path = newPath();
  const storage = await openSqlite(path, { writesLater: true });
  await storage.ready();
  assert.ok(await storage.createAccount('ready', 1));
  await storage.close();

  const broken = await openSqlite(path, { writesLater: true });
  const aside = `${path}-aside`;
  renameSync(path, aside);
  mkdirSync(path);
  await assert.rejects(broken.ready(), { code: 'STORAGE_UNAVAILABLE' });
  await broken.close();
});

test('closes read-only tools without starting the thread', async () => {
  const storage = await openSqlite(newPath(), { writesLater: true });
  await storage.close();
  await assert.rejects(storage.createAccount('late', 1), { code: 'STORAGE_UNAVAILABLE' });
});

for (const [fault, damage, message] of [
  [
    'cannot migrate',
    "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (9999, 'x', 'x', 1)",
    /Run a newer version/,
  ],
  ['cannot read', 'DROP TABLE change_log', /no such table/],
] as const) {
  test(`leaves no writer thread after startup that ${fault}`, async () => {
    const path = newPath();
    await (await openSqlite(path)).close();
    const connection = openConnection(path, { readsOnly: false });
    connection.database.exec(damage);
    connection.close();
    let ended = false;
    const watch = (worker: { once(event: 'exit', listener: () => void): unknown }): void => {
      worker.once('exit', () => {
        ended = true;
      });
    };
    process.on('worker', watch);
    try {
      await assert.rejects(openSqlite(path), message);
      assert.ok(ended);
    } finally {
      process.off('worker', watch);
    }
  });
}
