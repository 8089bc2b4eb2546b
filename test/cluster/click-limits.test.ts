import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isFree } from '../support/http/ports.ts';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { createRandom, effort, type Random, sleep, withSeed } from '../support/random/random.ts';
import { startAgain, startNodes } from '../support/server/nodes.ts';
import { call, endServers, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const noDatabase = (await noPostgres()) ?? false;
const { seed, count } = effort(1);
const limits = [1, 5, 60];
const visitors = 10;
const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

after(endServers);

interface Limited {
  readonly id: string;
  readonly code: string;
  readonly max: number;
  /** Number of visits that the server redirected. */
  sentOn: number;
  /** Number of visits that got no response or were rejected by storage. These visits may have used up clicks. */
  unknown: number;
}

/** Follows a link like a human visitor, and records the result. */
async function follow(node: Server, link: Limited): Promise<void> {
  const headers = { 'user-agent': agent };
  try {
    const { status } = await call(node, link.max === 1 ? 'POST' : 'GET', `/${link.code}`, { headers });
    if (status === 302 || status === 303) link.sentOn += 1;
    else if (status === 503) link.unknown += 1;
    else assert.equal(status, 410);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    // If no process listened on the port, no server received the visit.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') link.unknown += 1;
  }
}

/**
 * Simulates visitors who follow limited links on all nodes, while nodes are killed and restarted.
 * @param startOver restarts a killed node with its port, journal and database
 */
async function rush(
  nodes: Server[],
  key: string,
  random: Random,
  startOver: (node: Server) => Promise<Server>,
): Promise<string> {
  const links: Limited[] = [];
  for (const max of limits) {
    const body = { url: 'https://example.com/limited', maxClicks: max };
    const { status, json, text } = await call(nodes[0] as Server, 'POST', '/api/v1/shorten', { key, body });
    assert.equal(status, 201, text);
    links.push({ id: json.data.id, code: json.data.shortCode, max, sentOn: 0, unknown: 0 });
  }
  let isOver = false;
  const goes = Array.from({ length: visitors }, async () => {
    while (!isOver) {
      const link = random.pick(links);
      await follow(random.pick(nodes), link);
      // A visitor pauses between visits, because ten visitors without pauses would slow down node starts.
      await sleep(random.below(100));
    }
  });
  try {
    await sleep(random.below(150));
    const killed = random.below(nodes.length);
    const node = nodes[killed] as Server;
    await node.stop('SIGKILL');
    nodes[killed] = await startOver(node);
  } finally {
    isOver = true;
    await Promise.all(goes);
  }

  for (const link of links) {
    // Makes more visits than the limit. Together, visitors must get all remaining clicks, and no more.
    for (let visit = 0; visit <= link.max; visit += 1) await follow(random.pick(nodes), link);
    const { sentOn, unknown, max } = link;
    assert.ok(
      sentOn <= max && sentOn + unknown >= max,
      `${sentOn} redirected, ${unknown} unknown; limit ${max}`,
    );
    const read = async () =>
      (await call(nodes[0] as Server, 'GET', `/api/v1/links/${link.id}?include=clicksLeft,status`, { key }))
        .json.data;
    const { clicksLeft, status } = await read();
    assert.deepEqual([clicksLeft, status], [0, 'exhausted']);
    // Clicks on a killed node are counted when its journal is applied.
    await until('every redirected visitor is counted', async () => (await read()).clicks >= sentOn);
    const { clicks } = await read();
    assert.ok(clicks <= max, `${clicks} clicks of ${max}`);
  }
  return links.map(({ sentOn, unknown, max }) => `${sentOn} of ${max} (${unknown} unknown)`).join(', ');
}

const timeout = 180_000 + count * 30_000;

test('enforces a click limit exactly on three nodes, through kill -9', { skip: noDatabase, timeout }, (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const database = await newPostgresDatabase();
    const nodes = await startNodes(3, database);
    const key = (await nodes[0]?.newKey())?.key ?? '';
    for (let round = 0; round < count; round += 1)
      t.diagnostic(await rush(nodes, key, random, (node) => startAgain(node, database)));
    for (const node of nodes) {
      const { json } = await call(node, 'GET', '/api/v1/links?status=exhausted&limit=100', { key });
      assert.equal(json.pagination.total, limits.length * count);
      assert.equal(await node.stop(), 0);
    }
    await dropPostgresDatabase(database);
  }),
);

test('enforces a click limit exactly on SQLite with two workers, through kill -9', { timeout }, (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const env = { WORKERS: '2' };
    const server = await startServer(env);
    const nodes = [server];
    const { key } = await server.newKey();
    for (let round = 0; round < Math.ceil(count / 2); round += 1) {
      const again = async ({ port, dataDir }: Server): Promise<Server> => {
        // A killed primary's workers hold the port until they notice that it is gone.
        await until('the port is free', () => isFree(port));
        return startServer({ ...env, PORT: String(port) }, dataDir);
      };
      t.diagnostic(await rush(nodes, key, random, again));
    }
    assert.equal(await nodes[0]?.stop(), 0);
  }),
);
