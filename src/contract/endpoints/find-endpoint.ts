import { apiPrefix, type Endpoint } from '../endpoint.ts';
import { endpoints } from './endpoints.ts';

const base = `${apiPrefix}/`;

/** Every endpoint with the parts of its path; undefined where a parameter stands. */
const routes = Object.values<Endpoint>(endpoints).map((endpoint) => ({
  endpoint,
  parts: partsOf(endpoint.path.slice(1)).map((part) => (part.startsWith(':') ? undefined : part)),
}));

/** The order in which routes match a path: `/links/by-code/:code` comes before `/links/:id/:more`. */
const byPrecision = routes.toSorted((a, b) => variablesIn(a.parts) - variablesIn(b.parts));

function variablesIn(parts: readonly (string | undefined)[]): number {
  return parts.filter((part) => part === undefined).length;
}

function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

/**
 * The endpoint of a request, before it is parsed. It decides the request's priority and largest body.
 * @param url the request's target, with its query
 * @returns undefined when there is none; the request may be for documentation, or for nothing
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
