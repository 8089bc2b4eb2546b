import { addValue, type Bench } from '../harness/bench.ts';
import { clicksIn } from '../harness/database.ts';
import { cpuByThread, sleep } from '../harness/process.ts';
import type { Series, Table } from '../harness/report.ts';
import { codesOf, endServers, linkfold, nginx, type Program, startServer } from '../harness/server.ts';
import { number } from '../harness/statistics.ts';
import { loadWithWrk } from '../harness/wrk.ts';
import { crowdOf } from './crowd.ts';

const windowSeconds = 10;
const crowdLinks = 2_000;
const foldedWithinMs = 120_000;
const goals = {
  'worst p99 ms': { value: 3 },
  'CPU µs': { value: 17, ratio: 1.43 },
  'best ÷ worst window': { value: 1.1 },
  MB: { value: 220 },
};

interface Subject extends Series {
  readonly program: Program & { readonly database?: string };
}

/**
 * Measures the CPU time of all threads, the steadiness of the rate, and memory. The load runs for several minutes. The
 * CPU time includes the work that continues after the load until all clicks are in columns.
 */
export async function measureSustained(bench: Bench): Promise<readonly Table[]> {
  const subjects: Subject[] = [];
  for (const tree of bench.trees) {
    const program = await linkfold(bench, tree, { env: { TRUST_PROXY: '1' } });
    subjects.push({ contender: tree.name, against: { contender: 'nginx' }, goals, values: {}, program });
  }
  subjects.push({ contender: 'nginx', values: {}, program: await nginx(bench) });
  const [notes, errors]: [string[], string[]] = [[], []];
  for (const subject of subjects) {
    const { byThread, lost } = await measureOne(bench, subject);
    await endServers('SIGTERM');
    notes.push(`${subject.contender}, CPU µs by thread: ${byThread.join(', ')}`);
    if (lost > 0) errors.push(`${subject.contender} did not store ${lost} clicks.`);
  }
  const title = `Visits by a crowd for ${bench.options.sustained} s, until all clicks are in columns`;
  return [{ part: 'sustained', title, series: subjects, notes, errors }];
}

/** Measures one server. @returns CPU time by thread, and the number of lost clicks */
async function measureOne(bench: Bench, subject: Subject) {
  const { database } = subject.program;
  const visits = crowdOf(codesOf(bench).slice(0, crowdLinks));
  const clicksBefore = database === undefined ? 0 : clicksIn(database).all;
  const server = await startServer(bench, subject.program);
  const [threadsBefore, before] = [cpuByThread(server.pid), server.cpuMs()];
  // V8 compiles code in the first seconds. These seconds are included in the CPU time, but not in the rates.
  const windows = [await loadWithWrk(bench, server, visits, bench.options.pace.warmUpSeconds)];
  for (let from = 0; from < bench.options.sustained; from += windowSeconds)
    windows.push(await loadWithWrk(bench, server, visits, windowSeconds));
  const answered = windows.reduce((sum, one) => sum + one.answered, 0);
  const steady = windows.slice(1).map(({ values }) => values);
  const rates = steady.map((values) => values['requests/s']);
  for (const rate of rates) addValue(subject, 'visits/s', rate);
  addValue(subject, 'worst p99 ms', Math.max(...steady.map((values) => values['p99 ms'])));
  addValue(subject, 'best ÷ worst window', Math.max(...rates) / Math.min(...rates));
  addValue(subject, 'MB', server.memoryMb());
  const ended = performance.now();
  const rest = () => {
    const { all, unfolded } = database === undefined ? { all: answered, unfolded: 0 } : clicksIn(database);
    return { lost: answered - (all - clicksBefore), unfolded };
  };
  for (let { lost, unfolded } = rest(); lost > 0 || unfolded > 0; { lost, unfolded } = rest()) {
    if (performance.now() - ended > foldedWithinMs) break;
    await sleep(250);
  }
  if (database !== undefined) addValue(subject, 'folded after s', (performance.now() - ended) / 1_000);
  addValue(subject, 'CPU µs', (1_000 * (server.cpuMs() - before)) / answered);
  addValue(subject, 'MB later', server.memoryMb());
  const byThread = [...cpuByThread(server.pid)].map(
    ([name, ms]) => `${name} ${number((1_000 * (ms - (threadsBefore.get(name) ?? 0))) / answered)}`,
  );
  return { byThread, lost: rest().lost };
}
