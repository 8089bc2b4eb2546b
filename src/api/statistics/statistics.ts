import type { statisticsEndpoints } from '../../contract/statistics/statistics.ts';
import { allowsSharedDomain } from '../../model/accounts/key-restrictions.ts';
import type {
  BreakdownPlace,
  StatisticsAnswer,
  StatisticsCounts,
  StatisticsFilter,
  StatisticsRange,
  StatisticsSubject,
  ValueCounts,
} from '../../model/clicks/statistics.ts';
import { isCount, type ListIdentity, readCursor, writeCursor } from '../../model/cursors.ts';
import { sharedDomainId } from '../../model/domains/domains.ts';
import { hostIn, unicodeOf } from '../../model/domains/hosts.ts';
import { getDomain } from '../../model/domains/own-domains.ts';
import { invalidCursor, type Problem, problem, refused } from '../../model/failures.ts';
import { folderNotFound } from '../../model/links/folders.ts';
import { linkNotFound } from '../../model/links/links.ts';
import { tagNotFound } from '../../model/links/tags.ts';
import { formatTimestamp } from '../../model/timestamps.ts';
import { formatTimeIn } from '../../model/zoned-times.ts';
import {
  type ParsedQuery,
  parseQuery,
  type StatisticsQuery,
  toQuestion,
} from '../../statistics/questions/parse-query.ts';
import type { ApiContext, Call as CallOf, Handlers } from '../request/handler.ts';

type Call = CallOf<typeof statisticsEndpoints.linkStatistics>;
type StatisticsRequest = Pick<Call, 'context' | 'key' | 'params' | 'query'>;

/** A statistics query, with a cursor if the query continues a breakdown. */
type StatisticsPageQuery = StatisticsQuery & { readonly cursor?: string | undefined };

/** Returns the validation errors in a query, other than wrong parameter types. */
export function queryProblems({
  context,
  query,
}: {
  context: ApiContext;
  query: StatisticsQuery;
}): readonly Problem[] {
  const read = parseQuery(query, context.now(), context.statisticsDays);
  return 'problems' in read ? read.problems : [];
}

/** Tolerated clock difference in milliseconds. The first page may come from a node whose clock is ahead. */
const clocksDifferMs = 60_000;

/** Position at which a page starts. All pages of a list use the first page's time. */
interface PagePlace {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly after?: BreakdownPlace;
}

/** Returns the values that identify a list in its cursors. @param whose account and record, or the report's secret */
function listOf(whose: ListIdentity, query: StatisticsQuery): ListIdentity {
  const { from, to, timezone, class: classes, groupBy, filter, compare } = query;
  return [...whose, from, to, timezone, classes, groupBy, filter, compare];
}

function placeIn(context: ApiContext, whose: ListIdentity, query: StatisticsPageQuery): PagePlace | Problem {
  const { cursor = '', groupBy } = query;
  if (query.cursor !== undefined && groupBy === undefined)
    return problem('cursor', 'not_allowed', 'cursor requires groupBy.');
  if (cursor === '') return { now: context.now() };
  const place = readCursor(listOf(whose, query), cursor, ([now, clicks, value, ...more]) =>
    isCount(now) &&
    now <= context.now() + clocksDifferMs &&
    isCount(clicks) &&
    typeof value === 'string' &&
    more.length === 0
      ? { now, after: { clicks, value } }
      : undefined,
  );
  if (place === undefined) return invalidCursor;
  return place === 'foreign'
    ? problem(
        'cursor',
        'not_allowed',
        'cursor belongs to another breakdown. Leave it empty to get the first page.',
      )
    : place;
}

/** Returns the validation errors in a query and its cursor. @param whose account and record, or the report's secret */
export function pageProblems(
  context: ApiContext,
  whose: ListIdentity,
  query: StatisticsPageQuery,
): Problem[] {
  const place = placeIn(context, whose, query);
  const read = parseQuery(query, 'now' in place ? place.now : context.now(), context.statisticsDays);
  return [...('now' in place ? [] : [place]), ...('problems' in read ? read.problems : [])];
}

export const notFound = {
  account: linkNotFound,
  link: linkNotFound,
  folder: folderNotFound,
  tag: tagNotFound,
};

/**
 * Reads statistics and converts them to API format (CONTRACT §9).
 * @param whose account and record, or the report's secret
 * @param only additional filters
 * @throws Failure if the subject does not exist
 */
