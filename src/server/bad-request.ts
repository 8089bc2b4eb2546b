import type { IncomingMessage } from 'node:http';
import { Refusal } from '../contract/envelope.ts';
import { maxTargetLength } from '../contract/errors.ts';

/**
 * Matches a name, an IPv4 address or a bracketed IPv6 address, with an optional port (RFC 9112 §3.2). Also matches an
 * empty string.
 */
const host = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;
/** Headers that must not be repeated, because a proxy might use one value and this server the other. */
const single = ['Host', 'Authorization'];

/**
 * Checks a request before it reaches a handler, and reduces an absolute-form target (RFC 9112 §3.2.2) to its path.
 * @returns undefined for a valid request
 */
export function badRequest(request: IncomingMessage): Refusal | undefined {
  const url = request.url ?? '/';
  if (url.length > maxTargetLength) return new Refusal('URI_TOO_LONG');
  const twice = single.find((name) => isRepeated(name.toLowerCase(), request.rawHeaders));
  if (twice !== undefined) {
    return new Refusal('BAD_REQUEST', `The request has two ${twice} headers; send one.`);
  }
  const given = request.headers.host;
  if (given === undefined && request.httpVersionMinor === 1) {
    return new Refusal('BAD_REQUEST', 'The Host header is missing.');
  }
  if (given !== undefined && !host.test(given)) {
    return new Refusal('BAD_REQUEST', 'The Host header is not a host with an optional port.');
  }
  if (!url.startsWith('/')) {
    const absolute = /^https?:\/\//i.test(url) ? URL.parse(url) : null;
    request.url = absolute === null ? '/*/' : absolute.pathname + absolute.search;
    // The target takes precedence over the `Host` header (RFC 9112 §3.2.2).
    if (absolute !== null) request.headers.host = absolute.host;
  }
  return undefined;
}

/** Returns true if a header is repeated. @param rawHeaders alternating names and values, with repeated names */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
