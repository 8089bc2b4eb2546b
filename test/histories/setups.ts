// The systems under test, and the faults that occur in them during histories.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DnsServer, startDns } from '../support/dns/dns-server.ts';
import { mountSmallDisks, whyNoSmallDisks } from '../support/faults/small-disk.ts';
import { startHaproxy } from '../support/http/haproxy.ts';
import { freePort, freePorts, isFree } from '../support/http/ports.ts';
import { startProxy } from '../support/http/tcp-proxy.ts';
import { startPostgres } from '../support/postgres/postgres.ts';
import { type Random, sleep } from '../support/random/random.ts';
import { staleForMs } from '../support/server/nodes.ts';
import {
  as,
  call,
  type Environment,
  executable,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/server/server.ts';
import { untilReplaced, workersOf } from '../support/server/workers.ts';
import { until } from '../support/until.ts';
import { countryHeader, startReceiver } from './clicks.ts';
import type { Plan, Target } from './recorder.ts';

export interface Setup {
  readonly plan: Plan;
  /** Faults by name. Each resolves when the fault has ended. */
  readonly faults: Readonly<Record<string, () => Promise<unknown>>>;
  /** Faults that are impossible on this machine, with the reason. */
  readonly skipped: readonly string[];
  /** Resolves when all processes accept requests. */
  settled(): Promise<unknown>;
  /** Lower bound for the number of times that each fault point in the program was reached. */
  faultPoints(): ReadonlyMap<string, number>;
  /** Stops the system. @throws unless every process ends with 0 */
  stop(): Promise<void>;
}

/** Registers a function that stops a part of the system after the test, whether or not the test succeeds. */
type After = (end: () => unknown) => void;

export const clients = 8;
const longestPauseMs = 400;
/** Longest network cut in ms. It is longer than the time by which a node may lag behind. */
const longestCutMs = 2_500;
const diskMegabytes = 256;
const hosts = ['sho.rt', 'go.histories.example.com'] as const;
const settings = {
  BASE_URL: `https://${hosts[0]}`,
  // There is no limit, because histories contain many deleted links.
  CODE_MISS_LIMIT: '0',
  TRUST_PROXY: '1',
  COUNTRY_HEADER: countryHeader,
  OUTBOUND_ALLOW: '127.0.0.1',
  SECRET_KEY: 'x'.repeat(40),
  // Seconds for which a node without the database redirects links from memory. Must not exceed the maximum delay before
  // a node sees other nodes' changes.
  STALE_LIMIT: '1',
};

/** Probability that a process's fault points cause faults. */
const faultyShare = 0.7;

/** Enables fault points in some of the servers, and counts their hits. */
function createFaultPoints(random: Random) {
  const servers: Server[] = [];
  return {
    async watch(start: (env: Environment) => Promise<Server>): Promise<Server> {
      const faults = random.chance(faultyShare) ? String(random.below(2 ** 31)) : '';
      const server = await start({ LINKFOLD_FAULTS: faults });
      servers.push(server);
      return server;
    },
    hits() {
      const hits = new Map<string, number>();
      for (const server of servers)
        for (const [, point = '', count] of server.output().matchAll(/^fault point (\w+) \+(\d+)$/gm))
          hits.set(point, (hits.get(point) ?? 0) + Number(count));
      return hits;
    },
  };
}

async function pauseProcesses(pids: readonly number[], ms: number): Promise<void> {
  const signal = (name: string) => spawnSync('kill', [`-${name}`, ...pids.map(String)]);
  signal('STOP');
  try {
    await sleep(ms);
  } finally {
    signal('CONT');
  }
}

/** Returns the process IDs of a PostgreSQL server. */
function processesOf(dataDir: string): number[] {
  const first = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(first)], { encoding: 'utf8' });
  return [first, ...stdout.trim().split(/\s+/).map(Number)].filter((pid) => pid > 0);
}

