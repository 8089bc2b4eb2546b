import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { AcmeAccount, AcmeClient, ChallengeType } from '../acme/client.ts';
import type { ExternalAccount } from '../acme/jws.ts';
import { AcmeProblem } from '../acme/problem.ts';
import { newKey, pemOf } from '../acme/x509.ts';
import { asked, longestBackOffMs, type OrderLimits } from '../model/certificates.ts';
import type { Storage } from '../model/storage.ts';
import type { Report } from '../runtime/report.ts';
import type { Seal } from './seal.ts';
import { lifeOf, momentIn, pauseAfter, twoThirds } from './times.ts';

/** What the service asks an authority as, and how it proves its hosts. */
export interface IssuerOptions {
  readonly storage: Storage;
  readonly acme: AcmeClient;
  /** Address of the authority's directory. */
  readonly directory: string;
  readonly email?: string | undefined;
  readonly external?: ExternalAccount | undefined;
  readonly challenge: ChallengeType;
  readonly limits: OrderLimits;
  readonly seal: Seal;
  /** Names this process among all that share the database. */
  readonly process: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: Report;
  readonly onInfo: Report;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** A certificate that can be used, in PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Issuer {
  /** What storage has for a host. `isLost` when there is something that this process cannot open. */
  stored(host: string): Promise<{ readonly pair: Pair | undefined; readonly isLost: boolean }>;
  /**
   * Does what is due for a host, if no other process does: gets or renews its certificate, or asks when that is to be.
   * What this process does for the host already is waited for: a second order would take the proof of the first away.
   * @returns the new certificate, if there is one. Never rejects: what fails is reported, and tried again later
   */
  look(host: string, isLost?: boolean): Promise<Pair | undefined>;
}

/** A process that dies with a claim delays the work by so long, ms. */
const claimMs = 15_000;
const holdEveryMs = 5_000;
const orderWithinMs = 120_000;
const mostAtOnce = 8;
/** How soon after its order the authority is asked when to renew. */
const askSoonMs = 6 * 3_600_000;
/** How long a certificate of another secret is left alone, ms. */
const strangeForMs = 600_000;

/** What the work on a host needs. */
interface Context extends IssuerOptions {
  readonly account: ReturnType<typeof createAccount>;
  /** When each host was last reported as undecryptable, ms on a clock that only continues. */
  readonly reported: Map<string, number>;
}

export function createIssuer(options: IssuerOptions): Issuer {
  const { storage, process, now, onError, signal } = options;
  const context: Context = { ...options, account: createAccount(options), reported: new Map() };
  const withSlot = createSlots(mostAtOnce);
  const underWay = new Map<string, Promise<Pair | undefined>>();

  const look = async (host: string, isLost: boolean): Promise<Pair | undefined> => {
    try {
      if (signal.aborted) return undefined;
      const at = now();
      if (!(await storage.claimCertificate(host, process, at, at + claimMs, isLost))) return undefined;
      if (isLost)
        onError('The key of a certificate cannot be opened with this secret; it is ordered anew.', { host });
      const ending = AbortSignal.any([signal, AbortSignal.timeout(orderWithinMs)]);
      const holding = setInterval(() => {
        storage.extendCertificateClaim(host, process, now() + claimMs).catch(() => {}); // then the claim ends
      }, holdEveryMs).unref();
      return await work(context, host, ending).finally(() => clearInterval(holding));
    } catch (error) {
      onError('Certificates cannot be looked after now.', { host, error });
      return undefined;
    }
  };

  return {
    stored: (host) => stored(context, host),
    look(host, isLost = false) {
      const running = underWay.get(host);
      if (running !== undefined) return running;
      const started = withSlot(() => look(host, isLost)).finally(() => underWay.delete(host));
      underWay.set(host, started);
      return started;
    },
  };
}

async function stored(context: Context, host: string): ReturnType<Issuer['stored']> {
  const { storage, seal, now } = context;
  const row = await storage.certificate(host);
  if (row?.chain == null || row.key === null) return { pair: undefined, isLost: false };
  const key = seal.open(row.key, host);
  if (key !== undefined) return { pair: { cert: row.chain, key }, isLost: false };
  reportOtherSecret(context, host);
  // Two nodes with different secrets by mistake do not take it from each other at every handshake.
  return { pair: undefined, isLost: Math.abs(now() - (row.issuedAt ?? 0)) > strangeForMs };
}

/** Logs that this node serves no HTTPS for a host, at once and then every ten minutes. */
function reportOtherSecret({ reported, onError }: Context, host: string): void {
  const at = performance.now();
  if (at - (reported.get(host) ?? Number.NEGATIVE_INFINITY) < strangeForMs) return;
  reported.set(host, at);
  onError(
    'The private key of a certificate cannot be decrypted: SECRET_KEY is not the one that encrypted it.',
    { host },
  );
}

/** @returns when the certificate is to be renewed, and when to ask that again */
async function renewalOf(context: Context, cert: string): Promise<{ at: number; askAgainAt: number }> {
  const { acme, now } = context;
  const fallback = twoThirds(lifeOf(cert));
  try {
    const window = await acme.renewalWindow(cert);
    if (window === undefined) return { at: fallback, askAgainAt: fallback };
    return { at: momentIn(window, cert), askAgainAt: window.askAgainAt };
  } catch {
    // The authority is away. It is asked again long before two thirds have ended.
    return { at: fallback, askAgainAt: now() + askSoonMs };
  }
}

async function order(context: Context, host: string, ending: AbortSignal, replaces?: string): Promise<Pair> {
  const { storage, acme, account, challenge, process, now } = context;
  const key = newKey();
  const present = async (token: string, proof: string): Promise<void> => {
    const isOurs = await storage.extendCertificateClaim(host, process, now() + claimMs, { token, proof });
    if (!isOurs) throw new Error('Another process has taken over.');
  };
  const by = await account.get();
  try {
    const wish = { account: by, host, key, challenge, replaces, present, signal: ending };
    const cert = await acme.order(wish);
    const leaf = new X509Certificate(cert);
    if (leaf.checkHost(host) === undefined || !leaf.checkPrivateKey(key))
      throw new AcmeProblem({ detail: 'The authority sent a certificate that was not asked for.' });
    return { cert, key: pemOf(key) };
  } catch (error) {
    if (error instanceof AcmeProblem && error.kind === 'accountDoesNotExist') account.forget(by);
    throw error;
  }
}

async function keep(context: Context, host: string, pair: Pair, failures: number): Promise<void> {
  const { storage, seal, process, now, onError, onInfo } = context;
  const life = lifeOf(pair.cert);
  const at = now();
  const renewAt = twoThirds(life);
  // By a wrong clock a new certificate is to be renewed already, and would be ordered again at once, permanently.
  const isSound = at < renewAt;
  await storage.saveCertificateResult(host, process, {
    issued: { chain: pair.cert, key: seal.close(pair.key, host), at },
    expiresAt: life.to,
    dueAt: isSound ? Math.min(renewAt, at + askSoonMs) : at + pauseAfter(failures + 1),
    failures: isSound ? 0 : failures + 1,
    problem: isSound ? null : 'By the clock of this machine a new certificate is old.',
  });
  const facts = { host, until: new Date(life.to).toISOString() };
  if (isSound) onInfo('A host has a new certificate.', facts);
  else onError('By the clock of this machine a new certificate is old: is the clock wrong?', facts);
}

/** The work on a host that this process has claimed. */
async function work(context: Context, host: string, ending: AbortSignal): Promise<Pair | undefined> {
  const { storage, process, now, onError, signal } = context;
  const row = await storage.certificate(host);
  const { pair } = await stored(context, host);
  const failures = row?.failures ?? 0;
  try {
    if (pair !== undefined && row?.dueAt !== asked) {
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
      const problem = `Waits: ${context.limits[wait.limit]} certificates were ordered for this ${where}.`;
      await storage.saveCertificateResult(host, process, { dueAt: wait.until, failures, problem });
      return undefined;
    }
    const made = await order(context, host, ending, pair?.cert);
    await keep(context, host, made, failures);
    return made;
  } catch (error) {
    // A process that ends gives the work back as it was.
    if (signal.aborted) return void (await giveBack(context, host, row?.dueAt ?? now(), failures));
    const wished = error instanceof AcmeProblem ? error.retryAfterMs : 0;
    const pauseMs = Math.min(Math.max(pauseAfter(failures + 1), wished), longestBackOffMs);
    const dueAt = now() + pauseMs;
    const problem = error instanceof Error ? reasonOf(error) : String(error);
    await storage.saveCertificateResult(host, process, { dueAt, failures: failures + 1, problem });
    const again = new Date(dueAt).toISOString();
    onError('A host gets no certificate yet.', { host, problem, again, hasOne: pair !== undefined });
    return undefined;
  }
}

function giveBack(context: Context, host: string, dueAt: number, failures: number): Promise<boolean> {
  const { storage, process } = context;
  return storage.saveCertificateResult(host, process, { dueAt, failures, problem: null });
}

/** The account of this installation: made once, whichever process needs it first. */
function createAccount({ storage, acme, directory, email, external, seal }: IssuerOptions) {
  let account: Promise<AcmeAccount> | undefined;
  let useless: string | null = null;

  const load = async (): Promise<AcmeAccount> => {
    const kept = await storage.acmeAccount(directory);
    const known = kept === undefined ? undefined : opened(kept);
    if (known !== undefined && known.url !== useless) return known;
    const { url, key } = await acme.account(newKey(), email, external);
    const sealed = seal.close(pemOf(key), directory);
    return (
      opened(await storage.storeAcmeAccount(directory, { url, key: sealed }, kept?.url ?? null)) ?? {
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
    const pem = seal.open(key, directory);
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
    /** The authority does not know it any more. */
    forget({ url }: AcmeAccount): void {
      useless = url;
      account = undefined;
    },
  };
}

/** Lets so many do their work at a time; the others follow in their order. */
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

/** `fetch` hides why it failed in the cause. */
function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
