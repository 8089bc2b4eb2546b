import { type Bench, linkfoldOn, turned } from './bench.ts';
import { clicksIn } from './database.ts';
import { median, number, ratio, spread, spreadOf } from './figures.ts';
import { browserHeaders, type Load, onlyHost, type Requests } from './load.ts';
import { isInstalled } from './machine.ts';
import { atLeast, type Report, type Row } from './report.ts';
import { baseline, nginx, type Program, type Server, sleep, startServer } from './servers.ts';

const connections = 64;
// The applier brings a round's clicks to storage within a second; the next server's round waits until it has.
const applyMs = 1_300;
const wantedOfHttp = 0.6;

interface Contender {
  readonly program: Program;
  readonly server: Server;
  /** The database in which the clicks must be found; undefined for those that do not count. */
  readonly database: string | undefined;
  readonly clicksBefore: number;
  readonly loads: Record<keyof typeof visitors, Load[]>;
  answered: number;
  rounds: number;
}

const visitors = { browser: browserHeaders, 'only Host': onlyHost };
const kinds = Object.keys(visitors) as (keyof typeof visitors)[];

const httpName = 'bare node:http';
const nginxLogName = 'nginx, access log';

/** Redirects a second, every click journaled, beside servers that do less. */
export const measureRedirects = async (bench: Bench): Promise<readonly Report[]> => {
  const { options, many, load, tell } = bench;
  const paths = many.hotCodes.map((code) => `/${code}`);
  const requests: Record<string, Requests> = {};
  for (const kind of kinds) requests[kind] = { headers: visitors[kind], paths };
  const contenders = await start(bench);

  const run = async (contender: Contender, kind: (typeof kinds)[number], seconds: number): Promise<Load> => {
    const measured = await load(requests[kind] as Requests, {
      ...{ server: contender.server, connections, seconds },
    });
    contender.answered += measured.answered;
    contender.rounds += 1;
    if (contender.database !== undefined) await sleep(applyMs);
    return measured;
  };

  for (const contender of contenders) {
    tell(`redirects: warming up ${contender.program.name}`);
    await run(contender, 'browser', options.pace.warmUpSeconds);
  }
  for (let round = 0; round < options.pace.rounds; round += 1) {
    // The second kind of visitor says little new: every other round.
    for (const kind of round % 2 === 0 ? kinds : kinds.slice(0, 1)) {
      for (const contender of turned(contenders, round)) {
        tell(`redirects: round ${round + 1} of ${options.pace.rounds}, ${kind}, ${contender.program.name}`);
        contender.loads[kind].push(await run(contender, kind, options.pace.seconds));
      }
    }
  }
  for (const { server } of contenders) await server.stop();
  const notes = contenders.flatMap(countedSentence);
  return kinds.map((kind) => reportOf(bench, contenders, kind, kind === 'browser' ? notes : []));
};

const start = async (bench: Bench): Promise<readonly Contender[]> => {
  const { dir, many, cores, trees } = bench;
  const programs: (Program & { database?: string })[] = [];
  for (const tree of trees) {
    programs.push(await linkfoldOn(bench, tree, many));
    const env = { CLICK_DURABILITY: 'strict' };
    programs.push(await linkfoldOn(bench, tree, many, env, `${tree.name}, strict`));
  }
  const codes = many.hotCodes;
  programs.push(await baseline(httpName, 'baseline-http.ts', { dir, codes }));
  if (isInstalled('nginx', '-v')) {
    programs.push(await nginx(nginxLogName, { dir, codes, accessLog: true }));
    programs.push(await nginx('nginx, no log', { dir, codes, accessLog: false }));
  }
  const contenders: Contender[] = [];
  for (const program of programs) {
    const { database } = program;
    const server = await startServer(program, [cores.server]);
    const clicksBefore = database === undefined ? 0 : clicksIn(database);
    // The first answer came to startServer.
    const loads = { browser: [], 'only Host': [] };
    contenders.push({ program, server, database, clicksBefore, loads, answered: 1, rounds: 0 });
  }
  return contenders;
};

/** Clicks stored against requests answered; those in flight when a load ends are stored and not seen. */
const countedSentence = ({
  program,
  database,
  clicksBefore,
  answered,
  rounds,
}: Contender): readonly string[] => {
  if (database === undefined) return [];
  const stored = clicksIn(database) - clicksBefore;
  const extra = stored - answered;
  const whole = extra >= 0 && extra <= rounds * connections;
  const verdict = whole
    ? `every one, and ${extra} in flight when the ${rounds} loads ended`
    : `WRONG by ${extra}, where 0 to ${rounds * connections} may have been in flight`;
  return [
    `${program.name}: ${stored.toLocaleString('en')} clicks stored of ${answered.toLocaleString('en')} answered redirects: ${verdict}.`,
  ];
};

const reportOf = (
  bench: Bench,
  contenders: readonly Contender[],
  kind: (typeof kinds)[number],
  notes: readonly string[],
): Report => {
  const rateOf = (name: string): number =>
    median(
      contenders.find(({ program }) => program.name === name)?.loads[kind].map((load) => load.perSecond) ??
        [],
    );
  const http = rateOf(httpName);
  const withLog = rateOf(nginxLogName);
  const rows = contenders.map(({ program, database, loads }): Row => {
    const rate = spreadOf(loads[kind].map((load) => load.perSecond));
    const p50 = median(loads[kind].map((load) => load.p50));
    const p99 = spreadOf(loads[kind].map((load) => load.p99));
    const failed = loads[kind].reduce((sum, load) => sum + load.failed, 0);
    const busy = (core: 'server' | 'load'): string =>
      number(100 * median(loads[kind].map((load) => load.busy[core])));
    const ofHttp = rate.median / http;
    const ofNginx = rate.median / withLog;
    const cpuUs = median(loads[kind].map((load) => load.cpuUs));
    const rules = database !== undefined && kind === 'browser' && !program.env?.['CLICK_DURABILITY'];
    return {
      name: program.name,
      cells: [
        ...[spread(rate), number(p50), spread(p99), ratio(ofHttp), ratio(ofNginx)],
        ...[number(cpuUs), `${busy('server')}/${busy('load')}`, String(failed)],
      ],
      goal: rules ? atLeast(wantedOfHttp, ofHttp, '0.60 of node:http') : undefined,
      figures: { perSecond: rate, p50, p99, ofHttp, ofNginx, cpuUs, failed },
    };
  });
  const without = Number.isNaN(withLog) ? ['nginx is not installed: no rows for it.'] : [];
  const headers = kind === 'browser' ? "a browser's 11 headers" : 'only a Host header';
  return {
    topic: `redirects, ${kind}`,
    title: `Redirects: ${headers}, ${connections} connections, ${bench.many.hotCodes.length.toLocaleString('en')} of ${bench.many.links.toLocaleString('en')} links`,
    columns: ['per second', 'p50 ms', 'p99 ms', '÷ node:http', '÷ nginx+log', 'CPU µs', 'busy %', 'failed'],
    rows,
    notes: [...without, ...notes],
  };
};
