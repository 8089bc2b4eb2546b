import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres/postgres.ts';
import type { Bench, Tree } from '../harness/bench.ts';
import { copyDatabase } from '../harness/database.ts';
import { sleep } from '../harness/process.ts';
import type { Series, Table } from '../harness/report.ts';
import { codesOf, linkfold, runCommand, startServer } from '../harness/server.ts';
import { createsBy, loadWithWrk } from '../harness/wrk.ts';
import { crowdOf } from './crowd.ts';

// Settings as in production, but with syncs disabled. Syncs do not affect sizes.
const settings = { shared_buffers: '1GB', max_wal_size: '16GB', checkpoint_timeout: '1h' };
const foldedWithinMs = 150_000;

type Run = (
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Measures the size of rows, index entries and write-ahead log on PostgreSQL, in bytes, using a copy of the database.
 */
export async function measureSizes(bench: Bench): Promise<readonly Table[]> {
  const [tree] = bench.trees;
  if (tree === undefined) return [];
  const postgres = await startPostgres({ settings });
  const url = postgres.url('postgres', { durability: 'unchecked' });
  const client = new pg.Client({ connectionString: url });
  try {
    const copy = join(bench.dir, 'sizes.db');
    copyDatabase(tree.many, copy);
    await runCommand(bench, { tree, core: 'load' }, ['db', 'copy', `sqlite:${copy}`, url]);
    await client.connect();
    const run: Run = async (sql, values = []) => (await client.query(sql, [...values])).rows;
    await run('VACUUM ANALYZE');
    const sizes = await run(relationSizes);
    const log = await measureLog(bench, tree, run, url);
    await run('SELECT pg_stat_force_next_flush()');
    return [
      tableOf(`Sizes on PostgreSQL with ${tree.many.links.toLocaleString('en')} links`, sizes),
      tableOf('Bytes of write-ahead log, right after a checkpoint and without full pages', log),
      tableOf('Updates meanwhile; HOT ones change no index', await run(updates)),
    ];
  } finally {
    await client.end();
    await postgres.end();
  }
}

const relationSizes = `
  SELECT c.relname AS name, c.reltuples AS rows, pg_relation_size(c.oid) / 1e6 AS "MB",
    pg_relation_size(c.oid) / c.reltuples AS "bytes each"
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
  WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind IN ('r', 'i') AND c.reltuples >= 100
  ORDER BY pg_total_relation_size(coalesce(i.indrelid, c.oid)) DESC, c.relkind DESC, c.relname`;
const updates = `
  SELECT relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_del AS deleted,
    100.0 * n_tup_hot_upd / n_tup_upd AS "% HOT"
  FROM pg_stat_user_tables WHERE n_tup_upd > 100 ORDER BY relname`;
const unfolded = `
  SELECT (SELECT count(*) FROM recent_clicks) + (SELECT count(*) FROM click_batches WHERE layout < 100) AS rows`;

/** Returns a table for rows that have a name and numbers. */
function tableOf(title: string, rows: readonly Readonly<Record<string, unknown>>[]): Table {
  const series = rows.map(({ name, ...figures }): Series => {
    const values = Object.entries(figures).map(([metric, value]) => [metric, [Number(value)]]);
    return { contender: String(name), values: Object.fromEntries(values) };
  });
  return { part: 'sizes', title, series };
}

/**
 * Measures how many bytes a created link and a click add to the write-ahead log. The maximum is measured right after a
 * checkpoint, when the first change to each page logs the full page. The minimum is measured without logging full
 * pages. The real value is in between and depends on the checkpoint interval.
 */
async function measureLog(bench: Bench, tree: Tree, run: Run, url: string) {
  const server = await startServer(
    bench,
    await linkfold(bench, tree, { env: { DATABASE_URL: url, TRUST_PROXY: '1' } }),
  );
  const bytesOf = async (pages: 'on' | 'off', work: () => Promise<number>): Promise<number> => {
    await run(`ALTER SYSTEM SET full_page_writes = ${pages}`);
    await run('SELECT pg_reload_conf()');
    await run('CHECKPOINT');
    const [before] = await run('SELECT pg_current_wal_insert_lsn() AS at');
    const count = await work();
    const sql = 'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes';
    const [after] = await run(sql, [before?.['at']]);
    return Number(after?.['bytes']) / count;
  };
  const { seconds } = bench.options.pace;
  const create = async () => (await loadWithWrk(bench, server, createsBy(tree.many.key), seconds)).answered;
  const visit = async () => {
    const { answered } = await loadWithWrk(bench, server, crowdOf(codesOf(bench)), seconds);
    const deadline = performance.now() + foldedWithinMs;
    // Gives the server time to apply the last clicks.
    await sleep(2_000);
    while (Number((await run(unfolded))[0]?.['rows']) > 0 && performance.now() < deadline) await sleep(500);
    return answered;
  };
  const works = { 'a link created': create, 'a click, until it is in the statistics': visit };
  const rows = [];
  for (const [name, work] of Object.entries(works))
    rows.push({ name, most: await bytesOf('on', work), least: await bytesOf('off', work) });
  await server.stop();
  return rows;
}
