import type { Failure } from '../../../model/failures.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import { codeTaken } from '../../../model/links/conflicts.ts';
import { forgetMiss, noteChange } from '../../db/change-log.ts';
import { all, type Db } from '../../db/db.ts';
import { idTextOrNull } from '../../db/ids.ts';
import { storeSearchText } from '../finding/link-texts.ts';

// The database decides which request gets a code, so that two never both get it. A code outlives its link:
// only the account that had it may have it again, or a printed code could be hijacked (CONTRACT §4).
/** Of a code, an account and a link, whose own code it becomes, if nothing ever had it. */
export const insertCode = `
  INSERT INTO codes (key, account_id, link_row, live) VALUES (?, ?, ?, 1) ON CONFLICT (key) DO NOTHING`;
/** Same as above, for a code that the account has and does not use. In the statement above it would cost every new link. */
const reuseCode =
  'UPDATE codes SET link_row = ?, live = 1, alias = NULL WHERE key = ? AND account_id = ? AND live = 0';
const insertAlias = `
  INSERT INTO codes (key, account_id, link_row, live, alias) VALUES (?, ?, ?, 1, ?)
  ON CONFLICT (key) DO UPDATE SET link_row = excluded.link_row, live = 1, alias = excluded.alias
  WHERE codes.account_id = excluded.account_id AND codes.live = 0`;

/**
 * Takes the first free one of the codes for a link, as its own code.
 * @param space of the domain
 * @param refusal when none is free
 * @returns the code as given
 * @throws Failure CUSTOM_CODE_TAKEN when none is free
 */
export async function claimCode(
  db: Db,
  accountId: number,
  space: string,
  codes: readonly string[],
  linkRow: number,
  refusal: (codes: readonly string[]) => Failure = codeTaken,
): Promise<string> {
  for (const code of codes) {
    const key = codeKey(space, code);
    const isTaken =
      (await db.run(insertCode, [key, accountId, linkRow])) > 0 ||
      (await db.run(reuseCode, [linkRow, key, accountId])) > 0;
    if (isTaken) {
      forgetMiss(db, key);
      return code;
    }
  }
  throw refusal(codes);
}

/** Takes a code for a link that has another one. @throws Failure CUSTOM_CODE_TAKEN */
export async function claimAlias(
  db: Db,
  accountId: number,
  space: string,
  code: string,
  linkRow: number,
): Promise<void> {
  const key = codeKey(space, code);
  if ((await db.run(insertAlias, [key, accountId, linkRow, code])) === 0) throw codeTaken([code]);
  forgetMiss(db, key);
}

const release = 'UPDATE codes SET live = 0 WHERE key = ? AND account_id = ?';
const releaseAliases = 'UPDATE codes SET live = 0 WHERE link_row = ? AND alias IS NOT NULL';

/** Stops all codes of a link from leading anywhere. They stay with its account. @param key of its own code */
export async function releaseCodes(db: Db, accountId: number, key: string, linkRow: number): Promise<void> {
  await all(
    db.run(release, [key, accountId]),
    db.run(releaseAliases, [linkRow]),
    noteTarget(db, key, linkRow),
  );
}

const backAliases = 'UPDATE codes SET live = 1 WHERE link_row = ? AND alias IS NOT NULL RETURNING key';

/** Lets the aliases of a link that is live again lead to it, but for those that another link has got meanwhile. */
export async function restoreAliases(db: Db, linkRow: number): Promise<void> {
  const aliases = await db.all<{ key: string }>(backAliases, [linkRow]);
  for (const { key } of aliases) forgetMiss(db, key);
  // Also where none came back: searches would find the link by those that it has lost.
  await storeSearchText(db, linkRow);
}

const keysOfAliases = 'SELECT key FROM codes WHERE link_row = ? AND alias IS NOT NULL ORDER BY key';

/** Notes that what the codes of a link lead to has changed. @param key of its own code */
export async function noteTarget(db: Db, key: string, linkRow: number): Promise<void> {
  const [aliases] = await all(
    db.all<{ key: string }>(keysOfAliases, [linkRow]),
    noteChange(db, 'target', key),
  );
  for (const alias of aliases) await noteChange(db, 'target', alias.key);
}

const heldLive = 'SELECT link_row FROM codes WHERE key = ? AND live = 1';

/** Whether a code redirects to a live link, by its key. */
export async function isCodeLive(db: Db, key: string): Promise<boolean> {
  return (await db.get(heldLive, [key])) !== undefined;
}

const holder = `
  SELECT c.account_id, CASE WHEN c.live = 1 THEN l.id END AS id
  FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.key = ?`;

/** The holder of a code by its key: an account learns of another one only that it has it. */
export async function holderOfCode(
  db: Db,
  accountId: number,
  key: string,
): Promise<{ isOwn: boolean; linkId: string | null } | undefined> {
  const row = await db.get<{ account_id: number; id: Uint8Array | null }>(holder, [key]);
  if (row === undefined) return undefined;
  const isOwn = row.account_id === accountId;
  return { isOwn, linkId: isOwn ? idTextOrNull(row.id) : null };
}
