import { base } from '../../browser/location.ts';
import { hasSeveral } from '../domains.ts';
import { shortBase } from '../session-state.ts';
import type { Link } from './links.ts';

type Named = Pick<Link, 'shortUrl' | 'shortCode'>;

/** Returns the reference to a link in dashboard URLs: `code` on the shared domain, otherwise `host/code`. */
export function referenceOf({ shortUrl, shortCode }: Named): string {
  return shortUrl.startsWith(shortBase()) ? shortCode : `${new URL(shortUrl).hostname}/${shortCode}`;
}

/** Returns true if the host is the shared domain's. */
export function isSharedHost(host: string): boolean {
  return host === new URL(shortBase()).hostname;
}

/** Returns the base URL for short links on the domain with a given host. */
export function shortBaseAt(host: string): string {
  const base = new URL(shortBase());
  base.hostname = host;
  return base.href;
}

/** Returns the URL of a link's page. */
export function pageOf(link: Named): string {
  return pageAt(referenceOf(link));
}

/**
 * Returns the URL of the page for a link with a given id and code. If there are several domains, uses the id, because
 * the code alone is ambiguous.
 */
export function pageById(id: string, code: string): string {
  return pageAt(hasSeveral.value ? id : code);
}

export function pageAt(reference: string): string {
  return `${base}/links/${encodeURIComponent(reference)}`;
}
