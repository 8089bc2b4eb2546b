import { spread, spreadOf } from '../measuring/figures.ts';
import { browserHeaders } from '../measuring/load.ts';
import type { Report } from '../measuring/report.ts';
import { columns, forget, type Node, put, type Run, rowOf, startNode, warmUpSeconds } from './node.ts';

/** How many links are asked for, and how few of them are kept: next to none is still there when it is asked for again. */
const asked = 100_000;
const inMemory = 1_000;
const metricsToken = 'bench-cluster-metrics';

interface LookUps {
  readonly hits: number;
  readonly misses: number;
}

async function lookUpsOf({ server }: Node): Promise<LookUps> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const of = (name: string): number =>
    Number(new RegExp(`^linkfold_cache_${name}_total\\{cache="targets"\\} (\\d+)`, 'm').exec(text)?.[1]);
  return { hits: of('hits'), misses: of('misses') };
}

/** Redirects whose link is not in memory: each a look-up in PostgreSQL. */
export async function measureCold(run: Run): Promise<Report> {
  const env = { METRICS_TOKEN: metricsToken, LINKS_IN_MEMORY: String(inMemory) };
  const node = await startNode(run, 'PostgreSQL', { env });
  const codes = await run.database.texts(`SELECT key FROM codes ORDER BY md5(key) LIMIT ${asked}`);
  const requests = { headers: browserHeaders, paths: codes.map((code) => `/${code}`) };
  await put(run, node, requests, warmUpSeconds);
  forget(node);
  const shares: number[] = [];
  for (let round = 0; round < run.rounds; round += 1) {
    const before = await lookUpsOf(node);
    await put(run, node, requests);
    const after = await lookUpsOf(node);
    const missed = after.misses - before.misses;
    shares.push(missed / (missed + after.hits - before.hits));
  }
  await node.server.stop();
  const rate = spreadOf(node.loads.map(({ perSecond }, round) => perSecond * (shares[round] ?? Number.NaN)));
  const { name, cells, figures } = rowOf('PostgreSQL', node);
  return {
    topic: 'cold',
    title: `Cold misses: ${codes.length.toLocaleString('en')} links in random order, ${inMemory.toLocaleString('en')} in memory`,
    columns: ['misses/s', ...columns],
    rows: [{ name, cells: [spread(rate), ...cells], figures: { ...figures, misses: rate } }],
    notes: [`${(100 * spreadOf(shares).median).toFixed(1)} % of the look-ups asked the database.`],
  };
}
