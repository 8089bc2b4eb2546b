import * as z from 'zod';
import { actorKinds } from '../../model/accounts/actors.ts';
import { accountActions } from '../../model/history/events.ts';
import { publicEventTypes } from '../../model/history/public-events.ts';
import { endpoint, ok } from '../endpoint.ts';
import { integer, timestamp, uuid, words } from '../fields.ts';
import { exampleLink, exampleLinkId } from './link-examples.ts';
import { idInPath } from './links.ts';

export const changeActor = z
  .object({
    kind: z
      .enum(actorKinds)
      .describe(
        'Type of actor; `operator` is a command on the server, `background` an automatic action of the server.',
      ),
    id: z.string().nullable().describe('ID of the key, person or session; null if the actor has none.'),
    name: z.string().nullable().describe('Name of the actor at the time.'),
  })
  .meta({ id: 'ChangeActor', description: 'Who made a change.' });
const open = z.record(z.string(), z.unknown());
/** Schema for the old or new value of any field of any record. */
export const historyValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), open])),
  open,
]);
const value = historyValue.optional();
export type ShownValue = z.infer<typeof value>;
export const changesByField = z
  .record(
    z.string(),
    z.object({
      from: value.describe('Previous value.'),
      to: value.describe('New value.'),
      changed: z.literal(true).optional().describe('Present for secrets, whose values are not recorded.'),
    }),
  )
  .describe('Changed fields by name. Empty for deletions.');
export const ofRequest = z
  .string()
  .nullable()
  .describe('`X-Request-Id` of the request; null for changes made outside of requests.');
export const changedAt = timestamp('When the change was made.');
export const eventType = z
  .enum(publicEventTypes)
  .nullable()
  .optional()
  .describe(
    'Name of the event in webhooks and `GET /events/log`, null if they do not send it; only with `include=eventType`.',
  );

const linkChange = z
  .object({
    revision: z.int().min(1).describe('Revision after the change.'),
    at: changedAt,
    action: z.enum(accountActions.link).describe('What changed.'),
    actor: changeActor,
    changes: changesByField,
    requestId: ofRequest,
    eventType,
  })
  .meta({ id: 'LinkRevision', description: 'A change to a link.' });

export const changesPagination = z
  .object({
    limit: z.int().min(1),
    nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
  })
  .meta({ id: 'ChangesPagination', description: 'How to get the next page.' });
export const changesCursor = z
  .string()
  .optional()
  .describe('`nextCursor` of the previous page; empty for the first page.');
export const changesLimit = integer(1, 100, 20).optional().describe('Maximum number of changes per page.');

export const exampleActor = { kind: 'key', id: '9kQ2mX4p', name: 'deploy' } as const;
export const exampleRequestId = '29c4417a-ba97-4ac4-a871-def4c5e5be52';
export const exampleChanges = {
  destinationUrl: { from: 'https://example.com/spring', to: 'https://example.com/summer' },
};

export const historyEndpoints = {
  linkHistory: endpoint('GET', '/links/:id/history', {
    params: { id: idInPath },
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List changes to a link',
    description:
      'Returns the changes to a live or deleted link, newest first: who changed which field when, with the previous and the new value. Changes from before history was recorded are not included.',
    query: {
      limit: changesLimit,
      cursor: changesCursor,
      include: words(['eventType']).optional().describe('Fields to add: `eventType`.'),
    },
    success: ok(
      'One page of changes.',
      { data: z.array(linkChange), pagination: changesPagination },
      {
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
    ),
    failures: ['VALIDATION_ERROR', 'LINK_NOT_FOUND'],
  }),
  rollBackLink: endpoint('POST', '/links/:id/history/:revision/restore', {
    params: {
      id: idInPath,
      revision: z
        .string()
        .meta({ description: 'The revision to restore.', type: 'integer', minimum: 1, example: 1 }),
    },
    access: { key: 'links:write' },
    summary: 'Restore a revision of a link',
    description:
      'Restores the fields of an earlier revision and saves them as a new revision. Code and password are not restored, nor are folders and tags that no longer exist, nor values that would be rejected today, such as a destination that has been blocked since. `kept` lists the fields that differ from that revision.',
    body: {},
    tagged: true,
    matches: true,
    success: ok(
      'The link was restored.',
      {
        data: z
          .object({
            id: uuid('Identifier of the link.'),
            shortCode: z.string().describe('Short code of the link.'),
            destinationUrl: z.string().describe('Current destination URL.'),
            revision: z.int().min(1).describe('Current revision.'),
            kept: z
              .array(z.string())
              .describe('Fields that were not restored and differ from that revision.'),
            updatedAt: timestamp('When the link was last changed.'),
          })
          .meta({ id: 'RolledBackLink', description: 'A link after a restore.' }),
      },
      {
        data: {
          id: exampleLinkId,
          shortCode: exampleLink.shortCode,
          destinationUrl: exampleLink.destinationUrl,
          revision: 3,
          kept: [],
          updatedAt: '2027-03-02T11:00:00.000Z',
        },
      },
    ),
    failures: ['LINK_NOT_FOUND', 'REVISION_NOT_FOUND', 'REVISION_MISMATCH', 'EXTERNAL_ID_TAKEN'],
  }),
} as const;
