import type { Endpoint } from './endpoint.ts';

/** Path of the MCP endpoint, next to the API. */
export const assistantsPath = '/mcp';

/** An endpoint like any other for admission, key and body. Session cookies are not accepted. */
export const assistantsEndpoint: Endpoint = {
  method: 'POST',
  path: assistantsPath,
  access: { key: 'any', session: false, bound: true },
  priority: 'list',
  summary: 'Model Context Protocol',
  description: 'Handles a JSON-RPC message of an MCP client.',
  body: {},
  success: { status: 200, description: 'The response.' },
  failures: [],
};

/** Statuses for notifications and for invalid messages. */
export const messageStatuses = { heard: 202, refused: 400 } as const;
