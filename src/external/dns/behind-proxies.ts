import { promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { CheckRecords } from '../../model/domains/records.ts';
import { proofOf, proofPath } from '../../model/domains/visitors-proof.ts';
import { isSpecialAddress } from '../../model/links/destinations/addresses.ts';
import type { Allowed } from '../outbound/allowed.ts';
import { createOutbound } from '../outbound/outbound.ts';

export interface BehindProxiesOptions {
  /** Checks the DNS records, without a request to the host. */
  readonly checkRecords: (...[records]: Parameters<CheckRecords>) => ReturnType<CheckRecords>;
  /** DNS resolvers; empty to use the system's resolvers. */
  readonly servers: readonly string[];
  /** Destinations allowed in addition to the public internet. */
  readonly allowed: Allowed;
  /** Returns the origin of the shared domain. Custom domains use the same port. */
  readonly origin: () => string;
}

/** Timeout in ms for one request to the host. There are at most two requests: over http and over https. */
const requestTimeoutMs = 5_000;
const maxBytes = 256;

/**
 * Creates a check of DNS records. If the traffic record points elsewhere, the check also requests the host itself,
 * because a proxy that hides the record may forward requests here. The request follows no redirects, reads little, and
 * does not reach private addresses.
 */
export function createProxyAwareCheck(options: BehindProxiesOptions): CheckRecords {
  const { checkRecords, servers, allowed, origin } = options;
  const outbound = createOutbound({ allowed, ...(servers.length > 0 && { lookup: lookupBy(servers) }) });

  const isRoutedHere: (domain: Parameters<CheckRecords>[1]) => Promise<boolean> = async (domain) => {
    const { port } = new URL(origin());
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${domain.host}${port && `:${port}`}${proofPath(domain)}`;
      const request = outbound.request(url, { totalMs: requestTimeoutMs, maxBytes, anyPort: port !== '' });
      const answer = await request.catch(() => undefined);
      if (answer?.body.toString() === proofOf(domain)) return true;
    }
    return false;
  };

  return async (records, domain) => {
    const results = await checkRecords(records, domain);
    const visible = results.map((result) => ({ ...result, others: publicValues(result.others) }));
    const at = records.findIndex(({ purpose }) => purpose === 'traffic');
    const traffic = results[at];
    if (traffic === undefined || traffic.isRight || traffic.others.length === 0) return visible;
    return (await isRoutedHere(domain)) ? visible.with(at, { isRight: true, others: [] }) : visible;
  };
}

/**
 * Returns the record values that the owner of a domain may see. The resolver may know internal names, so the owner sees
 * only Linkfold's own TXT records, and sees names and addresses only if every address is public.
 */
function publicValues(values: readonly string[]): readonly string[] {
  const addresses = values.filter((value) => isIP(value) !== 0);
  const isPublic = addresses.length > 0 && !addresses.some(isSpecialAddress);
  return values.filter((value) => isPublic || value.startsWith('linkfold='));
}

/** Returns a lookup function that uses the configured resolvers. */
function lookupBy(servers: readonly string[]): LookupFunction {
  return (host, _options, done) => {
    const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });
    resolver.setServers(servers);
    const families = [resolver.resolve4(host), resolver.resolve6(host)];
    void Promise.allSettled(families).then((both) => {
      const found = both.flatMap((one, at) =>
        one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
      );
      if (found.length > 0) done(null, found);
      else done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), []);
    });
  };
}
