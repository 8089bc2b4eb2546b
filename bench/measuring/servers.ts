import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pinnedTo } from './cores.ts';
import { cacheDir } from './database.ts';
import { cpuMsOf, type Memory, memoryOf } from './process.ts';

/** A running server that answers. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** From spawn to the first response, ms. */
  readonly startedInMs: number;
  /** Time since spawn, ms. */
  age(): number;
  /** Values are NaN if unavailable. */
  memory(): Memory;
  /** Processor time of all its threads so far, ms; NaN if unavailable. */
  cpuMs(): number;
  /** Stops it and waits for its end. */
  stop(): Promise<void>;
}

/** How to start a server. */
export interface Program {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** File for its output. */
  readonly log: string;
  /** Returns 302, or this status, once the server is ready. */
  readonly path: string;
  readonly status?: number;
  readonly port: number;
  /** TLS port with the tests' certificate; load goes there if set. */
  readonly tlsPort?: number | undefined;
}

export const mainTree = join(import.meta.dirname, '..', '..');
const keys = join(mainTree, 'test', 'tls');
/** A certificate for measurements, and its key. */
export const tlsFiles = { cert: join(keys, 'server.crt'), key: join(keys, 'server.key') };
const started = new Set<ChildProcess>();
const patienceMs = 30_000;
const retryMs = 1;

/**
 * Starts a server on the given cores and waits for its first response.
 * @throws Error with its last output if it ends
 */
export async function startServer(program: Program, cores: readonly (number | undefined)[]): Promise<Server> {
  const { env, log, path, port, status = 302 } = program;
  const [first, ...rest] = program.command;
  const [command, args] = pinnedTo(cores, first, rest);
  const output = openSync(log, 'a');
  const start = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/tmp', ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  started.add(child);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve(void started.delete(child)));
  });
  while (!(await answers(port, path, status))) {
    if (!started.has(child) || performance.now() - start > patienceMs) {
      child.kill('SIGKILL');
      throw new Error(`${program.name} did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await sleep(retryMs);
  }
  const startedInMs = performance.now() - start;
  return {
    url: program.tlsPort === undefined ? `http://127.0.0.1:${port}` : `https://127.0.0.1:${program.tlsPort}`,
    pid: child.pid ?? 0,
    startedInMs,
    age: () => performance.now() - start,
    memory: () => memoryOf(child.pid),
    cpuMs: () => cpuMsOf(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Ends the servers that this process started, after a failed or interrupted run. */
export function killServers(): void {
  for (const child of started) child.kill('SIGKILL');
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns true if a request currently returns the status. */
function answers(port: number, path: string, status: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    });
    socket.once('data', (bytes) => {
      resolve(bytes.toString('latin1').startsWith(`HTTP/1.1 ${status} `));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** Returns a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Starts `linkfold serve` with its defaults for the load's host, logging to a file. */
export async function linkfold(
  name: string,
  given: {
    readonly tree: string;
    readonly dataDir: string;
    readonly code: string;
    readonly env?: Record<string, string>;
  },
): Promise<Program> {
  const port = await freePort();
  mkdirSync(given.dataDir, { recursive: true });
  return {
    name,
    command: [join(given.tree, 'bin', 'linkfold'), 'serve'],
    env: { PORT: String(port), DATA_DIR: given.dataDir, BASE_URL: 'http://go.example.com', ...given.env },
    log: join(given.dataDir, 'server.log'),
    path: `/${given.code}`,
    port,
  };
}

/** Starts one of the minimal servers in this folder. */
export async function baseline(
  name: string,
  script: string,
  given: { readonly dir: string; readonly codes: readonly string[]; readonly args?: readonly string[] },
): Promise<Program> {
  const port = await freePort();
  const codes = join(given.dir, 'codes.json');
  writeFileSync(codes, JSON.stringify(given.codes));
  return {
    name,
    command: [
      process.execPath,
      join(import.meta.dirname, '..', 'baselines', script),
      String(port),
      codes,
      ...(given.args ?? []),
    ],
    // Otherwise Node would strip types at every start, and a minimal server would look slower than it is.
    env: { NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
    log: join(given.dir, 'baseline.log'),
    path: `/${given.codes[0]}`,
    port,
  };
}

/** Starts nginx with one worker that answers from a map, as built by Debian, and writes a line per click. */
export async function nginx(
  name: string,
  given: { readonly dir: string; readonly codes: readonly string[]; readonly tlsPort?: number },
): Promise<Program & { readonly accessLog: string }> {
  const port = await freePort();
  const dir = join(given.dir, `nginx-${port}`);
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const { tlsPort } = given;
  const tls = `listen 127.0.0.1:${tlsPort} ssl; ssl_protocols TLSv1.2 TLSv1.3; ssl_session_tickets on;
       ssl_certificate ${tlsFiles.cert}; ssl_certificate_key ${tlsFiles.key};`;
  const map = given.codes.map((code) => `/${code} https://example.com/spring/${code};`).join('\n');
  // All its files are in the folder of this run: the system's nginx is not touched, and no privileges are needed.
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log logs/error.log;
     events { worker_connections 1024; }
     http {
       access_log logs/access.log combined;
       keepalive_requests 1000000000; tcp_nodelay on; map_hash_max_size 65536; map_hash_bucket_size 128;
       client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
       map $uri $target { ${map} }
       server { listen 127.0.0.1:${port}; ${tlsPort === undefined ? '' : tls} location / { return 302 $target; } }
     }`,
  );
  return {
    name,
    command: ['nginx', '-p', dir, '-c', 'nginx.conf', '-e', join(dir, 'logs', 'error.log')],
    log: join(dir, 'output.log'),
    path: `/${given.codes[0]}`,
    port,
    tlsPort,
    accessLog: join(dir, 'logs', 'access.log'),
  };
}
