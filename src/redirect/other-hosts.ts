import type { Reads } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import { couldBeCodeOn, keyOn } from './domains.ts';
import { parsePath } from './path.ts';
import type { Visit } from './visit.ts';

/**
 * Creates the function that warns the operator, once, if a visit to an unknown host has a code that exists on the
 * shared domain. In this case, visitors are probably using a host name that this installation no longer serves.
 * Scanners also request unknown host names, but with unknown codes.
 */
export function createOtherHosts(
  storage: Pick<Reads, 'findTarget'>,
  report: Report = () => {},
): (visit: Visit, host: string) => void {
  let hasReported = false;
  const check = async (code: string, host: string): Promise<void> => {
    if ((await storage.findTarget(keyOn(undefined, code))) === undefined || hasReported) return;
    hasReported = true;
    report(
      'Rejected a visit with status 421, because the host is neither the host of BASE_URL nor a verified domain. If the host is yours, add it as a domain, or set OTHER_HOSTS=shared.',
      { host },
    );
  };
  return ({ target, method }, host) => {
    if (hasReported || method !== 'GET') return;
    const path = parsePath(target);
    if (path.kind === 'root' || path.kind === 'unmatched' || !couldBeCodeOn(undefined, path.code)) return;
    check(path.code, host).catch(() => {}); // the next visit repeats the check
  };
}
