import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The domain as the namespace of codes (docs/decisions/codes-and-domains.md): key prefix and host. Absent for the shared domain.
 */
export interface LinkDomain {
  readonly space: string;
  /** As A-labels. */
  readonly host: string;
}

/** Maximum length of a host name. */
const longestHost = 253;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Normalizes a host: A-labels in lower case, without a trailing dot; undefined when the text is not a host name. */
export function hostIn(text: string): string | undefined {
  const given = text.trim().replace(/\.$/, '');
  const host = domainToASCII(given);
  if (host === '' || host.length > longestHost || !host.split('.').every((part) => label.test(part)))
    return undefined;
  return isAddress(host) ? undefined : host;
}

/** Characters that the URL parser treats as the end of a host, or drops. */
const noPart = /[\s\p{Cc}/\\?#@:%]/u;

/** Returns a normalized host that can be a custom domain: at least two labels, not the machine itself. */
export function domainHostIn(text: string): string | undefined {
  const host = noPart.test(text.trim()) ? undefined : hostIn(text);
  return host?.includes('.') && !isOwn(host) ? host : undefined;
}

/** Returns the display form, in U-labels. */
export function unicodeOf(host: string): string {
  return domainToUnicode(host) || host;
}

/** `domainToASCII` normalizes every notation of IPv4 addresses to four numbers. */
function isAddress(host: string): boolean {
  return /(?:^|\.)\d+$/.test(host);
}

/**
 * Returns the host of a `Host` header without its port, for looking up its domain; empty for the shared domain: addresses, single
 * labels, `localhost`, names below it, and malformed hosts.
 */
export function hostOfHeader(header: string): string {
  if (isPlain(header)) return isOwn(header) ? '' : header;
  const text = header.trim();
  return text.startsWith('[') ? '' : (domainHostIn(text.replace(/:\d*$/, '')) ?? '');
}

/** Returns true if a host always is the machine itself. */
function isOwn(host: string): boolean {
  return host.endsWith('.localhost');
}

const dash = 0x2d;
const dot = 0x2e;
const longestLabel = 63;

/**
 * Returns true if a header is already normalized, as nearly all are: the URL parser would take 2 µs, a fifth of a redirect.
 * Labels with "--" and a last label that starts with a digit are left to the parser.
 */
function isPlain(text: string): boolean {
  if (text.length > longestHost) return false;
  let start = 0;
  let before = dot;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === dot) {
      if (before === dot || before === dash || at - start > longestLabel) return false;
      start = at + 1;
    } else if (character === dash) {
      if (before === dot || before === dash) return false;
    } else if (!isLetter(character) && !(character >= 0x30 && character <= 0x39)) return false;
    before = character;
  }
  const last = text.length - start;
  return start > 0 && before !== dash && last <= longestLabel && isLetter(text.charCodeAt(start));
}

function isLetter(character: number): boolean {
  return character >= 0x61 && character <= 0x7a;
}
