import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, measureInRounds } from '../harness/bench.ts';
import { monotonicMs, ranMsOf, sleep, threadsOf } from '../harness/process.ts';
import type { Table } from '../harness/report.ts';
import { linkfold, runCommand, type Server, startServer } from '../harness/server.ts';
import { durationOf, startVisits, type Visits } from '../harness/visits.ts';
import { writeImportFile } from './import-file.ts';

// Visits per second. This is well below the core's capacity. At full load, a long queue would hide the delay caused by
// other work.
const rate = 10_000;
const connections = 64;
// Maximum duration of the redirects. They end after this time even if a command hangs.
const maxSeconds = 300;
const settleMs = 2_000;
const maxImported = 10_000;
const alone = 'without other work';
// `folding ÷` is the p99 while clicks are being folded, divided by the p99 at other times.
const goals = { 'p99 ms': { ratio: 2 }, 'folding ÷': { value: 2 } };

/**
 * A command that runs at the same time as the redirects. It runs on the server's core if it does the work in its own
 * process.
 */
interface Work {
  readonly core: 'server' | 'load';
  readonly command: (file: string) => readonly string[];
}

const works: Readonly<Record<string, Work | undefined>> = {
  [alone]: undefined,
  'during an import': { core: 'load', command: (file) => ['import', 'apply', file] },
  'during an export of links': {
    core: 'load',
    command: (file) => ['links', 'export', '--format', 'ndjson', '--out', file],
  },
  'during a backup': { core: 'server', command: (file) => ['db', 'backup', `${file}.backup`] },
};

/** Measures redirects at a constant rate, alone and while the service does other work. */
export async function measureMixed(bench: Bench): Promise<readonly Table[]> {
  const subjects = [];
  for (const tree of bench.trees) {
    const server = await startServer(bench, await linkfold(bench, tree));
    for (const [name, work] of Object.entries(works)) {
      const series = { contender: tree.name, case: name, against: { case: alone }, goals, values: {} };
      subjects.push({ ...series, tree, server, work });
    }
  }
  const errors: string[] = [];
  let imports = 0;
  await measureInRounds(bench, 'mixed', subjects, async (subject, seconds) => {
    const { tree, server, work } = subject;
    const file = join(bench.dir, 'mixed');
    imports += 1;
    const imported = Math.min(bench.options.links, maxImported);
    writeImportFile(file, `mixed-${imports}`, imported, imported);
    const visits = startVisits(bench, server, { connections, version: '1.1', rate, seconds: maxSeconds });
    await sleep(settleMs);
    const from = monotonicMs();
    const stopWatching = watchWriter(server);
    if (work === undefined) await sleep(1_000 * Math.max(3, seconds));
    else await runCommand(bench, { tree, server, core: work.core }, work.command(file));
    const [hasWriterRun, to] = [stopWatching(), monotonicMs()];
    await sleep(settleMs);
    const { samples, failed } = await visits.stop();
    rmSync(`${file}.backup`, { force: true });
    if (failed > 0) errors.push(`${failed} visits to ${subject.contender} failed ${subject.case}.`);
    const during = samples.filter(([at]) => at >= from && at < to);
    const values = { 'p99 ms': durationOf(during, 0.99), 'p50 ms': durationOf(during, 0.5) };
    if (work !== undefined) return { ...values, 'took s': (to - from) / 1_000 };
    const { true: folding = [], false: others = [] } = Object.groupBy(
      during,
      (one) => `${hasWriterRun(one)}`,
    );
    return { ...values, 'folding ÷': durationOf(folding, 0.99) / durationOf(others, 0.99) };
  });
  const title = `Redirects, ${rate.toLocaleString('en')} a second over ${connections} connections, during other work`;
  return [{ part: 'mixed', title, series: subjects, errors }];
}

const worthMs = 0.05;

/**
 * Checks every millisecond whether the writer thread is running. Without other work, this thread only folds clicks.
 * @returns a function that stops the checks and returns a predicate: true if the thread ran during the sample
 */
function watchWriter({ pid }: Server): () => (sample: Visits['samples'][number]) => boolean {
  const writer = threadsOf(pid).find(({ name }) => name === 'writer')?.id ?? pid;
  const ranAt = new Set<number>();
  let ran = ranMsOf(pid, writer);
  const timer = setInterval(() => {
    const now = ranMsOf(pid, writer);
    if (now - ran > worthMs) ranAt.add(Math.floor(monotonicMs()));
    ran = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return ([at, ms]) => {
      for (let moment = Math.floor(at); moment <= at + ms; moment += 1) if (ranAt.has(moment)) return true;
      return false;
    };
  };
}
