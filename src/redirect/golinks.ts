import { originAt } from '../model/links/codes/codes.ts';
import type { Target } from '../model/links/link-records.ts';
import type { Reads } from '../model/storage.ts';
import { keyOn } from './domains.ts';
import type { UnknownGolink } from './pages/pages.ts';
import type { Visit } from './visit.ts';

/**
 * Finds the link with a code on the visit's domain. On golinks domains, a code that is not found is looked up again
 * without hyphens, because `on-call` and `oncall` are the same code on these domains.
 */
export type FindCode = (visit: Visit, code: string) => Promise<Target | undefined>;

export function createFindCode(storage: Pick<Reads, 'findTarget' | 'findGolink'>): FindCode {
  return async ({ domain }, code) => {
    const asked = keyOn(domain, code);
    const found = await storage.findTarget(asked);
    if (found !== undefined || domain?.golinks !== true) return found;
    const same = await storage.findGolink(asked);
    return same === undefined ? undefined : storage.findTarget(same);
  };
}

/**
 * Returns details for the page about an unknown code on a golinks domain; undefined on any other domain.
 * @param baseUrl base URL of the shared domain. The dashboard is below this URL
 */
export function unknownGolink({ domain }: Visit, baseUrl: string, code: string): UnknownGolink | undefined {
  if (domain?.golinks !== true) return undefined;
  const { host } = domain;
  const query = new URLSearchParams({ domain: host, name: code });
  return { host, createUrl: `${baseUrl}/dashboard/golink?${query}` };
}

/** Maximum length of a short name in an OpenSearch description. */
const maxShortName = 16;

/**
 * Returns an OpenSearch 1.1 description, so that browsers can add the golinks domain as a search engine.
 * @param origin base URL of the shared domain; the golinks domain uses the same scheme and port
 */
export function openSearchDescription(host: string, origin: string): string {
  const [label = host] = host.split('.');
  const root = originAt(origin, host);
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${label.slice(0, maxShortName)}</ShortName>
<Description>Golinks on ${host}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image type="image/svg+xml" width="16" height="16">${root}/favicon.ico</Image>
<Url type="text/html" template="${root}/{searchTerms}"/>
</OpenSearchDescription>
`;
}
