import * as z from 'zod';
import { eventKinds, eventNames, logDays } from '../../model/history/events.ts';
import { publicEventTypes } from '../../model/history/public-events.ts';
import { endpoint, ok } from '../endpoint.ts';
import { integer, moment, words } from '../fields.ts';
import {
  changeActor,
  changedAt,
  changesByField,
  changesCursor,
  changesLimit,
  changesPagination,
  eventType,
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
    action: z.enum(eventNames).describe('Type of change and record.'),
    target: z
      .object({
        kind: z.string().describe('Type of the changed record.'),
        id: z.string().nullable(),
        name: z
          .string()
          .nullable()
          .optional()
          .describe(
            'Name, code, host or email address of the record at the time of the change; only with `include=targetName`.',
          ),
      })
      .describe('The changed record; `id` is null for settings that exist once per account.'),
    actor: changeActor,
    revision: z.int().nullable().describe('For links: revision after the change.'),
    changes: changesByField,
    requestId: ofRequest,
    eventType,
  })
  .meta({ id: 'AccountChange', description: 'A change in the account.' });
export const changeColumns = Object.keys(accountChange.omit({ eventType: true }).shape);

const loggedEvent = z
  .object({
    id: z.string().describe('ID of the event; stable across requests.'),
    type: z
      .enum(publicEventTypes)
      .describe('Type of the event; all changes of a live link are `link.updated`.'),
    timestamp: changedAt,
    data: z
      .union([
        wholeLink
          .omit({ clicks: true, lastClickAt: true, clicksLeft: true, status: true })
          .extend({ changes: changesByField }),
        z.record(z.string(), z.unknown()),
      ])
      .describe('The record after the event; a link includes `changes`.'),
  })
  .meta({ id: 'LoggedEvent', description: 'An event and a snapshot of its record.' });

const filters = {
  actor: z.string().optional().describe('Only changes by the person, key or session with this ID.'),
  action: z.enum(eventNames).optional().describe('Only changes of this type.'),
  kind: z.enum(eventKinds).optional().describe('Only changes to this type of record.'),
  target: z.string().optional().describe('Only changes to the record with this ID.'),
  from: moment.optional().describe('Only changes at this time or later.'),
  to: moment.optional().describe('Only changes before this time.'),
};

export const auditEndpoints = {
  audit: endpoint('GET', '/audit', {
    access: { key: 'audit:read' },
    priority: 'list',
    summary: 'List the audit log',
    description:
      'Returns changes to links, folders, tags, UTM templates, shares, domains, imports, keys, sessions, members, invitations, passkeys, webhooks, branding and preferences, newest first: who changed what and when, with the previous and the new value. Secret values are not included.',
    query: {
      limit: changesLimit,
      cursor: changesCursor,
      ...filters,
      include: words(['targetName', 'eventType'])
        .optional()
        .describe('Fields to add: `targetName`, `eventType`.'),
    },
    success: ok(
      'One page of changes.',
      { data: z.array(accountChange), pagination: changesPagination },
      {
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
    ),
    exampleRequest: { path: '/audit?action=link.updated' },
    failures: ['VALIDATION_ERROR'],
  }),
  exportAudit: endpoint('GET', '/audit/export', {
    access: { key: 'audit:read' },
    priority: 'list',
    summary: 'Export the audit log',
    description: 'Exports all changes that match the filters, newest first, as one JSON object per line.',
    query: filters,
    success: {
      status: 200,
      description:
        'The file, streamed. If the connection closes before the last chunk, the file is incomplete.',
      files: ['application/x-ndjson'],
      isStream: true,
    },
    exampleRequest: { path: '/audit/export?from=2027-03-01' },
    failures: ['VALIDATION_ERROR'],
  }),
  eventLog: endpoint('GET', '/events/log', {
    access: { key: 'links:read' },
    priority: 'list',
    summary: 'List events',
    description: `Returns link, folder and domain events from at least the last ${logDays} days, oldest first, each with a snapshot of its record. Every event appears exactly once. To get the next events without a gap, send \`nextCursor\` as \`after\`.`,
    query: {
      after: z
        .string()
        .optional()
        .describe('`nextCursor` of an earlier response; empty to start at the oldest available event.'),
      limit: integer(1, 100, 100).optional().describe('Maximum number of events per page.'),
    },
    success: ok(
      'The events and the cursor to continue.',
      {
        data: z.array(loggedEvent),
        pagination: z.object({
          limit: z.int().min(1),
          nextCursor: z.string().describe('Cursor to continue, even if there are no new events.'),
          hasMore: z.boolean().describe('Whether more events are available now.'),
        }),
      },
      {
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
    ),
    exampleRequest: { path: '/events/log?limit=100' },
    failures: ['VALIDATION_ERROR'],
  }),
} as const;
