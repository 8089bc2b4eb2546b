import type { Endpoint } from './endpoint.ts';

/** Where assistants ask, beside the API. */
export const assistantsPath = '/mcp';

/** As far as admission, key and body are concerned, an endpoint like any other. A browser's cookie is of no use here. */
export const assistantsEndpoint: Endpoint = {
  method: 'POST',
  path: assistantsPath,
  access: { key: 'any', session: false, bound: true },
  priority: 'list',
  summary: 'Model Context Protocol',
  description: 'One JSON-RPC message of an assistant.',
  body: {},
  success: { status: 200, description: 'The answer.' },
  failures: [],
};

/** Of messages that want no answer, and of those that are none. */
export const messageStatuses = { heard: 202, refused: 400 } as const;
