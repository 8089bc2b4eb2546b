import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/http/ports.ts';
import type { Bench, Tree } from './bench.ts';
import { cacheDir, copyDatabase, type Dataset } from './database.ts';
import { cpuMsOf, memoryMbOf, pinnedTo, sleep } from './process.ts';

/** How to start a server. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder for the server's files. */
  readonly dir: string;
  /** Path that returns 302 once the server is ready. */
  readonly path: string;
  readonly port: number;
  /** Port for TLS with the test certificate, if the program supports TLS. */
  readonly tlsPort: number;
  readonly accessLog?: string;
}

/** A running server that is ready for requests. */
export interface Server extends Pick<Program, 'port' | 'tlsPort' | 'dir'> {
  readonly url: string;
  readonly pid: number;
  /** Returns the time since the server was spawned, in ms. */
  age(): number;
  /** Returns the resident memory in MB. */
  memoryMb(): number;
  /** Returns the CPU time of all threads so far, in ms. */
  cpuMs(): number;
  /** Empties the access log, if there is one, to save disk space. */
  emptyLog(): void;
  /** Stops the server and waits until it has exited. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const tls = { cert: join(root, 'test/tls/server.crt'), key: join(root, 'test/tls/server.key') };
/** Running servers, each with a promise that resolves when it has exited. */
const started = new Map<ChildProcess, Promise<void>>();
const patienceMs = 30_000;
const retryMs = 1;

/**
 * Starts a server on the core reserved for it and waits for its first response.
 * @throws Error with the server's last output if it exits or does not respond in time
 */
export async function startServer({ cores }: Bench, program: Program): Promise<Server> {
  const { command, env, dir, path, port, tlsPort, accessLog } = program;
  const log = join(dir, 'output.log');
  const output = openSync(log, 'a');
  const start = performance.now();
  const child = spawn(...pinnedTo(cores.server, command), {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/tmp', ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) child.once(event, () => resolve(void started.delete(child)));
  });
  started.set(child, ended);
  while (!(await redirects(port, path))) {
    if (!started.has(child) || performance.now() - start > patienceMs) {
      child.kill('SIGKILL');
      throw new Error(`${command[0]} did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await sleep(retryMs);
  }
  const pid = child.pid ?? 0;
  return {
    ...{ port, tlsPort, dir, pid, url: `http://127.0.0.1:${port}` },
    age: () => performance.now() - start,
    memoryMb: () => memoryMbOf(pid),
    cpuMs: () => cpuMsOf(pid),
    emptyLog: () => accessLog && truncateSync(accessLog),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Stops all servers that are still running. @param signal `SIGKILL` after a failed or interrupted run */
export async function endServers(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  for (const child of started.keys()) child.kill(signal);
  await Promise.all(started.values());
}

/** Returns true if a request for the path returns 302. */
function redirects(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, path, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 302);
    }).once('error', () => resolve(false));
  });
}

/** Creates a folder for a program in this run's folder, and chooses the program's ports. */
async function place(bench: Bench, name: string) {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const dir = join(bench.dir, `${name}-${port}`);
  mkdirSync(dir);
  return { dir, port, tlsPort, path: `/${codesOf(bench)[0]}` };
}

/** Returns the codes to request when measuring visits. They are the same in every version. */
export function codesOf({ trees: [tree] }: Pick<Bench, 'trees'>): readonly string[] {
  return tree?.many.hotCodes ?? [];
}

interface LinkfoldOptions {
  readonly dataset?: Dataset;
  readonly env?: Readonly<Record<string, string>>;
  readonly overTls?: boolean;
}

/** Returns the program that runs a version's `linkfold serve` on a fresh copy of a database. */
export async function linkfold(
  bench: Bench,
  tree: Tree,
  { dataset = tree.many, env = {}, overTls = false }: LinkfoldOptions = {},
): Promise<Program & { readonly database: string }> {
  const placed = await place(bench, 'linkfold');
  const { port, tlsPort, dir } = placed;
  const database = join(dir, 'linkfold.db');
  copyDatabase(dataset, database);
  const https = { HTTPS_PORT: String(tlsPort), TLS_CERT: tls.cert, TLS_KEY: tls.key };
  const own = { PORT: String(port), DATA_DIR: dir, BASE_URL: 'http://go.example.com' };
  return {
    ...{ ...placed, database, command: [join(tree.dir, 'bin', 'linkfold'), 'serve'] },
    env: { ...own, ...(overTls && https), ...env },
  };
}

interface Place {
  readonly tree: Tree;
  /** The server whose data or API the command uses. */
  readonly server?: Server;
  readonly core: 'server' | 'load';
}

/**
 * Runs a version's `linkfold` command. If it runs on the core for the load, it gets a lower priority, so that it does
 * not delay the load.
 * @throws Error if the command fails
 */
export async function runCommand({ cores }: Bench, place: Place, args: readonly string[]): Promise<void> {
  const { tree, server, core } = place;
  const program = join(tree.dir, 'bin', 'linkfold');
  const [command, all] = pinnedTo(
    cores[core],
    core === 'load' ? ['nice', '-n', '10', program, ...args] : [program, ...args],
  );
  const used = server && { DATA_DIR: server.dir, LINKFOLD_URL: server.url, LINKFOLD_API_KEY: tree.many.key };
  await promisify(execFile)(command, all, { env: { PATH: process.env['PATH'] ?? '', ...used } });
}

/** Returns a minimal Fastify service with a SQLite table. @param rows number of links in the table at startup */
export async function bareFastify(bench: Bench, rows = 0): Promise<Program> {
  const placed = await place(bench, 'fastify');
  const { dir, port } = placed;
  writeFileSync(join(dir, 'codes.json'), JSON.stringify(codesOf(bench)));
  const script = join(root, 'bench', 'parts', 'bare-fastify.ts');
  return {
    ...{ ...placed, command: [process.execPath, script, String(port), dir, String(rows)] },
    // Without a compile cache, Node would strip types at every start and the service would look slower than it is.
    env: { NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
  };
}

/** Returns Debian's nginx, set up with one worker, to redirect from a map and log one line per click. */
export async function nginx(bench: Bench): Promise<Program> {
  const placed = await place(bench, 'nginx');
  const { dir, port, tlsPort } = placed;
  const map = codesOf(bench).map((code) => `/${code} https://example.com/spring/${code};`);
  // All files are in this run's folder, so the system's nginx configuration is not used and no privileges are needed.
  writeFileSync(
    join(dir, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log error.log;
     events { worker_connections 1024; }
     http {
       access_log access.log combined;
       keepalive_requests 1000000000; tcp_nodelay on; map_hash_max_size 65536; map_hash_bucket_size 128;
       client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
       map $uri $target { ${map.join('\n')} }
       server {
         listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl; ssl_protocols TLSv1.2 TLSv1.3;
         ssl_session_tickets on; ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};
         location / { return 302 $target; }
       }
     }`,
  );
  return {
    ...placed,
    command: ['nginx', '-p', dir, '-c', 'nginx.conf', '-e', join(dir, 'error.log')],
    accessLog: join(dir, 'access.log'),
  };
}
