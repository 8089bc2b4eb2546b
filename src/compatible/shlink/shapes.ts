import type { FullLink, ShownLink } from '../request/links.ts';

/** Formats a time as Shlink does, in ATOM format with whole seconds. */
export function timeOf(iso: string): string;
export function timeOf(iso: string | null): string | null;
export function timeOf(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 19)}+00:00`;
}

export interface VisitsSummary {
  readonly total: number;
  readonly nonBots: number;
  readonly bots: number;
}

/**
 * Returns a summary of visits.
 * @param bots number of clicks by bots; 0 if unknown, so that all clicks count as human
 */
export function summaryOf(total: number, bots: number): VisitsSummary {
  const known = Math.min(bots, total);
  return { total, nonBots: total - known, bots: known };
}

/**
 * Converts a link to a Shlink short URL.
 * @param sharedHost host of the shared domain, which Shlink represents as null
 */
export function shortUrlOf(link: FullLink | ShownLink, bots: number, sharedHost: string) {
  const { shortCode, shortUrl, destinationUrl, createdAt, clicks, tags, title } = link;
  const visitsSummary = summaryOf(clicks, bots);
  return {
    shortCode,
    shortUrl,
    longUrl: destinationUrl,
    dateCreated: timeOf(createdAt),
    tags,
    title,
    visitsSummary,
    // `visitsCount` is for clients of Shlink before version 3, which do not use `visitsSummary`.
    visitsCount: visitsSummary.total,
    meta: {
      validSince: timeOf(link.startsAt),
      validUntil: timeOf(link.expiresAt),
      maxVisits: link.maxClicks,
    },
    domain: link.domain === sharedHost ? null : link.domain,
    crawlable: false,
    forwardQuery: link.forwardQuery !== null && link.forwardQuery !== 'none',
    hasRedirectRules: (link.rules ?? []).length > 0,
  };
}

/** Returns a list's pagination fields. @param total number of items in the complete list */
export function pageOf(total: number, page: number, itemsPerPage: number, itemsInCurrentPage: number) {
  const pagesCount = Math.ceil(total / itemsPerPage);
  return { currentPage: page, pagesCount, itemsPerPage, itemsInCurrentPage, totalItems: total };
}
