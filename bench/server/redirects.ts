import { readFileSync, truncateSync } from 'node:fs';
import { clicksIn } from '../measuring/database.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders, type Load, onlyHost } from '../measuring/load.ts';
import { isInstalled } from '../measuring/machine.ts';
import {
  type Compared,
  type Goal,
  ms,
  perSecond,
  type Report,
  type Row,
  ratioGoal,
} from '../measuring/report.ts';
import {
  baseline,
  freePort,
  nginx,
  type Program,
  type Server,
  sleep,
  startServer,
  tlsFiles,
} from '../measuring/servers.ts';
import type { Part } from '../options.ts';
import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';

export const connections = 64;

const visitors = {
  browser: browserHeaders,
  host: onlyHost,
  tls: browserHeaders,
  'tls-new': { ...browserHeaders, Connection: 'close' },
};
type Kind = keyof typeof visitors;
const kinds = Object.keys(visitors) as Kind[];
const isOverTls = (kind: Kind): boolean => kind === 'tls' || kind === 'tls-new';

/** Goals of a contender, by part of the benchmark. */
interface Wanted {
  readonly part: Part;
  readonly kind: Kind;
  readonly of: 'nginx' | 'bare node:http' | 'nginx over TLS';
  readonly ratio: number;
  readonly what: string;
}

type Way = 'as it is' | 'through node:http' | 'strict' | 'over TLS';

const wantedOf: Readonly<Record<Way, readonly Wanted[]>> = {
  'as it is': [
    { part: 'browser', kind: 'browser', of: 'nginx', ratio: 0.85, what: "redirects, a browser's headers" },
    { part: 'host', kind: 'host', of: 'nginx', ratio: 0.75, what: 'redirects, only Host' },
  ],
  'through node:http': [
    {
      part: 'node-http',
      kind: 'browser',
      of: 'bare node:http',
      ratio: 0.9,
      what: 'redirects through node:http',
    },
  ],
  strict: [
    { part: 'strict', kind: 'browser', of: 'nginx', ratio: 0.35, what: 'redirects, CLICK_DURABILITY=strict' },
  ],
  'over TLS': [
    {
      part: 'tls',
      kind: 'tls',
      of: 'nginx over TLS',
      ratio: 0.45,
      what: 'redirects over TLS, kept connections',
    },
    {
      part: 'tls',
      kind: 'tls-new',
      of: 'nginx over TLS',
      ratio: 0.45,
      what: 'redirects over TLS, a new connection each',
    },
  ],
};

const environmentOf: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  'as it is': {},
  'through node:http': { FAST_REDIRECTS: '0' },
  strict: { CLICK_DURABILITY: 'strict' },
  'over TLS': { TLS_CERT: tlsFiles.cert, TLS_KEY: tlsFiles.key },
};
const ways = Object.keys(wantedOf) as Way[];

const wantedP99Ratio = 2;

interface Contender {
  readonly name: string;
  readonly server: Server;
  /** The version; undefined for baselines. */
  readonly tree: string | undefined;
  readonly wanted: readonly Wanted[];
  /** Number of clicks recorded since its start; undefined for contenders that record none. */
  readonly recorded: (() => number) | undefined;
  readonly loads: Record<Kind, Load[]>;
  answered: number;
  rounds: number;
  wrong: string | undefined;
}

/** Measures redirects per second, with every click in the journal, compared with servers that do less. */
export async function measureRedirects(bench: Bench): Promise<readonly Report[]> {
  const { options, load } = bench;
  const { rounds, seconds, warmUpSeconds } = options.pace;
  const paths = firstTree(bench).many.hotCodes.map((code) => `/${code}`);
  const requests = {
    browser: { headers: visitors.browser, paths },
    host: { headers: visitors.host, paths },
    tls: { headers: visitors.tls, paths },
    'tls-new': { headers: visitors['tls-new'], paths },
  };
  const contenders = await startContenders(bench);
  const asked = kinds.flatMap((kind) => {
    const asking = contenders.filter((one) => isAsked(bench, one, kind));
    return asking.length === 0 ? [] : [{ kind, asking }];
  });
  const step = bench.steps(
    'redirects',
    contenders.length + rounds * asked.reduce((sum, { asking }) => sum + asking.length, 0),
  );

  const run = async (contender: Contender, kind: Kind, long: number): Promise<Load> => {
    const measured = await load(requests[kind], { server: contender.server, connections, seconds: long });
    contender.answered += measured.answered;
    contender.rounds += 1;
    await checkRecorded(contender);
    return measured;
  };

  for (const contender of contenders) {
    step(`warming up ${contender.name}`);
    await run(contender, 'browser', warmUpSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, asking } of asked) {
      for (const contender of turned(asking, round)) {
        step(`round ${round + 1} of ${rounds}, ${kind}, ${contender.name}`);
        contender.loads[kind].push(await run(contender, kind, seconds));
      }
    }
  }
  for (const { server } of contenders) await server.stop();
  const reports = asked.map(({ kind, asking }) => reportOf(bench, asking, kind));
  const checks = {
    notes: countedSentences(contenders),
    wrong: contenders.flatMap(({ wrong }) => wrong ?? []),
  };
  return reports.map((report, index) => (index === reports.length - 1 ? { ...report, ...checks } : report));
}

