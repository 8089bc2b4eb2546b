import * as z from 'zod';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { intervals, type StatisticsDimension, statisticsDimensions } from '../../model/clicks/statistics.ts';
import { endpoint } from '../endpoint.ts';
import { count, integer, moment, texts, timestamp, uuid, words } from '../fields.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const mostFilters = 10;

/** Which clicks are asked for, of whomever. */
export const clickQuery = {
  from: moment
    .optional()
    .describe(
      'Where the range begins; without an offset it is of `timezone`. Default: the last 30 days there, today included.',
    ),
  to: moment.optional().describe('Where it ends, exclusive, in the same way. Default: now.'),
  timezone: z
    .string()
    .optional()
    .describe('IANA name of the zone of dates and buckets, such as `Europe/Berlin`. Default: `UTC`.'),
  class: words(clickClasses).optional().describe('Only clicks of these kinds. Default: all.'),
  filter: texts(mostFilters)
    .optional()
    .describe(
      'Only clicks that match `dimension:is:a,b`, `dimension:is-not:a,b` or `dimension:contains:text` (without regard to case). At most 10, all of which must hold. Percent-encode `%`, `,` and `:` in values, of which there may be 100; an empty value means unknown.',
    ),
};

/** What readers of a share can break its link's statistics down by. */
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
        'Length of the buckets of the series, at most 1,000; weeks begin on Monday. Default: `hour` up to 3 days, `day` up to 184, `week` up to 1,096, then `month`.',
      ),
    class: classes,
    groupBy: z.enum(dimensions).optional().describe('What to break the clicks down by.'),
    filter,
    compare: z
      .string()
      .optional()
      .describe(
        'An earlier range to set beside it: `previous` (as long, right before), `year` (a year earlier), or two times as `from..to`.',
      ),
    limit: integer(1, 1_000, 10)
      .optional()
      .describe('Values of the breakdown; the others are summed up in `other`.'),
    cursor: z
      .string()
      .optional()
      .describe(
        'With `groupBy`: `nextCursor` of the page of values before, with the same range and filters; empty for the first page. All pages are of the moment of the first one.',
      ),
  };
}

export const statisticsQuery = queryWith(statisticsDimensions);
export const sharedQuery = queryWith(sharedDimensions);

const clicks = count('Clicks of all kinds.');
const visitors = count(
  'Visitor-days: distinct visitors of each UTC day, summed; each in the bucket and value of its first click of the day.',
);
const counts = {
  clicks,
  human: count('Clicks of people.'),
  bot: count('Clicks of programs.'),
  preview: count('Clicks of messengers that show a preview.'),
  prefetch: count('Clicks of browsers that load ahead.'),
  visitors,
};
const valueCounts = z
  .object({ clicks, visitors })
  .meta({ id: 'ValueCounts', description: 'Clicks and visitors of a value.' });
const total = z.object(counts).meta({ id: 'StatisticsTotals', description: 'Clicks in all, and by kind.' });
const bucket = z
  .object({
    start: z.string().meta({
      description: 'When the bucket begins, as clocks in the zone show it, with their offset.',
      format: 'date-time',
    }),
    ...counts,
  })
  .meta({ id: 'StatisticsBucket', description: 'Clicks of one minute, hour, day, week or month.' });
const series = z.array(bucket).describe('Every bucket of the range, empty ones too; they sum to `totals`.');
const from = timestamp('Where the range begins.');
const to = timestamp('Where it ends, exclusive.');

