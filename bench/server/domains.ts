import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clicksIn, domainsIn } from '../measuring/database.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders, type Load, type Requests } from '../measuring/load.ts';
import { isInstalled } from '../measuring/machine.ts';
import { type Compared, plainGoal, type Report, type Row, ratioGoal } from '../measuring/report.ts';
import { nginx, type Server, startServer } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, type Tree, turned } from './bench.ts';
import { checkRecorded, connections, linesIn } from './redirects.ts';

/** Links of each case: so many that 2,000 domains have one each. */
const links = 2_000;
const sharedHost = browserHeaders.Host;
const slack = 0.03;
const mostBytes = 1_000;

/** How visitors come: each connection for one host, or every request for another. */
type Manner = 'a host each connection' | 'another host each request';

interface Case {
  readonly name: string;
  readonly domains: number;
  readonly manner: Manner;
  readonly requests: Requests;
}

interface Contender {
  readonly name: string;
  readonly server: Server;
  readonly tree: string | undefined;
  readonly recorded: () => number;
  readonly loads: Map<Case, Load[]>;
  answered: number;
  rounds: number;
  wrong: string | undefined;
}

function hostOf(domains: number, index: number): string {
  return domains === 0 ? sharedHost : `d${index % domains}.of-${domains}.example.com`;
}

function caseOf(codes: readonly string[], domains: number, manner: Manner): Case {
  const what = domains === 0 ? 'shared host' : domains === 1 ? '1 domain' : `${number(domains)} domains`;
  const { Host: _host, ...headers } = browserHeaders;
  const paths = codes.map((code) => `/${code}`);
  const hosts = codes.map((_, index) => hostOf(domains, index));
  const hostsOn = manner === 'a host each connection' ? 'connections' : 'requests';
  return {
    name: `${what}, ${manner}`,
    domains,
    manner,
    requests: { headers, paths, hosts, hostsOn },
  };
}

/** Redirects of links on domains, beside those of the shared host, in the same rounds and by the same load. */
export async function measureDomains(bench: Bench): Promise<readonly Report[]> {
  if (!isInstalled('wrk', '-v') || bench.options.load === 'autocannon')
    return [emptyReport('Only wrk asks for many hosts: nothing was measured.')];
  const { options, load } = bench;
  const { rounds, seconds, warmUpSeconds } = options.pace;
  const codes = firstTree(bench).many.hotCodes.slice(0, links);
  const cases = [
    ...[0, 1, 200, 2_000].map((domains) => caseOf(codes, domains, 'another host each request')),
    ...[0, 200, 2_000].map((domains) => caseOf(codes, domains, 'a host each connection')),
  ];
  const { contenders, bytes } = await startContenders(bench, codes, cases);
  const step = bench.steps('domains', contenders.length * (1 + rounds * cases.length));

  const run = async (contender: Contender, { requests }: Case, long: number): Promise<Load> => {
    const measured = await load(requests, { server: contender.server, connections, seconds: long });
    contender.answered += measured.answered;
    contender.rounds += 1;
    if (measured.failed > 0) contender.wrong ??= `${contender.name}: ${measured.failed} requests failed.`;
    await checkRecorded(contender);
    return measured;
  };

  for (const contender of contenders) {
    step(`warming up ${contender.name}`);
    for (const one of cases) await run(contender, one, Math.ceil(warmUpSeconds / cases.length));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const one of turned(cases, round)) {
      for (const contender of turned(contenders, round)) {
        step(`round ${round + 1} of ${rounds}, ${one.name}, ${contender.name}`);
        contender.loads.get(one)?.push(await run(contender, one, seconds));
      }
    }
  }
  for (const { server } of contenders) await server.stop();
  return [reportOf(contenders, cases, bytes)];
}

async function startContenders(bench: Bench, codes: readonly string[], cases: readonly Case[]) {
  const { cores, trees, dir } = bench;
  const contenders: Contender[] = [];
  let bytes = Number.NaN;
  const add = async (
    program: Parameters<typeof startServer>[0],
    given: Pick<Contender, 'tree' | 'recorded'>,
  ): Promise<void> => {
    const server = await startServer(program, [cores.server]);
    const loads = new Map(cases.map((one) => [one, []]));
    // The first answer came to startServer.
    contenders.push({
      name: program.name,
      server,
      loads,
      answered: 1,
      rounds: 0,
      wrong: undefined,
      ...given,
    });
  };
  for (const tree of trees) {
    const program = await linkfoldOn(bench, tree);
    const counts = new Set(cases.map(({ domains }) => domains).filter((count) => count > 0));
    bytes = (await addDomains(tree, program.database, codes, [...counts])) ?? bytes;
    const before = clicksIn(program.database);
    await add(program, { tree: tree.name, recorded: () => clicksIn(program.database) - before });
  }
  if (isInstalled('nginx', '-v')) {
    const program = await nginx('nginx', { dir, codes });
    await add(program, { tree: undefined, recorded: linesIn(program.accessLog) });
  }
  return { contenders, bytes };
}

