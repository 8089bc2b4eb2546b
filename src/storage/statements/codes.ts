import { foldCode } from '../../domain/codes.ts';
import { Failure } from '../../domain/failures.ts';
import type { Db } from '../db/db.ts';
import { tellTaken } from './change-log.ts';
import { idTextOrNull } from './ids.ts';

// One statement decides which request gets a code, so that two never both get it. A code outlives its link:
// only the account that had it may have it again, or a printed code could be hijacked (CONTRACT §4).
const take = `
  INSERT INTO codes (key, account_id, link_row, live) VALUES (?, ?, ?, 1)
  ON CONFLICT (key) DO UPDATE SET link_row = excluded.link_row, live = 1
  WHERE codes.account_id = excluded.account_id AND codes.live = 0`;

/**
 * Takes the first free one of the codes for a link.
 * @param advice what to do when none is free
 * @returns the code as given
 * @throws Failure CUSTOM_CODE_TAKEN when none is free
 */
export async function takeCode(
  db: Db,
  accountId: number,
  codes: readonly string[],
  linkRow: number,
  advice = 'Choose another customCode.',
): Promise<string> {
  for (const code of codes) {
    const folded = foldCode(code);
    if ((await db.run(take, [folded, accountId, linkRow])) === 0) continue;
    tellTaken(db, folded);
    return code;
  }
  const names = codes.map((code) => `"${code}"`).join(', ');
  throw new Failure('CUSTOM_CODE_TAKEN', `The code ${names} is taken. ${advice}`);
}

const release = 'UPDATE codes SET live = 0 WHERE key = ? AND account_id = ?';

/** Stops a code from leading anywhere. It stays with its account. */
export async function releaseCode(db: Db, accountId: number, code: string): Promise<void> {
  await db.run(release, [foldCode(code), accountId]);
}

const holder = `
  SELECT c.account_id, CASE WHEN c.live = 1 THEN l.id END AS id
  FROM codes c JOIN links l ON l.link_row = c.link_row WHERE c.key = ?`;

/** Who has a code: an account learns of another one only that it has it. */
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