export const statisticsShape = {
  from,
  to,
  timezone: z.string().describe('The zone of the buckets.'),
  interval: z.enum(intervals).meta({ id: 'StatisticsInterval' }),
  totals: total,
  visitorsExact: z
    .literal(false)
    .optional()
    .describe('There when some visitors are estimated, as they are above some hundreds a day of one value.'),
  incompleteBefore: timestamp(
    'There when the limit on clicks that are looked at was met: clicks before this moment are left out.',
  ).optional(),
  series,
  breakdown: z
    .object({
      dimension: z.string().describe('As `groupBy`.'),
      values: z
        .array(
          z.object({
            value: z
              .string()
              .describe(
                'Empty when it is unknown; links and folders by their ids, domains by their hosts, of which the shared one has none.',
              ),
            label: z
              .string()
              .optional()
              .describe('The code of a link, the name of a folder, the host of a domain as people read it.'),
            title: z.string().optional().describe('The title of a link that has one.'),
            clicks,
            visitors,
            before: valueCounts.optional().describe('Of the earlier range; with `compare` only.'),
          }),
        )
        .describe('The values of most clicks first; those of as many in an order of their own that stays.'),
      other: valueCounts.describe('All values that are not in `values`. Together they sum to `totals`.'),
      nextCursor: z
        .string()
        .nullable()
        .optional()
        .describe('With `cursor` only: what leads to the values behind these; null when there are none.'),
    })
    .optional()
    .describe('With `groupBy` only.'),
  compare: z
    .object({ from, to, totals: total, series })
    .optional()
    .describe('The earlier range; with `compare` only.'),
};
const statistics = z
  .object(statisticsShape)
  .meta({ id: 'Statistics', description: 'Clicks of a range: in all, over time, and by one dimension.' });

const examplePath =
  'from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin&interval=day&groupBy=country&limit=1&compare=previous';
const some = { clicks: 12, human: 9, bot: 2, preview: 1, prefetch: 0, visitors: 8 };
const more = { clicks: 30, human: 25, bot: 4, preview: 1, prefetch: 0, visitors: 21 };
const none = { clicks: 0, human: 0, bot: 0, preview: 0, prefetch: 0, visitors: 0 };

/** What an answer shows, for documentation. */
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

const success = {
  status: 200,
  description: 'The statistics.',
  body: z.object({ success: z.literal(true), data: statistics }),
  example: { success: true, data: exampleStatistics },
} as const;

export const idOfLink = uuid('Identifier of the link.').meta({ example: exampleLinkId });
const idOfFolder = uuid('Identifier of the folder.').meta({
  example: '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10',
});

const exampleDomain = '0198c5a0-7777-7b3a-9c41-3f0f6f2f8a10';
const idOfDomain = uuid('Identifier of the domain.').meta({ example: exampleDomain });

const exampleTag = '0198c5a0-3333-7b3a-9c41-3f0f6f2f8a10';
const idOfTag = uuid('Identifier of the tag.').meta({ example: exampleTag });

export const statisticsEndpoints = {
  accountStatistics: endpoint({
    method: 'GET',
    path: '/stats',
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Statistics of the account',
    description:
      'Clicks of all links of the account, deleted ones too: totals, a series, and with `groupBy` a breakdown. A click is in the answer within 2 seconds.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR'],
  }),
  linkStatistics: endpoint({
    method: 'GET',
    path: '/links/:id/stats',
    params: { id: idOfLink },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Statistics of a link',
    description: 'The same of one link.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/links/${exampleLinkId}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  folderStatistics: endpoint({
    method: 'GET',
    path: '/folders/:id/stats',
    params: { id: idOfFolder },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Statistics of a folder',
    description: 'The same of the links that are in a folder now.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/folders/0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'FOLDER_NOT_FOUND'],
  }),
  domainStatistics: endpoint({
    method: 'GET',
    path: '/domains/:id/stats',
    params: { id: idOfDomain },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Statistics of a domain',
    description:
      'The same of the clicks at this domain, by whichever code of a link: of one that was moved to another domain those before stay here. Clicks from before there were domains are of the shared one.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/domains/${exampleDomain}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'DOMAIN_NOT_FOUND'],
  }),
  tagStatistics: endpoint({
    method: 'GET',
    path: '/tags/:id/stats',
    params: { id: idOfTag },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Statistics of a tag',
    description: 'The same of the links that have a tag now.',
    query: statisticsQuery,
    success,
    exampleRequest: { path: `/tags/${exampleTag}/stats?${examplePath}` },
    failures: ['VALIDATION_ERROR', 'TAG_NOT_FOUND'],
  }),
} as const;
