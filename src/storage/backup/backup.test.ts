import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/files/temporary.ts';
import { migrations } from '../migrations/list.ts';
import { openStorage } from '../open.ts';
import { idOf as id, newLink } from '../storage.fixtures.ts';
import { backupSqlite, verifyBackup } from './backup.ts';
import { restoreDatabase } from './restore.ts';

const folder = temporaryFolder('backup');
const path = join(folder, 'links.db');
const url = `sqlite:${path}`;
const targets = join(folder, 'backups');
await mkdir(targets);

const setUp = await openStorage(url);
const account = (await setUp.createAccount('mine', 1))?.id ?? 0;
await setUp.createFolder(account, { id: id(1), name: 'f', createdAt: 1 });
await setUp.createFolder(account, { id: id(9_000), name: 'gone', createdAt: 1 });
const destination = `https://example.com/${'x'.repeat(1_000)}`;
await Promise.all(
  Array.from({ length: 3_000 }, (_, n) =>
    setUp.createLink(
      account,
      newLink(`code-${n}`, {
        id: id(n + 2),
        folderId: n === 0 ? id(9_000) : null,
        destination,
        location: destination,
      }),
    ),
  ),
);
await setUp.deleteFolder(account, id(9_000), 0);
await setUp.applyClicks({ journal: 'j', from: 0, to: 10, sums: new Float64Array([1, 1, 0, 5]) });
const salt = new TextEncoder().encode('a secret of a day').subarray(0, 16);
await setUp.storeVisitorSalt(20_000, salt, 20_000);
await setUp.close();

const expected = {
  schemaVersion: migrations.at(-1)?.number,
  accounts: 1,
  keys: 0,
  links: 3_000,
  folders: 1,
  clicks: 5,
};

test('writes one valid file, readable by its owner only, and describes its content', async () => {
  const target = join(targets, 'plain.db');
  const reported: number[][] = [];
  const facts = await backupSqlite(url, target, {
    onProgress: (done, total) => reported.push([done, total]),
  });
  const { bytes, sha256, ...rest } = facts;
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, { path: target, ...expected });
  assert.equal(bytes, statSync(target).size);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  assert.equal(readFileSync(target)[18], 1, 'the header asks for no write-ahead log');
  assert.ok(reported.length > 1);
  assert.deepEqual(reported.at(-1)?.[0], reported.at(-1)?.[1]);
  assert.deepEqual(await verifyBackup(target), facts);
  assert.deepEqual(readdirSync(targets), ['plain.db'], 'no other file is left next to it');
  assert.ok(!readFileSync(target).includes(salt), 'it does not contain the visitor salts');
  const source = await openStorage(url);
  assert.deepEqual(await source.visitorSalt(20_000), salt);
  await source.close();
});

test('overwrites an existing file only on request', async () => {
  const target = join(targets, 'old.db');
  writeFileSync(target, 'precious');
  await assert.rejects(backupSqlite(url, target), /already exists\. .*--overwrite/);
  assert.equal(readFileSync(target, 'utf8'), 'precious');
  await backupSqlite(url, target, { overwrite: true });
  assert.equal((await verifyBackup(target)).links, 3_000);
});

test('copies a consistent snapshot while another process writes', async () => {
  const program = `
    import { openSqlite } from '${import.meta.dirname}/../sqlite/engine.ts';
    const storage = await openSqlite(process.argv[1]);
    let created = 0;
    const work = async () => {
      for (;;) {
        created += 1;
        const n = created;
        await storage.createFolder(1, { id: '01910000-0000-7000-8000-' + n.toString(16).padStart(12, '0'), name: 'f', createdAt: 1 });
        if (n % 50 === 0) process.stdout.write('x');
      }
    };
    await Promise.all([work(), work(), work(), work()]);`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  let written = 0;
  writer.stdout.on('data', (chunk) => {
    written += chunk.length;
  });
  try {
    let last = 0;
    for (let round = 0; round < 3; round += 1) {
      let steps = 0;
      let done = 0;
      const facts = await backupSqlite(url, join(targets, `busy-${round}.db`), {
        onProgress: (now) => {
          steps += 1;
          assert.ok(now >= done, 'the copy started again');
          done = now;
        },
      });
      assert.ok(steps > 1);
      assert.ok(facts.folders > last, 'each backup contains everything written before it started');
      last = facts.folders;
    }
    assert.ok(written > 0, 'the writer was not stopped');
  } finally {
    writer.kill('SIGKILL');
    await once(writer, 'close');
  }
});