/** Baselines run whenever a contender is compared with them. */
function isAsked({ options }: Bench, { name, tree, wanted }: Contender, kind: Kind): boolean {
  if (tree === undefined && (name === 'nginx over TLS') !== isOverTls(kind)) return false;
  return tree === undefined
    ? ways.some((way) => wantedOf[way].some((one) => one.kind === kind && options.only.has(one.part)))
    : wanted.some((one) => one.kind === kind && options.only.has(one.part));
}

async function startContenders(bench: Bench): Promise<readonly Contender[]> {
  const { dir, cores, trees, options } = bench;
  const codes = firstTree(bench).many.hotCodes;
  const contenders: Contender[] = [];
  const begin = async (
    program: Program,
    given: Pick<Contender, 'tree' | 'wanted' | 'recorded'>,
  ): Promise<void> => {
    const server = await startServer(program, [cores.server]);
    const loads = { browser: [], host: [], tls: [], 'tls-new': [] };
    // startServer received the first response.
    const counts = { answered: 1, rounds: 0, wrong: undefined };
    contenders.push({ name: program.name, server, loads, ...counts, ...given });
  };

  for (const way of ways.filter((one) => wantedOf[one].some(({ part }) => options.only.has(part)))) {
    for (const tree of trees) {
      const name = way === 'as it is' ? tree.name : `${tree.name}, ${way}`;
      const tlsPort = way === 'over TLS' ? await freePort() : undefined;
      const env = { ...environmentOf[way], ...(tlsPort && { HTTPS_PORT: String(tlsPort) }) };
      const program = { ...(await linkfoldOn(bench, tree, { env, name })), tlsPort };
      const before = clicksIn(program.database);
      const recorded = () => clicksIn(program.database) - before;
      await begin(program, { tree: tree.name, wanted: wantedOf[way], recorded });
    }
  }
  const none = { tree: undefined, wanted: [], recorded: undefined };
  await begin(await baseline('bare node:http', 'http.ts', { dir, codes }), none);
  if (isInstalled('nginx', '-v')) {
    const program = await nginx('nginx', { dir, codes });
    await begin(program, { ...none, recorded: linesIn(program.accessLog) });
    if (options.only.has('tls')) {
      const overTls = await nginx('nginx over TLS', { dir, codes, tlsPort: await freePort() });
      await begin(overTls, { ...none, recorded: linesIn(overTls.accessLog) });
    }
  }
  return contenders;
}

/** Returns a function that counts new lines of a log. It empties the log each time to save disk space. */
export function linesIn(path: string): () => number {
  let lines = 0;
  return () => {
    const text = readFileSync(path);
    truncateSync(path);
    for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines += 1;
    return lines;
  };
}

const recordedWithinMs = 10_000;
const checkEveryMs = 200;

/** Compares recorded clicks with responses; those in flight when a load ends are not counted. */
export async function checkRecorded(
  contender: Pick<Contender, 'name' | 'recorded' | 'answered' | 'rounds' | 'wrong'>,
): Promise<void> {
  const { name, recorded, answered, rounds } = contender;
  if (recorded === undefined) return;
  const deadline = performance.now() + recordedWithinMs;
  let extra = recorded() - answered;
  while (extra < 0 && performance.now() < deadline) {
    await sleep(checkEveryMs);
    extra = recorded() - answered;
  }
  if (extra >= 0 && extra <= rounds * connections) return;
  contender.wrong ??= `${name} wrote ${answered + extra} clicks for ${answered} answers after ${rounds} loads.`;
}

