import { type ChildProcess, execFile, fork, spawn, spawnSync } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../http/ports.ts';
import { as, call, type Environment, temporaryFolder } from '../server/server.ts';
import type { Figures, FromOpenLoop, Order, Stream } from './open-loop.ts';

const script = join(import.meta.dirname, 'open-loop.ts');

/** Whether processes can be told on which core to run. */
export const canPin: boolean = spawnSync('taskset', ['-c', '1', 'true']).status === 0;

export interface ApartServer {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  output(): string;
  newKey(): Promise<{ readonly key: string }>;
  stop(): Promise<void>;
}

const executable = join(import.meta.dirname, '..', '..', '..', 'bin', 'linkfold');

/** Starts a server on the first core where that can be said, with a file for its log: reading it takes nothing from anybody. */
export async function startApart(settings: Environment = {}): Promise<ApartServer> {
  const dataDir = temporaryFolder('apart');
  const port = await freePort();
  const log = join(dataDir, 'server.log');
  const out = openSync(log, 'a');
  const PATH = process.env['PATH'] ?? '';
  const env = { PATH, HOME: '/tmp', PORT: String(port), DATA_DIR: dataDir, ...settings };
  const [command, ...args] = canPin ? ['taskset', '-c', '0', executable, 'serve'] : [executable, 'serve'];
  const child = spawn(command as string, args, { env, stdio: ['ignore', out, out] });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  while ((await call({ url }, 'GET', '/readyz').catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() - begun > 30_000) {
      throw new Error(`The server did not start:\n${readFileSync(log, 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url,
    port,
    child,
    output: () => readFileSync(log, 'utf8'),
    async newKey() {
      const flags = ['--account', 'apart', '--plan', 'enterprise', '--scopes', 'links:read,links:write'];
      const made = await promisify(execFile)(executable, ['keys', 'create', ...flags, '--json'], { env });
      return JSON.parse(made.stdout);
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    },
  };
}

/** What the threads of a process had so far, seconds. */
export interface ThreadSeconds {
  /** Processor time of all. */
  readonly cpu: number;
  /** For how long the first one could have run and others did, among them those of the same process. */
  readonly waited: number;
  /** Processor time of all but the first. */
  readonly helpers: number;
}

/** As the scheduler counts it, in nanoseconds. */
export function threadSeconds(pid: number | undefined): ThreadSeconds {
  const total = { cpu: 0, waited: 0, helpers: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
      .split(' ')
      .map((nanoseconds) => Number(nanoseconds) / 1e9);
    total.cpu += ran;
    if (thread === String(pid)) total.waited = waited;
    else total.helpers += ran;
  }
  return total;
}

/**
 * Sends an order's requests from a process of its own, on the second core where that can be said.
 * @param onStage called when a stage begins
 * @returns the figures of every stage by the names of its streams
 */
export function openLoop(
  order: Order,
  onStage: (stage: number) => void = () => {},
): Promise<readonly Record<string, Figures>[]> {
  return new Promise((resolve, reject) => {
    const node = process.execPath;
    const child = fork(script, canPin ? { execPath: 'taskset', execArgv: ['-c', '1', node] } : {});
    process.once('exit', () => child.kill('SIGKILL'));
    child.on('message', (message: FromOpenLoop) => {
      if ('begins' in message) onStage(message.begins);
      else resolve(message.figures);
    });
    child.once('exit', (code) => reject(new Error(`The open loop ended with ${code}.`)));
    child.send(order);
  });
}

export type Kind = 'redirect' | 'write' | 'read' | 'list';

/** Links to follow and read, and what each kind of request looks like on the wire. */
export async function prepareRequests(
  server: { readonly url: string; newKey(): Promise<{ readonly key: string }> },
  links: number,
): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const { key } = await server.newKey();
  const api = as(server, key);
  const made: { id: string; shortCode: string }[] = [];
  for (let count = 0; count < links; count += 1) {
    const body = { url: `https://example.com/${count}`, title: `Link number ${count}` };
    made.push((await api.post('/api/v1/shorten', body)).json.data);
  }
  const auth = `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
  const body = JSON.stringify({ url: 'https://example.com/spring?utm_source=billboard', title: 'Spring' });
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0\r\n';
  return {
    redirect: made.map(({ shortCode }) => `GET /${shortCode} HTTP/1.1\r\nHost: a\r\n${browser}\r\n`),
    write: [`POST /api/v1/shorten HTTP/1.1\r\n${auth}${type}\r\n${body}`],
    read: made.map(({ id }) => `GET /api/v1/links/${id} HTTP/1.1\r\n${auth}\r\n`),
    list: [`GET /api/v1/links?limit=100 HTTP/1.1\r\n${auth}\r\n`],
  };
}

/** A stream for each kind at its rate: redirects over one pool of connections, the API over another. */
export function streamsAt(
  requests: Readonly<Record<Kind, readonly string[]>>,
  rates: Partial<Record<Kind, number>>,
): Stream[] {
  return Object.entries(rates).map(([name, rate]) => ({
    name,
    requests: requests[name as Kind],
    rate,
    pool: name === 'redirect' ? 'redirect' : 'api',
  }));
}

export function show(figures: Readonly<Record<string, Figures>>): string {
  return Object.entries(figures)
    .map(([name, one]) => {
      const { due, good, goodP50, goodP99, given, other } = one;
      const rest = Object.entries(other).map(([what, count]) => `, ${count} × ${what}`);
      const times = `p50 ${goodP50.toFixed(1)}, p99 ${goodP99.toFixed(1)} ms`;
      const givenUp = given === 0 ? '' : `, ${given} given up`;
      return `${name} ${good} of ${due} (${times})${showRefused(one)}${givenUp}${rest.join('')}`;
    })
    .join('; ');
}

function showRefused(one: Figures): string {
  const { refused, refusedP50, refusedP99, refusedUnlaggedP90, refusedUnlaggedP99 } = one;
  const ms = [refusedP50, refusedP99, refusedUnlaggedP90, refusedUnlaggedP99].map((time) => time.toFixed(1));
  const [p50, p99, unlaggedP90, unlaggedP99] = ms;
  const unlagged = `less our own lag p90 ${unlaggedP90}, p99 ${unlaggedP99} ms`;
  return refused === 0 ? '' : `, ${refused} refused (p50 ${p50}, p99 ${p99}; ${unlagged})`;
}
