import { ipv4Of } from '../ipv4.ts';
import type { Domain, DomainCheck, Findings, Seen } from './domains.ts';

export const recordTypes = ['TXT', 'CNAME', 'A', 'AAAA'] as const;

/** A DNS record that a domain needs. */
export interface DomainRecord {
  readonly purpose: 'ownership' | 'traffic';
  readonly type: (typeof recordTypes)[number];
  readonly name: string;
  readonly value: string;
}

/** Networks from which a private address can be reached. Visitors from the internet cannot reach a private address. */
export const reachabilityStates = ['this-machine', 'private-network'] as const;
export type ReachabilityState = (typeof reachabilityStates)[number];

/**
 * Returns the DNS records that a domain needs. A domain that an operator verified has no token and needs no TXT record.
 * @param sharedHost target of the traffic record: a host name, or an IP address in URL notation
 */
export function recordsOf(
  { host, token }: Pick<Domain, 'host' | 'token'>,
  sharedHost: string,
): readonly DomainRecord[] {
  const traffic: DomainRecord = { purpose: 'traffic', name: host, ...trafficRecord(sharedHost) };
  if (token === '') return [traffic];
  return [
    { purpose: 'ownership', type: 'TXT', name: `_linkfold.${host}`, value: `linkfold=${token}` },
    traffic,
  ];
}

function trafficRecord(host: string): Pick<DomainRecord, 'type' | 'value'> {
  if (host.startsWith('[')) return { type: 'AAAA', value: host.slice(1, -1) };
  return { type: ipv4Of(host) < 0 ? 'CNAME' : 'A', value: host };
}

/** The result of looking up a record. */
export interface RecordCheck {
  readonly isRight: boolean;
  /** Incorrect values that were found. */
  readonly others: readonly string[];
  /** Why the lookup failed; undefined if it succeeded. */
  readonly fault?: string | undefined;
}

/** Looks up a domain's records. Never rejects. */
export type CheckRecords = (
  records: readonly DomainRecord[],
  domain: Pick<Domain, 'id' | 'host' | 'token'>,
) => Promise<readonly RecordCheck[]>;

/** Summarizes lookup results in sentences for the owner. */
export function findingsOf(records: readonly DomainRecord[], checks: readonly RecordCheck[]): Findings {
  const isRight = (purpose: DomainRecord['purpose']): boolean => {
    const at = records.findIndex((record) => record.purpose === purpose);
    return at === -1 || checks[at]?.isRight === true;
  };
  const problems = records.flatMap((record, at) => describeProblem(record, checks[at]) ?? []);
  const problem = problems.length === 0 ? null : problems.join(' ');
  const seen = Object.fromEntries(
    records.flatMap(({ purpose }, at) => {
      const check = checks[at];
      return check === undefined || check.isRight ? [] : [[purpose, summarize(check)]];
    }),
  );
  return { ownership: isRight('ownership'), traffic: isRight('traffic'), problem, seen };
}

/** Maximum number of incorrect values to show. Each value is truncated to `longestShownValue` characters. */
const maxShownValues = 3;
const longestShownValue = 100;

function summarize({ others, fault }: RecordCheck): Seen {
  return {
    others: others.slice(0, maxShownValues).map((other) => other.slice(0, longestShownValue)),
    fault: fault ?? null,
  };
}

function describeProblem(
  { purpose, type, name, value }: DomainRecord,
  check: RecordCheck | undefined,
): string | undefined {
  if (check === undefined || check.isRight) return undefined;
  const wanted = `${type} record of ${name} must be ${value}`;
  const { others, fault } = summarize(check);
  if (fault !== null) return `The ${wanted}; its name servers did not respond (${fault}).`;
  if (others.length === 0)
    return `The ${wanted}; it was not found. New records can take a few minutes to appear.`;
  const proxied =
    purpose === 'traffic'
      ? ' The host does not respond as this service either. If your DNS provider’s proxy hides the record, point it to this server.'
      : '';
  return `The ${wanted}; found instead: ${others.join(', ')}.${proxied}`;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const firstWait = 10 * second;
const longestWait = 6 * hour;
const givenUpAfter = 30 * day;
const failsAfter = 3 * day;

/** Returns a domain's new state after a DNS check. @param now ms since the epoch */
export function stateAfterCheck(domain: Domain, found: Findings, now: number): DomainCheck {
  const common = { token: domain.token, found, checkedAt: now };
  if (domain.status === 'pending' && !found.ownership) {
    // Checks are frequent at first, while the user is waiting, and become less frequent over time.
    const age = now - domain.createdAt;
    const wait = Math.min(longestWait, Math.max(firstWait, age / 2));
    const nextCheckAt = age > givenUpAfter ? null : now + Math.round(wait);
    return { ...common, status: 'pending', failingSince: null, nextCheckAt };
  }
  // A domain that an operator verified stays active, because this installation's DNS resolvers may not know the domain.
  if (domain.token === '') return { ...common, status: 'active', failingSince: null, nextCheckAt: null };
  if (found.ownership && found.traffic)
    return { ...common, status: 'active', failingSince: null, nextCheckAt: now + day };
  const failingSince = domain.failingSince ?? now;
  const isFailing = now - failingSince >= failsAfter;
  // Checks are frequent at first, because the owner usually adds the second record right after verification.
  const wait = Math.min(hour, Math.max(minute, Math.round((now - failingSince) / 2)));
  return { ...common, status: isFailing ? 'failing' : 'active', failingSince, nextCheckAt: now + wait };
}
