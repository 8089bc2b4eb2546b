import { createProgress } from '../../src/cli/terminal/progress.ts';
import { dimensions } from '../../src/clicks/dimensions/dimensions.ts';
import { unknownFacts } from '../../src/model/clicks/click-facts.ts';
import type { StatisticsQuestion } from '../../src/model/clicks/statistics.ts';
import { bucketStarts } from '../../src/statistics/questions/buckets.ts';
import { idOf } from '../../src/storage/storage.fixtures.ts';
import { type Bench, measureInRounds } from '../harness/bench.ts';
import { type Table, thisVersion } from '../harness/report.ts';
import { openDuckdb } from './statistics-duckdb.ts';
import { openLinkfold } from './statistics-linkfold.ts';
import { createSample } from './statistics-sample.ts';

const days = 365;
const msPerDay = 86_400_000;
const firstDay = Date.parse('2027-01-01') / msPerDay;
const year = { from: firstDay * msPerDay, to: (firstDay + days) * msPerDay };
const month = { from: (firstDay + 200) * msPerDay, to: (firstDay + 230) * msPerDay };
const duckdb = 'DuckDB';

type Filter = StatisticsQuestion['filters'][number];

interface Question {
  readonly groupBy?: StatisticsQuestion['groupBy'];
  readonly filters?: readonly Filter[];
  /** Number of the link to query over 30 days. If omitted, the whole account is queried over a year. */
  readonly link?: number;
  /**
   * DuckDB's WHERE condition. `sqlGroup` is DuckDB's GROUP BY expression, if it differs from the dimension's column.
   */
  readonly where?: string;
  readonly sqlGroup?: string;
}

/** Returns a filter that matches the given codes of a dimension. */
function isCode(dimension: 'country' | 'device' | 'class', ...codes: readonly number[]): Filter {
  const found = dimensions.find(({ name }) => name === dimension);
  const values = codes.map((code) => (found?.kind === 'number' ? found.decode(code) : ''));
  return { dimension, operator: 'is', values };
}

const host = 'site-1.example.com';
const questions: Readonly<Record<string, Question>> = {
  'a popular link over 30 days, by country': { link: 1, groupBy: 'country', where: 'link = 1' },
  'another link over 30 days, by country': { link: 100, groupBy: 'country', where: 'link = 100' },
  'account, by country': { groupBy: 'country' },
  'account, by referrer': { groupBy: 'referrer' },
  'account, by link': { groupBy: 'link' },
  'account, by day': { sqlGroup: '"at" // 86400' },
  'a country and device, by browser': {
    groupBy: 'browser',
    filters: [isCode('country', 2), isCode('device', 1)],
    where: 'country = 2 AND device = 1',
  },
  'a class and referrer, by campaign': {
    groupBy: 'utmCampaign',
    filters: [isCode('class', 0), { dimension: 'referrer', operator: 'is', values: [host] }],
    where: `class = 0 AND referrer = '${host}'`,
  },
  'three countries': {
    filters: [isCode('country', 1, 2, 3)],
    where: 'country IN (1, 2, 3)',
    sqlGroup: '0',
  },
};

/**
 * SQL that counts visitors as Linkfold does in every response. A hash that occurs on two days counts as two visitors.
 */
const visitors = 'count(DISTINCT ("at" // 86400)::UBIGINT * 4294967296 + visitor)';

/**
 * Runs a query. Returns the counts that must be equal for Linkfold and DuckDB: clicks, and visitors if the query has no
 * groups.
 */
type Ask = (question: Question) => Promise<string>;

