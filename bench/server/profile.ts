import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pin } from '../measuring/cores.ts';
import { number } from '../measuring/figures.ts';
import { browserHeaders, type Load } from '../measuring/load.ts';
import { type CpuTime, type Thread, threadCpuOf, threadsOf } from '../measuring/process.ts';
import { clearSteps } from '../measuring/progress.ts';
import { say, sayTable } from '../measuring/report.ts';
import { monotonicMs, type Span } from '../measuring/samples.ts';
import { type Server, startServer } from '../measuring/servers.ts';
import { type Bench, linkfoldOn, type Tree } from './bench.ts';
import { connections } from './redirects.ts';

/**
 * Prints the processor time of a redirect: by thread, user and kernel, as counted by the system; and of the main thread
 * by source file, from a V8 profile, which slows it down and therefore uses a separate run.
 */
export async function sayProfile(bench: Bench): Promise<void> {
  const seconds = 2 * bench.options.pace.seconds;
  const step = bench.steps('profile', 2 * bench.trees.length);
  for (const tree of bench.trees) {
    step(`${tree.name}, by thread`);
    const threads = await measureThreads(bench, tree, seconds);
    step(`${tree.name}, by source file`);
    const profiled = await measureFiles(bench, tree, seconds);
    clearSteps();
    sayThreads(tree, threads);
    sayFiles(profiled.files, threads.mainUs, profiled.slowdown(threads.load));
  }
}

interface Run {
  readonly load: Load;
  readonly span: Span;
}

async function visit(bench: Bench, tree: Tree, server: Server, seconds: number): Promise<Run> {
  const paths = tree.many.hotCodes.map((code) => `/${code}`);
  const from = monotonicMs();
  const pressure = { server, connections, seconds };
  const load = await bench.load({ headers: browserHeaders, paths }, pressure);
  return { load, span: { from, to: monotonicMs() } };
}

interface ThreadShare {
  readonly name: string;
  readonly userUs: number;
  readonly kernelUs: number;
}

/** Returns the processor time per thread for one redirect, µs. */
async function measureThreads(bench: Bench, tree: Tree, seconds: number) {
  const server = await startServer(await linkfoldOn(bench, tree), [bench.cores.server]);
  await visit(bench, tree, server, bench.options.pace.warmUpSeconds);
  const threads = threadsOf(server.pid);
  const usedBy = ({ id }: Thread): CpuTime => threadCpuOf(server.pid, id);
  const before = threads.map(usedBy);
  const { load } = await visit(bench, tree, server, seconds);
  const shares = threads.map((thread, index): ThreadShare => {
    const [then, now] = [before[index] ?? usedBy(thread), usedBy(thread)];
    const each = (of: keyof CpuTime): number => (1_000 * (now[of] - then[of])) / load.answered;
    return { name: nameOf(thread, server), userUs: each('userMs'), kernelUs: each('kernelMs') };
  });
  await server.stop();
  const main = shares[0] ?? { userUs: Number.NaN, kernelUs: Number.NaN };
  return { load, shares: summed(shares), mainUs: main.userUs + main.kernelUs };
}

function nameOf({ id, name }: Thread, { pid }: Server): string {
  return id === pid
    ? 'main thread'
    : name === 'linkfold-writer'
      ? 'writer thread'
      : 'others: compiler, collector';
}

function summed(shares: readonly ThreadShare[]): readonly ThreadShare[] {
  return [...Map.groupBy(shares, ({ name }) => name)].map(([name, same]) => ({
    name,
    userUs: same.reduce((sum, { userUs }) => sum + userUs, 0),
    kernelUs: same.reduce((sum, { kernelUs }) => sum + kernelUs, 0),
  }));
}

function sayThreads(tree: Tree, { load, shares }: Awaited<ReturnType<typeof measureThreads>>): void {
  const line = ({ name, userUs, kernelUs }: ThreadShare): string[] => [
    name,
    number(userUs),
    number(kernelUs),
    number(userUs + kernelUs),
    '',
  ];
  const total = summed(shares.map((share) => ({ ...share, name: 'all' })));
  say(
    `\n${tree.name}: one redirect with a browser's headers, at ${number(load.perSecond)}/s, in µs of processor time`,
  );
  sayTable([['', 'user', 'kernel', 'both', ''], ...shares.map(line), ...total.map(line)]);
}

