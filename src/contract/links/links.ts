import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { limitReached, refused } from '../../model/failures.ts';
import { codeStays, codeTakenMeanwhile } from '../../model/links/conflicts.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import { immutableNames, immutableProblem } from '../../model/links/links.ts';
import { endpoint } from '../endpoint.ts';
import { anyText, domainHost, httpUrl, integer, oneWord, words } from '../fields.ts';
import {
  createdLink,
  deletedLinkPage,
  foundLinkPage,
  includable,
  linkId,
  linkPage,
  movedLink,
  readLink,
  repointedLink,
  restoredLink,
  updatedLink,
  upsertedLink,
  wholeLink,
} from './link-answers.ts';
import { timezone } from './link-days.ts';
import { linkDraft, linkReplacement } from './link-drafts.ts';
import { exampleFolder, exampleLink, exampleLinkId, foundExample, updatedExample } from './link-examples.ts';
import { sentFields } from './link-fields.ts';
import { searchQuery } from './link-search.ts';
import { tagNames } from './tags.ts';

export const defaultPageSize = 20;
export const largestPageSize = 100;
// Any text is accepted: one that is no identifier names no link.
export const idInPath = linkId.meta({ example: exampleLinkId });
/** On which domain a code is meant. */
export const codeDomain = domainHost(
  'Host of the domain of the code; the default one of the account when it is left out.',
).optional();
const codeInPath = z.string().meta({ description: 'The code of the link.', minLength: 1, example: 'launch' });

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
const include = words([...includable, 'clicksByDay', 'destinationCheck'])
  .optional()
  .describe('Fields to add, separated by commas.');

const wholeLinkFound = {
  status: 200,
  description: 'The link.',
  body: success(wholeLink),
  example: { success: true, data: foundExample },
} as const;
const linkUpdated = {
  status: 200,
  description: 'The link after the update.',
  body: success(updatedLink),
  example: { success: true, data: updatedExample },
} as const;

