import * as z from 'zod';
import { maxShares } from '../../model/clicks/shares.ts';
import { limitReached } from '../../model/failures.ts';
import { endpoint } from '../endpoint.ts';
import { moment, timestamp, uuid, words } from '../fields.ts';
import { exampleLinkId } from '../links/link-examples.ts';
import { exampleStatistics, sharedQuery, statisticsShape } from './statistics.ts';

const exampleShareId = '0198c5a0-2222-7b3a-9c41-3f0f6f2f8a10';
const exampleToken = 'lfs_2m5vX0qTzKd81bRjWc7HnPy4GfLs9AeU';
const idOfLink = uuid('Identifier of the link.').meta({ example: exampleLinkId });
const share = {
  id: uuid('Identifier of the share.'),
  createdAt: timestamp('When it was made.'),
  expiresAt: timestamp('When it ends; null for never.').nullable(),
};
const listed = z
  .object(share)
  .meta({ id: 'Share', description: 'A public address of a link’s statistics, without its secret.' });
const made = z
  .object({
    ...share,
    token: z.string().describe('The secret in the address. It is shown only this once, and kept nowhere.'),
    url: z.string().meta({ description: 'Where the statistics are read, without a key.', format: 'uri' }),
  })
  .meta({ id: 'CreatedShare', description: 'A share that was just made, with its secret.' });
const shared = z
  .object({
    link: z.object({
      shortCode: z.string().describe('The code of the link.'),
      shortUrl: z.string().meta({ description: 'The whole short address.', format: 'uri' }),
      title: z.string().nullable().describe('Its title; null for none.'),
      destinationHost: z.string().describe('The host that the link leads to, without the rest.'),
    }),
    branding: z
      .object({
        name: z.string().nullable().describe('What the owner is called.'),
        accent: z.string().nullable().describe('Their colour, as `#rrggbb`.'),
        logo: z.string().nullable().describe('Their logo, as a data URL.'),
      })
      .optional()
      .describe('Of the account, null where it has none; with `include=branding` only.'),
    ...statisticsShape,
  })
  .meta({ id: 'SharedStatistics', description: 'The statistics of a link, and of which one.' });

const exampleShare = { id: exampleShareId, createdAt: '2027-03-01T09:00:00.000Z', expiresAt: null };

export const shareEndpoints = {
  shareLink: endpoint({
    method: 'POST',
    path: '/links/:id/share',
    params: { id: idOfLink },
    access: { key: 'links:write', also: 'analytics:read', bound: true },
    priority: 'write',
    summary: 'Share the statistics of a link',
    description:
      'Makes a public address for reading the statistics of this link, and nothing else. A repetition makes another one; a link has at most 100.',
    body: {
      expiresAt: moment
        .nullish()
        .describe('When the address ends, UTC unless it says otherwise; null or absent for never.'),
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'The address was made. `Location` carries where it is revoked.',
      body: z.object({ success: z.literal(true), data: made }),
      example: {
        success: true,
        data: {
          ...exampleShare,
          token: exampleToken,
          url: `http://127.0.0.1:3000/api/v1/shared/${exampleToken}/stats`,
        },
      },
    },
    exampleRequest: { body: { expiresAt: null } },
    failures: ['EXPIRY_IN_PAST', 'LINK_NOT_FOUND', limitReached('shares', maxShares)],
  }),
  listShares: endpoint({
    method: 'GET',
    path: '/links/:id/shares',
    params: { id: idOfLink },
    access: { key: 'links:read', bound: true },
    priority: 'read',
    summary: 'List the shares of a link',
    description: 'The public addresses of the statistics of a link, oldest first, without their secrets.',
    success: {
      status: 200,
      description: 'The shares.',
      body: z.object({ success: z.literal(true), data: z.array(listed) }),
      example: { success: true, data: [exampleShare] },
    },
    failures: ['LINK_NOT_FOUND'],
  }),
  revokeShare: endpoint({
    method: 'DELETE',
    path: '/shares/:id',
    params: { id: uuid('Identifier of the share.').meta({ example: exampleShareId }) },
    access: { key: 'links:write', bound: true },
    priority: 'write',
    summary: 'Revoke a share',
    description: 'The address ends at once, for all its readers.',
    success: { status: 204, description: 'The share is revoked.' },
    failures: ['SHARE_NOT_FOUND'],
  }),
  sharedStatistics: endpoint({
    method: 'GET',
    path: '/shared/:token/stats',
    params: {
      token: z
        .string()
        .meta({ description: 'The secret of the share.', minLength: 1, example: exampleToken }),
    },
    access: { key: 'none' },
    priority: 'list',
    summary: 'Read shared statistics',
    description:
      'The statistics of a link by the secret of a share, with the code, address and title of the link and the host of its destination. One address may ask 60 times a minute.',
    query: {
      ...sharedQuery,
      include: words(['branding']).optional().describe('Fields to add: `branding`.'),
    },
    success: {
      status: 200,
      description: 'The statistics.',
      body: z.object({ success: z.literal(true), data: shared }),
      example: {
        success: true,
        data: {
          link: {
            shortCode: 'launch',
            shortUrl: 'http://127.0.0.1:3000/launch',
            title: 'Spring launch',
            destinationHost: 'example.com',
          },
          ...exampleStatistics,
        },
      },
    },
    exampleRequest: {
      path: `/shared/${exampleToken}/stats?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin`,
    },
    failures: ['VALIDATION_ERROR', 'SHARE_NOT_FOUND'],
  }),
} as const;
