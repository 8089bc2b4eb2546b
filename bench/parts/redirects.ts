import type { Bench } from '../harness/bench.ts';
import { clicksIn } from '../harness/database.ts';
import { type Loaded, measureLoads } from '../harness/loads.ts';
import type { Table } from '../harness/report.ts';
import { linkfold, nginx } from '../harness/server.ts';
import { connections, visitsOf } from '../harness/wrk.ts';

/** Linkfold's settings and goals for each part of the benchmark. */
const variants = {
  browser: { env: {}, goals: { 'requests/s': { ratio: 0.85 }, 'p99 ms': { ratio: 2 } } },
  strict: { env: { CLICK_DURABILITY: 'strict' }, goals: { 'requests/s': { ratio: 0.35 } } },
} as const;

/** Measures redirects with a browser's headers over keep-alive connections. Every click must be stored. */
export async function measureRedirects(bench: Bench): Promise<readonly Table[]> {
  const requests = visitsOf(bench);
  const contenders: Loaded[] = [];
  for (const part of ['browser', 'strict'] as const) {
    if (!bench.options.only.has(part)) continue;
    const { env, goals } = variants[part];
    for (const tree of bench.trees) {
      const program = await linkfold(bench, tree, { env });
      const stored = () => clicksIn(program.database).all;
      const series = {
        contender: tree.name,
        case: part,
        against: { contender: 'nginx', case: undefined },
        goals,
      };
      contenders.push({ ...series, program, requests, stored });
    }
  }
  contenders.push({ contender: 'nginx', program: await nginx(bench), requests });
  const title = `Redirects with a browser's 11 headers over ${connections} kept-alive connections; every click is stored`;
  return [await measureLoads(bench, 'redirects', title, contenders)];
}
