import type { MaybePromise } from './maybe-promise.ts';

/** A host's stored certificate. The private key is encrypted before it is stored. */
export interface StoredCertificate {
  /** PEM chain, leaf first; null if there is no certificate yet. */
  readonly chain: string | null;
  readonly key: Uint8Array | null;
  /** When the certificate was issued, ms since the epoch. */
  readonly issuedAt: number | null;
  /** When the next action for the host is due; {@link requestedByOperator} if an operator requested a certificate. */
  readonly dueAt: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly problem: string | null;
  /** When the current claim on the host ends, ms since the epoch. */
  readonly claimedUntil: number;
  /** ACME challenge token of a pending order. `proof` is the response to it. */
  readonly token: string | null;
  readonly proof: string | null;
}

/** Changes to a host's stored certificate after an attempt to order or renew it. Omitted fields stay unchanged. */
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

/**
 * Maximum back-off after a failure, in ms. A due time that is further in the future was set while the clock was wrong,
 * so it is ignored.
 */
export const longestBackOffMs = 86_400_000;

/** The `dueAt` of a certificate that an operator requested. It is earlier than all other due times. */
export const requestedByOperator = 0;

/** A host's certificate status. Times are ms since the epoch. */
export interface CertificateState {
  readonly host: string;
  readonly hasCertificate: boolean;
  /** Null if an older version of Linkfold ordered the certificate and it has not been checked since. */
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

/** Limits on the number of certificate orders. Orders above a limit are delayed. */
export interface OrderLimits {
  /** Maximum per account in one hour. */
  readonly ofAccount: number;
  /** Maximum per installation in three hours, including renewals. */
  readonly ofAll: number;
}

/** Why an order is delayed, and until when (ms since the epoch). */
export interface OrderDelay {
  readonly limit: keyof OrderLimits;
  readonly until: number;
}

/** Certificate counts for metrics. */
export interface CertificateCounts {
  readonly held: number;
  /** Number of hosts whose last attempt failed. */
  readonly failing: number;
  /** Number of hosts that have no certificate because its order is pending or delayed by a limit. */
  readonly waiting: number;
  /** Earliest expiry, ms since the epoch; null if there are no certificates. */
  readonly firstExpiresAt: number | null;
}

export interface CertificateReads {
  certificate(host: string): MaybePromise<StoredCertificate | undefined>;
  /**
   * Lists the certificates of all hosts, sorted by host. Once there is an ACME account, also lists verified hosts that
   * have not had a visit yet.
   */
  certificates(): MaybePromise<readonly ListedCertificate[]>;
  /** Lists the certificates of an account's verified hosts. */
  certificatesOf(accountId: number): MaybePromise<readonly CertificateState[]>;
  certificateCounts(): MaybePromise<CertificateCounts>;
  /** Returns true if a verified host is known to be routed to this installation. The CA's challenge requires this. */
  isRoutedHere(host: string): MaybePromise<boolean>;
  /** Lists hosts whose next action is due and that no process has claimed. */
  dueCertificates(now: number, max: number): MaybePromise<readonly string[]>;
  /** @param directory the CA's ACME directory URL */
  acmeAccount(directory: string): MaybePromise<StoredAcmeAccount | undefined>;
}

export interface CertificateWrites {
  /**
   * Claims a host for one process.
   * @param by name of the claiming process
   * @param isLost true if the current certificate is unusable; the host is then claimed even if it is not due, unless
   * the last attempt failed
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
  /**
   * Stores the result of an attempt and releases this process's claim.
   * @returns false if another process has claimed the host
   */
  saveCertificateResult(host: string, by: string, change: CertificateChange): Promise<boolean>;
  removeCertificate(host: string): Promise<void>;
  /**
   * Records an order unless a limit delays it. Only first orders for custom domains are delayed, never renewals.
   * @returns undefined if the order may be sent to the CA
   */
  recordOrder(
    host: string,
    isFirst: boolean,
    limits: OrderLimits,
    now: number,
  ): Promise<OrderDelay | undefined>;
  /**
   * Makes the next run order a new certificate, even if the current one is valid.
   * @returns false for an unknown host
   */
  requestCertificate(host: string): Promise<boolean>;
  /**
   * Stores an ACME account.
   * @param instead URL of the unusable ACME account to replace; null if there is none
   * @returns the account that all processes use: the given one, unless another process stored one first
   */
  storeAcmeAccount(
    directory: string,
    account: StoredAcmeAccount,
    instead: string | null,
  ): Promise<StoredAcmeAccount>;
}