function reportOf(bench: Bench, contenders: readonly Contender[], kind: Kind): Report {
  const named = (name: string): readonly Load[] =>
    contenders.find((one) => one.name === name)?.loads[kind] ?? [];
  const bases = {
    nginx: named('nginx'),
    'bare node:http': named('bare node:http'),
    'nginx over TLS': named('nginx over TLS'),
  };
  const tree = firstTree(bench);
  const rows = contenders.map(({ name, tree: version, wanted, loads }): Row => {
    const own = loads[kind];
    const rate = spreadOf(ratesOf(own));
    const p50 = median(own.map((load) => load.p50));
    const p99 = spreadOf(own.map((load) => load.p99));
    const ofHttp = pairedRatio(ratesOf(own), ratesOf(bases['bare node:http'])).median;
    const base = bases[isOverTls(kind) ? 'nginx over TLS' : 'nginx'];
    const ofNginx = pairedRatio(ratesOf(own), ratesOf(base)).median;
    const cpuUs = median(own.map((load) => load.cpuUs));
    const failed = own.reduce((sum, load) => sum + load.failed, 0);
    const busy = (core: 'server' | 'load'): string =>
      number(100 * median(own.map((load) => load.cores[core])));
    const goals = wanted
      .filter((one) => version === tree.name && one.kind === kind && bench.options.only.has(one.part))
      .flatMap((one) => goalsOf(one, own, bases[one.of]));
    return {
      name,
      cells: [
        spread(rate),
        number(p50),
        spread(p99),
        number(cpuUs),
        ratio(ofHttp),
        ratio(ofNginx),
        `${busy('server')}/${busy('load')}`,
        String(failed),
      ],
      goals,
      figures: { perSecond: rate, p50, p99, ofHttp, ofNginx, cpuUs, failed },
    };
  });
  const headers = {
    browser: "a browser's 11 headers",
    host: 'only a Host header',
    tls: "over TLS, a browser's 11 headers",
    'tls-new': "over TLS, a browser's 11 headers, a new connection each",
  }[kind];
  return {
    topic: `redirects, ${kind}`,
    title: `Redirects: ${headers}, ${connections} connections, ${tree.many.hotCodes.length.toLocaleString('en')} of ${tree.many.links.toLocaleString('en')} links`,
    columns: ['per second', 'p50 ms', 'p99 ms', 'CPU µs', '÷ node:http', '÷ nginx', 'busy %', 'failed'],
    rows,
    compared: contenders.flatMap((contender) => comparedOf(contender, kind)),
  };
}

function ratesOf(loads: readonly Load[]): readonly number[] {
  return loads.map((load) => load.perSecond);
}

function goalsOf(
  { what, of, ratio: bound, part }: Wanted,
  own: readonly Load[],
  base: readonly Load[],
): readonly Goal[] {
  const rate = (loads: readonly Load[]): string => perSecond(median(ratesOf(loads)));
  const besides = (text: string): string => (base.length === 0 ? `no ${of} here` : `${of} ${text}`);
  const rates = { what, ours: rate(own), reference: besides(rate(base)) };
  const goals = [ratioGoal(rates, pairedRatio(ratesOf(own), ratesOf(base)).median, ['≥', bound])];
  if (part !== 'browser') return goals;
  const p99s = (loads: readonly Load[]): readonly number[] => loads.map((load) => load.p99);
  const times = { what: '… p99', ours: ms(median(p99s(own))), reference: besides(ms(median(p99s(base)))) };
  return [...goals, ratioGoal(times, pairedRatio(p99s(own), p99s(base)).median, ['≤', wantedP99Ratio])];
}

/** Returns the totals of all rounds, for all redirect tables together. */
function countedSentences(contenders: readonly Contender[]): readonly string[] {
  const missing = contenders.some(({ name }) => name === 'nginx')
    ? []
    : ['nginx is not installed: no row for it.'];
  const counted = contenders.flatMap(({ name, recorded, answered, rounds, wrong }) =>
    recorded === undefined || wrong !== undefined
      ? []
      : [
          `${name}: after each of ${rounds} loads, every one of ${answered.toLocaleString('en')} answered redirects was written down.`,
        ],
  );
  return [...missing, ...counted];
}

function comparedOf({ tree, wanted, loads }: Contender, kind: Kind): readonly Compared[] {
  const what = wanted.find((one) => one.kind === kind)?.what;
  if (tree === undefined || what === undefined) return [];
  const rounds = (of: (load: Load) => number): readonly number[] => loads[kind].map(of);
  return [
    { tree, what: `${what}: per second`, better: 'more', rounds: rounds((load) => load.perSecond) },
    { tree, what: `${what}: CPU µs`, better: 'less', rounds: rounds((load) => load.cpuUs) },
    { tree, what: `${what}: p99`, better: 'less', rounds: rounds((load) => load.p99) },
  ];
}
