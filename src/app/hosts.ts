import type { Hosts } from '../certificates/certificates.ts';
import type { Config } from '../config.ts';
import { hostIn } from '../model/domains/hosts.ts';
import type { Storage } from '../model/storage.ts';
import { whenKnown } from '../storage/db/db.ts';

/** The host names of the installation itself, by its settings: nobody's domains. */
export function ownHosts({
  BASE_URL,
  DASHBOARD_HOST,
}: Pick<Config, 'BASE_URL' | 'DASHBOARD_HOST'>): string[] {
  const hosts = [BASE_URL === null ? null : new URL(BASE_URL).hostname, DASHBOARD_HOST];
  return [...new Set(hosts.filter((host) => host?.includes('.')))] as string[];
}

/** The hosts of an installation: its own, and the domains that accounts have proven. */
export function createHosts(config: Config, storage: Pick<Storage, 'findHost' | 'isRoutedHere'>): Hosts {
  const own = ownHosts(config);
  return {
    own: () => own,
    // What is not found is kept in memory: no text of any length may come there.
    has: (host) =>
      own.includes(host) ||
      (hostIn(host) === host && whenKnown(storage.findHost(host), (found) => found !== undefined)),
    isRoutedHere: (host) => storage.isRoutedHere(host),
  };
}
