import { apiPrefix, type Endpoint } from '../endpoint.ts';
import { endpoints } from './endpoints.ts';

const base = `${apiPrefix}/`;

/** All endpoints with their path segments. The segment for a parameter is undefined. */
const routes = Object.values<Endpoint>(endpoints).map((endpoint) => ({
  endpoint,
  parts: partsOf(endpoint.path.slice(1)).map((part) => (part.startsWith(':') ? undefined : part)),
}));

/** Routes in matching order, most specific first: `/links/by-code/:code` comes before `/links/:id/:more`. */
const byPrecision = routes.toSorted((a, b) => variablesIn(a.parts) - variablesIn(b.parts));

function variablesIn(parts: readonly (string | undefined)[]): number {
  return parts.filter((part) => part === undefined).length;
}

function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

/**
 * Finds the endpoint for a request line. The endpoint's priority and body limit are needed before the request is
 * routed.
 * @param url request target with query
 * @returns undefined if no endpoint matches, for example for a documentation page
 */
export function findEndpoint(method: string | undefined, url = ''): Endpoint | undefined {
  if (!url.startsWith(base)) return undefined;
  const end = url.indexOf('?');
  const asked = partsOf(url.slice(base.length, end === -1 ? url.length : end));
  const answering = method === 'HEAD' ? 'GET' : method;
  return byPrecision.find(
    ({ endpoint, parts }) =>
      endpoint.method === answering &&
      parts.length === asked.length &&
      parts.every((part, at) => (part === undefined ? asked[at] !== '' : asked[at] === part)),
  )?.endpoint;
}
