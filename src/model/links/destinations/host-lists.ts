import { hash } from 'node:crypto';
import { readHostPattern } from './destinations.ts';

/**
 * The hosts of a block list: the first eight bytes of each one's SHA-256, ascending. A million of them take 8 MB. That an
 * innocent host meets one of a million by chance happens once in 10^13 questions.
 */
export type HostDigests = BigUint64Array<ArrayBuffer>;

/** Whether a source of a list is an address; else it is the path of a file. */
export function isListAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

export function digestOfHost(host: string): bigint {
  return hash('sha256', host, 'buffer').readBigUInt64LE(0);
}

/** Whether a list has a host, or a name above it: an entry `evil.example` covers `www.evil.example` too. */
export function coversHost(digests: HostDigests, host: string): boolean {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return has(digests, host);
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (has(digests, name)) return true;
  }
  return false;
}

function has(digests: HostDigests, host: string): boolean {
  const wanted = digestOfHost(host);
  let low = 0;
  for (let high = digests.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((digests[middle] as bigint) < wanted) low = middle + 1;
    else high = middle;
  }
  return digests[low] === wanted;
}

/** The entries of hosts files that name the machine itself. */
const ownNames = new Set(['localhost', 'localhost.localdomain', 'local', 'broadcasthost', '0.0.0.0']);
const sinkAddress = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|fe80::1%lo0|ff0[0-3]::[0-3]|255\.255\.255\.255)\s/;
const longestLine = 1_024;

/**
 * Reads a line of a block list: a host, `*.host`, a line of a hosts file (`0.0.0.0 host other`), `||host^` of an ad blocker,
 * or the address of a site (`https://host/`).
 * @returns the hosts as the URL parser writes them; none for a comment; undefined when it says something else, such as the
 * address of a single page, for which a whole host must not be blocked
 */
export function hostsInLine(line: string): readonly string[] | undefined {
  const text = line.replace(/#.*/, '').trim();
  if (text === '' || text.startsWith('!') || text.startsWith('[Adblock')) return [];
  if (text.length > longestLine) return undefined;
  if (sinkAddress.test(text)) {
    const names = text.split(/\s+/).slice(1);
    return allOf(names.filter((name) => !ownNames.has(name) && !name.startsWith('ip6-')));
  }
  const plain = text
    .replace(/^\|\|([^^|$/]+)\^?$/, '$1')
    .replace(/^https?:\/\/([^/?#]+)\/?$/i, '$1')
    .replace(/^\*\.|^\./, '');
  return allOf([plain]);
}

function allOf(names: readonly string[]): readonly string[] | undefined {
  const hosts = names.map((name) => (name.includes('.') || name.startsWith('[') ? hostIn(name) : undefined));
  return hosts.every((host) => host !== undefined) ? hosts : undefined;
}

function hostIn(name: string): string | undefined {
  return name.startsWith('*.') ? undefined : readHostPattern(name);
}

/** Where something leads: a live link, a folder for its links that are over, or the branding of an account. */
export interface Targets {
  /** Its place among others of its kind in storage. */
  readonly place: string;
  /** Of a link. */
  readonly code: string | null;
  /** The id of a folder. */
  readonly folder: string | null;
  /** The account's name. */
  readonly account: string;
  /** Every address: of a link those of its rules and the image of its card too. */
  readonly urls: readonly string[];
}
