import * as z from 'zod';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { intervals, type StatisticsDimension, statisticsDimensions } from '../../model/clicks/statistics.ts';
import { endpoint, ok } from '../endpoint.ts';
import { count, integer, moment, texts, timestamp, words } from '../fields.ts';
import { idInPath as domainIdInPath, exampleId as exampleDomainId } from '../links/domains.ts';
import { idInPath as folderIdInPath } from '../links/folders.ts';
import { exampleLinkId } from '../links/link-examples.ts';
import { idInPath } from '../links/links.ts';
import { otherTagId, otherIdInPath as tagIdInPath } from '../links/tags.ts';

const maxFilters = 10;

/** Parameters that filter clicks, for any kind of record. */
export const clickQuery = {
  from: moment
    .optional()
    .describe(
      'Start of the range, inclusive. Times without an offset are in `timezone`. Default: the last 30 days, including today.',
    ),
  to: moment.optional().describe('End of the range, exclusive, in the same format. Default: now.'),
  timezone: z
    .string()
    .optional()
    .describe('IANA name of the time zone for dates and buckets, such as `Europe/Berlin`. Default: `UTC`.'),
  class: words(clickClasses).optional().describe('Only clicks of these classes. Default: all.'),
  filter: texts(maxFilters)
    .optional()
    .describe(
      'Only clicks that match `dimension:is:a,b`, `dimension:is-not:a,b` or `dimension:contains:text` (case-insensitive). At most 10 filters; a click must match all of them. Percent-encode `%`, `,` and `:` in values. A filter takes up to 100 values; an empty value means unknown.',
    ),
};

/** Dimensions that readers of a shared report can group clicks by. */
const sharedDimensions = statisticsDimensions.filter(
  (one): one is Exclude<(typeof statisticsDimensions)[number], 'link' | 'folder'> =>
    one !== 'link' && one !== 'folder',
);

function queryWith<const D extends StatisticsDimension>(dimensions: readonly D[]) {
  const { from, to, timezone, class: classes, filter } = clickQuery;
  return {
    from,
    to,
    timezone,
    interval: z
      .enum(intervals)
      .optional()
      .describe(
        'Bucket size of the series, which has at most 1,000 buckets. Weeks start on Monday. Default: `hour` for ranges up to 3 days, `day` up to 184, `week` up to 1,096, then `month`.',
      ),
    class: classes,
    groupBy: z.enum(dimensions).optional().describe('Dimension to group clicks by.'),
    filter,
    compare: z
      .string()
      .optional()
      .describe(
        'Earlier range to compare with: `previous` (the preceding period of the same length), `year` (a year earlier), or two times as `from..to`.',
      ),
    limit: integer(1, 1_000, 10)
      .optional()
      .describe('Number of values to return in the breakdown; the rest are summed in `other`.'),
    cursor: z
      .string()
      .optional()
      .describe(
        'With `groupBy`: `nextCursor` of the previous page of values, with the same range and filters; empty for the first page. All pages show the data as of the first one.',
      ),
  };
}

export const statisticsQuery = queryWith(statisticsDimensions);
export const sharedQuery = queryWith(sharedDimensions);

const clicks = count('Clicks in all classes.');
const visitors = count(
  'Visitor-days: distinct visitors per UTC day, summed. Each is counted under the bucket and value of the day’s first click.',
);
const counts = {
  clicks,
  human: count('Clicks by people.'),
  bot: count('Clicks by bots.'),
  preview: count('Requests by messengers that render a link preview.'),
  prefetch: count('Requests by browsers that prefetch.'),
  visitors,
};
const valueCounts = z
  .object({ clicks, visitors })
  .meta({ id: 'ValueCounts', description: 'Clicks and visitors for one value.' });
const total = z.object(counts).meta({ id: 'StatisticsTotals', description: 'Clicks in total and by class.' });
const bucket = z
  .object({
    start: z.string().meta({
      description: 'Start of the bucket in local time, with the UTC offset.',
      format: 'date-time',
    }),
    ...counts,
  })
  .meta({ id: 'StatisticsBucket', description: 'Clicks in one minute, hour, day, week or month.' });
const series = z
  .array(bucket)
  .describe('All buckets of the range, including empty ones. The buckets add up to `totals`.');
const from = timestamp('Start of the range.');
const to = timestamp('End of the range, exclusive.');

