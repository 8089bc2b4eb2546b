import { scopes } from '../../model/accounts/keys.ts';
import { apiPrefix, type Endpoint, largestBody } from '../endpoint.ts';
import { endpointGroups } from '../endpoints/endpoints.ts';
import { createFailureResponses } from './failures.ts';
import { headers } from './headers.ts';
import { operation } from './operations.ts';
import { createSchemas, type Json } from './schemas.ts';
import { createSharedParts } from './shared-parts.ts';
import { openApiWebhooks } from './webhooks.ts';

const scopeMeanings: Readonly<Record<(typeof scopes)[number], string>> = {
  'links:read': 'read links and folders',
  'links:write': 'make, change and delete links and folders',
  'analytics:read': 'read statistics of clicks',
  'domains:write': 'add domains, prove and set them, delete them',
  'audit:read': 'read what was changed in the account, by whom',
  'webhooks:write': 'add webhooks, change and delete them, read what they were told',
  'keys:write': 'list, make, replace and revoke keys',
  'people:write': 'list, invite, change and remove people',
};

const description = `Short links, the folders they are in, and the key in hand.

- Every request carries a key: \`Authorization: Bearer <key>\`. A record of another account answers 404, as if it had never been.
- Bodies are JSON objects in UTF-8 of at most ${largestBody / 1024} KiB. Unknown fields and parameters are ignored, or with \`Prefer: handling=strict\` refused, naming what was probably meant.
- Answers of v1 have exactly the fields shown. \`include\` adds more of what is stored about links, such as \`include=title,status\`.
- Links come in pages: by \`page\` and \`limit\` (at most 100) with the exact total, or by \`cursor\` at the same cost however far.
- The operator may limit requests of a key by the minute: \`X-RateLimit-Remaining\` says what is left, and 429 \`RATE_LIMIT_EXCEEDED\` comes with \`Retry-After\`. \`GET /api/v1/me\` tells the limits.
- A refusal has \`"success": false\` and an \`error\` with a \`code\` for programs and a \`message\` for people; its \`docs\` leads to what to do. New codes may come.
- A POST with an \`Idempotency-Key\` may be repeated without fear.
- \`HEAD\` works where \`GET\` does. Another method that a path does not have answers 405 \`METHOD_NOT_ALLOWED\`, and the header \`Allow\` lists those it has; an unknown path answers 404 \`ROUTE_NOT_FOUND\`.`;

/**
 * The OpenAPI 3.1 description of everything under `/api/v1`, made from the endpoint values.
 * @param version of the program
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
      summary: 'Short links that are never lost.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this description comes from.' }],
    tags: endpointGroups.map(({ tag, about }) => ({ name: tag, description: about })),
    // Browsers also send the cookie of a session; a program that was told so would send both.
    security: [{ apiKey: [] }],
    paths,
    webhooks: openApiWebhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lfk_…',
          description: `An API key with scopes; each operation names the one it needs, and none implies another:\n\n${scopes
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
