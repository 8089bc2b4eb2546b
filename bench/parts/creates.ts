import type { Bench } from '../harness/bench.ts';
import { linksIn } from '../harness/database.ts';
import { type Loaded, measureLoads } from '../harness/loads.ts';
import type { Table } from '../harness/report.ts';
import { bareFastify, linkfold } from '../harness/server.ts';
import { connections, createsBy } from '../harness/wrk.ts';

const bare = 'bare Fastify with one SQLite table';
const goals = { 'requests/s': { value: 8_000, ratio: 0.5 } };

/** Measures link creation. Each link is on disk before its response is sent. */
export async function measureCreates(bench: Bench): Promise<readonly Table[]> {
  const { links } = bench.options;
  const contenders: Loaded[] = [];
  for (const tree of bench.trees) {
    const program = await linkfold(bench, tree);
    const stored = () => linksIn(program.database);
    const series = { contender: tree.name, against: { contender: bare }, goals };
    contenders.push({ ...series, program, requests: createsBy(tree.many.key), stored });
  }
  const program = await bareFastify(bench, links);
  contenders.push({ contender: bare, program, requests: createsBy('') });
  const title = `Creates over ${connections} connections, with ${links.toLocaleString('en')} existing links; each is on disk before its response`;
  return [await measureLoads(bench, 'creates', title, contenders)];
}
