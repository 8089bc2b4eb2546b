import { clicksIn, unfoldedClicksIn } from '../measuring/database.ts';
import { median, number, ratio } from '../measuring/figures.ts';
import type { Load } from '../measuring/load.ts';
import { isInstalled } from '../measuring/machine.ts';
import { cpuByThread } from '../measuring/process.ts';
import { type Goal, plainGoal, type Report, type Row, ratioGoal } from '../measuring/report.ts';
import { nginx, type Program, sleep, startServer } from '../measuring/servers.ts';
import { crowdOf } from '../measuring/visitors.ts';
import { type Bench, firstTree, linkfoldOn } from './bench.ts';
import { connections } from './redirects.ts';

const windowSeconds = 10;
const crowdLinks = 2_000;
const foldedWithinMs = 120_000;
const wanted = { cpuUs: 17, ofNginx: 0.7, evenness: 0.9, p99: 3, memory: 220, settled: 150 };

/** Results of a server under load, until all of its clicks are in statistics. */
interface Run {
  readonly name: string;
  readonly tree: string | undefined;
  readonly windows: readonly Load[];
  /** Processor time of all threads per visit, µs. */
  readonly cpuUs: number;
  /** The same by thread name. */
  readonly threads: ReadonlyMap<string, number>;
  /** From the end of the load until all clicks are in columns, s. */
  readonly foldedAfter: number;
  /** Resident memory, MB: at the end of the load, and later. */
  readonly memory: number;
  readonly settled: number;
  readonly wrong: string | undefined;
}

/** Measures minutes of visits: processor time of all threads until every click is in statistics, steadiness, memory. */
export async function measureSustained(bench: Bench): Promise<readonly Report[]> {
  const { trees, options, dir } = bench;
  const tree = firstTree(bench);
  const codes = tree.many.hotCodes.slice(0, crowdLinks);
  const { heads, paths } = crowdOf(codes);
  const visits = { headers: {}, heads, paths };
  const windows = Math.ceil(options.sustained.seconds / windowSeconds);
  const step = bench.steps('sustained', (trees.length + 1) * windows);
  const runs: Run[] = [];
  for (const one of trees) {
    const program = await linkfoldOn(bench, one, { env: { TRUST_PROXY: '1' } });
    runs.push(await runOf(bench, program, { tree: one.name, windows, visits, step }));
  }
  const base = isInstalled('nginx', '-v')
    ? await runOf(bench, await nginx('nginx', { dir, codes }), { windows, visits, step })
    : undefined;
  return [reportOf(bench, runs, base)];
}

interface Given {
  readonly tree?: string;
  readonly windows: number;
  readonly visits: Parameters<Bench['load']>[0];
  readonly step: (step: string) => void;
}

async function runOf(
  bench: Bench,
  program: Program & { readonly database?: string },
  given: Given,
): Promise<Run> {
  const { name, database } = program;
  const { settle } = bench.options.sustained;
  const before = database === undefined ? 0 : clicksIn(database);
  const server = await startServer(program, [bench.cores.server]);
  const cpuBefore = server.cpuMs();
  const threadsBefore = cpuByThread(server.pid);
  // The API loads and code is compiled in the first seconds. They count for processor time, not for steadiness.
  const warmUp = await bench.load(given.visits, {
    server,
    connections,
    seconds: bench.options.pace.warmUpSeconds,
  });
  const loads: Load[] = [];
  for (let window = 0; window < given.windows; window += 1) {
    given.step(`${name}, window ${window + 1} of ${given.windows}`);
    loads.push(await bench.load(given.visits, { server, connections, seconds: windowSeconds }));
  }
  const memory = server.memory().resident;
  const answered = loads.reduce((sum, load) => sum + load.answered, warmUp.answered);
  const ended = performance.now();
  const missing = (): number => (database === undefined ? 0 : answered - (clicksIn(database) - before));
  while (database !== undefined && (missing() > 0 || unfoldedClicksIn(database) > 0)) {
    if (performance.now() - ended > foldedWithinMs) break;
    await sleep(250);
  }
  const foldedAfter = (performance.now() - ended) / 1_000;
  const cpuUs = (1_000 * (server.cpuMs() - cpuBefore)) / answered;
  const threads = new Map(
    [...cpuByThread(server.pid)].map(([thread, ms]) => [
      thread,
      (1_000 * (ms - (threadsBefore.get(thread) ?? 0))) / answered,
    ]),
  );
  const left = missing();
  const wrong = left > 0 ? `${name}: ${left} of ${answered} clicks are not stored.` : undefined;
  if (settle > 0) await sleep(Math.max(0, settle * 1_000 - (performance.now() - ended)));
  const settled = settle > 0 ? server.memory().resident : Number.NaN;
  await server.stop();
  return { name, tree: given.tree, windows: loads, cpuUs, threads, foldedAfter, memory, settled, wrong };
}

