import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { copyDatabase } from '../copy/copy.ts';
import { openStorage } from '../open.ts';
import { backupSqlite, verifyBackup } from './backup.ts';
import { restoreDatabase } from './restore.ts';

const root = temporaryFolder('backup-target');
const backupFile = join(root, 'sound.db');

async function make(path: string, account = 'mine'): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`);
  await storage.createAccount(account, 1);
  await storage.close();
}
async function accountsIn(path: string): Promise<string[]> {
  const storage = await openStorage(`sqlite:${path}`);
  try {
    return (await storage.accounts()).map(({ name }) => name);
  } finally {
    await storage.close();
  }
}
/** Creates a database in its own folder. */
async function createDatabase(): Promise<string> {
  const path = join(await mkdtemp(join(root, 'place-')), 'links.db');
  await make(path);
  return path;
}
await make(join(root, 'source.db'), 'from the backup');
await backupSqlite(`sqlite:${join(root, 'source.db')}`, backupFile);

/** Returns different paths to the same file, keyed by description. */
function namesOf(file: string, aside: string): Readonly<Record<string, string>> {
  const folder = join(aside, 'folder');
  symlinkSync(join(file, '..'), folder);
  symlinkSync(file, join(aside, 'symbolic'));
  linkSync(file, join(aside, 'hard'));
  return {
    itself: file,
    'another way to write it': join(file, '..', '.', file.split('/').at(-1) ?? ''),
    'through a linked folder': join(folder, file.split('/').at(-1) ?? ''),
    'a symbolic link': join(aside, 'symbolic'),
    'a hard link': join(aside, 'hard'),
  };
}

test('never overwrites the source, under any name', async () => {
  const path = await createDatabase();
  const { ino } = statSync(path);
  for (const [how, target] of Object.entries(namesOf(path, await mkdtemp(join(root, 'names-'))))) {
    for (const url of [`sqlite:${path}`, `sqlite:${target}`]) {
      await assert.rejects(backupSqlite(url, target, { overwrite: true }), /is the database itself/, how);
      await assert.rejects(backupSqlite(url, path, { overwrite: true }), /is the database itself/, how);
    }
  }
  assert.equal(statSync(path).ino, ino);
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db'], 'no other file is left next to it');
  assert.deepEqual(await accountsIn(path), ['mine']);
});

test('never uses a file name of a database, in use or not', async () => {
  const path = await createDatabase();
  const other = await createDatabase();
  const suffixes = ['-wal', '-shm', '-journal', '-migrating'];
  const refuses = async (target: string): Promise<void> => {
    await assert.rejects(
      backupSqlite(`sqlite:${path}`, target, { overwrite: true }),
      /belongs to the database/,
      target,
    );
  };
  for (const database of [path, other]) {
    for (const suffix of suffixes) await refuses(database + suffix);
    assert.deepEqual(readdirSync(join(database, '..')), ['links.db']);
  }
  const folder = join(await mkdtemp(join(root, 'link-')), 'folder');
  symlinkSync(join(path, '..'), folder);
  await refuses(join(folder, 'links.db-wal'));
  // SQLite creates its files next to a symbolic link's target.
  const alias = join(await mkdtemp(join(root, 'alias-')), 'alias.db');
  symlinkSync(path, alias);
  await assert.rejects(
    backupSqlite(`sqlite:${alias}`, `${path}-wal`, { overwrite: true }),
    /belongs to the database/,
  );

  const storage = await openStorage(`sqlite:${path}`);
  try {
    await storage.createAccount('in the log', 1);
    const names = namesOf(`${path}-wal`, await mkdtemp(join(root, 'wal-')));
    for (const target of Object.values(names)) await refuses(target);
  } finally {
    await storage.close();
  }
  assert.deepEqual(await accountsIn(path), ['mine', 'in the log']);
});

test('replaces backups, but no database that is or was in use', async () => {
  const path = await createDatabase();
  const other = await createDatabase();
  await assert.rejects(
    backupSqlite(`sqlite:${path}`, other, { overwrite: true }),
    /is a database, not a backup/,
  );
  assert.deepEqual(await accountsIn(other), ['mine']);
  const target = join(await mkdtemp(join(root, 'old-')), 'old.db');
  await backupSqlite(`sqlite:${path}`, target);
  await backupSqlite(`sqlite:${path}`, target, { overwrite: true });
  assert.equal((await verifyBackup(target)).accounts, 1);
  // A symbolic link is replaced, and its target remains unchanged.
  const latest = join(target, '..', 'latest.db');
  symlinkSync(target, latest);
  const { ino } = statSync(target);
  await backupSqlite(`sqlite:${path}`, latest, { overwrite: true });
  assert.equal(statSync(target).ino, ino);
  assert.notEqual(statSync(latest).ino, ino);
});

test('rejects an invalid target with a message, before copying', async () => {
  const path = await createDatabase();
  const steps: number[] = [];
  const backUp = (target: string) =>
    backupSqlite(`sqlite:${path}`, target, { overwrite: true, onProgress: (done) => steps.push(done) });
  const folder = join(path, '..', 'folder');
  mkdirSync(folder);
  await assert.rejects(backUp(folder), /is a folder\. Specify a file name/);
  await assert.rejects(
    backUp(join(root, 'nowhere', 'b.db')),
    /Could not write .*: the folder .*nowhere does not exist/,
  );
  assert.deepEqual(steps, []);
});

test("leaves another backup's partial file alone", async () => {
  const path = await createDatabase();
  const target = join(await mkdtemp(join(root, 'parts-')), 'b.db');
  // The temporary file of a process with the same process ID in another container.
  const theirs = `${target}.part-${process.pid}`;
  writeFileSync(theirs, 'half');
  await backupSqlite(`sqlite:${path}`, target);
  assert.equal(readFileSync(theirs, 'utf8'), 'half');
  assert.deepEqual(readdirSync(join(target, '..')).toSorted(), ['b.db', `b.db.part-${process.pid}`]);
});

test('does not restore a database from itself', async () => {
  const path = await createDatabase();
  const names = namesOf(path, await mkdtemp(join(root, 'itself-')));
  for (const [how, name] of Object.entries(names)) {
    await assert.rejects(restoreDatabase(`sqlite:${path}`, name), /is the database itself/, how);
    await assert.rejects(restoreDatabase(`sqlite:${name}`, path), /is the database itself/, how);
  }
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db']);
  assert.deepEqual(await accountsIn(path), ['mine']);
});

test('replaces the target of a symbolic link on restore', async () => {
  const path = await createDatabase();
  const alias = join(await mkdtemp(join(root, 'alias-')), 'alias.db');
  symlinkSync(path, alias);
  const { previous } = await restoreDatabase(`sqlite:${alias}`, backupFile, { now: Date.UTC(2027, 2, 1, 9) });
  assert.equal(previous, `${path}.before-restore-20270301T090000Z`);
  assert.deepEqual(await accountsIn(path), ['from the backup']);
  assert.deepEqual(await accountsIn(previous), ['mine']);
  assert.deepEqual(readdirSync(join(alias, '..')), ['alias.db']);
});

test('does not replace a database whose use cannot be determined', async () => {
  const path = await createDatabase();
  const asks = { journal_mode: 0 };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (!sql.includes('journal_mode = DELETE')) return exec.call(this, sql);
    asks.journal_mode += 1;
    throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
  };
  try {
    await assert.rejects(restoreDatabase(`sqlite:${path}`, backupFile), /disk I\/O error/);
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
  assert.equal(asks.journal_mode, 1);
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db']);
  assert.deepEqual(await accountsIn(path), ['mine']);
});

test('does not copy onto the source or its files', async () => {
  const path = await createDatabase();
  const names = namesOf(path, await mkdtemp(join(root, 'copies-')));
  for (const [how, name] of Object.entries(names)) {
    await assert.rejects(copyDatabase(`sqlite:${path}`, `sqlite:${name}`), /same database/, how);
    await assert.rejects(copyDatabase(`sqlite:${name}`, `sqlite:${path}`), /same database/, how);
  }
  for (const suffix of ['-wal', '-shm', '-journal', '-migrating']) {
    const refused = copyDatabase(`sqlite:${path}`, `sqlite:${path}${suffix}`);
    await assert.rejects(refused, /belongs to the database/, suffix);
    assert.equal(existsSync(path + suffix), false, suffix);
  }
  assert.deepEqual(readdirSync(join(path, '..')), ['links.db']);
  assert.deepEqual(await accountsIn(path), ['mine']);
});
