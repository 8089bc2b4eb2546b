import { hostsByKind, type ReferrerKind, referrerKinds, sameHost } from './referrer-hosts.ts';

/** Where a visitor came from. */
export interface Referrer {
  /** A host in lower case without `www.`, or an app's id; empty for a direct visit, or when it cannot be told. */
  readonly referrer: string;
  /** A place in {@link referrerKinds}. */
  readonly referrerKind: number;
}

/** Longer headers are cut: the host stands in front. */
export const longestReferer = 512;
export const longestHost = 253;

/**
 * Creates the function that reads a `Referer` header. It keeps the host alone: paths may say who the visitor is.
 * @param ownHosts whose pages count as no referrer, in lower case, without port
 * @returns never throws; takes a header as Node gives it, one unit for each byte
 */
export function createReadReferrer(ownHosts: readonly string[]): (referer: string) => Referrer {
  const own = new Set(ownHosts);
  return (referer) => {
    const host = hostOf(referer.slice(0, longestReferer));
    if (host === undefined || own.has(host)) return direct;
    const referrer = grouped(host);
    // A site that has only an address may be the visitor's own machine: no address is kept.
    if (isNumeric.test(referrer)) return { referrer: '', referrerKind: numberOf('other') };
    return { referrer, referrerKind: numberOf(kindOf(referrer)) };
  };
}

const direct: Referrer = { referrer: '', referrerKind: 0 };
const isNumeric = /^\[|^[\d.]+$/;

function numberOf(kind: ReferrerKind): number {
  return referrerKinds.indexOf(kind);
}

/** @returns undefined when it is no host of the web and no app's id */
function hostOf(referer: string): string | undefined {
  const app = /^android-app:\/\/([a-z]\w*(?:\.\w+)+)(?:$|[/?#])/i.exec(referer)?.[1];
  const host = app?.toLowerCase() ?? webHostOf(referer);
  return host === undefined || host === '' || host.length > longestHost ? undefined : host;
}

function webHostOf(referer: string): string | undefined {
  if (!/^https?:\/\//i.test(referer)) return undefined;
  return URL.parse(Buffer.from(referer, 'latin1').toString())?.hostname.replace(/\.$/, '');
}

/** One name for the hosts of one place. */
function grouped(host: string): string {
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

/** By the host itself, then by those above it. */
export function kindOf(host: string): ReferrerKind {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const kind = kinds.get(rest) ?? kinds.get(rest.replace(/\.(?:com?\.)?[a-z]{2,3}$/, '.*'));
    if (kind !== undefined) return kind;
  }
  return 'other';
}