/** V8's output: a call tree, and the current node at each tick. Times in µs. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface FileShare {
  readonly name: string;
  /** Share of the main thread's time, 0 to 1. */
  readonly share: number;
  /** The functions with most of it. */
  readonly most: string;
}

async function measureFiles(bench: Bench, tree: Tree, seconds: number) {
  const dir = join(bench.dir, `profile-${tree.name.replaceAll('/', '-')}`);
  mkdirSync(dir);
  const env = { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${dir}` };
  const server = await startServer(await linkfoldOn(bench, tree, { env }), [bench.cores.server]);
  // The profiler's own threads are as busy as the profiled ones.
  for (const { id, name } of threadsOf(server.pid)) if (name.startsWith('v8:Prof')) pin(id, bench.cores.load);
  await visit(bench, tree, server, bench.options.pace.warmUpSeconds);
  const { load, span } = await visit(bench, tree, server, seconds);
  await server.stop();
  // One file per thread: the main thread's has number 0.
  const file = readdirSync(dir).find((name) => /^CPU\.\d+\.\d+\.\d+\.0\./.test(name));
  if (file === undefined) throw new Error('Node wrote no profile of the main thread.');
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Profile;
  return {
    files: sharesIn(profile, span, tree),
    slowdown: (plain: Load): number => plain.perSecond / load.perSecond,
  };
}

const shownFunctions = 3;

/** Sums the ticks of a span by file. */
function sharesIn(profile: Profile, { from, to }: Span, tree: Tree): readonly FileShare[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const files = new Map<string, Map<string, number>>();
  let at = profile.startTime;
  let all = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const frame = frames.get(id);
    if (frame === undefined || at < 1_000 * from || at > 1_000 * to || frame.functionName === '(idle)')
      continue;
    const functions = files.getOrInsertComputed(fileOf(frame.url, frame.functionName, tree), () => new Map());
    const name = frame.functionName || '(anonymous)';
    functions.set(name, (functions.get(name) ?? 0) + delta);
    all += delta;
  }
  const byTime = (a: readonly [unknown, number], b: readonly [unknown, number]): number => b[1] - a[1];
  return [...files]
    .map(([name, functions]) => {
      const sum = [...functions.values()].reduce((total, time) => total + time, 0);
      const most = [...functions].sort(byTime).slice(0, shownFunctions);
      return { name, share: sum / all, most: most.map(([one]) => one).join(', ') };
    })
    .sort((a, b) => b.share - a.share);
}

/**
 * Returns our files by path, Node's by module; functions without a source are built in, and system calls belong to
 * their caller.
 */
function fileOf(url: string, functionName: string, tree: Tree): string {
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url);
    return path.startsWith(tree.dir)
      ? path.slice(tree.dir.length + 1).replace(/^node_modules\/([^/]+).*$/, '$1')
      : path;
  }
  if (url !== '') return url;
  if (functionName === '(garbage collector)') return 'garbage collection';
  return functionName === '(program)' ? 'outside of JavaScript' : `${functionName}, built in`;
}

const worthShowing = 0.005;

function sayFiles(files: readonly FileShare[], mainUs: number, slowdown: number): void {
  const shown = files.filter(({ share }) => share >= worthShowing);
  const rest =
    files.reduce((sum, { share }) => sum + share, 0) - shown.reduce((sum, { share }) => sum + share, 0);
  say('\n  the main thread by source file: share of the ticks, and as much of its µs');
  sayTable([
    ['', '%', 'µs', 'most of it in'],
    ...[...shown, { name: 'everything else', share: rest, most: '' }].map(({ name, share, most }) => [
      name,
      number(100 * share),
      number(mainUs * share),
      most,
    ]),
  ]);
  say(
    `  The profiler made the server ${number(slowdown)} times slower; shares are taken as they were under it.`,
  );
}
