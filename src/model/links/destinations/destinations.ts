import { type Problem, problem } from '../../failures.ts';
import { isSpecialAddress } from './addresses.ts';

/** What this installation allows links to point to. */
export interface DestinationRules {
  /** Longest URL in characters (Unicode code points). */
  readonly maxLength: number;
  /** Hosts (with port, when not the scheme's own) on which our short links live. */
  readonly ownHosts: Pick<ReadonlySet<string>, 'has'>;
  /** From {@link readHostPattern}; `*.example.com` covers every name below example.com. */
  readonly blockedHosts: readonly string[];
  readonly blockPrivate: boolean;
  /** Whether a host is on one of the operator's block lists. */
  readonly isListed: (host: string) => boolean;
}

export interface Destination {
  /** The URL as the client sent it, trimmed: the API returns it. */
  readonly url: string;
  /** Serialized ASCII form: what the `Location` header carries. */
  readonly location: string;
}

// Controls, every kind of space, lone surrogates, zero-width and bidirectional controls, the byte-order mark and the
// backslash: characters that one parser drops and another keeps, or that a reader cannot see.
const hostile =
  /[\p{Cc}\p{Z}\p{Cs}\\\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;
const emptyLabel = /^\.|\.\./;
const webScheme = /^https?:\/\/[^/?#]/i;
// Several common clients refuse an answer whose headers exceed 16 KiB. Only texts that are mostly not ASCII come near it.
const longestLocation = 15 * 1024;
// A name of DNS has 253 bytes, of which each may be percent-encoded. The parser's work on a foreign script grows with the
// square of it.
const longestAuthority = 1_024;
const printableAscii = /^[\x21-\x7e]+$/;

/**
 * Reads a destination URL (CONTRACT §4, Schemes): http or https on the raw text and on the parsed URL, no user info,
 * no control characters or backslashes inside, no spaces in the host, not on the block list, not on our own short domain.
 * @returns the destination, or the problem with it
 */
export function readDestination(text: string, rules: DestinationRules): Destination | Problem {
  const url = encodeSpaces(trimAsciiSpace(text));
  if (url === '') return problem('url', 'too_short', 'url must not be empty.');
  if (isLonger(url, rules.maxLength)) {
    return problem('url', 'too_long', `url must be at most ${rules.maxLength} characters.`);
  }
  if (printableAscii.test(url) ? url.includes('\\') : hostile.test(url)) {
    return invalid(
      'url must not contain backslashes, control or invisible characters, nor spaces in its host; percent-encode them.',
    );
  }
  if (!webScheme.test(url)) return invalid('url must start with http:// or https:// and name a host.');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  if (authority.length > longestAuthority) return invalid('url names a host that is too long.');
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === '' || emptyLabel.test(parsed.hostname)) {
    return invalid('url is not a valid URL.');
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return invalid('url must start with http:// or https://.');
  }
  if (parsed.username !== '' || parsed.password !== '' || authority.includes('@')) {
    return invalid('url must not contain a user name or password before the host.');
  }
  if (!printableAscii.test(parsed.href)) return invalid('url is not a valid URL.');
  if (parsed.href.length > longestLocation) {
    const text = `url must be at most ${longestLocation} bytes when it is percent-encoded.`;
    return problem('url', 'too_long', text);
  }
  return ownOrBlocked(parsed, rules) ?? { url, location: parsed.href };
}

/**
 * Percent-encodes the characters of a URL that {@link readDestination} refuses, as browsers do when it is typed into the address
 * bar. A URL without such characters, and a text that is no URL, stays as it is.
 */
export function encodeDestination(text: string): string {
  if (!hostile.test(text)) return text;
  const url = URL.parse(trimAsciiSpace(text));
  // Browsers keep a backslash in the query and the fragment.
  return url === null || !/^https?:$/.test(url.protocol) ? text : url.href.replaceAll('\\', '%5C');
}

/**
 * The rules for an account with domains of its own: a link to them would lead back here too.
 * @param origin of the shared domain; own ones are at the same port
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
  return { ...rules, ownHosts: { has: (host) => rules.ownHosts.has(host) || isOwn(host) } };
}

const asciiSpace = '\t\n\f\r ';

/** Percent-encodes spaces after the host, as browsers do with an address that somebody types. */
function encodeSpaces(url: string): string {
  if (!url.includes(' ')) return url;
  const [start = ''] = /^[^/?#]*:\/\/[^/?#]*/.exec(url) ?? [];
  return start + url.slice(start.length).replaceAll(' ', '%20');
}

/** A loop: a regular expression that is anchored at the end would try every space inside, each up to the next letter. */
function trimAsciiSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && asciiSpace.includes(text.charAt(start))) start += 1;
  while (end > start && asciiSpace.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether a text has more than `max` code points. Each has one or two UTF-16 units, so few texts need to be counted. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max);
}

/** Whether {@link readDestination} refused. */
export function isProblem(outcome: Destination | Problem): outcome is Problem {
  return 'reason' in outcome;
}

function ownOrBlocked(parsed: URL, rules: DestinationRules): Problem | undefined {
  const host = parsed.hostname.replace(/\.$/, '');
  const withPort = parsed.port === '' ? host : `${host}:${parsed.port}`;
  if (rules.ownHosts.has(withPort)) {
    return problem(
      'url',
      'not_allowed',
      'url points back to this service; give the final destination.',
      'SELF_REFERENTIAL_URL',
    );
  }
  if (rules.blockedHosts.some((pattern) => coversHostName(pattern, host)) || rules.isListed(host)) {
    return problem(
      'url',
      'not_allowed',
      `url points to ${host}, which is blocked here.`,
      'DESTINATION_BLOCKED',
    );
  }
  if (rules.blockPrivate && isPrivateHost(host)) {
    return problem(
      'url',
      'not_allowed',
      'url points to a private or loopback address, which is blocked here.',
      'DESTINATION_BLOCKED',
    );
  }
  return undefined;
}

/**
 * Reads one entry of a block list: a host, or `*.` and a name, for every name below it. It is written as the URL parser
 * writes the host of a destination, or the two would never meet.
 * @returns undefined for what no destination can have as its host
 */
export function readHostPattern(text: string): string | undefined {
  const isWildcard = text.startsWith('*.');
  const host = isWildcard ? text.slice(2) : text;
  const isInBrackets = host.startsWith('[') && host.endsWith(']');
  // In a URL such an entry would be no host, or it would cover nothing.
  if (/[\s/?#@\\*]/.test(host) || (host.includes(':') && !isInBrackets)) return undefined;
  const { hostname = '' } = URL.parse(`http://${host}/`) ?? {};
  const isAddress = isInBrackets || /^[\d.]+$/.test(hostname);
  if (hostname === '' || emptyLabel.test(hostname) || (isWildcard && isAddress)) return undefined;
  const plain = hostname.replace(/\.$/, '');
  return isWildcard ? `*.${plain}` : plain;
}

/** Whether a pattern of {@link readHostPattern} is this host, or covers it. */
export function coversHostName(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** Names of special use (IANA), and those that home and company networks use (RFC 6762, appendix G). */
const localDomains = [
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
 * Whether a host, as the URL parser writes it, is local, so that visitors cannot reach it or reach another one of that
 * name: a name of a local network, a name without a dot, or an address that is not globally reachable.
 */
function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return isSpecialAddress(host.slice(1, -1));
  return (
    !host.includes('.') ||
    localDomains.some((domain) => host === domain || host.endsWith(`.${domain}`)) ||
    isSpecialAddress(host)
  );
}

function invalid(message: string): Problem {
  return problem('url', 'invalid_format', message, 'INVALID_URL');
}
