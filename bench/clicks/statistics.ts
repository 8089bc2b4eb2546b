// Runs the same queries on the same clicks in Linkfold, DuckDB and a plain table: npm run bench:statistics -- --help
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { dimensions } from '../../src/clicks/dimensions/dimensions.ts';
import { clickClasses } from '../../src/model/clicks/clicks.ts';
import type { StatisticsAnswer, StatisticsQuestion } from '../../src/model/clicks/statistics.ts';
import { bucketStarts } from '../../src/statistics/questions/buckets.ts';
import { startPostgres } from '../../test/support/postgres/postgres.ts';
import { median, number, ratio } from '../measuring/figures.ts';
import { cpuByThread } from '../measuring/process.ts';
import { say, sayTable } from '../measuring/report.ts';
import { workFolder } from '../measuring/work-folder.ts';
import { type OtherStore, openDuckdb, openRows } from './statistics-others.ts';
import { type OurStore, openOurs } from './statistics-ours.ts';
import { createSample } from './statistics-sample.ts';

const usage = `npm run bench:statistics -- [options]

  --clicks N        default 10,000,000 (100,000,000 take an hour)
  --days N          over how many days, from 30; default 365
  --links N         by Zipf's law; default 100,000
  --rounds N        of each question; default 7
  --postgres        Linkfold on PostgreSQL instead of SQLite
  --others NAMES    what it is held against: duckdb,rows (default), one of them, or none
`;

const { values: options } = parseArgs({
  options: {
    clicks: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '365' },
    links: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    postgres: { type: 'boolean', default: false },
    others: { type: 'string', default: 'duckdb,rows' },
    help: { type: 'boolean', default: false },
  },
});
const days = Number(options.days);
const zone = 'Europe/Berlin';
const msPerDay = 86_400_000;
const firstDay = Date.parse('2027-01-01') / msPerDay;
/** Ratios of our size and CPU time to DuckDB's. */
const goals = { bytes: 0.6, time: 1 };

interface Question {
  readonly name: string;
  readonly ask: Omit<StatisticsQuestion, 'range' | 'limit'> & { readonly limit?: number };
  readonly over: 'year' | 'month';
  /** Without it, a single bucket, as the others are asked for no time series either. */
  readonly interval?: 'day';
  readonly sql: string;
  /** Column after the value whose sums are compared with ours. */
  readonly check: readonly ('clicks' | 'visitors')[];
}

const startOfMonth = firstDay + Math.min(200, days - 30);
const ranges = {
  year: { from: firstDay * msPerDay, to: (firstDay + days) * msPerDay },
  month: { from: startOfMonth * msPerDay, to: (startOfMonth + 30) * msPerDay },
} as const;
const inMonth = `"at" >= ${ranges.month.from / 1_000} AND "at" < ${ranges.month.to / 1_000}`;
/** Hashes of visitors change daily, so the same hash on two days counts as two. */
const visitors = 'count(DISTINCT ("at" / 86400)::UBIGINT * 4294967296 + visitor)';
const account = { kind: 'account' } as const;

function wordOf(name: string, code: number): string {
  const dimension = dimensions.find((one) => one.name === name);
  return dimension?.kind === 'number' ? dimension.decode(code) : '';
}

function is(dimension: 'country' | 'device' | 'class' | 'referrer', ...values: string[]) {
  return { dimension, operator: 'is', values } as const;
}

