// Checks histories of real processes for linearizability while the processes are killed, paused and disconnected.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { faultPoints, hasFaults } from '../../src/runtime/fault-points.ts';
import { whyNoHaproxy } from '../support/http/haproxy.ts';
import { noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { endServers } from '../support/server/server.ts';
import { runRound } from './judge.ts';
import { causeFaults, clients, startCluster, startOneNode } from './setups.ts';

const skip = whyNoHaproxy() ?? (await noPostgres()) ?? false;
/** Number of faults in each test. */
const { seed, count } = effort(5);
const timeout = 240_000 + count * 60_000;

after(endServers);

const faultsOfLongRun = 28;
/** Lower bound for the number of times that each fault point was reached. */
const hit = new Map<string, number>();

/** Runs rounds with a few faults each, because the search is fast while histories are short. */
async function runRounds(t: TestContext, start: typeof startCluster): Promise<void> {
  const random = createRandom(seed);
  const setup = await start(random, (end) => t.after(() => end()));
  for (const one of setup.skipped) t.diagnostic(`SKIPPED: ${one}`);
  const perRound = Object.keys(setup.faults).length;
  let [requests, from] = [0, random.below(perRound)];
  for (let left = count; left > 0; left -= perRound) {
    const share = Math.min(left, perRound);
    const causes = () =>
      causeFaults(setup, { from, count: share }, (fault) => t.diagnostic(`${left} faults left: ${fault}`));
    const round = await runRound(setup.plan, clients, causes);
    from += share;
    requests += round.requests;
    t.diagnostic(`${requests} requests, outcome unknown in this round: ${round.unknown}`);
    if (round.undecided.length > 0) t.diagnostic(`undecided: ${round.undecided.join(', ')}`);
    const { finding } = round;
    if (finding !== undefined) assert.fail(`${finding.model}\n${finding.detail}`);
  }
  await setup.stop();
  for (const [point, hits] of setup.faultPoints()) hit.set(point, (hit.get(point) ?? 0) + hits);
}

test(
  'three nodes behind HAProxy, killed, paused and cut off from a crashing PostgreSQL',
  {
    skip,
    timeout,
  },
  (t) => withSeed(t, { seed, count }, () => runRounds(t, startCluster)),
);

test('one node on SQLite with two workers, killed and paused, on a disk that fills up', { timeout }, (t) =>
  withSeed(t, { seed, count }, () => runRounds(t, startOneNode)),
);

test('a long run hits each fault point, and all are off by default', { skip }, (t) => {
  assert.equal(hasFaults, false);
  t.diagnostic(JSON.stringify(Object.fromEntries(hit)));
  const missed = Object.keys(faultPoints).filter((point) => !hit.has(point));
  t.diagnostic(`not hit: ${missed.join(', ') || 'none'}`);
  if (count >= faultsOfLongRun) assert.deepEqual(missed, []);
});
