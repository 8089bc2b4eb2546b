import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { pinnedTo } from './process.ts';
import { codesOf, type Server } from './server.ts';

/** Number of connections that wrk uses in every load. */
export const connections = 64;

type Headers = Readonly<Record<string, string>>;

/** Requests that wrk sends repeatedly, in random order. */
export interface Requests {
  /**
   * Sets of header lines, including `Host`. If there are several sets, each request uses one set and a random visitor
   * address.
   */
  readonly heads: readonly Headers[];
  readonly paths: readonly string[];
  /** True to create links, each with a different destination, instead of requesting paths. */
  readonly isCreate?: true;
}

/** Result of a load. Requests in flight at the end are not counted. */
export interface Load {
  readonly answered: number;
  /** Number of responses with status 400 or above, broken connections, and timeouts. */
  readonly failed: number;
  /**
   * `CPU µs` is the CPU time of all server threads per request. It varies less than rates when other programs use the
   * cores.
   */
  readonly values: Readonly<Record<'requests/s' | 'p50 ms' | 'p99 ms' | 'CPU µs', number>>;
}

/** Checks that a program is installed. @throws Error with the command that installs it, if it is missing */
export function requireProgram(name: 'wrk' | 'nginx'): void {
  if (spawnSync(name, ['-v']).error === undefined) return;
  throw new Error(`The benchmark needs ${name}. Install it with: sudo apt-get install ${name}`);
}

let loads = 0;

/** Loads a server with as many requests as it can handle over 64 keep-alive connections. */
export async function loadWithWrk(
  { cores, dir }: Bench,
  server: Server,
  { heads, paths, isCreate }: Requests,
  seconds: number,
): Promise<Load> {
  loads += 1;
  const file = join(dir, 'requests.txt');
  const lines = heads.flatMap((head, index) => [
    ...(index === 0 ? [] : ['-']),
    ...Object.entries(head).map(([name, value]) => `${name}: ${value}`),
  ]);
  // If there are several header sets, a line with `-` ends each set, including the last one.
  if (heads.length > 1) lines.push('-');
  writeFileSync(file, `${[...lines, '', ...paths].join('\n')}\n`);
  const pressure = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s'];
  // Every load gets a different seed and prefix, and therefore different visitors and destinations.
  const options = [`file=${file}`, `seed=${loads}`, ...(isCreate ? [`create=${process.pid}-${loads}`] : [])];
  const script = join(import.meta.dirname, 'wrk.lua');
  const before = server.cpuMs();
  const [command, args] = pinnedTo(cores.load, [
    'wrk',
    ...pressure,
    '-s',
    script,
    server.url,
    '--',
    ...options,
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  const cpuMs = server.cpuMs() - before;
  server.emptyLog();
  const printed = JSON.parse(stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}');
  const { answered, failed, seconds: took, p50, p99 } = printed;
  const cpuUs = (1_000 * cpuMs) / answered;
  const values = { 'requests/s': answered / took, 'p50 ms': p50, 'p99 ms': p99, 'CPU µs': cpuUs };
  return { answered, failed, values };
}

/** Headers that Chrome sends when a link in an email is clicked: 11 headers, about 560 bytes with the request line. */
export const browserHeaders = {
  Host: 'go.example.com',
  Connection: 'keep-alive',
  'sec-ch-ua': '"Chromium";v="146", "Google Chrome";v="146", "Not?A_Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
};

/** Returns browser requests for all hot codes. */
export function visitsOf(bench: Bench): Requests {
  return { heads: [browserHeaders], paths: codesOf(bench).map((code) => `/${code}`) };
}

/** Returns requests that create links with an API key. */
export function createsBy(key: string): Requests {
  const authorization = { Authorization: `Bearer ${key}` };
  const types = { 'Content-Type': 'application/json', Accept: 'application/json' };
  return { heads: [{ Host: 'go.example.com', ...authorization, ...types }], paths: [], isCreate: true };
}
