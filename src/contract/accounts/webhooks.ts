import * as z from 'zod';
import { limitReached } from '../../model/failures.ts';
import { logDays } from '../../model/history/events.ts';
import { deliveryFields, webhookFields, webhookLimit } from '../../model/webhooks/webhooks.ts';
import { created, endpoint, ok } from '../endpoint.ts';
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
const success = ok('The webhook.', { data: webhook }, { data: example });

export const webhookEndpoints = {
  listWebhooks: endpoint('GET', '/webhooks', {
    access,
    priority: 'list',
    summary: 'List webhooks',
    description: 'Returns the account’s webhooks, oldest first.',
    success: ok('The webhooks.', { data: z.array(webhook) }, { data: [example] }),
  }),
  createWebhook: endpoint('POST', '/webhooks', {
    access,
    summary: 'Create a webhook',
    description: `The endpoint receives new events from now on, signed according to Standard Webhooks. The response contains the signing secret, which is shown only once. An account can have at most ${webhookLimit} webhooks.`,
    body: requestShape(webhookFields, 'create'),
    success: {
      ...created('The webhook was created.', { data: withSecret }, { data: exampleSecret }),
      showsSecret: true,
    },
    exampleRequest: { body: { url: example.url, events: example.events, description: 'Inventory' } },
    failures: ['INVALID_URL', limitReached('webhooks', webhookLimit)],
  }),
  getWebhook: endpoint('GET', '/webhooks/:id', {
    params: { id },
    access,
    summary: 'Get a webhook',
    description: 'Returns a webhook and its status. The secret is not included.',
    success,
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  updateWebhook: endpoint('PATCH', '/webhooks/:id', {
    params: { id },
    access,
    summary: 'Update a webhook',
    description:
      'Omitted fields are unchanged. When you enable a disabled webhook, it receives new events only; use `replay` to send the ones it missed.',
    body: requestShape(webhookFields, 'update'),
    success,
    exampleRequest: { body: { disabled: true } },
    failures: ['INVALID_URL', 'WEBHOOK_NOT_FOUND'],
  }),
  deleteWebhook: endpoint('DELETE', '/webhooks/:id', {
    params: { id },
    access,
    summary: 'Delete a webhook',
    description: 'Stops sending events to the endpoint and deletes its deliveries.',
    success: { status: 204, description: 'The webhook was deleted.' },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  rotateWebhook: endpoint('POST', '/webhooks/:id/rotate', {
    params: { id },
    access,
    summary: 'Rotate a webhook secret',
    description:
      'Creates a new secret. For 24 hours, requests are signed with both secrets, so that you can update the receiver.',
    success: {
      ...ok('The webhook with its new secret.', { data: withSecret }, { data: exampleSecret }),
      showsSecret: true,
    },
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  testWebhook: endpoint('POST', '/webhooks/:id/test', {
    params: { id },
    access,
    summary: 'Send a test event',
    description: 'Sends `webhook.test` to the endpoint in the background. Check the delivery for the result.',
    success: created('The delivery.', { data: delivery }, { data: exampleDelivery }),
    failures: ['WEBHOOK_NOT_FOUND'],
  }),
  listDeliveries: endpoint('GET', '/webhooks/:id/deliveries', {
    params: { id },
    access,
    priority: 'list',
    summary: 'List deliveries of a webhook',
    description: `Returns pending and past deliveries from the last ${logDays} days, newest first.`,
    query: {
      limit: integer(1, 100, 20).optional().describe('Deliveries per page.'),
      cursor: z.string().optional().describe('`nextCursor` of the previous page.'),
    },
    success: ok(
      'One page of deliveries.',
      {
        data: z.array(delivery),
        pagination: z.object({ limit: z.int(), nextCursor: z.string().nullable() }),
      },
      { data: [exampleDelivery], pagination: { limit: 20, nextCursor: null } },
    ),
    failures: ['VALIDATION_ERROR', 'WEBHOOK_NOT_FOUND'],
  }),
  resendDelivery: endpoint('POST', '/webhooks/:id/deliveries/:delivery/resend', {
    params: { id, delivery: deliveryId },
    access,
    summary: 'Resend a delivery',
    description:
      'Sends the same body with the same `webhook-id` in the background. If the webhook is disabled, the delivery is sent when it is enabled.',
    success: ok('The delivery.', { data: delivery }, { data: exampleDelivery }),
    failures: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  }),
  replayWebhook: endpoint('POST', '/webhooks/:id/replay', {
    params: { id },
    access,
    summary: 'Replay events',
    description:
      'Sends the undelivered events since a given time, in order: failed deliveries, and events that occurred while the webhook was disabled. With `all`, also sends delivered events again, for example after the receiver lost data. Each event keeps its `webhook-id`.',
    body: {
      since: moment.describe(`Start time; events are kept for ${logDays} days.`),
      all: z.boolean().optional().describe('Whether delivered events are sent again; default false.'),
    },
    success: ok(
      'The replay has started.',
      {
        data: z.object({
          since: timestamp('Start time of the replay.'),
          deliveries: count('Number of existing deliveries that are resent. More may be created.'),
        }),
      },
      { data: { since: '2027-03-01T00:00:00.000Z', deliveries: 12 } },
    ),
    exampleRequest: { body: { since: '2027-03-01' } },
    failures: ['VALIDATION_ERROR', 'WEBHOOK_NOT_FOUND'],
  }),
} as const;
