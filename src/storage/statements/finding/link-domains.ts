import { hasSpace } from '../../../model/accounts/key-restrictions.ts';
import { domainNotActive, domainNotFound } from '../../../model/domains/domains.ts';
import { type Db, getLocked } from '../../db/db.ts';

/** Returns an SQL expression for the host of a link's domain. The expression is NULL for the shared domain. */
export function hostOf(link: string): string {
  return `CASE ${link}.space WHEN '' THEN NULL ELSE (SELECT d.host FROM domains d WHERE d.space = ${link}.space) END`;
}

const domainBySpace =
  'SELECT host, status, golinks, deleted_at FROM domains WHERE account_id = ? AND space = ?';

/** The namespace in which a code is unique. */
export interface CodeSpace {
  readonly space: string;
  /** True if codes that differ only in hyphens count as the same code (golinks domains). */
  readonly ignoresHyphens: boolean;
}

/**
 * Checks that the account may create links on the domain of `space`, and locks the domain until the transaction
 * ends.
 * @throws Failure DOMAIN_NOT_FOUND, DOMAIN_NOT_ACTIVE
 */
export async function requireSpace(db: Db, accountId: number, space: string): Promise<CodeSpace> {
  if (db.by?.restrictions !== undefined && !hasSpace(db.by.restrictions, space)) throw domainNotFound();
  if (space === '') return { space, ignoresHyphens: false };
  const found = await lockSpace(db, accountId, space);
  if (found === undefined || found.deleted_at !== null) throw domainNotFound();
  if (found.status === 'pending') throw domainNotActive(found.host);
  return { space, ignoresHyphens: found.golinks === 1 };
}

/** Returns true if the account may create links in `space`; locks its domain until the transaction ends. */
export async function isSpaceUsable(db: Db, accountId: number, space: string): Promise<boolean> {
  if (space === '') return true;
  const found = await lockSpace(db, accountId, space);
  return found?.deleted_at === null && found.status !== 'pending';
}

interface SpaceRow {
  readonly host: string;
  readonly status: string;
  readonly golinks: number;
  readonly deleted_at: number | null;
}

async function lockSpace(db: Db, accountId: number, space: string): Promise<SpaceRow | undefined> {
  const named = [accountId, space];
  const found = await getLocked<SpaceRow>(db, 'key share', domainBySpace, named);
  // Takes a stronger lock on the domain, so that two requests cannot create codes that differ only in hyphens at the
  // same time.
  if (found?.golinks === 1) await db.lockRows('no key update', domainBySpace, named);
  return found;
}

const domainsOfAccount = 'SELECT space, host FROM domains WHERE account_id = ?';

/** Returns the hosts of an account's domains, by space, including deleted domains. */
export async function hostsOf(db: Db, accountId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ space: string; host: string }>(domainsOfAccount, [accountId]);
  return new Map(rows.map(({ space, host }) => [space, host]));
}
