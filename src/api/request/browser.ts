import type { IncomingHttpHeaders } from 'node:http';
import { longestLifetimeMs } from '../../model/accounts/sessions.ts';
import { basePathOf } from '../../runtime/base-path.ts';
import { isSameOrigin } from '../../runtime/same-origin.ts';

/**
 * Name of the session cookie over HTTPS. Browsers accept the prefix `__Host-` only with `Secure` and for a single host.
 */
const secureName = '__Host-linkfold';
/**
 * Name of the session cookie over HTTPS if `BASE_URL` has a path. For `__Host-`, browsers would require the path `/`.
 */
const belowPathName = '__Secure-linkfold';

/**
 * Returns true if the headers show that a page from another origin sent the request. Clients other than browsers do not
 * send `Sec-Fetch-Site` or `Origin`.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const isSaid = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  return isSaid && !isSameOrigin(headers);
}

/** Maximum number of sessions per browser, each for a different account or member. */
export const maxSessionsOfBrowser = 8;

/** Returns the token of the current session from the request's cookies; undefined if there is no session. */
export function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
  const [current, ...others] = sessionTokensIn(headers);
  return current === '' && others.length > 0 ? undefined : current;
}

/**
 * Returns the tokens of all of a browser's sessions, the current one first. The first token is empty if the current
 * session has ended but others have not. Without HTTPS, cookies are accepted only on loopback addresses, and
 * the cookie name contains the port, because browsers send cookies to every port of a host.
 */
export function sessionTokensIn(headers: IncomingHttpHeaders): readonly string[] {
  const { cookie, host = '' } = headers;
  if (cookie === undefined) return [];
  const cookies = cookie.split(';').map((one) => one.trim());
  const find = (name: string): string | undefined =>
    cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const value = find(secureNameFor(headers)) ?? (isLoopback(host) ? find(plainName(host)) : undefined);
  return value?.split('.', maxSessionsOfBrowser) ?? [];
}

/**
 * Returns the `Set-Cookie` header that sets or removes the session cookie.
 * @param token tokens of all sessions, joined by dots, the current one first; undefined to remove the cookie
 * @returns undefined for plain HTTP from another machine, because sessions require HTTPS there
 */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  token: string | undefined,
  maxAgeSeconds: number,
): string | undefined {
  const cookie = cookieFor(headers);
  if (cookie === undefined) return undefined;
  const value = token === undefined ? '; Max-Age=0' : `${token}; Max-Age=${maxAgeSeconds}`;
  return `${cookie.name}=${value}; Path=${basePathOf(headers)}/; HttpOnly; SameSite=Strict${cookie.isSecure ? '; Secure' : ''}`;
}

/**
 * Returns the `Set-Cookie` header after the current session has ended. Until the user chooses one of the remaining
 * sessions, none is current.
 */
export function withoutCurrentSession(headers: IncomingHttpHeaders): string | undefined {
  const [, ...others] = sessionTokensIn(headers);
  if (others.length === 0) return sessionCookie(headers, undefined, 0);
  return sessionCookie(headers, `.${others.join('.')}`, longestLifetimeMs / 1_000);
}

/**
 * Returns the cookie name, and whether the browser uses HTTPS. Reads headers instead of checking the connection to this
 * server, because a proxy may terminate HTTPS.
 */
function cookieFor(headers: IncomingHttpHeaders): { name: string; isSecure: boolean } | undefined {
  const { origin, host = '', 'x-forwarded-proto': proxied } = headers;
  const page = origin === undefined ? null : URL.parse(origin);
  const isSecure = page === null ? proxied === 'https' || !isLoopback(host) : page.protocol === 'https:';
  if (isSecure) return { name: secureNameFor(headers), isSecure };
  const pageHost = page?.host ?? host;
  return isLoopback(pageHost) ? { name: plainName(pageHost), isSecure } : undefined;
}

function secureNameFor(headers: IncomingHttpHeaders): string {
  return basePathOf(headers) === '' ? secureName : belowPathName;
}

function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i.test(host);
}

function plainName(host: string): string {
  return `linkfold-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}
