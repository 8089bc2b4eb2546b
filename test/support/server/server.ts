import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../files/temporary.ts';
import { ask } from '../http/ask.ts';
import { freePort } from '../http/ports.ts';
import { databaseOf } from '../postgres/databases.ts';
import { compiled } from './compiled.ts';
import { needsProcess, runHosted } from './hosted-commands.ts';

export { temporaryFolder };

/** Path of the executable in this repository. LINKFOLD_UNDER_TEST selects another implementation. */
const ours = join(import.meta.dirname, '..', '..', '..', 'bin', 'linkfold');
export const executable = process.env['LINKFOLD_UNDER_TEST'] ?? ours;
const run = promisify(execFile);

export type Environment = Record<string, string>;

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** Returns the server's output, for tests of its logs. */
  output(): string;
  /**
   * Creates a key for an account that no other test uses, unless an account is given. On a new server, the first such
   * key is the key from the first run. Other keys are created with the documented command.
   */
  newKey(options?: Partial<KeyOptions>): Promise<TestKey>;
  /** Runs another command of the program on the server's data. */
  command(...args: string[]): Promise<string>;
  /** @returns the exit code, or null if a signal killed the server */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface KeyOptions {
  readonly account: string;
  readonly plan: string;
  readonly scopes: string;
  readonly expires: string;
}

export interface TestKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
}

/**
 * Returns the key that the first run created, and deletes its file. Undefined if there is no such file, or it was
 * already read.
 */
function takeFirstKey(dataDir: string): TestKey | undefined {
  const file = join(dataDir, 'first-key.txt');
  try {
    const key = readFileSync(file, 'utf8').trim();
    rmSync(file);
    return { id: key.slice('lfk_'.length).slice(0, 8), key, account: 'default' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

let accounts = 0;
const running = new Set<ChildProcess>();
const readyWithinMs = 90_000;
const goneWithinMs = 60_000;

/** Kills servers that are still running, for tests that end early. */
export async function endServers(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
}
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// Servers left behind by a failed test would keep the test file from ending and reporting its results.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) after(endServers);

/** Base path for all servers in a test run. Empty for the root. */
const basePath = process.env['LINKFOLD_TEST_PATH'] ?? '';

/**
 * Returns the settings for a server below the base path. They contain the server's port, which must therefore be known
 * in advance.
 */
async function belowPath(): Promise<Environment> {
  const port = String(await freePort());
  return { PORT: port, BASE_URL: `http://127.0.0.1:${port}${basePath}` };
}

/** Returns the environment for a server on a data directory and a free port. */
export async function environmentOf(dataDir: string): Promise<Environment> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '/tmp',
    ...compiled,
    PORT: '0',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    // Nothing is listening at this address, so no test sends queries to the machine's own resolvers.
    DNS_SERVERS: '127.0.0.1:9',
    WATCH_DESTINATIONS: '0',
    ...(await databaseOf(dataDir)),
    ...(basePath !== '' && (await belowPath())),
  };
}

/**
 * Starts a real server process on a free port and waits until it is ready.
 * @param within prefix that runs the server and its tools in another environment, such as a mount namespace
 * @param options another program, and flags for `serve`
 */
export async function startServer(
  env: Environment = {},
  dataDir = temporaryFolder('data'),
  within: readonly string[] = [],
  options: { readonly tested?: string; readonly flags?: readonly string[] } = {},
): Promise<Server> {
  const { tested = executable, flags = [] } = options;
  const [program = tested, ...before] = [...within, tested];
  const environment = { ...(await environmentOf(dataDir)), ...env };
  const child = spawn(program, [...before, 'serve', ...flags], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let tooLate: NodeJS.Timeout | undefined;
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      const entry = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; url?: string }) : {};
      if (entry.msg === 'ready' && entry.url !== undefined) resolve(entry.url);
    });
    // Waits for `close`, because after `exit` the last output may still arrive.
    child.once('close', (code) =>
      reject(new Error(`The server ended with ${code} before it was ready:\n${output}`)),
    );
    tooLate = setTimeout(() => {
      reject(new Error(`The server was not ready in ${readyWithinMs} ms:\n${output}`));
      child.kill('SIGKILL');
    }, readyWithinMs);
  }).finally(() => clearTimeout(tooLate));

  return {
    ...serviceAt(url, environment, within, tested),
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      child.kill(signal);
      const tooLate = setTimeout(() => child.kill('SIGKILL'), goneWithinMs);
      return ended.finally(() => clearTimeout(tooLate));
    },
  };
}