function questionsOf({ linkId }: OurStore, links: number): readonly Question[] {
  return [
    ...[1, 100, 10_000]
      .filter((link) => link <= links)
      .map(
        (link): Question => ({
          name: `link ${link} over 30 days, by country, with visitors`,
          ask: { subject: { kind: 'link', id: linkId(link) }, filters: [], groupBy: 'country' },
          over: 'month',
          sql: `SELECT country, count(*), ${visitors} FROM clicks WHERE link = ${link} AND ${inMonth} GROUP BY country`,
          check: ['clicks'],
        }),
      ),
    {
      name: 'account over a year, by country',
      ask: { subject: account, filters: [], groupBy: 'country' },
      over: 'year',
      check: ['clicks'],
      sql: 'SELECT country, count(*) FROM clicks GROUP BY country',
    },
    {
      name: 'account over a year, by referrer',
      ask: { subject: account, filters: [], groupBy: 'referrer' },
      over: 'year',
      check: ['clicks'],
      sql: 'SELECT referrer, count(*) FROM clicks GROUP BY referrer',
    },
    {
      name: 'account over a year, by link',
      ask: { subject: account, filters: [], groupBy: 'link' },
      over: 'year',
      check: ['clicks'],
      sql: 'SELECT link, count(*) FROM clicks GROUP BY link',
    },
    {
      name: 'account over a year, by day',
      ask: { subject: account, filters: [] },
      over: 'year',
      interval: 'day',
      check: ['clicks'],
      sql: 'SELECT "at" / 86400, count(*) FROM clicks GROUP BY 1',
    },
    {
      name: 'country and device, by browser, with visitors, a year',
      ask: {
        subject: account,
        groupBy: 'browser',
        filters: [is('country', wordOf('country', 2)), is('device', wordOf('device', 1))],
      },
      over: 'year',
      check: ['clicks'],
      sql: `SELECT browser, count(*), ${visitors} FROM clicks WHERE country = 2 AND device = 1 GROUP BY browser`,
    },
    {
      name: 'class and referrer, by campaign, with visitors, a year',
      ask: {
        subject: account,
        groupBy: 'utmCampaign',
        filters: [is('class', clickClasses[0]), is('referrer', 'site-1.example.com')],
      },
      over: 'year',
      check: ['clicks'],
      sql: `SELECT utmCampaign, count(*), ${visitors} FROM clicks WHERE class = 0 AND referrer = 'site-1.example.com' GROUP BY utmCampaign`,
    },
    {
      name: 'visitors of three countries, a year',
      ask: {
        subject: account,
        filters: [is('country', ...[1, 2, 3].map((code) => wordOf('country', code)))],
      },
      over: 'year',
      check: ['clicks', 'visitors'],
      sql: `SELECT 0, count(*), ${visitors} FROM clicks WHERE country IN (1, 2, 3)`,
    },
  ];
}

if (options.help) say(usage);
else await main(Number(options.clicks), Number(options.links), Number(options.rounds));

