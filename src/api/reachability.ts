import type { DomainRecord, ReachabilityState } from '../model/domains/records.ts';
import { isPrivateAddress } from '../model/links/destinations/addresses.ts';

/**
 * Returns the only network from which a DNS record's target is reachable; undefined if the target is reachable from the
 * internet, or if the record does not route traffic.
 */
export function reachabilityOf({
  purpose,
  value,
}: Pick<DomainRecord, 'purpose' | 'value'>): ReachabilityState | undefined {
  if (purpose !== 'traffic') return undefined;
  if (/^(?:127\.|0\.0\.0\.0$|::1?$|(?:.*\.)?localhost$)/.test(value)) return 'this-machine';
  return isPrivateAddress(value) ? 'private-network' : undefined;
}

/** Returns what to do before verification if visitors cannot reach the installation; null if visitors can reach it. */
export function reachabilityProblem(records: readonly DomainRecord[]): string | null {
  for (const record of records) {
    const reach = reachabilityOf(record);
    if (reach === 'this-machine')
      return `Set BASE_URL to the public address of this server first: ${record.value} is reachable from this machine only.`;
    if (reach === 'private-network')
      return `Visitors from the internet cannot reach ${record.value}, a private address. Set BASE_URL to a public one if they should.`;
  }
  return null;
}
