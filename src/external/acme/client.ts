import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { retryAfterIn } from '../../runtime/retry-after.ts';
import { type ExternalAccount, externalBinding, keyAuthorization } from './jws.ts';
import { AcmeProblem, type ProblemDocument } from './problem.ts';
import { createRequests, type RequestOptions, type Requests, type Signer } from './requests.ts';
import { certificateRequest, renewalName } from './x509.ts';

/**
 * Method of proving control of a host: `http-01` serves a file over HTTP on port 80, and `tls-alpn-01` serves a
 * certificate over TLS on port 443.
 */
export type ChallengeType = 'http-01' | 'tls-alpn-01';

/** An ACME account. */
export type AcmeAccount = Required<Signer>;

export interface OrderRequest {
  readonly account: AcmeAccount;
  /** Host name in ASCII. */
  readonly host: string;
  /** Private key of the certificate. */
  readonly key: KeyObject;
  readonly challenge: ChallengeType;
  /** PEM chain that the new certificate replaces. */
  readonly replaces?: string | undefined;
  /** Makes the service respond to the challenge. The authority validates the challenge afterwards. */
  readonly present: (token: string, authorization: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Time range in which the authority suggests renewing a certificate, and the time of the next query, in ms since the
 * epoch.
 */
export interface RenewalWindow {
  readonly start: number;
  readonly end: number;
  readonly askAgainAt: number;
}

export interface AcmeClient {
  /**
   * Returns the account that belongs to a key. If there is none, agrees to the authority's terms and creates the
   * account.
   */
  account(key: KeyObject, email?: string, external?: ExternalAccount): Promise<AcmeAccount>;
  /**
   * Orders a certificate.
   * @returns the certificate chain in PEM
   * @throws AcmeProblem if the authority rejects the order; an error from `fetch` if the authority cannot be reached;
   * the signal's reason if the signal is aborted
   */
  order(request: OrderRequest): Promise<string>;
  /** Queries a certificate's renewal window (RFC 9773). @returns undefined if the authority does not support it */
  renewalWindow(chain: string): Promise<RenewalWindow | undefined>;
}

interface Order {
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate?: string;
  readonly error?: ProblemDocument;
}

interface Authorization {
  readonly status: string;
  readonly challenges: readonly {
    readonly type: string;
    readonly url: string;
    readonly token: string;
    readonly error?: ProblemDocument;
  }[];
}

const firstPauseMs = 250;
const maxPauseMs = 5_000;
const askAgainMs = 6 * 3_600_000;

interface Context {
  readonly now: () => number;
  readonly requests: Requests;
}

/** Creates an ACME client (RFC 8555) that supports certificates for a single host. */
export function createAcmeClient(options: RequestOptions): AcmeClient {
  const { now } = options;
  const requests = createRequests(options);
  const context: Context = { now, requests };

  return {
    async account(key, email, external) {
      const { newAccount } = await requests.directory();
      const answer = await requests.post(
        newAccount,
        { key },
        {
          termsOfServiceAgreed: true,
          ...(email !== undefined && { contact: [`mailto:${email}`] }),
          ...(external !== undefined && {
            externalAccountBinding: externalBinding(external, key, newAccount),
          }),
        },
      );
      return { key, url: locationOf(answer) };
    },
    async order(request) {
      const { account, host, key } = request;
      const begun = await begin(context, request);
      const url = locationOf(begun);
      const { authorizations, finalize } = (await begun.json()) as Order;
      for (const authorization of authorizations) await prove(context, authorization, request);
      const ready = await pollUntilFinal<Order>(context, url, request, 'pending');
      if (ready.status === 'ready') {
        const csr = certificateRequest(host, key).toString('base64url');
        await requests.post(finalize, account, { csr });
      }
      const done = await pollUntilFinal<Order>(context, url, request, 'pending', 'ready', 'processing');
      if (done.certificate === undefined)
        throw new AcmeProblem(
          done.error ?? { detail: `The certificate order has the status ${done.status}.` },
        );
      return (await requests.post(done.certificate, account)).text();
    },
    async renewalWindow(chain) {
      const { renewalInfo } = await requests.directory();
      const name = renewalInfo === undefined ? undefined : renewalName(chain);
      if (name === undefined) return undefined;
      const answer = await requests.get(`${renewalInfo}/${name}`);
      const { suggestedWindow } = (await answer.json()) as {
        suggestedWindow: { start: string; end: string };
      };
      const [start, end] = [Date.parse(suggestedWindow.start), Date.parse(suggestedWindow.end)];
      if (!(start <= end))
        throw new AcmeProblem({ detail: 'The certificate authority returned invalid renewal information.' });
      return {
        start,
        end,
        askAgainAt: now() + (retryAfterIn(answer.headers.get('retry-after'), now()) ?? askAgainMs),
      };
    },
  };
}

/** Polls a resource until its status is final. */
async function pollUntilFinal<T extends { readonly status: string }>(
  context: Context,
  url: string,
  { account, signal }: OrderRequest,
  ...undecided: readonly string[]
): Promise<T> {
  const { requests, now } = context;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const answer = await requests.post(url, account);
    const found = (await answer.json()) as T;
    if (!undecided.includes(found.status)) return found;
    const asked = Math.min(retryAfterIn(answer.headers.get('retry-after'), now()) ?? pauseMs, maxPauseMs);
    await pause(Math.max(asked, firstPauseMs), undefined, { signal });
  }
}

async function prove(context: Context, url: string, request: OrderRequest): Promise<void> {
  const { requests } = context;
  const { account, challenge: type, present, signal } = request;
  const asked = await pollUntilFinal<Authorization>(context, url, request);
  if (asked.status === 'valid') return;
  const challenge = asked.challenges.find((one) => one.type === type);
  if (challenge === undefined)
    throw new AcmeProblem({ detail: `The certificate authority offers no ${type} challenge.` });
  await present(challenge.token, keyAuthorization(challenge.token, account.key));
  signal.throwIfAborted();
  await requests.post(challenge.url, account, {});
  const { status, challenges } = await pollUntilFinal<Authorization>(context, url, request, 'pending');
  if (status === 'valid') return;
  const { error } = challenges.find((one) => one.error !== undefined) ?? {};
  throw new AcmeProblem(error ?? { detail: `The authorization of the host has the status ${status}.` });
}

async function begin(context: Context, { account, host, replaces }: OrderRequest): Promise<Response> {
  const { requests } = context;
  const { newOrder, renewalInfo } = await requests.directory();
  const identifiers = [{ type: 'dns', value: host }];
  const replaced = renewalInfo === undefined || replaces === undefined ? undefined : renewalName(replaces);
  if (replaced === undefined) return requests.post(newOrder, account, { identifiers });
  return requests.post(newOrder, account, { identifiers, replaces: replaced }).catch((error: unknown) => {
    // The previous certificate may already have been replaced, or may belong to another account. In this case, the
    // order is repeated without `replaces`.
    const isRefused = error instanceof AcmeProblem && /malformed|alreadyReplaced/.test(error.kind);
    if (!isRefused) throw error;
    return requests.post(newOrder, account, { identifiers });
  });
}

function locationOf({ headers, url }: Response): string {
  const location = headers.get('location');
  if (location === null)
    throw new AcmeProblem({ detail: `The response from ${url} has no Location header.` });
  return location;
}
