import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dropUnanswered, newLedger, prepare, startLoad } from '../support/load/load.ts';
import { verify, verifyFile } from '../support/load/verify.ts';
import { createRandom, effort, median, sleep, withSeed } from '../support/random/random.ts';
import { linesOf } from '../support/server/log.ts';
import {
  call,
  endServers,
  type Server,
  startFromSource,
  startServer,
  temporaryFolder,
} from '../support/server/server.ts';
import { untilUnready } from '../support/server/unready.ts';
import { isAlive, untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';

const { seed, count } = effort(1);
const killsPerRound = 2;
const betweenMs = 400;
/**
 * Time in ms for other processes to show a click. They show it within a second (CONTRACT §6), but a busy machine gets
 * more time.
 */
const settleMs = 1_500;
const timeout = 300_000 + count * 30_000;
const load = { writers: 3, clickers: 6 };

const edited = 'src/server/listener.ts';
const hook = join(import.meta.dirname, '../support/server/edited-file.ts');

/** Starts a server in which one source file's text is replaced. */
function startWith(text: string): Promise<Server> {
  const env = { WORKERS: '2', NODE_OPTIONS: `--import ${hook}`, EDITED_FILE: edited, EDITED_TEXT: text };
  return startFromSource(env);
}

function targetOf({ port }: Server, token: string) {
  return { port, token };
}
function said(server: Server, start: string) {
  return linesOf(server).filter(({ msg }) => msg.startsWith(start));
}

describe('several workers', { timeout }, () => {
  after(endServers);
  const random = createRandom(seed);
  const dataDir = temporaryFolder('workers');
  const ledger = newLedger();
  // The first three tests share one service, as an operator would run it.
  let server: Server;
  let key: string;
  before(async () => {
    server = await startServer({ WORKERS: '2', SHUTDOWN_DELAY: '1' }, dataDir);
    key = (await server.newKey()).key;
    await prepare(ledger, targetOf(server, key));
  });

  test('kill -9 of workers under load: no acknowledged change lost or doubled, no connection refused, each restarts', (t) =>
    withSeed(t, { seed, count }, async () => {
      const target = targetOf(server, key);
      const back: number[] = [];
      const broken: string[] = [];
      for (let round = 0; round < count; round += 1) {
        const running = startLoad({ ledger, random, target, ...load, mayBreak: true });
        for (let kill = 0; kill < killsPerRound; kill += 1) {
          await sleep(random.below(betweenMs));
          // The last kill stops all workers at the same time, so visitors must wait for the first replacement.
          const all = [...workersOf(server).values()];
          const victims = kill === killsPerRound - 1 ? all : [random.pick(all)];
          for (const pid of victims) process.kill(pid, 'SIGKILL');
          back.push(await untilReplaced(server, victims));
        }
        await running.stop();
        broken.push(...running.broken);
        await sleep(settleMs);
        await verify(ledger, target);
      }
      const kinds = Map.groupBy(broken, (code) => code);
      t.diagnostic(`broken: ${JSON.stringify([...kinds].map(([code, all]) => [code, all.length]))}`);
      assert.ok(!kinds.has('ECONNREFUSED'), 'the port is never closed');
      assert.equal(said(server, 'a worker exited').length, count * (killsPerRound + 1));
      t.diagnostic(`back after ${Math.round(median(back))} ms`);
    }));

  test('SIGUSR2 under load replaces all workers without failed requests', (t) =>
    withSeed(t, { seed, count }, async () => {
      const target = targetOf(server, key);
      const ended = said(server, 'a worker exited').length;
      const running = startLoad({ ledger, random, target, ...load });
      let isWatching = true;
      const probes = new Set<string>();
      const watching = (async () => {
        while (isWatching) {
          const { status, json } = await call(server, 'GET', '/readyz');
          probes.add(`${status} ${json?.error?.message ?? ''}`);
          await sleep(5);
        }
      })();
      for (let round = 1; round <= count; round += 1) {
        const before = [...workersOf(server).values()];
        await sleep(random.below(betweenMs));
        server.child.kill('SIGUSR2');
        await until('all are replaced', () => said(server, 'all workers were replaced').length === round);
        const now = [...workersOf(server).values()];
        assert.equal(now.length, 2);
        assert.deepEqual(
          before.filter((pid) => now.includes(pid) || isAlive(pid)),
          [],
        );
      }
      isWatching = false;
      await watching;
      await running.stop();
      const requests = ledger.links.reduce(
        (sum, { changes, visits }) => sum + changes.length + visits.length,
        0,
      );
      t.diagnostic(`${requests} requests, failed: ${running.broken.length}`);
      assert.deepEqual([running.broken, ledger.problems], [[], []]);
      // On a very busy machine, storage may take longer to respond than a probe waits.
      probes.delete('503 Storage did not respond within 2 s.');
      assert.deepEqual([...probes], ['200 '], 'ready all the time');
      assert.equal(said(server, 'a worker exited').length, ended);
      await sleep(settleMs);
      await verify(ledger, target);
    }));

  test('SIGTERM under load: all unready, answers every accepted request, exits with 0, loses no click', (t) =>
    withSeed(t, { seed, count }, async () => {
      const running = startLoad({ ledger, random, target: targetOf(server, key), ...load });
      await sleep(random.below(betweenMs));
      const workers = [...workersOf(server).values()];
      // Signals every process of the service, as a process supervisor may do.
      for (const pid of workers) process.kill(pid, 'SIGTERM');
      const ended = server.stop();
      await untilUnready(server);
      assert.deepEqual(running.broken, [], 'while it drains, it answers');
      assert.equal(await ended, 0);
      await running.stop();
      assert.deepEqual(ledger.problems, []);
      // The kernel resets connections that it accepts while the port is being closed. Such a reset counts as a closed
      // port.
      assert.deepEqual(
        running.broken.filter((code) => !/^(ECONNREFUSED|ECONNRESET)$/.test(code)),
        [],
      );
      assert.deepEqual(workers.filter(isAlive), []);
      const next = await startServer({}, dataDir);
      dropUnanswered(ledger);
      await verify(ledger, targetOf(next, key));
      assert.equal(await next.stop(), 0);
      verifyFile(dataDir);
    }));

  test('stop automatically without their primary, and lose nothing', (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataDir = temporaryFolder('workers');
      const ledger = newLedger();
      const server = await startServer({ WORKERS: '2', SHUTDOWN_DELAY: '60' }, dataDir);
      const { key } = await server.newKey();
      await prepare(ledger, targetOf(server, key));
      const running = startLoad({ ledger, random, target: targetOf(server, key), ...load });
      await sleep(random.below(betweenMs));
      const workers = [...workersOf(server).values()];
      await server.stop('SIGKILL');
      const ms = await until('the workers are gone', () => !workers.some(isAlive));
      t.diagnostic(`gone after ${Math.round(ms)} ms`);
      await running.stop();
      // Every accepted request got a response. Only the closed port rejects clients.
      assert.deepEqual(
        running.broken.filter((code) => !/^(ECONNREFUSED|ECONNRESET)$/.test(code)),
        [],
      );
      const next = await startServer({ PORT: String(server.port) }, dataDir);
      assert.ok(!next.output().includes('Clicks from an earlier process'), 'they had applied their clicks');
      dropUnanswered(ledger);
      await verify(ledger, targetOf(next, key));
      assert.equal(await next.stop(), 0);
      verifyFile(dataDir);
    }));

  test('new code: a reload starts it; if it does not start, the old workers stay, or a service without any ends', async (t) => {
    const good = readFileSync(join(import.meta.dirname, '../..', edited), 'utf8');
    const file = join(temporaryFolder('edited'), 'listener.ts');
    writeFileSync(file, good);
    const healthSays = (word: string): string => good.replace("ok('ok')", `ok('${word}')`);
    const server = await startWith(file);
    const health = async () => (await call(server, 'GET', '/healthz')).json.status;
    assert.equal(await health(), 'ok');

    writeFileSync(file, healthSays('newer'));
    server.child.kill('SIGUSR2');
    await until('all are replaced', () => said(server, 'all workers were replaced').length === 1);
    assert.equal(await health(), 'newer');

    const before = workersOf(server);
    writeFileSync(file, `${good}\nthrow new Error('broken on purpose');`);
    server.child.kill('SIGUSR2');
    await until('the reload is abandoned', () => said(server, 'the remaining workers').length === 1);
    assert.deepEqual(workersOf(server), before);
    assert.equal(await health(), 'newer');
    assert.match(server.output(), /broken on purpose/);

    const [one = 0, two = 0] = before.values();
    process.kill(one, 'SIGKILL');
    await until('the start is retried', () => said(server, 'a worker failed to start').length >= 4);
    assert.equal(await health(), 'newer', 'the other worker keeps serving');
    const times = said(server, 'a worker failed to start').map(({ time }) => Date.parse(String(time)));
    const pauses = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0));
    t.diagnostic(`pauses between retries: ${pauses.join(', ')} ms`);
    assert.ok((pauses[0] ?? 0) >= 250 && (pauses[1] ?? 0) >= 500, `pauses that do not grow: ${pauses}`);

    const ended = new Promise((resolve) => server.child.once('exit', resolve));
    process.kill(two, 'SIGKILL');
    assert.equal(await ended, 1);
    assert.match(server.output(), /error: Worker \d exited during startup \(exit code 1\)/);
    await assert.rejects(startWith(file), /ended with 1 before it was ready[\s\S]*broken on purpose/);
  });
});
