import type { Target } from '../model/links/link-records.ts';
import type { Reads } from '../model/storage.ts';
import { keyOn } from './domains.ts';
import type { Visit } from './visit.ts';

/**
 * Finds the link of a code on the domain of a visit. On golinks domains, a code that is not found is looked up again
 * without hyphens: `on-call` and `oncall` are the same code there.
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

/** Returns the URL of the dashboard page that creates an unknown code; undefined unless the domain is a golinks domain. */
export function createLinkUrl({ domain }: Visit, origin: string, code: string): string | undefined {
  if (domain?.golinks !== true) return undefined;
  return `${origin}/dashboard/golink?${new URLSearchParams({ domain: domain.host, name: code })}`;
}
