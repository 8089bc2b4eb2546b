import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startProxy } from '../support/http/tcp-proxy.ts';
import { startVisitors, type Visitors } from '../support/load/visitors.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { startNode } from '../support/server/nodes.ts';
import { type Answer, call, endServers } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
/** `count` is the duration of each fault in seconds. */
const { seed, count } = effort(2);
const lateByMs = 500;
const timeoutSeconds = 2;
/** Milliseconds from a timeout, or the end of a fault, to the response on a busy machine. */
const graceMs = 2_000;
const probeMs = 2_500;

after(endServers);

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

test(
  'redirects cached links, refuses the rest in time and answers probes with a slow, silent or lost database',
  {
    skip,
    timeout: 120_000 + count * 10_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const database = new URL(await newPostgresDatabase());
      const proxy = await startProxy(Number(database.port));
      t.after(() => proxy.close());
      const direct = database.href;
      database.port = String(proxy.port);
      const node = await startNode(database.href, { DATABASE_TIMEOUT: String(timeoutSeconds) });
      const [visited, { key }] = await Promise.all([node.newKey(), node.newKey()]);
      const shorten = (token: string) =>
        call(node, 'POST', '/api/v1/shorten', { key: token, body: { url: 'https://example.com/' } });
      const list = () => call(node, 'GET', '/api/v1/links', { key });
      const createLinks = async (token: string, links: number): Promise<string[]> =>
        Promise.all(Array.from({ length: links }, async () => (await shorten(token)).json.data.shortCode));
      const unseen = await createLinks(key, 40);
      const visitors = await startVisitors({
        nodes: [node],
        random: createRandom(seed),
        codes: await createLinks(visited.key, 20),
        perNode: 4,
      });

      const timed = async (ask: () => Promise<Answer>): Promise<Answer & { readonly tookMs: number }> => {
        const begun = performance.now();
        const answer = await ask();
        return { ...answer, tookMs: performance.now() - begun };
      };
      /** Requests a code that this node has not cached yet. */
      const miss = () => timed(() => call(node, 'HEAD', `/${unseen.pop() ?? assert.fail()}`));
      const probe = async (path: string, status: number): Promise<void> => {
        const answer = await timed(() => call(node, 'GET', path));
        assert.ok(
          answer.status === status && answer.tookMs < probeMs,
          `${path}: ${answer.status}, ${answer.tookMs} ms`,
        );
      };
      const figures: string[] = [];
      const undisturbed = (when: string, { times, refused }: Visitors): void => {
        const since = times();
        const p99 = percentile(since, 0.99);
        figures.push(
          `${when}: ${since.length} redirects, p99 ${p99.toFixed(1)} ms, max ${Math.max(...since).toFixed(0)} ms`,
        );
        assert.deepEqual(refused, [], when);
        assert.ok(p99 < lateByMs / 2, `${when}: ${p99} ms`);
      };
      const refusedInTime = async (ask: () => Promise<Answer>): Promise<void> => {
        const { status, tookMs } = await timed(ask);
        assert.ok(
          status === 503 && tookMs < timeoutSeconds * 1_000 + graceMs,
          `${status} after ${tookMs} ms`,
        );
      };
      const recovers = async (withinMs: number): Promise<void> => {
        const begun = performance.now();
        while ((await shorten(key)).status !== 201 || (await miss()).status !== 302) await sleep(20);
        while ((await call(node, 'GET', '/readyz')).status !== 200) await sleep(20);
        const tookMs = performance.now() - begun;
        figures.push(`recovered after ${Math.round(tookMs)} ms`);
        assert.ok(tookMs < withinMs, `${tookMs} ms`);
      };
      /** Asserts repeatedly that requests that need the database are rejected, and that the probes report the state. */
      const isSilent = async (): Promise<void> => {
        const end = performance.now() + count * 1_000;
        while (performance.now() < end) {
          await Promise.all([
            ...Array.from({ length: 10 }, () => refusedInTime(() => shorten(key))),
            refusedInTime(miss),
            probe('/healthz', 200),
            sleep(600).then(() => probe('/readyz', 503)),
          ]);
        }
      };

      await sleep(1_000);
      undisturbed('before', visitors);

      // Opens enough connections in advance, because a new connection needs another round trip and would take too long.
      await Promise.all([...Array.from({ length: 20 }, () => list()), createLinks(key, 20)]);
      proxy.delay(lateByMs);
      await sleep(1_000); // Waits for requests in progress, and until the probe's cached result is too old.
      // Sends enough list requests to keep all connections for lists busy.
      const lists = Promise.allSettled(Array.from({ length: count * 12 }, list));
      const missed: number[] = [];
      for (const end = performance.now() + count * 1_000; performance.now() < end; ) {
        const [{ status, tookMs }] = await Promise.all([
          miss(),
          probe('/readyz', 200),
          probe('/healthz', 200),
        ]);
        assert.ok(tookMs < timeoutSeconds * 1_000 + graceMs, `${status} after ${tookMs} ms`);
        missed.push(status);
      }
      assert.ok(
        missed.includes(302) && missed.every((status) => status === 302 || status === 503),
        `${missed}`,
      );
      undisturbed(`${lateByMs} ms late each way`, visitors);
      for (const one of await lists) {
        const status = one.status === 'fulfilled' ? one.value.status : one.reason;
        assert.ok(status === 200 || status === 503, String(status));
      }

      proxy.delay(0);
      await recovers(graceMs);

      proxy.stall();
      await isSilent();
      undisturbed('stalled', visitors);
      proxy.flow();
      await recovers(graceMs);

      proxy.stall();
      await isSilent();
      undisturbed('lost', visitors);
      // Connections that are already open stay lost. Only new ones work.
      proxy.forget();
      proxy.flow();
      await recovers(timeoutSeconds * 1_000 + graceMs);

      await visitors.stop();
      t.diagnostic(figures.join('; '));
      await visitors.verify(node, visited.key);
      assert.equal(await node.stop(), 0);
      await dropPostgresDatabase(direct);
    }),
);
