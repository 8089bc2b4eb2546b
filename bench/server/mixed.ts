import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinnedTo } from '../measuring/cores.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders } from '../measuring/load.ts';
import { threadsOf } from '../measuring/process.ts';
import {
  type Goal,
  ms,
  perSecond,
  plainGoal,
  type Report,
  type Row,
  ratioGoal,
} from '../measuring/report.ts';
import {
  monotonicMs,
  p99Of,
  partedBy,
  type Sample,
  type Span,
  samplesIn,
  watchThread,
  within,
} from '../measuring/samples.ts';
import { type Server, sleep, startServer } from '../measuring/servers.ts';
import type { SteadyTask } from '../measuring/steady.ts';
import { type Bench, linkfoldOn, type Tree, turned } from './bench.ts';
import { createsBy } from './creates.ts';

// Well below the core's capacity: a full core would show the queue length instead of what delays what.
const redirectsPerSecond = 10_000;
const createsPerSecond = 2_000;
const connections = 64;
const wantedRatio = 2;
const settleMs = 1_000;
// Maximum duration of a round, even if a server hangs, ms.
const maxRoundSeconds = 120;

/** The other work, and the case its p99 is compared with. */
const cases = {
  alone: { name: 'alone', against: undefined },
  quiet: { name: '… while the applier rests', against: undefined },
  applier: { name: '… while the applier runs', against: 'quiet' },
  creates: { name: 'while links are created', against: 'alone' },
  backup: { name: 'while a backup runs', against: 'alone' },
} as const;
type Case = keyof typeof cases;
const caseNames = Object.keys(cases) as Case[];

interface Measured {
  readonly tree: Tree;
  /** By round. */
  readonly p50: Record<Case, number[]>;
  readonly p99: Record<Case, number[]>;
  readonly creates: number[];
  readonly backupMs: number[];
  failed: number;
}

/** Measures the latency of a constant stream of redirects, alone and during other work of the service. */
export async function measureMixed(bench: Bench): Promise<readonly Report[]> {
  const rounds = bench.options.pace.fewRounds;
  const none = (): Record<Case, number[]> => ({ alone: [], quiet: [], applier: [], creates: [], backup: [] });
  const subjects: { readonly server: Server; readonly dataDir: string; readonly measured: Measured }[] = [];
  for (const tree of bench.trees) {
    const program = await linkfoldOn(bench, tree);
    const server = await startServer(program, [bench.cores.server]);
    const measured = { tree, p50: none(), p99: none(), creates: [], backupMs: [], failed: 0 };
    subjects.push({ server, dataDir: dirname(program.database), measured });
  }
  const step = bench.steps('mixed', rounds * subjects.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, dataDir, measured } of turned(subjects, round)) {
      step(`round ${round + 1} of ${rounds}, ${measured.tree.name}`);
      await runRound(bench, server, dataDir, measured, round);
    }
  }
  for (const { server } of subjects) await server.stop();
  return [reportOf(subjects.map(({ measured }) => measured))];
}

/** Runs one stream of redirects with, in turn: nothing else, creates, a backup. */
async function runRound(
  bench: Bench,
  server: Server,
  dataDir: string,
  measured: Measured,
  round: number,
): Promise<void> {
  const { load, options, dir } = bench;
  const { tree } = measured;
  const seconds = Math.max(3, options.pace.seconds);
  const stream = startStream(bench, server, tree);
  const writer = threadsOf(server.pid).find(({ name }) => name === 'linkfold-writer');
  let applied: readonly Span[] = [];

  const during: Record<'alone' | 'creates' | 'backup', () => Promise<unknown>> = {
    alone: async () => {
      const stop = writer === undefined ? () => [] : watchThread(server.pid, writer.id);
      await sleep(1_000 * seconds);
      applied = stop();
    },
    creates: async () => {
      const pressure = { server, connections, seconds, rate: createsPerSecond };
      const { perSecond: made, failed } = await load(createsBy(tree.many.key), pressure);
      measured.creates.push(made);
      measured.failed += failed;
    },
    backup: async () => {
      const file = join(dir, `backup-${tree.name.replaceAll('/', '-')}.db`);
      measured.backupMs.push(await backUp(bench, tree, dataDir, file));
      rmSync(file);
    },
  };
  const spans = new Map<Case, Span>();
  await sleep(2 * settleMs);
  for (const name of turned(['alone', 'creates', 'backup'] as const, round)) {
    const from = monotonicMs();
    await during[name]();
    spans.set(name, { from, to: monotonicMs() });
    await sleep(settleMs);
  }
  const { samples, failed } = await stream.stop();
  measured.failed += failed;
  const keep = (name: Case, own: readonly Sample[]): void => {
    measured.p50[name].push(median(own.map((sample) => sample.ms)));
    measured.p99[name].push(p99Of(own));
  };
  for (const [name, span] of spans) keep(name, within(samples, span));
  const parted = partedBy(within(samples, spans.get('alone') ?? { from: 0, to: 0 }), applied);
  keep('quiet', parted.besides);
  keep('applier', parted.during);
}