export const statisticsShape = {
  from,
  to,
  timezone: z.string().describe('Time zone of the buckets.'),
  interval: z.enum(intervals).meta({ id: 'StatisticsInterval' }),
  totals: total,
  visitorsExact: z
    .literal(false)
    .optional()
    .describe(
      'Present if some visitor counts are estimates, which happens above a few hundred visitors per day and value.',
    ),
  incompleteBefore: timestamp(
    'Present if the query reached the maximum number of clicks to scan: clicks before this time are not counted.',
  ).optional(),
  series,
  breakdown: z
    .object({
      dimension: z.string().describe('The requested `groupBy`.'),
      values: z
        .array(
          z.object({
            value: z
              .string()
              .describe(
                'Value of the dimension; empty if unknown. Links and folders are identified by ID, domains by host; the shared domain is empty.',
              ),
            label: z
              .string()
              .optional()
              .describe('Short code of a link, name of a folder, or Unicode host of a domain.'),
            title: z.string().optional().describe('Title of a link, if it has one.'),
            clicks,
            visitors,
            before: valueCounts.optional().describe('Counts for the earlier range; only with `compare`.'),
          }),
        )
        .describe('Values with the most clicks first; ties have a stable order.'),
      other: valueCounts.describe(
        'Sum of all values that are not in `values`. Together they add up to `totals`.',
      ),
      nextCursor: z
        .string()
        .nullable()
        .optional()
        .describe('Only with `cursor`: cursor of the next page of values; null on the last page.'),
    })
    .optional()
    .describe('Only with `groupBy`.'),
  compare: z
    .object({ from, to, totals: total, series })
    .optional()
    .describe('The earlier range; only with `compare`.'),
};
const statistics = z.object(statisticsShape).meta({
  id: 'Statistics',
  description: 'Clicks in a range: totals, a time series and optionally a breakdown by one dimension.',
});

const examplePath =
  'from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin&interval=day&groupBy=country&limit=1&compare=previous';
const some = { clicks: 12, human: 9, bot: 2, preview: 1, prefetch: 0, visitors: 8 };
const more = { clicks: 30, human: 25, bot: 4, preview: 1, prefetch: 0, visitors: 21 };
const none = { clicks: 0, human: 0, bot: 0, preview: 0, prefetch: 0, visitors: 0 };

/** Example response for the documentation. */
export const exampleStatistics = {
  from: '2027-03-26T23:00:00.000Z',
  to: '2027-03-28T22:00:00.000Z',
  timezone: 'Europe/Berlin',
  interval: 'day',
  totals: { clicks: 42, human: 34, bot: 6, preview: 2, prefetch: 0, visitors: 29 },
  series: [
    { start: '2027-03-27T00:00:00+01:00', ...some },
    { start: '2027-03-28T00:00:00+01:00', ...more },
  ],
  breakdown: {
    dimension: 'country',
    values: [{ value: 'DE', clicks: 31, visitors: 22, before: { clicks: 12, visitors: 8 } }],
    other: { clicks: 11, visitors: 7 },
  },
  compare: {
    from: '2027-03-24T23:00:00.000Z',
    to: '2027-03-26T23:00:00.000Z',
    totals: some,
    series: [
      { start: '2027-03-25T00:00:00+01:00', ...some },
      { start: '2027-03-26T00:00:00+01:00', ...none },
    ],
  },
};

const success = ok('The statistics.', { data: statistics }, { data: exampleStatistics });

export const statisticsEndpoints = {
  accountStatistics: endpoint('GET', '/stats', {
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Get account statistics',
    description:
      'Returns clicks on all of the account’s links, including deleted ones: totals, a time series, and a breakdown with `groupBy`. New clicks are included within 2 seconds.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR'],
  }),
  linkStatistics: endpoint('GET', '/links/:id/stats', {
    params: { id: idInPath },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Get link statistics',
    description: 'Returns statistics for one link; parameters and response are the same as for `GET /stats`.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/links/${exampleLinkId}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  folderStatistics: endpoint('GET', '/folders/:id/stats', {
    params: { id: folderIdInPath },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Get folder statistics',
    description:
      'Returns statistics for the links that are in the folder now; parameters and response are the same as for `GET /stats`.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/folders/0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'FOLDER_NOT_FOUND'],
  }),
  domainStatistics: endpoint('GET', '/domains/:id/stats', {
    params: { id: domainIdInPath },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Get domain statistics',
    description:
      'Returns statistics for clicks on this domain; parameters and response are the same as for `GET /stats`. Clicks count for the domain that was visited, even if the link moves to another one. Clicks from before domains existed belong to the shared domain.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/domains/${exampleDomainId}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND'],
  }),
  tagStatistics: endpoint('GET', '/tags/:id/stats', {
    params: { id: tagIdInPath },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Get tag statistics',
    description:
      'Returns statistics for the links that have the tag now; parameters and response are the same as for `GET /stats`.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/tags/${otherTagId}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'TAG_NOT_FOUND'],
  }),
} as const;
