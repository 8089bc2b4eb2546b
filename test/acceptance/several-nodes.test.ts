// Limits and idempotency where the requests of one client meet several nodes on one PostgreSQL database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dropPostgresDatabase, newPostgresDatabase, noPostgres } from '../support/postgres/databases.ts';
import { type Answer, call, endServers, type Server, startServer } from '../support/server/server.ts';

const skip = (await noPostgres()) ?? false;
const limit = 60;
const paceMs = 10;
/** What may be answered too many: what comes while an exchange is waited for and under way, on a slow machine. */
const maxBeyond = 1_000 / paceMs;

let url = '';
let nodes: [Server, Server];
before(async () => {
  if (skip !== false) return;
  url = await newPostgresDatabase();
  const settings = {
    ...{ DATABASE_URL: url, TRUST_PROXY: '1', RATE_LIMITS: `free=${limit}` },
    ...{ AUTH_FAILURE_LIMIT: String(limit), CODE_MISS_LIMIT: String(limit) },
  };
  nodes = [await startServer(settings), await startServer(settings)];
});
after(async () => {
  await endServers();
  if (skip === false) await dropPostgresDatabase(url);
});

/** Asks one node and the other in turn until both have refused. @returns the answers before that */
async function untilRefused(ask: (node: Server) => Promise<Answer>): Promise<Answer[]> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await pause(left + 50);
  const passed: Answer[] = [];
  const asked: Promise<void>[] = [];
  const refusing = new Set<Server>();
  for (let n = 0; refusing.size < nodes.length && n < 4 * limit; n += 1) {
    const node = nodes[n % 2] ?? nodes[0];
    asked.push(
      ask(node).then((answer) => {
        if (answer.status === 429) refusing.add(node);
        else passed.push(answer);
      }),
    );
    await pause(paceMs);
  }
  await Promise.all(asked);
  return passed;
}
function holds(passed: readonly Answer[], status: number): void {
  assert.deepEqual(new Set(passed.map((answer) => answer.status)), new Set([status]));
  assert.ok(passed.length >= limit, `nobody is refused early: ${passed.length}`);
  assert.ok(passed.length <= limit + maxBeyond && passed.length < 2 * limit, `hardly late: ${passed.length}`);
}

test('the requests of a key count on whichever node: never too early, and hardly late', {
  skip,
}, async () => {
  const { key } = await nodes[0].newKey({ plan: 'free' });
  holds(await untilRefused((node) => call(node, 'GET', '/api/v1/me', { key })), 200);
  for (const node of nodes) {
    const refused = await call(node, 'GET', '/api/v1/me', { key });
    assert.deepEqual([refused.status, refused.headers.get('x-ratelimit-remaining')], [429, '0']);
  }
});

test('who asks one node alone has exactly the limit, and is told truly what is left', { skip }, async () => {
  const { key } = await nodes[1].newKey({ plan: 'free' });
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await pause(left + 50);
  for (let remaining = limit - 1; remaining >= 0; remaining -= 1) {
    const answer = await call(nodes[1], 'GET', '/api/v1/me', { key });
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, String(remaining)]);
  }
  assert.equal((await call(nodes[1], 'GET', '/api/v1/me', { key })).status, 429);
});

test('what a stranger gets wrong counts on whichever node', { skip }, async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  holds(await untilRefused((node) => call(node, 'GET', '/no-such-code', { headers })), 404);
  holds(await untilRefused((node) => call(node, 'GET', '/api/v1/me', { key: 'lfk_wrong', headers })), 401);
});

test('the same idempotency key sent to two nodes at once makes one link', { skip }, async () => {
  const { key } = await nodes[0].newKey();
  for (let n = 0; n < 20; n += 1) {
    const headers = { 'idempotency-key': `at-once-${n}` };
    const body = { url: `https://example.com/${n}` };
    const answers = await Promise.all(
      nodes.map((node) => call(node, 'POST', '/api/v1/shorten', { key, headers, body })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(answers[0]?.json.data.id, answers[1]?.json.data.id);
    const replays = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true');
    assert.equal(replays.length, 1);
  }
  assert.equal((await call(nodes[1], 'GET', '/api/v1/links', { key })).json.pagination.total, 20);
});
