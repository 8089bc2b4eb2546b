import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, effort, sleep, withSeed } from '../support/random/random.ts';
import { as, call, type Server, startServer, temporaryFolder } from '../support/server/server.ts';

const kept = 250;
const fresh = 100;

/**
 * Returns a manifest's links. Each generation changes some links, creates some, and deletes those that the previous
 * generation created.
 */
function linksOf(generation: number): { customCode: string; url: string; title: string }[] {
  const link = (customCode: string) => ({
    customCode,
    url: `https://example.com/${generation}`,
    title: `Of generation ${generation}`,
  });
  return [
    ...Array.from({ length: kept }, (_, at) => link(`kept-${at}`)),
    ...Array.from({ length: fresh }, (_, at) => link(`fresh-${generation}-${at}`)),
  ];
}

test('applies a manifest completely or not at all with kill -9; an acknowledged one is applied', (t) => {
  const { seed, count } = effort(6);
  return withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const dataDir = temporaryFolder('manifest-kill');
    let server: Server = await startServer({}, dataDir);
    t.after(() => server.stop('SIGKILL'));
    const { key } = await server.newKey();
    const post = async (what: 'plan' | 'apply', body: object) =>
      as(server, key).post(`/api/v1/manifests/m/${what}`, { absent: 'delete', ...body });
    const isAt = async (generation: number): Promise<boolean> => {
      const { status, json, text } = await post('plan', { links: linksOf(generation) });
      assert.equal(status, 200, text);
      return json.data.changes.length === 0 && json.data.counts.unchanged === kept + fresh;
    };
    let applyMs = 0;
    const planned = async (generation: number): Promise<unknown> =>
      (await post('plan', { links: linksOf(generation) })).json.data.seen;
    const apply = async (generation: number, plan?: unknown): Promise<number> => {
      const links = linksOf(generation);
      const seen = plan ?? (await planned(generation));
      const begun = performance.now();
      const { status } = await post('apply', { links, seen, maxDeletes: fresh });
      applyMs = performance.now() - begun;
      return status;
    };
    let now = 1;
    // Times the first request to a server, which is slower than later ones. Each killed request below is also a first
    // request.
    assert.equal(await apply(0), 200);
    const firstMs = applyMs;
    assert.equal(await apply(now), 200);
    const totalMs = Math.max(firstMs, applyMs);
    const seen = { done: 0, undone: 0, answered: 0 };
    for (let round = 0; round < count; round += 1) {
      const answer = apply(now + 1, await planned(now + 1)).catch(() => undefined);
      // Each round kills the server a little later. The first kill happens when the request starts, and the last one
      // after it has ended.
      await sleep(((round + random.below(1_000) / 1_000) / count) * 4 * totalMs);
      await server.stop('SIGKILL');
      const isAnswered = (await answer) === 200;
      server = await startServer({}, dataDir);
      const isDone = await isAt(now + 1);
      assert.ok(isDone || (await isAt(now)), `a part of generation ${now + 1} is there`);
      assert.ok(isDone || !isAnswered, 'what was answered is done');
      if (isDone) now += 1;
      const location = (await call(server, 'GET', `/kept-${random.below(kept)}`)).headers.get('location');
      assert.equal(location, `https://example.com/${now}`);
      seen[isDone ? 'done' : 'undone'] += 1;
      if (isAnswered) seen.answered += 1;
    }
    assert.equal(await apply(now + 1), 200, 'it goes on after the last kill');
    t.diagnostic(`${JSON.stringify(seen)}; without a kill it takes ${Math.round(totalMs)} ms`);
    assert.equal(await server.stop(), 0);
  });
});
