import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinnedTo } from '../measuring/cores.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders } from '../measuring/load.ts';
import { isInstalled } from '../measuring/machine.ts';
import type { VisitFigures, VisitTask } from '../measuring/open-visits.ts';
import { type Report, type Row, ratioGoal } from '../measuring/report.ts';
import { freePort, nginx, type Server, startServer, tlsFiles } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';

interface Way extends Pick<VisitTask, 'overTls' | 'connections' | 'opens' | 'version'> {
  readonly name: string;
  /** Maximum ratio of Linkfold's processor time to nginx's. */
  readonly wanted: number;
}

const plain = { overTls: false, version: '1.1', opens: false } as const;
const ways: readonly Way[] = [
  { ...plain, name: '64 connections kept alive', connections: 64, wanted: 1.2 },
  { ...plain, name: '1 connection kept alive', connections: 1, wanted: 1.6 },
  { ...plain, name: 'a new connection for each visit', connections: 64, opens: true, wanted: 1.9 },
  {
    ...{ ...plain, name: 'HTTP/1.0, Connection: close', wanted: 2.2 },
    ...{ connections: 64, opens: true, version: '1.0' },
  },
  { ...plain, name: 'TLS 1.3, kept alive', connections: 64, overTls: true, wanted: 1.3 },
  { ...plain, name: 'TLS 1.3, new connections', connections: 64, opens: true, overTls: true, wanted: 1.3 },
];

interface Contender {
  readonly name: string;
  /** Over plain HTTP, and over TLS. */
  readonly servers: Readonly<Record<'plain' | 'tls', Server>>;
}

interface Round extends VisitFigures {
  /** Processor time of the server per visit, µs. */
  readonly cpuUs: number;
}

/** Measures the processor time of a redirect by kind of connection, next to nginx that logs each visit. */
export async function measureConnections(bench: Bench): Promise<readonly Report[]> {
  if (!isInstalled('nginx', '-v')) return [];
  const { options } = bench;
  const contenders = await startContenders(bench);
  const { rounds: count, seconds, warmUpSeconds } = options.pace;
  const step = bench.steps('connections', (count + 1) * ways.length * contenders.length);
  const rounds = new Map<string, Round[]>();
  for (let round = -1; round < count; round += 1)
    for (const way of ways)
      for (const { name, servers } of turned(contenders, Math.max(0, round))) {
        step(`round ${round + 1} of ${count}, ${way.name}, ${name}`);
        const isWarmUp = round === -1;
        const measured = await visit(bench, servers, way, isWarmUp ? warmUpSeconds : seconds);
        if (!isWarmUp) rounds.getOrInsertComputed(`${way.name} ${name}`, () => []).push(measured);
      }
  for (const { servers } of contenders) for (const server of Object.values(servers)) await server.stop();
  const [ours = '', ...others] = contenders.map(({ name }) => name);
  const rows = ways.map((way) =>
    rowOf(way, [ours, ...others], (name) => rounds.get(`${way.name} ${name}`) ?? []),
  );
  const failed = [...rounds.values()].flat().reduce((sum, round) => sum + round.failed, 0);
  return [
    {
      topic: 'connections',
      title: "Processor time of a redirect by connection, µs; a browser's 11 headers",
      columns: ['Linkfold', 'nginx', 'ratio', 'p50 ms', 'p99 ms'],
      rows,
      wrong: failed === 0 ? [] : [`${failed} visits failed.`],
    },
  ];
}

async function startContenders(bench: Bench): Promise<readonly Contender[]> {
  const { dir, cores } = bench;
  const tree = firstTree(bench);
  const codes = tree.many.hotCodes;
  const [plainPort, tlsPort] = [await freePort(), await freePort()];
  const env = { TLS_CERT: tlsFiles.cert, TLS_KEY: tlsFiles.key, HTTPS_PORT: String(tlsPort) };
  const start = async (program: Parameters<typeof startServer>[0]) => startServer(program, [cores.server]);
  const own = await start(await linkfoldOn(bench, tree));
  const ownTls = await start({ ...(await linkfoldOn(bench, tree, { env })), tlsPort });
  const other = await start(await nginx('nginx', { dir, codes }));
  const otherTls = await start(await nginx('nginx over TLS', { dir, codes, tlsPort: plainPort }));
  return [
    { name: tree.name, servers: { plain: own, tls: ownTls } },
    { name: 'nginx', servers: { plain: other, tls: otherTls } },
  ];
}

async function visit(
  { cores, trees }: Bench,
  servers: Contender['servers'],
  { name: _name, wanted: _wanted, ...way }: Way,
  seconds: number,
): Promise<Round> {
  const server = servers[way.overTls ? 'tls' : 'plain'];
  const { Connection: _kept, ...headers } = browserHeaders;
  const task: VisitTask = {
    ...way,
    headers: way.version === '1.0' ? { ...headers, Connection: 'close' } : browserHeaders,
    paths: trees[0]?.many.hotCodes.slice(0, 1_000).map((code) => `/${code}`) ?? [],
    port: Number(new URL(server.url).port),
    seconds,
  };
  const script = join(import.meta.dirname, '..', 'measuring', 'open-visits.ts');
  const [command, args] = pinnedTo([cores.load], process.execPath, [script, JSON.stringify(task)]);
  const before = server.cpuMs();
  const { stdout } = await promisify(execFile)(command, args);
  const figures = JSON.parse(stdout) as VisitFigures;
  return { ...figures, cpuUs: (1_000 * (server.cpuMs() - before)) / figures.answered };
}

function rowOf(way: Way, names: readonly string[], roundsOf: (name: string) => readonly Round[]): Row {
  const [own = [], other = []] = names.map((name) => roundsOf(name).map(({ cpuUs }) => cpuUs));
  const got = pairedRatio(own, other);
  const rounds = roundsOf(names[0] ?? '');
  const [p50, p99] = (['p50', 'p99'] as const).map((of) => median(rounds.map((round) => round[of])));
  const [ours, theirs] = [spreadOf(own), spreadOf(other)];
  const texts = { what: `processor time, ${way.name}`, ours: `${number(ours.median)} µs` };
  const reference = `nginx ${number(theirs.median)} µs`;
  return {
    name: way.name,
    cells: [spread(ours), spread(theirs), ratio(got.median), number(p50 ?? 0), number(p99 ?? 0)],
    goals: [ratioGoal({ ...texts, reference }, got.median, ['≤', way.wanted])],
    figures: { cpuUs: ours, nginxUs: theirs, ratio: got, p50, p99 },
  };
}
