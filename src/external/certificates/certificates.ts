import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type CertificateCounts, longestBackOffMs } from '../../model/certificates.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Storage } from '../../model/storage.ts';
import { createLoop, type Loop } from '../../runtime/loop.ts';
import type { Report } from '../../runtime/report.ts';
import { challengeCertificate } from '../acme/x509.ts';
import type { Issuer, Pair } from './issuer.ts';
import { lifeOf } from './times.ts';

/** Hosts that this service serves. */
export interface Hosts {
  /** Returns the installation's own hosts. Their certificates are ordered before the first visit. */
  own(): readonly string[];
  /**
   * Returns true if a host may have a certificate. Hosts that visitors use are looked up in memory.
   * @param host host name in lower-case ASCII
   * @throws Failure STORAGE_UNAVAILABLE if the host is not in memory and the database cannot be read
   */
  has(host: string): MaybePromise<boolean>;
  /**
   * Returns true if a host's DNS points to this service. Otherwise, no certificate is ordered, because CAs limit failed
   * validations.
   */
  isRoutedHere(host: string): MaybePromise<boolean>;
}

export interface CertificatesOptions {
  readonly storage: Pick<
    Storage,
    'certificate' | 'certificateCounts' | 'dueCertificates' | 'removeCertificate'
  >;
  readonly hosts: Hosts;
  readonly issuer: Issuer;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  /** Called with the certificate for the first of `Hosts.own`, and again after each renewal of that certificate. */
  readonly onFirst: (pair: Pair) => void;
  /** Milliseconds between checks for certificates to renew; set in tests. */
  readonly intervalMs?: number | undefined;
}

/**
 * Certificates by host. Certificates in use are in memory; storage contains all certificates. A missing certificate is
 * ordered at the host's first handshake.
 */
export interface Certificates extends Loop {
  /** Returns the certificate for a host, or undefined if the host may not have one or it was not issued in time. */
  contextOf(host: string): Promise<SecureContext | undefined>;
  /** Returns the certificate for a TLS-ALPN-01 challenge while an order is in progress. */
  challengeOf(host: string): Promise<SecureContext | undefined>;
  /** Returns the response to an HTTP-01 challenge. */
  proofOf(host: string, token: string): Promise<string | undefined>;
  /** Returns the statistics from the last check, at most a minute old; undefined before the first check. */
  counts(): CertificateCounts | undefined;
}

interface LoadedCertificate {
  readonly cert: string;
  readonly context: SecureContext;
  /** Time of the last comparison with storage, in ms on a monotonic clock. */
  seenAt: number;
}

/** Maximum number of certificates in memory. Each takes about 36 KiB. */
const maxInMemory = 1_000;
/**
 * Milliseconds after which a certificate is read again in the background, because another process may have renewed it.
 */
