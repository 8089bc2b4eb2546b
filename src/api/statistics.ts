import type { QueryOf } from '../contract/endpoint.ts';
import type { statisticsEndpoints } from '../contract/statistics/statistics.ts';
import type {
  StatisticsAnswer,
  StatisticsCounts,
  StatisticsRange,
  StatisticsSubject,
  ValueCounts,
} from '../model/clicks/statistics.ts';
import { type Failure, type Problem, refused } from '../model/failures.ts';
import { isId } from '../model/ids.ts';
import { folderNotFound } from '../model/links/folders.ts';
import { linkNotFound } from '../model/links/links.ts';
import { tagNotFound } from '../model/links/tags.ts';
import { formatTimestamp } from '../model/timestamps.ts';
import { formatTimeIn } from '../model/zoned-times.ts';
import { type Asked, questionOf, readAsked } from '../statistics/asked.ts';
import type { ApiContext, Handlers } from './request/handler.ts';

type Query = QueryOf<typeof statisticsEndpoints.accountStatistics>;

/** What is wrong with a question beyond the shapes of its parameters. */
export function askedProblems({ context, query }: { context: ApiContext; query: Asked }): readonly Problem[] {
  const read = readAsked(query, context.now(), context.statisticsDays);
  return 'problems' in read ? read.problems : [];
}

export const notFound = {
  account: linkNotFound,
  link: linkNotFound,
  folder: folderNotFound,
  tag: tagNotFound,
};

/** Asks storage, and writes its answer as the API does (CONTRACT §9). @throws Failure when the subject is not there */
export async function statisticsOf(
  context: ApiContext,
  accountId: number,
  subject: StatisticsSubject,
  query: Asked,
) {
  const read = readAsked(query, context.now(), context.statisticsDays);
  if ('problems' in read) throw refused(read.problems);
  const { timezone, interval, groupBy } = read;
  const question = questionOf(read, subject);
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
    ...(breakdown !== undefined && groupBy !== undefined && { breakdown: breakdownOf(breakdown, groupBy) }),
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

function breakdownOf({ values, other }: NonNullable<StatisticsAnswer['breakdown']>, dimension: string) {
  return {
    dimension,
    values: values.map(({ value, label, clicks, visitors, before }) => ({
      value,
      ...(label !== undefined && { label }),
      clicks,
      visitors,
      ...(before !== undefined && { before: valueCountsOf(before) }),
    })),
    other: valueCountsOf(other),
  };
}

const rules = ({ context, query }: { context: ApiContext; query: Query }): Problem[] => [
  ...askedProblems({ context, query }),
];

export const statisticsHandlers: Handlers<typeof statisticsEndpoints> = {
  accountStatistics: {
    rules,
    async run({ context, key, query }) {
      const data = await statisticsOf(context, key.accountId, { kind: 'account' }, query);
      return { success: true, data };
    },
  },

  linkStatistics: {
    rules,
    async run({ context, key, params, query }) {
      const subject = { kind: 'link', id: idIn(params.id, linkNotFound) } as const;
      return { success: true, data: await statisticsOf(context, key.accountId, subject, query) };
    },
  },

  tagStatistics: {
    rules,
    async run({ context, key, params, query }) {
      const subject = { kind: 'tag', id: idIn(params.id, tagNotFound) } as const;
      return { success: true, data: await statisticsOf(context, key.accountId, subject, query) };
    },
  },

  folderStatistics: {
    rules,
    async run({ context, key, params, query }) {
      const subject = { kind: 'folder', id: idIn(params.id, folderNotFound) } as const;
      return { success: true, data: await statisticsOf(context, key.accountId, subject, query) };
    },
  },
};

export function idIn(text: string, notFound: () => Failure): string {
  if (!isId(text)) throw notFound();
  return text.toLowerCase();
}
