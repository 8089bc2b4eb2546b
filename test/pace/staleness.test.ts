import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, test } from 'node:test';
import { ask } from '../support/http/ask.ts';
import { postgresMissing, startPostgres } from '../support/postgres/postgres.ts';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { staleForMs, startNodes } from '../support/server/nodes.ts';
import { call, endServers, type Server } from '../support/server/server.ts';

const skip = (await postgresMissing()) ?? false;
const { seed, count } = effort(200);
const editors = 20;
const keys = Math.max(4, Math.floor(count / 50));
const probeEveryMs = 10;
const knownWithinMs = 5_000;

after(endServers);

test(
  'shows a change made on one node on every node within a second',
  { skip, timeout: 60_000 + count * 500 },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const primary = await startPostgres({ settings: { max_connections: '100' } });
      t.after(() => primary.end());
      const nodes = await startNodes(3, primary.url('postgres', { durability: 'unchecked' }));
      const [first = assert.fail()] = nodes;
      const { key } = await first.newKey();
      const agent = new Agent({ keepAlive: true });
      const api = async (method: string, path: string, body?: object) => {
        const asked = { method, path: `/api/v1${path}`, key, body };
        const answer = await ask({ port: random.pick(nodes).port, agent }, asked);
        assert.ok(answer.status < 300, answer.text);
        return answer.text === '' ? undefined : JSON.parse(answer.text).data;
      };
      /** Returns the redirect target of a code on a node, or undefined if there is none. */
      const leadsTo = async ({ port }: Server, code: string): Promise<string | undefined> => {
        const { headers } = await ask({ port, agent }, { method: 'HEAD', path: `/${code}` });
        return headers['location'] as string | undefined;
      };

      /**
       * For each change and node, milliseconds between the response to the change and the last request that did not see
       * it.
       */
      const stale: number[] = [];
      const untilKnown = async (
        code: string,
        before: string | undefined,
        now: string | undefined,
      ): Promise<void> => {
        const changedAt = performance.now();
        await Promise.all(
          nodes.map(async (node) => {
            let last = 0;
            for (;;) {
              const sentMs = performance.now() - changedAt;
              const found = await leadsTo(node, code);
              if (found === now) break;
              assert.equal(found, before, `/${code} redirects to a URL that it never had.`);
              last = sentMs;
              assert.ok(last < knownWithinMs, `A change is not visible after ${last} ms.`);
              await sleep(probeEveryMs);
            }
            stale.push(last);
          }),
        );
      };

      let changes = 0;
      const edit = async (name: number): Promise<void> => {
        const code = `stale-${name}`;
        let led: string | undefined;
        let id: string | undefined;
        for (let version = 0; changes < count; version += 1) {
          changes += 1;
          const before = led;
          // First, makes every node cache the records that will change.
          await Promise.all(nodes.map(async (node) => assert.equal(await leadsTo(node, code), before)));
          if (id === undefined || (led !== undefined && random.chance(0.7))) {
            const url = `https://example.com/${name}/${version}`;
            if (id === undefined) id = (await api('POST', '/shorten', { url, customCode: code })).id;
            else await api('PATCH', `/links/${id}/destination`, { url });
            led = url;
          } else if (led !== undefined) {
            await api('DELETE', `/links/${id}`);
            led = undefined;
          } else led = (await api('POST', `/links/${id}/restore`)).destinationUrl;
          await untilKnown(code, before, led);
        }
      };

      /** Milliseconds between a key's revocation and its last accepted use. */
      const letIn: number[] = [];
      const revoke = async (): Promise<void> => {
        const revoked = await first.newKey();
        let revokedAt = Number.POSITIVE_INFINITY;
        let last = 0;
        const using = nodes.map(async (node) => {
          for (let since = 0; since < 2 * staleForMs; ) {
            const sentAt = performance.now();
            const { status } = await call(node, 'GET', '/api/v1/me', { key: revoked.key });
            if (status !== 401) assert.equal(status, 200);
            since = Math.max(0, sentAt - revokedAt);
            if (status === 200) last = Math.max(last, since);
            await sleep(probeEveryMs);
          }
        });
        await sleep(random.below(staleForMs));
        await random.pick(nodes).command('keys', 'revoke', revoked.id);
        revokedAt = performance.now();
        await Promise.all(using);
        letIn.push(last);
      };

      await Promise.all([
        ...Array.from({ length: editors }, (_, name) => edit(name)),
        ...Array.from({ length: keys }, revoke),
      ]);
      agent.destroy();
      const sorted = stale.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
      t.diagnostic(
        `${changes} changes on ${nodes.length} nodes: stale for p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ` +
          `${keys} keys accepted for at most ${Math.round(Math.max(...letIn))} ms after they were revoked`,
      );
      assert.equal(stale.length, changes * nodes.length);
      assert.ok(at(1) <= staleForMs, `${at(1)} ms`);
      assert.ok(Math.max(...letIn) <= staleForMs, `${Math.max(...letIn)} ms`);
      assert.deepEqual(await Promise.all(nodes.map((node) => node.stop())), [0, 0, 0]);
    }),
);
