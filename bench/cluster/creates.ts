import { join } from 'node:path';
import { linksIn } from '../measuring/database.ts';
import { pairedRatio, ratio, spread, spreadOf } from '../measuring/figures.ts';
import type { Report, Row } from '../measuring/report.ts';
import { createsBy } from '../server/creates.ts';
import {
  columns,
  connections,
  measureInTurn,
  missingOf,
  type Run,
  ratesOf,
  rowOf,
  seconds,
  startNode,
} from './node.ts';
import { createPgbench, hasPgbench } from './pgbench.ts';

/** As many connections as a node has, and as many as ask the node. */
const clientsOfPgbench = [10, connections] as const;

/** Links created a second, each durable before its answer, beside single rows that pgbench inserts. */
export async function measureCreates(run: Run): Promise<Report> {
  const { dataset, database, binaries, cores, rounds } = run;
  const before = await database.number('SELECT count(*) FROM links');
  const onPostgres = await startNode(run, 'PostgreSQL');
  const onSqlite = await startNode(run, 'SQLite');
  const nodes = [onPostgres, onSqlite];
  // What startServer was answered made no link.
  for (const node of nodes) node.answered = 0;
  const insert = hasPgbench(binaries) ? await createPgbench(database, binaries, run.dir) : undefined;
  const inserted = clientsOfPgbench.map((clients) => ({ clients, rates: [] as number[] }));
  await measureInTurn(run, nodes, createsBy(dataset.key), async () => {
    if (insert === undefined) return;
    for (const { clients, rates } of inserted)
      rates.push(await insert({ clients, seconds, core: cores.server }));
  });
  for (const { server } of nodes) await server.stop();
  const wrong = [
    ...(await missingOf(
      onPostgres,
      'links',
      async () => (await database.number('SELECT count(*) FROM links')) - before,
    )),
    ...(await missingOf(
      onSqlite,
      'links',
      async () => linksIn(join(onSqlite.dataDir, 'linkfold.db')).stored - dataset.links,
    )),
  ];
  const pgbench = inserted.map(({ clients, rates }): Row => {
    const rate = spreadOf(rates);
    const nothing = columns.slice(1).map(() => '');
    return {
      name: `pgbench, one INSERT, ${clients} connections`,
      cells: [spread(rate), ...nothing],
      figures: { perSecond: rate },
    };
  });
  const ratios = inserted.map(({ clients, rates }) => {
    const ours = ratio(pairedRatio(ratesOf(onPostgres), rates).median);
    return `${ours} of pgbench's inserts over ${clients} connections`;
  });
  return {
    topic: 'creates',
    title: `Creates: each durable before its answer, ${connections} connections to the node, ${rounds} rounds`,
    columns,
    rows: [
      rowOf('PostgreSQL', onPostgres),
      rowOf('SQLite', onSqlite),
      ...(insert === undefined ? [] : pgbench),
    ],
    notes: [
      insert === undefined
        ? 'MISSING: there is no pgbench here (Debian: apt-get install postgresql), so creates are held against nothing.'
        : `Creates on PostgreSQL are ${ratios.join(', and ')}.`,
    ],
    wrong,
  };
}
