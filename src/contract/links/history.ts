import * as z from 'zod';
import { actorKinds } from '../../model/accounts/actors.ts';
import { accountActions } from '../../model/history/events.ts';
import { endpoint } from '../endpoint.ts';
import { integer, timestamp, uuid } from '../fields.ts';
import { exampleLink, exampleLinkId } from './link-examples.ts';
import { idInPath, success } from './links.ts';

export const changeActor = z
  .object({
    kind: z
      .enum(actorKinds)
      .describe('What acted; `operator` is a command on the server, `background` the service by itself.'),
    id: z.string().nullable().describe('Of the key or session; null for what has none.'),
    name: z.string().nullable().describe('What people call it, as it was then.'),
  })
  .meta({ id: 'ChangeActor', description: 'Who made a change.' });
const open = z.record(z.string(), z.unknown());
/** What any field of any record can hold. */
export const shownValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), open])),
  open,
]);
const value = shownValue.optional();
export type ShownValue = z.infer<typeof value>;
export const changesByField = z
  .record(
    z.string(),
    z.object({
      from: value.describe('What the field was.'),
      to: value.describe('What it is since.'),
      changed: z.literal(true).optional().describe('Of a secret, which has no values here.'),
    }),
  )
  .describe('What changed, by the names of fields. A deletion changes none.');
export const ofRequest = z
  .string()
  .nullable()
  .describe('`X-Request-Id` of the request; null outside of requests.');
export const changedAt = timestamp('When it was done.');

const linkChange = z
  .object({
    revision: z.int().min(1).describe('The revision that the change made.'),
    at: changedAt,
    action: z.enum(accountActions.link).describe('What was done.'),
    actor: changeActor,
    changes: changesByField,
    requestId: ofRequest,
  })
  .meta({ id: 'LinkRevision', description: 'One change of a link.' });

export const changesPagination = z
  .object({
    limit: z.int().min(1),
    nextCursor: z.string().nullable().describe('What leads to the next page; null on the last one.'),
  })
  .meta({ id: 'ChangesPagination', description: 'How to get the next page.' });
export const changesCursor = z
  .string()
  .optional()
  .describe('`nextCursor` of the page before; empty for the first page.');
export const changesLimit = integer(1, 100, 20).optional().describe('Changes on a page.');

export const exampleActor = { kind: 'key', id: '9kQ2mX4p', name: 'deploy' } as const;
export const exampleRequestId = '29c4417a-ba97-4ac4-a871-def4c5e5be52';
export const exampleChanges = {
  destinationUrl: { from: 'https://example.com/spring', to: 'https://example.com/summer' },
};

export const historyEndpoints = {
  linkHistory: endpoint({
    method: 'GET',
    path: '/links/:id/history',
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List the changes of a link',
    description:
      'What was done to a link, live or deleted, the newest first: who, when, from what to what. Links that were made before changes were noted have only later ones.',
    query: { limit: changesLimit, cursor: changesCursor },
    success: {
      status: 200,
      description: 'One page of changes.',
      body: z.object({ success: z.literal(true), data: z.array(linkChange), pagination: changesPagination }),
      example: {
        success: true,
        data: [
          {
            revision: 2,
            at: '2027-03-02T10:00:00.000Z',
            action: 'updated',
            actor: exampleActor,
            changes: exampleChanges,
            requestId: exampleRequestId,
          },
        ],
        pagination: { limit: 20, nextCursor: null },
      },
    },
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  rollBackLink: endpoint({
    method: 'POST',
    path: '/links/:id/history/:revision/restore',
    params: {
      id: idInPath,
      revision: z
        .string()
        .meta({ description: 'The revision to go back to.', type: 'integer', minimum: 1, example: 1 }),
    },
    access: { key: 'links:write' },
    priority: 'write',
    summary: 'Make a link what it was',
    description:
      'The fields are as they were at that revision, as one new revision. Code and password stay, and so does what belongs to a folder or tag that is gone, and what would be refused today, such as a destination that was blocked since; `kept` names the fields that stayed although they were others then.',
    body: {},
    tagged: true,
    matches: true,
    success: {
      status: 200,
      description: 'The link is what it was.',
      body: success(
        z
          .object({
            id: uuid('Identifier of the link.'),
            shortCode: z.string().describe('Its code.'),
            destinationUrl: z.string().describe('Where it leads now.'),
            revision: z.int().min(1).describe('The revision that it has now.'),
            kept: z.array(z.string()).describe('Fields that stayed although that revision had others.'),
            updatedAt: timestamp('When the link was last changed.'),
          })
          .meta({ id: 'RolledBackLink', description: 'A link that is what it was.' }),
      ),
      example: {
        success: true,
        data: {
          id: exampleLinkId,
          shortCode: exampleLink.shortCode,
          destinationUrl: exampleLink.destinationUrl,
          revision: 3,
          kept: [],
          updatedAt: '2027-03-02T11:00:00.000Z',
        },
      },
    },
    failures: ['LINK_NOT_FOUND', 'REVISION_NOT_FOUND', 'REVISION_MISMATCH', 'EXTERNAL_ID_TAKEN'],
  }),
} as const;
