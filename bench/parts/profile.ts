import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Tree } from '../harness/bench.ts';
import { cpuByThread, monotonicMs, pinThread, threadsOf } from '../harness/process.ts';
import { print, printRows } from '../harness/report.ts';
import { linkfold, startServer } from '../harness/server.ts';
import { number } from '../harness/statistics.ts';
import { loadWithWrk, visitsOf } from '../harness/wrk.ts';

/** A V8 profile: a call tree, and the current node at each tick. Times are in µs. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Prints a redirect's CPU time by thread, and the main thread's CPU time by source file. Profiling slows the server
 * down, so only the shares are meaningful.
 */
export async function printProfile(bench: Bench): Promise<void> {
  for (const [index, tree] of bench.trees.entries()) {
    const dir = join(bench.dir, `profile-${index}`);
    mkdirSync(dir);
    const env = { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${dir}` };
    const server = await startServer(bench, await linkfold(bench, tree, { env }));
    // Moves the profiler's own threads off the server's core, because they are as busy as the profiled threads.
    for (const { id, systemName } of threadsOf(server.pid))
      if (systemName.startsWith('v8:Prof')) pinThread(id, bench.cores.load);
    await loadWithWrk(bench, server, visitsOf(bench), bench.options.pace.warmUpSeconds);
    const [before, from] = [cpuByThread(server.pid), monotonicMs()];
    const { answered } = await loadWithWrk(bench, server, visitsOf(bench), 2 * bench.options.pace.seconds);
    const [after, to] = [cpuByThread(server.pid), monotonicMs()];
    await server.stop();
    print(`\n${tree.name}: CPU time of a redirect under the profiler, µs`);
    const usOf = ([name, ms]: [string, number]) => (1_000 * (ms - (before.get(name) ?? 0))) / answered;
    printRows([...after].map((thread) => [thread[0], number(usOf(thread)), '']));
    // Node writes one file per thread. The main thread's file has number 0.
    const file = readdirSync(dir).find((name) => /^CPU\.\d+\.\d+\.\d+\.0\./.test(name));
    if (file === undefined) throw new Error('Node wrote no profile of the main thread.');
    const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Profile;
    printRows([['main thread, by file', '%', 'most of it in'], ...fileRows(profile, from, to, tree)]);
  }
}

const shownFunctions = 3;
const worthShowing = 0.005;

/** Adds up the ticks' time by file. */
function fileRows(profile: Profile, from: number, to: number, tree: Tree): readonly string[][] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const files = new Map<string, Map<string, number>>();
  let at = profile.startTime;
  let all = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    if (at < 1_000 * from || at > 1_000 * to) continue;
    const functions = files.getOrInsertComputed(fileOf(frame.url, frame.functionName, tree), () => new Map());
    const name = frame.functionName || '(anonymous)';
    functions.set(name, (functions.get(name) ?? 0) + delta);
    all += delta;
  }
  return [...files]
    .map(([name, functions]) => {
      const share = [...functions.values()].reduce((total, time) => total + time, 0) / all;
      const most = [...functions].sort(([, a], [, b]) => b - a).slice(0, shownFunctions);
      return { name, share, most: most.map(([one]) => one).join(', ') };
    })
    .filter(({ share }) => share >= worthShowing)
    .sort((a, b) => b.share - a.share)
    .map(({ name, share, most }) => [name, number(100 * share), most]);
}

/**
 * Returns the path of a project file, or the module name of a Node function. Functions without a URL are built into the
 * runtime.
 */
function fileOf(url: string, functionName: string, { dir }: Tree): string {
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url);
    return path.startsWith(dir)
      ? path.slice(dir.length + 1).replace(/^node_modules\/([^/]+).*$/, '$1')
      : path;
  }
  if (url !== '') return url;
  if (functionName === '(garbage collector)') return 'garbage collection';
  return functionName === '(program)' ? 'outside JavaScript' : `${functionName}, built in`;
}
