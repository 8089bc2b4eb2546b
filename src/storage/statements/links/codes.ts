import type { Failure } from '../../../model/failures.ts';
import { codeKey, spaceOf } from '../../../model/links/codes/codes.ts';
import { codeTaken, sameGolink } from '../../../model/links/conflicts.ts';
import { invalidateMiss, recordChange } from '../../db/change-log.ts';
import { all, type Db } from '../../db/db.ts';
import { idTextOrNull } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';
import { findSameGolink } from '../finding/golinks.ts';
import type { CodeSpace } from '../finding/link-domains.ts';
import { storeSearchText } from '../finding/search-text.ts';

// The database decides which request gets a code, so that two requests never get the same code. A code outlives its
// link. Only the account that had the code may use it again, because otherwise somebody else could hijack a printed
// code (CONTRACT §4).
/** Statement that inserts a code that was never used before. Parameters: key, account, link row. */
export const insertCode = `
  INSERT INTO codes (key, account_id, link_row, live) VALUES (?, ?, ?, 1) ON CONFLICT (key) DO NOTHING`;
/**
 * Statement that reuses one of the account's inactive codes. This is a separate statement, because merging it into
 * `insertCode` would slow down every new link.
 */
const reuseCode =
  'UPDATE codes SET link_row = ?, live = 1, alias = NULL WHERE key = ? AND account_id = ? AND live = 0';
const insertAlias = `
  INSERT INTO codes (key, account_id, link_row, live, alias) VALUES (?, ?, ?, 1, ?)
  ON CONFLICT (key) DO UPDATE SET link_row = excluded.link_row, live = 1, alias = excluded.alias
  WHERE codes.account_id = excluded.account_id AND codes.live = 0`;

/**
 * Claims the first available code in a list as a link's own code.
 * @param space the domain's space; the domain must be locked
 * @param rejection creates the error when no code is available
 * @returns the code as given
 * @throws Failure CUSTOM_CODE_TAKEN when no code is available
 */
export async function claimCode(
  db: Db,
  accountId: number,
  { space, ignoresHyphens }: CodeSpace,
  codes: readonly string[],
  linkRow: number,
  refusal: (codes: readonly string[]) => Failure = codeTaken,
): Promise<string> {
  let same: string | undefined;
  for (const code of codes) {
    const key = codeKey(space, code);
    same = ignoresHyphens ? await findSameGolink(db, space, key, linkRow) : undefined;
    if (same !== undefined) continue;
    const isClaimed =
      (await db.run(insertCode, [key, accountId, linkRow])) > 0 ||
      (await db.run(reuseCode, [linkRow, key, accountId])) > 0;
    if (isClaimed) {
      invalidateMiss(db, key);
      return code;
    }
  }
  throw same === undefined ? refusal(codes) : sameGolink(codes, same);
}

/** Claims a code as an additional code (alias) of a link. @throws Failure CUSTOM_CODE_TAKEN */
export async function claimAlias(
  db: Db,
  accountId: number,
  { space, ignoresHyphens }: CodeSpace,
  code: string,
  linkRow: number,
): Promise<void> {
  const key = codeKey(space, code);
  const same = ignoresHyphens ? await findSameGolink(db, space, key, linkRow) : undefined;
  if (same !== undefined) throw sameGolink([code], same);
  if ((await db.run(insertAlias, [key, accountId, linkRow, code])) === 0) throw codeTaken([code]);
  invalidateMiss(db, key);
}

const releaseCode = 'UPDATE codes SET live = 0 WHERE key = ? AND account_id = ?';
const releaseAliases = 'UPDATE codes SET live = 0 WHERE link_row = ? AND alias IS NOT NULL';

/** Deactivates all of a link's codes. They stay reserved for the account. @param key key of the link's own code */
export async function releaseCodes(db: Db, accountId: number, key: string, linkRow: number): Promise<void> {
  await all(
    db.run(releaseCode, [key, accountId]),
    db.run(releaseAliases, [linkRow]),
    recordTargetChange(db, key, linkRow),
  );
}

const restoreAliasCodes = 'UPDATE codes SET live = 1 WHERE link_row = ? AND alias IS NOT NULL RETURNING key';

const removeAliasCode = 'UPDATE codes SET live = 0, alias = NULL WHERE key = ?';

/** Reactivates a restored link's aliases, except those that another link now uses. */
export async function restoreAliases(db: Db, linkRow: number): Promise<void> {
  const aliases = await db.all<{ key: string }>(restoreAliasCodes, [linkRow]);
  for (const { key } of aliases)
    if ((await findSameGolink(db, spaceOf(key), key, linkRow)) === undefined) invalidateMiss(db, key);
    else await db.run(removeAliasCode, [key]);
  // Runs even when no alias was reactivated, because otherwise searches would still find the link by the aliases that
  // it has lost.
  await storeSearchText(db, linkRow);
}

const keysOfAliases = 'SELECT key FROM codes WHERE link_row = ? AND alias IS NOT NULL ORDER BY key';

/** Makes all processes drop a link's codes from their target caches. @param key key of the link's own code */
export async function recordTargetChange(db: Db, key: string, linkRow: number): Promise<void> {
  const [aliases] = await all(
    db.all<{ key: string }>(keysOfAliases, [linkRow]),
    recordChange(db, 'target', key),
  );
  for (const alias of aliases) await recordChange(db, 'target', alias.key);
}

const liveCode = 'SELECT link_row FROM codes WHERE key = ? AND live = 1';

/** Returns true if the code with this key belongs to a live link. */
export async function isCodeLive(db: Db, key: string): Promise<boolean> {
  return (await db.get(liveCode, [key])) !== undefined;
}

const linkOfCode = `
  SELECT c.account_id, CASE WHEN c.live = 1 THEN l.id END AS id
  FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.key = ?`;

interface HolderRow {
  readonly account_id: number;
  readonly id: Uint8Array | null;
}

/** Returns the holder of a code. For another account's code, only the fact that it is in use is returned. */
export const holderOfCode: Read<'holderOfCode'> = async (db, accountId, key) => {
  let row = await db.get<HolderRow>(linkOfCode, [key]);
  const same = row?.id == null ? await findSameGolink(db, spaceOf(key), key) : undefined;
  if (same !== undefined) row = await db.get<HolderRow>(linkOfCode, [spaceOf(key) + same]);
  if (row === undefined) return undefined;
  const isOwn = row.account_id === accountId;
  return { isOwn, linkId: isOwn ? idTextOrNull(row.id) : null };
};
