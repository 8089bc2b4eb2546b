import { type Problem, problem } from '../../failures.ts';
import { isSpecialAddress } from './addresses.ts';
import { longestLocation } from './forwarded-query.ts';

/** The installation's rules for destinations. */
export interface DestinationRules {
  /** Maximum length of a URL in characters (Unicode code points). */
  readonly maxLength: number;
  /** Hosts of this installation's short links, with the port unless the port is the scheme's default. */
  readonly ownHosts: Pick<ReadonlySet<string>, 'has'>;
  /** Path of the short links on `ownHosts`, without a trailing slash; empty or undefined for the whole host. */
  readonly ownPath?: string;
  /** Hosts of the account's custom domains. */
  readonly customHosts?: Pick<ReadonlySet<string>, 'has'>;
  /** Patterns from {@link readHostPattern}. `*.example.com` matches every name below example.com. */
  readonly blockedHosts: readonly string[];
  readonly blockPrivate: boolean;
  /** Returns true if a host is on one of the operator's block lists. */
  readonly isListed: (host: string) => boolean;
  /** App URL schemes that the account allows; undefined if there are none. */
  readonly appSchemes?: Pick<ReadonlySet<string>, 'has'>;
}

export interface Destination {
  /** The URL as the client sent it, trimmed. The API returns this form. */
  readonly url: string;
  /** Serialized ASCII form for the `Location` header. */
  readonly location: string;
}