/** Starts the stream on the load's core. */
function startStream(bench: Bench, server: Server, tree: Tree) {
  const dir = mkdtempSync(join(bench.dir, 'steady-'));
  const samples = join(dir, 'samples');
  const task: SteadyTask = {
    port: Number(new URL(server.url).port),
    connections,
    samples,
    rate: redirectsPerSecond,
    seconds: maxRoundSeconds,
    headers: browserHeaders,
    paths: tree.many.hotCodes.map((code) => `/${code}`),
  };
  writeFileSync(join(dir, 'task.json'), JSON.stringify(task));
  const script = [join(import.meta.dirname, '..', 'measuring', 'steady.ts'), join(dir, 'task.json')];
  const child = spawn(...pinnedTo([bench.cores.load], process.execPath, script), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    async stop(): Promise<{ samples: readonly Sample[]; failed: number }> {
      child.kill('SIGTERM');
      await ended;
      const { failed } = JSON.parse(output) as { failed: number };
      const seen = samplesIn(samples);
      rmSync(dir, { recursive: true });
      return { samples: seen, failed };
    },
  };
}

/** Runs `linkfold db backup` on the server's core. @returns the duration, ms */
async function backUp(bench: Bench, tree: Tree, dataDir: string, file: string): Promise<number> {
  const command = join(tree.dir, 'bin', 'linkfold');
  const start = performance.now();
  const child = spawn(...pinnedTo([bench.cores.server], command, ['db', 'backup', file]), {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The backup failed:\n${complaint}`);
  return performance.now() - start;
}

function reportOf(all: readonly Measured[]): Report {
  const first = all[0] as Measured;
  const rows = all.flatMap((measured) => caseNames.map((name) => rowOf(measured, name, measured === first)));
  return {
    topic: 'mixed',
    title: `Redirects during other work: ${number(redirectsPerSecond)} redirects/s on ${connections} connections`,
    columns: ['p50 ms', 'p99 ms', 'p99 ÷ without', 'reached'],
    rows,
    notes: [
      'The applier: redirects without other work, split by whether the applier ran at the time.',
      ...all.filter(({ failed }) => failed > 0).map(({ tree, failed }) => `${tree.name}: ${failed} failed.`),
    ],
    compared: all.flatMap(({ tree, p99, p50 }) =>
      (['alone', 'applier', 'creates', 'backup'] as const).flatMap((name) => [
        { tree: tree.name, what: `redirects ${cases[name].name}: p50`, better: 'less', rounds: p50[name] },
        { tree: tree.name, what: `redirects ${cases[name].name}: p99`, better: 'less', rounds: p99[name] },
      ]),
    ),
  };
}

function rowOf(measured: Measured, name: Case, ruled: boolean): Row {
  const { tree, p50, p99, creates, backupMs } = measured;
  const { against } = cases[name];
  const times = spreadOf(p99[name]);
  const p50Ms = median(p50[name]);
  const grown = against === undefined ? Number.NaN : pairedRatio(p99[name], p99[against]).median;
  const reached =
    name === 'creates'
      ? `${perSecond(median(creates))} created`
      : name === 'backup'
        ? `${number(median(backupMs) / 1_000)} s`
        : '';
  const without = against === undefined ? '' : ms(median(p99[against]));
  const what = `redirect p99 ${cases[name].name.replace('… ', '')}`;
  const goals: Goal[] = [];
  if (ruled && against !== undefined) {
    goals.push(
      ratioGoal({ what, ours: ms(times.median), reference: `without ${without}` }, grown, ['≤', wantedRatio]),
    );
    // Valid only if the links were really created: a server that starves creates has a good p99.
    const made = median(creates);
    if (name === 'creates')
      goals.push(
        plainGoal(
          { what: '… created meanwhile', ours: perSecond(made) },
          made,
          ['≥', 0.95 * createsPerSecond],
          '/s',
        ),
      );
  }
  return {
    name: `${tree.name}: ${cases[name].name}`,
    cells: [number(p50Ms), spread(times), ratio(grown), reached],
    goals,
    figures: { p50: p50Ms, p99: times, grown, creates: median(creates), backupMs: median(backupMs) },
  };
}
