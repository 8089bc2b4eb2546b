import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { copyDatabase, datasetOf } from '../../bench/harness/database.ts';
import { ask } from '../support/http/ask.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';

/** `LINKFOLD_COUNT` is the number of links. */
const { seed, count } = effort(100_000);
const kills = count >= 1_000_000 ? 50 : 5;
const longestLifeMs = 600;
const baselineMs = 1_500;
const stallMs = 250;
const redirectPauseMs = 7;
const creationPauseMs = 18;
/** Maximum number of rows that the backfill changes per transaction. `pauseMs` is its pause between transactions. */
const maxRows = 1_000;
const pauseMs = 38;
const timeout = 120_000 + count;

function quantiles(ms: readonly number[]) {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { median: at(0.5), p99: at(0.99), slowest: Math.round(sorted.at(-1) ?? 0) };
}

const programs = new Set<ChildProcess>();
function program(path: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/faults/migrating.ts'), path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  programs.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close').then(([code, signal]) => {
    programs.delete(child);
    return code ?? signal;
  });
  return { child, ended, said: () => said };
}

after(async () => {
  for (const child of programs) child.kill('SIGKILL');
  await endServers();
});

/** Sends about 500 redirects and 100 create requests per second until stopped. */
function startTraffic(port: number, token: string, codes: readonly string[], random: () => number) {
  const agent = new Agent({ keepAlive: true });
  const failed: string[] = [];
  const seen = { redirects: 0, slowestRedirect: 0, creations: [] as number[] };
  let stopped = false;
  const redirecting = async (): Promise<void> => {
    while (!stopped) {
      const path = `/${codes[Math.floor(random() * codes.length)]}`;
      const begun = performance.now();
      const { status } = await ask({ port, agent }, { method: 'GET', path });
      if (status !== 302) failed.push(`GET ${path}: ${status}`);
      seen.redirects += 1;
      seen.slowestRedirect = Math.max(seen.slowestRedirect, performance.now() - begun);
      await sleep(redirectPauseMs);
    }
  };
  const creating = async (): Promise<void> => {
    while (!stopped) {
      const begun = performance.now();
      const asked = {
        method: 'POST',
        path: '/api/v1/shorten',
        key: token,
        body: { url: 'https://example.com/new' },
      };
      const { status, text } = await ask({ port, agent }, asked);
      if (status !== 201) failed.push(`POST: ${status} ${text}`);
      seen.creations.push(performance.now() - begun);
      await sleep(creationPauseMs);
    }
  };
  const work = [redirecting(), redirecting(), redirecting(), redirecting(), creating(), creating()];
  return {
    failed,
    seen,
    async stop() {
      stopped = true;
      await Promise.all(work);
      agent.destroy();
    },
  };
}

test(
  'migrates a live database: no redirect fails, writers hardly wait, each row is migrated once',
  { timeout },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const dataset = await datasetOf(join(import.meta.dirname, '..', '..'), count);
      const dataDir = temporaryFolder('migration');
      const path = join(dataDir, 'linkfold.db');
      copyDatabase(dataset, path);
      const server = await startServer({}, dataDir);
      const traffic = startTraffic(server.port, dataset.key, dataset.hotCodes, random.next);
      await sleep(baselineMs);
      const usual = quantiles(traffic.seen.creations.splice(0));
      traffic.seen.slowestRedirect = 0;

      const begun = performance.now();
      for (let killed = 0; killed < kills; killed += 1) {
        const one = program(path);
        await sleep(random.below(longestLifeMs));
        one.child.kill('SIGKILL');
        assert.equal(await one.ended, 'SIGKILL', one.said());
      }
      const first = program(path);
      while (!first.said().includes(' of ')) await sleep(5);
      const second = program(path);
      assert.deepEqual([await first.ended, await second.ended], [0, 0], first.said() + second.said());
      assert.equal(second.said(), 'waits\n', 'the second one waits, says so, and does nothing');
      const seconds = (performance.now() - begun) / 1_000;
      await traffic.stop();
      const { redirects, slowestRedirect, creations } = traffic.seen;
      const waited = quantiles(creations);
      t.diagnostic(
        `${count} links, ${kills} kills, ${seconds.toFixed(1)} s, ${redirects} redirects (slowest ${slowestRedirect.toFixed(0)} ms)`,
      );
      t.diagnostic(
        `${creations.length} creations: ${JSON.stringify(waited)} ms; without the migration ${JSON.stringify(usual)} ms`,
      );

      assert.deepEqual(traffic.failed, []);
      // Redirects do not wait for writers, so their slowest response shows how busy the machine is.
      const bound = stallMs + Math.max(usual.slowest, slowestRedirect);
      assert.ok(waited.p99 <= bound, `Creations took ${waited.p99} ms (p99), more than ${bound}.`);
      const lines = [...first.said().matchAll(/^(\d+) of \d+ at (\d+)$/gm)];
      for (const [index, [, row, at]] of lines.entries()) {
        const [, next = row, then = Number.POSITIVE_INFINITY] = lines[index + 1] ?? [];
        assert.ok(Number(next) - Number(row) <= maxRows, `A transaction changed rows ${row} to ${next}.`);
        assert.ok(Number(then) - Number(at) >= pauseMs, `Other writers had only from ${at} to ${then} ms.`);
      }
      const database = new DatabaseSync(path, { readOnly: true });
      const facts = database
        .prepare('SELECT COUNT(*) AS links, SUM(filled = 1) AS once FROM links WHERE link_row <= ?')
        .get(count);
      database.close();
      assert.deepEqual({ ...facts }, { links: count, once: count });

      assert.equal((await call(server, 'GET', '/readyz')).status, 200, 'the older server keeps serving');
      assert.equal(await server.stop(), 0);
      await assert.rejects(startServer({}, dataDir), /schema version \d+.*newer version/);
    }),
);
