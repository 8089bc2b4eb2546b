import { type Bench, measureInRounds } from './bench.ts';
import { sleep } from './process.ts';
import type { Series, Table } from './report.ts';
import { type Program, startServer } from './server.ts';
import { connections, loadWithWrk, type Requests } from './wrk.ts';

/** A server to put under load, and the requests to send to it. */
export interface Loaded extends Omit<Series, 'values'> {
  readonly program: Program;
  readonly requests: Requests;
  /**
   * Returns the number of stored records, one per acknowledged request. Undefined for servers that store no records.
   */
  readonly stored?: () => number;
}

const storedWithinMs = 10_000;

/** Puts servers under load with wrk, in rounds. Checks that each server stored one record per response. */
export async function measureLoads(
  bench: Bench,
  part: string,
  title: string,
  contenders: readonly Loaded[],
): Promise<Table> {
  const errors: string[] = [];
  const subjects = [];
  for (const contender of contenders) {
    const before = contender.stored?.() ?? 0;
    const server = await startServer(bench, contender.program);
    subjects.push({ ...contender, values: {}, before, server, answered: 0, loads: 0 });
  }
  await measureInRounds(bench, part, subjects, async (subject, seconds) => {
    const load = await loadWithWrk(bench, subject.server, subject.requests, seconds);
    subject.answered += load.answered;
    subject.loads += 1;
    if (load.failed > 0) errors.push(`${load.failed} requests to ${subject.contender} failed.`);
    return load.values;
  });
  for (const { contender, stored, before, answered, loads } of subjects) {
    if (stored === undefined) continue;
    const since = () => stored() - before;
    const deadline = performance.now() + storedWithinMs;
    while (since() < answered && performance.now() < deadline) await sleep(200);
    const found = since();
    // Records are also stored for requests in flight when a load ends, and for the redirect that checked whether the
    // server was ready. The responses to these requests are not counted.
    if (found < answered || found > answered + loads * connections + 1)
      errors.push(`${contender} stored ${found} records for ${answered} responses in ${loads} load runs.`);
  }
  return { part, title, series: subjects, errors };
}
