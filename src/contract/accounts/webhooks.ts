import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { logDays } from '../../model/history/events.ts';
import {
  deliveryStates,
  disabledReasons,
  shownOfBody,
  webhookLimit,
  webhookTypes,
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
    'http or https URL of your endpoint, which receives events by POST. Redirects are not followed. It must be on the public internet unless the operator allows private addresses.',
  ),
  events: z
    .array(z.enum(webhookTypes))
    .min(1)
    .describe(
      'Events to subscribe to. `link.clicked` sends up to 1,000 clicks in one request, at most one request every 5 s.',
    ),
  folderIds: ids('Only events of links in these folders; null for all.'),
  domainIds: ids('Only events of links on these domains; null for all.'),
  tags: z
    .array(text(1, 50))
    .min(1)
    .max(100)
    .nullish()
    .describe('Only events of links with at least one of these tags; null for all.'),
  description: nameText(0, 255).nullish().describe('Optional note.'),
};

const webhookShape = {
  id: uuid('Identifier of the webhook.'),
  url: z.string(),
  events: z.array(z.enum(webhookTypes)),
  folderIds: z.array(z.string()).nullable(),
  domainIds: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  description: z.string().nullable(),
  disabled: z.boolean(),
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .describe(
      '`owner`: disabled by a member; `gone`: the endpoint returned 410; `failing`: no delivery succeeded for five days.',
    ),
  failingSince: timestamp('When deliveries started to fail; null if they succeed.').nullable(),
  lastSuccessAt: timestamp('When the last delivery succeeded; null if none has.').nullable(),
  createdAt: timestamp('When the webhook was created.'),
  createdBy: z
    .object({
      kind: z.enum(['person', 'key']),
      id: z.string().describe('Identifier of the member, or the public part of the key.'),
      name: z.string().describe('Name at the time of creation.'),
    })
    .nullable()
    .describe('Who created it; null for older webhooks.'),
  updatedAt: timestamp('When the webhook was last updated.'),
};
const webhook = z.object(webhookShape).meta({ id: 'Webhook', description: 'A webhook endpoint.' });
const withSecret = z
  .object({
    ...webhookShape,
    secret: z.string().describe('Secret for verifying signatures. It is shown only once.'),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook endpoint with its signing secret.' });

const delivery = z
  .object({
    id: uuid('Identifier of the delivery.'),
    eventId: z.string().describe('Sent as `webhook-id`; the same for all retries.'),
    type: z.string().describe('Type of the event.'),
    state: z.enum(deliveryStates),
    body: z
      .string()
      .describe(`The first ${shownOfBody.toLocaleString('en')} characters of the request body.`),
    createdAt: timestamp('When the delivery was created.'),
    attempts: count('Number of attempts so far.'),
    nextAttemptAt: timestamp('When the next attempt is due; null if none is.').nullable(),
    lastAttempt: z
      .object({
        at: timestamp('When the attempt started.'),
        ms: count('Duration in milliseconds.'),
        status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
        answer: z.string().describe('The first 2,048 bytes of the response, or why there was none.'),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'Delivery of one event to one endpoint.' });

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
    description: 'Returns the webhooks of the account, oldest first.',
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
    summary: 'Create a webhook',
    description: `The endpoint receives new events from now on, signed according to Standard Webhooks. The response contains the signing secret, which is shown only once. An account can have at most ${webhookLimit} webhooks.`,
    body: settings,
    success: {
      status: 201,
      description: 'The webhook was created.',
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
    summary: 'Get a webhook',
    description: 'Returns a webhook and its status. The secret is not included.',
    success: one,
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/webhooks/:id',
    params: { id },
    access,
    priority: 'write',
    summary: 'Update a webhook',
    description:
      'Omitted fields are unchanged. When you enable a disabled webhook, it receives new events only; use `replay` to send the ones it missed.',
    body: {
      url: settings.url.optional(),
      events: settings.events.optional(),
      folderIds: settings.folderIds,
      domainIds: settings.domainIds,
      tags: settings.tags,
      description: settings.description,
      disabled: z.boolean().optional().describe('Whether the webhook is disabled and receives no events.'),
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
    description: 'Stops sending events to the endpoint and deletes its deliveries.',
    success: { status: 204, description: 'The webhook was deleted.' },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  rotateWebhook: endpoint({
    method: 'POST',
    path: '/webhooks/:id/rotate',
    params: { id },
    access,
    priority: 'write',
    summary: 'Rotate a webhook secret',
    description:
      'Creates a new secret. For 24 hours, requests are signed with both secrets, so that you can update the receiver.',
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
    description: 'Sends `webhook.test` to the endpoint in the background. Check the delivery for the result.',
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
    description: `Returns pending and past deliveries of the last ${logDays} days, newest first.`,
    query: {
      limit: integer(1, 100, 20).optional().describe('Deliveries per page.'),
      cursor: z.string().optional().describe('`nextCursor` of the previous page.'),
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
    summary: 'Resend a delivery',
    description:
      'Sends the same body with the same `webhook-id` in the background. If the webhook is disabled, the delivery is sent when it is enabled.',
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
      'Sends events since a given time that were not delivered, in order: those that failed, and those from while the webhook was disabled. With `all`, delivered events are sent again, too, for example after data loss at the receiver. Each event keeps its `webhook-id`.',
    body: {
      since: moment.describe(`Start time; events are kept for ${logDays} days.`),
      all: z.boolean().optional().describe('Whether delivered events are sent again; default false.'),
    },
    success: {
      status: 200,
      description: 'The replay has started.',
      body: success(
        z.object({
          since: timestamp('Start time of the replay.'),
          deliveries: count('Number of existing deliveries that are resent. More may be created.'),
        }),
      ),
      example: { success: true, data: { since: '2027-03-01T00:00:00.000Z', deliveries: 12 } },
    },
    exampleRequest: { body: { since: '2027-03-01' } },
    failures: ['VALIDATION_ERROR', 'WEBHOOK_NOT_FOUND'],
  }),
} as const;
