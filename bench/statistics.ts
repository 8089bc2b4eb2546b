// Statistics beside DuckDB: the same clicks, the same questions, one run: npm run bench:statistics -- --help
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bucketStarts } from '../src/statistics/buckets.ts';
import type { DayClicks } from '../src/statistics/columns/day-clicks.ts';
import type { Answer, Names, Query } from '../src/statistics/query.ts';
import { median, number, ratio } from './figures.ts';
import { say, sayTable } from './report.ts';
import { type ClicksInDuckdb, openDuckdb } from './statistics-duckdb.ts';
import { createSample, type Sample } from './statistics-sample.ts';
import { type ClicksInColumns, openColumns } from './statistics-store.ts';
import { workFolder } from './work-folder.ts';

const usage = `npm run bench:statistics -- [options]

  --clicks N    default 10,000,000, over a year
  --links N     by Zipf's law; default 100,000
  --rounds N    of each question; default 7
`;

const zone = 'Europe/Berlin';
const firstDay = Date.parse('2027-01-01') / 86_400_000;
const days = 365;
const msPerDay = 86_400_000;
/** DuckDB's file is at most so much larger than ours by the goals, and none of its answers faster. */
const goals = { bytes: 0.6, time: 1 };

const names: Names = {
  codeName: (_, code) => (code === 0 ? '' : String(code)),
  referrerKind: (host) => (host === '' ? '' : 'other'),
  folderOf: () => '',
};

interface Question {
  readonly name: string;
  readonly query: Omit<Query, 'buckets'>;
  /** Without it one bucket, as DuckDB is asked for no series either. */
  readonly interval?: 'day';
  readonly sql: string;
  /** What of an answer DuckDB was asked for too: clicks, and visitors where it counted them. */
  readonly check: readonly ('clicks' | 'visitors')[];
}

const whole = { from: firstDay * msPerDay, to: (firstDay + days) * msPerDay };
const month = { from: (firstDay + 200) * msPerDay, to: (firstDay + 230) * msPerDay };
/** Hashes of visitors change every day, so the same hash on two days is two. */
const visitors = 'count(DISTINCT ("at" // 86400)::UBIGINT * 4294967296 + visitor)';

function linkOverAMonth(link: number): Question {
  const seconds = `"at" >= ${month.from / 1_000} AND "at" < ${month.to / 1_000}`;
  return {
    name: `link ${link} over 30 days, by country, with visitors`,
    query: {
      ...month,
      groupBy: 'country',
      filters: [{ dimension: 'link', operator: 'is', links: new Set([link]) }],
    },
    sql: `SELECT country, count(*), ${visitors} FROM clicks WHERE link = ${link} AND ${seconds} GROUP BY country`,
    check: ['clicks'],
  };
}

const questions: readonly Question[] = [
  ...[1, 100, 10_000].map(linkOverAMonth),
  {
    name: 'account over a year, by country',
    query: { ...whole, groupBy: 'country', filters: [] },
    sql: 'SELECT country, count(*) FROM clicks GROUP BY country',
    check: ['clicks'],
  },
  {
    name: 'account over a year, by referrer',
    query: { ...whole, groupBy: 'referrer', filters: [] },
    sql: 'SELECT referrer, count(*) FROM clicks GROUP BY referrer',
    check: ['clicks'],
  },
  {
    name: 'account over a year, by day',
    interval: 'day',
    query: { ...whole, filters: [] },
    sql: 'SELECT "at" // 86400, count(*) FROM clicks GROUP BY 1',
    check: ['clicks'],
  },
  {
    name: 'country and device, by browser, with visitors, a year',
    query: {
      ...whole,
      groupBy: 'browser',
      filters: [
        { dimension: 'country', operator: 'is', values: ['2'] },
        { dimension: 'device', operator: 'is', values: ['1'] },
      ],
    },
    sql: `SELECT browser, count(*), ${visitors} FROM clicks WHERE country = 2 AND device = 1 GROUP BY browser`,
    check: ['clicks'],
  },
  {
    name: 'class and referrer, by campaign, with visitors, a year',
    query: {
      ...whole,
      groupBy: 'utmCampaign',
      filters: [
        { dimension: 'class', operator: 'is', values: [''] },
        { dimension: 'referrer', operator: 'is', values: ['site-1.example.com'] },
      ],
    },
    sql: `SELECT utmCampaign, count(*), ${visitors} FROM clicks WHERE class = 0 AND referrer = 'site-1.example.com' GROUP BY utmCampaign`,
    check: ['clicks'],
  },
  {
    name: 'visitors of country and device, a year',
    query: {
      ...whole,
      filters: [
        { dimension: 'country', operator: 'is', values: ['1', '2', '3'] },
        { dimension: 'device', operator: 'is-not', values: ['1'] },
      ],
    },
    sql: `SELECT 0, count(*), ${visitors} FROM clicks WHERE country IN (1, 2, 3) AND device <> 1`,
    check: ['clicks', 'visitors'],
  },
];

