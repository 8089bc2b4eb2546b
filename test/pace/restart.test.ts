import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startVisitors } from '../support/load/visitors.ts';
import { startWriters } from '../support/load/writers.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres/postgres.ts';
import { administer } from '../support/postgres/replica.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { startNodes, untilAgreed } from '../support/server/nodes.ts';
import { call, endServers, type Server } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const skip = (await postgresMissing()) ?? false;
const { seed, count } = effort(2);
const longestLoadMs = 1_000;
const longestDownMs = 500;
const recoveredWithinMs = 2_000;
const waiting = { withinMs: 15_000 };

after(endServers);

async function shorten(node: Server, key: string): Promise<string | undefined> {
  const body = { url: 'https://example.com/' };
  const { status, json } = await call(node, 'POST', '/api/v1/shorten', { key, body });
  return status === 201 ? json.data.shortCode : undefined;
}

/**
 * Waits until PostgreSQL accepts connections.
 * @returns the time at which it does
 */
async function untilItAccepts(postgres: Postgres): Promise<number> {
  for (;;) {
    try {
      return await administer(postgres, async () => performance.now());
    } catch {
      await sleep(10);
    }
  }
}

test(
  'redirects links and keeps acknowledged changes once while the database crashes and returns under load',
  {
    skip,
    timeout: 60_000 + count * 30_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const postgres = await startPostgres({ settings: { fsync: 'on', max_connections: '60' } });
      t.after(() => postgres.end());
      const nodes = await startNodes(3, postgres.url());
      const [first = assert.fail()] = nodes;
      const [writing, visited, other] = await Promise.all([first.newKey(), first.newKey(), first.newKey()]);
      const codes = await Promise.all(Array.from({ length: 20 }, () => shorten(first, visited.key)));
      const visitors = await startVisitors({ nodes, random, codes: codes.map(String), perNode: 4 });
      const writers = startWriters({ nodes: () => nodes, key: writing.key, random, writers: 6 });

      const recovered: number[] = [];
      for (let round = 0; round < count; round += 1) {
        const unseen = await Promise.all(nodes.map(() => shorten(first, other.key)));
        await sleep(random.below(longestLoadMs));
        await postgres.stop('immediate');
        await sleep(random.below(longestDownMs));
        const started = postgres.start();
        const up = await untilItAccepts(postgres);
        /** For each node, waits until it can write again and can read data that it has not cached. */
        const back = nodes.map(async (node, index) => {
          await until(
            'a node writes again',
            async () => (await shorten(node, other.key)) !== undefined,
            waiting,
          );
          await until(
            'a node reads again',
            async () => (await call(node, 'HEAD', `/${unseen[index]}`)).status === 302,
            waiting,
          );
          recovered.push(performance.now() - up);
        });
        await Promise.all([started, ...back]);
      }
      await sleep(random.below(longestLoadMs));
      await Promise.all([visitors.stop(), writers.stop()]);
      const worst = Math.max(...recovered);
      t.diagnostic(
        `${count} restarts: ${writers.made()} links with ${writers.repeated()} repetitions, ${visitors.answered()} redirects, ` +
          `${visitors.refused.length} refused; back after at most ${Math.round(worst)} ms`,
      );
      assert.deepEqual(visitors.refused, [], 'Cached links kept redirecting.');
      assert.ok(worst <= recoveredWithinMs, `${worst} ms`);
      assert.ok(writers.repeated() > 0, 'The restarts interrupted no write.');
      await untilAgreed(nodes, visited.key);
      for (const node of nodes) await writers.verify(node);
      await visitors.verify(first, visited.key);
      await first.command('db', 'check');
      assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0, 0]);
    }),
);