/** Adds the custom domain and verifies its ownership. */
async function addDomain(target: Target, key: string, { zone }: DnsServer): Promise<void> {
  const api = as(target, key);
  const { status, json, text } = await api.post('/api/v1/domains', { host: hosts[1] });
  if (status !== 201) throw new Error(text);
  for (const { name, type, value } of json.data.records) zone[name] = { [type as 'TXT']: [value] };
  const verified = await api.post(`/api/v1/domains/${json.data.id}/verify`);
  if (verified.json?.data?.status !== 'active') throw new Error(verified.text);
}

async function requireCleanExit(servers: readonly Server[]): Promise<void> {
  for (const server of servers)
    if ((await server.stop()) !== 0) throw new Error('A server did not stop cleanly.');
}

/** Starts one node on SQLite with two workers. Its files are on a small disk if the machine allows that. */
export async function startOneNode(random: Random, after: After): Promise<Setup> {
  const dns = await startDns();
  after(() => dns.close());
  const receiver = await startReceiver();
  after(receiver.close);
  const env = { ...settings, WORKERS: '2', DNS_SERVERS: dns.address };
  const noDisks = whyNoSmallDisks();
  const disks = noDisks === undefined ? await mountSmallDisks(['data'], diskMegabytes) : undefined;
  after(() => disks?.close());
  const seen = disks?.seen('data') ?? temporaryFolder('data');
  const dataDir = disks?.path('data') ?? seen;
  const port = await freePort();
  const target = { url: `http://127.0.0.1:${port}` };
  const points = createFaultPoints(random);
  const start = () =>
    points.watch((faults) =>
      startServer({ ...env, ...faults, PORT: String(port) }, dataDir, disks?.within ?? []),
    );
  let server = await start();
  // The server's `newKey` would look for the first key outside the mount namespace, so the test reads the key itself.
  const key = readFileSync(join(seen, 'first-key.txt'), 'utf8').trim();
  await addDomain(target, key, dns);
  await receiver.subscribe(target, key);
  const restart = async (signal: NodeJS.Signals): Promise<void> => {
    await server.stop(signal);
    // A killed primary's workers hold the port until they notice that it is gone.
    await until('the port is free', () => isFree(port));
    server = await start();
  };
  const worker = (): number => random.pick([...workersOf(server).values()]);
  const isReady = async (): Promise<boolean> =>
    (await call(target, 'GET', '/readyz').catch(() => undefined))?.status === 200;
  return {
    plan: { random, key, targets: () => [target], staleMs: 0, hosts, receivedClicks: receiver.received },
    skipped: noDisks === undefined ? [] : [`fill the disk: ${noDisks}`],
    faults: {
      'kill a worker': async () => {
        const killed = worker();
        process.kill(killed, 'SIGKILL');
        await untilReplaced(server, [killed]);
      },
      'kill the primary': () => restart('SIGKILL'),
      'pause a worker': () => pauseProcesses([worker()], random.below(longestPauseMs)),
      ...(disks !== undefined && {
        'fill the disk': async () => {
          disks.fill('data');
          await sleep(random.below(longestCutMs));
          disks.free('data');
          await until('the server is ready', isReady);
        },
      }),
      'restart the server': () => restart('SIGTERM'),
    },
    settled: () => until('the server is ready', isReady),
    faultPoints: points.hits,
    stop: () => requireCleanExit([server]),
  };
}

const nodeCount = 3;