const { values: options } = parseArgs({
  options: {
    clicks: { type: 'string', default: '10000000' },
    links: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) say(usage);
else await main(Number(options.clicks), Number(options.links), Number(options.rounds));

async function main(clicks: number, links: number, rounds: number): Promise<void> {
  const folder = workFolder();
  const ours = openColumns(join(folder, 'columns.db'), names);
  const sample = createSample(links, 42);
  const duckdb = await openDuckdb(join(folder, 'clicks.duckdb'), sample.words);
  const perDay = Math.round(clicks / days);
  const cost = fill(ours, duckdb, sample, perDay);
  const bytes = { ours: ours.finish() / (perDay * days), duckdb: (await duckdb.finish()) / (perDay * days) };
  say(`${number(perDay * days)} clicks on ${number(links)} links, ${number(perDay)} a day, ${days} days`);
  say(`sealed and summed up in ${number(cost)} µs of processor time a click\n`);
  const lines = [];
  for (const question of questions) lines.push(await measure(question, ours, duckdb, rounds));
  sayTable([
    ['', 'Linkfold', 'CPU', 'DuckDB', 'CPU', 'ratio of CPU', 'goal'],
    [
      'bytes a click',
      number(bytes.ours),
      '',
      number(bytes.duckdb),
      '',
      ...judge(bytes.ours / bytes.duckdb, goals.bytes),
    ],
    ...lines,
  ]);
  say(
    '\n  ms, medians; processor time of the process, so that other work on the machine counts little. DuckDB has',
  );
  say(
    '  one thread, codes as numbers, and days of UTC; Linkfold gives days of Berlin, and classes and visitors with each.',
  );
  ours.close();
  duckdb.close();
  rmSync(folder, { recursive: true, force: true });
}

/** @returns µs of processor time a click took us */
function fill(ours: ClicksInColumns, duckdb: ClicksInDuckdb, sample: Sample, perDay: number): number {
  let spent = 0;
  for (let day = firstDay; day < firstDay + days; day += 1) {
    const clicks: DayClicks = sample.nextDay(perDay);
    const before = cpuMs();
    ours.add(day, clicks);
    spent += cpuMs() - before;
    duckdb.add(day, clicks);
  }
  return (spent * 1_000) / (perDay * days);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function measure(
  { name, query, interval, sql, check }: Question,
  ours: ClicksInColumns,
  duckdb: ClicksInDuckdb,
  rounds: number,
): Promise<readonly string[]> {
  const figures = {
    ours: [] as number[],
    oursCpu: [] as number[],
    duckdb: [] as number[],
    duckdbCpu: [] as number[],
  };
  for (let round = 0; round <= rounds; round += 1) {
    const start = [performance.now(), cpuMs()] as const;
    const buckets =
      interval === undefined
        ? Float64Array.of(query.from)
        : bucketStarts(query.from, query.to, zone, interval);
    const answer = ours.ask({ ...query, buckets });
    answer.breakdown(10);
    const between = [performance.now(), cpuMs()] as const;
    const rows = await duckdb.ask(sql);
    const end = [performance.now(), cpuMs()] as const;
    verify(name, answer, rows, check);
    if (round === 0) continue;
    figures.ours.push(between[0] - start[0]);
    figures.oursCpu.push(between[1] - start[1]);
    figures.duckdb.push(end[0] - between[0]);
    figures.duckdbCpu.push(end[1] - between[1]);
  }
  const [a, b] = [median(figures.oursCpu), median(figures.duckdbCpu)];
  return [
    ...[name, number(median(figures.ours)), number(a), number(median(figures.duckdb)), number(b)],
    ...judge(a / b, goals.time),
  ];
}

function verify(
  name: string,
  { totals }: Answer,
  rows: readonly (readonly number[])[],
  check: Question['check'],
): void {
  for (const [at, what] of check.entries()) {
    const theirs = rows.reduce((sum, row) => sum + (row[at + 1] ?? 0), 0);
    if (theirs !== totals[what]) throw new Error(`${name}: ${what} ${totals[what]}, DuckDB says ${theirs}.`);
  }
}

function judge(got: number, bound: number): readonly [string, string] {
  return [ratio(got), `≤ ${bound} ${got <= bound ? '✓' : '✗'}`];
}
