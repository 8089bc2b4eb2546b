import type { Config } from '../../config.ts';
import { createProxyAwareCheck } from '../../external/dns/behind-proxies.ts';
import { createRecordChecker } from '../../external/dns/check-records.ts';
import { verifyDueDomains } from '../../model/domains/own-domains.ts';
import type { CheckRecords } from '../../model/domains/records.ts';
import { type BackgroundTask, createBackgroundTask } from '../../runtime/background-task.ts';
import type { TaskOptions } from './storage-tasks.ts';

/** Milliseconds between runs. A new domain is checked again after this time. */
const everyMs = 10_000;

interface DomainTaskOptions extends TaskOptions {
  /** Returns the origin of the shared domain. */
  readonly origin: () => string;
}

/**
 * Creates a function that checks a domain's DNS records on demand, and the task that checks them regularly. Only one
 * process runs the task at a time.
 */
export function openDomains(
  config: Config,
  options: DomainTaskOptions,
  sharedHost: () => string,
  checkRecords: CheckRecords = createRecordCheck(config, options.origin),
): { readonly checkRecords: CheckRecords; readonly domainRounds: BackgroundTask } {
  const { storage, now, onError, intervalMs = everyMs } = options;
  const domainRounds = createBackgroundTask({
    hasWork: async () => (await storage.domainsToCheck(now(), 1)).length > 0,
    acquireLease: (leaseMs) => storage.acquireLease('domains', now(), leaseMs),
    slice: async () =>
      (await verifyDueDomains({ storage, writes: storage, checkRecords, sharedHost, now })) ? 1 : undefined,
    fault: 'Could not check the domains’ DNS records. Linkfold will retry.',
    onError,
    intervalMs,
  });
  return { checkRecords, domainRounds };
}

function createRecordCheck(
  { DNS_SERVERS: servers, OUTBOUND_ALLOW: allowed }: Config,
  origin: () => string,
): CheckRecords {
  return createProxyAwareCheck({ checkRecords: createRecordChecker({ servers }), servers, allowed, origin });
}