/** Starts three nodes on PostgreSQL behind HAProxy. Each has its own network connection to the database. */
export async function startCluster(random: Random, after: After): Promise<Setup> {
  const dns = await startDns();
  after(() => dns.close());
  const receiver = await startReceiver();
  after(receiver.close);
  const env = { ...settings, DNS_SERVERS: dns.address };
  const postgres = await startPostgres({ settings: { fsync: 'on' } });
  after(() => postgres.end());
  const proxies = await Promise.all(Array.from({ length: nodeCount }, () => startProxy(postgres.port)));
  for (const proxy of proxies) after(() => proxy.close());
  const databases = proxies.map(({ port }) => postgres.url().replace(`:${postgres.port}/`, `:${port}/`));
  const ports = await freePorts(nodeCount);
  const previous = process.env['LINKFOLD_PREVIOUS'] || undefined;
  /** Each node's executable: a previous build, or undefined once the node is upgraded. */
  const builds = ports.map(() => previous && join(previous, 'bin', 'linkfold'));
  const points = createFaultPoints(random);
  const start = (at: number, dataDir?: string) =>
    points.watch((faults) => {
      const ofNode = { DATABASE_URL: databases[at] ?? '', PORT: String(ports[at]) };
      return startServer({ ...env, ...faults, ...ofNode }, dataDir, [], { tested: builds[at] ?? executable });
    });
  const nodes = await Promise.all(ports.map((_, at) => start(at)));
  const haproxy = await startHaproxy(temporaryFolder('haproxy'), ports);
  after(haproxy.stop);
  await haproxy.allUp();
  const key = (await nodes[0]?.newKey())?.key ?? '';
  const target = { url: `http://127.0.0.1:${haproxy.port}` };
  await addDomain(target, key, dns);
  await receiver.subscribe(target, key);
  const restart = async (signal: NodeJS.Signals, at = random.below(nodeCount)): Promise<void> => {
    const node = nodes[at] as Server;
    await node.stop(signal);
    // After a migration, the previous build can no longer start.
    if (new Set(builds).size > 1) builds[at] = undefined;
    nodes[at] = await start(at, node.dataDir);
  };
  const pause = (): Promise<void> => sleep(random.below(longestCutMs));
  return {
    plan: {
      random,
      key,
      targets: () => [target],
      staleMs: staleForMs,
      hosts,
      receivedClicks: receiver.received,
    },
    skipped: previous === undefined ? ['upgrade a node: LINKFOLD_PREVIOUS is not set'] : [],
    faults: {
      'kill a node': () => restart('SIGKILL'),
      'cut one node off from PostgreSQL': async () => {
        const proxy = random.pick(proxies);
        if (random.chance(0.5)) proxy.refuse();
        else proxy.stall();
        await pause();
        proxy.flow();
      },
      'pause a node': () => pauseProcesses([random.pick(nodes).child.pid ?? 0], random.below(longestPauseMs)),
      'lose answers to commits': async () => {
        for (const proxy of proxies)
          proxy.watch((data, cut) => {
            if (data.includes('COMMIT') && random.chance(0.1)) cut('after');
          });
        await pause();
        for (const proxy of proxies) proxy.watch(undefined);
      },
      'crash PostgreSQL': async () => {
        await postgres.stop('immediate');
        await postgres.start();
      },
      'pause PostgreSQL': () => pauseProcesses(processesOf(postgres.dataDir), random.below(longestCutMs)),
      'restart a node': () => restart('SIGTERM'),
      ...(previous !== undefined && {
        'upgrade a node': async () => {
          const at = builds.findIndex((build) => build !== undefined);
          builds[Math.max(0, at)] = undefined;
          await restart('SIGTERM', Math.max(0, at));
        },
      }),
    },
    settled: () => haproxy.allUp().catch(() => haproxy.allUp()),
    faultPoints: points.hits,
    stop: () => requireCleanExit(nodes),
  };
}

const longestBetweenMs = 800;

/**
 * Causes the different kinds of faults in turn, so that each kind occurs before any is repeated.
 * @param from index of the first fault
 */
export async function causeFaults(
  { plan: { random }, faults, settled }: Setup,
  { from, count }: { readonly from: number; readonly count: number },
  note: (fault: string) => void,
): Promise<void> {
  const names = Object.keys(faults);
  for (let n = from; n < from + count; n += 1) {
    const name = names[n % names.length] ?? '';
    note(name);
    await sleep(random.below(longestBetweenMs));
    await faults[name]?.();
  }
  // Waits without changes, because another change could hide that a node missed earlier changes.
  await sleep(longestBetweenMs);
  await settled();
}
