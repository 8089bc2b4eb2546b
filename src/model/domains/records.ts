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

/**
 * The records that a domain needs. One that an operator has proven has no token, and needs no record of ownership.
 * @param sharedHost where visitors are led: a name, or an address as URLs write it
 */
export function recordsOf(
  { host, token }: Pick<Domain, 'host' | 'token'>,
  sharedHost: string,
): readonly DomainRecord[] {
  const traffic: DomainRecord = { purpose: 'traffic', name: host, ...leadingTo(sharedHost) };
  if (token === '') return [traffic];
  return [
    { purpose: 'ownership', type: 'TXT', name: `_linkfold.${host}`, value: `linkfold=${token}` },
    traffic,
  ];
}

function leadingTo(host: string): Pick<DomainRecord, 'type' | 'value'> {
  if (host.startsWith('[')) return { type: 'AAAA', value: host.slice(1, -1) };
  return { type: ipv4Of(host) < 0 ? 'CNAME' : 'A', value: host };
}

/** What was found at a record's name. */
export interface Look {
  readonly isRight: boolean;
  /** Other values that stand there. */
  readonly others: readonly string[];
  /** Why nobody could say. */
  readonly fault?: string | undefined;
}

/** Looks up what stands at a domain's names. Never rejects. */
export type LookAt = (
  records: readonly DomainRecord[],
  domain: Pick<Domain, 'id' | 'host' | 'token'>,
) => Promise<readonly Look[]>;

/** What looks at the records mean, in sentences for the owner. */
export function findingsOf(records: readonly DomainRecord[], looks: readonly Look[]): Findings {
  const isRight = (purpose: DomainRecord['purpose']): boolean => {
    const at = records.findIndex((record) => record.purpose === purpose);
    return at === -1 || looks[at]?.isRight === true;
  };
  const problems = records.flatMap((record, at) => sentenceOf(record, looks[at]) ?? []);
  const problem = problems.length === 0 ? null : problems.join(' ');
  const seen = Object.fromEntries(
    records.flatMap(({ purpose }, at) => {
      const look = looks[at];
      return look === undefined || look.isRight ? [] : [[purpose, seenBy(look)]];
    }),
  );
  return { ownership: isRight('ownership'), traffic: isRight('traffic'), problem, seen };
}

/** Most other values that are told. */
const mostTold = 3;
const longestTold = 100;

function seenBy({ others, fault }: Look): Seen {
  return {
    others: others.slice(0, mostTold).map((other) => other.slice(0, longestTold)),
    fault: fault ?? null,
  };
}

function sentenceOf(
  { purpose, type, name, value }: DomainRecord,
  look: Look | undefined,
): string | undefined {
  if (look === undefined || look.isRight) return undefined;
  const wanted = `${type} record of ${name} must be ${value}`;
  const { others, fault } = seenBy(look);
  if (fault !== null) return `The ${wanted}; its name servers did not answer (${fault}).`;
  if (others.length === 0)
    return `The ${wanted}; it was not found. New records can take some minutes to be visible.`;
  const proxied =
    purpose === 'traffic'
      ? ' Nor did the host answer as this service does. Where a proxy of your DNS provider hides the record, let it lead here.'
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

/** What becomes of a domain by a look at its records. @param now ms since the epoch */
export function checkOf(domain: Domain, found: Findings, now: number): DomainCheck {
  const kept = { token: domain.token, found, checkedAt: now };
  if (domain.status === 'pending' && !found.ownership) {
    // Soon at first, as somebody waits; later less and less often.
    const age = now - domain.createdAt;
    const wait = Math.min(longestWait, Math.max(firstWait, age / 2));
    const nextCheckAt = age > givenUpAfter ? null : now + Math.round(wait);
    return { ...kept, status: 'pending', failingSince: null, nextCheckAt };
  }
  // What an operator has proven may be where our resolvers see nothing.
  if (domain.token === '') return { ...kept, status: 'active', failingSince: null, nextCheckAt: null };
  if (found.ownership && found.traffic)
    return { ...kept, status: 'active', failingSince: null, nextCheckAt: now + day };
  const failingSince = domain.failingSince ?? now;
  const isFailing = now - failingSince >= failsAfter;
  // Soon at first: whoever has just proven a domain sets the other record next.
  const wait = Math.min(hour, Math.max(minute, Math.round((now - failingSince) / 2)));
  return { ...kept, status: isFailing ? 'failing' : 'active', failingSince, nextCheckAt: now + wait };
}
