import type { MaybePromise } from '../maybe-promise.ts';
import type { AppFiles, Domain, DomainChange, DomainCheck, NewDomain, ServedDomain } from './domains.ts';

/** Read operations for domains. */
export interface DomainReads {
  /** Returns the verified domain for a host, with the data that redirects need. */
  findHost(host: string): MaybePromise<ServedDomain | undefined>;
  /**
   * Returns a domain's verification token, by id and host. The domain may have any status and belong to any account.
   */
  domainToken(id: string, host: string): MaybePromise<string | undefined>;
  /** Returns an app association file of the verified domain for a host. */
  appFile(host: string, name: keyof AppFiles): MaybePromise<string | null | undefined>;
  /** Returns the app association files of an account's domains, by domain id. */
  appFilesOf(accountId: number): MaybePromise<ReadonlyMap<string, AppFiles>>;
  /** Lists an account's domains, sorted by host, with the number of live links on each domain. */
  domains(accountId: number): MaybePromise<readonly Domain[]>;
  domain(accountId: number, id: string): MaybePromise<Domain | undefined>;
  domainByHost(accountId: number, host: string): MaybePromise<Domain | undefined>;
  /**
   * Lists domains that are due for a DNS check, in all accounts, longest overdue first.
   * @param at ms since the epoch
   */
  domainsToCheck(at: number, limit: number): MaybePromise<readonly Domain[]>;
}

/** Write operations for domains. */
export interface DomainWrites {
  /**
   * @throws Failure LIMIT_REACHED, DOMAIN_TAKEN (this account already has the domain, or the domain is created as
   * verified although another account has verified it), DOMAIN_IN_USE
   */
  createDomain(accountId: number, domain: NewDomain): Promise<Domain>;
  /**
   * @throws Failure DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE (when making the domain the default), DOMAIN_IN_USE (when
   * changing the domain's case sensitivity)
   */
  updateDomain(accountId: number, id: string, change: DomainChange): Promise<Domain>;
  /** Deletes a domain; its codes stay reserved for the account. @throws Failure DOMAIN_NOT_FOUND, DOMAIN_IN_USE */
  deleteDomain(accountId: number, id: string, now: number): Promise<void>;
  /**
   * Releases a verified host so that another account can verify it. The domain becomes pending and keeps its links.
   * @param token verification token to set if the domain has no token
   * @returns false if the host is not verified
   */
  releaseDomain(host: string, token: string): Promise<boolean>;
  /**
   * Stores the result of a DNS check. If two accounts verify the same host, the first account to do so gets it.
   * @throws Failure DOMAIN_NOT_FOUND, DOMAIN_TAKEN
   */
  checkDomain(accountId: number, id: string, check: DomainCheck): Promise<Domain>;
}