export const linkEndpoints = {
  shorten: endpoint({
    method: 'POST',
    path: '/shorten',
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Create a short link',
    description:
      'Creates a short link. Without `customCode` a code of 8 symbols is drawn. On Free keys `expiresAt` is ignored and the link expires 15 days after creation.',
    body: linkDraft,
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    success: {
      status: 201,
      description: 'The link was created. `Location` carries its address in the API.',
      existing: { status: 200, description: 'With `ifExists: reuse`: the link that was there, as it is.' },
      body: success(createdLink),
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
      'DOMAIN_NOT_FOUND',
      domainNotActive('go.example.com'),
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
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Create or replace the link with an externalId',
    description:
      'The link of the account that has this `externalId` becomes what the body says: an optional field that is absent is cleared, the code and the clicks stay. Where there is no such link, the deleted one that had the name last comes back with its id, code and clicks, unless another link has its code now; a `customCode` that is not its own then becomes its code, and the old one an alias. Else one is created, as by `POST /api/v1/shorten`. Repeating the request changes nothing. PATCH changes single fields. On Free keys `expiresAt` is ignored, and a link that has expired does not come back.',
    body: linkReplacement,
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    success: {
      status: 201,
      description: 'The link was created, or came back. `Location` carries its address in the API.',
      existing: { status: 200, description: 'The link was there, and is now what the body says.' },
      body: success(upsertedLink),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    exampleRequest: {
      body: { url: exampleLink.destinationUrl, title: 'Spring launch' },
    },
    failures: [
      'INVALID_URL',
      codeStays('launch'),
      'INVALID_CUSTOM_CODE',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'EXPIRY_IN_PAST',
      'FOLDER_NOT_FOUND',
      'DOMAIN_NOT_FOUND',
      domainNotActive('go.example.com'),
      'CUSTOM_CODE_TAKEN',
      'CUSTOM_CODE_RESERVED',
      'LIMIT_REACHED',
    ],
  }),
  getLinkByExternalId: endpoint({
    method: 'GET',
    path: '/links/by-external-id/:externalId',
    params: { externalId: externalIdInPath },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Get the link with an externalId',
    description: 'Everything about the live link that another system knows by this name.',
    tagged: true,
    success: wholeLinkFound,
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  updateLinkByExternalId: endpoint({
    method: 'PATCH',
    path: '/links/by-external-id/:externalId',
    params: { externalId: externalIdInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Update the link with an externalId',
    description:
      'As `PATCH /api/v1/links/:id`, and `url` points the link elsewhere: absent fields stay, null clears. On Free keys `expiresAt` is ignored.',
    body: {
      url: httpUrl.optional().describe('The new destination, by the same rules as on creation.'),
      ...sentFields('updateLink'),
      tags: tagNames,
    },
    compared: immutableNames.filter((name) => name !== 'url'),
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    matches: true,
    success: linkUpdated,
    exampleRequest: { body: { title: 'Summer launch', url: 'https://example.com/summer' } },
    failures: [
      'REVISION_MISMATCH',
      'INVALID_URL',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'EXPIRY_IN_PAST',
      'LINK_NOT_FOUND',
      refused([immutableProblem('customCode')]),
      'EXTERNAL_ID_TAKEN',
      limitReached('tags', 1_000),
    ],
  }),
  deleteLinkByExternalId: endpoint({
    method: 'DELETE',
    path: '/links/by-external-id/:externalId',
    params: { externalId: externalIdInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Delete the link with an externalId',
    description:
      'As `DELETE /api/v1/links/:id`. A later PUT with the same name brings the link back, with its code and clicks.',
    matches: true,
    success: { status: 204, description: 'The link is deleted.' },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND'],
  }),
  listLinks: endpoint({
    method: 'GET',
    path: '/links',
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List links',
    description:
      'The links of the account, newest first. `pagination.total` is exact and of the same moment as the page. With `status=deleted` those that `POST /api/v1/links/:id/restore` can bring back, whole, the last deleted first; they are paged by `cursor`, without `page` and `total`. With an empty `cursor` live links are paged in the same way, at the same cost however far the page, and `total` may be null.',
    query: {
      page: integer(1, Number.MAX_SAFE_INTEGER, 1).optional().describe('Page, counted from 1.'),
      limit: integer(1, largestPageSize, defaultPageSize).optional().describe('Links on a page.'),
      folderId: folderFilter,
      externalId: externalIdFilter.describe(
        'Only the link with this externalId; of deleted links those that had it when they were deleted.',
      ),
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
      body: z.union([linkPage, foundLinkPage, deletedLinkPage]),
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
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Get one link',
    description: 'One link, with its title and click count; `include` adds the rest of what is stored.',
    query: { include, timezone },
    tagged: true,
    success: {
      status: 200,
      description: 'The link.',
      body: success(readLink),
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
    query: { domain: codeDomain },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'Get the link that has a code',
    description:
      'Everything about one link, found by its short code, without regard to case unless the domain has `exact` codes.',
    tagged: true,
    success: wholeLinkFound,
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
  updateLink: endpoint({
    method: 'PATCH',
    path: '/links/:id',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Update link metadata',
    description:
      'Absent fields stay, null clears. On Free keys `expiresAt` is ignored. Destination, code and folder have calls of their own.',
    body: { ...sentFields('updateLink'), tags: tagNames },
    compared: immutableNames,
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    matches: true,
    success: linkUpdated,
    exampleRequest: { body: { title: 'Summer launch', expiresAt: '2030-09-01' } },
    failures: [
      'REVISION_MISMATCH',
      'EXPIRY_IN_PAST',
      'LINK_NOT_FOUND',
      'IMMUTABLE_FIELD',
      'EXTERNAL_ID_TAKEN',
      limitReached('tags', 1_000),
    ],
  }),
  repointLink: endpoint({
    method: 'PATCH',
    path: '/links/:id/destination',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Point a link elsewhere',
    description: 'Changes where the short link leads; the code and the clicks stay.',
    body: { url: httpUrl.describe('The new destination, by the same rules as on creation.') },
    tagged: true,
    matches: true,
    success: {
      status: 200,
      description: 'The link points to the new destination.',
      body: success(repointedLink),
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
    failures: [
      'REVISION_MISMATCH',
      'INVALID_URL',
      'SELF_REFERENTIAL_URL',
      'DESTINATION_BLOCKED',
      'LINK_NOT_FOUND',
    ],
  }),
  moveLink: endpoint({
    method: 'PATCH',
    path: '/links/:id/move',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Move a link to another folder',
    description: '`folderId` null takes the link out of its folder; leaving it out is an error.',
    body: {
      folderId: anyText().meta({ format: 'uuid' }).nullable().describe('Target folder, or null for none.'),
    },
    tagged: true,
    matches: true,
    success: {
      status: 200,
      description: 'The link is in the folder.',
      body: success(movedLink),
      example: { success: true, data: { id: exampleLinkId, folderId: exampleFolder } },
    },
    exampleRequest: { body: { folderId: exampleFolder } },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  }),
  deleteLink: endpoint({
    method: 'DELETE',
    path: '/links/:id',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Delete a link',
    description: 'A soft delete: the link stops working and answers 404; its code stays with the account.',
    matches: true,
    success: { status: 204, description: 'The link is deleted.' },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND'],
  }),
  restoreLink: endpoint({
    method: 'POST',
    path: '/links/:id/restore',
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Undo a delete',
    description:
      'Brings a deleted link back with its code and clicks. A link that is not deleted stays as it is.',
    body: {},
    tagged: true,
    matches: true,
    success: {
      status: 200,
      description: 'The link is live again.',
      body: success(restoredLink),
      example: { success: true, data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    },
    failures: [
      'REVISION_MISMATCH',
      'LINK_NOT_FOUND',
      codeTakenMeanwhile(['launch']),
      'EXTERNAL_ID_TAKEN',
      'LIMIT_REACHED',
      'DOMAIN_NOT_FOUND',
    ],
  }),
} as const;
