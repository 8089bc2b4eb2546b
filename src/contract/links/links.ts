import { z } from 'zod';
import { fieldsWith, linkFields } from '../../domain/links/link-fields.ts';
import { linkStates } from '../../domain/links/link-search.ts';
import { endpoint } from '../endpoint.ts';
import { anyText, count, integer, oneWord, timestamp, uuid, words } from '../fields.ts';
import { clicksByDay, timezone } from './link-days.ts';
import { linkDraft, linkReplacement, urlField } from './link-drafts.ts';
import { exampleFolder, exampleLink, exampleLinkId, wholeExample } from './link-examples.ts';
import { answeredFields, sentFields } from './link-fields.ts';
import { foundPagination, searchQuery } from './link-search.ts';
import { tagNames } from './tags.ts';

export const defaultPageSize = 20;
export const largestPageSize = 100;
/** What `?include=` can add to a link that is read, in the order in which it is added. */
export const includable = [
  ...fieldsWith('includable'),
  'tags',
  'status',
  'lastClickAt',
  'clicksLeft',
  'hasPassword',
] as const;

const id = uuid('Identifier of the link.');
// Any text is accepted: one that is no identifier names no link.
export const idInPath = id.meta({ example: exampleLinkId });
const codeInPath = z.string().meta({ description: 'The code of the link.', minLength: 1, example: 'launch' });
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
  lastClickAt: timestamp('The hour of the last click, as its beginning; null for none.').nullable(),
  clicksLeft: count('How often people may still follow the link;')
    .nullable()
    .meta({ description: 'How often people may still follow the link; null without a limit.' }),
  hasPassword: z.boolean().describe('Whether visitors have to give a password first.'),
});
const included = { ...everyIncluded.partial().shape, clicksByDay };

/** Everything that `?include=` can add to a link. */
export type Included = z.output<typeof everyIncluded>;

// The same fields under two names, each with its own component in the OpenAPI document.
const basics = { id, shortCode, shortUrl, destinationUrl, createdAt };
const created = z.object(basics).meta({ id: 'CreatedLink', description: 'A link that was just made.' });
const upserted = z
  .object(basics)
  .meta({ id: 'UpsertedLink', description: 'A link that was made or replaced.' });
const restored = z
  .object(basics)
  .meta({ id: 'RestoredLink', description: 'A link that is live again after it was deleted.' });
const listed = z.object({ id, shortCode, shortUrl, destinationUrl, clicks, createdAt, ...included }).meta({
  id: 'ListedLink',
  description: 'A link in a list; the fields after `createdAt` by `include` only.',
});
const { title: _read, ...includedInOne } = included;
const read = z
  .object({ id, shortCode, shortUrl, destinationUrl, title, clicks, createdAt, ...includedInOne })
  .meta({ id: 'Link', description: 'A link; the fields after `createdAt` by `include` only.' });
const updated = z
  .object({ id, shortCode, title, expiresAt, updatedAt })
  .meta({ id: 'UpdatedLink', description: 'What describes a link, after a change.' });
const repointed = z
  .object({ id, destinationUrl, updatedAt })
  .meta({ id: 'RepointedLink', description: 'A link with its new destination.' });
const moved = z.object({ id, folderId }).meta({ id: 'MovedLink', description: 'A link and its new folder.' });
const pagination = z
  .object({
    page: z.int().min(1),
    limit: z.int().min(1),
    total: count('How many links match, on all pages.'),
  })
  .meta({ id: 'Pagination', description: 'Which page this is, and how much there is.' });

/** Everything about a link: what `GET /links/:id?include=` answers with every field asked for. */
const everything = read.omit({ clicksByDay: true }).required();
/** The columns of links in files. */
export const linkColumns = Object.keys(everything.shape);
const whole = everything.meta({ id: 'WholeLink', description: 'Everything about a link.' });
const deleted = whole
  .extend({ status: z.literal('deleted'), deletedAt: timestamp('When the link was deleted.') })
  .meta({ id: 'DeletedLink', description: 'Everything about a deleted link.' });
const cursorPagination = z
  .object({
    limit: z.int().min(1),
    nextCursor: z.string().nullable().describe('What leads to the next page; null on the last one.'),
  })
  .meta({ id: 'CursorPagination', description: 'How to get the next page.' });

const linkPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination })
  .meta({ id: 'LinkPage', description: 'One page of links.' });
const foundPage = z
  .object({ success: z.literal(true), data: z.array(listed), pagination: foundPagination })
  .meta({ id: 'FoundLinkPage', description: 'One page of links, when a cursor was asked for.' });
