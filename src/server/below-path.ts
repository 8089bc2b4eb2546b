import type { IncomingMessage } from 'node:http';
import { Refusal } from '../contract/envelope.ts';
import type { BelowPath } from '../redirect/visit.ts';
import { pathOfBase, setBasePath } from '../runtime/base-path.ts';

/**
 * Paths that are also served without the path of `BASE_URL`, such as probes and files that must be at the root of a
 * host.
 */
const atRoot = /^\/(?:healthz|readyz|metrics|tls-check)\/?(?:\?|$)|^\/\.well-known\//;
const origin = /^https?:\/\/[^/?#]*/i;

/** Removes the path of `BASE_URL` from requests. */
export interface RequestsBelow extends BelowPath {
  /** Removes the path from the URL of a request. @returns an error if this server does not serve the URL */
  removeFrom(request: IncomingMessage): Refusal | undefined;
}

/**
 * Creates the functions that remove the path of `BASE_URL`.
 * @param hostOf see `VisitOptions.hostOf`
 * @returns undefined if `BASE_URL` has no path
 */
export function createBelowPath(
  baseUrl: string | null,
  hostOf: (header: string) => string,
): RequestsBelow | undefined {
  const path = pathOfBase(baseUrl);
  if (path === '') return undefined;
  const targetOf = (target: string, host: string): string | undefined => {
    if (hostOf(host) !== '') return target;
    const [start = ''] = target.startsWith('/') ? [] : (origin.exec(target) ?? []);
    const after = start.length + path.length;
    if (
      target.startsWith(path, start.length) &&
      (after === target.length || '/?#'.includes(target[after] ?? ''))
    )
      return `${start}${target[after] === '/' ? '' : '/'}${target.slice(after)}`;
    return atRoot.test(target.slice(start.length)) ? target : undefined;
  };
  return {
    path,
    targetOf,
    removeFrom(request) {
      const { url = '/', headers } = request;
      const target = targetOf(url, headers.host ?? '');
      if (target === undefined)
        return new Refusal(
          'ROUTE_NOT_FOUND',
          `This server only serves paths below ${path}/, the path of BASE_URL.`,
        );
      if (target !== url) setBasePath(headers, path);
      request.url = target;
      return undefined;
    },
  };
}
