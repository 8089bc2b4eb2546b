import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { logDays } from '../../model/history/events.ts';
import { deliveryFields, webhookFields, webhookLimit } from '../../model/webhooks/webhooks.ts';
import { endpoint } from '../endpoint.ts';
import { count, integer, moment, timestamp } from '../fields.ts';
import { exampleOf, requestShape, responseShape } from '../record-shapes.ts';

const example = exampleOf(webhookFields);
const exampleDelivery = exampleOf(deliveryFields);
const id = responseShape(webhookFields).id.meta({ example: example.id });
const deliveryId = responseShape(deliveryFields).id.meta({ example: exampleDelivery.id });

const webhookShape = responseShape(webhookFields);
const webhook = z.object(webhookShape).meta({ id: 'Webhook', description: 'A webhook endpoint.' });
const withSecret = z
  .object({
    ...webhookShape,
    secret: z.string().describe('Secret for verifying signatures. It is shown only once.'),
  })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook endpoint with its signing secret.' });
const delivery = z
  .object(responseShape(deliveryFields))
  .meta({ id: 'WebhookDelivery', description: 'Delivery of one event to one endpoint.' });
const exampleSecret = { ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

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
    body: requestShape(webhookFields, 'create'),
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
    body: requestShape(webhookFields, 'update'),
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
      'Sends the undelivered events since a given time, in order: failed deliveries, and events that occurred while the webhook was disabled. With `all`, also sends delivered events again, for example after the receiver lost data. Each event keeps its `webhook-id`.',
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
