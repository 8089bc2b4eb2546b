// Deletes a folder with more links than one transaction should change. Other writers are not delayed, readers
// immediately see the folder as deleted, and both remain true if the server is killed partway through.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ask } from '../support/http/ask.ts';
import { verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { as, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/**
 * Maximum delay in ms of a write while the folder is being emptied. On a busy machine, the limit is three times the
 * slowest write at other times.
 */
const longestWaitMs = 100;
const patience = { withinMs: 120_000, everyMs: 5 };
const writers = 4;

function bytesOf(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/**
 * Writes links directly to the database, because creating millions through the API takes too long. Every tenth link has
 * no folder, and every tenth is deleted.
 */
function fill(dataDir: string, folders: readonly { id: string; links: number }[]): void {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'));
  const { account } = { ...database.prepare('SELECT account_id AS account FROM folders').get() };
  const insert = database.prepare(`
    INSERT INTO links (id, account_id, code, destination, folder_id, created_at, updated_at, deleted_at)
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
    SELECT unhex(printf('0190%04x000070008000%012x', ?, n)), ?, printf('link-%d-%d', ?, n),
      printf('https://example.com/%d', n), CASE WHEN n % 10 <> 0 THEN ? END, 1, 1, CASE WHEN n % 10 = 1 THEN 2 END
    FROM n`);
  database.exec('BEGIN');
  for (const [at, { id, links }] of folders.entries()) {
    insert.run(links, at, Number(account), at, bytesOf(id));
  }
  database.exec(`
    INSERT INTO codes (key, account_id, link_row, live) SELECT code, account_id, link_row, deleted_at IS NULL FROM links;
    INSERT INTO link_counts (account_id, scope, slot, links)
    SELECT account_id, COALESCE(folder_id, X'01'), 0, COUNT(*) FROM links WHERE deleted_at IS NULL GROUP BY 1, 2
    UNION ALL SELECT account_id, X'00', 0, COUNT(*) FROM links WHERE deleted_at IS NULL GROUP BY 1;
    COMMIT`);
  database.close();
}

/** Returns how many link rows still reference the folder. */
function carriers(dataDir: string, id: string): number {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { readOnly: true });
  const sql = 'SELECT COUNT(*) AS links FROM links WHERE folder_id = ?';
  const { links } = { ...database.prepare(sql).get(bytesOf(id)) };
  database.close();
  return Number(links);
}

/** Backdates a folder's deletion, so that the hour for restoring it is over. */
function passAnHour(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { timeout: 5_000 });
  database.exec('UPDATE folders SET deleted_at = 1 WHERE deleted_at IS NOT NULL');
  database.close();
}

/**
 * Creates links without a pause.
 * @returns a function that returns the longest wait in ms since its last call, and a function that stops the writers
 */
function startWriters(port: number, token: string) {
  const agent = new Agent({ keepAlive: true });
  let stopped = false;
  let worst = 0;
  const body = { url: 'https://example.com/' };
  const work = Array.from({ length: writers }, async () => {
    while (!stopped) {
      const begun = performance.now();
      const asked = { method: 'POST', path: '/api/v1/shorten', key: token, body };
      assert.equal((await ask({ port, agent }, asked)).status, 201);
      worst = Math.max(worst, performance.now() - begun);
    }
  });
  return {
    worst: (): number => {
      const was = worst;
      worst = 0;
      return was;
    },
    stop: async (): Promise<void> => {
      stopped = true;
      await Promise.all(work);
      agent.destroy();
    },
  };
}

test('deletes a large folder at once without delaying other requests, even when killed midway', (t) => {
  const { seed, count } = effort(20_000);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const dataDir = temporaryFolder('folder');
    let server: Server = await startServer({}, dataDir);
    t.after(() => server.stop('SIGKILL'));
    const { key } = await server.newKey();
    const makeFolder = async (): Promise<string> =>
      (await as(server, key).post('/api/v1/folders', { name: 'Large' })).json.folder.id;
    const [first, second] = [await makeFolder(), await makeFolder()];
    await server.stop();
    fill(dataDir, [
      { id: first, links: count },
      { id: second, links: Math.ceil(count / 5) },
    ]);

    /**
     * Asserts that folders are deleted. Then no link has a folder, so a list of links without a folder must equal the
     * list of all links.
     */
    const isGone = async (gone: readonly string[], restored: string): Promise<void> => {
      const api = as(server, key);
      const { folders } = (await api.get('/api/v1/folders')).json;
      assert.ok(folders.every(({ id }: { id: string }) => !gone.includes(id)));
      assert.equal((await api.get('/api/v1/me')).json.data.usage.folders, folders.length);
      for (const id of gone) {
        const { data, pagination } = (await api.get(`/api/v1/links?folderId=${id}`)).json;
        assert.deepEqual([data, pagination.total], [[], 0]);
        assert.equal((await api.delete(`/api/v1/folders/${id}`)).status, 404);
        assert.equal((await api.patch(`/api/v1/folders/${id}`, { name: 'x' })).status, 404);
        const made = await api.post('/api/v1/shorten', { url: 'https://example.com/', folderId: id });
        assert.equal(made.status, 404);
      }
      if (folders.length > 0) return;
      const { total } = (await api.get('/api/v1/links')).json.pagination;
      for (const page of [1, 2, Math.ceil(total / 200), Math.ceil(total / 100)]) {
        const query = `limit=100&page=${page}&include=folderId`;
        const everything = (await api.get(`/api/v1/links?${query}`)).json;
        const loose = (await api.get(`/api/v1/links?folderId=none&${query}`)).json;
        assert.deepEqual(loose, everything);
        assert.ok(loose.data.every((link: { folderId: unknown }) => link.folderId === null));
      }
      assert.equal((await api.post(`/api/v1/links/${restored}/restore`)).status, 200);
      const read = (await api.get(`/api/v1/links/${restored}?include=folderId`)).json.data;
      assert.equal(read.folderId, null);
    };
    /** Returns the ID of the deleted link with number `n` in a folder. */
    const restorable = (folder: number, n: number): string =>
      `0190000${folder}-0000-7000-8000-${(10 * n + 1).toString(16).padStart(12, '0')}`;

    server = await startServer({}, dataDir);
    const writing = startWriters(server.port, key);
    await sleep(500);
    writing.worst();
    const begun = performance.now();
    assert.equal((await as(server, key).delete(`/api/v1/folders/${first}`)).status, 204);
    const answered = performance.now() - begun;
    await isGone([first], restorable(0, 1));
    const restoring = performance.now();
    const back = await as(server, key).post(`/api/v1/folders/${first}/restore`);
    const restored = performance.now() - restoring;
    assert.equal(back.json.folder.linkCount, Math.floor(count * 0.8), back.text);
    assert.equal((await as(server, key).delete(`/api/v1/folders/${first}`)).status, 204);
    passAnHour(dataDir);
    let left = carriers(dataDir, first);
    let largestStep = 0;
    await until(
      'the first folder is emptied',
      () => {
        const before = left;
        left = carriers(dataDir, first);
        largestStep = Math.max(largestStep, before - left);
        return left === 0;
      },
      patience,
    );
    const emptied = performance.now() - begun;
    const worst = writing.worst();
    // Measures for the same time as before, because the slowest write in a minute is slower than the slowest in a
    // second.
    await sleep(emptied);
    const usual = writing.worst();
    await writing.stop();
    t.diagnostic(
      `answered after ${answered.toFixed(1)} ms, restored within ${restored.toFixed(1)} ms, emptied after ${Math.round(emptied)} ms; ` +
        `the slowest write took ${worst.toFixed(1)} ms, without ${usual.toFixed(1)} ms`,
    );
    assert.ok(largestStep < count / 4, `${largestStep} links were deleted at once`);
    const bound = Math.max(longestWaitMs, 3 * usual);
    assert.ok(worst <= bound, `a write took ${worst} ms`);
    assert.ok(answered <= bound, `the deletion took ${answered} ms`);
    assert.ok(restored <= bound, `the restore took ${restored} ms`);

    assert.equal((await as(server, key).delete(`/api/v1/folders/${second}`)).status, 204);
    passAnHour(dataDir);
    const all = carriers(dataDir, second);
    if (random.chance(0.75)) await until('a slice is done', () => carriers(dataDir, second) < all, patience);
    await sleep(random.below(100));
    await server.stop('SIGKILL');
    t.diagnostic(`killed with ${carriers(dataDir, second)} of ${all} links to go`);
    verifyFile(dataDir);
    server = await startServer({}, dataDir);
    await isGone([first, second], restorable(1, 1));
    await until('the second folder is emptied', () => carriers(dataDir, second) === 0, patience);
    await isGone([first, second], restorable(1, 2));
    await server.command('db', 'check');
    assert.equal(await server.stop(), 0);
    verifyFile(dataDir);
  });
});
