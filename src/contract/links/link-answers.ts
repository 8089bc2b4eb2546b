import * as z from 'zod';
import { fieldsWith } from '../../model/links/link-field-values.ts';
import { linkStates } from '../../model/links/link-search.ts';
import { count, timestamp, uuid } from '../fields.ts';
import { destinationCheck } from './destination-checks.ts';
import { clicksByDay } from './link-days.ts';
import { answeredFields } from './link-fields.ts';
import { foundPagination } from './link-search.ts';

// What answers say of links.

/** What `?include=` can add to a link that is read, in the order in which it is added. */
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
const shortCode = z.string().describe('Equals `customCode` when one was given.');
const shortUrl = z.string().meta({ description: 'What visitors open.', format: 'uri' });
// No `format`: an address is kept as it was given, and browsers take more than the standard of URIs allows.
const destinationUrl = z.string().describe('Where the link leads, exactly as it was given.');
const clicks = count('How often visitors were sent on.');
const createdAt = timestamp('When the link was made.');
const { title, expiresAt, folderId, updatedAt } = answeredFields;
const everyIncluded = z.object({
  ...answeredFields,
  tags: z.array(z.string()).describe('Names of its tags, in their order.'),
  status: z.enum(linkStates).meta({ id: 'LinkStatus' }),
  lastClickAt: timestamp(
    'The last click, rounded down to the hour but not below `createdAt`; null for none.',
  ).nullable(),
  clicksLeft: count('How often people may still follow the link;')
    .nullable()
    .meta({ description: 'How often people may still follow the link; null without a limit.' }),
  hasPassword: z.boolean().describe('Whether visitors have to give a password first.'),
  domain: z.string().describe('Host of the domain that it is on.'),
});
const included = {
  ...everyIncluded.partial().shape,
  clicksByDay,
  destinationCheck: destinationCheck.optional(),
};

/** Everything that `?include=` can add to a link. */
export type Included = z.output<typeof everyIncluded>;

// The same fields under two names, each with its own component in the OpenAPI document.
const basics = { id: linkId, shortCode, shortUrl, destinationUrl, createdAt };
export const createdLink = z
  .object(basics)
  .meta({ id: 'CreatedLink', description: 'A link that was just made.' });
export const upsertedLink = z
  .object(basics)
  .meta({ id: 'UpsertedLink', description: 'A link that was made or replaced.' });
export const restoredLink = z
  .object(basics)
  .meta({ id: 'RestoredLink', description: 'A link that is live again after it was deleted.' });
const listed = z
  .object({ id: linkId, shortCode, shortUrl, destinationUrl, clicks, createdAt, ...included })
  .meta({
    id: 'ListedLink',
    description: 'A link in a list; the fields after `createdAt` by `include` only.',
  });
const { title: _read, ...includedInOne } = included;
export const readLink = z
  .object({ id: linkId, shortCode, shortUrl, destinationUrl, title, clicks, createdAt, ...includedInOne })
  .meta({ id: 'Link', description: 'A link; the fields after `createdAt` by `include` only.' });
export const updatedLink = z
  .object({ id: linkId, shortCode, title, expiresAt, updatedAt })
  .meta({ id: 'UpdatedLink', description: 'What describes a link, after a change.' });
export const repointedLink = z
  .object({ id: linkId, destinationUrl, updatedAt })
  .meta({ id: 'RepointedLink', description: 'A link with its new destination.' });
export const movedLink = z
  .object({ id: linkId, folderId })
  .meta({ id: 'MovedLink', description: 'A link and its new folder.' });
const pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1),
    total: count('How many links match, on all pages.'),
  })
  .meta({ id: 'Pagination', description: 'Which page this is, and how much there is.' });

/** Everything about a link: what `GET /links/:id?include=` answers with every field asked for. */
const everything = readLink.omit({ clicksByDay: true, destinationCheck: true }).required();
/** The columns of links in files. */
export const linkColumns = Object.keys(everything.shape);
export const wholeLink = everything.meta({ id: 'WholeLink', description: 'Everything about a link.' });
const deleted = wholeLink
  .extend({ status: z.literal('deleted'), deletedAt: timestamp('When the link was deleted.') })
  .meta({ id: 'DeletedLink', description: 'Everything about a deleted link.' });
const cursorPagination = z
  .object({
    limit: z.int().min(1),
    nextCursor: z.string().nullable().describe('What leads to the next page; null on the last one.'),
  })
  .meta({ id: 'CursorPagination', description: 'How to get the next page.' });

export const linkPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination })
  .meta({ id: 'LinkPage', description: 'One page of links.' });
export const foundLinkPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination: foundPagination })
  .meta({ id: 'FoundLinkPage', description: 'One page of links, when a cursor was asked for.' });
export const deletedLinkPage = z
  .object({ success: z.literal(true), data: z.array(deleted), pagination: cursorPagination })
  .meta({ id: 'DeletedLinkPage', description: 'One page of deleted links, the last deleted first.' });
