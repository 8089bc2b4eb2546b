import type { MaybePromise } from './maybe-promise.ts';

/** The stored certificate of a host. The private key is encrypted before it is stored. */
export interface StoredCertificate {
  /** PEM chain, leaf first; null if there is no certificate yet. */
  readonly chain: string | null;
  readonly key: Uint8Array | null;
  /** When the certificate was issued, ms since the epoch. */
  readonly issuedAt: number | null;
  /** When the next action for the host is due; {@link requestedByOperator} if an operator requested a new certificate. */
  readonly dueAt: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly problem: string | null;
  /** End of a process's claim on the host, ms since the epoch. */
  readonly claimedUntil: number;
  /** ACME challenge token and its response, for a pending order. */
  readonly token: string | null;
  readonly proof: string | null;
}

/** The result of work on a host. Omitted fields stay unchanged. */
export interface CertificateChange {
  readonly issued?: { readonly chain: string; readonly key: Uint8Array; readonly at: number };
  /** When the current certificate expires, ms since the epoch. */
  readonly expiresAt?: number;
  readonly dueAt: number;
  readonly failures: number;
  readonly problem: string | null;
}

/** An ACME account at a certificate authority (CA). */
export interface StoredAcmeAccount {
  readonly url: string;
  readonly key: Uint8Array;
}

/** Maximum back-off after a failure, ms. Does not apply if the clock was wrong at the time. */
export const longestBackOffMs = 86_400_000;

/** The `dueAt` of a certificate that an operator requested: before all other due times. */
export const requestedByOperator = 0;

/** Certificate status of a host. Times are ms since the epoch. */
export interface CertificateState {
  readonly host: string;
  readonly hasOne: boolean;
  /** Null for a certificate that an older version ordered, until the next check. */
  readonly expiresAt: number | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly dueAt: number;
}

/** A certificate in the list for operators. */
export interface ListedCertificate extends Omit<CertificateState, 'dueAt'> {
  /** Null for a verified host that has not had a visit yet. */
  readonly dueAt: number | null;
}

/** Maximum number of orders before further ones are delayed. */
export interface OrderLimits {
  /** Per account and hour. */
  readonly ofAccount: number;
  /** Per installation and three hours, including renewals. */
  readonly ofAll: number;
}

/** Why an order is delayed, and until when (ms since the epoch). */
export interface OrderDelay {
  readonly limit: keyof OrderLimits;
  readonly until: number;
}

/** Counts of certificates, for metrics. */
export interface CertificateCounts {
  readonly held: number;
  /** Hosts whose last attempt failed. */
  readonly failing: number;
  /** Hosts without a certificate whose order is pending or delayed by a limit. */
  readonly waiting: number;
  /** Earliest expiry, ms since the epoch; null without certificates. */
  readonly firstExpiresAt: number | null;
}

export interface CertificateReads {
  certificate(host: string): MaybePromise<StoredCertificate | undefined>;
  /**
   * Lists the certificates of all hosts, by host. Once there is an ACME account, also lists verified hosts that wait
   * for their first visit.
   */
  certificates(): MaybePromise<readonly ListedCertificate[]>;
  /** Lists the certificates of an account's verified hosts. */
  certificatesOf(accountId: number): MaybePromise<readonly CertificateState[]>;
  certificateCounts(): MaybePromise<CertificateCounts>;
  /**
   * Returns true if a verified host is routed to this installation, as far as known. Otherwise the CA's challenge
   * would fail.
   */
  isRoutedHere(host: string): MaybePromise<boolean>;
  /** Lists hosts that are due and not claimed by a process. */
  dueCertificates(now: number, max: number): MaybePromise<readonly string[]>;
  /** @param directory the CA's ACME directory URL */
  acmeAccount(directory: string): MaybePromise<StoredAcmeAccount | undefined>;
}

export interface CertificateWrites {
  /**
   * Claims a host for one process.
   * @param by the process name
   * @param isLost true if the current certificate is unusable: then the host is claimed even if it is not due
   * @returns false if another process has claimed the host, or it is not due
   */
  claimCertificate(host: string, by: string, now: number, until: number, isLost: boolean): Promise<boolean>;
  /**
   * Extends a claim.
   * @param challenge the ACME challenge token, and the response that every process serves
   * @returns false if another process has claimed the host
   */
  extendCertificateClaim(
    host: string,
    by: string,
    until: number,
    challenge?: { readonly token: string; readonly proof: string },
  ): Promise<boolean>;
  /** Stores the result and releases this process's claim. @returns false if another process has claimed the host */
  saveCertificateResult(host: string, by: string, change: CertificateChange): Promise<boolean>;
  removeCertificate(host: string): Promise<void>;
  /**
   * Records an order, unless it is delayed. Only first orders for custom domains are delayed, never renewals.
   * @returns undefined if the order may be sent to the CA
   */
  recordOrder(
    host: string,
    isFirst: boolean,
    limits: OrderLimits,
    now: number,
  ): Promise<OrderDelay | undefined>;
  /**
   * Requests a new certificate at the next run, even if the current one is valid. @returns false for an unknown host
   */
  requestCertificate(host: string): Promise<boolean>;
  /**
   * Stores an ACME account.
   * @param instead URL of the unusable ACME account to replace; null for none
   * @returns the account that all processes use: the given one, unless another process stored one first
   */
  storeAcmeAccount(
    directory: string,
    account: StoredAcmeAccount,
    instead: string | null,
  ): Promise<StoredAcmeAccount>;
}
