import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { checkDatabase } from '../check/check.ts';
import { openStorage } from '../open.ts';
import { backupSqlite, verifyBackup } from './backup.ts';
import { restoreDatabase } from './restore.ts';

const root = temporaryFolder('restore');
const backupFile = join(root, 'backup.db');
const now = Date.UTC(2027, 2, 1, 9);

async function accountsIn(path: string): Promise<string[]> {
  const storage = await openStorage(`sqlite:${path}`);
  try {
    return (await storage.accounts()).map(({ name }) => name);
  } finally {
    await storage.close();
  }
}
async function make(path: string, account: string): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`);
  await storage.createAccount(account, 1);
  await storage.close();
}
await make(join(root, 'source.db'), 'from the backup');
await backupSqlite(`sqlite:${join(root, 'source.db')}`, backupFile);
async function place(): Promise<string> {
  return join(await mkdtemp(join(root, 'place-')), 'links.db');
}

test('replaces the database and keeps the old one under a dated name', async () => {
  const path = await place();
  await make(path, 'was there');
  const reported: number[][] = [];
  const facts = await restoreDatabase(`sqlite:${path}`, backupFile, {
    now,
    onProgress: (...both) => reported.push(both),
  });
  assert.equal(facts.previous, `${path}.before-restore-20270301T090000Z`);
  assert.equal(facts.path, path);
  assert.equal(facts.accounts, 1);
  assert.deepEqual(reported.at(-1)?.[0], reported.at(-1)?.[1]);
  assert.deepEqual(await accountsIn(path), ['from the backup']);
  assert.deepEqual(await accountsIn(facts.previous ?? ''), ['was there']);
  assert.deepEqual(await checkDatabase(`sqlite:${path}`), []);
  const second = await restoreDatabase(`sqlite:${path}`, backupFile, { now });
  assert.equal(second.previous, `${path}.before-restore-20270301T090000Z-2`);
  assert.ok(existsSync(facts.previous ?? ''), 'the first one is still there');
  assert.equal((await verifyBackup(backupFile)).accounts, 1, 'the backup is unchanged');
});

test('creates the database if there is none', async () => {
  const path = await place();
  assert.equal((await restoreDatabase(`sqlite:${path}`, backupFile, { now })).previous, null);
  assert.deepEqual(await accountsIn(path), ['from the backup']);
});

test('keeps unapplied log writes from a killed process in the old database', async () => {
  const path = await place();
  const storage = await openStorage(`sqlite:${path}`);
  await storage.createAccount('in the log', 1);
  const files = ['', '-wal'].map((suffix) => [suffix, readFileSync(path + suffix)] as const);
  await storage.close();
  for (const [suffix, content] of files) writeFileSync(path + suffix, content);
  const { previous } = await restoreDatabase(`sqlite:${path}`, backupFile, { now });
  assert.deepEqual(await accountsIn(path), ['from the backup']);
  assert.deepEqual(await accountsIn(previous ?? ''), ['in the log']);
});

test('leaves a database in use alone', async () => {
  const path = await place();
  const storage = await openStorage(`sqlite:${path}`);
  try {
    await storage.createAccount('at work', 1);
    await assert.rejects(restoreDatabase(`sqlite:${path}`, backupFile, { now }), /in use.*Stop the server/);
    await storage.createAccount('still at work', 1);
    assert.equal((await storage.accounts()).length, 2);
  } finally {
    await storage.close();
  }
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db']);
});

test('changes nothing for an invalid backup', async () => {
  const path = await place();
  await make(path, 'was there');
  const unsound = join(root, 'unsound.db');
  writeFileSync(unsound, readFileSync(backupFile).subarray(0, 20_000));
  await assert.rejects(restoreDatabase(`sqlite:${path}`, unsound, { now }), /damaged/);
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db']);
  assert.deepEqual(await accountsIn(path), ['was there']);
});

test('moves aside a database that is too damaged to open', async () => {
  const path = await place();
  writeFileSync(path, 'rubbish');
  writeFileSync(`${path}-wal`, 'more rubbish');
  const { previous } = await restoreDatabase(`sqlite:${path}`, backupFile, { now });
  assert.equal(readFileSync(previous ?? '', 'utf8'), 'rubbish');
  assert.equal(readFileSync(`${previous}-wal`, 'utf8'), 'more rubbish');
  assert.deepEqual(await accountsIn(path), ['from the backup']);
});
