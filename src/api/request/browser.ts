import type { IncomingHttpHeaders } from 'node:http';
import { longestLifetimeMs } from '../../model/accounts/sessions.ts';

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

/** Maximum number of sessions of a browser, each in another account or as another person. */
export const maxSessionsOfBrowser = 8;

/** The token of the session in hand in a request's cookies; undefined when it has none. */
export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  const [inHand, ...others] = sessionTokensIn(headers);
  return inHand === '' && others.length > 0 ? undefined : inHand;
}

/**
 * The tokens of all sessions of a browser, the one in hand first; that one is empty when it has ended before the others. Without
 * https a cookie counts on a loopback address only, where it is named by its port, because browsers send it to every port of a host.
 */
export function sessionTokensIn({ cookie, host = '' }: IncomingHttpHeaders): readonly string[] {
  if (cookie === undefined) return [];
  const cookies = cookie.split(';').map((one) => one.trim());
  const find = (name: string): string | undefined =>
    cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const value = find(secureName) ?? (isLoopback(host) ? find(plainName(host)) : undefined);
  return value?.split('.', maxSessionsOfBrowser) ?? [];
}

/**
 * The cookie that gives a browser a session, or takes it away.
 * @param token with those of its other sessions behind it, between dots; undefined to take it away
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

/** The cookie of a browser whose session in hand has ended: none of the others takes its place before the person says so. */
export function withoutSessionInHand(headers: IncomingHttpHeaders): string | undefined {
  const [, ...others] = sessionTokensIn(headers);
  if (others.length === 0) return sessionCookie(headers, undefined, 0);
  return sessionCookie(headers, `.${others.join('.')}`, longestLifetimeMs / 1_000);
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
