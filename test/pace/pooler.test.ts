// Tests nodes that use PostgreSQL through a real PgBouncer in transaction mode, with fewer server connections than
// client connections.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { startPgbouncer, whyNoPgbouncer } from '../support/postgres/pgbouncer.ts';
import { withDatabase } from '../support/postgres/with-database.ts';
import { sleep } from '../support/random/random.ts';
import { staleForMs, startAgain, startNode } from '../support/server/nodes.ts';
import { call, endServers } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? whyNoPgbouncer() ?? false;
const backThroughMs = 2_000;
const links = 60;

after(endServers);

test('works behind PgBouncer in transaction mode: migration, links, folders, clicks, keys, restarts', {
  skip,
  timeout: 60_000,
}, async (t) => {
  const database = await newPostgresDatabase();
  const bouncer = await startPgbouncer(database, { default_pool_size: 5 });
  t.after(() => bouncer.kill());
  const url = bouncer.url({ pooler: 'transaction' });
  let node = await startNode(url); // The first node runs the migrations.
  const { key, id: keyId } = await node.newKey();
  const { key: other, account } = await node.newKey();
  const shorten = (token = key, more = {}) =>
    call(node, 'POST', '/api/v1/shorten', { key: token, body: { url: 'https://example.com/', ...more } });
  const listed = async (query = '', token = key) =>
    (await call(node, 'GET', `/api/v1/links?limit=100${query}`, { key: token })).json;

  const folder = await call(node, 'POST', '/api/v1/folders', { key, body: { name: 'Posters' } });
  const folderId = folder.json.folder.id;
  // Runs more concurrent transactions than there are server connections, so that one client connection's transactions
  // use several server connections.
  const made = await Promise.all(
    Array.from({ length: links }, (_, n) => shorten(key, n % 2 === 0 ? { folderId } : {})),
  );
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
  assert.equal((await listed()).pagination.total, links);
  assert.equal((await listed(`&folderId=${folderId}`)).pagination.total, links / 2);
  const codes: string[] = made.map(({ json }) => json.data.shortCode);
  for (let round = 0; round < 2; round += 1) {
    const visits = await Promise.all(codes.map((code) => call(node, 'GET', `/${code}`)));
    assert.deepEqual(new Set(visits.map(({ status }) => status)), new Set([302]));
  }
  const [first = assert.fail()] = made;
  const to = { url: 'https://example.com/elsewhere' };
  const moved = await call(node, 'PATCH', `/api/v1/links/${first.json.data.id}/destination`, {
    key,
    body: to,
  });
  assert.equal(moved.status, 200);
  assert.equal((await call(node, 'HEAD', `/${codes[0]}`)).headers.get('location'), to.url);

  // Uses the key, and then revokes it in another process, which also uses the pooler.
  assert.equal((await listed()).success, true);
  await node.command('keys', 'revoke', keyId);
  await sleep(staleForMs);
  assert.equal((await call(node, 'GET', '/api/v1/links', { key })).status, 401);

  // While the pooler is down, cached links still redirect. Everything else works again soon after the pooler restarts.
  await shorten(other);
  await bouncer.kill();
  assert.equal((await call(node, 'HEAD', `/${codes[1]}`)).status, 302);
  assert.equal((await shorten(other)).status, 503);
  await bouncer.start();
  const began = performance.now();
  while ((await shorten(other)).status !== 201) await sleep(20);
  assert.ok(performance.now() - began < backThroughMs, `${performance.now() - began} ms`);
  assert.equal((await call(node, 'GET', '/readyz')).status, 200);

  assert.equal(await node.stop(), 0);
  node = await startAgain(node, url);
  const again = (await node.newKey({ account })).key;
  assert.equal((await listed('', again)).pagination.total, 2);
  const clicks = await withDatabase(database, async (db) =>
    db.get<{ n: number }>(
      'SELECT CAST(COALESCE((SELECT SUM(total) FROM link_clicks), 0) + COALESCE((SELECT SUM(clicks) FROM recent_clicks), 0) AS BIGINT) AS n',
      [],
    ),
  );
  assert.equal(clicks?.n, 2 * links);
  assert.equal(await node.stop(), 0);
  await dropPostgresDatabase(database);
});

test('rejects an undeclared pooler and names the setting', { skip }, async (t) => {
  const database = await newPostgresDatabase();
  const strict = await startPgbouncer(database);
  t.after(() => strict.kill());
  await assert.rejects(
    startNode(strict.url()),
    /unsupported startup parameter.*add pooler=transaction to DATABASE_URL/,
  );
  const lax = await startPgbouncer(database, { ignore_startup_parameters: 'options' });
  t.after(() => lax.kill());
  await assert.rejects(
    startNode(lax.url()),
    /ignores the timeouts .* Add pooler=transaction in DATABASE_URL/,
  );
  await dropPostgresDatabase(database);
});
