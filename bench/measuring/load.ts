import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cores, type CoreUse, pinnedTo, watchCores } from './cores.ts';
import type { AutocannonTask } from './load-autocannon.ts';
import type { Server } from './servers.ts';
import type { Crowd } from './visitors.ts';

/** Requests that clients send repeatedly. */
export interface Requests {
  /** Header lines, including `Host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requested in random order. */
  readonly paths: readonly string[];
  /** The host of each path, if `headers` has none; wrk only. */
  readonly hosts?: readonly string[];
  /** Whether each connection keeps one of them, 16 at a time and chosen for each load, or each request chooses one. */
  readonly hostsOn?: 'connections' | 'requests';
  /** Creates links instead. */
  readonly create?: true;
  /** Headers used in turn, with a new address in `X-Forwarded-For`; wrk only. */
  readonly heads?: Crowd['heads'];
}

export interface LoadOptions {
  readonly server: Pick<Server, 'url' | 'cpuMs'>;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second at a constant rate; if omitted, as many as possible. */
  readonly rate?: number;
}

/** The result; times in ms. Requests in flight at the end are not counted. */
export interface Load {
  readonly answered: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses from 400 on, broken connections, timeouts. */
  readonly failed: number;
  /** Processor time of the server per response, µs: steadier than rates when other programs share the cores. */
  readonly cpuUs: number;
  readonly cores: CoreUse;
  /** Share of the core's busy time not used by the server, 0 to 1: other programs and the disk. */
  readonly others: number;
}

/** Generates load for a server. */
export type LoadUp = (requests: Requests, options: LoadOptions) => Promise<Load>;

type Printed = Pick<Load, 'answered' | 'p50' | 'p99' | 'failed'> & { readonly seconds: number };

let tags = 0;
// Different for every load, so that no two create links to the same destination.
function nextTag(): string {
  tags += 1;
  return `${process.pid}-${tags}`;
}

/** Creates a load with wrk, or with autocannon if wrk is not installed. @param dir for their input files */
export function createLoad(tool: 'wrk' | 'autocannon', cores: Cores, dir: string): LoadUp {
  const commandFor = tool === 'wrk' ? wrkCommand(dir) : autocannonCommand(dir);
  return async (requests, options) => {
    const [command, args] = commandFor(requests, options);
    const useSince = watchCores(cores);
    const cpuBefore = options.server.cpuMs();
    const start = performance.now();
    const output = await outputOf(...pinnedTo([cores.load], command, args));
    const use = useSince();
    const cpuMs = options.server.cpuMs() - cpuBefore;
    const others = use.server - cpuMs / (performance.now() - start);
    const line = output.split('\n').find((one) => one.startsWith('{'));
    if (line === undefined) throw new Error(`${tool} printed no result:\n${output}`);
    const { seconds, ...printed } = JSON.parse(line) as Printed;
    const { answered } = printed;
    return {
      ...printed,
      perSecond: answered / seconds,
      cpuUs: (1_000 * cpuMs) / answered,
      cores: use,
      others,
    };
  };
}

type CommandFor = (requests: Requests, options: LoadOptions) => [string, string[]];

function wrkCommand(dir: string): CommandFor {
  const files = new Map<Requests, string>();
  const fileOf = (requests: Requests): string => {
    const known = files.get(requests);
    if (known !== undefined) return known;
    const file = join(mkdtempSync(join(dir, 'load-')), 'requests.txt');
    const linesOf = (headers: Requests['headers']): string[] =>
      Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const crowd = (requests.heads ?? []).flatMap((head) => [...linesOf(head), '-']);
    const heads = crowd.length > 0 ? crowd : linesOf(requests.headers);
    const lines = requests.paths.map((path, at) => (requests.hosts ? `${path} ${requests.hosts[at]}` : path));
    writeFileSync(file, `${[...heads, '', ...lines].join('\n')}\n`);
    files.set(requests, file);
    return file;
  };
  let runs = 0;
  return (requests, { server, connections, seconds, rate }) => {
    const script = join(import.meta.dirname, 'load.lua');
    const keepsHosts = requests.hostsOn === 'connections';
    const pressure = [keepsHosts ? '-t16' : '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s'];
    const told = [`file=${fileOf(requests)}`];
    if (requests.create) told.push(`create=${nextTag()}`);
    // Different visitors each time.
    runs += 1;
    if (requests.heads !== undefined || requests.hosts !== undefined) told.push(`seed=${runs}`);
    if (keepsHosts) told.push('keep=host');
    if (rate !== undefined) told.push(`rate=${rate}`);
    return ['wrk', [...pressure, '-s', script, server.url, '--', ...told]];
  };
}

function autocannonCommand(dir: string): CommandFor {
  return ({ headers, paths, create }, options) => {
    const tag = create ? nextTag() : undefined;
    // autocannon adds these two itself.
    const { Host: _host, Connection: _connection, ...rest } = headers;
    const { server, ...pressure } = options;
    const task: AutocannonTask = { ...pressure, url: server.url, headers: rest, paths, create: tag };
    const file = join(mkdtempSync(join(dir, 'load-')), 'task.json');
    writeFileSync(file, JSON.stringify(task));
    return [process.execPath, [join(import.meta.dirname, 'load-autocannon.ts'), file]];
  };
}

function outputOf(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

/** The only header that HTTP requires. */
export const onlyHost = { Host: 'go.example.com' };

/** Headers of Chrome when a link in an email is clicked: 11 headers, some 560 bytes with the request line. */
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
