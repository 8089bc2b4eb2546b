import type { ServedDomain } from '../model/domains/domains.ts';
import { Failure } from '../model/failures.ts';
import { codeKey, couldBeCode, couldBeExactCode, isExact } from '../model/links/codes.ts';
import type { Reads } from '../model/storage.ts';
import type { Fail } from './send.ts';
import type { UnknownCodes } from './unknown-codes.ts';
import type { Redirect, Visit } from './visit.ts';

type Asked = ServedDomain | undefined;

/** Whether the codes of a domain are compared as they are. */
export function isExactly(domain: Asked): boolean {
  return domain !== undefined && isExact(domain.space);
}

/** Whether a text could be a code of a domain; anything else needs no look-up. */
export function couldBeCodeOn(domain: Asked, text: string): boolean {
  return isExactly(domain) ? couldBeExactCode(text) : couldBeCode(text);
}

/** The key of a code on the domain that was asked for. */
export function keyOn(domain: Asked, code: string): string {
  return codeKey(domain?.space ?? '', code);
}

interface ByHostOptions {
  readonly storage: Pick<Reads, 'findHost'>;
  readonly servesOtherHosts?: boolean;
}

interface Parts {
  readonly answer: (visit: Visit) => void;
  readonly unknown: Pick<UnknownCodes, 'isLimited'>;
  readonly fail: Fail;
}

/** Finds the domain of a visit by its host and lets it be answered there. A visit of the shared domain needs no look-up. */
export function createByHost(
  { storage, servesOtherHosts = false }: ByHostOptions,
  { answer, unknown, fail }: Parts,
): Redirect {
  const answerOn = (visit: Visit, domain: Asked): void => {
    visit.domain = domain;
    if (domain !== undefined || servesOtherHosts) return answer(visit);
    // Hosts are guessed as codes are.
    if (!unknown.isLimited(visit)) fail(visit, new Failure('UNKNOWN_HOST'));
  };
  return (visit) => {
    const host = visit.host();
    visit.domain = undefined;
    if (host === '') return answer(visit);
    try {
      const found = storage.findHost(host);
      if (!(found instanceof Promise)) return answerOn(visit, found);
      found.then((domain) => answerOn(visit, domain)).catch((error: unknown) => fail(visit, error));
    } catch (error) {
      fail(visit, error);
    }
  };
}
