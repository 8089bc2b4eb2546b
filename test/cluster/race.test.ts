import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { alarmsOf } from '../support/server/log.ts';
import { patient, startNodes, withConnectTimeout } from '../support/server/nodes.ts';
import { type Answer, call, endServers } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
const { seed, count } = effort(50);

after(endServers);

test(
  'lets one of several simultaneous requests on three nodes win and rejects the others',
  {
    skip,
    timeout: 60_000 + count * 1_000,
  },
  (t) =>
    withSeed(t, { seed, count }, async () => {
      const random = createRandom(seed);
      const database = withConnectTimeout(await newPostgresDatabase());
      const nodes = await startNodes(3, database, patient);
      const [first = assert.fail()] = nodes;
      const keys = await Promise.all(nodes.map(async (node) => (await node.newKey()).key));
      const wins = [0, 0, 0];
      /** Sends a request to every node at the same time. */
      const everywhere = (ask: (index: number) => Parameters<typeof call>[3] & { path: string }) =>
        Promise.all(
          nodes.map((node, index) => {
            const { path, ...options } = ask(index);
            return call(node, 'POST', path, options);
          }),
        );
      const hasWon = ({ status }: Answer): boolean => status < 300;
      const requireOne = (answers: readonly Answer[]): Answer => {
        const won = answers.filter(hasWon);
        assert.equal(won.length, 1, JSON.stringify(answers.map(({ text }) => text)));
        for (const answer of answers) {
          if (hasWon(answer)) continue;
          assert.deepEqual([answer.status, answer.json.error.code], [409, 'CUSTOM_CODE_TAKEN']);
        }
        return won[0] ?? assert.fail();
      };
      const leadsTo = async (code: string, destination: string): Promise<void> => {
        for (const node of nodes) {
          const { status, headers } = await call(node, 'HEAD', `/${code}`);
          assert.deepEqual([status, headers.get('location')], [302, destination]);
        }
      };

      for (let round = 0; round < count; round += 1) {
        const code = `Rush-${round}`;
        const written = [code, code.toLowerCase(), code.toUpperCase()];
        const shorten = (index: number, key = keys[index]) => {
          const body = { url: `https://example.com/${index}`, customCode: written[index] };
          return { path: '/api/v1/shorten', key, body };
        };
        const answers = await everywhere(shorten);
        const won = requireOne(answers);
        const winner = answers.indexOf(won);
        wins[winner] = (wins[winner] ?? 0) + 1;
        await leadsTo(code, won.json.data.destinationUrl);
        if (!random.chance(0.2)) continue;

        // The code of a deleted link is available to its account. Two nodes create new links with the code while the
        // third restores the link.
        const owner = keys[winner];
        const path = `/api/v1/links/${won.json.data.id}`;
        assert.equal((await call(first, 'DELETE', path, { key: owner })).status, 204);
        const taken = await everywhere((index) =>
          index === 2 ? { path: `${path}/restore`, key: owner } : shorten(index, owner),
        );
        requireOne(taken);
      }
      t.diagnostic(`won by node: ${wins.join(', ')}`);

      const once = { 'idempotency-key': 'same' };
      const body = { url: 'https://example.com/once' };
      const same = await everywhere(() => ({ path: '/api/v1/shorten', key: keys[0], body, headers: once }));
      assert.deepEqual(
        same.map(({ status }) => status),
        [201, 201, 201],
      );
      assert.equal(new Set(same.map(({ text }) => text.replace(/http:\/\/127[^/]*/, ''))).size, 1);
      assert.equal(same.filter(({ headers }) => headers.has('idempotency-replayed')).length, 2);

      await first.command('db', 'check');
      for (const node of nodes) {
        assert.equal(await node.stop(), 0);
        assert.deepEqual(alarmsOf(node), []);
      }
      await dropPostgresDatabase(database);
    }),
);
