import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHaproxy, whyNoHaproxy } from '../support/http/haproxy.ts';
import { newLedger, prepare, startLoad } from '../support/load/load.ts';
import { verify, verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { untilUnready } from '../support/server/unready.ts';

const { seed, count } = effort(1);
const goneWithinMs = 10_000;
const betweenMs = 300;
const timeout = 60_000 + count * 20_000;
const skip = whyNoHaproxy() ?? false;

after(endServers);

test(
  'fails no request and loses no click while two nodes behind HAProxy restart in turn',
  { skip, timeout },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataDir = temporaryFolder('rolling');
      const env = { SHUTDOWN_DELAY: '1' };
      const nodes = await Promise.all([startServer(env, dataDir), startServer(env, dataDir)]);
      const haproxy = await startHaproxy(
        temporaryFolder('haproxy'),
        nodes.map(({ port }) => port),
      );
      t.after(haproxy.stop);
      await haproxy.allUp();
      const { key } = await nodes[0].newKey();
      const target = { port: haproxy.port, token: key };
      const ledger = newLedger();
      await prepare(ledger, target);

      const load = startLoad({ ledger, random, target, writers: 3, clickers: 6 });
      for (let round = 0; round < count; round += 1) {
        const index = round % 2 === 0 ? 0 : 1;
        const node = nodes[index];
        await sleep(random.below(betweenMs));
        const told = performance.now();
        const ended = node.stop();
        await untilUnready(node);
        assert.equal(await ended, 0);
        const goneMs = performance.now() - told;
        assert.ok(goneMs <= goneWithinMs, `It took ${goneMs} ms to stop.`);
        nodes[index] = await startServer({ ...env, PORT: String(node.port) }, dataDir);
        await haproxy.allUp();
      }
      await load.stop();
      const requests = ledger.links.reduce(
        (sum, { changes, visits }) => sum + changes.length + visits.length,
        0,
      );
      t.diagnostic(`${count} restarts, ${requests} requests, failed: ${load.broken.length}`);
      assert.deepEqual([load.broken, ledger.problems], [[], []]);
      assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0]);
      const last = await startServer(env, dataDir);
      await verify(ledger, { port: last.port, token: key });
      assert.equal(await last.stop(), 0);
      verifyFile(dataDir);
    }),
);
