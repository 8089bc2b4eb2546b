import * as z from 'zod';
import { domainNotActive } from '../../model/domains/domains.ts';
import { limitReached, refused } from '../../model/failures.ts';
import { codeImmutable, codeTakenMeanwhile } from '../../model/links/conflicts.ts';
import { linkFields } from '../../model/links/link-fields.ts';
import { immutableNames, immutableProblem } from '../../model/links/links.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { anyText, domainHost, httpUrl, integer, oneWord, words } from '../fields.ts';
import {
  createdLink,
  deletedLinkPage,
  foundLinkPage,
  includableInLinks,
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
export const maxPageSize = 100;
// Accepts any string. A string that is not a UUID matches no link.
export const idInPath = linkId.meta({ example: exampleLinkId });
/** Query parameter for a code's domain. */
export const codeDomain = domainHost('The code’s host. Default: the account’s default domain.').optional();
const codeInPath = z
  .string()
  .meta({ description: 'Short code of the link.', minLength: 1, example: 'launch' });

const externalId = oneWord(linkFields.externalId.input.max);
export const folderFilter = z
  .string()
  .optional()
  .describe('Only links in this folder; `none` for links in no folder.');
export const externalIdFilter = externalId.optional().describe('Only the link with this external ID.');
const externalIdInPath = externalId.meta({
  description: 'External ID of the link, percent-encoded.',
  example: 'crm-1042',
});
const include = words(includableInLinks).optional().describe('Fields to add, comma-separated.');

const wholeLinkFound = ok('The link.', { data: wholeLink }, { data: foundExample });
const linkUpdated = ok('The updated link.', { data: updatedLink }, { data: updatedExample });

/** Errors for an invalid destination URL. */
const ofUrl = ['INVALID_URL', 'INVALID_TEMPLATE', 'SELF_REFERENTIAL_URL', 'DESTINATION_BLOCKED'] as const;
export const ofDestination = [...ofUrl, 'APPENDS_TO_TEMPLATE'] as const;

export const linkEndpoints = {
  shorten: endpoint('POST', '/shorten', {
    access: { key: 'links:write', bound: true },
    summary: 'Create a short link',
    description:
      'Creates a short link. Without `customCode`, an 8-character code is generated. With Free keys, `expiresAt` is ignored and the link expires 15 days after creation.',
    body: linkDraft,
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    success: {
      ...created(
        'The link was created. `Location` is its API URL.',
        { data: createdLink },
        { data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
      ),
      existing: { status: 200, description: 'With `ifExists: reuse`: the existing link, unchanged.' },
    },
    exampleRequest: {
      body: { url: exampleLink.destinationUrl, customCode: 'launch', title: 'Spring launch' },
    },
    failures: [
      ...ofDestination,
      'INVALID_CUSTOM_CODE',
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
  upsertLink: endpoint('PUT', '/links/by-external-id/:externalId', {
    params: { externalId: externalIdInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Create or replace a link by external ID',
    description:
      'Replaces the account’s link with this `externalId`: optional fields that you omit are cleared; code and clicks are kept. If there is no such link, the most recently deleted link with this external ID is restored with its ID, code and clicks, unless its code is in use. A different `customCode` then becomes its code, and the old code an alias. Otherwise a link is created as with `POST /api/v1/shorten`. Repeating the request changes nothing. Use PATCH to change individual fields. With Free keys, `expiresAt` is ignored, and expired links are not restored.',
    body: linkReplacement,
    ignoredOn: { free: ['expiresAt'] },
    tagged: true,
    success: {
      ...created(
        'The link was created or restored. `Location` is its API URL.',
        { data: upsertedLink },
        { data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
      ),
      existing: { status: 200, description: 'The existing link was replaced.' },
    },
    exampleRequest: {
      body: { url: exampleLink.destinationUrl, title: 'Spring launch' },
    },
    failures: [
      ...ofDestination,
      codeImmutable('launch'),
      'INVALID_CUSTOM_CODE',
      'EXPIRY_IN_PAST',
      'FOLDER_NOT_FOUND',
      'DOMAIN_NOT_FOUND',
      domainNotActive('go.example.com'),
      'CUSTOM_CODE_TAKEN',
      'CUSTOM_CODE_RESERVED',
      'LIMIT_REACHED',
    ],
  }),
  getLinkByExternalId: endpoint('GET', '/links/by-external-id/:externalId', {
    params: { externalId: externalIdInPath },
    access: { key: 'links:read', bound: true },
    summary: 'Get a link by external ID',
    description: 'Returns all fields of the live link with this external ID.',
    tagged: true,
    success: wholeLinkFound,
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  updateLinkByExternalId: endpoint('PATCH', '/links/by-external-id/:externalId', {
    params: { externalId: externalIdInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Update a link by external ID',
    description:
      'Like `PATCH /api/v1/links/:id`, and `url` changes the destination. Omitted fields are unchanged; null clears a field. With Free keys, `expiresAt` is ignored.',
    body: {
      url: httpUrl.optional().describe('New destination URL, with the same rules as for new links.'),
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
      ...ofDestination,
      'EXPIRY_IN_PAST',
      'LINK_NOT_FOUND',
      refused([immutableProblem('customCode')]),
      'EXTERNAL_ID_TAKEN',
      limitReached('tags', 1_000),
    ],
  }),
  deleteLinkByExternalId: endpoint('DELETE', '/links/by-external-id/:externalId', {
    params: { externalId: externalIdInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Delete a link by external ID',
    description:
      'Like `DELETE /api/v1/links/:id`. A later PUT with the same external ID restores the link with its code and clicks.',
    matches: true,
    success: { status: 204, description: 'The link was deleted.' },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND'],
  }),
  listLinks: endpoint('GET', '/links', {
    access: { key: 'links:read', bound: true },
    priority: 'list',
    summary: 'List links',
    description:
      'Returns the account’s links, newest first. `pagination.total` is exact and consistent with the page. `status=deleted` returns deleted links that `POST /api/v1/links/:id/restore` can restore, with all fields, most recently deleted first; they are paginated by `cursor`, without `page` and `total`. An empty `cursor` starts cursor pagination for live links, which is equally fast on every page; `total` can then be null.',
    query: {
      page: integer(1, Number.MAX_SAFE_INTEGER, 1).optional().describe('Page number, from 1.'),
      limit: integer(1, maxPageSize, defaultPageSize).optional().describe('Links per page.'),
      folderId: folderFilter,
      externalId: externalIdFilter.describe(
        'Only the link with this external ID. For deleted links: those that had it when they were deleted.',
      ),
      ...searchQuery,
      code: z
        .string()
        .optional()
        .describe('For deleted links: only the last link that had this code, if no live link has it.'),
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
  getLink: endpoint('GET', '/links/:id', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    summary: 'Get a link',
    description: 'Returns a link with its title and click count. Use `include` to add other fields.',
    query: { include, timezone },
    tagged: true,
    success: ok(
      'The link.',
      { data: readLink },
      { data: { ...exampleLink, title: 'Spring launch', clicks: 42, createdAt: '2027-03-01T09:00:00.000Z' } },
    ),
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  getLinkByCode: endpoint('GET', '/links/by-code/:code', {
    params: { code: codeInPath },
    query: { domain: codeDomain },
    access: { key: 'links:read', bound: true },
    summary: 'Get a link by code',
    description:
      'Returns all fields of the link with this short code. Codes are case-insensitive unless the domain has `exact` codes.',
    tagged: true,
    success: wholeLinkFound,
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND', 'DOMAIN_NOT_FOUND', domainNotActive('go.example.com')],
  }),
  updateLink: endpoint('PATCH', '/links/:id', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Update a link',
    description:
      'Omitted fields are unchanged; null clears a field. With Free keys, `expiresAt` is ignored. Use the separate endpoints to change destination, code and folder.',
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
  repointLink: endpoint('PATCH', '/links/:id/destination', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Change the destination of a link',
    description: 'Changes where the short link redirects to. Code and clicks are kept.',
    body: { url: httpUrl.describe('New destination URL, with the same rules as for new links.') },
    tagged: true,
    matches: true,
    success: ok(
      'The destination was changed.',
      { data: repointedLink },
      {
        data: {
          id: exampleLinkId,
          destinationUrl: 'https://example.com/summer',
          updatedAt: '2027-03-02T10:00:00.000Z',
        },
      },
    ),
    exampleRequest: { body: { url: 'https://example.com/summer' } },
    failures: ['REVISION_MISMATCH', ...ofUrl, 'LINK_NOT_FOUND'],
  }),
  moveLink: endpoint('PATCH', '/links/:id/move', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Move a link to another folder',
    description: 'Set `folderId` to null to remove the link from its folder. The field is required.',
    body: {
      folderId: anyText().meta({ format: 'uuid' }).nullable().describe('Target folder; null for none.'),
    },
    tagged: true,
    matches: true,
    success: ok(
      'The link was moved.',
      { data: movedLink },
      { data: { id: exampleLinkId, folderId: exampleFolder } },
    ),
    exampleRequest: { body: { folderId: exampleFolder } },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  }),
  deleteLink: endpoint('DELETE', '/links/:id', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Delete a link',
    description:
      'Soft-deletes the link: its short URL returns 404, and its code stays reserved for the account.',
    matches: true,
    success: { status: 204, description: 'The link was deleted.' },
    failures: ['REVISION_MISMATCH', 'LINK_NOT_FOUND'],
  }),
  restoreLink: endpoint('POST', '/links/:id/restore', {
    params: { id: idInPath },
    access: { key: 'links:write', bound: true },
    summary: 'Restore a link',
    description: 'Restores a deleted link with its code and clicks. A link that is not deleted is unchanged.',
    body: {},
    tagged: true,
    matches: true,
    success: ok(
      'The link was restored.',
      { data: restoredLink },
      { data: { ...exampleLink, createdAt: '2027-03-01T09:00:00.000Z' } },
    ),
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
