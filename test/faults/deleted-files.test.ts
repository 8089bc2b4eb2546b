// Tests a server whose files another program deletes or moves.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyFile } from '../support/load/verify.ts';
import { call, endServers, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

after(endServers);

async function shorten(server: Server, key: string): Promise<{ readonly id: string; readonly code: string }> {
  const body = { url: 'https://example.com/' };
  const { status, json } = await call(server, 'POST', '/api/v1/shorten', { key, body });
  assert.equal(status, 201);
  return { id: json.data.id, code: json.data.shortCode };
}
async function visit(server: Server, code: string, times: number): Promise<void> {
  for (let visits = 0; visits < times; visits += 1)
    assert.equal((await call(server, 'GET', `/${code}`)).status, 302);
}
async function clicksOf(server: Server, key: string, id: string): Promise<number> {
  return (await call(server, 'GET', `/api/v1/links/${id}`, { key })).json.data.clicks;
}
async function isReady(server: Server): Promise<boolean> {
  return (await call(server, 'GET', '/readyz')).status === 200;
}
function timesSaid(server: Server, sentence: string): number {
  return server.output().split(sentence).length - 1;
}

test('redirects visitors and counts every click at a graceful stop after rm -rf of the click journal', async () => {
  const server = await startServer();
  const { key } = await server.newKey();
  const { id, code } = await shorten(server, key);
  const { dataDir } = server;
  const journals = join(dataDir, 'clicks');
  await visit(server, code, 3);
  rmSync(journals, { recursive: true });
  await visit(server, code, 2);
  assert.equal(await clicksOf(server, key, id), 5, 'what was only in the deleted files was in memory');
  await visit(server, code, 4);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.output(), /could not be removed/);

  const again = await startServer({}, dataDir);
  assert.equal(await clicksOf(again, key, id), 9);
  assert.equal(await again.stop(), 0);
  assert.deepEqual(readdirSync(journals), []);
  verifyFile(dataDir);
});

test('is not ready and acknowledges nothing without its database, redirects visitors and counts them later', async () => {
  const server = await startServer();
  const { key } = await server.newKey();
  const { id, code } = await shorten(server, key);
  await visit(server, code, 2);
  const files = readdirSync(server.dataDir).filter((name) => name.startsWith('linkfold.db'));
  const move = (from: string, to: string): void => {
    for (const name of files) renameSync(join(server.dataDir, from + name), join(server.dataDir, to + name));
  };
  move('', 'aside-');
  const message = 'The database was deleted or replaced while the server is running.';
  await until('the deletion is detected', () => timesSaid(server, message) > 0);
  await until('it is not ready', async () => !(await isReady(server)));
  const body = { url: 'https://example.com/' };
  const refused = await call(server, 'POST', '/api/v1/shorten', { key, body });
  assert.deepEqual([refused.status, refused.json.error.code], [503, 'STORAGE_UNAVAILABLE']);
  assert.equal(
    (await call(server, 'GET', `/api/v1/links/${id}`, { key })).status,
    503,
    'the key may be revoked',
  );
  await visit(server, code, 4);
  assert.equal(existsSync(join(server.dataDir, 'linkfold.db')), false, 'no new file is created');

  move('aside-', '');
  await until('it is ready again', () => isReady(server));
  assert.equal(await clicksOf(server, key, id), 6);
  await shorten(server, key);
  assert.equal(timesSaid(server, message), 1);
  await server.stop('SIGKILL');
  const again = await startServer({}, server.dataDir);
  assert.equal(await clicksOf(again, key, id), 6);
  assert.equal(await again.stop(), 0);
  verifyFile(server.dataDir);
});
