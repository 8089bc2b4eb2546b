import { hasSpace } from '../accounts/key-restrictions.ts';
import type { Context } from '../context.ts';
import { domainNotActive, domainNotFound } from '../domains/domains.ts';
import { hostIn, type LinkDomain } from '../domains/hosts.ts';
import { type Problem, problem } from '../failures.ts';
import {
  type CodeRequest,
  type CodeRules,
  codeKey,
  codeLengthProblem,
  codeProblems,
  couldBeCode,
  couldBeExactCode,
  isExact,
  longestExactCode,
} from './codes/codes.ts';
import type { Caller } from './links.ts';

/**
 * Resolves the host in a request to a domain on which the account can use codes.
 * @returns undefined for the shared domain
 * @throws Failure DOMAIN_NOT_FOUND (also for another account's domain, or one outside the key's restrictions),
 * DOMAIN_NOT_ACTIVE
 */
export async function domainNamed(
  { storage, sharedHost, restrictions }: Context,
  accountId: number,
  text: string,
): Promise<LinkDomain | undefined> {
  const host = hostIn(text);
  if (host === sharedHost() || text === sharedHost()) {
    if (restrictions !== undefined && !hasSpace(restrictions, '')) throw domainNotFound();
    return undefined;
  }
  const found = host === undefined ? undefined : await storage.domainByHost(accountId, host);
  if (found === undefined) throw domainNotFound();
  if (found.status === 'pending') throw domainNotActive(found.host);
  return { space: found.space, host: found.host };
}

/**
 * Like {@link domainNamed}, but returns the account's default domain if no host is given.
 * @throws the same failures as {@link domainNamed}
 */
export async function domainFor(
  context: Context,
  { accountId, domain }: Caller,
  host: string | null | undefined,
): Promise<LinkDomain | undefined> {
  return host == null ? domain : domainNamed(context, accountId, host);
}

/** Returns the key of a code on a domain; undefined if the string cannot be a code on that domain. */
export function keyIn(domain: LinkDomain | undefined, code: string): string | undefined {
  const space = domain?.space ?? '';
  const couldBe = isExact(space) ? couldBeExactCode(code) : couldBeCode(code);
  return couldBe ? codeKey(space, code) : undefined;
}

/** Returns the validation errors for a code requested in a space. Schema validation does not catch these errors. */
export function codeProblemsOn(space: string, requested: CodeRequest, rules: CodeRules): Problem[] {
  const { customCode } = requested;
  if (!isExact(space) || typeof customCode !== 'string') return codeProblems(requested, rules);
  if (couldBeExactCode(customCode)) return [];
  if (customCode === '') return [codeLengthProblem(0, 1, longestExactCode)];
  const message = `customCode must be at most ${longestExactCode} characters on this domain, without "?", "#", "%", "\\", white space, empty segments, or the segments "." and "..".`;
  return [problem('customCode', 'invalid_characters', message, 'INVALID_CUSTOM_CODE')];
}
