import type { IncomingHttpHeaders } from 'node:http';

/** What a cookie of ours is called where only https carries it. Browsers take such a name only with `Secure`, for one host. */
const secureName = '__Host-linkfold';

/** Whether a page of this very origin sent the request, as its browser says; false where nothing is said. */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? isEqualOrigin(headers) : site === 'same-origin';
}

/** Whether a browser says that a page of another origin sent the request. Other programs say nothing. */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const isSaid = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  return isSaid && !isSameOrigin(headers);
}

function isEqualOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  const url = origin === undefined ? null : URL.parse(origin);
  if (url === null || host === undefined || !/^https?:$/.test(url.protocol)) return false;
  // Parsed alike, so that a port that the scheme implies may be named or not.
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
}

/**
 * The token of the session in a request's cookies; undefined when it has none. Without https a cookie counts on a loopback
 * address only, where it is named by its port, because browsers send it to every port of a host.
 */
export function sessionTokenIn({ cookie, host = '' }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const cookies = cookie.split(';').map((one) => one.trim());
  const find = (name: string): string | undefined =>
    cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  return find(secureName) ?? (isLoopback(host) ? find(plainName(host)) : undefined);
}

/**
 * The cookie that gives a browser a session, or takes it away.
 * @param token undefined to take it away
 * @returns undefined where the browser would not keep it: a page by http from another machine
 */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  token: string | undefined,
  maxAgeSeconds: number,
): string | undefined {
  const place = placeOf(headers);
  if (place === undefined) return undefined;
  const value = token === undefined ? '; Max-Age=0' : `${token}; Max-Age=${maxAgeSeconds}`;
  return `${place.name}=${value}; Path=/; HttpOnly; SameSite=Strict${place.isSecure ? '; Secure' : ''}`;
}

/** By the origin that the page has for its browser; behind a proxy that speaks https, the connection here is plain. */
function placeOf(headers: IncomingHttpHeaders): { name: string; isSecure: boolean } | undefined {
  const { origin, host = '', 'x-forwarded-proto': proxied } = headers;
  const page = origin === undefined ? null : URL.parse(origin);
  const isSecure = page === null ? proxied === 'https' || !isLoopback(host) : page.protocol === 'https:';
  if (isSecure) return { name: secureName, isSecure };
  const place = page?.host ?? host;
  return isLoopback(place) ? { name: plainName(place), isSecure } : undefined;
}

function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i.test(host);
}

function plainName(host: string): string {
  return `linkfold-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}
