import { domainToASCII, domainToUnicode } from 'node:url';

/** Where a code is unique (decision 0084): what its key begins with, and the host. Absent for the shared domain. */
export interface LinkDomain {
  readonly space: string;
  /** In A-labels. */
  readonly host: string;
}

/** A host as visitors' requests name it, compared by its bytes alone. */
const longestHost = 253;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The one form of a host: A-labels in lower case, without a dot at the end; undefined when the text is no name of a host. */
export function hostIn(text: string): string | undefined {
  const given = text.trim().replace(/\.$/, '');
  const host = domainToASCII(given);
  if (host === '' || host.length > longestHost || !host.split('.').every((part) => label.test(part)))
    return undefined;
  return isAddress(host) ? undefined : host;
}

/** What the parser of the URL standard takes as the end of a host, or as a character that is left out. */
const noPart = /[\s\p{Cc}/\\?#@:%]/u;

/** Such a host that can be a domain: of two labels or more, and not of the machine itself. */
export function domainHostIn(text: string): string | undefined {
  const host = noPart.test(text.trim()) ? undefined : hostIn(text);
  return host?.includes('.') && !isOwn(host) ? host : undefined;
}

/** As people read it, in U-labels. */
export function unicodeOf(host: string): string {
  return domainToUnicode(host) || host;
}

/** `domainToASCII` writes every way to spell an IPv4 address as four numbers. */
function isAddress(host: string): boolean {
  return /(?:^|\.)\d+$/.test(host);
}

/**
 * The host of a `Host` header without its port, as domains are found by it; empty for what is the shared domain: addresses,
 * single labels, `localhost` and names below it, and what is no host at all.
 */
export function hostOfHeader(header: string): string {
  if (isPlain(header)) return isOwn(header) ? '' : header;
  const text = header.trim();
  return text.startsWith('[') ? '' : (domainHostIn(text.replace(/:\d*$/, '')) ?? '');
}

/** Whether a host is always the machine itself. */
function isOwn(host: string): boolean {
  return host.endsWith('.localhost');
}

const dash = 0x2d;
const dot = 0x2e;
const longestLabel = 63;

/**
 * Whether a header is the one form of a domain's host already, as nearly all are. The parser of the URL standard would need 2 µs, a
 * fifth of a redirect. What it could read as something else is left to it: labels with "--" and a last one with a digit in front.
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
