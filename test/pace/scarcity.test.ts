// A small machine under pressure: little memory, and all visitors on one link.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ask } from '../support/http/ask.ts';
import { atMost } from '../support/http/wire.ts';
import { openLoop, prepareRequests, show } from '../support/load/measure.ts';
import { createRandom, effort, withSeed } from '../support/random/random.ts';
import { memoryOf } from '../support/server/machine.ts';
import { as, call, startServer } from '../support/server/server.ts';

const { seed, count } = effort(2_000);
const mebibyte = 1_048_576;
/** Memory limit of a 256 MiB container, in bytes. */
const maxMemory = 256 * mebibyte;

test('refuses requests that exceed a 128 MiB heap, and continues', (t) =>
  withSeed(t, { seed, count }, async () => {
    const random = createRandom(seed);
    const env = { NODE_OPTIONS: '--max-old-space-size=128', TRUST_PROXY: '1', RATE_LIMITS: 'free=1000' };
    const server = await startServer(env);
    t.after(() => server.stop('SIGKILL'));
    const requests = await prepareRequests(server, 120);
    const { key } = await server.newKey();
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const target = { port: server.port, agent };
    const address = (): string =>
      `${11 + random.below(80)}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
    const word = (): string => random.next().toString(36).slice(2);

    // Clients that request lists but do not read the responses.
    const readers = Array.from({ length: 100 }, () => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.pause().write(requests.list[0]?.repeat(50) ?? '');
      return socket;
    });
    // Clients that guess codes, each with a different user agent, and clients that send large bodies with their own
    // keys.
    const statuses = new Map<number, number>();
    await atMost(64, Array.from({ length: count }), async (_, index) => {
      const headers = {
        'x-forwarded-for': address(),
        'user-agent': `Mozilla/5.0 ${word()} ${'x'.repeat(400)}`,
      };
      const body = { url: 'https://example.com/', title: 'x'.repeat(200), description: 'y'.repeat(60_000) };
      const asked =
        index % 4 === 0
          ? {
              method: 'POST',
              path: '/api/v1/shorten',
              key,
              body,
              headers: { 'idempotency-key': word() },
            }
          : { method: 'GET', path: `/${word()}`, headers };
      const { status } = await ask(target, asked);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    for (const socket of readers) socket.destroy();
    agent.destroy();
    t.diagnostic(`answers: ${[...statuses].map(([status, times]) => `${status} ${times}`).join(', ')}`);
    assert.ok([...statuses.keys()].every((status) => [201, 400, 404, 503].includes(status)));
    const peak = memoryOf(server.child.pid, 'VmHWM');
    t.diagnostic(`at most ${Math.round(peak / mebibyte)} MiB`);
    assert.ok(peak < maxMemory, `${peak} bytes`);
    assert.equal((await call(server, 'GET', '/readyz')).status, 200);
    assert.equal(await server.stop(), 0);
  }));

test('answers and counts everything when all clicks go to one link', async (t) => {
  const server = await startServer();
  t.after(() => server.stop('SIGKILL'));
  const { key } = await server.newKey();
  const api = as(server, key);
  const { id, shortCode } = (await api.post('/api/v1/shorten', { url: 'https://example.com/' })).json.data;
  const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0\r\n';
  const requests = [`GET /${shortCode} HTTP/1.1\r\nHost: a\r\n${browser}\r\n`];
  const stream = { name: 'redirect', requests, rate: 0, pool: 'redirect' };
  const [figures = {}] = await openLoop({
    port: server.port,
    pools: { redirect: 256 },
    stages: [{ seconds: 2, streams: [stream] }],
  });
  t.diagnostic(show(figures));
  const { due, good, other } = figures['redirect'] ?? { due: 0, good: 0, other: {} };
  assert.deepEqual(other, {});
  assert.ok(good >= 0.9 * due && good > 100, `${good} of ${due}`);
  assert.equal((await api.get(`/api/v1/links/${id}`)).json.data.clicks, due);
});
