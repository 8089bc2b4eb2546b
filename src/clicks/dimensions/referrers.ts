import { hostsByKind, type ReferrerKind, referrerKinds, sameHost } from './referrer-hosts.ts';

/** The referrer of a visit. */
export interface Referrer {
  /** Host in lower case without `www.`, or app ID. Empty for a direct visit or an unknown referrer. */
  readonly referrer: string;
  /** An index into {@link referrerKinds}. */
  readonly referrerKind: number;
}

/** Maximum length of a `Referer` header. The rest is ignored; the host comes first. */
export const maxRefererLength = 512;
export const maxHostLength = 253;

/**
 * Creates a function that parses a `Referer` header. It returns only the host, because paths may identify the visitor.
 * @param ownHosts hosts that do not count as referrers, in lower case, without port
 * @returns a function that takes a header as Node provides it, with one UTF-16 unit per byte, and never throws
 */
export function createReadReferrer(ownHosts: readonly string[]): (referer: string) => Referrer {
  const own = new Set(ownHosts);
  return (referer) => {
    const host = parseHost(referer.slice(0, maxRefererLength));
    if (host === undefined || own.has(host)) return direct;
    const referrer = canonicalHost(host);
    // An IP address may belong to the visitor's own computer, so it is not stored.
    if (isIpAddress.test(referrer)) return { referrer: '', referrerKind: kindIndex('other') };
    return { referrer, referrerKind: kindIndex(kindOf(referrer)) };
  };
}

const direct: Referrer = { referrer: '', referrerKind: 0 };
const isIpAddress = /^\[|^[\d.]+$/;

function kindIndex(kind: ReferrerKind): number {
  return referrerKinds.indexOf(kind);
}

/** Returns the host or app ID of a referrer, or undefined if it has neither. */
function parseHost(referer: string): string | undefined {
  const app = /^android-app:\/\/([a-z]\w*(?:\.\w+)+)(?:$|[/?#])/i.exec(referer)?.[1];
  const host = app?.toLowerCase() ?? parseWebHost(referer);
  return host === undefined || host === '' || host.length > maxHostLength ? undefined : host;
}

function parseWebHost(referer: string): string | undefined {
  if (!/^https?:\/\//i.test(referer)) return undefined;
  return URL.parse(Buffer.from(referer, 'latin1').toString())?.hostname.replace(/\.$/, '');
}

/** Returns the main host of the site that a host belongs to. */
function canonicalHost(host: string): string {
  const plain = host.replace(/^(?:(?:www|m|lm?|mobile|touch)\.)+(?=[^.]+\.)/, '');
  return sameHost.get(plain) ?? plain;
}

const kinds: ReadonlyMap<string, ReferrerKind> = new Map(
  Object.entries(hostsByKind).flatMap(([kind, hosts]) =>
    hosts
      .trim()
      .split(/\s+/)
      .map((host) => [host, kind as ReferrerKind] as const),
  ),
);

/** Returns the kind of a host, or of its nearest parent domain in the list. */
export function kindOf(host: string): ReferrerKind {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const kind = kinds.get(rest) ?? kinds.get(rest.replace(/\.(?:com?\.)?[a-z]{2,3}$/, '.*'));
    if (kind !== undefined) return kind;
  }
  return 'other';
}
