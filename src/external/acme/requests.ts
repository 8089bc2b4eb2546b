import type { KeyObject } from 'node:crypto';
import { retryAfterIn } from '../../runtime/retry-after.ts';
import { version } from '../../runtime/version.ts';
import { publicJwk, signedBy } from './jws.ts';
import { AcmeProblem, type ProblemDocument } from './problem.ts';

/** The authority's directory (RFC 8555, section 7.1.1; RFC 9773). */
export interface Directory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly renewalInfo?: string;
}

/** Signer of a request: a key with the URL of its account, or a key without an account. */
export interface Signer {
  readonly key: KeyObject;
  readonly url?: string;
}

export interface RequestOptions {
  /** URL of the authority's directory. */
  readonly directory: string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly fetch?: typeof fetch;
}

export interface Requests {
  directory(): Promise<Directory>;
  /**
   * @throws AcmeProblem if the authority rejects the request; an error from `fetch` if the authority cannot be reached
   */
  get(url: string): Promise<Response>;
  /** @param payload undefined for a request that only reads (POST-as-GET) @throws the same errors as `get` */
  post(url: string, signer: Signer, payload?: object): Promise<Response>;
}

const answersWithinMs = 20_000;
const directoryMs = 3_600_000;
/**
 * Maximum number of attempts, each with a new nonce. An authority may reject nonces that it issued, for example after a
 * restart.
 */
const maxTries = 8;
const maxNonces = 32;

/** Creates the client that sends signed requests to an authority, each with a fresh nonce. */
export function createRequests({ directory: address, now, ...given }: RequestOptions): Requests {
  const nonces: string[] = [];
  let known: { readonly at: number; readonly directory: Directory } | undefined;

  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    const { fetch = globalThis.fetch } = given;
    const answer = await fetch(url, {
      ...init,
      headers: { 'user-agent': `linkfold/${version}`, ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(answersWithinMs),
    });
    const nonce = answer.headers.get('replay-nonce');
    if (nonce !== null && nonces.length < maxNonces) nonces.push(nonce);
    if (answer.ok) return answer;
    const document = (await answer.json().catch(() => ({}))) as ProblemDocument;
    const detail = `${new URL(url).host} returned status ${answer.status}`;
    throw new AcmeProblem({ detail, ...document }, retryAfterIn(answer.headers.get('retry-after'), now()));
  };
  const get = (url: string): Promise<Response> => ask(url, {});
  const directory = async (): Promise<Directory> => {
    if (known === undefined || Math.abs(now() - known.at) > directoryMs)
      known = { at: now(), directory: (await (await get(address)).json()) as Directory };
    return known.directory;
  };
  const takeNonce = async (): Promise<string> => {
    if (nonces.length === 0) await ask((await directory()).newNonce, { method: 'HEAD' });
    return nonces.pop() ?? '';
  };

  return {
    directory,
    get,
    async post(url, { key, url: kid }, payload) {
      for (let tries = 1; ; tries += 1) {
        const by = kid === undefined ? { jwk: publicJwk(key) } : { kid };
        const body = signedBy(key, { ...by, nonce: await takeNonce(), url }, payload);
        const headers = { 'content-type': 'application/jose+json' };
        try {
          return await ask(url, { method: 'POST', headers, body });
        } catch (error) {
          if (!(error instanceof AcmeProblem) || error.kind !== 'badNonce' || tries === maxTries) throw error;
        }
      }
    },
  };
}
