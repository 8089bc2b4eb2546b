import * as z from 'zod';
import { type ClickText, clickTexts } from '../../model/clicks/raw-clicks.ts';
import { endpoint } from '../endpoint.ts';
import { integer, timestamp, uuid } from '../fields.ts';
import { exampleFolder, exampleLinkId } from '../links/link-examples.ts';
import { clickQuery, idOfLink } from './statistics.ts';

export const defaultClicksOfPage = 100;
export const mostClicksOfPage = 1_000;

/** Of whose clicks; at most one of them. */
export const subjectQuery = {
  linkId: z.string().optional().describe('Only clicks of this link.'),
  folderId: z.string().optional().describe('Only clicks of links that are in this folder now.'),
  tagId: z.string().optional().describe('Only clicks of links that have this tag now.'),
};

const query = {
  ...clickQuery,
  cursor: z
    .string()
    .optional()
    .describe(
      '`nextCursor` of the page before, with the same range and filters; absent or empty for the first page.',
    ),
  limit: integer(1, mostClicksOfPage, defaultClicksOfPage).optional().describe('Most clicks of a page.'),
};

/** A click, as pages and files tell it. */
export const clickShape = {
  time: timestamp('When it was, cut to the second.'),
  linkId: uuid('The link, which may be deleted by now.'),
  shortCode: z.string().describe('Its code.'),
  folderId: z.string().describe('The folder in which it is now; empty when it is in none.'),
  ...(Object.fromEntries(
    clickTexts.map((name) => [name, z.string().describe('As in statistics; empty when it is unknown.')]),
  ) as Record<(typeof clickTexts)[number], z.ZodString>),
};
const click = z.object(clickShape).meta({ id: 'Click', description: 'One click, and what it says.' });

const page = z.object({
  success: z.literal(true),
  data: z.array(click).describe('The newest first.'),
  pagination: z
    .object({
      limit: z.int().min(1),
      nextCursor: z
        .string()
        .nullable()
        .describe(
          'What leads to the next page; null on the last one. A page before that may have few clicks, or none.',
        ),
    })
    .meta({ id: 'ClickPagination', description: 'How to get the next page.' }),
});

const saysNothing = Object.fromEntries(clickTexts.map((name) => [name, ''])) as Record<ClickText, string>;

export const exampleClick = {
  time: '2027-03-28T08:15:30.000Z',
  linkId: exampleLinkId,
  shortCode: 'launch',
  folderId: exampleFolder,
  ...saysNothing,
  class: 'human',
  trigger: 'qr',
  country: 'DE',
  browser: 'safari',
  os: 'ios',
  device: 'mobile',
  language: 'de',
};

const success = {
  status: 200,
  description: 'One page of clicks.',
  body: page,
  example: { success: true, data: [exampleClick], pagination: { limit: 100, nextCursor: null } },
} as const;

export const clickEndpoints = {
  accountClicks: endpoint({
    method: 'GET',
    path: '/clicks',
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Clicks of the account',
    description:
      'Single clicks, the newest first, each with all that it says; nothing in it tells who the visitor was. Each click is on one page, whatever is folded meanwhile; one is there within 2 seconds.',
    query: { ...subjectQuery, ...query },
    success,
    exampleRequest: {
      path: '/clicks?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin&filter=trigger:is:qr',
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND', 'TAG_NOT_FOUND'],
  }),
  linkClicks: endpoint({
    method: 'GET',
    path: '/links/:id/clicks',
    params: { id: idOfLink },
    access: { key: 'analytics:read', bound: true },
    priority: 'list',
    summary: 'Clicks of a link',
    description: 'The same of one link.',
    query,
    success,
    exampleRequest: {
      path: `/links/${exampleLinkId}/clicks?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin`,
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
} as const;
