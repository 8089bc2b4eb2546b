import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../support/http/ports.ts';
import { as, call, endServers, startServer, temporaryFolder } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { read } from './files.ts';

const program = ['nginx', '/usr/sbin/nginx'].find((one) => spawnSync(one, ['-v']).status === 0);
const skip = program === undefined ? 'nginx is not there' : false;
const timeout = 60_000;
after(endServers);

/**
 * Starts a proxy that forwards to a port after a pause and counts connections.
 * @param pauseMs in ms
 */
async function startCounter(to: number, pauseMs: number) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(to, '127.0.0.1');
    for (const [from, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => setTimeout(() => other.write(data), pauseMs));
      from.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen({ port, host: '127.0.0.1', backlog: 4_096 }, resolve));
  return {
    port,
    connections: () => connections,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Starts nginx with deploy/nginx.conf, but with other addresses and without TLS. */
async function startNginx(server: number) {
  const port = await freePort();
  const folder = temporaryFolder('nginx');
  mkdirSync(join(folder, 'logs'));
  const included = read('nginx.conf')
    .replace('server 127.0.0.1:3000;', `server 127.0.0.1:${server};`)
    .replace(/^server \{\n +listen 80;[\s\S]*?^\}\n/m, '')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} backlog=4096;`)
    .replace(/^ +ssl_certificate.*\n/gm, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${one};`,
  );
  const whole = `daemon off; master_process off; pid nginx.pid; error_log logs/error.log;
    events { worker_connections 8192; }
    http { ${temporary.join(' ')} ${included} }`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  const flags = ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'logs', 'error.log')];
  const child = spawn(program ?? 'nginx', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const proxy = { url: `http://127.0.0.1:${port}`, port, stop: () => child.kill('SIGKILL') };
  await until(`nginx answers ${errors}`, async () => {
    assert.equal(child.exitCode, null, errors);
    return (await call(proxy, 'GET', '/readyz').catch(() => undefined))?.status === 404;
  });
  return proxy;
}

test('deploy/nginx.conf: a thousand concurrent clients share kept-alive connections to Linkfold', {
  skip,
  timeout,
}, async (t) => {
  const server = await startServer({ TRUST_PROXY: '1', CODE_MISS_LIMIT: '3' });
  // The pause is long enough for all clients in a round to be connected at the same time.
  const counter = await startCounter(server.port, 100);
  t.after(counter.close);
  const nginx = await startNginx(counter.port);
  t.after(nginx.stop);
  const callers = 1_000;
  const rounds = 4;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  t.after(() => agent.destroy());
  const ask = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request({ port: nginx.port, path: '/healthz', agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      })
        .once('error', reject)
        .end();
    });
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(Array.from({ length: callers }, ask));
    assert.deepEqual([...new Set(answers)], [200]);
  }
  t.diagnostic(`${rounds * callers} requests over ${counter.connections()} connections`);
  assert.ok(counter.connections() < 1.5 * callers, `${counter.connections()}`);
});

test("deploy/nginx.conf: uses the connection's address, and hides probes from the public", {
  skip,
  timeout,
}, async (t) => {
  const server = await startServer({ TRUST_PROXY: '1', CODE_MISS_LIMIT: '3' });
  const nginx = await startNginx(server.port);
  t.after(nginx.stop);
  const { key } = await server.newKey();
  const made = await as(nginx, key).post('/api/v1/shorten', {
    url: 'https://example.com/',
    customCode: 'poster',
  });
  assert.equal(made.status, 201);
  assert.equal((await call(nginx, 'GET', '/poster')).status, 302);
  // nginx connects from a loopback address, which is exempt from limits.
  for (let guess = 0; guess < 10; guess += 1) {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    assert.equal((await call(nginx, 'GET', `/guess${guess}`, { headers })).status, 404);
  }
  assert.equal((await call(nginx, 'GET', '/healthz')).status, 200);
  assert.equal((await call(nginx, 'GET', '/readyz')).headers.get('x-request-id'), null);
});
