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

/** A question as a client writes it (CONTRACT §9). */
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

/** Milliseconds since the epoch; the end is exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The same, checked, with every default. */
export interface Understood extends Span {
  readonly timezone: string;
  readonly interval: Interval;
  readonly filters: readonly StatisticsFilter[];
  readonly groupBy?: StatisticsDimension | undefined;
  readonly compare?: Span | undefined;
  readonly limit: number;
}

/** The limit of buckets in a series: each costs the answer a row, and the server some microseconds. */
const maxBuckets = 1_000;
const defaultLimit = 10;
const defaultDays = 30;
const msPerDay = 86_400_000;

/** Buckets of each interval are at least about so long, ms. */
const lengths: Readonly<Record<Interval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: msPerDay,
  week: 7 * msPerDay,
  month: 30 * msPerDay,
};

export const zoneProblem = problem(
  'timezone',
  'unknown_value',
  'timezone must be an IANA name, such as Europe/Berlin or UTC.',
);

/** The last 30 days of a zone up to a moment, each a bucket. @param now ms since the epoch */
export function lastDays(now: number, zone: string): StatisticsRange {
  const from = daysBefore(now + 1, zone);
  return { from, to: now + 1, buckets: bucketStarts(from, now + 1, zone, 'day') };
}

/**
 * Reads a question. It is cheap: the buckets are made by {@link questionOf}.
 * @param now ms since the epoch
 * @param keptDays for how many UTC days, today included, statistics are kept: a range without a beginning does not begin before;
 * undefined permanently
 * @returns the question, or everything that is wrong with it
 */
export function readAsked(
  asked: StatisticsQuery,
  now: number,
  keptDays?: number,
): Understood | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const timezone = zoneNamed(asked.timezone ?? 'UTC');
  if (timezone === undefined) problems.push(zoneProblem);
  const zone = timezone ?? 'UTC';
  const filters = [...filtersIn(asked, problems), ...classFilter(asked)];
  const earliest = keptDays === undefined ? 0 : startOfDay(dayOf(now) - keptDays + 1);
  const range = rangeIn(asked, zone, { now, earliest }, problems);
  if (range === undefined) return { problems };
  const interval = asked.interval ?? intervalFor(range);
  requireFew('interval', range, interval, problems);
  const compare =
    asked.compare === undefined ? undefined : earlierRange(asked.compare, range, zone, problems);
  if (compare !== undefined) requireFew('compare', compare, interval, problems);
  if (problems.length > 0) return { problems };
  const { groupBy, limit = defaultLimit } = asked;
  return { ...range, timezone: zone, interval, filters, groupBy, compare, limit };
}

/** What storage is asked. It takes some milliseconds where there are many buckets. */
export function questionOf(understood: Understood, subject: StatisticsSubject): StatisticsQuestion {
  const { filters, groupBy, compare, limit } = understood;
  return {
    subject,
    range: withBuckets(understood, understood),
    ...(compare !== undefined && { compare: withBuckets(compare, understood) }),
    filters,
    ...(groupBy !== undefined && { groupBy }),
    limit,
  };
}

function withBuckets({ from, to }: Span, { timezone, interval }: Understood): StatisticsRange {
  return { from, to, buckets: bucketStarts(from, to, timezone, interval) };
}

function filtersIn({ filter = [] }: StatisticsQuery, problems: Problem[]): StatisticsFilter[] {
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

function timeIn(field: string, text: string, zone: string, problems: Problem[]): number | undefined {
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

/** By default the days of the zone up to now, today included. */
function rangeIn(
  asked: StatisticsQuery,
  zone: string,
  { now, earliest }: { readonly now: number; readonly earliest: number },
  problems: Problem[],
): Span | undefined {
  const to = asked.to === undefined ? now : timeIn('to', asked.to, zone, problems);
  if (asked.from === undefined) {
    if (to === undefined) return undefined;
    return { from: Math.min(Math.max(daysBefore(to, zone), earliest), to - 1), to };
  }
  const from = timeIn('from', asked.from, zone, problems);
  if (from === undefined || to === undefined) return undefined;
  if (from < to) return { from, to };
  const [begin, end] = [formatTimestamp(from), formatTimestamp(to)];
  const limit = asked.to === undefined ? `now (${end})` : `to (${end})`;
  problems.push(
    problem(
      'from',
      'out_of_range',
      `from (${begin}) must be before ${limit}; give an earlier from or a later to.`,
    ),
  );
  return undefined;
}

function zoned(at: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}

/** Where the last 30 days up to a moment begin. */
function daysBefore(to: number, zone: string): number {
  const lastDay = zoned(to - 1, zone).toPlainDate();
  return Math.max(0, lastDay.subtract({ days: defaultDays - 1 }).toZonedDateTime(zone).epochMilliseconds);
}

function intervalFor({ from, to }: Span): Interval {
  const days = (to - from) / msPerDay;
  if (days <= 3) return 'hour';
  if (days <= 184) return 'day';
  return days <= 1_096 ? 'week' : 'month';
}

function requireFew(field: string, { from, to }: Span, interval: Interval, problems: Problem[]): void {
  const buckets = Math.ceil((to - from) / lengths[interval]);
  if (buckets <= maxBuckets) return;
  const has = `${field} has ${field === 'interval' ? interval : 'a range'}, which makes about`;
  const [many, most] = [buckets.toLocaleString('en'), maxBuckets.toLocaleString('en')];
  problems.push(
    problem(
      field,
      'out_of_range',
      `${has} ${many} buckets; an answer has at most ${most}. Give a longer interval or a shorter range.`,
    ),
  );
}

/** By the calendar of the zone, so that days stay days over daylight saving. */
function earlierRange(text: string, range: Span, zone: string, problems: Problem[]): Span | undefined {
  const [from, to] = [zoned(range.from, zone), zoned(range.to, zone)];
  if (text === 'previous') {
    const length = from.until(to, { largestUnit: 'day' });
    return earlier({ from: from.subtract(length).epochMilliseconds, to: range.from }, problems);
  }
  if (text === 'year') {
    const [begin, end] = [from.subtract({ years: 1 }), to.subtract({ years: 1 })];
    return earlier({ from: begin.epochMilliseconds, to: end.epochMilliseconds }, problems);
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
  if (first < last) return earlier({ from: first, to: last }, problems);
  problems.push(
    problem('compare', 'out_of_range', 'The first time of compare must be before the second one; swap them.'),
  );
  return undefined;
}

function earlier(span: Span, problems: Problem[]): Span | undefined {
  if (span.from >= 0) return span;
  problems.push(
    problem(
      'compare',
      'out_of_range',
      'The range of compare begins before 1970-01-01T00:00:00Z; give a later one.',
    ),
  );
  return undefined;
}
