import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { logDays } from '../../model/history/events.ts';
import {
  deliveryStates,
  disabledReasons,
  hookTypes,
  shownOfBody,
  webhookLimit,
} from '../../model/webhooks/webhooks.ts';
import { endpoint } from '../endpoint.ts';
import { count, integer, moment, nameText, text, timestamp, uuid } from '../fields.ts';

const exampleWebhookId = '0198c5a0-8888-7b3a-9c41-3f0f6f2f8a10';
const exampleDeliveryId = '0198c5a0-9999-7b3a-9c41-3f0f6f2f8a10';
const id = z
  .string()
  .meta({ description: 'Identifier of the webhook.', format: 'uuid', example: exampleWebhookId });
const deliveryId = z
  .string()
  .meta({ description: 'Identifier of the delivery.', format: 'uuid', example: exampleDeliveryId });

const ids = (about: string) => z.array(text(1, 64)).min(1).max(100).nullish().describe(about);
const settings = {
  url: text(1, 2_048).describe(
    'An http or https URL to which events are sent by POST. Redirects are not followed, and it must be on the public internet unless the operator allows it.',
  ),
  events: z
    .array(z.enum(hookTypes))
    .min(1)
    .describe(
      'What it is told of. `link.clicked` sends up to 1,000 clicks in one request, and at most one such request in 5 s.',
    ),
  folderIds: ids('Only of links in these folders; null for all.'),
  domainIds: ids('Only of links on these domains; null for all.'),
  tags: z
    .array(text(1, 50))
    .min(1)
    .max(100)
    .nullish()
    .describe('Only of links with one of these tags; null for all.'),
  description: nameText(0, 255).nullish().describe('For its owner.'),
};

const webhookShape = {
  id: uuid('Identifier of the webhook.'),
  url: z.string(),
  events: z.array(z.enum(hookTypes)),
  folderIds: z.array(z.string()).nullable(),
  domainIds: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  description: z.string().nullable(),
  disabled: z.boolean(),
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .describe('`owner`: switched off; `gone`: it answered 410; `failing`: nothing arrived for five days.'),
  failingSince: timestamp('Since when nothing arrives; null while all goes well.').nullable(),
  lastSuccessAt: timestamp('When something arrived last; null for never.').nullable(),
  createdAt: timestamp('When it was made.'),
  createdBy: z
    .object({
      kind: z.enum(['person', 'key']),
      id: z.string().describe('Identifier of the member, or the public part of the key.'),
      name: z.string().describe('What they were called when they created it.'),
    })
    .nullable()
    .describe('Who created it; null for older webhooks.'),
  updatedAt: timestamp('When it was last changed.'),
};
const webhook = z
  .object(webhookShape)
  .meta({ id: 'Webhook', description: 'An endpoint that is told of events.' });
const withSecret = z
  .object({
    ...webhookShape,
    secret: z.string().describe('What receivers check signatures with. It is shown this once.'),
  })
  .meta({ id: 'WebhookWithSecret', description: 'An endpoint with the secret that signs.' });

