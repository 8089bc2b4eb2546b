import { scopes } from '../../model/accounts/keys.ts';
import { webhookEvents } from '../accounts/webhook-events.ts';
import { apiPrefix, type Endpoint, largestBody } from '../endpoint.ts';
import { endpointGroups } from '../endpoints/endpoints.ts';
import { createFailureResponses } from './failures.ts';
import { headers } from './headers.ts';
import { operation } from './operations.ts';
import { createSchemas, type Json, type Schemas } from './schemas.ts';
import { createSharedParts } from './shared-parts.ts';

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

/** Returns the `webhooks` section of the document, with one request for each event type. */
function openApiWebhooks(schemas: Schemas): Json {
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
    description: 'A signed request to your endpoint. Respond with any 2xx status within 15 seconds.',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '204': { description: 'The event was received.' } },
  };
}

const scopeMeanings: Readonly<Record<(typeof scopes)[number], string>> = {
  'links:read': 'read links and folders',
  'links:write': 'create, update and delete links and folders',
  'analytics:read': 'read click statistics',
  'domains:write': 'add, verify, configure and delete domains',
  'audit:read': 'read the account’s audit log',
  'webhooks:write': 'create, update and delete webhooks, and read their deliveries',
  'keys:write': 'list, create, rotate and revoke API keys',
  'people:write': 'list, invite, update and remove members',
};

const description = `The Linkfold API manages short links, folders, tags, domains, statistics, webhooks and team members.

- Authenticate with an API key: \`Authorization: Bearer <key>\`. Records of other accounts return 404, as if they did not exist.
- Request bodies are JSON objects in UTF-8, up to ${largestBody / 1024} KiB. Unknown fields and parameters are ignored. With \`Prefer: handling=strict\`, they are rejected, and the error suggests the right name.
- Responses of v1 contain exactly the documented fields. Use \`include\` to add link fields, such as \`include=title,status\`.
- Lists of links are paginated: by \`page\` and \`limit\` (at most 100) with the exact total, or by \`cursor\`, which is equally fast on every page.
- The operator can set a per-minute rate limit for each key. \`X-RateLimit-Remaining\` contains the number of remaining requests, and 429 \`RATE_LIMIT_EXCEEDED\` includes \`Retry-After\`. \`GET /api/v1/me\` returns the limits.
- Errors have \`"success": false\` and an \`error\` with a machine-readable \`code\`, a human-readable \`message\`, and a link to its documentation in \`docs\`. New codes may be added.
- POST requests with an \`Idempotency-Key\` are safe to retry.
- \`HEAD\` works wherever \`GET\` does. Unsupported methods return 405 \`METHOD_NOT_ALLOWED\` with the supported ones in \`Allow\`; unknown paths return 404 \`ROUTE_NOT_FOUND\`.`;

/**
 * Returns the OpenAPI 3.1 document for all endpoints under `/api/v1`.
 * @param version version of Linkfold
 */
export function openApiDocument(version: string): Json {
  const schemas = createSchemas();
  const parts = createSharedParts();
  const failures = createFailureResponses(schemas, parts);
  const paths: Record<string, Json> = {};
  for (const group of endpointGroups) {
    for (const [name, endpoint] of Object.entries<Endpoint>(group.endpoints)) {
      const path = (apiPrefix + endpoint.path).replace(/:(\w+)/g, '{$1}');
      const made = operation(name, endpoint, group.tag, { schemas, failures, parts });
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: made };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linkfold',
      version,
      summary: 'Self-hosted link shortener that never loses a link or a click when a process crashes.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: endpointGroups.map(({ tag, about }) => ({ name: tag, description: about })),
    // Omits the session cookie, which only browsers use. If it were listed, generated clients would send both
    // credentials.
    security: [{ apiKey: [] }],
    paths,
    webhooks: openApiWebhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lfk_…',
          description: `An API key. Each operation lists the scope it requires; no scope includes another:\n\n${scopes
            .map((scope) => `- \`${scope}\`: ${scopeMeanings[scope]}`)
            .join('\n')}`,
        },
      },
      schemas: sorted(schemas.components),
      headers,
      ...parts.finish(),
    },
  };
}

function sorted(parts: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
