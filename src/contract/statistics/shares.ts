import * as z from 'zod';
import { maxSubjects, sharedKinds } from '../../model/clicks/shared-subjects.ts';
import { maxShares, shareFields } from '../../model/clicks/shares.ts';
import { limitReached } from '../../model/failures.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { integer, moment, text, uri, uuid, words } from '../fields.ts';
import { idInPath } from '../links/links.ts';
import { exampleOf, responseShape } from '../record-shapes.ts';
import { exampleStatistics, sharedQuery, statisticsShape } from './statistics.ts';

const exampleShare = exampleOf(shareFields);
const exampleToken = 'lfs_2m5vX0qTzKd81bRjWc7HnPy4GfLs9AeU';
const share = responseShape(shareFields);
const listed = z
  .object(share)
  .meta({ id: 'Share', description: 'A public URL for a link’s statistics, without its secret.' });
const newShare = z
  .object({
    ...share,
    token: z
      .string()
      .describe('Secret part of the URL. It is shown only once and cannot be retrieved later.'),
    url: uri('URL where the statistics can be read without an API key.'),
  })
  .meta({ id: 'CreatedShare', description: 'A newly created share, with its secret.' });
const shared = z
  .object({
    link: z
      .object({
        shortCode: z.string().describe('Short code of the link.'),
        shortUrl: uri('The full short URL.'),
        title: z.string().nullable().describe('Title of the link; null if it has none.'),
        destinationHost: z.string().describe('Host of the link’s destination, without path or query.'),
      })
      .optional()
      .describe('The shared link; absent for shares created with `POST /shares`.'),
    branding: z
      .object({
        name: z.string().nullable().describe('Name of the owner.'),
        accent: z.string().nullable().describe('Accent color, as `#rrggbb`.'),
        logo: z.string().nullable().describe('Logo of the owner, as a data URL.'),
      })
      .optional()
      .describe('Branding of the account, null if it has none; only with `include=branding`.'),
    ...statisticsShape,
  })
  .meta({
    id: 'SharedStatistics',
    description:
      'Statistics of a shared link, folder, tag or campaign. For a share of a single link, also includes the link.',
  });

const subject = z
  .object({
    kind: z.enum(sharedKinds).describe('Type of the subject.'),
    id: text(1, 255).describe('ID of the subject; for a campaign, its `utm_campaign` value.'),
  })
  .meta({ id: 'SharedSubject', description: 'A link, folder, tag or campaign.' });
const report = {
  ...share,
  subjects: z.array(subject).min(1).max(maxSubjects).describe('The subjects whose statistics are shared.'),
  hasPassword: z.boolean().describe('Whether viewers need a password.'),
};
const branding = shared.shape.branding;
const exampleReport = {
  subjects: [{ kind: 'campaign' as const, id: 'spring' }],
  hasPassword: false,
};
const tokenInPath = z
  .string()
  .meta({ description: 'The secret of the share.', minLength: 1, example: exampleToken });

