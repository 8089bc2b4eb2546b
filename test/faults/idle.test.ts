// A server without requests writes nothing: disks may sleep, and snapshots stay small.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { generateKey } from '../../src/model/accounts/keys.ts';
import { parseExposition } from '../support/http/exposition.ts';
import { engines } from '../support/postgres/databases.ts';
import { withDatabase } from '../support/postgres/with-database.ts';
import { sleep } from '../support/random/random.ts';
import { call, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';

after(endServers);

const idleMs = 3_000;
const settlingMs = 1_200;
const metricsToken = 'a-token-for-tests-only';
const { token } = generateKey((size) => crypto.getRandomValues(new Uint8Array(size)));
const program = [process.execPath, join(import.meta.dirname, '../support/faults/hasty-server.ts')];

/** Returns the number of a server's write transactions, including those without changes. */
async function commitsOf(server: Server): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const { text } = await call(server, 'GET', '/metrics', { headers });
  const family = parseExposition(text).get('linkfold_storage_commit_writes');
  const count = family?.samples.find(({ name }) => name.endsWith('_count'))?.value;
  assert.ok(count !== undefined);
  return count;
}

/** Returns every table's rows with their transaction IDs, so that every write is visible. */
async function rowVersions(url: string): Promise<string> {
  return withDatabase(url, async (database) => {
    const tables = await database.all<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
      [],
    );
    const versions = tables.map(
      ({ name }) => `SELECT '${name} ' || xmin || ' ' || ctid AS version FROM ${name}`,
    );
    const rows = await database.all<{ version: string }>(versions.join(' UNION ALL '), []);
    return rows
      .map(({ version }) => version)
      .sort()
      .join('\n');
  });
}

/**
 * Watches a database from outside the server.
 * @returns a function that returns the current version of the database, and one that closes it
 */
async function watch(url: string) {
  if (!url.startsWith('sqlite:')) {
    return { look: () => rowVersions(url), close: () => {} };
  }
  const path = url.slice('sqlite:'.length);
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    look: async () => {
      const { mtimeMs, size } = statSync(`${path}-wal`);
      const version = JSON.stringify(database.prepare('PRAGMA data_version').get());
      return `${version}, log of ${size} bytes of ${mtimeMs}, database of ${statSync(path).mtimeMs}`;
    },
    close: () => database.close(),
  };
}

for (const { name, newDatabase, drop, missing } of engines) {
  describe(`an idle server on ${name}`, { skip: missing ?? false }, () => {
    test('commits nothing before or after it has had work', async (t) => {
      const url = await newDatabase();
      const dataDir = temporaryFolder('idle');
      const env = { BOOTSTRAP_API_KEY: token, METRICS_TOKEN: metricsToken, DATABASE_URL: url };
      const server = await startServer(env, dataDir, program);
      t.after(async () => {
        await server.stop('SIGKILL');
        await drop(url);
      });
      const watched = await watch(url);
      t.after(watched.close);
      const staysIdle = async (when: string): Promise<void> => {
        // Waits until pending work, such as storing the last use of keys, is done.
        await sleep(settlingMs);
        const commits = await commitsOf(server);
        const seen = await watched.look();
        await sleep(idleMs);
        assert.equal(await watched.look(), seen, when);
        // Reading the metrics checks readiness, and that check writes to the database.
        assert.ok((await commitsOf(server)) - commits <= 1, when);
      };
      const post = async (path: string, body: object) =>
        (await call(server, 'POST', path, { key: token, body })).json;

      await staysIdle('after the start');
      const { folder } = await post('/api/v1/folders', { name: 'f' });
      const made = await post('/api/v1/shorten', {
        url: 'https://example.com/',
        folderId: folder.id,
      });
      assert.equal((await call(server, 'GET', `/${made.data.shortCode}`)).status, 302);
      assert.equal((await call(server, 'GET', '/never-was-one')).status, 404);
      await call(server, 'DELETE', `/api/v1/folders/${folder.id}`, { key: token });
      await until('the click is in its final table', () =>
        withDatabase(
          url,
          async (database) =>
            (await database.get('SELECT 1 AS found FROM link_clicks', [])) !== undefined &&
            (await database.get('SELECT 1 AS found FROM click_batches', [])) === undefined,
        ),
      );
      await staysIdle('after some work');
      assert.equal(await server.stop(), 0);
    });
  });
}
