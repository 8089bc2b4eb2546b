import * as z from 'zod';
import { scopeMissing } from '../../model/accounts/keys.ts';
import { clickClasses } from '../../model/clicks/clicks.ts';
import { type EventType, eventTypes } from '../../model/clicks/events.ts';
import { type ClickText, clickTexts } from '../../model/clicks/raw-clicks.ts';
import { endpoint } from '../endpoint.ts';
import { timestamp, uuid, words } from '../fields.ts';

const ofLink = {
  linkId: uuid('Identifier of the link.'),
  shortCode: z.string().describe('Its code.'),
  folderId: uuid('The folder that the link is in by now; null for none.').nullable(),
};

const texts = clickTexts.filter((name): name is Exclude<ClickText, 'class'> => name !== 'class');
const values = Object.fromEntries(
  texts.map((name) => [name, z.string().describe('As in statistics; empty when it is unknown.')]),
) as Record<(typeof texts)[number], z.ZodString>;

const clickEvent = z
  .object({
    type: z.literal('click'),
    ...ofLink,
    time: timestamp('When the visitor was sent on.'),
    class: z.enum(clickClasses).describe('Who clicked.'),
    ...values,
  })
  .meta({ id: 'ClickEvent', description: 'A click. Nothing in it tells who the visitor was.' });

const linkEventTypes = eventTypes.filter((type): type is Exclude<EventType, 'click'> => type !== 'click');
const linkEvent = z
  .object({
    type: z.enum(linkEventTypes).describe('What was done; `link.moved` is to another folder, or out of one.'),
    ...ofLink,
    time: timestamp('When it was done.'),
  })
  .meta({ id: 'LinkChangeEvent', description: 'A link was made or changed.' });

const readyEvent = z
  .object({
    type: z.literal('ready'),
    resumed: z.boolean().describe('Whether it goes on behind `Last-Event-ID`, without a gap.'),
  })
  .meta({ id: 'ReadyEvent', description: 'From here on every event is told.' });

const resetEvent = z
  .object({
    type: z.literal('reset'),
    message: z.string().describe('A sentence for people.'),
  })
  .meta({
    id: 'ResetEvent',
    description:
      'What lies between `Last-Event-ID`, or the last event, and this moment is not kept any more. Read again what you show.',
  });

const endEvent = z
  .object({
    type: z.literal('end'),
    code: z
      .string()
      .describe(
        'Why, as a code of the error catalogue. `SHUTTING_DOWN` asks to connect again after `retry`.',
      ),
    message: z.string().describe('A sentence for people.'),
  })
  .meta({ id: 'EndEvent', description: 'The server ends the stream.' });

export const eventEndpoints = {
  events: endpoint({
    method: 'GET',
    path: '/events',
    access: { key: 'any', either: ['analytics:read', 'links:read'], bound: true },
    priority: 'list',
    summary: 'Follow clicks and changes of links',
    description:
      'A stream of server-sent events: clicks (scope `analytics:read`) and changes of links (scope `links:read`) of the account, on whichever process or node they happen, within two seconds. Without `types` it has all that the key may read. Send the `id` of the last event as `Last-Event-ID` to go on behind it: nothing is missed or told twice for two minutes at least; after that a `reset` says so.',
    query: {
      types: words(eventTypes)
        .optional()
        .describe('Only events of these types. A type whose scope the key lacks is refused.'),
      linkId: z.string().optional().describe('Only events of this link.'),
      folderId: z
        .string()
        .optional()
        .describe('Only events of links that are in this folder; `none` for links in no folder.'),
    },
    success: {
      status: 200,
      description:
        'The stream. Each event has its type as `event`, and its `data` is JSON. Comments keep the connection alive.',
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

/** The media type of a stream of events. */
export const eventStreamType = 'text/event-stream';
