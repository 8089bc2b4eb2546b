// How long it takes to find a link among a million, and the first page of each order: npm run bench:search -- --help
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type LinkSearch, linkSorts, orderOf, wordsOf } from '../../src/domain/links/link-search.ts';
import type { Storage } from '../../src/domain/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { startPostgres } from '../../test/support/postgres/postgres.ts';
import { number, quantile } from '../measuring/figures.ts';
import { say, sayTable } from '../measuring/report.ts';
import { workFolder } from '../measuring/work-folder.ts';

const usage = `npm run bench:search -- [options]

  --links N      size of the account; default 1,000,000
  --postgres     on PostgreSQL instead of SQLite
  --times N      searches of each kind; default 100
`;

const words =
  'spring summer autumn winter sale offer launch billboard newsletter product garden kitchen shoes jacket travel berlin paris london guide review news story video photo music event ticket price coupon member partner blog index detail archive category support contact career press team'.split(
    ' ',
  );
const codeLetters = '23456789bcdfghjkmnpqrstvwxyz';
const hosts = 2_000;
const rowsPerStep = 10_000;

/** Chance that is the same every time. */
function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Row = readonly [
  row: number,
  code: string,
  destination: string,
  title: string | null,
  description: string | null,
  clicks: number,
];

function* rows(links: number): Generator<Row> {
  const chance = createChance(1);
  const word = (): string => words[chance(words.length)] ?? '';
  const several = (count: number): string => Array.from({ length: count }, word).join(' ');
  for (let row = 1; row <= links; row += 1) {
    const code = Array.from({ length: 8 }, () => codeLetters[chance(28)]).join('');
    const host = `${words[chance(5)]}${Math.floor((chance(1_000) / 1_000) ** 3 * hosts)}.example`;
    const destination = `https://${host}/${word()}/${word()}-${word()}/${row}?utm_source=${word()}`;
    const title = chance(10) < 6 ? `${several(3)} ${row}` : null;
    const description = chance(10) < 2 ? several(8) : null;
    yield [row, code, destination, title, description, chance(3) === 0 ? 0 : chance(1_000)];
  }
}

interface Filling {
  readonly sql: (values: string) => readonly string[];
}

// Ids and times follow the rows.
const filling: Readonly<Record<'sqlite' | 'postgres', Filling>> = {
  sqlite: { sql: (values) => fillings(values, "unhex(printf('019000000000700080%014x', r))") },
  postgres: {
    sql: (values) => fillings(values, "decode('019000000000700080' || lpad(to_hex(r), 14, '0'), 'hex')"),
  },
};

function fillings(values: string, id: string): string[] {
  return [
    `INSERT INTO links (link_row, id, account_id, code, destination, title, description, expires_at, created_at, updated_at)
     SELECT r, ${id}, 1, code, destination, title, description, CASE WHEN r % 10 = 0 THEN r + 500000 END, r, r + r % 1000 FROM ${values}`,
    `INSERT INTO codes (key, account_id, link_row, live) SELECT code, 1, r, 1 FROM ${values} WHERE TRUE ON CONFLICT (key) DO NOTHING`,
    `INSERT INTO link_clicks (link_row, total, account_id, last_hour) SELECT r, clicks, 1, 500000 + clicks FROM ${values} WHERE clicks > 0`,
  ];
}

async function fill(links: number, insert: (chunk: readonly Row[]) => Promise<void>): Promise<void> {
  let chunk: Row[] = [];
  for (const row of rows(links)) {
    chunk.push(row);
    if (chunk.length < rowsPerStep && row[0] < links) continue;
    await insert(chunk);
    chunk = [];
  }
}

async function fillSqlite(path: string, links: number): Promise<void> {
  const database = new DatabaseSync(path);
  const columns = ['r', 'code', 'destination', 'title', 'description', 'clicks'];
  const values = `(SELECT ${columns.map((name, at) => `value ->> ${at} AS ${name}`).join(', ')} FROM json_each(?))`;
  const statements = filling.sqlite.sql(values).map((sql) => database.prepare(sql));
  await fill(links, async (chunk) => {
    database.exec('BEGIN');
    for (const statement of statements) statement.run(JSON.stringify(chunk));
    database.exec('COMMIT');
  });
  database.exec(`INSERT INTO link_counts VALUES (1, X'00', 0, ${links}), (1, X'01', 0, ${links})`);
  database.close();
}

