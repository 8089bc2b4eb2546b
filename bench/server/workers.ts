import { availableParallelism } from 'node:os';
import { clicksIn } from '../measuring/database.ts';
import { median, number, pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders, type Load, type Requests } from '../measuring/load.ts';
import type { Report, Row } from '../measuring/report.ts';
import { type Server, sleep, startServer } from '../measuring/servers.ts';
import { type Bench, firstTree, linkfoldOn, turned } from './bench.ts';
import { createsBy } from './creates.ts';

const connections = 64;
const counts = [1, 2];
const recordedWithinMs = 5_000;

interface Subject {
  readonly workers: number;
  readonly server: Server;
  /** Clicks that were stored since it started. */
  readonly recorded: () => number;
  readonly redirects: Load[];
  readonly creates: Load[];
}

/**
 * Several workers against one, each with all cores, which the load takes its part of. What that part is stands beside the
 * figures: on two cores, two workers and the load have to share what one worker and the load have to themselves.
 */
export async function measureWorkers(bench: Bench): Promise<readonly Report[]> {
  const { options, load, cores } = bench;
  const { fewRounds, seconds, warmUpSeconds } = options.pace;
  const tree = firstTree(bench);
  const visits: Requests = { headers: browserHeaders, paths: tree.many.hotCodes.map((code) => `/${code}`) };
  const creates = createsBy(tree.many.key);
  const subjects: Subject[] = [];
  for (const workers of counts) {
    const program = await linkfoldOn(bench, tree, { env: { WORKERS: String(workers) } });
    const server = await startServer(program, cores.all);
    const before = clicksIn(program.database);
    const recorded = () => clicksIn(program.database) - before;
    subjects.push({ workers, server, recorded, redirects: [], creates: [] });
  }
  const step = bench.steps('workers', subjects.length * (fewRounds + 1));
  const run = (server: Server, requests: Requests, long: number): Promise<Load> =>
    load(requests, { server, connections, seconds: long });
  for (const { workers, server, redirects } of subjects) {
    step(`warming up ${workers}`);
    redirects.push(await run(server, visits, warmUpSeconds));
  }
  for (let round = 0; round < fewRounds; round += 1) {
    for (const { workers, server, redirects, creates: made } of turned(subjects, round)) {
      step(`round ${round + 1} of ${fewRounds}, ${workers}`);
      redirects.push(await run(server, visits, seconds));
      made.push(await run(server, creates, seconds));
    }
  }
  const wrong: string[] = [];
  for (const subject of subjects) {
    wrong.push(...(await lostClicks(subject)));
    subject.redirects.shift(); // the warming up
    await subject.server.stop();
  }
  return [{ ...reportOf(bench, subjects), wrong }];
}

async function lostClicks({ workers, redirects, recorded }: Subject): Promise<readonly string[]> {
  const answered = redirects.reduce((sum, load) => sum + load.answered, 0);
  const deadline = performance.now() + recordedWithinMs;
  while (recorded() < answered && performance.now() < deadline) await sleep(100);
  const stored = recorded();
  return stored >= answered ? [] : [`${workers} workers stored ${stored} clicks for ${answered} answers.`];
}

function reportOf(bench: Bench, subjects: readonly Subject[]): Report {
  const rates = (loads: readonly Load[]): readonly number[] => loads.map((one) => one.perSecond);
  const [alone] = subjects;
  const rows = subjects.map(({ workers, redirects, creates }): Row => {
    const of = (loads: readonly Load[], base: readonly Load[]) => {
      const rate = spreadOf(rates(loads));
      const against = pairedRatio(rates(loads), rates(base)).median;
      const cpuUs = median(loads.map((one) => one.cpuUs));
      const p99 = median(loads.map((one) => one.p99));
      // All cores were busy with the servers, with the load, or with nothing.
      const served = median(loads.map((one) => (one.cpuUs * one.perSecond) / 1e6));
      const busy = median(loads.map((one) => one.cores.server + one.cores.load));
      const failed = loads.reduce((sum, one) => sum + one.failed, 0);
      return { rate, against, cpuUs, p99, served, others: busy - served, failed };
    };
    const [visited, made] = [of(redirects, alone?.redirects ?? []), of(creates, alone?.creates ?? [])];
    const cells = [visited, made].flatMap(({ rate, against, p99, cpuUs, served, others }) => [
      ...[spread(rate), ratio(against), number(p99), number(cpuUs)],
      `${number(served)}/${number(others)}`,
    ]);
    const failed = visited.failed + made.failed;
    return {
      name: workers === 1 ? 'one process' : `${workers} workers`,
      cells: [...cells, String(failed)],
      figures: { redirects: visited, creates: made },
    };
  });
  const columns = ['per second', '÷ one', 'p99 ms', 'CPU µs', 'cores'];
  return {
    topic: 'workers',
    title: `Workers: redirects and creates, ${connections} connections, on ${bench.cores.all.length || availableParallelism()} cores that the load uses too`,
    columns: [
      ...columns.map((one) => `redirects ${one}`),
      ...columns.map((one) => `creates ${one}`),
      'failed',
    ],
    rows,
    notes: ['cores: how many of them the server had / everything else had, which is the load above all.'],
  };
}
