import type { Hosts } from '../certificates/certificates.ts';
import type { Config } from '../config.ts';

/** The hosts of an installation, by its settings. */
export function createHosts({ BASE_URL, DASHBOARD_HOST }: Config): Hosts {
  const hosts = [BASE_URL === null ? null : new URL(BASE_URL).hostname, DASHBOARD_HOST];
  const own = [...new Set(hosts.filter((host) => host?.includes('.')))] as string[];
  return { own: () => own, has: (host) => own.includes(host) };
}
