import { type DomainChange, domainInUse } from '../../../model/domains/domains.ts';
import { problem } from '../../../model/failures.ts';
import { endOfSpace, isExact } from '../../../model/links/codes/codes.ts';
import type { Db } from '../../db/db.ts';

const ambiguous = `
  SELECT MIN(key) AS one, MAX(key) AS other FROM codes WHERE key >= ? AND key < ? AND live = 1
  GROUP BY replace(key, '-', '') HAVING COUNT(DISTINCT link_row) > 1 LIMIT 1`;

/**
 * Ensures that a domain can be a golinks domain after a change: its codes ignore case, and no two codes differ only in
 * hyphens.
 * @throws Failure DOMAIN_IN_USE
 */
export async function requireGolinks(
  db: Db,
  { host, space, golinks }: { readonly host: string; readonly space: string; readonly golinks: number },
  change: DomainChange,
): Promise<void> {
  if (!(change.golinks ?? golinks === 1)) return;
  if (change.codes === undefined ? isExact(space) : change.codes === 'exact')
    throw refuse(host, 'golinks requires codes that are not case-sensitive (codes: folded).');
  if (change.golinks === undefined || golinks === 1) return;
  const found = await db.get<{ one: string; other: string }>(ambiguous, [space, endOfSpace(space)]);
  if (found === undefined) return;
  const [one, other] = [found.one, found.other].map((key) => `"${key.slice(space.length)}"`);
  throw refuse(host, `the codes ${one} and ${other} would be the same. Change or delete one of them first.`);
}

function refuse(host: string, why: string) {
  return domainInUse(host, why, [problem('golinks', 'refused', why, 'DOMAIN_IN_USE')]);
}
