import { join } from 'node:path';
import { clicksIn } from '../measuring/database.ts';
import { median, pairedRatio } from '../measuring/figures.ts';
import { browserHeaders } from '../measuring/load.ts';
import { perSecond, type Report, ratioGoal } from '../measuring/report.ts';
import {
  columns,
  connections,
  measureInTurn,
  missingOf,
  type Run,
  ratesOf,
  rowOf,
  startNode,
} from './node.ts';

const wantedOfSqlite = 0.95;

const clicksOnPostgres = `
  SELECT (SELECT COALESCE(SUM(total), 0) FROM link_clicks)
    + (SELECT COALESCE(SUM(clicks), 0) FROM recent_clicks) AS clicks`;

/** A node on PostgreSQL with every link in memory beside the same node on SQLite. */
export async function measureRedirects(run: Run): Promise<Report> {
  const { dataset, database } = run;
  const before = await database.number(clicksOnPostgres);
  const onPostgres = await startNode(run, 'PostgreSQL');
  const onSqlite = await startNode(run, 'SQLite');
  const paths = dataset.hotCodes.map((code) => `/${code}`);
  await measureInTurn(run, [onPostgres, onSqlite], { headers: browserHeaders, paths });
  const wrong = [
    ...(await missingOf(
      onPostgres,
      'clicks',
      async () => (await database.number(clicksOnPostgres)) - before,
    )),
    ...(await missingOf(
      onSqlite,
      'clicks',
      async () => clicksIn(join(onSqlite.dataDir, 'linkfold.db')) - dataset.clicks,
    )),
  ];
  for (const { server } of [onPostgres, onSqlite]) await server.stop();
  const [ours, theirs] = [ratesOf(onPostgres), ratesOf(onSqlite)];
  const measured = {
    what: 'redirects on PostgreSQL, in memory',
    ours: perSecond(median(ours)),
    beside: `SQLite ${perSecond(median(theirs))}`,
  };
  const goal = ratioGoal(measured, pairedRatio(ours, theirs).median, ['≥', wantedOfSqlite]);
  return {
    topic: 'redirects',
    title: `Redirects: a browser's headers, ${connections} connections, ${paths.length.toLocaleString('en')} links, all in memory`,
    columns,
    rows: [rowOf('PostgreSQL', onPostgres, [goal]), rowOf('SQLite', onSqlite)],
    notes: ['The node is on one core; the load and PostgreSQL share the other.'],
    wrong,
  };
}
