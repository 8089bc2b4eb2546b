import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startProxy } from '../support/http/tcp-proxy.ts';
import { startWriters } from '../support/load/writers.ts';
import { postgresMissing, startPostgres } from '../support/postgres/postgres.ts';
import { administer, startReplica } from '../support/postgres/replica.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { startNodes } from '../support/server/nodes.ts';
import { call, endServers } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const skip = (await postgresMissing()) ?? false;
const { seed, count } = effort(1);
const longestLoadMs = 1_500;
const wireMs = 20;

after(endServers);

test(
  'keeps every acknowledged change once when a synchronous replica replaces a crashed primary',
  {
    skip,
    timeout: 120_000 + count * 180_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const settings = { fsync: 'on', max_connections: '60' };
      let primary = await startPostgres({ settings });
      t.after(() => primary.end());
      const proxy = await startProxy(primary.port);
      t.after(() => proxy.close());
      const url = new URL(primary.url());
      url.port = String(proxy.port);
      const nodes = await startNodes(2, url.href);
      const [node = assert.fail()] = nodes;

      for (let round = 0; round < count; round += 1) {
        const { key } = await node.newKey();
        // Slows down replication, so that an asynchronous standby would fall behind.
        const wire = await startProxy(primary.port);
        t.after(() => wire.close());
        wire.delay(wireMs);
        const replica = await startReplica(primary, { name: 'heir', port: wire.port, settings });
        t.after(() => replica.end());
        await administer(primary, async (client) => {
          await client.query("ALTER SYSTEM SET synchronous_standby_names = 'heir'");
          await client.query('SELECT pg_reload_conf()');
          const state =
            "SELECT 1 FROM pg_stat_replication WHERE application_name = 'heir' AND sync_state = 'sync'";
          const isAttached = async () => (await client.query(state)).rowCount !== 0;
          await until('the primary waits for the replica', isAttached, { everyMs: 20 });
        });
        const writers = startWriters({ nodes: () => nodes, key, random, writers: 8 });
        await until('links are created', () => writers.made() > 0);
        await sleep(random.below(longestLoadMs));
        await primary.stop('immediate');
        proxy.refuse();
        await replica.promote();
        const before = writers.made();
        proxy.lead(replica.port);
        proxy.flow();
        const backMs = await until('links are created again', () => writers.made() > before);
        await sleep(random.below(500));
        await writers.stop();
        for (const one of nodes) await writers.verify(one);
        await node.command('db', 'check');
        t.diagnostic(
          `${before} links before, ${writers.made() - before} after; ${writers.repeated()} repetitions; writes again after ${Math.round(backMs)} ms`,
        );
        await until('it is ready', async () => (await call(node, 'GET', '/readyz')).status === 200);
        await Promise.all([primary.end(), wire.close()]);
        primary = replica;
        // The promoted server must not wait for a standby, because there is none yet.
        await administer(primary, async (client) => {
          await client.query('ALTER SYSTEM RESET synchronous_standby_names');
          await client.query('SELECT pg_reload_conf()');
        });
      }
      for (const one of nodes) assert.equal(await one.stop(), 0);
    }),
);