test('adds clicks from journals before the copy is sealed', async () => {
  const target = join(targets, 'completed.db');
  const facts = await backupSqlite(url, target, {
    complete: async (copy) => {
      assert.equal(await copy.appliedTo('j'), 10);
      await copy.applyClicks({ journal: 'j', from: 10, to: 20, sums: new Float64Array([1, 1, 0, 7]) });
    },
  });
  assert.equal(facts.clicks, 12);
  assert.equal((await backupSqlite(url, join(targets, 'again.db'))).clicks, 5, 'the source is unchanged');
});

test('includes recent clicks like folded ones', async () => {
  const source = join(folder, 'clicked.db');
  const storage = await openStorage(`sqlite:${source}`);
  const { id: mine = 0 } = (await storage.createAccount('mine', 1)) ?? {};
  await storage.createLink(mine, newLink('abc', { id: id(1) }));
  const clicksIn = async (copy: string): Promise<number[]> => {
    const restored = join(folder, 'restored.db');
    const { clicks } = await restoreDatabase(`sqlite:${restored}`, copy);
    const reopened = await openStorage(`sqlite:${restored}`);
    const found = await reopened.link(mine, id(1));
    await reopened.close();
    return [clicks, found?.link.clicks ?? 0];
  };
  try {
    await storage.applyClicks({ journal: 'j', from: 0, to: 10, sums: new Float64Array([1, 1, 0, 5]) });
    await storage.rollUpClicks(0, 10);
    await storage.applyClicks({ journal: 'j', from: 10, to: 20, sums: new Float64Array([1, 1, 0, 3]) });
    for (const name of ['recent.db', 'folded.db']) {
      const target = join(targets, name);
      assert.equal((await backupSqlite(`sqlite:${source}`, target)).clicks, 8, name);
      assert.deepEqual(await clicksIn(target), [8, 8], name);
      await storage.rollUpClicks(0, 10);
    }
  } finally {
    await storage.close();
  }
});

test('leaves nothing after a failed backup', async () => {
  const before = readdirSync(targets);
  const complete = () => Promise.reject(new Error('no journals'));
  await assert.rejects(backupSqlite(url, join(targets, 'failed.db'), { complete }), /no journals/);
  await assert.rejects(
    backupSqlite(`sqlite:${join(folder, 'nowhere.db')}`, join(targets, 'none.db')),
    /no database/,
  );
  await assert.rejects(
    backupSqlite(url, join(folder, 'nowhere', 'b.db')),
    /Could not write .+nowhere\/b\.db: the folder .+\/nowhere does not exist\./,
  );
  assert.deepEqual(readdirSync(targets), before);
  assert.ok(!existsSync(join(folder, 'nowhere.db')));
});

test('rejects an invalid backup with the reason', async () => {
  const file = (name: string) => join(targets, name);
  await assert.rejects(verifyBackup(file('absent.db')), /There is no file/);
  await assert.rejects(verifyBackup(targets), /There is no file/);
  writeFileSync(file('text.db'), 'hello');
  await assert.rejects(verifyBackup(file('text.db')), /not a SQLite database/);
  writeFileSync(file('empty.db'), '');
  await assert.rejects(verifyBackup(file('empty.db')), /not a SQLite database/);

  const foreign = new DatabaseSync(file('foreign.db'));
  foreign.exec('CREATE TABLE x (y)');
  foreign.close();
  await assert.rejects(verifyBackup(file('foreign.db')), /not a Linkfold database/);

  const sound = readFileSync(file('plain.db'));
  writeFileSync(file('short.db'), sound.subarray(0, sound.length / 2));
  await assert.rejects(verifyBackup(file('short.db')), /damaged/);
  const scribbled = Buffer.from(sound);
  scribbled.fill(0x5a, sound.length - 40_000, sound.length - 30_000);
  writeFileSync(file('scribbled.db'), scribbled);
  await assert.rejects(verifyBackup(file('scribbled.db')), /damaged/);

  // Removes the seal, as an operator would before changing a backup on purpose.
  writeFileSync(file('newer.db'), sound.subarray(0, sound.length - (sound.length % 4096)));
  const newer = new DatabaseSync(file('newer.db'));
  newer.exec(`INSERT INTO migrations VALUES (999, 'future', 'x', 1)`);
  newer.close();
  await assert.rejects(verifyBackup(file('newer.db')), /schema version 999.*newer version/);

  writeFileSync(file('live.db'), sound);
  writeFileSync(file('live.db-wal'), 'frames');
  await assert.rejects(verifyBackup(file('live.db')), /in use/);
});
