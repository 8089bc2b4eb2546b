// Several nodes on one PostgreSQL database add clicks to the same links, and roll them up.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import {
  dropPostgresDatabase,
  newPostgresDatabase,
  noPostgres,
} from '../../../test/support/postgres/databases.ts';
import type { Storage } from '../../model/storage.ts';
import { openStorage } from '../open.ts';
import { hexOf, newLink } from '../storage.fixtures.ts';

const skip = (await noPostgres()) ?? false;
const nodeCount = 4;
const batches = Number(process.env['LINKFOLD_COUNT'] ?? 30);
const hour = 500_000;

let url = '';
let nodes: Storage[] = [];
let client: pg.Client;
let account = 0;

beforeEach(async () => {
  if (skip !== false) return;
  url = await newPostgresDatabase();
  nodes = [];
  for (let n = 0; n < nodeCount; n += 1) nodes.push(await openStorage(url));
  account = (await nodes[0]?.createAccount('mine', 1))?.id ?? 0;
  const bare = new URL(url);
  bare.searchParams.delete('durability');
  client = new pg.Client({ connectionString: bare.href });
  await client.connect();
});
afterEach(async () => {
  if (skip !== false) return;
  await client.end();
  await Promise.all(nodes.map((node) => node.close()));
  await dropPostgresDatabase(url);
});

async function createLinks(count: number): Promise<number[]> {
  const [first] = nodes;
  const create = async (n: number): Promise<string> => {
    const link = newLink(`hot-${n}`);
    await first?.createLink(account, link);
    return hexOf(link.id);
  };
  const rows = await first?.rowsOf(await Promise.all(Array.from({ length: count }, (_, n) => create(n))));
  return [...(rows?.values() ?? [])].map(({ row }) => row).sort((a, b) => a - b);
}
async function clicksSeenBy(node: Storage | undefined): Promise<number[]> {
  return (await node?.links(account, { kind: 'all' }, 100, 0))?.links.map(({ clicks }) => clicks) ?? [];
}
function onceEach(rows: readonly number[], at: number) {
  return new Float64Array(rows.flatMap((row) => [row, hour + (at % 2), at % 4, 1]));
}
async function deadlocks(): Promise<number> {
  await client.query('SELECT pg_stat_clear_snapshot()');
  const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  return Number((await client.query(sql)).rows[0].deadlocks);
}

test('nodes add to the same links and fold concurrently: exact at all times, no node blocks another', {
  skip,
}, async () => {
  const rows = await createLinks(40);
  let adding = true;
  const add = async (node: Storage, journal: string): Promise<void> => {
    for (let at = 0; at < batches; at += 1) {
      assert.ok(await node.applyClicks({ journal, from: at, to: at + 1, sums: onceEach(rows, at) }));
    }
  };
  const fold = async (node: Storage): Promise<void> => {
    for (let after: number | undefined; adding; ) after = await node.rollUpClicks(after ?? 0, 7);
  };
  const applyRepeatedly = async (node: Storage): Promise<void> => {
    for (let before = new Array(rows.length).fill(0); adding; ) {
      // All links must have the same number of clicks, because each batch adds one click to each link.
      const seen = await clicksSeenBy(node);
      assert.equal(new Set(seen).size, 1, 'a batch is visible as a whole, at any point of a fold');
      assert.ok((seen[0] ?? 0) >= before[0], `${seen[0]} after ${before[0]}`);
      before = seen;
    }
  };
  const others = [...nodes.map(fold), ...nodes.slice(0, 2).map(applyRepeatedly)];
  await Promise.all(nodes.map((node, n) => add(node, `journal-${n}`)));
  adding = false;
  await Promise.all(others);

  const expected = rows.map(() => nodeCount * batches);
  assert.deepEqual(await clicksSeenBy(nodes[0]), expected);
  for (let after: number | undefined = 0; after !== undefined; )
    after = await nodes[0]?.rollUpClicks(after, 9);
  assert.deepEqual(await clicksSeenBy(nodes[1]), expected);
  const sums = `SELECT (SELECT COUNT(*) FROM recent_clicks) AS recent,
    (SELECT SUM(total) FROM link_clicks) AS totals`;
  const all = String(rows.length * nodeCount * batches);
  assert.deepEqual((await client.query(sums)).rows, [{ recent: '0', totals: all }]);
  assert.equal(await deadlocks(), 0);
  assert.deepEqual(
    nodes.map((node) => node.stats().retries),
    nodes.map(() => 0),
  );
});

test('lets other nodes add to the same links while one hangs in its batch', {
  skip,
  timeout: 60_000,
}, async () => {
  const [one, other] = nodes;
  const rows = await createLinks(3);
  await one?.applyClicks({ journal: 'one', from: 0, to: 1, sums: onceEach(rows, 0) });
  await client.query('BEGIN');
  await client.query('SELECT * FROM recent_clicks FOR UPDATE');
  // If this node used the locked rows, it would wait until the end of the test.
  await other?.applyClicks({ journal: 'other', from: 0, to: 1, sums: onceEach(rows, 0) });
  await other?.applyClicks({ journal: 'other', from: 1, to: 2, sums: onceEach(rows, 0) });
  assert.deepEqual(await clicksSeenBy(other), [3, 3, 3]);
  await client.query('ROLLBACK');
});

test('folds what exists when it gets the lock, including rows added while it waited', {
  skip,
  timeout: 20_000,
}, async () => {
  const [one, other] = nodes;
  const rows = await createLinks(3);
  await one?.applyClicks({ journal: 'one', from: 0, to: 1, sums: onceEach(rows, 0) });
  await client.query('BEGIN');
  await client.query('UPDATE recent_clicks SET clicks = clicks + 10 WHERE link_row = $1', [rows[1]]);
  const folding = other?.rollUpClicks(0, 100);
  while ((await waiters()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // Adds rows to the slice that the waiting roll-up has not locked.
  await one?.applyClicks({ journal: 'late', from: 0, to: 1, sums: onceEach(rows, 1) });
  await client.query('COMMIT');
  assert.equal(await folding, rows[2]);
  assert.deepEqual(
    (await clicksSeenBy(one)).sort((a, b) => a - b),
    [2, 2, 12],
  );
  assert.deepEqual((await client.query('SELECT SUM(clicks) FROM recent_clicks')).rows, [{ sum: '3' }]);
});

async function waiters(): Promise<number> {
  return Number((await client.query('SELECT COUNT(*) FROM pg_locks WHERE NOT granted')).rows[0].count);
}
