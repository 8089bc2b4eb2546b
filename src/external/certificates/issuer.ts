import { createPrivateKey, X509Certificate } from 'node:crypto';
import { longestBackOffMs, type OrderLimits, requestedByOperator } from '../../model/certificates.ts';
import type { Storage } from '../../model/storage.ts';
import type { Report } from '../../runtime/report.ts';
import type { AcmeAccount, AcmeClient, ChallengeType } from '../acme/client.ts';
import type { ExternalAccount } from '../acme/jws.ts';
import { AcmeProblem } from '../acme/problem.ts';
import { newKey, pemOf } from '../acme/x509.ts';
import type { Encryption } from './encryption.ts';
import { lifeOf, momentIn, pauseAfter, twoThirds } from './times.ts';

/** Options for the issuer: ACME account, challenge type and dependencies. */
export interface IssuerOptions {
  readonly storage: Storage;
  readonly acme: AcmeClient;
  /** URL of the authority's directory. */
  readonly directory: string;
  readonly email?: string | undefined;
  readonly external?: ExternalAccount | undefined;
  readonly challenge: ChallengeType;
  readonly limits: OrderLimits;
  readonly encryption: Encryption;
  /** Identifies this process among the processes that share the database. */
  readonly process: string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  readonly onInfo: Report;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** A certificate and its private key, in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Issuer {
  /**
   * Returns the stored certificate for a host. `isLost` is true if this process cannot decrypt the certificate's key.
   */
  stored(host: string): Promise<{ readonly pair: Pair | undefined; readonly isLost: boolean }>;
  /**
   * Orders or renews a host's certificate, or queries the authority for the renewal time, if one of these is due and no
   * other process is doing it. If this process is already working on the host, waits for the result, because a second
   * order would replace the first order's challenge.
   * @returns the new certificate, or undefined if there is none. Never rejects: failures are reported and retried
   * later.
   */
  renewIfDue(host: string, isLost?: boolean): Promise<Pair | undefined>;
}

/** Milliseconds for which a process claims a host. If the process dies, another one can continue after this time. */
const claimMs = 15_000;
const holdEveryMs = 5_000;
const orderWithinMs = 120_000;
const maxConcurrent = 8;
/** Milliseconds between ordering a certificate and querying the authority for the renewal time. */
const askSoonMs = 6 * 3_600_000;
/** Milliseconds to wait before replacing a certificate whose key was encrypted with another secret. */
const otherSecretMs = 600_000;

/** State shared by the functions that process a host. */
interface Context extends IssuerOptions {
  readonly account: ReturnType<typeof createAccount>;
  /** Time at which each host's key was last reported as undecryptable, in ms on a monotonic clock. */
  readonly reported: Map<string, number>;
}

export function createIssuer(options: IssuerOptions): Issuer {
  const { storage, process, now, onError, signal } = options;
  const context: Context = { ...options, account: createAccount(options), reported: new Map() };
  const withSlot = createSlots(maxConcurrent);
  const underWay = new Map<string, Promise<Pair | undefined>>();

  const claimAndRenew = async (host: string, isLost: boolean): Promise<Pair | undefined> => {
    try {
      if (signal.aborted) return undefined;
      const at = now();
      if (!(await storage.claimCertificate(host, process, at, at + claimMs, isLost))) return undefined;
      if (isLost)
        onError(
          "Could not decrypt a certificate's private key with this SECRET_KEY. Ordering a new certificate.",
          { host },
        );
      const ending = AbortSignal.any([signal, AbortSignal.timeout(orderWithinMs)]);
      const holding = setInterval(() => {
        storage.extendCertificateClaim(host, process, now() + claimMs).catch(() => {}); // on failure, the claim expires
      }, holdEveryMs).unref();
      return await work(context, host, ending).finally(() => clearInterval(holding));
    } catch (error) {
      onError('Could not check whether a host needs a new certificate. Linkfold will retry.', {
        host,
        error,
      });
      return undefined;
    }
  };

  return {
    stored: (host) => stored(context, host),
    renewIfDue(host, isLost = false) {
      const running = underWay.get(host);
      if (running !== undefined) return running;
      const started = withSlot(() => claimAndRenew(host, isLost)).finally(() => underWay.delete(host));
      underWay.set(host, started);
      return started;
    },
  };
}

async function stored(context: Context, host: string): ReturnType<Issuer['stored']> {
  const { storage, encryption, now } = context;
  const row = await storage.certificate(host);
  if (row?.chain == null || row.key === null) return { pair: undefined, isLost: false };
  const key = encryption.decrypt(row.key, host);
  if (key !== undefined) return { pair: { cert: row.chain, key }, isLost: false };
  reportOtherSecret(context, host);
  // The delay (`otherSecretMs`) prevents two misconfigured nodes with different secrets from replacing each other's
  // certificate at every handshake.
  return { pair: undefined, isLost: Math.abs(now() - (row.issuedAt ?? 0)) > otherSecretMs };
}

/** Logs, immediately and then every ten minutes, that this node cannot serve HTTPS for a host. */
function reportOtherSecret({ reported, onError }: Context, host: string): void {
  const at = performance.now();
  if (at - (reported.get(host) ?? Number.NEGATIVE_INFINITY) < otherSecretMs) return;
  reported.set(host, at);
  onError(
    "Could not decrypt a certificate's private key, so this node serves no HTTPS for the host. Set the SECRET_KEY that encrypted the private key.",
    { host },
  );
}

/** Returns the time at which to renew the certificate, and the time at which to query the authority again. */
async function renewalOf(context: Context, cert: string): Promise<{ at: number; askAgainAt: number }> {
  const { acme, now } = context;
  const fallback = twoThirds(lifeOf(cert));
  try {
    const window = await acme.renewalWindow(cert);
    if (window === undefined) return { at: fallback, askAgainAt: fallback };
    return { at: momentIn(window, cert), askAgainAt: window.askAgainAt };
  } catch {
    // The authority is unreachable. It is queried again long before the certificate has reached two thirds of its
    // lifetime.
    return { at: fallback, askAgainAt: now() + askSoonMs };
  }
}

async function order(context: Context, host: string, ending: AbortSignal, replaces?: string): Promise<Pair> {
  const { storage, acme, account, challenge, process, now } = context;
  const key = newKey();
  const present = async (token: string, proof: string): Promise<void> => {
    const isOurs = await storage.extendCertificateClaim(host, process, now() + claimMs, { token, proof });
    if (!isOurs) throw new Error('Another process has taken over this certificate (ACME) order.');
  };
  const by = await account.get();
  try {
    const wish = { account: by, host, key, challenge, replaces, present, signal: ending };
    const cert = await acme.order(wish);
    const leaf = new X509Certificate(cert);
    if (leaf.checkHost(host) === undefined || !leaf.checkPrivateKey(key))
      throw new AcmeProblem({
        detail: 'The certificate authority sent a certificate for another host or key.',
      });
    return { cert, key: pemOf(key) };
  } catch (error) {
    if (error instanceof AcmeProblem && error.kind === 'accountDoesNotExist') account.forget(by);
    throw error;
  }
}

async function storeCertificate(context: Context, host: string, pair: Pair, failures: number): Promise<void> {
  const { storage, encryption, process, now, onError, onInfo } = context;
  const life = lifeOf(pair.cert);
  const at = now();
  const renewAt = twoThirds(life);
  // If the clock is wrong, a new certificate may appear to be due for renewal, and would be ordered again and again.
  const isSound = at < renewAt;
  await storage.saveCertificateResult(host, process, {
    issued: { chain: pair.cert, key: encryption.encrypt(pair.key, host), at },
    expiresAt: life.to,
    dueAt: isSound ? Math.min(renewAt, at + askSoonMs) : at + pauseAfter(failures + 1),
    failures: isSound ? 0 : failures + 1,
    problem: isSound
      ? null
      : "According to this machine's clock, a new certificate has already expired. Check the clock.",
  });
  const facts = { host, until: new Date(life.to).toISOString() };
  if (isSound) onInfo('A certificate was issued.', facts);
  else
    onError(
      "According to this machine's clock, a new certificate has already expired. Check the clock.",
      facts,
    );
}

/** Orders, renews or checks the certificate for a host that this process has claimed. */
async function work(context: Context, host: string, ending: AbortSignal): Promise<Pair | undefined> {
  const { storage, process, now, onError, signal } = context;
  const row = await storage.certificate(host);
  const { pair } = await stored(context, host);
  const failures = row?.failures ?? 0;
  try {
    if (pair !== undefined && row?.dueAt !== requestedByOperator) {
      const { at, askAgainAt } = await renewalOf(context, pair.cert);
      if (at > now()) {
        const dueAt = Math.max(Math.min(at, askAgainAt), now() + 60_000);
        const expiresAt = lifeOf(pair.cert).to;
        await storage.saveCertificateResult(host, process, { expiresAt, dueAt, failures: 0, problem: null });
        return undefined;
      }
    }
    const wait = await storage.recordOrder(host, row?.chain == null, context.limits, now());
    if (wait !== undefined) {
      const where = { ofAccount: 'account within an hour', ofAll: 'installation within 3 hours' }[wait.limit];
      const problem = `Waiting: ${context.limits[wait.limit]} certificates were ordered for this ${where}.`;
      await storage.saveCertificateResult(host, process, { dueAt: wait.until, failures, problem });
      return undefined;
    }
    const made = await order(context, host, ending, pair?.cert);
    await storeCertificate(context, host, made, failures);
    return made;
  } catch (error) {
    // A process that is stopping releases its claim and leaves the due time and the failure count unchanged.
    if (signal.aborted) return void (await releaseClaim(context, host, row?.dueAt ?? now(), failures));
    const wished = error instanceof AcmeProblem ? error.retryAfterMs : 0;
    const pauseMs = Math.min(Math.max(pauseAfter(failures + 1), wished), longestBackOffMs);
    const dueAt = now() + pauseMs;
    const problem = error instanceof Error ? reasonOf(error) : String(error);
    await storage.saveCertificateResult(host, process, { dueAt, failures: failures + 1, problem });
    const again = new Date(dueAt).toISOString();
    onError('Could not obtain a certificate. Linkfold will retry.', {
      host,
      problem,
      again,
      hasCertificate: pair !== undefined,
    });
    return undefined;
  }
}

function releaseClaim(context: Context, host: string, dueAt: number, failures: number): Promise<boolean> {
  const { storage, process } = context;
  return storage.saveCertificateResult(host, process, { dueAt, failures, problem: null });
}

/** Loads this installation's ACME account. The first process that needs the account creates it. */
function createAccount({ storage, acme, directory, email, external, encryption }: IssuerOptions) {
  let account: Promise<AcmeAccount> | undefined;
  let useless: string | null = null;

  const load = async (): Promise<AcmeAccount> => {
    const kept = await storage.acmeAccount(directory);
    const known = kept === undefined ? undefined : opened(kept);
    if (known !== undefined && known.url !== useless) return known;
    const { url, key } = await acme.account(newKey(), email, external);
    const encrypted = encryption.encrypt(pemOf(key), directory);
    return (
      opened(await storage.storeAcmeAccount(directory, { url, key: encrypted }, kept?.url ?? null)) ?? {
        url,
        key,
      }
    );
  };
  const opened = ({
    url,
    key,
  }: {
    readonly url: string;
    readonly key: Uint8Array;
  }): AcmeAccount | undefined => {
    const pem = encryption.decrypt(key, directory);
    return pem === undefined ? undefined : { url, key: createPrivateKey(pem) };
  };

  return {
    get(): Promise<AcmeAccount> {
      account ??= load().catch((error: unknown) => {
        account = undefined;
        throw error;
      });
      return account;
    },
    /** Forgets an account that the authority no longer knows. */
    forget({ url }: AcmeAccount): void {
      useless = url;
      account = undefined;
    },
  };
}

/** Limits the number of concurrent calls. Additional calls wait in order. */
function createSlots(most: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (taken === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}

/** Returns the reason why a `fetch` failed. The reason is in the cause of the error that `fetch` throws. */
function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