/** Starts the server from its sources even if a build exists, for tests that check which files it loads. */
export function startFromSource(env: Environment): Promise<Server> {
  const tested = join(import.meta.dirname, '../../../src/main.ts');
  return startServer(env, temporaryFolder('data'), [process.execPath, '--expose-gc'], { tested });
}

/** A running service, which provides its URL, keys and commands. */
export type Service = Omit<Server, 'child' | 'output' | 'stop'>;

/**
 * Returns a running service.
 * @param environment environment for the server and its commands
 */
export function serviceAt(
  url: string,
  environment: Environment,
  within: readonly string[] = [],
  tested = executable,
): Service {
  const { DATA_DIR: dataDir = '' } = environment;
  const env = { ...environment, LINKFOLD_URL: url };
  // Most commands share one process, because starting a process is most of the cost of a command.
  const command = async (...args: string[]): Promise<string> => {
    const [program = tested, ...words] = [...within, tested, ...args];
    if (program !== ours || needsProcess(args)) return (await run(program, words, { env })).stdout;
    const { code, out, err } = await runHosted({ args, env, input: '', cwd: dataDir });
    if (code !== 0) throw new Error(`linkfold ${args.join(' ')} ended with ${code}:\n${err}`);
    return out;
  };
  return {
    url,
    dataDir,
    command,
    port: Number(new URL(url).port),
    async newKey(options = {}) {
      const first = Object.keys(options).length === 0 ? takeFirstKey(dataDir) : undefined;
      if (first !== undefined) return first;
      const { account, plan = 'enterprise', scopes, expires } = options;
      accounts += 1;
      const owner = account ?? `account-${process.pid}-${accounts}`;
      const flags = ['--account', owner, '--plan', plan];
      if (scopes !== undefined) flags.push('--scopes', scopes);
      if (expires !== undefined) flags.push('--expires', expires);
      return JSON.parse(await command('keys', 'create', ...flags, '--json')) as TestKey;
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked at run time
  readonly json: any;
}

/** Sends a request, as any HTTP client would. Redirects are not followed. */
export async function call(
  server: { readonly url: string },
  method: string,
  path: string,
  options: { key?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { key, body } = options;
  // Custom domains are served at the root, without the base path.
  const base = options.headers?.['host'] === undefined ? server.url : new URL(server.url).origin;
  const { hostname: host, port, pathname, search } = new URL(base + path);
  const answer = await ask(
    { host, port: Number(port) },
    {
      method,
      path: pathname + search,
      key,
      body,
      headers: {
        accept: '*/*',
        'user-agent': 'node',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
    },
  );
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
  const { status, text } = answer;
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}

/** Returns functions that send requests with the given key. */
export function as(server: { readonly url: string }, key: string) {
  return {
    get: (path: string, headers?: Record<string, string>) =>
      call(server, 'GET', path, { key, ...(headers && { headers }) }),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call(server, 'POST', path, { key, body, ...(headers && { headers }) }),
    put: (path: string, body?: unknown) => call(server, 'PUT', path, { key, body }),
    patch: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call(server, 'PATCH', path, { key, body, ...(headers && { headers }) }),
    delete: (path: string, headers?: Record<string, string>) =>
      call(server, 'DELETE', path, { key, ...(headers && { headers }) }),
  };
}
