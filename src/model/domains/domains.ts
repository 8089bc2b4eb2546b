import { Failure, type Problem } from '../failures.ts';
import type { LinkDomain } from './hosts.ts';

/** Id of the shared domain, which is not stored. Every account can create links on it, and no account can change it. */
export const sharedDomainId = '00000000-0000-7000-8000-000000000001';

export const domainStatuses = ['pending', 'active', 'failing'] as const;
export type DomainStatus = (typeof domainStatuses)[number];
/** Code modes: a domain's codes are case-insensitive (`folded`) or case-sensitive (`exact`). */
export const codeModes = ['folded', 'exact'] as const;
export type CodeMode = (typeof codeModes)[number];

/** A domain's settings. URLs are encoded for the `Location` header. */
export interface DomainSettings {
  readonly codes: CodeMode;
  readonly isDefault: boolean;
  readonly rootUrl: string | null;
  readonly unknownUrl: string | null;
  readonly expiredUrl: string | null;
  /** Whether crawlers may index the domain's short URLs. */
  readonly indexed: boolean;
  /**
   * Whether the domain has go links: hyphens in codes are ignored, and the page for an unknown code offers to create
   * it.
   */
  readonly golinks: boolean;
}

/** A domain's app association files as JSON strings; null if a file does not exist. */
export interface AppFiles {
  readonly appleAppSiteAssociation: string | null;
  readonly assetLinks: string | null;
}

/** Maximum length of an app association file, in characters. */
export const longestAppFile = 16_384;

/** Maps file names below `/.well-known/` to the field that contains the file. */
export const appFileNames: Readonly<Record<string, keyof AppFiles>> = {
  'apple-app-site-association': 'appleAppSiteAssociation',
  'assetlinks.json': 'assetLinks',
};

/** Domain fields to change. */
export type DomainChange = Partial<DomainSettings & AppFiles>;

/** Results of the last DNS check. */
export interface Findings {
  readonly ownership: boolean;
  readonly traffic: boolean;
  /** Sentences that tell the owner what is wrong and how to fix it; null if there is no problem. */
  readonly problem: string | null;
  /** DNS responses for the records that are incorrect. */
  readonly seen?: { readonly [Purpose in 'ownership' | 'traffic']?: Seen };
}

/** The DNS response for a record. */
export interface Seen {
  /** The first few incorrect values that were found, truncated. */
  readonly others: readonly string[];
  /** Why the lookup failed; null if it succeeded. */
  readonly fault: string | null;
}

/** A host that serves one account's links. Times are ms since the epoch. */
export interface Domain extends LinkDomain, DomainSettings {
  readonly id: string;
  readonly accountId: number;
  readonly status: DomainStatus;
  /** The value of the verification TXT record; empty if an operator verified the domain. */
  readonly token: string;
  readonly found: Findings;
  readonly linkCount: number;
  readonly createdAt: number;
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  /** When a check first found the records missing or incorrect; null while they are correct. */
  readonly failingSince: number | null;
  /** When the next check is due; null if no further check is planned. */
  readonly nextCheckAt: number | null;
}

export interface NewDomain extends DomainChange {
  readonly id: string;
  readonly host: string;
  readonly token: string;
  readonly createdAt: number;
  /** Maximum number of domains in the account, including the new domain. */
  readonly limit: number;
  /** Whether an operator verified the domain, so that no DNS check is needed. */
  readonly proven?: boolean | undefined;
}

/** A verified domain with the data that redirects need. */
export interface ServedDomain extends Pick<Domain, 'space' | 'host' | 'accountId'> {
  readonly rootUrl: string | null;
  readonly unknownUrl: string | null;
  readonly expiredUrl: string | null;
  readonly indexed: boolean;
  readonly golinks: boolean;
  /** Whether the domain has app association files. */
  readonly hasAppFiles: boolean;
}

/** The result of a DNS check for a domain. */
export interface DomainCheck {
  /**
   * The token that was checked. If the domain was deleted and created again during the check, it has a different token,
   * and this result is not stored.
   */
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
    isOwn
      ? `The account already has the domain ${host}.`
      : `Another account has verified the domain ${host}.`,
  );
}

export function domainNotActive(host: string): Failure {
  return new Failure(
    'DOMAIN_NOT_ACTIVE',
    `The domain ${host} is not verified yet. Add its DNS records, then verify it.`,
  );
}

export function domainInUse(host: string, why: string, problems: readonly Problem[] = []): Failure {
  return new Failure('DOMAIN_IN_USE', `The domain ${host} is in use: ${why}`, { problems });
}