/**
 * Adds domains to a database, and the same codes on them. A version from before domains answers them at any host.
 * @returns bytes of memory for a domain that is visited
 */
async function addDomains(
  tree: Tree,
  path: string,
  codes: readonly string[],
  counts: readonly number[],
): Promise<number | undefined> {
  const hosts = counts.flatMap((count) => Array.from({ length: count }, (_, at) => hostOf(count, at)));
  const spaces = await domainsIn(tree.dir, path, hosts);
  if (spaces === undefined) return undefined;
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    'INSERT INTO codes (key, account_id, link_row, live) SELECT ? || key, account_id, link_row, 1 FROM codes WHERE key = ?',
  );
  database.exec('BEGIN');
  for (const count of counts)
    for (const [index, code] of codes.entries()) insert.run(spaces.get(hostOf(count, index)) ?? '', code);
  database.exec('COMMIT');
  database.close();
  return bytesPerHost(tree.dir, path, hosts);
}

/** Memory that storage takes for each host that visitors have asked for. */
async function bytesPerHost(tree: string, path: string, hosts: readonly string[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const { openStorage } = (await import(
    `${tree}/src/storage/open.ts`
  )) as typeof import('../../src/storage/open.ts');
  const storage = await openStorage(`sqlite:${path}`);
  try {
    // Code and statements are there before.
    await storage.findHost(hosts[0] ?? '');
    const before = used();
    for (const host of hosts)
      if ((await storage.findHost(host)) === undefined) throw new Error(`${host} is not found.`);
    return (used() - before) / hosts.length;
  } finally {
    await storage.close();
  }
}

function emptyReport(note: string): Report {
  return { topic: 'domains', title: 'Domains', columns: [''], rows: [], notes: [note] };
}

const cpuOf = (load: Load): number => load.cpuUs;
const rateOf = (load: Load): number => load.perSecond;

function reportOf(contenders: readonly Contender[], cases: readonly Case[], bytes: number): Report {
  const [ours] = contenders;
  const base = contenders.find(({ tree }) => tree === undefined);
  const of = (contender: Contender | undefined, one: Case | undefined, get: (load: Load) => number) =>
    (one === undefined ? [] : (contender?.loads.get(one) ?? [])).map(get);
  const rows = cases.map((one): Row => {
    const shared = cases.find(({ domains, manner }) => domains === 0 && manner === one.manner);
    const cpu = of(ours, one, cpuOf);
    const rate = spreadOf(of(ours, one, rateOf));
    const ofNginx = pairedRatio(of(ours, one, rateOf), of(base, one, rateOf)).median;
    const ofShared = pairedRatio(cpu, of(ours, shared, cpuOf)).median;
    const measured = {
      what: `redirects, ${one.name}: CPU µs`,
      ours: number(median(cpu)),
      beside: `shared host ${number(median(of(ours, shared, cpuOf)))}`,
    };
    return {
      name: one.name,
      cells: [spread(rate), ratio(ofNginx), number(median(cpu)), ratio(ofShared)],
      goals: one.domains === 0 ? [] : [ratioGoal(measured, ofShared, ['≤', 1 + slack])],
      figures: { perSecond: rate, ofNginx, cpuUs: median(cpu), ofShared },
    };
  });
  const memory = { what: 'memory of a visited domain', ours: `${number(bytes)} bytes` };
  rows.push({
    name: 'memory of a visited domain',
    cells: [`${number(bytes)} bytes`, '', '', ''],
    goals: [plainGoal(memory, bytes, ['≤', mostBytes], 'bytes')],
    figures: { bytes },
  });
  return {
    topic: 'domains',
    title: `Domains: a browser's headers, ${connections} connections, ${number(links)} links, all on the shared host, on 1, 200 and 2,000 domains`,
    columns: ['per second', '÷ nginx', 'CPU µs', '÷ shared host'],
    rows,
    notes: ['nginx answers at any host. A host each connection: 16 hosts at a time, drawn for each load.'],
    wrong: contenders.flatMap(({ wrong }) => wrong ?? []),
    compared: contenders.flatMap(({ tree, loads }) =>
      tree === undefined
        ? []
        : cases.flatMap((one): Compared[] => {
            const all = loads.get(one) ?? [];
            return [
              { tree, what: `${one.name}: per second`, better: 'more', rounds: all.map(rateOf) },
              { tree, what: `${one.name}: CPU µs`, better: 'less', rounds: all.map(cpuOf) },
            ];
          }),
    ),
  };
}
