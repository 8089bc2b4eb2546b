import type { FullLink, ShownLink } from '../request/links.ts';

/** As Shlink writes times: ATOM, to the second. */
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

/** @param bots of the clicks; only people where it is not known */
export function summaryOf(total: number, bots: number): VisitsSummary {
  const known = Math.min(bots, total);
  return { total, nonBots: total - known, bots: known };
}

/** A link as Shlink tells a short URL. @param sharedHost whose links have no domain there */
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
    // Versions before 3 know no summary.
    visitsSummary,
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

/** What stands in addition to every list. @param total in the whole list */
export function pageOf(total: number, page: number, itemsPerPage: number, itemsInCurrentPage: number) {
  const pagesCount = Math.ceil(total / itemsPerPage);
  return { currentPage: page, pagesCount, itemsPerPage, itemsInCurrentPage, totalItems: total };
}
