import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns true if the browser reports that the request was sent by a page on the same origin. Returns false if none of
 * the request's headers shows its origin.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? isEqualOrigin(headers) : site === 'same-origin';
}

function isEqualOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  const url = origin === undefined ? null : URL.parse(origin);
  if (url === null || host === undefined || !/^https?:$/.test(url.protocol)) return false;
  // Both hosts are parsed, so that an explicit default port makes no difference.
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
}
