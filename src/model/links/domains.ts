import { hasSpace } from '../accounts/reach.ts';
import type { Context } from '../context.ts';
import { domainNotActive, domainNotFound } from '../domains/domains.ts';
import { hostIn, type LinkDomain } from '../domains/hosts.ts';
import { type Problem, problem } from '../failures.ts';
import {
  type CodeRules,
  type CodeWish,
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
 * The domain that a host names, for codes.
 * @returns undefined for the shared one
 * @throws Failure DOMAIN_NOT_FOUND, also for that of another account or outside the reach; DOMAIN_NOT_ACTIVE
 */
export async function domainNamed(
  { storage, sharedHost, reach }: Context,
  accountId: number,
  text: string,
): Promise<LinkDomain | undefined> {
  const host = hostIn(text);
  if (host === sharedHost() || text === sharedHost()) {
    if (reach !== undefined && !hasSpace(reach, '')) throw domainNotFound();
    return undefined;
  }
  const found = host === undefined ? undefined : await storage.domainByHost(accountId, host);
  if (found === undefined) throw domainNotFound();
  if (found.status === 'pending') throw domainNotActive(found.host);
  return { space: found.space, host: found.host };
}

/** The same, or the default domain of the account where no host is given. @throws Failure as {@link domainNamed} */
export async function domainFor(
  context: Context,
  { accountId, domain }: Caller,
  host: string | null | undefined,
): Promise<LinkDomain | undefined> {
  return host == null ? domain : domainNamed(context, accountId, host);
}

/** The key of a code on a domain; undefined when the text can be no code there. */
export function keyIn(domain: LinkDomain | undefined, code: string): string | undefined {
  const space = domain?.space ?? '';
  const couldBe = isExact(space) ? couldBeExactCode(code) : couldBeCode(code);
  return couldBe ? codeKey(space, code) : undefined;
}

/** What is wrong with a wish for a code in a space beyond types. */
export function codeProblemsOn(space: string, wish: CodeWish, rules: CodeRules): Problem[] {
  const { customCode } = wish;
  if (!isExact(space) || typeof customCode !== 'string') return codeProblems(wish, rules);
  if (couldBeExactCode(customCode)) return [];
  if (customCode === '') return [codeLengthProblem(0, 1, longestExactCode)];
  const message = `customCode must be at most ${longestExactCode} characters on this domain, without "?", "#", "%", "\\", white space, empty segments, or the segments "." and "..".`;
  return [problem('customCode', 'invalid_characters', message, 'INVALID_CUSTOM_CODE')];
}
