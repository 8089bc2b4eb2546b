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

/** Such a host that can be a domain: of two labels or more, and not of the machine itself. */
export function domainHostIn(text: string): string | undefined {
  const host = hostIn(text);
  return host?.includes('.') && !host.endsWith('.localhost') ? host : undefined;
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
  const text = header.trim();
  if (text.startsWith('[')) return '';
  return domainHostIn(text.replace(/:\d*$/, '')) ?? '';
}
