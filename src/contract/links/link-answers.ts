import * as z from 'zod';
import { fieldsWith } from '../../model/links/link-field-values.ts';
import { linkStates } from '../../model/links/link-search.ts';
import { count, timestamp, uri, uuid } from '../fields.ts';
import { destinationCheck } from './destination-checks.ts';
import { clicksByDay } from './link-days.ts';
import { answeredFields } from './link-fields.ts';
import { foundPagination } from './link-search.ts';

/** Fields that `?include=` can add to a link, in response order. */
export const includable = [
  ...fieldsWith('includable'),
  'tags',
  'status',
  'lastClickAt',
  'clicksLeft',
  'hasPassword',
  'domain',
] as const;

export const linkId = uuid('Identifier of the link.');
const shortCode = z.string().describe('Equals `customCode` if you set one.');
export const shortUrl = uri('URL that visitors open.');
// This schema has no `format`: URLs are stored as given, and browsers accept more than the URI standard allows.
const destinationUrl = z.string().describe('Destination URL, exactly as given.');
const clicks = count('Number of redirects.');
const createdAt = timestamp('When the link was created.');
const { title, expiresAt, folderId, updatedAt } = answeredFields;
export const everyIncluded = z.object({
  ...answeredFields,
  tags: z.array(z.string()).describe('Tag names, sorted alphabetically.'),
  status: z.enum(linkStates).meta({ id: 'LinkStatus' }),
  lastClickAt: timestamp(
    'Last click, rounded down to the hour but not before `createdAt`; null if none.',
  ).nullable(),
  clicksLeft: count('Remaining human clicks;')
    .nullable()
    .meta({ description: 'Remaining human clicks; null if there is no limit.' }),
  hasPassword: z.boolean().describe('Whether visitors must enter a password.'),
  domain: z.string().describe('Host of the link’s domain.'),
});
const included = {
  ...everyIncluded.partial().shape,
  clicksByDay,
  destinationCheck: destinationCheck.optional(),
  excludedToday: count('Visits today (UTC)')
    .optional()
    .describe(
      'Visits today (UTC) that the account excludes from statistics, by network or browser; up to a minute old.',
    ),
};

/** Allowed values of `include` for links. Only `getLink` and `listLinks` support the last three. */
export const includableInLinks = [...includable, 'clicksByDay', 'destinationCheck', 'excludedToday'] as const;

/** Includable fields that depend only on the link. `getLink` and `listLinks` can include three more fields. */
export type Included = z.output<typeof everyIncluded>;

// Fields that three responses share. Each response has a separate OpenAPI component.
const basics = { id: linkId, shortCode, shortUrl, destinationUrl, createdAt };
export const createdLink = z.object(basics).meta({ id: 'CreatedLink', description: 'A newly created link.' });
export const upsertedLink = z
  .object(basics)
  .meta({ id: 'UpsertedLink', description: 'A link that was created or replaced.' });
export const restoredLink = z
  .object(basics)
  .meta({ id: 'RestoredLink', description: 'A link that was restored after deletion.' });
const listed = z
  .object({ id: linkId, shortCode, shortUrl, destinationUrl, clicks, createdAt, ...included })
  .meta({
    id: 'ListedLink',
    description: 'A link in a list; fields after `createdAt` only with `include`.',
  });
const { title: _read, ...includedInOne } = included;
export const readLink = z
  .object({ id: linkId, shortCode, shortUrl, destinationUrl, title, clicks, createdAt, ...includedInOne })
  .meta({ id: 'Link', description: 'A link; fields after `createdAt` only with `include`.' });
export const updatedLink = z
  .object({ id: linkId, shortCode, title, expiresAt, updatedAt })
  .meta({ id: 'UpdatedLink', description: 'Metadata of a link after an update.' });
export const repointedLink = z
  .object({ id: linkId, destinationUrl, updatedAt })
  .meta({ id: 'RepointedLink', description: 'A link with its new destination.' });
export const movedLink = z
  .object({ id: linkId, folderId })
  .meta({ id: 'MovedLink', description: 'A link with its new folder.' });
const pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1),
    total: count('Total number of matching links.'),
  })
  .meta({ id: 'Pagination', description: 'Current page and totals.' });

/** A link with every includable field, except the three that only `getLink` and `listLinks` support. */
const everything = readLink
  .omit({ clicksByDay: true, destinationCheck: true, excludedToday: true })
  .required();
/** Columns of link exports. */
export const linkColumns = Object.keys(everything.shape);
export const wholeLink = everything.meta({ id: 'FullLink', description: 'A link with all fields.' });
const deleted = wholeLink
  .extend({ status: z.literal('deleted'), deletedAt: timestamp('When the link was deleted.') })
  .meta({ id: 'DeletedLink', description: 'A deleted link with all fields.' });
const cursorPagination = z
  .object({
    limit: z.int().min(1),
    nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  })
  .meta({ id: 'CursorPagination', description: 'How to get the next page.' });

export const linkPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination })
  .meta({ id: 'LinkPage', description: 'One page of links.' });
export const foundLinkPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination: foundPagination })
  .meta({ id: 'FoundLinkPage', description: 'One page of links, in cursor pagination.' });
export const deletedLinkPage = z
  .object({ success: z.literal(true), data: z.array(deleted), pagination: cursorPagination })
  .meta({ id: 'DeletedLinkPage', description: 'One page of deleted links, most recently deleted first.' });
