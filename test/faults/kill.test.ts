import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StatisticsDimension } from '../../src/model/clicks/statistics.ts';
import { openStorage } from '../../src/storage/open.ts';
import { newLedger, prepare, startLoad, visitorsSite } from '../support/load/load.ts';
import { countedClicks, verify, verifyFile } from '../support/load/verify.ts';
import { withDatabase } from '../support/postgres/with-database.ts';
import { createRandom, effort, median, sleep, withSeed } from '../support/random/random.ts';
import { compiled } from '../support/server/compiled.ts';
import { alarmsOf } from '../support/server/log.ts';
import { call, type Server, startServer, temporaryFolder } from '../support/server/server.ts';

const writers = 4;
const clickers = 8;
const longestLoadMs = 500;
/**
 * Longest load before some of the kills, in ms. Clicks are applied every second, so some are applied while other clicks
 * arrive.
 */
const longestLongLoadMs = 2_000;
const longestEndMs = 60;
const longestStartMs = 500;
const filesEvery = 5;
const readyWithinMs = 30_000;

async function timedStart(dataDir: string): Promise<[Server, number]> {
  const begun = performance.now();
  const server = await startServer({}, dataDir);
  return [server, performance.now() - begun];
}

/** Kills a server during startup. Clicks that it recovered must not count twice when the next server recovers. */
async function killedStart(dataDir: string, afterMs: number): Promise<void> {
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir, ...compiled };
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

/** Returns the median and the maximum. */
function figures(ms: readonly number[]): string {
  return `${Math.round(median(ms))} ms (worst ${Math.round(Math.max(...ms))})`;
}

/** Asserts that every counted click belongs to the right link and has the dimensions that its visitor sent. */
async function verifyFacts(dataDir: string): Promise<void> {
  const url = `sqlite:${join(dataDir, 'linkfold.db')}`;
  const storage = await openStorage(url);
  try {
    const range = { from: 0, to: Date.now() + 86_400_000, buckets: Float64Array.of(0) };
    const counted = await withDatabase(url, async (database) =>
      database.all<{ account: number; code: string; clicks: number }>(clicksByCode, []),
    );
    const [{ account } = { account: 0 }] = counted;
    const ask = async (groupBy: StatisticsDimension) => {
      const subject = { kind: 'account' } as const;
      const answer = await storage.statistics(account, {
        subject,
        range,
        filters: [],
        groupBy,
        limit: 1_000,
      });
      const values = answer?.breakdown?.values ?? [];
      return { clicks: answer?.totals.clicks, of: new Map(values.map((one) => [one.value, one.clicks])) };
    };
    const clicks = counted.reduce((sum, one) => sum + one.clicks, 0);
    assert.ok(clicks > 0);
    for (const [dimension, value] of [
      ['referrer', visitorsSite],
      ['browser', 'firefox'],
      ['country', ''],
    ] as const)
      assert.deepEqual(await ask(dimension), { clicks, of: new Map([[value, clicks]]) }, dimension);
    const { of } = await ask('utmSource');
    assert.deepEqual(of, new Map(counted.map((one) => [one.code, one.clicks])));
  } finally {
    await storage.close();
  }
}

const clicksByCode = `
  SELECT l.account_id AS account, l.code, SUM(h.clicks) AS clicks FROM ${countedClicks} h JOIN links l ON l.link_row = h.link_row GROUP BY 1, 2`;

test('loses no acknowledged change, counts nothing twice, and restarts at once after kill -9 under load', (t) => {
  const { seed, count } = effort(3);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const dataDir = temporaryFolder('kill');
    const ledger = newLedger();
    let server = await startServer({}, dataDir);
    t.after(() => server.stop('SIGKILL'));
    const { key } = await server.newKey();
    const target = () => ({ port: server.port, token: key });
    await prepare(ledger, target());

    const starts: number[] = [];
    const seen = { changes: 0, visits: 0, unknownChanges: 0, unknownVisits: 0 };
    for (let cycle = 1; cycle <= count; cycle += 1) {
      const load = startLoad({ ledger, random, target: target(), writers, clickers });
      await sleep(random.below(random.chance(0.3) ? longestLongLoadMs : longestLoadMs));
      // Sometimes the kill happens during a graceful stop.
      if (random.chance(0.25)) {
        server.child.kill('SIGTERM');
        await sleep(random.below(longestEndMs));
      }
      await server.stop('SIGKILL');
      await load.stop();
      assert.deepEqual(alarmsOf(server), []);
      for (const { changes, visits } of ledger.links) {
        seen.changes += changes.filter(({ sentAt }) => sentAt > 0).length;
        seen.visits += visits.length;
        seen.unknownChanges += changes.filter(({ ackedAt }) => ackedAt === Number.POSITIVE_INFINITY).length;
        seen.unknownVisits += visits.filter(({ ackedAt }) => ackedAt === Number.POSITIVE_INFINITY).length;
      }

      if (random.chance(0.25)) await killedStart(dataDir, random.below(longestStartMs));
      const [next, ready] = await timedStart(dataDir);
      server = next;
      starts.push(ready);
      assert.equal((await call(server, 'GET', '/readyz')).status, 200);
      await verify(ledger, target());
      if (cycle % filesEvery === 0 || cycle === count) verifyFile(dataDir);
    }
    assert.equal(await server.stop(), 0);
    assert.deepEqual(alarmsOf(server), []);
    verifyFile(dataDir);
    await verifyFacts(dataDir);

    t.diagnostic(`${JSON.stringify(seen)} over ${ledger.links.length} links`);
    t.diagnostic(`ready after ${figures(starts)}`);
    assert.ok(median(starts) <= readyWithinMs, `Ready after ${median(starts)} ms.`);
  });
});
