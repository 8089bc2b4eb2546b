import { baseUrlOf, type Config } from '../config.ts';
import { hostOfHeader } from '../model/domains/hosts.ts';
import { dashboardUrl } from './announce.ts';

/** Origin of the short URLs: `BASE_URL`, or a local URL with the actual port. */
export interface Origin {
  baseUrl(): string;
  /** Returns the dashboard URL, without a trailing slash. */
  dashboardUrl(): string;
  /** The installation's own hosts. */
  readonly ownHosts: Set<string>;
  /**
   * Returns the domain name for a `Host` header; empty for the shared domain, which is served on each of the
   * installation's own hosts.
   */
  hostOf(header: string): string;
  /** Returns the shared domain's host, without the port. */
  sharedHost(): string;
  listensAt(port: number): void;
}

/** Maximum number of `Host` headers whose domains are cached. Headers longer than `maxHeaderLength` are not cached. */
const maxHeaders = 1_000;
const maxHeaderLength = 255;

export function createOrigin(config: Config): Origin {
  let baseUrl = config.BASE_URL ?? '';
  const ownHosts = new Set(config.BASE_URL === null ? [] : [new URL(config.BASE_URL).host]);
  // Short URLs also work on the dashboard's host.
  if (config.DASHBOARD_HOST !== null) ownHosts.add(config.DASHBOARD_HOST);
  const hosts = new Map<string, string>();
  // An array is faster here: before V8 searches a Set, it looks up each string in its string table.
  const ownNames = [...new Set([...ownHosts].map(hostOfHeader))];
  return {
    baseUrl: () => baseUrl,
    dashboardUrl: () => dashboardUrl(config, Number(new URL(baseUrl).port)),
    ownHosts,
    sharedHost: () => new URL(baseUrl).hostname,
    hostOf(header) {
      const known = hosts.get(header);
      if (known !== undefined) return known;
      const host = hostOfHeader(header);
      const name = ownNames.includes(host) ? '' : host;
      if (hosts.size >= maxHeaders) hosts.clear();
      if (header.length <= maxHeaderLength) hosts.set(header, name);
      return name;
    },
    listensAt(port) {
      if (config.BASE_URL !== null) return;
      baseUrl = baseUrlOf(config, port);
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) ownHosts.add(`${host}:${port}`);
    },
  };
}
