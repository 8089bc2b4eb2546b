import { hash } from 'node:crypto';
import { readHostPattern } from './destinations.ts';

/**
 * Hashes of a block list's hosts: the first eight bytes of each host's SHA-256, ascending. A million hashes take 8 MB.
 * The probability of a false match is about 10^-13 per lookup.
 */
export type HostDigests = BigUint64Array<ArrayBuffer>;

/** Returns true if the source of a block list is a URL, false if it is a file path. */
export function isListAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

export function digestOfHost(host: string): bigint {
  return hash('sha256', host, 'buffer').readBigUInt64LE(0);
}

/**
 * Returns true if a list contains a host or one of its parent domains: the entry `evil.example` also matches
 * `www.evil.example`.
 */
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

/** Names in hosts files that refer to the local machine. */
const ownNames = new Set(['localhost', 'localhost.localdomain', 'local', 'broadcasthost', '0.0.0.0']);
const sinkAddress = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|fe80::1%lo0|ff0[0-3]::[0-3]|255\.255\.255\.255)\s/;
const longestLine = 1_024;

/**
 * Parses a line of a block list: a host, `*.host`, a hosts file line (`0.0.0.0 host other`), an ad blocker rule
 * (`||host^`), or a site's URL (`https://host/`).
 * @returns normalized hosts; an empty list for a comment; undefined for any other line, such as the URL of an
 * individual page, which must not block the whole host
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

/** The URLs of a live link, of a folder (its redirect for expired links) or of an account's branding. */
export interface Targets {
  /** Cursor: the link's row, the folder's id or the account's id. */
  readonly place: string;
  /** Code of the link; null if the URLs belong to a folder or to branding. */
  readonly code: string | null;
  /** Id of the folder; null if the URLs belong to a link or to branding. */
  readonly folder: string | null;
  /** Name of the account. */
  readonly account: string;
  /** All URLs, including those in a link's rules and card image. */
  readonly urls: readonly string[];
}
