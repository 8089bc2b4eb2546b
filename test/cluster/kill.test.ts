import assert from 'node:assert/strict';
import { after, test } from 'node:test';
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
  stopAll,
  untilAgreed,
  withConnectTimeout,
} from '../support/server/nodes.ts';
import { endServers } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
const { seed, count } = effort(1);
/**
 * Longest load before a kill, in ms. Clicks are applied every second, so some are applied while other clicks arrive.
 */
const longestLoadMs = 1_200;
const longestDeadMs = 300;

after(endServers);

test(
  'loses no acknowledged change and counts nothing twice when nodes are killed under load',
  {
    skip,
    timeout: 60_000 + count * 20_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const database = withConnectTimeout(await newPostgresDatabase());
      const nodes = await startNodes(3, database, patient);
      const key = (await nodes[0]?.newKey())?.key ?? '';
      const targets = () => nodes.map(({ port }) => ({ port, token: key }));
      const ledger = newLedger();
      const [first = assert.fail()] = targets();
      await prepare(ledger, first);

      const seen = { kills: 0, changes: 0, visits: 0, unknownChanges: 0, unknownVisits: 0 };
      for (let cycle = 1; cycle <= count; cycle += 1) {
        const loads = targets().map((target) =>
          startLoad({ ledger, random, target, writers: 2, clickers: 4, staleForMs }),
        );
        await sleep(random.below(longestLoadMs));
        const killed = random.chance(0.25) ? [0, 1] : [random.below(3)];
        await Promise.all(killed.map((index) => nodes[index]?.stop('SIGKILL')));
        seen.kills += killed.length;
        // The other nodes continue while the killed nodes restart and apply their journals.
        await sleep(random.below(longestDeadMs));
        for (const index of killed) {
          const node = nodes[index] ?? assert.fail();
          assert.deepEqual(alarmsOf(node), []);
          nodes[index] = await startAgain(node, database, patient);
        }
        await stopAll(loads);
        for (const [index, { broken }] of loads.entries())
          if (!killed.includes(index)) assert.deepEqual(broken, [], 'A surviving node dropped connections.');
        for (const { changes, visits } of ledger.links) {
          seen.changes += changes.filter(({ sentAt }) => sentAt > 0).length;
          seen.visits += visits.length;
          seen.unknownChanges += changes.filter(({ ackedAt }) => ackedAt === Number.POSITIVE_INFINITY).length;
          seen.unknownVisits += visits.filter(({ ackedAt }) => ackedAt === Number.POSITIVE_INFINITY).length;
        }
        await Promise.all([untilAgreed(nodes, key), sleep(staleForMs)]);
        await verify(ledger, random.pick(targets()));
      }
      t.diagnostic(`${JSON.stringify(seen)} over ${ledger.links.length} links`);
      await nodes[0]?.command('db', 'check');
      for (const node of nodes) {
        assert.equal(await node.stop(), 0);
        assert.deepEqual(alarmsOf(node), []);
      }
      await dropPostgresDatabase(database);
    }),
);
