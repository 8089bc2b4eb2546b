import * as z from 'zod';
import { eventNames, logDays } from '../../model/history/events.ts';
import { toldTypes } from '../../model/history/told.ts';
import { endpoint } from '../endpoint.ts';
import { integer, moment } from '../fields.ts';
import {
  changeActor,
  changedAt,
  changesByField,
  changesCursor,
  changesLimit,
  changesPagination,
  exampleActor,
  exampleChanges,
  exampleRequestId,
  ofRequest,
} from '../links/history.ts';
import { wholeLink } from '../links/link-answers.ts';
import { exampleLinkId } from '../links/link-examples.ts';

const accountChange = z
  .object({
    id: z.string().describe('Identifier of the change.'),
    at: changedAt,
    action: z.enum(eventNames).describe('What was done, to what.'),
    target: z
      .object({ kind: z.string().describe('What it was done to.'), id: z.string().nullable() })
      .describe('What was changed; `id` is null for what an account has one of.'),
    actor: changeActor,
    revision: z.int().nullable().describe('Of a link: the revision that the change made.'),
    changes: changesByField,
    requestId: ofRequest,
  })
  .meta({ id: 'AccountChange', description: 'One change in the account.' });
export const changeColumns = Object.keys(accountChange.shape);

const loggedEvent = z
  .object({
    id: z.string().describe('Identifier of the event: the same whenever it is read.'),
    type: z.enum(toldTypes).describe('What happened; every change of a live link is `link.updated`.'),
    timestamp: changedAt,
    data: z
      .union([
        wholeLink
          .omit({ clicks: true, lastClickAt: true, clicksLeft: true, status: true })
          .extend({ changes: changesByField }),
        z.record(z.string(), z.unknown()),
      ])
      .describe('What it was afterwards, a link with `changes`.'),
  })
  .meta({ id: 'LoggedEvent', description: 'Something that happened, with its record as it was then.' });

const filters = {
  actor: z.string().optional().describe('Only changes by this person, key or session, by its id.'),
  action: z.enum(eventNames).optional().describe('Only such changes.'),
  target: z.string().optional().describe('Only changes of this record, by its id.'),
  from: moment.optional().describe('Only changes since this time, itself included.'),
  to: moment.optional().describe('Only changes before this time.'),
};

export const auditEndpoints = {
  audit: endpoint({
    method: 'GET',
    path: '/audit',
    access: { key: 'audit:read' },
    priority: 'list',
    summary: 'List the changes in the account',
    description:
      'Every change of links, folders, tags, UTM templates, shares, domains, imports, keys, sessions, people, invitations, passkeys, webhooks, branding and preferences, the newest first: who, when, what, from what to what. Secrets appear as changed.',
    query: { limit: changesLimit, cursor: changesCursor, ...filters },
    success: {
      status: 200,
      description: 'One page of changes.',
      body: z.object({
        success: z.literal(true),
        data: z.array(accountChange),
        pagination: changesPagination,
      }),
      example: {
        success: true,
        data: [
          {
            id: '42',
            at: '2027-03-02T10:00:00.000Z',
            action: 'link.updated',
            target: { kind: 'link', id: exampleLinkId },
            actor: exampleActor,
            revision: 2,
            changes: exampleChanges,
            requestId: exampleRequestId,
          },
        ],
        pagination: { limit: 20, nextCursor: null },
      },
    },
    exampleRequest: { path: '/audit?action=link.updated' },
    failures: ['VALIDATION_ERROR'],
  }),
  exportAudit: endpoint({
    method: 'GET',
    path: '/audit/export',
    access: { key: 'audit:read' },
    priority: 'list',
    summary: 'Export the changes in the account',
    description: 'All changes that the filters leave, the newest first, as a JSON object a line.',
    query: filters,
    success: {
      status: 200,
      description:
        'The file, as long as it is. A connection that ends before the last chunk says that the file is cut.',
      files: ['application/x-ndjson'],
      isStream: true,
    },
    exampleRequest: { path: '/audit/export?from=2027-03-01' },
    failures: ['VALIDATION_ERROR'],
  }),
  eventLog: endpoint({
    method: 'GET',
    path: '/events/log',
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'Read what happened, behind a place',
    description: `Events of links, folders and domains of the last ${logDays} days at least, the oldest first, each with its record as it was then. Every event is in it exactly once. Keep \`nextCursor\` and ask again with it as \`after\`: nothing is passed over.`,
    query: {
      after: z
        .string()
        .optional()
        .describe('`nextCursor` of an earlier answer; empty for the oldest event that is kept.'),
      limit: integer(1, 100, 100).optional().describe('Events on a page.'),
    },
    success: {
      status: 200,
      description: 'Events, and where to go on.',
      body: z.object({
        success: z.literal(true),
        data: z.array(loggedEvent),
        pagination: z.object({
          limit: z.int().min(1),
          nextCursor: z.string().describe('Where to go on, also when there is nothing new.'),
          hasMore: z.boolean().describe('Whether there is more already.'),
        }),
      }),
      example: {
        success: true,
        data: [
          {
            id: '42',
            type: 'folder.created',
            timestamp: '2027-03-02T10:00:00.000Z',
            data: { id: '0197c4a2-7a83-7f3e-9b1d-2f4a6c8e0b7d', name: 'Spring' },
          },
        ],
        pagination: { limit: 100, nextCursor: 'WyJ4RlN1a1lWTUxkWSIsNDJd', hasMore: false },
      },
    },
    exampleRequest: { path: '/events/log?limit=100' },
    failures: ['VALIDATION_ERROR'],
  }),
} as const;
