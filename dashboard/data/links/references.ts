import { base } from '../../browser/location.ts';
import { hasSeveral } from '../domains.ts';
import { shortBase } from '../session-state.ts';
import type { Link } from './links.ts';

type Named = Pick<Link, 'shortUrl' | 'shortCode'>;

/** What addresses of the dashboard call a link: its code, after its host where that is not the shared one. */
export function referenceOf({ shortUrl, shortCode }: Named): string {
  return shortUrl.startsWith(shortBase()) ? shortCode : `${new URL(shortUrl).hostname}/${shortCode}`;
}

/** Whether a host is that of the shared domain. */
export function isSharedHost(host: string): boolean {
  return host === new URL(shortBase()).hostname;
}

/** What short URLs on the domain of a host begin with. */
export function shortBaseAt(host: string): string {
  const base = new URL(shortBase());
  base.hostname = host;
  return base.href;
}

/** Where the page of a link is. */
export function pageOf(link: Named): string {
  return pageAt(referenceOf(link));
}

/** The same, where only the code is known, and the id: on several domains the code alone is not enough. */
export function pageById(id: string, code: string): string {
  return pageAt(hasSeveral.value ? id : code);
}

export function pageAt(reference: string): string {
  return `${base}/links/${encodeURIComponent(reference)}`;
}