function reportOf(bench: Bench, runs: readonly Run[], base: Run | undefined): Report {
  const { name } = firstTree(bench);
  return {
    topic: 'sustained',
    title: `Sustained: a crowd's visits of ${crowdLinks.toLocaleString('en')} links for ${bench.options.sustained.seconds} s, until all clicks are in statistics`,
    columns: [
      'CPU µs',
      'nginx ÷',
      'per second',
      'worst ÷ best window',
      'p99 ms, worst',
      'folded after s',
      'MB',
      'MB later',
      'CPU µs by thread',
    ],
    rows: [...runs, ...(base === undefined ? [] : [base])].map((run) => rowOf(run, base, run.tree === name)),
    notes: [
      ...(base === undefined ? ['nginx is not installed: no row for it.'] : []),
      'CPU is of all threads, from the start of the load until every click is in columns.',
    ],
    wrong: runs.flatMap(({ wrong }) => wrong ?? []),
    compared: runs.flatMap(({ tree, cpuUs, memory }) =>
      tree === undefined
        ? []
        : [
            { tree, what: 'sustained: CPU µs', better: 'less', rounds: [cpuUs] },
            { tree, what: 'sustained: memory', better: 'less', rounds: [memory] },
          ],
    ),
  };
}

function rowOf(run: Run, base: Run | undefined, isJudged: boolean): Row {
  const rates = run.windows.map(({ perSecond }) => perSecond);
  const evenness = Math.min(...rates) / Math.max(...rates);
  const p99s = run.windows.map(({ p99 }) => p99);
  const worst = Math.max(...p99s);
  const ofNginx = base === undefined ? Number.NaN : base.cpuUs / run.cpuUs;
  const threads = [...run.threads].map(([thread, us]) => `${thread} ${number(us)}`).join(', ');
  const reference = base === undefined ? 'no nginx here' : `nginx ${number(base.cpuUs)} µs`;
  const goals: Goal[] = [
    plainGoal(
      { what: 'a visit, all in', ours: `${number(run.cpuUs)} µs`, reference },
      run.cpuUs,
      ['≤', wanted.cpuUs],
      'µs',
    ),
    ratioGoal({ what: '… nginx ÷ it', ours: ratio(ofNginx), reference }, ofNginx, ['≥', wanted.ofNginx]),
    ratioGoal({ what: '… worst ÷ best window', ours: ratio(evenness) }, evenness, ['≥', wanted.evenness]),
    plainGoal({ what: '… p99, worst window', ours: `${number(worst)} ms` }, worst, ['≤', wanted.p99], 'ms'),
    plainGoal(
      { what: '… memory after it', ours: `${number(run.memory)} MB` },
      run.memory,
      ['≤', wanted.memory],
      'MB',
    ),
    ...(Number.isNaN(run.settled)
      ? []
      : [
          plainGoal(
            { what: '… and later', ours: `${number(run.settled)} MB` },
            run.settled,
            ['≤', wanted.settled],
            'MB',
          ),
        ]),
  ];
  return {
    name: run.name,
    cells: [
      number(run.cpuUs),
      ratio(ofNginx),
      number(median(rates)),
      ratio(evenness),
      number(worst),
      number(run.foldedAfter),
      number(run.memory),
      Number.isNaN(run.settled) ? '' : number(run.settled),
      threads,
    ],
    goals: isJudged ? goals : [],
    figures: {
      cpuUs: run.cpuUs,
      ofNginx,
      rates,
      p99s,
      memory: run.memory,
      settled: run.settled,
      threads: [...run.threads],
    },
  };
}
