import type { Domain } from '../data/domains.ts';

export type DnsRecord = Domain['records'][number];
export type Status = Domain['status'];

/**
 * Result of a record's last check. `waiting` means not checked yet; `silent` means that the name servers did not
 * respond.
 */
export type RecordState = 'waiting' | 'found' | 'missing' | 'wrong' | 'silent';

export function recordState(record: DnsRecord, checkedAt: string | null): RecordState {
  if (record.found) return 'found';
  if (checkedAt === null) return 'waiting';
  if (record.fault !== null) return 'silent';
  // Other TXT records for the same name are allowed.
  const isWrong = record.type === 'TXT' ? record.others.some(isOurs) : record.others.length > 0;
  return isWrong ? 'wrong' : 'missing';
}

function isOurs(text: string): boolean {
  return text.includes('linkfold=');
}

/** Advice about a record that was not found. The value is the key of a UI string. */
export type Advice =
  | 'quoted'
  | 'otherProof'
  | 'otherHost'
  | 'addresses'
  | 'wholeDomain'
  | 'set'
  | 'silent'
  | 'this-machine'
  | 'private-network';

export function adviceFor(record: DnsRecord, state: RecordState): Advice | undefined {
  if (state === 'found') return undefined;
  if (record.reachable !== undefined) return record.reachable;
  if (state === 'silent') return 'silent';
  if (state !== 'wrong') return record.type === 'CNAME' && isWholeDomain(record.name) ? 'wholeDomain' : 'set';
  if (record.type === 'TXT')
    return record.others.some((other) => other.replaceAll('"', '') === record.value)
      ? 'quoted'
      : 'otherProof';
  // A DNS provider that proxies traffic returns its own IP addresses instead of the CNAME.
  return record.type === 'CNAME' && record.others.every(isAddress) ? 'addresses' : 'otherHost';
}

function isAddress(text: string): boolean {
  return text.includes(':') || /^[\d.]+$/.test(text);
}

/** Returns true for an apex domain such as `example.com`. Apex domains cannot have a CNAME and often host a website. */
export function isWholeDomain(host: string): boolean {
  return host.split('.').length === 2;
}

/** Returns true if all required records were found. */
export function isComplete({ status, records }: Domain): boolean {
  return status === 'active' && records.every(({ found }) => found);
}

/**
 * Extracts the host from typed or pasted text. The text may be a URL.
 * @returns undefined unless the host has two or more labels of letters (in any script), digits and hyphens
 */
export function hostIn(text: string): string | undefined {
  const typed = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const parts = typed.split('.');
  const isHost = parts.length >= 2 && parts.every((part) => /^(?!-)[\p{L}\p{M}\d-]{1,63}(?<!-)$/u.test(part));
  return isHost && !/^\d+$/.test(parts.at(-1) ?? '') ? typed : undefined;
}

const firstMs = 1_000;
const maxPauseMs = 60_000;

/**
 * Returns the pause before the next check, in ms. The pause is short at first, while the user is waiting, and then
 * increases.
 * @param checks number of checks so far
 */
export function waitAfter(checks: number): number {
  return Math.min(maxPauseMs, Math.round(firstMs * 1.5 ** checks));
}
