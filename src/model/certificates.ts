import type { MaybePromise } from './maybe-promise.ts';

/** A host's stored certificate. Private keys are encrypted before they are stored. */
export interface StoredCertificate {
  /** PEM chain, leaf first; null while there is none. */
  readonly chain: string | null;
  readonly key: Uint8Array | null;
  /** When this certificate was issued, ms since the epoch. */
  readonly issuedAt: number | null;
  /** When the next action for the host is due; {@link asked} when an operator requested another certificate. */
  readonly dueAt: number;
  /** Consecutive failures, and the last reason. */
  readonly failures: number;
  readonly problem: string | null;
  /** Until when a process has claimed the host. */
  readonly claimedUntil: number;
  /** ACME challenge token and response of a pending order. */
  readonly token: string | null;
  readonly proof: string | null;
}

/** The result of work on a host. Omitted fields stay unchanged. */
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

/** Maximum back-off after a failure, ms, unless the clock was wrong at the time. */
export const longestBackOffMs = 86_400_000;

/** Sorts before all other due times: an operator requested it. */
export const asked = 0;

/** Certificate status of a host: validity and last error. Times are ms since the epoch. */
export interface CertificateState {
  readonly host: string;
  readonly hasOne: boolean;
  /** Undefined if an older version ordered it, until the next check. */
  readonly expiresAt: number | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly dueAt: number;
}

/** As operators see it. */
export interface ListedCertificate extends Omit<CertificateState, 'dueAt'> {
  /** Null for a verified host that has had no visit yet. */
  readonly dueAt: number | null;
}

/** Limits of orders before further ones are delayed. */
export interface OrderLimits {
  /** Per account and hour. */
  readonly ofAccount: number;
  /** Per installation and three hours, including renewals. */
  readonly ofAll: number;
}

/** Why an order is delayed, and until when, ms since the epoch. */
export interface OrderWait {
  readonly limit: keyof OrderLimits;
  readonly until: number;
}

/** Certificate metrics. */
export interface CertificateFigures {
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
  /** Those of all hosts, by host; also the proven hosts that wait for their first visit, once this installation has an account at an authority. */
  certificates(): MaybePromise<readonly ListedCertificate[]>;
  /** Those of the hosts that an account has proven. */
  certificatesOf(accountId: number): MaybePromise<readonly CertificateState[]>;
  certificateFigures(): MaybePromise<CertificateFigures>;
  /**
   * Returns true if DNS routes a verified host to this installation, as far as is known: otherwise the CA's challenge would fail.
   */
  leadsHere(host: string): MaybePromise<boolean>;
  /** Hosts that are due and not claimed by a process. */
  dueCertificates(now: number, max: number): MaybePromise<readonly string[]>;
  /** @param directory the CA's ACME directory URL */
  acmeAccount(directory: string): MaybePromise<StoredAcmeAccount | undefined>;
}

export interface CertificateWrites {
  /**
   * Claims a host for one process.
   * @param by the process name
   * @param isLost whether the current certificate is unusable, so that the host need not be due
   * @returns false when another process has claimed it or it is not due
   */
  claimCertificate(host: string, by: string, now: number, until: number, isLost: boolean): Promise<boolean>;
  /**
   * Extends the claim.
   * @param challenge the ACME challenge and the response that every process serves
   * @returns false when another process has claimed it
   */
  holdCertificate(
    host: string,
    by: string,
    until: number,
    challenge?: { readonly token: string; readonly proof: string },
  ): Promise<boolean>;
  /** Records the result and releases this process's claim. @returns false when another process has claimed it */
  settleCertificate(host: string, by: string, change: CertificateChange): Promise<boolean>;
  dropCertificate(host: string): Promise<void>;
  /**
   * Records an order, unless it is delayed. Only first orders of accounts' hosts are delayed: renewals take precedence.
   * @returns undefined when it may be sent to the CA
   */
  recordOrder(
    host: string,
    isFirst: boolean,
    limits: OrderLimits,
    now: number,
  ): Promise<OrderWait | undefined>;
  /** Requests a new certificate at the next run, even if the current one is valid. @returns false for an unknown host */
  askForCertificate(host: string): Promise<boolean>;
  /**
   * @param instead URL of an ACME account that is no longer usable
   * @returns the account that all processes use: the given one, unless another process stored one first
   */
  keepAcmeAccount(
    directory: string,
    account: StoredAcmeAccount,
    instead: string | null,
  ): Promise<StoredAcmeAccount>;
}
