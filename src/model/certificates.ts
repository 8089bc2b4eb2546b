import type { MaybePromise } from './maybe-promise.ts';

/** What storage has of the certificate of a host. Private keys are sealed before they come here. */
export interface StoredCertificate {
  /** In PEM, the host's own first; null while there is none. */
  readonly chain: string | null;
  readonly key: Uint8Array | null;
  /** When this certificate came, ms since the epoch. */
  readonly issuedAt: number | null;
  /** When anything is to be done for the host again; {@link asked} when an operator wants another certificate. */
  readonly dueAt: number;
  /** How often in a row no certificate was to be had, and why the last time. */
  readonly failures: number;
  readonly problem: string | null;
  /** Until when a process works on it. */
  readonly claimedUntil: number;
  /** What the authority asks for, and the answer, while an order is under way. */
  readonly token: string | null;
  readonly proof: string | null;
}

/** What came of the work on a host. What is absent stays. */
export interface CertificateChange {
  readonly issued?: { readonly chain: string; readonly key: Uint8Array; readonly at: number };
  /** When the certificate in use ends, ms since the epoch. */
  readonly expiresAt?: number;
  readonly dueAt: number;
  readonly failures: number;
  readonly problem: string | null;
}

/** An account at an authority. */
export interface StoredAcmeAccount {
  readonly url: string;
  readonly key: Uint8Array;
}

/** A host that has failed is tried again within this time, ms, unless the clock was wrong when it failed. */
export const longestBackOffMs = 86_400_000;

/** The moment that is due before all others: it is when an operator asked. */
export const asked = 0;

/** How a host stands: whether it has a certificate, until when, and what went wrong at the last try. Times are ms since the epoch. */
export interface CertificateState {
  readonly host: string;
  readonly hasOne: boolean;
  /** Undefined where a version of before ordered it, until it is looked at again. */
  readonly expiresAt: number | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly dueAt: number;
}

/** As operators see it. */
export interface ListedCertificate extends Omit<CertificateState, 'dueAt'> {
  /** Null for a proven host that waits for its first visit. */
  readonly dueAt: number | null;
}

/** Orders that are allowed before others wait. */
export interface OrderLimits {
  /** Of one account in an hour. */
  readonly ofAccount: number;
  /** Of the installation in three hours, renewals included. */
  readonly ofAll: number;
}

/** Why an order waits, and until when, ms since the epoch. */
export interface OrderWait {
  readonly limit: keyof OrderLimits;
  readonly until: number;
}

/** All certificates in a few figures. */
export interface CertificateFigures {
  readonly held: number;
  /** Hosts for which the last try failed. */
  readonly failing: number;
  /** Hosts without a certificate whose order is under way, or waits because of a limit. */
  readonly waiting: number;
  /** When the first one ends, ms since the epoch; null without any. */
  readonly firstExpiresAt: number | null;
}

export interface CertificateReads {
  certificate(host: string): MaybePromise<StoredCertificate | undefined>;
  /** Those of all hosts, by host; also the proven hosts that wait for their first visit, once this installation has an account at an authority. */
  certificates(): MaybePromise<readonly ListedCertificate[]>;
  /** Those of the hosts that an account has proven. */
  certificatesOf(accountId: number): MaybePromise<readonly CertificateState[]>;
  certificateFigures(): MaybePromise<CertificateFigures>;
  /** Whether a proven host leads visitors here, as far as anybody could see: without that no authority believes it. */
  leadsHere(host: string): MaybePromise<boolean>;
  /** Hosts for which something is to be done, and on which no process works. */
  dueCertificates(now: number, max: number): MaybePromise<readonly string[]>;
  /** @param directory address of the authority's directory */
  acmeAccount(directory: string): MaybePromise<StoredAcmeAccount | undefined>;
}

export interface CertificateWrites {
  /**
   * Claims the work on a host, for one process of all.
   * @param by names the process
   * @param isLost whether what there is cannot be used, so that it need not be due
   * @returns false when another one has it, or nothing is due
   */
  claimCertificate(host: string, by: string, now: number, until: number, isLost: boolean): Promise<boolean>;
  /**
   * Keeps the claim a while longer.
   * @param challenge what the authority asks for, and the answer that every process is to give
   * @returns false when another process has it
   */
  holdCertificate(
    host: string,
    by: string,
    until: number,
    challenge?: { readonly token: string; readonly proof: string },
  ): Promise<boolean>;
  /** Ends the work that this process has claimed. @returns false when another one has it */
  settleCertificate(host: string, by: string, change: CertificateChange): Promise<boolean>;
  dropCertificate(host: string): Promise<void>;
  /**
   * Records an order, unless it has to wait. Only first orders of hosts that belong to an account wait: renewals take precedence.
   * @returns undefined when it may be sent to the authority
   */
  recordOrder(
    host: string,
    isFirst: boolean,
    limits: OrderLimits,
    now: number,
  ): Promise<OrderWait | undefined>;
  /** Has another certificate ordered at the next look, whatever there is. @returns false for a host of which nothing is known */
  askForCertificate(host: string): Promise<boolean>;
  /**
   * @param instead the URL of an account that is no use any more
   * @returns what all processes use: the given one, unless another process was earlier
   */
  keepAcmeAccount(
    directory: string,
    account: StoredAcmeAccount,
    instead: string | null,
  ): Promise<StoredAcmeAccount>;
}