async function fillPostgres(url: string, links: number): Promise<void> {
  const address = new URL(url);
  address.search = '';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  const values = `(SELECT (v ->> 0)::bigint AS r, v ->> 1 AS code, v ->> 2 AS destination, v ->> 3 AS title,
    v ->> 4 AS description, (v ->> 5)::bigint AS clicks FROM json_array_elements($1::json) v) AS made`;
  await fill(links, async (chunk) => {
    for (const sql of filling.postgres.sql(values)) await client.query(sql, [JSON.stringify(chunk)]);
  });
  await client.query(`INSERT INTO link_counts VALUES (1, '\\x00', 0, ${links}), (1, '\\x01', 0, ${links})`);
  await client.query(`SELECT setval(pg_get_serial_sequence('links', 'link_row'), ${links})`);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

const page: LinkSearch = {
  ...{ folder: { kind: 'all' }, words: [], sort: 'createdAt', order: 'desc', now: 1_000_000 },
  ...{ limit: 20, offset: 0, total: 'cheap' },
};

interface Kind {
  readonly name: string;
  readonly search: (chance: (below: number) => number) => LinkSearch;
}

function searching(text: string, more: Partial<LinkSearch> = {}): LinkSearch {
  return { ...page, words: wordsOf(text), ...more };
}

function kindsFor(links: number): readonly Kind[] {
  const all = [...rows(1_000)];
  const some = (chance: (below: number) => number): Row => all[chance(all.length)] as Row;
  const word = (chance: (below: number) => number): string => words[chance(words.length)] ?? '';
  return [
    { name: 'a code', search: (chance) => searching(some(chance)[1]) },
    { name: 'part of a code', search: (chance) => searching(some(chance)[1].slice(1, 6)) },
    { name: 'two letters', search: (chance) => searching(some(chance)[1].slice(0, 2)) },
    { name: 'a number in a path', search: (chance) => searching(`/${chance(links)}`) },
    { name: 'a common word', search: (chance) => searching(word(chance)) },
    { name: 'two words', search: (chance) => searching(`${word(chance)} ${word(chance)}`) },
    { name: 'a word and a number', search: (chance) => searching(`${word(chance)} ${chance(links)}`) },
    { name: 'part of an address', search: (chance) => searching(some(chance)[2].slice(8, 30)) },
    { name: 'what no link has', search: (chance) => searching(`${word(chance)}xq`) },
    { name: 'a word, by clicks', search: (chance) => searching(word(chance), { sort: 'clicks' }) },
    { name: 'a host', search: (chance) => ({ ...page, host: new URL(some(chance)[2]).host }) },
    ...linkSorts.map((sort) => ({
      name: `first page by ${sort}`,
      search: () => ({ ...page, sort, order: orderOf(sort, undefined) }),
    })),
  ];
}

/** What searches and pages take, ms, through the storage that a server has. */
async function measure(storage: Storage, links: number, times: number): Promise<void> {
  const chance = createChance(7);
  const every: number[] = [];
  const table: string[][] = [['', 'p50 ms', 'p99 ms', 'max ms', 'found']];
  const rowOf = (name: string, taken: readonly number[], found: number): string[] => [
    ...[name, ...[0.5, 0.99, 1].map((share) => number(quantile(taken, share)))],
    number(found / taken.length),
  ];
  for (const { name, search } of kindsFor(links)) {
    const taken: number[] = [];
    let found = 0;
    await storage.findLinks(1, search(chance));
    for (let time = 0; time < times; time += 1) {
      const asked = search(chance);
      const began = performance.now();
      found += (await storage.findLinks(1, asked)).links.length;
      taken.push(performance.now() - began);
    }
    if (!name.startsWith('first page')) every.push(...taken);
    table.push(rowOf(name, taken, found));
  }
  const deep: number[] = [];
  let behind: LinkSearch['behind'];
  for (let time = 0; time < 20 * times; time += 1) {
    const began = performance.now();
    const { last } = await storage.findLinks(1, { ...page, sort: 'clicks', limit: 100, behind });
    deep.push(performance.now() - began);
    behind = last ?? undefined;
  }
  const half = deep.length / 2;
  table.push(rowOf('pages of 100 by clicks, the first half', deep.slice(0, half), 0));
  table.push(rowOf('… and the second', deep.slice(half), 0));
  table.push(rowOf('all searches', every, 0));
  sayTable(table);
}

async function takeIn(storage: Storage): Promise<void> {
  const slices: number[] = [];
  const began = performance.now();
  for (let more = true; more; ) {
    const from = performance.now();
    more = await storage.indexLinks(250);
    slices.push(performance.now() - from);
  }
  say(
    `Taken in within ${number((performance.now() - began) / 1_000)} s; a slice of 250 links p50 ${number(quantile(slices, 0.5))} ms, p99 ${number(quantile(slices, 0.99))} ms, max ${number(quantile(slices, 1))} ms.`,
  );
}

const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '1000000' },
    postgres: { type: 'boolean', default: false },
    times: { type: 'string', default: '100' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) say(usage);
else {
  const links = Number(values.links);
  await using stack = new AsyncDisposableStack();
  const path = join(workFolder(), 'search.db');
  let url = `sqlite:${path}`;
  if (values.postgres) {
    const server = await startPostgres({ settings: { fsync: 'on' } });
    stack.defer(() => server.end());
    url = server.url();
  }
  const empty = await openStorage(url);
  await empty.createAccount('bench', 1);
  await empty.close();
  say(`Making ${number(links)} links …`);
  await (values.postgres ? fillPostgres(url, links) : fillSqlite(path, links));
  const storage = await openStorage(url);
  stack.defer(() => storage.close());
  await takeIn(storage);
  await measure(storage, links, Number(values.times));
}
