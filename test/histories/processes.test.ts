// Histories of real processes while they are killed, paused and cut off, checked for linearizability.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { startHaproxy, whyNoHaproxy } from '../support/http/haproxy.ts';
import { isFree } from '../support/http/ports.ts';
import { startProxy } from '../support/http/tcp-proxy.ts';
import { noPostgres } from '../support/postgres/databases.ts';
import { startPostgres } from '../support/postgres/postgres.ts';
import { createRandom, effort, type Random, sleep, withSeed } from '../support/random/random.ts';
import { staleForMs, startAgain, startNodes } from '../support/server/nodes.ts';
import { as, endServers, type Server, startServer, temporaryFolder } from '../support/server/server.ts';
import { untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';
import { check } from './checker.ts';
import { clickLimit, idempotencyKey, link } from './models.ts';
import { type Histories, maxClicks, startClients, type Target } from './recorder.ts';

const skip = whyNoHaproxy() ?? (await noPostgres()) ?? false;
/** How many faults each test causes. */
const { seed, count } = effort(4);
const clients = 8;
const longestPauseMs = 400;
const longestBetweenMs = 800;
const timeout = 180_000 + count * 30_000;

after(endServers);

type Faults = Readonly<Record<string, () => Promise<unknown>>>;

async function causeFaults(t: TestContext, random: Random, faults: Faults): Promise<void> {
  // Each kind comes up before any repeats.
  const names = Object.keys(faults);
  const first = random.below(names.length);
  for (let n = 0; n < count; n += 1) {
    const name = names[(first + n) % names.length] ?? '';
    t.diagnostic(`${n + 1} of ${count}: ${name}`);
    await sleep(random.below(longestBetweenMs));
    await faults[name]?.();
  }
  await sleep(longestBetweenMs);
}

async function pauseProcess(pid: number, random: Random): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(random.below(longestPauseMs));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function judge(t: TestContext, histories: Histories, target: Target, key: string): Promise<void> {
  const { links, limits, keys, visits, problems } = histories;
  const all = [...links, ...limits, ...keys];
  const unknown = all.filter(({ output }) => output === undefined).length;
  t.diagnostic(`${all.length} requests, outcome unknown: ${unknown}`);
  assert.deepEqual(problems, []);
  for (const report of [
    check(link, links),
    check(clickLimit(maxClicks), limits),
    check(idempotencyKey, keys),
  ]) {
    if (report.verdict === 'undecided') t.diagnostic(`undecided: ${report.key}`);
    const told = report.operations?.map((one) => JSON.stringify(one)).join('\n');
    assert.notEqual(report.verdict, 'not linearizable', told ?? '');
  }
  for (const { id, answered, unknown } of visits.values()) {
    let clicks = -1;
    const read = async (): Promise<boolean> => {
      clicks = (await as(target, key).get(`/api/v1/links/${id}`)).json?.data?.clicks ?? -1;
      return clicks >= answered;
    };
    await until(`${answered} clicks of ${id} are counted`, read);
    assert.ok(clicks <= answered + unknown, `${clicks} clicks, ${answered} redirects, ${unknown} unknown`);
  }
}

test(
  'three nodes behind HAProxy, killed, paused and cut off from PostgreSQL, which crashes',
  {
    skip,
    timeout,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const postgres = await startPostgres({ settings: { fsync: 'on' } });
      t.after(() => postgres.end());
      const proxy = await startProxy(postgres.port);
      t.after(() => proxy.close());
      const database = new URL(postgres.url());
      database.port = String(proxy.port);
      // A node without the database may serve stale links for so long, in seconds (docs/operating.md).
      const env = { STALE_LIMIT: '1' };
      const staleMs = staleForMs + 1_000;
      const nodes = await startNodes(3, database.href, env);
      const haproxy = await startHaproxy(
        temporaryFolder('haproxy'),
        nodes.map(({ port }) => port),
      );
      t.after(haproxy.stop);
      await haproxy.allUp();
      const key = (await nodes[0]?.newKey())?.key ?? '';
      const target = { url: `http://127.0.0.1:${haproxy.port}` };
      const restart = async (index: number, signal: NodeJS.Signals): Promise<void> => {
        const node = nodes[index] as Server;
        await node.stop(signal);
        nodes[index] = await startAgain(node, database.href, env);
      };

      const stop = await startClients({ random, key, targets: () => [target], staleMs }, clients);
      await causeFaults(t, random, {
        'kill a node': () => restart(random.below(3), 'SIGKILL'),
        'pause a node': () => pauseProcess(random.pick(nodes).child.pid ?? 0, random),
        'crash PostgreSQL': async () => {
          await postgres.stop('immediate');
          await postgres.start();
        },
        'cut connections to PostgreSQL': async () => {
          proxy.refuse();
          await sleep(random.below(longestPauseMs));
          proxy.flow();
        },
        'restart a node': () => restart(random.below(3), 'SIGTERM'),
      });
      await haproxy.allUp();
      await judge(t, await stop(), target, key);
      for (const node of nodes) assert.equal(await node.stop(), 0);
    }),
);

test('one node on SQLite with two workers, killed and paused', { timeout }, (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const env = { WORKERS: '2' };
    let server = await startServer(env);
    const { key } = await server.newKey();
    const restart = async (signal: NodeJS.Signals): Promise<void> => {
      await server.stop(signal);
      const { port, dataDir } = server;
      // The workers of a killed primary hold the port until they notice.
      await until('the port is free', () => isFree(port));
      server = await startServer({ ...env, PORT: String(port) }, dataDir);
    };
    const stop = await startClients({ random, key, targets: () => [server], staleMs: 0 }, clients);
    await causeFaults(t, random, {
      'kill a worker': async () => {
        const worker = random.pick([...workersOf(server).values()]);
        process.kill(worker, 'SIGKILL');
        await untilReplaced(server, [worker]);
      },
      'kill the primary': () => restart('SIGKILL'),
      'pause a worker': () => pauseProcess(random.pick([...workersOf(server).values()]), random),
      'restart the server': () => restart('SIGTERM'),
    });
    await judge(t, await stop(), server, key);
    assert.equal(await server.stop(), 0);
  }),
);
