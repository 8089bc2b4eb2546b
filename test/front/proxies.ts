import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/http/ports.ts';
import { temporaryFolder } from '../support/server/server.ts';

/** A reverse proxy that keeps its connections to the server and uses them for many clients. */
export interface Proxy {
  readonly port: number;
  stop(): Promise<void>;
}

const patienceMs = 10_000;
const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts nginx before a server. */
export async function nginxBefore(server: number): Promise<Proxy> {
  const port = await freePort();
  const folder = temporaryFolder('nginx');
  mkdirSync(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${one};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log logs/error.log crit;
    events { worker_connections 1024; }
    http {
      access_log off; ${temporary.join(' ')}
      upstream linkfold { server 127.0.0.1:${server}; keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        ignore_invalid_headers off;
        location / { proxy_pass http://linkfold; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`,
  );
  return running(port, 'nginx', ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'logs', 'error.log')]);
}

/** Starts HAProxy before a server. */
export async function haproxyBefore(server: number): Promise<Proxy> {
  const port = await freePort();
  const file = join(temporaryFolder('haproxy'), 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
      mode http
      timeout connect 5s
      timeout client 20s
      timeout server 20s
      http-reuse always
    frontend visitors
      bind 127.0.0.1:${port}
      default_backend linkfold
    backend linkfold
      server one 127.0.0.1:${server}\n`,
  );
  return running(port, 'haproxy', ['-db', '-q', '-f', file]);
}

async function running(port: number, program: string, args: readonly string[]): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  started.add(child);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve(void started.delete(child))));
  for (const start = performance.now(); !(await accepts(port)); await sleep(20)) {
    const late = performance.now() - start > patienceMs;
    if (late || !started.has(child)) throw new Error(`${program} did not start:\n${errors}`);
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
