import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHaproxy, whyNoHaproxy } from '../support/http/haproxy.ts';
import { newLedger, prepare, startLoad } from '../support/load/load.ts';
import { verify } from '../support/load/verify.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { alarmsOf } from '../support/server/log.ts';
import {
  patient,
  staleForMs,
  startAgain,
  startNodes,
  untilAgreed,
  withConnectTimeout,
} from '../support/server/nodes.ts';
import { endServers, temporaryFolder } from '../support/server/server.ts';
import { untilUnready } from '../support/server/unready.ts';

const skip = whyNoHaproxy() ?? (await noPostgres()) ?? false;
const { seed, count } = effort(1);
const betweenMs = 300;

after(endServers);

test(
  'fails no request and loses nothing while three nodes behind HAProxy restart in turn',
  {
    skip,
    timeout: 60_000 + count * 20_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const database = withConnectTimeout(await newPostgresDatabase());
      const env = { SHUTDOWN_DELAY: '1', ...patient };
      const nodes = await startNodes(3, database, env);
      const haproxy = await startHaproxy(
        temporaryFolder('haproxy'),
        nodes.map(({ port }) => port),
      );
      t.after(haproxy.stop);
      await haproxy.allUp();
      const key = (await nodes[0]?.newKey())?.key ?? '';
      const target = { port: haproxy.port, token: key };
      const ledger = newLedger();
      await prepare(ledger, target);

      const load = startLoad({ ledger, random, target, writers: 3, clickers: 6, staleForMs });
      for (let round = 0; round < count; round += 1) {
        const index = round % nodes.length;
        const node = nodes[index] ?? assert.fail();
        await sleep(random.below(betweenMs));
        const ended = node.stop();
        await untilUnready(node);
        assert.equal(await ended, 0);
        assert.deepEqual(alarmsOf(node), []);
        nodes[index] = await startAgain(node, database, env);
        await haproxy.allUp();
      }
      await load.stop();
      const requests = ledger.links.reduce((sum, link) => sum + link.changes.length + link.visits.length, 0);
      t.diagnostic(`${count} restarts, ${requests} requests, failed: ${load.broken.length}`);
      assert.deepEqual([load.broken, ledger.problems], [[], []]);
      await Promise.all([untilAgreed(nodes, key), sleep(staleForMs)]);
      await verify(ledger, target);
      assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0, 0]);
      await dropPostgresDatabase(database);
    }),
);
