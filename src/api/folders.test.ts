// An account may have more folders than the current limit allows. While all of them are being listed, a redirect waits
// for at most one chunk of the list.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/files/temporary.ts';
import { openConnection } from '../storage/sqlite/connection.ts';
import { openSqlite } from '../storage/sqlite/engine.ts';
import { folderHandlers } from './folders.ts';
import { Written } from './request/long-work.ts';

const folders = 20_000;

test('returns all of 20,000 folders, built over many ticks of the event loop', async (t) => {
  const path = join(temporaryFolder('many-folders'), 'linkfold.db');
  const storage = await openSqlite(path);
  t.after(() => storage.close());
  const accountId = (await storage.createAccount('mine', 1))?.id ?? 0;
  const other = openConnection(path, { readsOnly: false });
  other.database.exec(`
    INSERT INTO folders (id, account_id, name, created_at, updated_at)
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${folders})
    SELECT unhex(printf('0190000000007000%016x', n)), ${accountId}, printf('Größe %d', n), n, n FROM n;
    INSERT INTO link_counts SELECT account_id, id, 0, created_at FROM folders`);
  other.close();

  const call = { context: { storage }, key: { accountId }, query: {} } as unknown as Parameters<
    typeof folderHandlers.listFolders.run
  >[0];
  const list = async (): Promise<string> => {
    const body = await folderHandlers.listFolders.run(call);
    return body instanceof Written ? String(body.bytes) : JSON.stringify(body);
  };
  const body = JSON.parse(await list());
  assert.deepEqual(Object.keys(body), ['success', 'folders']);
  assert.equal(body.folders.length, folders);
  for (const n of [1, 1_000, 1_001, 19_999, folders]) {
    assert.deepEqual(body.folders[n - 1], {
      id: `01900000-0000-7000-0000-${n.toString(16).padStart(12, '0')}`,
      name: `Größe ${n}`,
      linkCount: n,
      createdAt: new Date(n).toISOString(),
    });
  }

  // Three clients request the list at the same time. Each tick processes one chunk for one client.
  const ticks: number[] = [];
  let began = process.threadCpuUsage();
  const note = (): void => {
    const { user, system } = process.threadCpuUsage(began);
    ticks.push(user + system);
    began = process.threadCpuUsage();
  };
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    note();
    setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([list(), list(), list()]);
  isDone = true;
  note();
  const all = ticks.reduce((sum, took) => sum + took, 0);
  const longest = Math.max(...ticks);
  t.diagnostic(`${ticks.length} ticks, ${all} µs in total, ${longest} µs in the longest`);
  assert.ok(longest < all / 6, `${longest} of ${all} µs in one tick`);
});