// Characters that parsers treat differently or readers cannot see: control characters, all kinds of spaces, lone
// surrogates, zero-width and bidirectional controls, the byte-order mark and the backslash.
const forbiddenCharacters =
  /[\p{Cc}\p{Z}\p{Cs}\\\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;
const emptyLabel = /^\.|\.\./;
const webScheme = /^https?:\/\/[^/?#]/i;
// Maximum length of an authority. A DNS name has at most 253 bytes, which may be percent-encoded. Longer hosts are
// rejected before parsing, because parsing non-Latin scripts takes quadratic time.
const longestAuthority = 1_024;
const printableAscii = /^[\x21-\x7e]+$/;

/**
 * Parses a destination URL (CONTRACT §4, Schemes). The scheme must be http or https both in the raw text and in the
 * parsed URL. Rejects user info, control characters, backslashes, spaces in the host, blocked hosts, and this
 * installation's short domain.
 * @returns the destination, or the validation error
 */
export function readDestination(text: string, rules: DestinationRules): Destination | Problem {
  const url = encodeSpaces(trimAsciiSpace(text));
  if (url === '') return problem('url', 'too_short', 'url must not be empty.');
  if (isLonger(url, rules.maxLength)) {
    return problem('url', 'too_long', `url must be at most ${rules.maxLength} characters.`);
  }
  if (printableAscii.test(url) ? url.includes('\\') : forbiddenCharacters.test(url)) {
    return invalidUrl(
      'url must not contain backslashes, control or invisible characters, or spaces in its host. Percent-encode them.',
    );
  }
  if (!webScheme.test(url)) return invalidUrl('url must start with http:// or https:// and contain a host.');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  if (authority.length > longestAuthority) return invalidUrl('url has a host that is too long.');
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === '' || emptyLabel.test(parsed.hostname)) {
    return invalidUrl('url is not a valid URL.');
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return invalidUrl('url must start with http:// or https://.');
  }
  if (parsed.username !== '' || parsed.password !== '' || authority.includes('@')) {
    return invalidUrl('url must not contain a username or password.');
  }
  if (!printableAscii.test(parsed.href)) return invalidUrl('url is not a valid URL.');
  if (parsed.href.length > longestLocation) {
    const text = `url must be at most ${longestLocation} bytes when percent-encoded.`;
    return problem('url', 'too_long', text);
  }
  return hostProblem(parsed, rules) ?? { url, location: parsed.href };
}

/**
 * Percent-encodes the characters that {@link readDestination} rejects, as a browser's address bar does. Returns all
 * other URLs, and strings that are not URLs, unchanged.
 */
export function encodeDestination(text: string): string {
  if (!forbiddenCharacters.test(text)) return text;
  const url = URL.parse(trimAsciiSpace(text));
  // Like browsers, the URL parser leaves backslashes in the query and the fragment unencoded, so encode them here.
  return url === null || !/^https?:$/.test(url.protocol) ? text : url.href.replaceAll('\\', '%5C');
}

/**
 * Returns the rules for an account with custom domains. Custom domains are also rejected as destinations, because they
 * could cause redirect loops.
 * @param origin base URL of the shared domain; custom domains use the same port
 */
export function withOwnDomains(
  rules: DestinationRules,
  hosts: ReadonlySet<string>,
  origin: string,
): DestinationRules {
  const { port } = new URL(origin);
  const atPort = port === '' ? '' : `:${port}`;
  const isOwn = (host: string): boolean =>
    host.endsWith(atPort) && hosts.has(host.slice(0, host.length - atPort.length));
  return { ...rules, customHosts: { has: isOwn } };
}

const asciiSpace = '\t\n\f\r ';

/** Percent-encodes spaces after the host, as a browser's address bar does. */
function encodeSpaces(url: string): string {
  if (!url.includes(' ')) return url;
  const [start = ''] = /^[^/?#]*:\/\/[^/?#]*/.exec(url) ?? [];
  return start + url.slice(start.length).replaceAll(' ', '%20');
}

/** Trims with a loop, because a regular expression anchored at the end would take quadratic time. */
function trimAsciiSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && asciiSpace.includes(text.charAt(start))) start += 1;
  while (end > start && asciiSpace.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * Returns true if a string has more than `max` code points. Counts the code points only if the UTF-16 length is not
 * conclusive.
 */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

/** Returns true if {@link readDestination} returned a validation error. */
export function isProblem(outcome: Destination | Problem): outcome is Problem {
  return 'reason' in outcome;
}

function isBelow(path: string, base: string): boolean {
  return `${path}/`.startsWith(`${base}/`);
}

/** Returns the validation error for a host that belongs to this installation or is blocked. */
export function hostProblem(
  parsed: Pick<URL, 'hostname' | 'port' | 'pathname'>,
  rules: DestinationRules,
): Problem | undefined {
  const host = parsed.hostname.replace(/\.$/, '');
  const withPort = parsed.port === '' ? host : `${host}:${parsed.port}`;
  const isShared = rules.ownHosts.has(withPort) && isBelow(parsed.pathname, rules.ownPath ?? '');
  if (isShared || rules.customHosts?.has(withPort)) {
    return problem(
      'url',
      'not_allowed',
      'url points back to this service. Use the final destination.',
      'SELF_REFERENTIAL_URL',
    );
  }
  if (rules.blockedHosts.some((pattern) => coversHostName(pattern, host)) || rules.isListed(host)) {
    return problem(
      'url',
      'not_allowed',
      `url points to ${host}, which the operator has blocked.`,
      'DESTINATION_BLOCKED',
    );
  }
  if (rules.blockPrivate && isPrivateHost(host)) {
    return problem(
      'url',
      'not_allowed',
      'url points to a private or loopback address, which is not allowed here.',
      'DESTINATION_BLOCKED',
    );
  }
  return undefined;
}

/**
 * Parses a block list entry: a host, or `*.` followed by a name to match all of its subdomains. Normalizes the entry
 * like a destination's host, so that the two can be compared.
 * @returns undefined for a string that cannot be a destination's host
 */
export function readHostPattern(text: string): string | undefined {
  const isWildcard = text.startsWith('*.');
  const host = isWildcard ? text.slice(2) : text;
  const isInBrackets = host.startsWith('[') && host.endsWith(']');
  // An entry with these characters would not be a host in a URL, or would never match.
  if (/[\s/?#@\\*]/.test(host) || (host.includes(':') && !isInBrackets)) return undefined;
  const { hostname = '' } = URL.parse(`http://${host}/`) ?? {};
  const isAddress = isInBrackets || /^[\d.]+$/.test(hostname);
  if (hostname === '' || emptyLabel.test(hostname) || (isWildcard && isAddress)) return undefined;
  const plain = hostname.replace(/\.$/, '');
  return isWildcard ? `*.${plain}` : plain;
}

/** Returns true if a pattern from {@link readHostPattern} matches a host. */
export function coversHostName(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** Special-use names (IANA), and names that are common in home and company networks (RFC 6762, appendix G). */
export const localDomains = [
  'localhost',
  'localdomain',
  'localdomain6',
  'local',
  'internal',
  'home.arpa',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
];

/**
 * Returns true if a normalized host is local, which means that visitors cannot reach it or would reach a different
 * host. Local hosts are names in a local network, names without a dot, and addresses that are not globally reachable.
 */
function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return isSpecialAddress(host.slice(1, -1));
  return (
    !host.includes('.') ||
    localDomains.some((domain) => host === domain || host.endsWith(`.${domain}`)) ||
    isSpecialAddress(host)
  );
}

function invalidUrl(message: string): Problem {
  return problem('url', 'invalid_format', message, 'INVALID_URL');
}
