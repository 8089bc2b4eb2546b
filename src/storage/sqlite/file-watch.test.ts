import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { until } from '../../../test/support/until.ts';
import type { Storage } from '../../model/storage.ts';
import { newLink } from '../storage.fixtures.ts';
import { openSqlite } from './engine.ts';

function codeOf(error: unknown): unknown {
  return (error as { code?: string }).code;
}
function isUnavailable(error: unknown): boolean {
  return codeOf(error) === 'STORAGE_UNAVAILABLE' && /deleted or replaced/.test((error as Error).message);
}

async function start() {
  const path = join(temporaryFolder('files'), 'links.db');
  const alarms: string[] = [];
  const notices: string[] = [];
  const storage = await openSqlite(path, {
    checkEveryMs: 10,
    onError: (sentence) => alarms.push(sentence),
    onInfo: (sentence) => notices.push(sentence),
  });
  const account = (await storage.createAccount('mine', 1))?.id ?? 0;
  await storage.createLink(account, newLink('abc', { id: crypto.randomUUID() }));
  return { path, storage, account, alarms, notices };
}

async function isRefusing(storage: Storage): Promise<void> {
  await assert.rejects(storage.createAccount('other', 1), isUnavailable);
  await assert.rejects(
    storage.applyClicks({ journal: 'j', from: 0, to: 1, sums: new Float64Array([1, 1, 0, 1]) }),
    isUnavailable,
  );
  await assert.rejects(storage.ping(), isUnavailable);
  assert.throws(() => storage.findKey('k'), isUnavailable);
  assert.notEqual(await storage.findTarget('abc'), undefined, 'cached links still redirect');
}

function isDeleted(sentence: string): boolean {
  return sentence.includes('was deleted or replaced while the server is running');
}

for (const suffix of ['', '-wal', '-shm']) {
  test(`detects a deleted links.db${suffix}: acknowledges nothing from then on`, async () => {
    const { path, storage, alarms } = await start();
    rmSync(path + suffix);
    await until('the change is detected', () => alarms.length > 0);
    await isRefusing(storage);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(alarms.filter(isDeleted).length, 1, 'reported once');
    await storage.close();
  });
}

test('resumes using a database that was moved away and put back', async () => {
  const { path, storage, alarms, notices } = await start();
  renameSync(path, `${path}.aside`);
  await until('the change is detected', () => alarms.length > 0);
  await isRefusing(storage);
  renameSync(`${path}.aside`, path);
  await until('the change is detected', () =>
    notices.some((sentence) => sentence.includes('available again')),
  );
  await storage.createAccount('again', 1);
  await storage.ping();
  await storage.close();
  const after = await openSqlite(path);
  assert.deepEqual(
    (await after.accounts()).map(({ name }) => name),
    ['mine', 'again'],
  );
  await after.close();
});

test("detects another file under the database's name", async () => {
  const { path, storage, alarms } = await start();
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  await until('the change is detected', () => alarms.length > 0);
  await isRefusing(storage);
  await storage.close();
});

test('works on the new file after startup waited during the exchange', async () => {
  const path = join(temporaryFolder('exchange'), 'links.db');
  const other = `${path}.other`;
  for (const [file, name] of [
    [path, 'old'],
    [other, 'new'],
  ] as const) {
    const storage = await openSqlite(file);
    await storage.createAccount(name, 1);
    await storage.close();
  }
  // Replaces the file as a restore does, while it holds a lock that the opening process waits for.
  const program = `
    import { DatabaseSync } from 'node:sqlite';
    import { renameSync, linkSync } from 'node:fs';
    const [path, other] = process.argv.slice(1);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    process.stdout.write('locked');
    setTimeout(() => {
      linkSync(path, path + '.aside');
      renameSync(other, path);
      database.close();
    }, 500);`;
  const restore = spawn(process.execPath, ['--input-type=module', '-e', program, path, other], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(restore, 'close');
  await once(restore.stdout, 'data');
  const storage = await openSqlite(path);
  await ended;
  assert.deepEqual(
    (await storage.accounts()).map(({ name }) => name),
    ['new'],
  );
  await storage.createAccount('written', 1);
  await storage.close();
  const after = await openSqlite(path);
  assert.deepEqual(
    (await after.accounts()).map(({ name }) => name),
    ['new', 'written'],
  );
  await after.close();
  assert.ok(existsSync(`${path}.aside`));
});
