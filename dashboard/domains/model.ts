import type { Domain } from '../data/domains.ts';

export type DnsRecord = Domain['records'][number];
export type Status = Domain['status'];

/** What the last look at a record found. `waiting`: nobody has looked yet; `silent`: the name servers gave no answer. */
export type RecordState = 'waiting' | 'found' | 'missing' | 'wrong' | 'silent';

export function recordState(record: DnsRecord, checkedAt: string | null): RecordState {
  if (record.found) return 'found';
  if (checkedAt === null) return 'waiting';
  if (record.fault !== null) return 'silent';
  // A name may have other texts beside ours.
  const isWrong = record.type === 'TXT' ? record.others.some(isOurs) : record.others.length > 0;
  return isWrong ? 'wrong' : 'missing';
}

function isOurs(text: string): boolean {
  return text.includes('linkfold=');
}

/** What to do about a record that is not right: the texts say it in sentences. */
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
  // A proxy of the provider answers with its own addresses, and hides the name behind them.
  return record.type === 'CNAME' && record.others.every(isAddress) ? 'addresses' : 'otherHost';
}

function isAddress(text: string): boolean {
  return text.includes(':') || /^[\d.]+$/.test(text);
}

/** Whether a host is bought as it is, such as `example.com`: a CNAME cannot stand there, and a website often does. */
export function isWholeDomain(host: string): boolean {
  return host.split('.').length === 2;
}

/** Whether all that it needs was found. */
export function isComplete({ status, records }: Domain): boolean {
  return status === 'active' && records.every(({ found }) => found);
}

/**
 * The host in what was typed or pasted, which may be a whole address.
 * @returns undefined for what is none: two parts or more, of letters of any script, digits and hyphens
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
const longestMs = 60_000;

/** How long to wait for the next look, ms: soon at first, as somebody watches, then less and less often. @param looks how many there were */
export function waitAfter(looks: number): number {
  return Math.min(longestMs, Math.round(firstMs * 1.5 ** looks));
}
