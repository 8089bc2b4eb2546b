import type { Failure } from '../../../domain/failures.ts';
import { foldCode } from '../../../domain/links/codes.ts';
import { codeTaken } from '../../../domain/links/conflicts.ts';
import { noteChange, tellTaken } from '../../db/change-log.ts';
import { all, type Db, type Value } from '../../db/db.ts';
import { idTextOrNull } from '../../db/ids.ts';
import { keepSearchText } from './link-texts.ts';

// One statement decides which request gets a code, so that two never both get it. A code outlives its link:
// only the account that had it may have it again, or a printed code could be hijacked (CONTRACT §4).
/** What becomes of a code that there is: it changes only while it is free for the account. */
const free = `
  ON CONFLICT (key) DO UPDATE SET link_row = excluded.link_row, live = 1, alias = excluded.alias
  WHERE codes.account_id = excluded.account_id AND codes.live = 0`;
/** Of a code, an account and a link, whose own code it becomes. It changes one row when the code was free, else none. */
export const takeForLink = `
  INSERT INTO codes (key, account_id, link_row, live) VALUES (?, ?, ?, 1) ${free}`;
const takeAsAlias = `
  INSERT INTO codes (key, account_id, link_row, live, alias) VALUES (?, ?, ?, 1, ?) ${free}`;

/**
 * Takes the first free one of the codes for a link, as its own code.
 * @param refusal when none is free
 * @returns the code as given
 * @throws Failure CUSTOM_CODE_TAKEN when none is free
 */
export async function takeCode(
  db: Db,
  accountId: number,
  codes: readonly string[],
  linkRow: number,
  refusal: (codes: readonly string[]) => Failure = codeTaken,
): Promise<string> {
  for (const code of codes) {
    if (await takes(db, takeForLink, [foldCode(code), accountId, linkRow])) return code;
  }
  throw refusal(codes);
}

/** Takes a code for a link that has another one. @throws Failure CUSTOM_CODE_TAKEN */
export async function takeAlias(db: Db, accountId: number, code: string, linkRow: number): Promise<void> {
  if (!(await takes(db, takeAsAlias, [foldCode(code), accountId, linkRow, code]))) throw codeTaken([code]);
}

async function takes(db: Db, take: string, values: readonly [folded: string, ...Value[]]): Promise<boolean> {
  if ((await db.run(take, values)) === 0) return false;
  tellTaken(db, values[0]);
  return true;
}

const release = 'UPDATE codes SET live = 0 WHERE key = ? AND account_id = ?';
const releaseAliases = 'UPDATE codes SET live = 0 WHERE link_row = ? AND alias IS NOT NULL';

/** Stops all codes of a link from leading anywhere. They stay with its account. */
export async function releaseCodes(db: Db, accountId: number, code: string, linkRow: number): Promise<void> {
  await all(
    db.run(release, [foldCode(code), accountId]),
    db.run(releaseAliases, [linkRow]),
    noteTarget(db, code, linkRow),
  );
}

const backAliases = 'UPDATE codes SET live = 1 WHERE link_row = ? AND alias IS NOT NULL RETURNING key';

/** Lets the aliases of a link that is live again lead to it, but for those that another link has got meanwhile. */
export async function restoreAliases(db: Db, linkRow: number): Promise<void> {
  const aliases = await db.all<{ key: string }>(backAliases, [linkRow]);
  for (const { key } of aliases) tellTaken(db, key);
  // Also where none came back: searches would find the link by those that it has lost.
  await keepSearchText(db, linkRow);
}

const keysOfAliases = 'SELECT key FROM codes WHERE link_row = ? AND alias IS NOT NULL ORDER BY key';

/** Notes that what the codes of a link lead to has changed. */
export async function noteTarget(db: Db, code: string, linkRow: number): Promise<void> {
  const [aliases] = await all(
    db.all<{ key: string }>(keysOfAliases, [linkRow]),
    noteChange(db, 'target', foldCode(code)),
  );
  for (const { key } of aliases) await noteChange(db, 'target', key);
}

const holder = `
  SELECT c.account_id, CASE WHEN c.live = 1 THEN l.id END AS id
  FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.key = ?`;

/** The holder of a code: an account learns of another one only that it has it. */
export async function holderOfCode(
  db: Db,
  accountId: number,
  foldedCode: string,
): Promise<{ isOwn: boolean; linkId: string | null } | undefined> {
  const row = await db.get<{ account_id: number; id: Uint8Array | null }>(holder, [foldedCode]);
  if (row === undefined) return undefined;
  const isOwn = row.account_id === accountId;
  return { isOwn, linkId: isOwn ? idTextOrNull(row.id) : null };
}
