import type { Context } from '../context.ts';
import type { LinkDomain } from '../domains/hosts.ts';
import { Failure, refused } from '../failures.ts';
import type { IfMatch } from '../history/revisions.ts';
import { isReserved } from './codes/codes.ts';
import { codeReserved } from './conflicts.ts';
import { codeProblemsOn, domainFor, domainNamed, keyIn } from './domains.ts';
import type { HostedCode, Link } from './link-records.ts';
import { type Caller, linkNotFound } from './links.ts';

/** Maximum number of aliases per link. */
export const maxAliases = 20;

/** A code to assign to a link. `domain` is the code's host name; it defaults to the link's host name. */
export interface NewCode {
  readonly customCode: string;
  readonly domain?: string | null | undefined;
}

/**
 * Checks that an account can use a code. Reports missing records before conflicts (CONTRACT §1.4).
 * @returns the code's domain; null for the shared domain, undefined for the link's domain
 * @throws Failure LINK_NOT_FOUND, DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE, CUSTOM_CODE_RESERVED, INVALID_CUSTOM_CODE
 */
async function requireUsableCode(
  context: Context,
  { accountId }: Caller,
  id: string,
  { customCode: code, domain: host }: NewCode,
): Promise<LinkDomain | null | undefined> {
  const domain = host == null ? undefined : ((await domainNamed(context, accountId, host)) ?? null);
  const link = (await context.storage.link(accountId, id))?.link;
  const space = domain === undefined ? (link?.space ?? '') : (domain?.space ?? '');
  const problems = codeProblemsOn(space, { customCode: code }, context);
  if (problems.length > 0) throw refused(problems);
  // A missing link is not rejected here. The storage write rejects it, or replays the response to an earlier request
  // with the same idempotency key.
  if (link === undefined || !isReserved(code, space)) return domain;
  throw codeReserved(code);
}

/**
 * Changes a link's code. The old code becomes an alias.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN, CUSTOM_CODE_RESERVED
 */
export async function changeCode(
  context: Context,
  caller: Caller,
  id: string,
  wanted: NewCode,
  ifMatch?: IfMatch,
): Promise<Link> {
  const domain = await requireUsableCode(context, caller, id, wanted);
  const { accountId } = caller;
  const code = wanted.customCode;
  return context.writes.changeCode(accountId, id, code, context.now(), domain, ifMatch);
}

/**
 * Adds an alias to a link.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN, CUSTOM_CODE_RESERVED
 */
export async function addAlias(
  context: Context,
  caller: Caller,
  id: string,
  wanted: NewCode,
): Promise<{ alias: HostedCode; isNew: boolean }> {
  const domain = await requireUsableCode(context, caller, id, wanted);
  const { accountId } = caller;
  return context.writes.addAlias(accountId, id, wanted.customCode, context.now(), domain);
}

/** Lists a link's aliases in alphabetical order. @throws Failure LINK_NOT_FOUND */
export async function listAliases(
  { storage }: Context,
  accountId: number,
  id: string,
): Promise<readonly HostedCode[]> {
  const found = await storage.aliases(accountId, id);
  if (found === undefined) throw linkNotFound();
  return found;
}

/**
 * Removes an alias. Its code stays reserved for the account.
 * @param host host of the alias's domain; the account's default domain if omitted
 * @throws Failure ALIAS_NOT_FOUND, DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE
 */
export async function removeAlias(
  context: Context,
  caller: Caller,
  code: string,
  host?: string,
): Promise<void> {
  const key = keyIn(await domainFor(context, caller, host), code);
  const removed =
    key !== undefined && (await context.writes.removeAlias(caller.accountId, key, context.now()));
  if (!removed) throw new Failure('ALIAS_NOT_FOUND');
}
