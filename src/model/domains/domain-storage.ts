import type { MaybePromise } from '../maybe-promise.ts';
import type { AppFiles, Domain, DomainChange, DomainCheck, NewDomain, ServedDomain } from './domains.ts';

/** Reads of domains. */
export interface DomainReads {
  /** The proven domain of a host, as visits need it. */
  findHost(host: string): MaybePromise<ServedDomain | undefined>;
  /** The token of a domain by its id, at its host: proven or not, of any account. */
  domainToken(id: string, host: string): MaybePromise<string | undefined>;
  /** A file for apps of the proven domain of a host. */
  appFile(host: string, name: keyof AppFiles): MaybePromise<string | null | undefined>;
  /** The files for apps of an account's domains, by their ids. */
  appFilesOf(accountId: number): MaybePromise<ReadonlyMap<string, AppFiles>>;
  /** An account's domains by their hosts, with the number of live links on each. */
  domains(accountId: number): MaybePromise<readonly Domain[]>;
  domain(accountId: number, id: string): MaybePromise<Domain | undefined>;
  domainByHost(accountId: number, host: string): MaybePromise<Domain | undefined>;
  /** Domains of all accounts that are to be looked at, those that wait longest first. @param at ms since the epoch */
  domainsToCheck(at: number, limit: number): MaybePromise<readonly Domain[]>;
}

/** Writes of domains. */
export interface DomainWrites {
  /** @throws Failure LIMIT_REACHED, DOMAIN_TAKEN (the account has it; when it is made proven, anybody), DOMAIN_IN_USE */
  createDomain(accountId: number, domain: NewDomain): Promise<Domain>;
  /** @throws Failure DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE (as default), DOMAIN_IN_USE (how its codes are compared) */
  updateDomain(accountId: number, id: string, change: DomainChange): Promise<Domain>;
  /** Its codes stay with the account. @throws Failure DOMAIN_NOT_FOUND, DOMAIN_IN_USE */
  deleteDomain(accountId: number, id: string, now: number): Promise<void>;
  /**
   * Takes a host from the account that has proven it, so that another one can: it waits to be proven again, with all that is in it.
   * @param token for one that needed none
   * @returns false when nobody has proven it
   */
  releaseDomain(host: string, token: string): Promise<boolean>;
  /**
   * Keeps what a look at the records found. Of two accounts that prove one host the first has it.
   * @throws Failure DOMAIN_NOT_FOUND, DOMAIN_TAKEN
   */
  checkDomain(accountId: number, id: string, check: DomainCheck): Promise<Domain>;
}
