import type { Config } from '../../config.ts';
import { createLookBehindProxies } from '../../dns/behind-proxies.ts';
import { createLookAt } from '../../dns/look-at.ts';
import { verifyDueDomains } from '../../model/domains/own-domains.ts';
import type { CheckRecords } from '../../model/domains/records.ts';
import type { Storage } from '../../model/storage.ts';
import type { Report } from '../../runtime/report.ts';
import { type BackgroundTask, createRounds } from '../../runtime/rounds.ts';

/** As soon as a domain that was just added is looked at again. */
const everyMs = 10_000;

interface DomainRoundOptions {
  readonly storage: Storage;
  readonly now: () => number;
  readonly onError: Report;
  /** The origin of the shared domain. */
  readonly origin: () => string;
  /** In tests: from one round to the next, ms. */
  readonly intervalMs?: number;
}

/** What looks at domains' records: when it is asked to, and the rounds in which one of all processes looks by itself. */
export function openDomains(
  config: Config,
  options: DomainRoundOptions,
  sharedHost: () => string,
  checkRecords: CheckRecords = lookBy(config, options.origin),
): { readonly checkRecords: CheckRecords; readonly domainRounds: BackgroundTask } {
  const { storage, now, onError, intervalMs = everyMs } = options;
  const domainRounds = createRounds({
    hasWork: async () => (await storage.domainsToCheck(now(), 1)).length > 0,
    acquireLease: (leaseMs) => storage.acquireLease('domains', now(), leaseMs),
    slice: async () =>
      (await verifyDueDomains({ storage, writes: storage, checkRecords, sharedHost, now })) ? 1 : undefined,
    fault: 'The records of domains cannot be looked at.',
    onError,
    intervalMs,
  });
  return { checkRecords, domainRounds };
}

function lookBy(
  { DNS_SERVERS: servers, OUTBOUND_ALLOW: allowed }: Config,
  origin: () => string,
): CheckRecords {
  return createLookBehindProxies({ checkRecords: createLookAt({ servers }), servers, allowed, origin });
}