const deletedPage = z
  .object({ success: z.literal(true), data: z.array(deleted), pagination: cursorPagination })
  .meta({ id: 'DeletedLinkPage', description: 'One page of deleted links, the last deleted first.' });

export function success<B extends z.ZodType>(data: B) {
  return z.object({ success: z.literal(true), data });
}

const externalId = oneWord(linkFields.externalId.input.max);
export const folderFilter = z
  .string()
  .optional()
  .describe('Only links in this folder; `none` for links in no folder.');
export const externalIdFilter = externalId.optional().describe('Only the link with this externalId.');
const externalIdInPath = externalId.meta({
  description: 'What another system calls the link, percent-encoded.',
  example: 'crm-1042',
});
const include = words([...includable, 'clicksByDay'])
  .optional()
  .describe('Fields to add, separated by commas.');

export const linkEndpoints = {
  shorten: endpoint({
    method: 'POST',
    path: '/shorten',
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Create a short link',
    description:
      'Creates a short link. Without `customCode` a code of 8 symbols is drawn. On Free keys `expiresAt` is ignored and the link expires 15 days after creation.',
    body: linkDraft,
    ignoredOn: { free: ['expiresAt'] },
    idempotent: true,
    success: {
      status: 201,
      description: 'The link was created. `Location` carries its address in the API.',
      existing: { status: 200, description: 'With `ifExists: reuse`: the link that was there, as it is.' },
      body: success(created),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    exampleRequest: {
      body: { url: exampleLink.destinationUrl, customCode: 'launch', title: 'Spring launch' },
    },
    failures: [
      'INVALID_URL',
      'INVALID_CUSTOM_CODE',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'EXPIRY_IN_PAST',
      'FOLDER_NOT_FOUND',
      'CUSTOM_CODE_TAKEN',
      'CUSTOM_CODE_RESERVED',
      'EXTERNAL_ID_TAKEN',
      'LINK_EXISTS',
      'LIMIT_REACHED',
    ],
  }),
  upsertLink: endpoint({
    method: 'PUT',
    path: '/links/by-external-id/:externalId',
    params: { externalId: externalIdInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Create or replace the link with an externalId',
    description:
      'The link of the account that has this `externalId` becomes what the body says: an optional field that is absent is cleared, the code and the clicks stay. Where there is no such link, one is created, as by `POST /api/v1/shorten`. Repeating the request changes nothing. On Free keys `expiresAt` is ignored.',
    body: linkReplacement,
    ignoredOn: { free: ['expiresAt'] },
    success: {
      status: 201,
      description: 'The link was created. `Location` carries its address in the API.',
      existing: { status: 200, description: 'The link was there, and is now what the body says.' },
      body: success(upserted),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    exampleRequest: {
      body: { url: exampleLink.destinationUrl, title: 'Spring launch' },
    },
    failures: [
      'INVALID_URL',
      'IMMUTABLE_FIELD',
      'INVALID_CUSTOM_CODE',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'EXPIRY_IN_PAST',
      'FOLDER_NOT_FOUND',
      'CUSTOM_CODE_TAKEN',
      'CUSTOM_CODE_RESERVED',
      'LIMIT_REACHED',
    ],
  }),
  listLinks: endpoint({
    method: 'GET',
    path: '/links',
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List links',
    description:
      'The links of the account, newest first. `pagination.total` is exact and of the same moment as the page. With `status=deleted` those that `POST /api/v1/links/:id/restore` can bring back, whole, the last deleted first; they are paged by `cursor`, without `page` and `total`. With an empty `cursor` live links are paged in the same way, at the same cost however far the page, and `total` may be null.',
    query: {
      page: integer(1, Number.MAX_SAFE_INTEGER, 1).optional().describe('Page, counted from 1.'),
      limit: integer(1, largestPageSize, defaultPageSize).optional().describe('Links on a page.'),
      folderId: folderFilter,
      externalId: externalIdFilter,
      ...searchQuery,
      code: z
        .string()
        .optional()
        .describe('Of deleted links: only the one that had this code last, while no live link has it.'),
      include,
      timezone,
    },
    success: {
      status: 200,
      description: 'One page of links.',
      body: z.union([linkPage, foundPage, deletedPage]),
      example: {
        success: true,
        data: [{ ...exampleLink, clicks: 42, createdAt: '2027-03-01T09:00:00.000Z' }],
        pagination: { page: 1, limit: 20, total: 1 },
      },
    },
    exampleRequest: { path: '/links?page=1&limit=20' },
    failures: ['VALIDATION_ERROR'],
  }),
  getLink: endpoint({
    method: 'GET',
    path: '/links/:id',
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'read',
    summary: 'Get one link',
    description: 'One link, with its title and click count; `include` adds the rest of what is stored.',
    query: { include, timezone },
    success: {
      status: 200,
      description: 'The link.',
      body: success(read),
      example: {
        success: true,
        data: { ...exampleLink, title: 'Spring launch', clicks: 42, createdAt: '2027-03-01T09:00:00.000Z' },
      },
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  getLinkByCode: endpoint({
    method: 'GET',
    path: '/links/by-code/:code',
    params: { code: codeInPath },
    access: { key: 'links:read' },
    priority: 'read',
    summary: 'Get the link that has a code',
    description: 'Everything about one link, found by its short code, without regard to case.',
    success: {
      status: 200,
      description: 'The link.',
      body: success(whole),
      example: {
        success: true,
        data: {
          ...wholeExample,
          status: 'active',
          lastClickAt: '2027-03-02T14:00:00.000Z',
          clicksLeft: null,
          hasPassword: false,
        },
      },
    },
    failures: ['LINK_NOT_FOUND'],
  }),
  updateLink: endpoint({
    method: 'PATCH',
    path: '/links/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Update link metadata',
    description:
      'Absent fields stay, null clears. On Free keys `expiresAt` is ignored. Destination, code and folder have calls of their own.',
    body: { ...sentFields('updateLink'), tags: tagNames },
    ignoredOn: { free: ['expiresAt'] },
    success: {
      status: 200,
      description: 'The link after the update.',
      body: success(updated),
      example: {
        success: true,
        data: {
          id: exampleLinkId,
          shortCode: 'launch',
          title: 'Summer launch',
          expiresAt: '2027-09-01T00:00:00.000Z',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    },
    exampleRequest: { body: { title: 'Summer launch', expiresAt: '2027-09-01' } },
    failures: ['EXPIRY_IN_PAST', 'LINK_NOT_FOUND', 'IMMUTABLE_FIELD', 'EXTERNAL_ID_TAKEN', 'LIMIT_REACHED'],
  }),
  repointLink: endpoint({
    method: 'PATCH',
    path: '/links/:id/destination',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Point a link elsewhere',
    description: 'Changes where the short link leads; the code and the clicks stay.',
    body: { url: urlField('The new destination, by the same rules as on creation.') },
    success: {
      status: 200,
      description: 'The link points to the new destination.',
      body: success(repointed),
      example: {
        success: true,
        data: {
          id: exampleLinkId,
          destinationUrl: 'https://example.com/summer',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    },
    exampleRequest: { body: { url: 'https://example.com/summer' } },
    failures: ['INVALID_URL', 'SELF_REFERENTIAL_URL', 'DESTINATION_BLOCKED', 'LINK_NOT_FOUND'],
  }),
  moveLink: endpoint({
    method: 'PATCH',
    path: '/links/:id/move',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Move a link to another folder',
    description: '`folderId` null takes the link out of its folder; leaving it out is an error.',
    body: {
      folderId: anyText().meta({ format: 'uuid' }).nullable().describe('Target folder, or null for none.'),
    },
    success: {
      status: 200,
      description: 'The link is in the folder.',
      body: success(moved),
      example: { success: true, data: { id: exampleLinkId, folderId: exampleFolder } },
    },
    exampleRequest: { body: { folderId: exampleFolder } },
    failures: ['LINK_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  }),
  deleteLink: endpoint({
    method: 'DELETE',
    path: '/links/:id',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Delete a link',
    description: 'A soft delete: the link stops working and answers 404; its code stays with the account.',
    success: { status: 204, description: 'The link is deleted.' },
    failures: ['LINK_NOT_FOUND'],
  }),
  restoreLink: endpoint({
    method: 'POST',
    path: '/links/:id/restore',
    params: { id: idInPath },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Undo a delete',
    description:
      'Brings a deleted link back with its code and clicks. A link that is not deleted stays as it is.',
    body: {},
    idempotent: true,
    success: {
      status: 200,
      description: 'The link is live again.',
      body: success(restored),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    failures: ['LINK_NOT_FOUND', 'CUSTOM_CODE_TAKEN', 'EXTERNAL_ID_TAKEN', 'LIMIT_REACHED'],
  }),
} as const;
