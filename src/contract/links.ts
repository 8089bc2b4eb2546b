import { z } from 'zod';
import { longestCode, shortestCode } from '../domain/codes.ts';
import { longestDescription, longestTitle } from '../domain/links.ts';
import { endpoint } from './endpoint.ts';
import { anyText, integer, text, words } from './fields.ts';

export const defaultPageSize = 20;
export const largestPageSize = 100;

/** What `?include=` can add to a link that is read, in the order in which it is added. */
export const includable = ['title', 'description', 'expiresAt', 'folderId', 'updatedAt', 'status'] as const;
export type Includable = (typeof includable)[number];

const id = z.string().describe('Link identifier (UUID).');
const shortCode = z.string();
const shortUrl = z.string();
const destinationUrl = z.string();
const title = z.string().nullable();
const clicks = z.number();
const timestamp = z.string().describe('UTC, with milliseconds and Z.');

const included = {
  title: title.optional(),
  description: z.string().nullable().optional(),
  expiresAt: timestamp.nullable().optional(),
  folderId: z.string().nullable().optional(),
  updatedAt: timestamp.optional(),
  status: z.enum(['active', 'expired']).optional(),
};

const created = z.object({ id, shortCode, shortUrl, destinationUrl, createdAt: timestamp });
const listed = z.object({
  id,
  shortCode,
  shortUrl,
  destinationUrl,
  clicks,
  createdAt: timestamp,
  ...included,
});
const { title: _read, ...includedInOne } = included;
const read = z.object({
  id,
  shortCode,
  shortUrl,
  destinationUrl,
  title,
  clicks,
  createdAt: timestamp,
  ...includedInOne,
});

/** Everything about a link: what `GET /links/:id?include=` answers with every field asked for. */
const whole = read.required();
const deleted = whole.extend({
  status: z.literal('deleted'),
  deletedAt: timestamp,
});

const success = <B extends z.ZodType>(data: B) => z.object({ success: z.literal(true), data });

/** What `/:code+` answers to a program; no endpoint, since it is public and below no prefix (CONTRACT §6). */
export const previewBody = success(z.object({ shortCode, shortUrl, destinationUrl }));

const titleField = text(0, longestTitle).nullish();
const descriptionField = text(0, longestDescription, { multiline: true }).nullish();
const include = words(includable).optional().describe('Comma-separated fields to add to each link.');

const exampleId = '0198c5a0-7d2e-7b3a-9c41-3f0f6f2f8a10';
const exampleFolder = '0198c5a0-1111-7b3a-9c41-3f0f6f2f8a10';
const exampleLink = {
  id: exampleId,
  shortCode: 'launch',
  shortUrl: 'http://127.0.0.1:3000/launch',
  destinationUrl: 'https://example.com/spring?utm_source=billboard',
};

const wholeExample = {
  ...exampleLink,
  title: 'Spring launch',
  clicks: 42,
  createdAt: '2027-03-01T09:00:00.000Z',
  description: null,
  expiresAt: null,
  folderId: exampleFolder,
  updatedAt: '2027-03-01T09:00:00.000Z',
};