export async function statisticsOf(
  context: ApiContext,
  accountId: number,
  subject: StatisticsSubject,
  query: StatisticsPageQuery,
  whose: ListIdentity = [],
  only: readonly StatisticsFilter[] = [],
) {
  const place = placeIn(context, whose, query);
  if (!('now' in place)) throw refused([place]);
  const { now, after } = place;
  const read = parseQuery(query, now, context.statisticsDays);
  if ('problems' in read) throw refused(read.problems);
  const { timezone, interval, groupBy } = read;
  const isWalked = query.cursor !== undefined;
  const filters = [...only, ...filtersOf(context, read)];
  const question = { ...toQuestion({ ...read, filters }, subject), isWalked, after };
  const nextCursorOf = ({ clicks, value }: BreakdownPlace): string =>
    writeCursor(listOf(whose, query), [now, clicks, value]);
  const answer = await context.storage.statistics(accountId, question);
  if (answer === undefined) throw notFound[subject.kind]();
  const { totals, visitorsExact, incompleteBefore, breakdown, compare } = answer;
  return {
    from: formatTimestamp(read.from),
    to: formatTimestamp(read.to),
    timezone,
    interval,
    totals: countsOf(totals),
    ...(!visitorsExact && { visitorsExact: false as const }),
    ...(incompleteBefore !== undefined && { incompleteBefore: formatTimestamp(incompleteBefore) }),
    series: seriesOf(answer, question.range, timezone),
    ...(breakdown !== undefined &&
      groupBy !== undefined && {
        breakdown: {
          ...breakdownOf(context, breakdown, groupBy),
          ...(isWalked && { nextCursor: breakdown.next === undefined ? null : nextCursorOf(breakdown.next) }),
        },
      }),
    ...(compare !== undefined &&
      question.compare !== undefined && {
        compare: {
          from: formatTimestamp(question.compare.from),
          to: formatTimestamp(question.compare.to),
          totals: countsOf(compare.totals),
          series: seriesOf(compare, question.compare, timezone),
        },
      }),
  };
}

function countsOf({ clicks, human, bot, preview, prefetch, visitors }: StatisticsCounts) {
  return { clicks, human, bot, preview, prefetch, visitors };
}

function seriesOf({ series }: Pick<StatisticsAnswer, 'series'>, { buckets }: StatisticsRange, zone: string) {
  return series.map((counts, at) => ({
    start: formatTimeIn(buckets[at] as number, zone),
    ...countsOf(counts),
  }));
}

function valueCountsOf({ clicks, visitors }: ValueCounts) {
  return { clicks, visitors };
}

/** Converts domain filters to stored values: Punycode hosts, and an empty host for the shared domain. */
export function filtersOf(
  { sharedHost }: Pick<ApiContext, 'sharedHost'>,
  { filters }: Pick<ParsedQuery, 'filters'>,
): readonly StatisticsFilter[] {
  return filters.map((filter) => {
    if (filter.dimension !== 'domain' || filter.operator === 'contains') return filter;
    const hosts = filter.values.map((value) => hostIn(value) ?? value);
    return { ...filter, values: hosts.map((host) => (host === sharedHost() ? '' : host)) };
  });
}

/** Returns the display name of a host, in Unicode. An empty host stands for the shared domain. */
function nameOfHost({ sharedHost }: Pick<ApiContext, 'sharedHost'>, host: string): string {
  return unicodeOf(host === '' ? sharedHost() : host);
}

function breakdownOf(
  context: ApiContext,
  { values, other }: NonNullable<StatisticsAnswer['breakdown']>,
  dimension: string,
) {
  const labelIn = (value: string, own: string | undefined) => {
    const label = dimension === 'domain' ? nameOfHost(context, value) : own;
    return label !== undefined && { label };
  };
  return {
    dimension,
    values: values.map(({ value, label: own, title, clicks, visitors, before }) => ({
      value,
      ...labelIn(value, own),
      ...(title !== undefined && { title }),
      clicks,
      visitors,
      ...(before !== undefined && { before: valueCountsOf(before) }),
    })),
    other: valueCountsOf(other),
  };
}

function ofDomain({ key, params }: StatisticsRequest): ListIdentity {
  return [key.accountId, 'domain', params.id];
}

/** Creates the handler for the statistics of a link, folder or tag. */
function recordStatistics(kind: 'link' | 'folder' | 'tag') {
  const whose = ({ key, params }: StatisticsRequest) => [key.accountId, kind, params.id];
  return {
    rules: (call: StatisticsRequest) => pageProblems(call.context, whose(call), call.query),
    async run(call: StatisticsRequest) {
      const { context, key, params, query } = call;
      const subject = { kind, id: params.id } as const;
      const data = await statisticsOf(context, key.accountId, subject, query, whose(call));
      return { success: true as const, data };
    },
  };
}

export const statisticsHandlers: Handlers<typeof statisticsEndpoints> = {
  accountStatistics: {
    rules: ({ context, key, query }) => pageProblems(context, [key.accountId], query),
    async run({ context, key, query }) {
      const data = await statisticsOf(context, key.accountId, { kind: 'account' }, query, [key.accountId]);
      return { success: true, data };
    },
  },
  linkStatistics: recordStatistics('link'),
  tagStatistics: recordStatistics('tag'),
  folderStatistics: recordStatistics('folder'),
  domainStatistics: {
    rules: (call) => pageProblems(call.context, ofDomain(call), call.query),
    async run(call) {
      const { context, key, params, query } = call;
      const isShared = params.id === sharedDomainId && allowsSharedDomain(key.restrictions);
      const host = isShared ? '' : (await getDomain(context, key.accountId, params.id)).host;
      const only = [{ dimension: 'domain', operator: 'is', values: [host] }] as const;
      const subject = { kind: 'account' } as const;
      const data = await statisticsOf(context, key.accountId, subject, query, ofDomain(call), only);
      return { success: true, data };
    },
  },
};
