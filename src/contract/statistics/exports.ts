import * as z from 'zod';
import { linkStates } from '../../model/links/link-search.ts';
import { endpoint } from '../endpoint.ts';
import { integer } from '../fields.ts';
import { searchQuery } from '../links/link-search.ts';
import { externalIdFilter, folderFilter } from '../links/links.ts';
import { subjectQuery } from './clicks.ts';
import { clickQuery, statisticsQuery } from './statistics.ts';

/** Export formats for tables. */
export const tableFormats = ['csv', 'ndjson'] as const;
export type TableFormat = (typeof tableFormats)[number];

/** Media type of each table format. */
export const tableTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const satisfies Record<
  TableFormat,
  string
>;

const format = z
  .enum(tableFormats)
  .optional()
  .describe('File format. Default: based on the `Accept` header, otherwise `csv`.');

const { status: _, cursor: _cursor, ...search } = searchQuery;

const { cursor: _page, limit: _limit, ...question } = statisticsQuery;
const maxValues = 10_000_000;

const success = {
  status: 200,
  description: 'The file, streamed. If the connection closes before the last chunk, the file is incomplete.',
  files: [tableTypes.csv, tableTypes.ndjson],
  isStream: true,
} as const;

const aboutFiles =
  'CSV follows RFC 4180, in UTF-8 without a byte order mark, with a header row. To prevent formula injection, text that starts with `=`, `+`, `-`, `@` (including full-width and other compatibility forms), a tab, a line feed or a carriage return is prefixed with an apostrophe. Cells with commas, semicolons, tabs, quotes or line breaks are quoted. NDJSON has one JSON object per line.';

export const exportEndpoints = {
  exportLinks: endpoint('GET', '/links/export', {
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'Export links',
    description: `Exports all links that match the filters, with all their fields. ${aboutFiles}`,
    query: {
      format,
      folderId: folderFilter,
      externalId: externalIdFilter,
      status: z.enum(linkStates).optional().describe('Only links in this state.'),
      ...search,
    },
    success,
    exampleRequest: { path: '/links/export?format=csv&tag=spring' },
    failures: ['VALIDATION_ERROR'],
  }),
  exportStatistics: endpoint('GET', '/stats/export', {
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Export statistics',
    description: `With \`groupBy\`, exports all values of the breakdown; otherwise, the time series. ${aboutFiles}`,
    query: {
      format,
      ...subjectQuery,
      ...question,
      limit: integer(1, maxValues)
        .optional()
        .describe('Number of values in the breakdown; the rest are summed in the last row. Default: all.'),
    },
    success,
    exampleRequest: { path: '/stats/export?format=csv&from=2027-03-01&to=2027-04-01&groupBy=link' },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND', 'TAG_NOT_FOUND'],
  }),
  exportClicks: endpoint('GET', '/clicks/export', {
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Export clicks',
    description: `Exports all individual clicks in a range, newest first. ${aboutFiles}`,
    query: { format, ...subjectQuery, ...clickQuery },
    success,
    exampleRequest: { path: '/clicks/export?format=ndjson&from=2027-03-01&to=2027-04-01' },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND', 'TAG_NOT_FOUND'],
  }),
} as const;