export const linkEndpoints = {
  shorten: endpoint({
    method: 'POST',
    path: '/shorten',
    scope: 'links:write',
    summary: 'Create a short link',
    description:
      'Creates a short link. Without `customCode` a code of 8 symbols is drawn. On Free keys `expiresAt` is ignored and the link expires 15 days after creation.',
    body: {
      url: z.string().describe('Destination, http or https, 1 to 2,048 characters.'),
      customCode: text(shortestCode, longestCode)
        .nullish()
        .describe(
          'Letters, digits, "-" and "_", starting with a letter or digit. Found without regard to case.',
        ),
      title: titleField,
      description: descriptionField,
      expiresAt: z
        .string()
        .nullish()
        .describe('ISO 8601; UTC unless it says otherwise. Honored on Starter and higher keys.'),
      folderId: anyText().nullish().describe('Folder to put the link into.'),
    },
    ignoredOn: { free: ['expiresAt'] },
    idempotent: true,
    success: {
      status: 201,
      description: 'The link was created. `Location` carries its address in the API.',
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
      'LIMIT_REACHED',
    ],
  }),
  listLinks: endpoint({
    method: 'GET',
    path: '/links',
    scope: 'links:read',
    summary: 'List links',
    description:
      'The links of the account, newest first. `pagination.total` is exact and of the same moment as the page.',
    query: {
      page: integer(1, Number.MAX_SAFE_INTEGER).optional().describe('Page number; default 1.'),
      limit: integer(1, largestPageSize).optional().describe(`Links per page; default ${defaultPageSize}.`),
      folderId: z.string().optional().describe('Only links in this folder; `none` for links in no folder.'),
      include,
    },
    success: {
      status: 200,
      description: 'One page of links.',
      body: z.object({
        success: z.literal(true),
        data: z.array(listed),
        pagination: z.object({ page: z.number(), limit: z.number(), total: z.number() }),
      }),
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
    scope: 'links:read',
    summary: 'Get one link',
    description: 'One link, with its title and click count; `include` adds the rest of what is stored.',
    query: { include },
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
    scope: 'links:read',
    summary: 'Get the link that has a code',
    description: 'Everything about one link, found by its short code, without regard to case.',
    success: {
      status: 200,
      description: 'The link.',
      body: success(whole),
      example: { success: true, data: { ...wholeExample, status: 'active' } },
    },
    failures: ['LINK_NOT_FOUND'],
  }),
  listDeletedLinks: endpoint({
    method: 'GET',
    path: '/links/deleted',
    scope: 'links:read',
    summary: 'List deleted links',
    description:
      'What `POST /api/v1/links/:id/restore` can bring back, the last deleted first. Pages are followed by `nextCursor`, and cost the same however many links were deleted.',
    query: {
      limit: integer(1, largestPageSize).optional().describe(`Links per page; default ${defaultPageSize}.`),
      cursor: z.string().optional().describe('`nextCursor` of the page before; absent for the first one.'),
      code: z
        .string()
        .optional()
        .describe('Only the link that had this code last, while no live one has it.'),
    },
    success: {
      status: 200,
      description: 'One page of deleted links. `nextCursor` is null on the last one.',
      body: z.object({
        success: z.literal(true),
        data: z.array(deleted),
        pagination: z.object({ limit: z.number(), nextCursor: z.string().nullable() }),
      }),
      example: {
        success: true,
        data: [{ ...wholeExample, status: 'deleted', deletedAt: '2027-03-09T12:00:00.000Z' }],
        pagination: { limit: 20, nextCursor: null },
      },
    },
    exampleRequest: { path: '/links/deleted?limit=20' },
    failures: ['VALIDATION_ERROR'],
  }),
  updateLink: endpoint({
    method: 'PATCH',
    path: '/links/:id',
    scope: 'links:write',
    summary: 'Update link metadata',
    description:
      'Absent fields stay, null clears. On Free keys `expiresAt` is ignored. Destination, code and folder have calls of their own.',
    body: {
      title: titleField,
      description: descriptionField,
      expiresAt: z.string().nullish().describe('New expiration; null removes it. Starter and higher only.'),
    },
    ignoredOn: { free: ['expiresAt'] },
    success: {
      status: 200,
      description: 'The link after the update.',
      body: success(
        z.object({ id, shortCode, title, expiresAt: timestamp.nullable(), updatedAt: timestamp }),
      ),
      example: {
        success: true,
        data: {
          id: exampleId,
          shortCode: 'launch',
          title: 'Summer launch',
          expiresAt: '2027-09-01T00:00:00.000Z',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    },
    exampleRequest: { body: { title: 'Summer launch', expiresAt: '2027-09-01' } },
    failures: ['EXPIRY_IN_PAST', 'LINK_NOT_FOUND', 'IMMUTABLE_FIELD'],
  }),
  repointLink: endpoint({
    method: 'PATCH',
    path: '/links/:id/destination',
    scope: 'links:write',
    summary: 'Point a link elsewhere',
    description: 'Changes where the short link leads; the code and the clicks stay.',
    body: { url: z.string().describe('The new destination.') },
    success: {
      status: 200,
      description: 'The link points to the new destination.',
      body: success(z.object({ id, destinationUrl, updatedAt: timestamp })),
      example: {
        success: true,
        data: {
          id: exampleId,
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
    scope: 'links:write',
    summary: 'Move a link to another folder',
    description: '`folderId` null takes the link out of its folder; leaving it out is an error.',
    body: { folderId: anyText().nullable().describe('Target folder, or null for none.') },
    success: {
      status: 200,
      description: 'The link is in the folder.',
      body: success(z.object({ id, folderId: z.string().nullable() })),
      example: { success: true, data: { id: exampleId, folderId: exampleFolder } },
    },
    exampleRequest: { body: { folderId: exampleFolder } },
    failures: ['LINK_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  }),
  deleteLink: endpoint({
    method: 'DELETE',
    path: '/links/:id',
    scope: 'links:write',
    summary: 'Delete a link',
    description: 'A soft delete: the link stops working and answers 404; its code stays with the account.',
    success: { status: 204, description: 'The link is deleted.' },
    failures: ['LINK_NOT_FOUND'],
  }),
  restoreLink: endpoint({
    method: 'POST',
    path: '/links/:id/restore',
    scope: 'links:write',
    summary: 'Undo a delete',
    description:
      'Brings a deleted link back with its code and clicks. A link that is not deleted stays as it is.',
    body: {},
    idempotent: true,
    success: {
      status: 200,
      description: 'The link is live again.',
      body: success(created),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    failures: ['LINK_NOT_FOUND', 'CUSTOM_CODE_TAKEN', 'LIMIT_REACHED'],
  }),
} as const;
