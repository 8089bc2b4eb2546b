// Nodes without a disk: CLICK_SINK=database on PostgreSQL, in a folder that cannot be made.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProxy } from '../support/http/tcp-proxy.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { endServers, startServer } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
const kills = Number(process.env['LINKFOLD_COUNT'] ?? 2);
const visitors = 20;
/** A file is in its way. */
const noFolder = '/dev/null/data';

const databases: string[] = [];
after(async () => {
  await endServers();
  for (const url of databases) await dropPostgresDatabase(url);
});

async function newDatabase(): Promise<URL> {
  const url = await newPostgresDatabase();
  databases.push(url);
  return new URL(url);
}
function startNode(database: URL) {
  return startServer(
    { DATABASE_URL: database.href, DATABASE_TIMEOUT: '1', CLICK_SINK: 'database' },
    noFolder,
  );
}
type Node = Awaited<ReturnType<typeof startNode>>;

async function prepare(node: Node) {
  const { key } = await node.newKey();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/', customCode: 'hot' });
  const made = await fetch(`${node.url}/api/v1/shorten`, { method: 'POST', headers, body });
  const { data } = (await made.json()) as { data: { id: string } };
  return async (at: Node): Promise<number> => {
    const answer = await fetch(`${at.url}/api/v1/links/${data.id}`, { headers });
    return ((await answer.json()) as { data: { clicks: number } }).data.clicks;
  };
}
async function visit({ url }: Node): Promise<number> {
  const answer = await fetch(`${url}/hot`, { redirect: 'manual' });
  await answer.body?.cancel();
  return answer.status;
}

test('killed under load, nodes without a folder lose no click and double none', { skip }, async () => {
  const database = await newDatabase();
  const lasting = await startNode(database);
  const clicks = await prepare(lasting);
  let [answered, asked] = [0, 0];
  for (let life = 0; life < kills; life += 1) {
    const mortal = await startNode(database);
    let isOver = false;
    const load = async (node: Node): Promise<void> => {
      while (!isOver) {
        asked += 1;
        const status = await visit(node).catch(() => 0);
        if (status === 302) answered += 1;
        else if (node === lasting || !isOver) assert.equal(status, 0);
        if (status === 0) return;
      }
    };
    const loads = Array.from({ length: visitors }, (_, n) => load(n % 2 === 0 ? lasting : mortal));
    await pause(300 + 50 * life);
    mortal.child.kill('SIGKILL');
    await pause(100);
    isOver = true;
    await Promise.all(loads);
    const counted = await clicks(lasting);
    // Those that were on their way may be counted, or not.
    assert.ok(counted >= answered && counted <= asked, `${answered} ≤ ${counted} ≤ ${asked}`);
    assert.ok(counted - answered <= ((life + 1) * visitors) / 2, `${counted} of ${answered}`);
  }
  assert.ok(answered > 10 * kills, `${answered} clicks`);
  const before = await clicks(lasting);
  assert.equal(await visit(lasting), 302);
  assert.equal(await clicks(lasting), before + 1, 'at once');
  const other = await startNode(database);
  assert.equal(await clicks(other), before + 1, 'on every node');
  assert.equal(await other.stop(), 0);
  assert.ok(!existsSync(noFolder));
  assert.match(lasting.output(), /set BOOTSTRAP_API_KEY, or run linkfold keys create/);
});

test('while the database is away a visitor is told so within seconds, and afterwards all goes on', {
  skip,
}, async (t) => {
  const database = await newDatabase();
  const proxy = await startProxy(Number(database.port));
  t.after(() => proxy.close());
  database.port = String(proxy.port);
  const node = await startNode(database);
  const clicks = await prepare(node);
  const statusOf = async (path: string) => (await fetch(`${node.url}${path}`)).status;
  assert.equal(await visit(node), 302);

  proxy.stall();
  const began = performance.now();
  const refused = await Promise.all(Array.from({ length: 5 }, () => visit(node)));
  assert.deepEqual(refused, [503, 503, 503, 503, 503]);
  assert.ok(performance.now() - began < 5_000);
  assert.equal(await statusOf('/readyz'), 503);
  proxy.flow();

  const until = performance.now() + 15_000;
  while ((await statusOf('/readyz')) !== 200 && performance.now() < until) await pause(50);
  assert.equal(await visit(node), 302);
  await pause(500);
  assert.equal(await clicks(node), 2, 'nobody who was refused counts, also when it had been committed');
  assert.equal(await node.stop(), 0);
});
