import type { Endpoint } from './endpoint.ts';

/** Path of the MCP endpoint, outside the API's base path. */
export const assistantsPath = '/mcp';

/** The MCP endpoint. Admission control, authentication and body limits are the same as for API endpoints. */
export const assistantsEndpoint: Endpoint = {
  method: 'POST',
  path: assistantsPath,
  access: { key: 'any', session: false, bound: true },
  priority: 'list',
  summary: 'Model Context Protocol',
  description: 'Handles a JSON-RPC message from an MCP client.',
  body: {},
  success: { status: 200, description: 'The response.' },
  failures: [],
};

/** Status codes for responses to notifications (`heard`) and to invalid messages (`refused`). */
export const messageStatuses = { heard: 202, refused: 400 } as const;