async function main(clicks: number, links: number, rounds: number): Promise<void> {
  const folder = workFolder();
  const sample = createSample(links, 42);
  const server = options.postgres ? await startPostgres({ settings: { fsync: 'on' } }) : undefined;
  const ours = await openOurs(server?.url() ?? `sqlite:${join(folder, 'linkfold.db')}`, links);
  const others: OtherStore[] = [];
  if (options.others.includes('duckdb'))
    others.push(await openDuckdb(join(folder, 'clicks.duckdb'), sample.words));
  if (options.others.includes('rows')) others.push(openRows(join(folder, 'rows.db'), sample.words));
  const perDay = Math.round(clicks / days);
  const all = perDay * days;
  let [spent, taken] = [0, 0];
  const progress = createProgress('Bringing clicks to storage');
  for (let day = 0; day < days; day += 1) {
    const ofDay = sample.nextDay(perDay);
    const [cpu, began] = [cpuMs(), performance.now()];
    await ours.add(firstDay + day, ofDay);
    spent += cpuMs() - cpu;
    taken += performance.now() - began;
    for (const other of others) await other.add(firstDay + day, ofDay);
    progress.update((day + 1) * perDay, all);
  }
  progress.end();
  const threads = cpuByThread(process.pid);
  const bytes = [(await ours.finish()) / all];
  for (const other of others) bytes.push((await other.finish()) / all);
  const engine = options.postgres ? 'PostgreSQL' : 'SQLite';
  say(`${number(all)} clicks on ${number(links)} links, ${number(perDay)} a day, ${days} days, ${engine}`);
  say(
    `applied, folded and sealed in ${number((taken * 1_000) / all)} µs a click, ${number((spent * 1_000) / all)} µs of the process's processor time`,
  );
  const byThread = [...threads].map(([name, ms]) => `${name} ${number((ms * 1_000) / all)}`);
  say(`by thread, since the start, with the making of links and clicks: ${byThread.join(', ')}\n`);
  const named = others.flatMap(({ name }) => [name, 'CPU']);
  const [own = 0, ...ofOthers] = bytes;
  const lines = [];
  for (const question of questionsOf(ours, links)) lines.push(await measure(question, ours, others, rounds));
  sayTable([
    [
      '',
      'Linkfold',
      'CPU',
      'first',
      ...named,
      ...(others.length > 0 ? [`of ${others[0]?.name}`, 'goal'] : []),
    ],
    [
      'bytes a click',
      number(own),
      '',
      '',
      ...ofOthers.flatMap((size) => [number(size), '']),
      ...(ofOthers[0] === undefined ? [] : judge(own / ofOthers[0], goals.bytes)),
    ],
    ...lines,
  ]);
  say(
    `\n  ms, medians of rounds. CPU is processor time of the process, by which it is judged${options.postgres ? ', but PostgreSQL is another\n  process: here by time' : ', so that other work on the machine counts little'}.`,
  );
  say(
    '  first: the first answer after a start, with nothing in memory. DuckDB has one thread, codes as numbers,',
  );
  say('  and days of UTC; Linkfold gives days of Berlin, and classes and visitors with each.');
  await ours.close();
  for (const other of others) other.close();
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

interface Figures {
  readonly wall: number[];
  readonly cpu: number[];
}

async function timed<T>(figures: Figures, work: () => Promise<T>): Promise<T> {
  const [began, cpu] = [performance.now(), cpuMs()];
  const value = await work();
  figures.wall.push(performance.now() - began);
  figures.cpu.push(cpuMs() - cpu);
  return value;
}

async function measure(
  { name, ask, over, interval, sql, check }: Question,
  ours: OurStore,
  others: readonly OtherStore[],
  rounds: number,
): Promise<readonly string[]> {
  const { from, to } = ranges[over];
  const buckets = interval === undefined ? Float64Array.of(from) : bucketStarts(from, to, zone, interval);
  const figures = [ours, ...others].map((): Figures => ({ wall: [], cpu: [] }));
  const [own, ...ofOthers] = figures as [Figures, ...Figures[]];
  for (let round = 0; round <= rounds; round += 1) {
    const answer = await timed(own, () => ours.ask({ limit: 10, ...ask, range: { from, to, buckets } }));
    for (const [at, other] of others.entries()) {
      const rows = await timed(ofOthers[at] as Figures, () => other.ask(sql));
      if (round === 0) verify(`${name}, ${other.name}`, answer, rows, check);
    }
  }
  const first = own.wall[0] ?? 0;
  const medians = figures.map(({ wall, cpu }) => ({
    wall: median(wall.slice(1)),
    cpu: median(cpu.slice(1)),
  }));
  const [a, b] = medians.map(({ wall, cpu }) => (options.postgres ? wall : cpu));
  const [ownTimes = [], ...times] = medians.map(({ wall, cpu }) => [number(wall), number(cpu)]);
  const judged = a === undefined || b === undefined ? [] : judge(a / b, goals.time);
  return [name, ...ownTimes, number(first), ...times.flat(), ...judged];
}

function verify(
  name: string,
  { totals }: StatisticsAnswer,
  rows: readonly (readonly number[])[],
  check: Question['check'],
): void {
  for (const [at, what] of check.entries()) {
    const theirs = rows.reduce((sum, row) => sum + (row[at + 1] ?? 0), 0);
    if (theirs !== totals[what])
      throw new Error(`${name}: ${theirs} ${what}, Linkfold says ${totals[what]}.`);
  }
}

function judge(got: number, bound: number): readonly [string, string] {
  return [ratio(got), `≤ ${bound} ${got <= bound ? '✓' : '✗'}`];
}
