// Commands that would replace a running server's files are rejected.
import assert from 'node:assert/strict';
import { existsSync, linkSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyFile } from '../support/load/verify.ts';
import { call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';

after(endServers);

/** Returns the error from a command that must fail. */
async function refusal(server: Server, ...words: string[]): Promise<string> {
  try {
    await server.command(...words);
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    assert.equal(code, 1, stderr);
    return stderr;
  }
  throw new assert.AssertionError({ message: `linkfold ${words.join(' ')} was not refused` });
}

async function shorten(server: Server, key: string): Promise<string> {
  const body = { url: 'https://example.com/' };
  const { status, json } = await call(server, 'POST', '/api/v1/shorten', { key, body });
  assert.equal(status, 201);
  return json.data.id;
}

test('refuses a backup over any file of the server, and loses no acknowledged change', async () => {
  const server = await startServer();
  const { key } = await server.newKey();
  const { dataDir } = server;
  const database = join(dataDir, 'linkfold.db');
  const created = [await shorten(server, key)];
  const aside = temporaryFolder('aside');
  symlinkSync(database, join(aside, 'symbolic.db'));
  linkSync(database, join(aside, 'hard.db'));
  linkSync(`${database}-wal`, join(aside, 'hard.log'));
  const [journal = ''] = readdirSync(join(dataDir, 'clicks'));
  const journals = join(dataDir, 'clicks', journal);
  const targets = [
    database,
    join(dataDir, '.', 'linkfold.db'),
    join(aside, 'symbolic.db'),
    join(aside, 'hard.db'),
    `${database}-wal`,
    `${database}-shm`,
    join(aside, 'hard.log'),
    join(journals, 'lock'),
    ...readdirSync(journals).map((name) => join(journals, name)),
    join(dataDir, 'last-backup'),
  ];
  const inodes = targets.filter(existsSync).map((path) => statSync(path).ino);
  for (const target of targets) {
    assert.match(
      await refusal(server, 'db', 'backup', target, '--overwrite'),
      /is the database itself|belongs to the database|belongs to the server/,
      target,
    );
    created.push(await shorten(server, key));
  }
  assert.deepEqual(
    targets.filter(existsSync).map((path) => statSync(path).ino),
    inodes,
  );
  await server.stop('SIGKILL');

  const again = await startServer({}, dataDir);
  for (const id of created)
    assert.equal((await call(again, 'GET', `/api/v1/links/${id}`, { key })).status, 200, id);
  assert.equal(await again.stop(), 0);
  verifyFile(dataDir);
});

test('refuses a restore while a server is running, even if its database file has been deleted', async () => {
  const server = await startServer();
  const { key } = await server.newKey();
  const { dataDir } = server;
  const backup = join(temporaryFolder('backups'), 'backup.db');
  const id = await shorten(server, key);
  await server.command('db', 'backup', backup);
  assert.match(await refusal(server, 'db', 'restore', backup, '--yes'), /in use/);
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith('linkfold.db')))
    rmSync(join(dataDir, name));
  assert.match(await refusal(server, 'db', 'restore', backup, '--yes'), /in use/);
  assert.deepEqual(
    readdirSync(dataDir).filter((one) => one.startsWith('linkfold.db')),
    [],
  );
  await server.stop('SIGKILL');
  await server.command('db', 'restore', backup, '--yes');
  const again = await startServer({}, dataDir);
  assert.equal((await call(again, 'GET', `/api/v1/links/${id}`, { key })).status, 200);
  assert.equal(await again.stop(), 0);
});
