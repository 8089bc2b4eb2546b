import type { Context } from '../context.ts';
import { Failure, type Problem, problem } from '../failures.ts';
import { randomSymbols } from '../random-symbols.ts';
import type { Writes } from '../storage.ts';
import { type Domain, type DomainChange, domainNotFound, domainTaken } from './domains.ts';
import { domainHostIn } from './hosts.ts';
import { findingsOf, recordsOf, stateAfterCheck } from './records.ts';

const tokenLength = 32;

/** Returns the validation errors for a new domain's host. */
export function hostProblems(host: string | undefined): Problem[] {
  if (host === undefined || domainHostIn(host) !== undefined) return [];
  const message =
    'host must be a host name with at least two labels, such as go.example.com, without scheme, port, path or wildcard.';
  return [problem('host', 'invalid_format', message)];
}

/** @throws Failure DOMAIN_NOT_FOUND, also for another account's domain */
export async function getDomain({ storage }: Context, accountId: number, id: string): Promise<Domain> {
  const found = await storage.domain(accountId, id);
  if (found === undefined) throw domainNotFound();
  return found;
}

/**
 * Creates a domain, which is pending until it is verified.
 * @param host validated by `hostProblems`
 * @param proven whether an operator verified the domain, so that no DNS check is needed
 * @throws Failure DOMAIN_TAKEN, LIMIT_REACHED, DOMAIN_IN_USE
 */
export async function createDomain(
  context: Pick<Context, 'isOwnHost' | 'stamp' | 'randomBytes' | 'domainLimit' | 'writes'>,
  accountId: number,
  { host: given, ...settings }: DomainChange & { readonly host: string },
  proven = false,
): Promise<Domain> {
  const host = domainHostIn(given) ?? given;
  if (context.isOwnHost(host))
    throw new Failure(
      'DOMAIN_TAKEN',
      `${host} is the shared domain of this installation. All accounts can create links on it.`,
    );
  const { id, createdAt } = context.stamp();
  const token = proven ? '' : randomSymbols(tokenLength, context.randomBytes);
  const limit = context.domainLimit;
  return context.writes.createDomain(accountId, { ...settings, id, host, token, createdAt, limit, proven });
}

type CheckTools = Pick<Context, 'storage' | 'writes' | 'checkRecords' | 'sharedHost' | 'now'>;

/** Checks a domain's DNS records now and stores the result. @throws Failure DOMAIN_NOT_FOUND, DOMAIN_TAKEN */
export async function verifyDomain(context: CheckTools, domain: Domain): Promise<Domain> {
  const records = recordsOf(domain, context.sharedHost());
  const found = findingsOf(records, await context.checkRecords(records, domain));
  const { accountId, id, host } = domain;
  try {
    return await context.writes.checkDomain(accountId, id, stateAfterCheck(domain, found, context.now()));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'DOMAIN_TAKEN') throw error;
    throw domainTaken(host);
  }
}

/** Releases a verified host, for operators. @returns false if no account has verified the host */
export async function releaseDomain(
  { writes, randomBytes }: Pick<Context, 'randomBytes'> & { readonly writes: Pick<Writes, 'releaseDomain'> },
  host: string,
): Promise<boolean> {
  return writes.releaseDomain(domainHostIn(host) ?? host, randomSymbols(tokenLength, randomBytes));
}

/** Maximum number of domains to check per run. Checks run concurrently, because name servers may be slow. */
const maxChecksPerRun = 50;
const maxConcurrentChecks = 10;

/** Checks the DNS records of domains whose check is due. @returns true if more domains may be due */
export async function verifyDueDomains(context: CheckTools): Promise<boolean> {
  const due = await context.storage.domainsToCheck(context.now(), maxChecksPerRun);
  const rest = due.values();
  await Promise.all(
    Array.from({ length: maxConcurrentChecks }, async () => {
      for (const domain of rest) await verifyDue(context, domain);
    }),
  );
  return due.length === maxChecksPerRun;
}

async function verifyDue(context: CheckTools, domain: Domain): Promise<void> {
  try {
    await verifyDomain(context, domain);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'DOMAIN_TAKEN') await storeTaken(context, domain, error.message);
    else if (error.code !== 'DOMAIN_NOT_FOUND') throw error;
  }
}

/** Records that another account verified the host first. The domain stays unverified, with `sentence` as the reason. */
async function storeTaken({ writes, now }: CheckTools, domain: Domain, sentence: string): Promise<void> {
  const found = { ownership: false, traffic: domain.found.traffic, problem: sentence };
  await writes.checkDomain(domain.accountId, domain.id, stateAfterCheck(domain, found, now()));
}
