import type { Config } from '../config.ts';
import type { Hosts } from '../external/certificates/certificates.ts';
import { hostIn } from '../model/domains/hosts.ts';
import type { Storage } from '../model/storage.ts';
import { whenKnown } from '../storage/db/db.ts';

/** Returns the installation's own host names, from its settings. Users cannot add these hosts as domains. */
export function ownHosts({
  BASE_URL,
  DASHBOARD_HOST,
}: Pick<Config, 'BASE_URL' | 'DASHBOARD_HOST'>): string[] {
  const hosts = [BASE_URL === null ? null : new URL(BASE_URL).hostname, DASHBOARD_HOST];
  return [...new Set(hosts.filter((host) => host?.includes('.')))] as string[];
}

/** Creates the set of an installation's hosts: its own hosts and the accounts' verified domains. */
export function createHosts(config: Config, storage: Pick<Storage, 'findHost' | 'isRoutedHere'>): Hosts {
  const own = ownHosts(config);
  return {
    own: () => own,
    // Storage caches unknown hosts too, so only valid host names are looked up: arbitrary strings would fill the cache.
    has: (host) =>
      own.includes(host) ||
      (hostIn(host) === host && whenKnown(storage.findHost(host), (found) => found !== undefined)),
    isRoutedHere: (host) => storage.isRoutedHere(host),
  };
}
