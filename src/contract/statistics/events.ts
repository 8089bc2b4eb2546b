import * as z from 'zod';
import { scopeMissing } from '../../model/accounts/keys.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { type EventType, eventTypes } from '../../model/clicks/events.ts';
import { type ClickField, clickFields } from '../../model/clicks/raw-clicks.ts';
import { publicEventTypes } from '../../model/history/public-events.ts';
import { clickedType } from '../../model/webhooks/clicks.ts';
import { endpoint } from '../endpoint.ts';
import { timestamp, uuid, words } from '../fields.ts';

/** Allowed values of the parameter `types`. */
export const streamTypes = [...eventTypes, clickedType] as const;

const ofLink = {
  linkId: uuid('Identifier of the link.'),
  shortCode: z.string().describe('Short code of the link.'),
  folderId: uuid('The folder that the link is in now; null if none.').nullable(),
};

const fields = clickFields.filter((name): name is Exclude<ClickField, 'class'> => name !== 'class');
const values = Object.fromEntries(
  fields.map((name) => [name, z.string().describe('Same values as in statistics; empty if unknown.')]),
) as Record<(typeof fields)[number], z.ZodString>;

const clickEvent = z
  .object({
    type: z.literal('click'),
    ...ofLink,
    time: timestamp('When the visitor was redirected.'),
    eventType: z.literal(clickedType).describe('Name of the event in webhooks.'),
    class: z.enum(clickClasses).describe('Who made the request.'),
    ...values,
  })
  .meta({ id: 'ClickEvent', description: 'A click. It contains nothing that identifies the visitor.' });

const linkEventTypes = eventTypes.filter((type): type is Exclude<EventType, 'click'> => type !== 'click');
const linkEvent = z
  .object({
    type: z
      .enum(linkEventTypes)
      .describe('Type of the change; `link.moved` means to another folder, or out of one.'),
    ...ofLink,
    time: timestamp('When the change was made.'),
    eventType: z.enum(publicEventTypes).describe('Name of the event in webhooks and `GET /events/log`.'),
  })
  .meta({ id: 'LinkChangeEvent', description: 'A link was created or changed.' });

const readyEvent = z
  .object({
    type: z.literal('ready'),
    resumed: z.boolean().describe('Whether the stream continues after `Last-Event-ID` without a gap.'),
  })
  .meta({ id: 'ReadyEvent', description: 'The stream is connected. All later events are sent.' });

const resetEvent = z
  .object({
    type: z.literal('reset'),
    message: z.string().describe('Human-readable explanation.'),
  })
  .meta({
    id: 'ResetEvent',
    description: 'Events since `Last-Event-ID` are no longer available. Reload your data.',
  });

const endEvent = z
  .object({
    type: z.literal('end'),
    code: z.string().describe('Error code that explains why. On `SHUTTING_DOWN`, reconnect after `retry`.'),
    message: z.string().describe('Human-readable explanation.'),
  })
  .meta({ id: 'EndEvent', description: 'The server closes the stream.' });

export const eventEndpoints = {
  events: endpoint('GET', '/events', {
    access: { key: 'any', either: ['analytics:read', 'links:read'], bound: true },
    priority: 'list',
    summary: 'Stream clicks and link changes',
    description:
      'A stream of server-sent events: the account’s clicks (scope `analytics:read`) and link changes (scope `links:read`), from all processes and nodes, within two seconds. Without `types`, it sends all events that the key can read. To resume after a disconnect, send the `id` of the last event as `Last-Event-ID`. Resuming within two minutes neither skips nor repeats events; later, the stream sends a `reset` event.',
    query: {
      types: words(streamTypes)
        .optional()
        .describe(
          'Only events of these types; `link.clicked` is an alias of `click`. Types whose scope the key lacks are rejected.',
        ),
      linkId: z.string().optional().describe('Only events for this link.'),
      folderId: z
        .string()
        .optional()
        .describe('Only events for links that are in this folder; `none` for links in no folder.'),
    },
    success: {
      status: 200,
      description:
        'The stream. Each event has its type in `event` and JSON in `data`. Comments keep the connection alive.',
      events: [clickEvent, linkEvent, readyEvent, resetEvent, endEvent],
    },
    exampleRequest: { path: '/events?types=click,link.created' },
    failures: [
      scopeMissing('analytics:read'),
      'VALIDATION_ERROR',
      'LINK_NOT_FOUND',
      'FOLDER_NOT_FOUND',
      'TOO_MANY_STREAMS',
    ],
  }),
} as const;

/** Media type of an event stream. */
export const eventStreamType = 'text/event-stream';
