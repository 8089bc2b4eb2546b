import { Failure } from '../failures.ts';
import type { LinkDomain } from './hosts.ts';

/** The shared domain is no row: every account may make links there, and nobody changes it. */
export const sharedDomainId = '00000000-0000-7000-8000-000000000001';

export const domainStatuses = ['pending', 'active', 'failing'] as const;
export type DomainStatus = (typeof domainStatuses)[number];
/** How codes are compared: without regard to case, or as they are. */
export const codeModes = ['folded', 'exact'] as const;
export type CodeMode = (typeof codeModes)[number];

/** What the owner of a domain chooses. URLs are as the `Location` header carries them. */
export interface DomainSettings {
  readonly codes: CodeMode;
  readonly isDefault: boolean;
  readonly rootUrl: string | null;
  readonly unknownUrl: string | null;
  readonly expiredUrl: string | null;
  /** Whether crawlers may index its short URLs. */
  readonly indexed: boolean;
}

/** The files by which apps open links of a domain, each as JSON text; null for none. */
export interface AppFiles {
  readonly appleAppSiteAssociation: string | null;
  readonly assetLinks: string | null;
}

/** Longest text of one, in characters. */
export const longestAppFile = 16_384;

/** Which of them is asked for below `/.well-known/`. */
export const appFileNames: Readonly<Record<string, keyof AppFiles>> = {
  'apple-app-site-association': 'appleAppSiteAssociation',
  'assetlinks.json': 'assetLinks',
};

/** What a change says of a domain. */
export type DomainChange = Partial<DomainSettings & AppFiles>;

/** What the last look at a domain's records found. */
export interface Findings {
  readonly ownership: boolean;
  readonly traffic: boolean;
  /** What is wrong and what to do, in sentences; null when nothing is. */
  readonly problem: string | null;
  /** What was seen where a record was not right. */
  readonly seen?: { readonly [Purpose in 'ownership' | 'traffic']?: Seen };
}

/** What was seen in the place of a record. */
export interface Seen {
  /** Other values that stand there: the first few, cut where they are long. */
  readonly others: readonly string[];
  /** Why nobody could say; null when somebody did. */
  readonly fault: string | null;
}

/** A host whose short URLs lead to links of one account. Times are ms since the epoch. */
export interface Domain extends LinkDomain, DomainSettings {
  readonly id: string;
  readonly accountId: number;
  readonly status: DomainStatus;
  /** The text of the TXT record that proves it. */
  readonly token: string;
  readonly found: Findings;
  readonly linkCount: number;
  readonly createdAt: number;
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  /** Since when its records have been gone. */
  readonly failingSince: number | null;
  /** When it is to be looked at again; null for never. */
  readonly nextCheckAt: number | null;
}

export interface NewDomain extends DomainChange {
  readonly id: string;
  readonly host: string;
  readonly token: string;
  readonly createdAt: number;
  /** The limit of the account's domains, this one included. */
  readonly limit: number;
  /** Whether an operator has proven it. */
  readonly proven?: boolean | undefined;
}

/** What a visit needs of a domain that serves. */
export interface ServedDomain extends Pick<Domain, 'space' | 'host' | 'accountId'> {
  readonly rootUrl: string | null;
  readonly unknownUrl: string | null;
  readonly expiredUrl: string | null;
  readonly indexed: boolean;
  /** Whether there are files for apps. */
  readonly hasAppFiles: boolean;
}

/** What becomes of a domain by a look at its records. */
export interface DomainCheck {
  /** What the look was for: a domain that was added anew meanwhile has another one. */
  readonly token: string;
  readonly found: Findings;
  readonly checkedAt: number;
  readonly status: DomainStatus;
  readonly failingSince: number | null;
  readonly nextCheckAt: number | null;
}

export function domainNotFound(): Failure {
  return new Failure('DOMAIN_NOT_FOUND');
}

export function domainTaken(host: string, isOwn = false): Failure {
  return new Failure(
    'DOMAIN_TAKEN',
    isOwn ? `The account has the domain ${host} already.` : `Another account has proven the domain ${host}.`,
  );
}

export function domainNotActive(host: string): Failure {
  return new Failure(
    'DOMAIN_NOT_ACTIVE',
    `The domain ${host} is not proven yet: set its DNS records and verify it.`,
  );
}

export function domainInUse(host: string, why: string): Failure {
  return new Failure('DOMAIN_IN_USE', `The domain ${host} is in use: ${why}`);
}