export const shareEndpoints = {
  shareLink: endpoint('POST', '/links/:id/share', {
    params: { id: idInPath },
    access: { key: 'links:write', also: 'analytics:read', bound: true },
    summary: 'Share a link’s statistics',
    description:
      'Creates a public URL for reading the statistics of this link, and nothing else. Each call creates another one; a link can have at most 100.',
    body: {
      expiresAt: moment
        .nullish()
        .describe('When the share expires, in UTC unless an offset is given; null or absent for never.'),
    },
    success: {
      ...created(
        'The share was created. `Location` is the URL to revoke it.',
        { data: newShare },
        {
          data: {
            ...exampleShare,
            token: exampleToken,
            url: `http://127.0.0.1:3000/api/v1/shared/${exampleToken}/stats`,
          },
        },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { expiresAt: null } },
    failures: ['EXPIRY_IN_PAST', 'LINK_NOT_FOUND', limitReached('shares', maxShares)],
  }),
  listShares: endpoint('GET', '/links/:id/shares', {
    params: { id: idInPath },
    access: { key: 'links:read', bound: true },
    summary: 'List shares of a link',
    description: 'Returns the shares of a link, oldest first, without their secrets.',
    success: ok('The shares.', { data: z.array(listed) }, { data: [exampleShare] }),
    failures: ['LINK_NOT_FOUND'],
  }),
  revokeShare: endpoint('DELETE', '/shares/:id', {
    params: { id: uuid('Identifier of the share.').meta({ example: exampleShare.id }) },
    access: { key: 'links:write', bound: true },
    summary: 'Revoke a share',
    description: 'Revokes the share immediately for everyone who has its URL.',
    success: { status: 204, description: 'The share was revoked.' },
    failures: ['SHARE_NOT_FOUND'],
  }),
  createShare: endpoint('POST', '/shares', {
    access: { key: 'links:write', also: 'analytics:read' },
    summary: 'Share statistics for links, folders, tags or campaigns',
    description:
      'Creates a public URL for reading the statistics of one to four subjects side by side, and nothing else. An account can have at most 100.',
    body: {
      subjects: report.subjects,
      expiresAt: moment.nullish().describe('When the share expires; null or absent for never.'),
      password: text(4, 128)
        .nullish()
        .describe('Password that viewers must enter; null or omitted if there is none.'),
    },
    success: {
      ...created(
        'The share was created. `Location` is the URL to revoke it.',
        {
          data: newShare.extend({ subjects: report.subjects, hasPassword: report.hasPassword }).meta({
            id: 'CreatedReport',
            description: 'A newly created share, with its secret.',
          }),
        },
        {
          data: {
            ...exampleShare,
            token: exampleToken,
            url: `http://127.0.0.1:3000/api/v1/shared/${exampleToken}/stats`,
            ...exampleReport,
          },
        },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { subjects: exampleReport.subjects } },
    failures: [
      'VALIDATION_ERROR',
      'EXPIRY_IN_PAST',
      'LINK_NOT_FOUND',
      'FOLDER_NOT_FOUND',
      'TAG_NOT_FOUND',
      limitReached('allShares', maxShares),
    ],
  }),
  listAllShares: endpoint('GET', '/shares', {
    access: { key: 'links:read' },
    summary: 'List shares created with `POST /shares`',
    description: 'Returns the shares, oldest first, without their secrets.',
    success: ok(
      'The shares.',
      { data: z.array(z.object(report).meta({ id: 'Report', description: 'A share of several subjects.' })) },
      { data: [{ ...exampleShare, ...exampleReport }] },
    ),
  }),
  openShare: endpoint('POST', '/shared/:token/open', {
    params: { token: tokenInPath },
    access: { key: 'none' },
    changes: false,
    summary: 'Open a share',
    description:
      'Returns what a share contains and a token for reading it. If the share has a password, the token is valid for 24 hours. Wrong passwords are rate-limited per IP address and per share.',
    body: { password: text(4, 128).nullish().describe('Password of the share, if it has one.') },
    success: {
      ...ok(
        'The contents of the share.',
        {
          data: z
            .object({
              token: z.string().describe('Token for reading the statistics.'),
              subjects: z
                .array(z.object({ kind: z.enum(sharedKinds), name: z.string().nullable() }))
                .describe(
                  'Type and name of each subject, in order; the name is null if the subject no longer exists.',
                ),
              branding,
            })
            .meta({ id: 'OpenedShare', description: 'The contents of a share.' }),
        },
        { data: { token: exampleToken, subjects: [{ kind: 'campaign', name: 'spring' }] } },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { password: null } },
    failures: ['SHARE_NOT_FOUND', 'PASSWORD_REQUIRED', 'WRONG_PASSWORD'],
  }),
  sharedStatistics: endpoint('GET', '/shared/:token/stats', {
    params: {
      token: tokenInPath,
    },
    access: { key: 'none' },
    priority: 'list',
    summary: 'Read shared statistics',
    description:
      'Returns statistics for a link, folder, tag or campaign, given the secret of a share. If the share has several subjects, `subject` selects one. A share of a single link also returns the link’s code, short URL, title and destination host. Limit: 60 requests per minute per IP address.',
    query: {
      ...sharedQuery,
      subject: integer(0, maxSubjects - 1, 0)
        .optional()
        .describe('Position of the subject, from 0; see `POST /shared/:token/open`.'),
      include: words(['branding']).optional().describe('Fields to add: `branding`.'),
    },
    success: ok(
      'The statistics.',
      { data: shared },
      {
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
    ),
    exampleRequest: {
      path: `/shared/${exampleToken}/stats?from=2027-03-27&to=2027-03-29&timezone=Europe/Berlin`,
    },
    failures: ['VALIDATION_ERROR', 'SHARE_NOT_FOUND', 'PASSWORD_REQUIRED'],
  }),
} as const;
