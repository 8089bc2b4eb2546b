import { webhookEvents } from '../accounts/webhook-events.ts';
import type { Json, Schemas } from './schemas.ts';

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const parameters = [
  header('webhook-id', 'ID of the event, the same for retries and for every endpoint.'),
  header('webhook-timestamp', 'When this request was signed, in seconds since the epoch.'),
  header('webhook-signature', 'Signatures according to Standard Webhooks, separated by spaces.'),
];

/** Returns the `webhooks` of the document: one request for each type of event. */
export function openApiWebhooks(schemas: Schemas): Json {
  return Object.fromEntries(
    webhookEvents.flatMap((event) => {
      const types = event.shape.type.options;
      const schema = schemas.named(`${nameOf(types[0] ?? '')}Event`, event, 'output');
      return types.map((type) => [type, { post: operationOf(type, schema) }]);
    }),
  );
}

function nameOf(type: string): string {
  return type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function operationOf(type: string, schema: Json): Json {
  return {
    operationId: `on${nameOf(type)}`,
    summary: `Receive ${type}`,
    description: 'A signed request to your endpoint. Answer with any 2xx status within 15 seconds.',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '204': { description: 'The event was received.' } },
  };
}
