import { isExact } from '../../../model/links/codes/codes.ts';
import { type Db, whenKnown } from '../../db/db.ts';
import type { Read } from '../../db/statements.ts';

// Golinks domains compare folded keys without hyphens. The second condition repeats the index's own condition, so that
// the planner can use the index.
const sameWithoutHyphens = `
  SELECT key, link_row FROM codes WHERE key = ? AND live = 1
  UNION ALL
  SELECT key, link_row FROM codes WHERE replace(key, '-', '') = ? AND replace(key, '-', '') <> key AND live = 1`;

/** Finds a code on a golinks domain, ignoring hyphens. Synchronous on SQLite, because redirects use this lookup. */
export const findGolink: Read<'findGolink'> = (db, key) => {
  const plain = key.replaceAll('-', '');
  return whenKnown(db.get<{ key: string }>(sameWithoutHyphens, [plain, plain]), (row) => row?.key);
};

const sameCodeOfOtherLink = `
  SELECT c.key FROM (${sameWithoutHyphens}) AS c
  WHERE c.key <> ? AND c.link_row <> ? AND EXISTS (SELECT 1 FROM domains WHERE space = ? AND golinks = 1)`;

/**
 * On a golinks domain, finds another link's code that differs from the given code only in hyphens.
 * @param linkRow the link itself, whose own codes are ignored
 * @returns undefined if there is no such code, or the domain is not a golinks domain
 */
export async function findSameGolink(
  db: Db,
  space: string,
  key: string,
  linkRow = 0,
): Promise<string | undefined> {
  if (space === '' || isExact(space)) return undefined;
  const plain = key.replaceAll('-', '');
  const found = await db.get<{ key: string }>(sameCodeOfOtherLink, [plain, plain, key, linkRow, space]);
  return found?.key.slice(space.length);
}