const refreshMs = 60_000;
const handshakeWaitsMs = 10_000;
const recheckMs = 250;
const checkEveryMs = 60_000;
const maxDue = 100;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: handshakes and the regular check share the certificates in memory and the orders in progress
export function createCertificates(options: CertificatesOptions): Certificates {
  const { storage, hosts, issuer, now, onError, onFirst, intervalMs = checkEveryMs } = options;
  const loaded = new Map<string, LoadedCertificate>();
  const underWay = new Map<string, Promise<SecureContext | undefined>>();
  let closed = false;
  let counts: CertificateCounts | undefined;

  const keepInMemory = (host: string, pair: Pair): SecureContext => {
    const before = loaded.get(host);
    const isNew = before?.cert !== pair.cert;
    const context = isNew ? createSecureContext(pair) : before.context;
    if (isNew && host === hosts.own()[0]) onFirst(pair);
    loaded.delete(host);
    loaded.set(host, { cert: pair.cert, context, seenAt: performance.now() });
    const [oldest] = loaded.keys();
    if (loaded.size > maxInMemory && oldest !== undefined) loaded.delete(oldest);
    return context;
  };

  /**
   * Returns false for hosts whose next attempt is not due yet, or whose DNS points elsewhere. Ordering a certificate
   * for them would only cause writes and failed requests.
   */
  const mayOrder = async (host: string, isLost: boolean): Promise<boolean> => {
    const row = await storage.certificate(host);
    const waits = row === undefined ? 0 : row.dueAt - now();
    const isPutOff =
      row !== undefined && (row.failures > 0 || row.chain === null) && waits > 0 && waits <= longestBackOffMs;
    if (isPutOff && !isLost && row.claimedUntil <= now()) return false;
    return hosts.own().includes(host) || (await hosts.isRoutedHere(host));
  };

  /** Reads the certificate from storage. If there is none, orders it, or waits for the process that is ordering it. */
  const obtain = async (host: string): Promise<SecureContext | undefined> => {
    const until = performance.now() + handshakeWaitsMs;
    do {
      const { pair, isLost } = await issuer.stored(host);
      if (pair !== undefined) return keepInMemory(host, pair);
      if (!(await mayOrder(host, isLost))) return undefined;
      const made = await issuer.renewIfDue(host, isLost);
      if (made !== undefined) return keepInMemory(host, made);
      const row = await storage.certificate(host);
      const isUnderWay = row !== undefined && row.claimedUntil > now();
      if (!isUnderWay && row?.chain == null) return undefined;
      await pause(recheckMs, undefined, { ref: false });
    } while (performance.now() < until && !closed);
    return undefined;
  };
  /** Obtains a certificate once, even if several handshakes wait for it. */
  const obtainOnce = (host: string): Promise<SecureContext | undefined> => {
    const running = underWay.get(host);
    if (running !== undefined) return running;
    const started = obtain(host).finally(() => underWay.delete(host));
    underWay.set(host, started);
    return started;
  };
  /**
   * Reloads a certificate if another process has renewed it. If storage cannot be read, the certificate in memory stays
   * in use.
   */
  const refresh = async (host: string, known: LoadedCertificate): Promise<void> => {
    known.seenAt = performance.now();
    const { pair } = await issuer.stored(host).catch(() => ({ pair: undefined }));
    if (pair !== undefined) keepInMemory(host, pair);
  };

  const checkHost = async (host: string): Promise<void> => {
    if (!(await hosts.has(host))) {
      loaded.delete(host);
      return storage.removeCertificate(host);
    }
    const { pair, isLost } = await issuer.stored(host);
    const isExpired = pair === undefined || lifeOf(pair.cert).to <= now();
    // An expired certificate is removed if the domain points elsewhere. A new one is ordered when the domain points
    // here again.
    if (isExpired && !hosts.own().includes(host) && !(await hosts.isRoutedHere(host)))
      return storage.removeCertificate(host);
    const made = await issuer.renewIfDue(host, isLost);
    if (made !== undefined) keepInMemory(host, made);
  };
  const checkDue = async (): Promise<number> => {
    try {
      const missing = hosts.own().filter((host) => !loaded.has(host));
      const due = await storage.dueCertificates(now(), maxDue);
      await Promise.all([...missing.map(obtainOnce), ...due.map(checkHost)]);
      counts = await storage.certificateCounts();
    } catch (error) {
      onError('Could not read from the database which certificates need renewal. Linkfold will retry.', {
        error,
      });
    }
    return intervalMs;
  };
  const loop = createLoop(0, checkDue);

  return {
    start: loop.start,
    counts: () => counts,
    async close() {
      closed = true;
      await loop.close();
      await Promise.allSettled(underWay.values());
    },
    async contextOf(host) {
      const known = loaded.get(host);
      // If storage is unavailable, certificates in memory remain in use.
      const may = await new Promise<boolean>((resolve) => resolve(hosts.has(host))).catch(
        () => known !== undefined,
      );
      if (!may) return undefined;
      if (known === undefined) return withinHandshake(obtainOnce(host));
      if (performance.now() - known.seenAt > refreshMs) void refresh(host, known);
      return known.context;
    },
    async challengeOf(host) {
      const proof = (await hosts.has(host)) ? (await storage.certificate(host))?.proof : undefined;
      if (proof == null) return undefined;
      return createSecureContext(challengeCertificate(host, createHash('sha256').update(proof).digest()));
    },
    async proofOf(host, token) {
      const row = (await hosts.has(host)) ? await storage.certificate(host) : undefined;
      return row?.token === token ? (row.proof ?? undefined) : undefined;
    },
  };
}

/** Limits the time that a handshake waits for an order. The order continues after that time. */
async function withinHandshake<T>(work: Promise<T>): Promise<T | undefined> {
  const ending = new AbortController();
  const late = pause(handshakeWaitsMs, undefined, { ref: false, signal: ending.signal }).catch(
    () => undefined,
  );
  return Promise.race([work, late]).finally(() => ending.abort());
}