const delivery = z
  .object({
    id: uuid('Identifier of the delivery.'),
    eventId: z.string().describe('What the receiver gets as `webhook-id`: the same over retries.'),
    type: z.string().describe('What happened.'),
    state: z.enum(deliveryStates),
    body: z.string().describe(`The first ${shownOfBody.toLocaleString('en')} characters of what is sent.`),
    createdAt: timestamp('When it was made.'),
    attempts: count('How often it was tried.'),
    nextAttemptAt: timestamp('When it is tried again; null for never.').nullable(),
    lastAttempt: z
      .object({
        at: timestamp('When it began.'),
        ms: count('How long it took, ms.'),
        status: z.int().nullable().describe('Of the answer; null where there was none.'),
        answer: z.string().describe('The first 2,048 bytes of the answer, or why there was none.'),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });

const example = {
  id: exampleWebhookId,
  url: 'https://hooks.example.com/linkfold',
  events: ['link.created', 'link.updated'],
  folderIds: null,
  domainIds: null,
  tags: null,
  description: 'Inventory',
  disabled: false,
  disabledReason: null,
  failingSince: null,
  lastSuccessAt: null,
  createdAt: '2027-03-01T09:00:00.000Z',
  createdBy: { kind: 'person' as const, id: '7d0f6f1e-2b3c-4f5a-8e9d-0a1b2c3d4e60', name: 'Ada Lovelace' },
  updatedAt: '2027-03-01T09:00:00.000Z',
};
const exampleSecret = { ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
const exampleDelivery = {
  id: exampleDeliveryId,
  eventId: 'evt_42',
  type: 'folder.created',
  state: 'delivered',
  body: '{"type":"folder.created","timestamp":"2027-03-01T09:00:00.000Z","data":{"id":"0197c4a2-7a83-7f3e-9b1d-2f4a6c8e0b7d","name":"Spring"}}',
  createdAt: '2027-03-01T09:00:00.000Z',
  attempts: 1,
  nextAttemptAt: null,
  lastAttempt: { at: '2027-03-01T09:00:01.000Z', ms: 120, status: 204, answer: '' },
};

const access = { key: 'webhooks:write' } as const;
const success = <B extends z.ZodType>(data: B) => z.object({ success: z.literal(true), data });
const one = {
  status: 200,
  description: 'The webhook.',
  body: success(webhook),
  example: { success: true, data: example },
} as const;

export const webhookEndpoints = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/webhooks',
    access,
    priority: 'list',
    summary: 'List webhooks',
    description: 'Endpoints of the account, oldest first.',
    success: {
      status: 200,
      description: 'The webhooks.',
      body: success(z.array(webhook)),
      example: { success: true, data: [example] },
    },
    failures: [],
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/webhooks',
    access,
    priority: 'write',
    summary: 'Add a webhook',
    description: `Events are sent to it from now on, signed by the Standard Webhooks specification. The answer shows the secret this once. An account has at most ${webhookLimit} webhooks.`,
    body: settings,
    success: {
      status: 201,
      description: 'The webhook was added.',
      body: success(withSecret),
      showsSecret: true,
      example: { success: true, data: exampleSecret },
    },
    exampleRequest: { body: { url: example.url, events: example.events, description: 'Inventory' } },
    failures: ['INVALID_URL', limitReached('webhooks', webhookLimit)],
  }),
  getWebhook: endpoint({
    method: 'GET',
    path: '/webhooks/:id',
    params: { id },
    access,
    priority: 'read',
    summary: 'Get one webhook',
    description: 'One endpoint, with how it does. The secret is not shown again.',
    success: one,
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/webhooks/:id',
    params: { id },
    access,
    priority: 'write',
    summary: 'Change a webhook',
    description:
      'Absent fields stay. One that is switched on again is told of what happens from then on; `replay` brings the rest.',
    body: {
      url: settings.url.optional(),
      events: settings.events.optional(),
      folderIds: settings.folderIds,
      domainIds: settings.domainIds,
      tags: settings.tags,
      description: settings.description,
      disabled: z.boolean().optional().describe('Whether nothing is sent to it.'),
    },
    success: one,
    exampleRequest: { body: { disabled: true } },
    failures: ['INVALID_URL', 'WEBHOOK_NOT_FOUND'],
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/webhooks/:id',
    params: { id },
    access,
    priority: 'write',
    summary: 'Delete a webhook',
    description: 'Nothing is sent to it any more, and its deliveries are gone.',
    success: { status: 204, description: 'The webhook is deleted.' },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  rotateWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    params: { id },
    access,
    priority: 'write',
    summary: 'Give a webhook another secret',
    description: 'For 24 hours both secrets sign, so that the receiver can change at leisure.',
    success: {
      status: 200,
      description: 'The webhook with its new secret.',
      body: success(withSecret),
      showsSecret: true,
      example: { success: true, data: exampleSecret },
    },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:id/test',
    params: { id },
    access,
    priority: 'write',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` in a moment; the delivery says how that went.',
    success: {
      status: 201,
      description: 'The delivery.',
      body: success(delivery),
      example: { success: true, data: exampleDelivery },
    },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    params: { id },
    access,
    priority: 'list',
    summary: 'List deliveries of a webhook',
    description: `What was sent and is to be sent to it, the newest first, for ${logDays} days.`,
    query: {
      limit: integer(1, 100, 20).optional().describe('Deliveries on a page.'),
      cursor: z.string().optional().describe('`nextCursor` of the page before.'),
    },
    success: {
      status: 200,
      description: 'One page of deliveries.',
      body: z.object({
        success: z.literal(true),
        data: z.array(delivery),
        pagination: z.object({ limit: z.int(), nextCursor: z.string().nullable() }),
      }),
      example: { success: true, data: [exampleDelivery], pagination: { limit: 20, nextCursor: null } },
    },
    failures: ['VALIDATION_ERROR', 'WEBHOOK_NOT_FOUND'],
  }),
  resendDelivery: endpoint({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery/resend',
    params: { id, delivery: deliveryId },
    access,
    priority: 'write',
    summary: 'Send a delivery again',
    description:
      'The same body with the same `webhook-id`, in a moment; to a webhook that is off when it is on again.',
    success: {
      status: 200,
      description: 'The delivery.',
      body: success(delivery),
      example: { success: true, data: exampleDelivery },
    },
    failures: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  }),
  replayWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:id/replay',
    params: { id },
    access,
    priority: 'write',
    summary: 'Replay events',
    description:
      'Sends the events since a time that were not delivered, in order: those that failed, and those from while the webhook was disabled. With `all` it sends delivered ones again, too, for a receiver that lost its data. Each keeps its `webhook-id`.',
    body: {
      since: moment.describe(`Start time; events are kept for ${logDays} days.`),
      all: z.boolean().optional().describe('Whether delivered events are sent again; default false.'),
    },
    success: {
      status: 200,
      description: 'It has begun.',
      body: success(
        z.object({
          since: timestamp('From when on.'),
          deliveries: count('Existing deliveries that are sent now. More may follow.'),
        }),
      ),
      example: { success: true, data: { since: '2027-03-01T00:00:00.000Z', deliveries: 12 } },
    },
    exampleRequest: { body: { since: '2027-03-01' } },
    failures: ['VALIDATION_ERROR', 'WEBHOOK_NOT_FOUND'],
  }),
} as const;
