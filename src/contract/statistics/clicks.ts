import * as z from 'zod';
import { type ClickField, clickFields } from '../../model/clicks/raw-clicks.ts';
import { endpoint, ok } from '../endpoint.ts';
import { integer, timestamp, uuid } from '../fields.ts';
import { exampleFolder, exampleLinkId } from '../links/link-examples.ts';
import { idInPath } from '../links/links.ts';
import { clickQuery } from './statistics.ts';

export const defaultClicksOfPage = 100;
export const maxClicksPerPage = 1_000;

/** Parameters that restrict clicks to a link, folder or tag. A request can have at most one of them. */
export const subjectQuery = {
  linkId: z.string().optional().describe('Only clicks on this link.'),
  folderId: z.string().optional().describe('Only clicks on links that are in this folder now.'),
  tagId: z.string().optional().describe('Only clicks on links that have this tag now.'),
};

const query = {
  ...clickQuery,
  cursor: z
    .string()
    .optional()
    .describe(
      '`nextCursor` of the previous page, with the same range and filters. Absent or empty for the first page.',
    ),
  limit: integer(1, maxClicksPerPage, defaultClicksOfPage)
    .optional()
    .describe('Maximum number of clicks per page.'),
};

/** Fields of a click in lists and exports. */
export const clickShape = {
  time: timestamp('Time of the click, truncated to the second.'),
  linkId: uuid('The link, which may have been deleted since.'),
  shortCode: z.string().describe('Short code of the link.'),
  folderId: z.string().describe('The folder that the link is in now; empty if none.'),
  ...(Object.fromEntries(
    clickFields.map((name) => [name, z.string().describe('Same values as in statistics; empty if unknown.')]),
  ) as Record<(typeof clickFields)[number], z.ZodString>),
};
const click = z
  .object(clickShape)
  .meta({ id: 'Click', description: 'An individual click and its dimensions.' });

const page = {
  data: z.array(click).describe('Newest first.'),
  pagination: z
    .object({
      limit: z.int().min(1),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          'Cursor of the next page; null on the last page. A page before the last can have few clicks, or none.',
        ),
    })
    .meta({ id: 'ClickPagination', description: 'How to get the next page.' }),
};

const emptyValues = Object.fromEntries(clickFields.map((name) => [name, ''])) as Record<ClickField, string>;

export const exampleClick = {
  time: '2027-03-28T08:15:30.000Z',
  linkId: exampleLinkId,
  shortCode: 'launch',
  folderId: exampleFolder,
  ...emptyValues,
  class: 'human',
  trigger: 'qr',
  country: 'DE',
  browser: 'safari',
  os: 'ios',
  device: 'mobile',
  language: 'de',
};

const success = ok('One page of clicks.', page, {
  data: [exampleClick],
  pagination: { limit: 100, nextCursor: null },
});

export const clickEndpoints = {
  accountClicks: endpoint('GET', '/clicks', {
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'List the account’s clicks',
    description:
      'Returns individual clicks, newest first, with all their dimensions. They contain nothing that identifies a visitor. Each click appears on exactly one page, even if clicks are aggregated between requests. New clicks appear within 2 seconds.',
    query: { ...subjectQuery, ...query },
    success,
    exampleRequest: {
      path: '/clicks?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin&filter=trigger:is:qr',
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND', 'TAG_NOT_FOUND'],
  }),
  linkClicks: endpoint('GET', '/links/:id/clicks', {
    params: { id: idInPath },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'List clicks on a link',
    description: 'Returns individual clicks on one link; otherwise like `GET /clicks`.',
    query,
    success,
    exampleRequest: {
      path: `/links/${exampleLinkId}/clicks?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin`,
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
} as const;
