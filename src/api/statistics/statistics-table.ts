import type {
  BreakdownPlace,
  BreakdownValue,
  StatisticsSubject,
  ValueCounts,
} from '../../model/clicks/statistics.ts';
import { type Failure, problem, refused } from '../../model/failures.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { parseQuery, type StatisticsQuery, toQuestion } from '../../statistics/questions/parse-query.ts';
import { type Reader, retryOverloaded } from '../request/reader.ts';
import type { Row } from '../tables/rows.ts';
import { type MakeRows, readInChunks, type Table } from '../tables/table.ts';
import { notFound, statisticsOf } from './statistics.ts';

/** Number of values per page read from storage. */
const valuesAtOnce = 2_000;

const sums = ['clicks', 'human', 'bot', 'preview', 'prefetch', 'visitors'] as const;
const counts = ['clicks', 'visitors'] as const;

/** Returns the names of the columns for the previous period, such as `beforeClicks`. */
function before(names: readonly string[]): string[] {
  return names.map((name) => `before${name[0]?.toUpperCase()}${name.slice(1)}`);
}

function prefixed(names: readonly string[], values: object | undefined): Row {
  const columns = before(names);
  return Object.fromEntries(
    names.map((name, at) => [columns[at], (values as Row | undefined)?.[name] ?? null]),
  );
}

/**
 * Returns the time series, or the breakdown if `groupBy` is set. The last row of a breakdown combines the remaining
 * values.
 */
export function statisticsTable(
  reader: Reader,
  subject: StatisticsSubject,
  query: StatisticsQuery,
): Pick<Table, 'columns' | 'rows'> {
  const compares = query.compare !== undefined;
  const [keys, names] = query.groupBy === undefined ? [['start'], sums] : [['row', 'value', 'label'], counts];
  const columns = [
    ...keys,
    ...names,
    ...(compares ? before(query.groupBy ? names : [...keys, ...names]) : []),
  ];
  const rows =
    query.groupBy === undefined ? seriesRows(reader, subject, query) : valueRows(reader, subject, query);
  return { columns, rows };
}

async function* seriesRows(
  { context, key }: Reader,
  subject: StatisticsSubject,
  query: StatisticsQuery,
): AsyncGenerator<MakeRows> {
  const { series, compare, incompleteBefore } = await statisticsOf(context, key.accountId, subject, query);
  requireComplete(incompleteBefore);
  const names = ['start', ...sums];
  yield* readInChunks(Math.max(series.length, compare?.series.length ?? 0), (at) => ({
    ...Object.fromEntries(names.map((name) => [name, (series[at] as Row | undefined)?.[name] ?? null])),
    ...(compare !== undefined && prefixed(names, compare.series[at])),
  }));
}

/** Reads values page by page, so that this thread and the statistics thread each hold only one page in memory. */
async function* valueRows(
  reader: Reader,
  subject: StatisticsSubject,
  query: StatisticsQuery,
): AsyncGenerator<MakeRows> {
  const { context, key } = reader;
  const read = parseQuery(query, context.now(), context.statisticsDays);
  if ('problems' in read) throw refused(read.problems);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  const question = { ...toQuestion(read, subject), isWalked: left > valuesAtOnce };
  const [shown, shownBefore] = [
    { clicks: 0, visitors: 0 },
    { clicks: 0, visitors: 0 },
  ];
  for (let after: BreakdownPlace | undefined, isFirst = true; ; isFirst = false) {
    const asked = { ...question, after, limit: Math.min(left, valuesAtOnce) };
    const answer = await retryOverloaded(isFirst, reader, () =>
      context.storage.statistics(key.accountId, asked),
    );
    if (answer === undefined) throw notFound[subject.kind]();
    const { totals, compare, incompleteBefore, breakdown } = answer;
    requireComplete(incompleteBefore === undefined ? undefined : formatTimestamp(incompleteBefore));
    const values = breakdown?.values ?? [];
    for (const value of values) {
      add(shown, value);
      add(shownBefore, value.before);
    }
    yield* readInChunks(values.length, (at) => valueRow(values[at] as BreakdownValue));
    left -= values.length;
    after = breakdown?.next;
    if (after !== undefined && left > 0) continue;
    const rest = { row: 'other', value: '', label: '', ...less(totals, shown) };
    yield () => [{ ...rest, ...(compare && prefixed(counts, less(compare.totals, shownBefore))) }];
    return;
  }
}

function valueRow({ value, label = '', clicks, visitors, before: earlier }: BreakdownValue): Row {
  return { row: 'value', value, label, clicks, visitors, ...(earlier && prefixed(counts, earlier)) };
}

function add(sum: { clicks: number; visitors: number }, of: ValueCounts | undefined): void {
  sum.clicks += of?.clicks ?? 0;
  sum.visitors += of?.visitors ?? 0;
}

function less(all: ValueCounts, some: ValueCounts): ValueCounts {
  return { clicks: all.clicks - some.clicks, visitors: all.visitors - some.visitors };
}

/** Rejects an export if clicks are missing, because a file could not indicate that. @throws Failure VALIDATION_ERROR */
function requireComplete(incompleteBefore: string | undefined): void {
  if (incompleteBefore !== undefined) throw incompleteData(incompleteBefore);
}

function incompleteData(incompleteBefore: string): Failure {
  const message = `This range has more clicks than one request can scan: clicks before ${incompleteBefore} would be missing. Set "from" to ${incompleteBefore} or later.`;
  return refused([problem('from', 'out_of_range', message)]);
}
