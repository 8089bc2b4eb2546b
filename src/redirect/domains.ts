import type { ServedDomain } from '../model/domains/domains.ts';
import { idInProofPath, proofOf } from '../model/domains/visitors-proof.ts';
import { Failure } from '../model/failures.ts';
import { codeKey, couldBeCode, couldBeExactCode, isExact } from '../model/links/codes/codes.ts';
import type { Reads } from '../model/storage.ts';
import type { Fail } from './send.ts';
import type { UnknownCodes } from './unknown-codes.ts';
import type { Redirect, Visit } from './visit.ts';

const proofHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

type RequestedDomain = ServedDomain | undefined;

/** Returns true if the codes on a domain are case-sensitive. */
export function hasExactCodes(domain: RequestedDomain): boolean {
  return domain !== undefined && isExact(domain.space);
}

/** Returns true if a string could be a code on a domain. Other strings need no lookup. */
export function couldBeCodeOn(domain: RequestedDomain, text: string): boolean {
  return hasExactCodes(domain)
    ? couldBeExactCode(text) && !text.startsWith('.well-known/')
    : couldBeCode(text);
}

/** Returns the storage key of a code on the requested domain. */
export function keyOn(domain: RequestedDomain, code: string): string {
  return codeKey(domain?.space ?? '', code);
}

interface ByHostOptions {
  readonly storage: Pick<Reads, 'domainToken' | 'findHost'>;
  readonly servesOtherHosts?: boolean;
}

interface Parts {
  readonly answer: (visit: Visit) => void;
  readonly unknown: Pick<UnknownCodes, 'isLimited'>;
  /** Receives visits to hosts that this installation does not serve. */
  readonly onOtherHost: (visit: Visit, host: string) => void;
  readonly fail: Fail;
}

/**
 * Creates the handler that looks up a visit's domain by host, and then handles the visit. The shared domain needs no
 * lookup.
 */
export function createByHost(
  { storage, servesOtherHosts = false }: ByHostOptions,
  { answer, unknown, onOtherHost, fail }: Parts,
): Redirect {
  const answerOn = (visit: Visit, host: string, domain: RequestedDomain): void => {
    visit.domain = domain;
    if (domain !== undefined || servesOtherHosts) return answer(visit);
    // Counts the visit towards the rate limit for guessed codes, because attackers also guess host names.
    if (unknown.isLimited(visit)) return;
    onOtherHost(visit, host);
    fail(visit, new Failure('UNKNOWN_HOST'));
  };
  /** Handles verification requests for domains that are behind a proxy. The domain may still be pending. */
  const prove = async (visit: Visit, host: string, id: string): Promise<void> => {
    try {
      const token = await storage.domainToken(id, host);
      if (token === undefined) answerOn(visit, host, await storage.findHost(host));
      else visit.send(200, proofHeaders, proofOf({ token }));
    } catch (error) {
      fail(visit, error);
    }
  };
  return (visit) => {
    const host = visit.host();
    visit.domain = undefined;
    if (host === '') return answer(visit);
    const id = idInProofPath(visit.target);
    if (id !== undefined && visit.method === 'GET') return void prove(visit, host, id);
    try {
      const found = storage.findHost(host);
      if (!(found instanceof Promise)) return answerOn(visit, host, found);
      found.then((domain) => answerOn(visit, host, domain)).catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };
}
