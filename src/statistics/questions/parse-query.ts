import { dayOf, startOfDay } from '../../model/clicks/click-days.ts';
import { type ClickClass, clickClasses } from '../../model/clicks/clicks.ts';
import type {
  Interval,
  StatisticsDimension,
  StatisticsFilter,
  StatisticsQuestion,
  StatisticsRange,
  StatisticsSubject,
} from '../../model/clicks/statistics.ts';
import { type Problem, problem } from '../../model/failures.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { parseTimeIn, zoneNamed } from '../../model/zoned-times.ts';
import { bucketStarts } from './buckets.ts';
import { readFilter } from './filter-texts.ts';

/** A statistics query as sent by a client (CONTRACT §9). */
export interface StatisticsQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timezone?: string | undefined;
  readonly interval?: Interval | undefined;
  readonly class?: readonly ClickClass[] | undefined;
  readonly groupBy?: StatisticsDimension | undefined;
  readonly filter?: readonly string[] | undefined;
  readonly compare?: string | undefined;
  readonly limit?: number | undefined;
}

/** A time range in milliseconds since the epoch; the end is exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A validated query with defaults filled in. */
export interface ParsedQuery extends Span {
  readonly timezone: string;
  readonly interval: Interval;
  readonly filters: readonly StatisticsFilter[];
  readonly groupBy?: StatisticsDimension | undefined;
  readonly compare?: Span | undefined;
  readonly limit: number;
}

/** Maximum number of buckets in a series. Each bucket adds a row to the response and a few microseconds of work. */
const maxBuckets = 1_000;
const defaultLimit = 10;
const defaultDays = 30;
const msPerDay = 86_400_000;

/** Approximate length of a bucket in milliseconds, to estimate the number of buckets. */
const intervalMs: Readonly<Record<Interval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: msPerDay,
  week: 7 * msPerDay,
  month: 30 * msPerDay,
};

export const zoneProblem = problem(
  'timezone',
  'unknown_value',
  'timezone must be an IANA time zone, such as Europe/Berlin or UTC.',
);

/**
 * Returns the last 30 days in a time zone, including today, with one bucket per day.
 * @param now milliseconds since the epoch
 */
export function lastDays(now: number, zone: string): StatisticsRange {
  const from = defaultStart(now + 1, zone);
  return { from, to: now + 1, buckets: bucketStarts(from, now + 1, zone, 'day') };
}

/**
 * Parses and validates a query. This is cheap, because the buckets are created later by {@link toQuestion}.
 * @param now milliseconds since the epoch
 * @param retentionDays number of UTC days, including today, for which statistics are retained; the default `from` is
 * never before these days. If undefined, there is no limit.
 * @returns the query, or the validation errors in its fields
 */
export function parseQuery(
  asked: StatisticsQuery,
  now: number,
  retentionDays?: number,
): ParsedQuery | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const timezone = zoneNamed(asked.timezone ?? 'UTC');
  if (timezone === undefined) problems.push(zoneProblem);
  const zone = timezone ?? 'UTC';
  const filters = [...parseFilters(asked, problems), ...classFilter(asked)];
  const earliest = retentionDays === undefined ? 0 : startOfDay(dayOf(now) - retentionDays + 1);
  const range = parseRange(asked, zone, { now, earliest }, problems);
  if (range === undefined) return { problems };
  const interval = asked.interval ?? intervalFor(range);
  checkBucketCount('interval', range, interval, problems);
  const compare =
    asked.compare === undefined ? undefined : parseCompare(asked.compare, range, zone, problems);
  if (compare !== undefined) checkBucketCount('compare', compare, interval, problems);
  if (problems.length > 0) return { problems };
  const { groupBy, limit = defaultLimit } = asked;
  return { ...range, timezone: zone, interval, filters, groupBy, compare, limit };
}

/** Converts a query to the format for storage. Takes several milliseconds if there are many buckets. */
export function toQuestion(understood: ParsedQuery, subject: StatisticsSubject): StatisticsQuestion {
  const { filters, groupBy, compare, limit } = understood;
  return {
    subject,
    range: addBuckets(understood, understood),
    ...(compare !== undefined && { compare: addBuckets(compare, understood) }),
    filters,
    ...(groupBy !== undefined && { groupBy }),
    limit,
  };
}

function addBuckets({ from, to }: Span, { timezone, interval }: ParsedQuery): StatisticsRange {
  return { from, to, buckets: bucketStarts(from, to, timezone, interval) };
}

function parseFilters({ filter = [] }: StatisticsQuery, problems: Problem[]): StatisticsFilter[] {
  return filter.flatMap((text) => {
    const read = readFilter(text);
    if (typeof read !== 'string') return [read];
    problems.push(problem('filter', 'invalid_format', read));
    return [];
  });
}

