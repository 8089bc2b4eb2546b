import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { haproxyEnvironment, whyNoHaproxy } from '../support/http/haproxy.ts';
import { freePort, freePorts } from '../support/http/ports.ts';
import { as, call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { nodes, read } from './files.ts';

const skip = whyNoHaproxy() ?? false;
const timeout = 60_000;
after(endServers);

/** Starts HAProxy with deploy/haproxy.cfg, but with other addresses. */
async function startProxy(addresses: readonly string[]) {
  const [port = 0, watch = 0] = await freePorts(2);
  const names = nodes.map(([name]) => name);
  const text = names
    .reduce((config, name, at) => config.replaceAll(`${name}:3000`, addresses[at] ?? ''), read('haproxy.cfg'))
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('bind :8404', `bind 127.0.0.1:${watch}`);
  const file = join(temporaryFolder('haproxy'), 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('haproxy', ['-db', '-f', file], { env: haproxyEnvironment, stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  const watched = { url: `http://127.0.0.1:${watch}` };
  /** Returns the sum of a metric over all backends, or its value for one backend. */
  const metric = async (name: string, backend = ''): Promise<number> => {
    const { text: exposed } = await call(watched, 'GET', '/metrics');
    const samples = exposed
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(backend));
    return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    metric,
    isUp: async (): Promise<boolean> => (await call(watched, 'GET', '/up')).status === 200,
    /** Waits until exactly this number of nodes receives traffic. */
    async untilReady(count: number) {
      const ready = () => metric('haproxy_backend_active_servers', 'proxy="ready"').catch(() => -1);
      for (let waited = 0; (await ready()) !== count; waited += 50) {
        assert.ok(waited < 60_000, `HAProxy does not see ${count} nodes.`);
        await pause(50);
      }
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** Sends visits, each on its own connection, until stopped. */
function sendVisitors(port: number, path: string) {
  const answers = new Map<string, number>();
  let isOver = false;
  const visit = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      });
      let answer = '';
      socket.setEncoding('latin1').on('data', (text) => {
        answer += text;
        if (answer.includes('\r\n\r\n')) socket.destroy();
      });
      socket.once('error', (error) => resolve(error.message));
      socket.once('close', () => resolve(answer.split(' ')[1] ?? 'no answer'));
    });
  const visitors = Array.from({ length: 4 }, async () => {
    for (; !isOver; await pause(2)) {
      const answer = await visit();
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  return {
    answers,
    stop: () => {
      isOver = true;
      return Promise.all(visitors);
    },
  };
}

test('deploy/haproxy.cfg: redirects every visitor while nodes stop one by one', {
  skip,
  timeout,
}, async (t) => {
  const dataDir = temporaryFolder('data');
  const [, { environment }] = nodes[0] ?? assert.fail('compose.cluster.yaml has no node');
  const { SHUTDOWN_DELAY, TRUST_PROXY } = environment;
  const env = {
    SHUTDOWN_DELAY: String(SHUTDOWN_DELAY),
    TRUST_PROXY: String(TRUST_PROXY),
    CODE_MISS_LIMIT: '3',
  };
  const [one, two] = await Promise.all([startServer(env, dataDir), startServer(env, dataDir)]);
  const { key } = await one.newKey();
  const body = { url: 'https://example.com/', customCode: 'poster' };
  assert.equal((await as(one, key).post('/api/v1/shorten', body)).status, 201);
  const dead = await freePort();
  const proxy = await startProxy([one.port, two.port, dead].map((port) => `127.0.0.1:${port}`));
  t.after(proxy.stop);
  await proxy.untilReady(2);
  assert.ok(await proxy.isUp());

  // The limits apply to the connection's address, not to the header. This connection has a loopback address, which is
  // exempt.
  for (let guess = 0; guess < 10; guess += 1) {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    assert.equal((await call(proxy, 'GET', `/guess${guess}`, { headers })).status, 404);
  }
  assert.equal((await call(proxy, 'GET', '/readyz')).status, 404);
  assert.equal((await call(proxy, 'GET', '/healthz')).status, 200);

  const visitors = sendVisitors(proxy.port, '/poster');
  // The visitors are stopped even if the test fails, because they would keep the process alive.
  t.after(visitors.stop);
  let [made, reused] = [0, 0];
  await until('connections to nodes are reused', async () => {
    made = await proxy.metric('haproxy_server_connection_attempts_total');
    reused = await proxy.metric('haproxy_server_connection_reuses_total');
    return reused > 20 * made;
  });
  t.diagnostic(`${visitors.answers.get('302')} visits, ${made} connections to nodes, ${reused} times reused`);
  assert.equal(await one.stop(), 0);
  await proxy.untilReady(1);
  const ended = two.stop();
  await proxy.untilReady(0);
  // From now on, one server is still running, but no server is ready.
  await pause(500);
  await visitors.stop();
  assert.deepEqual([...visitors.answers.keys()], ['302']);
  assert.ok((await proxy.metric('haproxy_backend_http_responses_total', 'proxy="living",code="3xx"')) > 0);

  assert.equal(await ended, 0);
});
