import type { GetLinkByCodeResult, ListedLink, ListLinksInput } from '../../../src/client/client.ts';
import { defaultDomain, domainOf, hasSeveral } from '../domains.ts';
import { may, shortBase } from '../session-state.ts';

/** Link as shown on screens. Fields that the API has not returned are undefined. */
export type Link = ListedLink;

/** Link with all fields, for the link page and the builder. */
export type FullLink = Link & GetLinkByCodeResult;

const always = [
  ...(['title', 'description', 'expiresAt', 'folderId', 'updatedAt'] as const),
  ...([
    'status',
    'tags',
    'utm',
    'archived',
    'lastClickAt',
    'destinationCheck',
    'managedBy',
    'template',
  ] as const),
] as const;

/**
 * Returns the fields that lists request in addition to the basic fields. Includes daily clicks if the session may read
 * statistics.
 */
export function listed(): Pick<ListLinksInput, 'include' | 'timezone'> {
  return may('analytics:read')
    ? {
        include: [...always, 'clicksByDay' as const],
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }
    : { include: always };
}

export type LinkState = 'active' | 'soon' | 'expired' | 'scheduled' | 'disabled' | 'exhausted' | 'failing';

/** A link that expires within this many milliseconds "expires soon". */
export const soonMs = 14 * 86_400_000;

/**
 * Returns a link's status: disabled, scheduled, exhausted, expired, failing (the destination fails), soon (expires
 * within 14 days) or active. If several apply, the first one in this order.
 */
export function stateOf(
  { expiresAt, status, destinationCheck }: Pick<Link, 'expiresAt' | 'status' | 'destinationCheck'>,
  now = Date.now(),
): LinkState {
  // Derive "expired" from `expiresAt`, which the user may have changed since the API returned the status.
  if (status === 'disabled' || status === 'scheduled' || status === 'exhausted') return status;
  const left = expiresAt === null || expiresAt === undefined ? soonMs : Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  if (destinationCheck?.state === 'failing') return 'failing';
  return left < soonMs ? 'soon' : 'active';
}

/** Shortens a destination for a row: removes the scheme, keeps the full host, and cuts long paths in the middle. */
export function shortDestination(url: string, most = 120): string {
  const bare = url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  if (bare.length <= most) return bare;
  const host = /^[^/?#]*/.exec(bare)?.[0] ?? '';
  const room = Math.max(24, most - host.length);
  const rest = bare.slice(host.length);
  if (rest.length <= room) return bare;
  return `${host}${rest.slice(0, Math.ceil(room / 2))}…${rest.slice(-Math.floor(room / 2))}`;
}

/** Returns a short link's host in Unicode, as shown before the code. */
export function shortHost(shortUrl: string): string {
  const { host, hostname } = new URL(shortUrl);
  const path = shortUrl.startsWith(shortBase()) ? new URL(shortBase()).pathname : '/';
  return host.replace(hostname, domainOf(hostname)?.hostUnicode ?? hostname) + path;
}

/** Returns a short link's host, or an empty string if it is the default host. */
export function otherHost(shortUrl: string): string {
  const { hostname } = new URL(shortUrl);
  return hasSeveral.value && hostname !== defaultDomain()?.host ? shortHost(shortUrl).slice(0, -1) : '';
}

/** Returns the text before a code in lists: the link's host if there are several domains, otherwise an empty string. */
export function beforeCode(shortUrl: string): string {
  return hasSeveral.value ? shortHost(shortUrl) : '/';
}