function classFilter({ class: classes = [] }: StatisticsQuery): StatisticsFilter[] {
  const isAll = classes.length === 0 || classes.length === clickClasses.length;
  return isAll ? [] : [{ dimension: 'class', operator: 'is', values: classes }];
}

function parseTime(field: string, text: string, zone: string, problems: Problem[]): number | undefined {
  const at = parseTimeIn(text, zone);
  if (at === undefined)
    problems.push(
      problem(
        field,
        'invalid_format',
        `${field} must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T09:00:00Z.`,
      ),
    );
  else if (at < 0)
    problems.push(problem(field, 'out_of_range', `${field} must not be before 1970-01-01T00:00:00Z.`));
  else return at;
  return undefined;
}

/** Parses the time range. The default is the last 30 days in the time zone, including today. */
function parseRange(
  asked: StatisticsQuery,
  zone: string,
  { now, earliest }: { readonly now: number; readonly earliest: number },
  problems: Problem[],
): Span | undefined {
  const to = asked.to === undefined ? now : parseTime('to', asked.to, zone, problems);
  if (asked.from === undefined) {
    if (to === undefined) return undefined;
    return { from: Math.min(Math.max(defaultStart(to, zone), earliest), to - 1), to };
  }
  const from = parseTime('from', asked.from, zone, problems);
  if (from === undefined || to === undefined) return undefined;
  if (from < to) return { from, to };
  const [begin, end] = [formatTimestamp(from), formatTimestamp(to)];
  const limit = asked.to === undefined ? `now (${end})` : `to (${end})`;
  problems.push(
    problem(
      'from',
      'out_of_range',
      `from (${begin}) must be before ${limit}. Use an earlier from or a later to.`,
    ),
  );
  return undefined;
}

function zoned(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

/** Returns the start of the 30 days that end at a given time. */
function defaultStart(to: number, zone: string): number {
  const lastDay = zoned(to - 1, zone).toPlainDate();
  return Math.max(0, lastDay.subtract({ days: defaultDays - 1 }).toZonedDateTime(zone).epochMilliseconds);
}

function intervalFor({ from, to }: Span): Interval {
  const days = (to - from) / msPerDay;
  if (days <= 3) return 'hour';
  if (days <= 184) return 'day';
  return days <= 1_096 ? 'week' : 'month';
}

function checkBucketCount(field: string, { from, to }: Span, interval: Interval, problems: Problem[]): void {
  const buckets = Math.ceil((to - from) / intervalMs[interval]);
  if (buckets <= maxBuckets) return;
  const has = field === 'interval' ? `interval ${interval} results in about` : `${field} results in about`;
  const [many, most] = [buckets.toLocaleString('en'), maxBuckets.toLocaleString('en')];
  problems.push(
    problem(
      field,
      'out_of_range',
      `${has} ${many} buckets; the maximum is ${most}. Use a longer interval or a shorter range.`,
    ),
  );
}

/**
 * Parses `compare`. Uses the calendar of the time zone, so that a day remains a calendar day across daylight saving
 * changes.
 */
function parseCompare(text: string, range: Span, zone: string, problems: Problem[]): Span | undefined {
  const [from, to] = [zoned(range.from, zone), zoned(range.to, zone)];
  if (text === 'previous') {
    const length = from.until(to, { largestUnit: 'day' });
    return checkStart({ from: from.subtract(length).epochMilliseconds, to: range.from }, problems);
  }
  if (text === 'year') {
    const [begin, end] = [from.subtract({ years: 1 }), to.subtract({ years: 1 })];
    return checkStart({ from: begin.epochMilliseconds, to: end.epochMilliseconds }, problems);
  }
  const halves = text.split('..');
  const [begin = '', end = ''] = halves;
  const times = [parseTimeIn(begin, zone), parseTimeIn(end, zone)];
  const [first, last] = times;
  if (halves.length !== 2 || first === undefined || last === undefined) {
    problems.push(
      problem(
        'compare',
        'invalid_format',
        'compare must be previous, year, or two dates or times, such as 2026-01-01..2026-02-01.',
      ),
    );
    return undefined;
  }
  if (first < last) return checkStart({ from: first, to: last }, problems);
  problems.push(
    problem(
      'compare',
      'out_of_range',
      'compare must contain the earlier time first, such as 2026-01-01..2026-02-01.',
    ),
  );
  return undefined;
}

function checkStart(span: Span, problems: Problem[]): Span | undefined {
  if (span.from >= 0) return span;
  problems.push(
    problem(
      'compare',
      'out_of_range',
      'compare must not begin before 1970-01-01T00:00:00Z. Use a later range.',
    ),
  );
  return undefined;
}
