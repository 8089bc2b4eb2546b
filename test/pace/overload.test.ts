// More API requests than the server can handle, from clients that retry immediately. Redirects continue, queues are
// limited, and requests without keys do not affect clients with keys. The tests compare counts instead of times.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseExposition } from '../support/http/exposition.ts';
import { type Kind, openLoop, prepareRequests, show, streamsAt } from '../support/load/measure.ts';
import type { LoadStatistics } from '../support/load/open-loop.ts';
import { effort } from '../support/random/random.ts';
import { call, endServers, type Server, startServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

/** Duration of the load in seconds. */
const { count: seconds } = effort(3);
/** More connections than fit in the queues of any two classes. */
const connections = 800;
/** Maximum queue length of each class (docs/operating.md). */
const maxWaiting = 250;
const metricsToken = 'a-token-for-tests-only';

describe('overload', () => {
  let server: Server;
  let requests: Readonly<Record<Kind, readonly string[]>>;
  before(async () => {
    server = await startServer({ METRICS_TOKEN: metricsToken });
    requests = await prepareRequests(server, 120);
  });
  after(endServers);

  /** @returns the current queue lengths by class */
  const waiting = async (): Promise<readonly number[]> => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const { text } = await call(server, 'GET', '/metrics', { headers });
    const family = parseExposition(text).get('linkfold_waiting_requests');
    return family?.samples.map(({ value }) => value) ?? [];
  };

  const assertAnswered = (name: string, { due, good, other }: LoadStatistics): void => {
    assert.deepEqual(other, {}, name);
    assert.ok(good >= 0.9 * due, `${name}: ${good} of ${due}`);
  };

  test('answers redirects and refuses requests above the queue limit', async (t) => {
    const flood = { requests: [...requests.write, ...requests.read, ...requests.list], rate: 0, pool: 'api' };
    const streams = [...streamsAt(requests, { redirect: 200 }), { name: 'api', ...flood }];
    const seen: number[] = [];
    let isOver = false;
    const looking = (async () => {
      while (!isOver) seen.push(...(await waiting()));
    })();
    const pools = { redirect: 64, api: connections };
    const [figures = {}] = await openLoop({ port: server.port, pools, stages: [{ seconds, streams }] });
    isOver = true;
    await looking;
    t.diagnostic(`${show(figures)}; at most ${Math.max(...seen)} of a class waited`);
    const { redirect, api } = figures as { redirect: LoadStatistics; api: LoadStatistics };
    assertAnswered('redirect', redirect);
    assert.equal(redirect.refused, 0);
    assert.deepEqual(api.other, {});
    assert.equal(api.bare, 0, 'without Retry-After');
    assert.ok(api.refused > 0, 'no request was rejected');
    assert.ok(api.good > 0, 'no request was served');
    assert.ok(Math.max(...seen) <= maxWaiting, `${Math.max(...seen)} waited`);
    await until('no request is waiting', async () => (await waiting()).every((count) => count === 0));
  });

  test('serves requests with a key despite those without', async (t) => {
    const stranger = 'GET /api/v1/links?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n';
    const streams = [
      ...streamsAt(requests, { redirect: 100, write: 20, read: 20, list: 20 }),
      { name: 'stranger', requests: [stranger], rate: 0, pool: 'strangers' },
    ];
    const pools = { redirect: 64, api: 64, strangers: connections };
    const [figures = {}] = await openLoop({ port: server.port, pools, stages: [{ seconds, streams }] });
    t.diagnostic(show(figures));
    const { stranger: flood, ...withKey } = figures;
    assert.ok(flood !== undefined && flood.refused > 0, 'the flood was none');
    for (const [name, one] of Object.entries(withKey)) assertAnswered(name, one);
  });
});
