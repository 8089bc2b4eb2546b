import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { challengeCertificate } from '../acme/x509.ts';
import { type CertificateCounts, longestBackOffMs } from '../model/certificates.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Storage } from '../model/storage.ts';
import { createLoop, type Loop } from '../runtime/loop.ts';
import type { Report } from '../runtime/report.ts';
import type { Issuer, Pair } from './issuer.ts';
import { lifeOf } from './times.ts';

/** The hosts that this service answers for. */
export interface Hosts {
  /** Those of the installation itself: their certificates are there before a visitor asks. */
  own(): readonly string[];
  /**
   * Whether a host, in lower-case ASCII, may have a certificate: from memory for hosts that visitors ask for.
   * @throws Failure STORAGE_UNAVAILABLE when neither memory nor the database can say
   */
  has(host: string): MaybePromise<boolean>;
  /** Whether an authority would find this service there: else it is not asked, as it counts what fails. */
  isRoutedHere(host: string): MaybePromise<boolean>;
}

export interface CertificatesOptions {
  readonly storage: Pick<
    Storage,
    'certificate' | 'certificateCounts' | 'dueCertificates' | 'removeCertificate'
  >;
  readonly hosts: Hosts;
  readonly issuer: Issuer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  /** Called with the certificate of the first of the own hosts, also when it is renewed. */
  readonly onFirst: (pair: Pair) => void;
  /** In tests: from one look at what is due to the next, ms. */
  readonly intervalMs?: number | undefined;
}

/** The certificates of hosts: in memory what is in use, the rest in storage, what is missing ordered at the first handshake. */
export interface Certificates extends Loop {
  /** @returns undefined for a host that may have none, or has none in time */
  contextOf(host: string): Promise<SecureContext | undefined>;
  /** What proves a host by TLS-ALPN-01 while its order is under way. */
  challengeOf(host: string): Promise<SecureContext | undefined>;
  /** The answer to an authority that asks for a token by HTTP-01. */
  proofOf(host: string, token: string): Promise<string | undefined>;
  /** As of the last look, at most a minute ago; undefined before the first. */
  figures(): CertificateCounts | undefined;
}

interface LoadedCertificate {
  readonly cert: string;
  readonly context: SecureContext;
  /** When it was last held against storage, ms on a clock that only continues. */
  seenAt: number;
}

/** About 36 KiB each. */
const mostInMemory = 1_000;
/** Another process may have renewed it: after so long it is looked up again, next to the handshake. */
const freshMs = 60_000;
const handshakeWaitsMs = 10_000;
const lookAgainMs = 250;
const lookEveryMs = 60_000;
const mostDue = 100;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: handshakes and rounds meet over what is kept and what is under way, which nobody else may touch
export function createCertificates(options: CertificatesOptions): Certificates {
  const { storage, hosts, issuer, now, onError, onFirst, intervalMs = lookEveryMs } = options;
  const kept = new Map<string, LoadedCertificate>();
  const underWay = new Map<string, Promise<SecureContext | undefined>>();
  let closed = false;
  let figures: CertificateCounts | undefined;

  const keep = (host: string, pair: Pair): SecureContext => {
    const before = kept.get(host);
    const isNew = before?.cert !== pair.cert;
    const context = isNew ? createSecureContext(pair) : before.context;
    if (isNew && host === hosts.own()[0]) onFirst(pair);
    kept.delete(host);
    kept.set(host, { cert: pair.cert, context, seenAt: performance.now() });
    const [oldest] = kept.keys();
    if (kept.size > mostInMemory && oldest !== undefined) kept.delete(oldest);
    return context;
  };

  /** A handshake for a host that must wait, or that leads elsewhere, writes nothing and asks nobody. */
  const mayOrder = async (host: string, isLost: boolean): Promise<boolean> => {
    const row = await storage.certificate(host);
    const waits = row === undefined ? 0 : row.dueAt - now();
    const isPutOff =
      row !== undefined && (row.failures > 0 || row.chain === null) && waits > 0 && waits <= longestBackOffMs;
    if (isPutOff && !isLost && row.claimedUntil <= now()) return false;
    return hosts.own().includes(host) || (await hosts.isRoutedHere(host));
  };

  /** Reads it, or orders it, or waits for the process that does. */
  const obtain = async (host: string): Promise<SecureContext | undefined> => {
    const until = performance.now() + handshakeWaitsMs;
    do {
      const { pair, isLost } = await issuer.stored(host);
      if (pair !== undefined) return keep(host, pair);
      if (!(await mayOrder(host, isLost))) return undefined;
      const made = await issuer.look(host, isLost);
      if (made !== undefined) return keep(host, made);
      const row = await storage.certificate(host);
      const isUnderWay = row !== undefined && row.claimedUntil > now();
      if (!isUnderWay && row?.chain == null) return undefined;
      await pause(lookAgainMs, undefined, { ref: false });
    } while (performance.now() < until && !closed);
    return undefined;
  };
  /** However many handshakes wait for a host, it is obtained once. */
  const obtainOnce = (host: string): Promise<SecureContext | undefined> => {
    const running = underWay.get(host);
    if (running !== undefined) return running;
    const started = obtain(host).finally(() => underWay.delete(host));
    underWay.set(host, started);
    return started;
  };
  /** Takes over what other processes have renewed. What cannot be read now stays as it is. */
  const refresh = async (host: string, known: LoadedCertificate): Promise<void> => {
    known.seenAt = performance.now();
    const { pair } = await issuer.stored(host).catch(() => ({ pair: undefined }));
    if (pair !== undefined) keep(host, pair);
  };

  const lookAt = async (host: string): Promise<void> => {
    if (!(await hosts.has(host))) {
      kept.delete(host);
      return storage.removeCertificate(host);
    }
    const { pair, isLost } = await issuer.stored(host);
    const isOver = pair === undefined || lifeOf(pair.cert).to <= now();
    // Whoever leads visitors elsewhere permanently gets another one when they come back.
    if (isOver && !hosts.own().includes(host) && !(await hosts.isRoutedHere(host)))
      return storage.removeCertificate(host);
    const made = await issuer.look(host, isLost);
    if (made !== undefined) keep(host, made);
  };
  const look = async (): Promise<number> => {
    try {
      const missing = hosts.own().filter((host) => !kept.has(host));
      const due = await storage.dueCertificates(now(), mostDue);
      await Promise.all([...missing.map(obtainOnce), ...due.map(lookAt)]);
      figures = await storage.certificateCounts();
    } catch (error) {
      onError('What certificates are due cannot be read now.', { error });
    }
    return intervalMs;
  };
  const loop = createLoop(0, look);

  return {
    start: loop.start,
    figures: () => figures,
    async close() {
      closed = true;
      await loop.close();
      await Promise.allSettled(underWay.values());
    },
    async contextOf(host) {
      const known = kept.get(host);
      // Names that have a certificate keep it while nobody can say.
      const may = await new Promise<boolean>((resolve) => resolve(hosts.has(host))).catch(
        () => known !== undefined,
      );
      if (!may) return undefined;
      if (known === undefined) return withPatience(obtainOnce(host));
      if (performance.now() - known.seenAt > freshMs) void refresh(host, known);
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

/** The order continues without the handshake that began it. */
async function withPatience<T>(work: Promise<T>): Promise<T | undefined> {
  const ending = new AbortController();
  const late = pause(handshakeWaitsMs, undefined, { ref: false, signal: ending.signal }).catch(
    () => undefined,
  );
  return Promise.race([work, late]).finally(() => ending.abort());
}
