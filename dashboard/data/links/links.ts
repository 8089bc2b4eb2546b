import type { GetLinkByCodeResult, ListedLink, ListLinksInput } from '../../../src/client/client.ts';
import { defaultDomain, domainOf, hasSeveral } from '../domains.ts';
import { may } from '../session-state.ts';

/** A link as the screens show it. What the API has not told is undefined. */
export type Link = ListedLink;

/** A link with all that is kept of it: what its own page and the builder read. */
export type WholeLink = Link & GetLinkByCodeResult;

const always = [
  ...(['title', 'description', 'expiresAt', 'folderId', 'updatedAt'] as const),
  ...(['status', 'tags', 'utm', 'archived', 'lastClickAt', 'destinationCheck', 'managedBy'] as const),
] as const;

/** What lists ask for beside the fields that are always there; clicks by day where the session may read statistics. */
export function listed(): Pick<ListLinksInput, 'include' | 'timezone'> {
  return may('analytics:read')
    ? {
        include: [...always, 'clicksByDay' as const],
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }
    : { include: always };
}

export type LinkState = 'active' | 'soon' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'failing';

/** So long before its end a link ends soon. */
export const soonMs = 14 * 86_400_000;

/**
 * Whether a link works, ends within 14 days, has ended, has not begun yet, is used up, or switched off; of one that works, whether
 * its destination is in trouble.
 */
export function stateOf(
  { expiresAt, status, destinationCheck }: Pick<Link, 'expiresAt' | 'status' | 'destinationCheck'>,
  now = Date.now(),
): LinkState {
  // The expiry may have been changed here since the API told the status.
  if (status === 'disabled' || status === 'scheduled' || status === 'exhausted') return status;
  const left = expiresAt === null || expiresAt === undefined ? soonMs : Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  if (destinationCheck?.state === 'failing') return 'failing';
  return left < soonMs ? 'soon' : 'active';
}

/** A destination as a row shows it: without scheme, the host whole, long paths shortened in their middle. */
export function shortDestination(url: string, most = 120): string {
  const bare = url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  if (bare.length <= most) return bare;
  const host = /^[^/?#]*/.exec(bare)?.[0] ?? '';
  const room = Math.max(24, most - host.length);
  const rest = bare.slice(host.length);
  if (rest.length <= room) return bare;
  return `${host}${rest.slice(0, Math.ceil(room / 2))}…${rest.slice(-Math.floor(room / 2))}`;
}

/** The host of a short link as it is shown before its code, in the letters of its language. */
export function shortHost(shortUrl: string): string {
  const { host, hostname } = new URL(shortUrl);
  return `${host.replace(hostname, domainOf(hostname)?.hostUnicode ?? hostname)}/`;
}

/** The host of a short link where it is not the one of new links; empty otherwise. */
export function otherHost(shortUrl: string): string {
  const { hostname } = new URL(shortUrl);
  return hasSeveral.value && hostname !== defaultDomain()?.host ? shortHost(shortUrl).slice(0, -1) : '';
}

/** What stands before a code where many links are: their host, if they have several. */
export function beforeCode(shortUrl: string): string {
  return hasSeveral.value ? shortHost(shortUrl) : '/';
}
