import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Storage } from '../../src/domain/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { newLink } from '../../src/storage/storage.fixtures.ts';
import { postgresMissing, startPostgres } from '../support/postgres/postgres.ts';
import { startReplica } from '../support/postgres/replica.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { figureOf, startNodes, watched } from '../support/server/nodes.ts';
import { call, endServers, type Server } from '../support/server/server.ts';

const skip = (await postgresMissing()) ?? false;
/** Restarts of the replica. */
const { seed, count } = effort(2);
const linksPerRound = 600;
const visitors = 6;
const longestMs = 700;
/** A replica may take 200 ms; the rest is what a busy machine takes. */
const boundedMs = 1_500;

after(endServers);

async function untilUsed(node: Server): Promise<void> {
  for (const end = performance.now() + 10_000; ; await sleep(20)) {
    if ((await figureOf(node, 'linkfold_replicas', 'current')) === 1) return;
    assert.ok(performance.now() < end, node.output());
  }
}

/** Makes links faster than requests would. @returns their codes */
async function makeLinks(storage: Storage, accountId: number, round: number): Promise<string[]> {
  const codes = Array.from({ length: linksPerRound }, (_, at) => `cold-${round}-${at}`);
  await Promise.all(codes.map((code) => storage.createLink(accountId, newLink(code))));
  return codes;
}

test(
  'a replica is killed and comes back under load: every link opens, also the one made a moment ago elsewhere',
  { skip, timeout: 60_000 + count * 30_000 },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const primary = await startPostgres({ settings: { max_connections: '100' } });
      t.after(() => primary.end());
      const replica = await startReplica(primary);
      t.after(() => replica.end());
      const url = primary.url('postgres', { durability: 'unchecked' });
      const nodes = await startNodes(2, url, {
        ...{ ...watched, DATABASE_REPLICA_URLS: replica.url(), LINKS_IN_MEMORY: '1000' },
      });
      const [first = assert.fail(), other = assert.fail()] = nodes;
      const { key } = await first.newKey();
      const storage = await openStorage(url);
      t.after(() => storage.close());
      const account = (await storage.createAccount('cold', 1))?.id ?? 0;

      let opened = 0;
      let slowest = 0;
      const refused: string[] = [];
      const open = async (node: Server, code: string): Promise<void> => {
        const begun = performance.now();
        const { status, text } = await call(node, 'GET', `/${code}`);
        slowest = Math.max(slowest, performance.now() - begun);
        opened += 1;
        if (status !== 302) refused.push(`${status} ${text}`);
      };
      for (let round = 0; round < count; round += 1) {
        const codes = await makeLinks(storage, account, round);
        await untilUsed(other);
        let isOver = false;
        /** Each link is opened once, so none is in memory. */
        const cold = async (): Promise<void> => {
          for (let code = codes.pop(); code !== undefined && !isOver; code = codes.pop()) {
            await open(other, code);
            await sleep(random.below(10));
          }
        };
        const fresh = async (): Promise<void> => {
          while (!isOver) {
            const body = { url: 'https://example.com/' };
            const made = await call(first, 'POST', '/api/v1/shorten', { key, body });
            assert.equal(made.status, 201);
            await open(other, made.json.data.shortCode);
          }
        };
        const load = [fresh(), ...Array.from({ length: visitors }, cold)];
        await sleep(random.below(longestMs));
        await replica.stop('immediate');
        await sleep(random.below(longestMs));
        await replica.start();
        await untilUsed(other);
        await sleep(random.below(longestMs));
        isOver = true;
        await Promise.all(load);
      }
      const [answered, failed] = await Promise.all(
        ['answered', 'failed'].map((outcome) => figureOf(other, 'linkfold_replica_reads_total', outcome)),
      );
      t.diagnostic(
        `${count} restarts of the replica: ${opened} links opened, ${answered} by it, ${failed} without it, ` +
          `${refused.length} refused, the slowest after ${Math.round(slowest)} ms`,
      );
      assert.deepEqual(refused, []);
      assert.ok((answered ?? 0) > 0 && (failed ?? 0) > 0, 'The load met the replica, and the restarts.');
      assert.ok(slowest < boundedMs, `${slowest} ms`);
      assert.match(other.output(), /"reason":"it does not answer".*A replica is not used/);
      assert.match(other.output(), /A replica is used again/);
      assert.doesNotMatch(other.output(), /:secret@|"password"/);
      assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0]);
    }),
);