function askLinkfold(store: Awaited<ReturnType<typeof openLinkfold>>): Ask {
  return async ({ groupBy, filters = [], link, sqlGroup }) => {
    const { from, to } = link === undefined ? year : month;
    const buckets =
      groupBy || sqlGroup === '0' ? Float64Array.of(from) : bucketStarts(from, to, 'UTC', 'day');
    const subject =
      link === undefined ? ({ kind: 'account' } as const) : ({ kind: 'link', id: idOf(link) } as const);
    const range = { from, to, buckets };
    const { totals } = await store.ask({ subject, filters, range, limit: 10, ...(groupBy && { groupBy }) });
    return sqlGroup === '0' ? `${totals.clicks} clicks of ${totals.visitors}` : `${totals.clicks} clicks`;
  };
}

function askDuckdb(store: Awaited<ReturnType<typeof openDuckdb>>): Ask {
  return async ({ groupBy, link, where = 'true', sqlGroup = `"${groupBy}"` }) => {
    const { from, to } = link === undefined ? year : month;
    const rows = await store.ask(`SELECT ${sqlGroup}, count(*), ${visitors} FROM clicks
      WHERE ${where} AND "at" >= ${from / 1_000} AND "at" < ${to / 1_000} GROUP BY 1`);
    const clicks = rows.reduce((sum, [, count = 0]) => sum + count, 0);
    return sqlGroup === '0' ? `${clicks} clicks of ${rows[0]?.[2]}` : `${clicks} clicks`;
  };
}

/**
 * Measures the bytes per click, and the duration of the queries that a statistics page needs, in Linkfold and DuckDB.
 * Both must return the same results.
 */
export async function measureStatistics(bench: Bench): Promise<readonly Table[]> {
  const links = Math.ceil(bench.options.links / 10);
  const perDay = Math.ceil((10 * bench.options.links) / days);
  const sample = createSample(links, 42);
  const ours = await openLinkfold(bench.dir, links);
  const other = await openDuckdb(bench.dir, { ...unknownFacts(0), link: 0, second: 0 });
  const progress = createProgress('Storing clicks', { quiet: true });
  for (let day = 0; day < days; day += 1) {
    const clicks = sample(perDay);
    await ours.add(firstDay + day, clicks);
    await other.add(firstDay + day, clicks);
    progress.update(day, days);
  }
  progress.clear();
  const size = {
    case: 'storage',
    against: { contender: duckdb },
    goals: { 'bytes per click': { ratio: 0.6 } },
  };
  const clicks = perDay * days;
  const sizes = [
    { ...size, contender: thisVersion, values: { 'bytes per click': [(await ours.finish()) / clicks] } },
    { ...size, contender: duckdb, values: { 'bytes per click': [(await other.finish()) / clicks] } },
  ];
  const series = { against: { contender: duckdb }, goals: { 'CPU ms': { ratio: 1 } } };
  const asks = { [thisVersion]: askLinkfold(ours), [duckdb]: askDuckdb(other) };
  const subjects = Object.entries(questions).flatMap(([name, question]) =>
    Object.entries(asks).map(([contender, ask]) => ({
      contender,
      case: name,
      ...series,
      values: {},
      question,
      ask,
    })),
  );
  const answers = new Map<string, Set<string>>();
  await measureInRounds(bench, 'statistics', subjects, async ({ ask, question, case: name }) => {
    const [began, before] = [performance.now(), process.cpuUsage()];
    answers.getOrInsertComputed(name, () => new Set()).add(await ask(question));
    const { user, system } = process.cpuUsage(before);
    return { 'CPU ms': (user + system) / 1_000, 'time ms': performance.now() - began };
  });
  await ours.close();
  other.close();
  const different = [...answers].filter(([, found]) => found.size > 1);
  return [
    {
      ...{ part: 'statistics', series: [...sizes, ...subjects] },
      title: `Statistics on ${clicks.toLocaleString('en')} clicks on ${links.toLocaleString('en')} links in a year`,
      notes: [
        'CPU time is that of this process, which runs both. DuckDB uses one thread and stores codes as numbers.',
      ],
      errors: different.map(([name, found]) => `${name}: ${[...found].join(' or ')}`),
    },
  ];
}
