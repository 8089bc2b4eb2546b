import { limitReached } from '../../../model/failures.ts';
import { maxAliases } from '../../../model/links/aliases.ts';
import { foldCode } from '../../../model/links/codes.ts';
import { codeTaken } from '../../../model/links/conflicts.ts';
import type { Link } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { noteChange } from '../../db/change-log.ts';
import { all, type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { takeAlias, takeCode } from './codes.ts';
import { findLive, linkOf } from './link-reads.ts';
import { keepSearchText } from './link-texts.ts';
import { lockLive, touch } from './links.ts';

const aliasOfLink = 'SELECT alias FROM codes WHERE key = ? AND link_row = ? AND alias IS NOT NULL';
const countAliases = 'SELECT COUNT(*) AS aliases FROM codes WHERE link_row = ? AND alias IS NOT NULL';
const setAlias = 'UPDATE codes SET alias = ? WHERE key = ?';
const setCode = 'UPDATE links SET code = ? WHERE link_row = ?';

/** An alias of a link as it was given. */
export async function findAlias(db: Db, linkRow: number, folded: string): Promise<string | undefined> {
  return (await db.get<{ alias: string }>(aliasOfLink, [folded, linkRow]))?.alias;
}

/** @throws Failure LIMIT_REACHED when one more alias would be too many */
async function requireRoom(db: Db, linkRow: number): Promise<void> {
  const { aliases } = await one<{ aliases: number }>(db, countAliases, [linkRow]);
  if (aliases < maxAliases) return;
  throw limitReached('aliases', maxAliases);
}

/**
 * Gives a live link another code; the one that it had stays its alias. One of its aliases may be the new code.
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
 */
export async function changeCode(
  db: Db,
  accountId: number,
  id: string,
  code: string,
  now: number,
): Promise<Link> {
  const before = await lockLive(db, accountId, id);
  if (before === undefined) throw linkNotFound();
  const row = before.link_row;
  if (before.code === code) return linkOf(before);
  const [wanted, old] = [foldCode(code), foldCode(before.code)];
  if (wanted !== old) {
    if ((await findAlias(db, row, wanted)) === undefined) {
      await requireRoom(db, row);
      await takeCode(db, accountId, [code], row);
    } else await db.run(setAlias, [null, wanted]);
    await db.run(setAlias, [before.code, old]);
  }
  await all(db.run(setCode, [code, row]), db.run(touch, [now, now, row]));
  await keepSearchText(db, row);
  const after = await findLive(db, accountId, id);
  if (after === undefined) throw linkNotFound();
  return linkOf(after);
}

/**
 * Lets one more code lead to a live link. An alias that it has already stays as it is.
 * @returns the alias as it was given first, and whether it is new
 * @throws Failure LINK_NOT_FOUND, LIMIT_REACHED, CUSTOM_CODE_TAKEN
 */
export async function addAlias(
  db: Db,
  accountId: number,
  id: string,
  code: string,
  now: number,
): Promise<{ alias: string; isNew: boolean }> {
  const found = await lockLive(db, accountId, id);
  if (found === undefined) throw linkNotFound();
  const row = found.link_row;
  if (foldCode(found.code) === foldCode(code)) throw codeTaken([code], 'It is the code of this link itself.');
  const alias = await findAlias(db, row, foldCode(code));
  if (alias !== undefined) return { alias, isNew: false };
  await requireRoom(db, row);
  await takeAlias(db, accountId, code, row);
  await db.run(touch, [now, now, row]);
  await keepSearchText(db, row);
  return { alias: code, isNew: true };
}

const holder = `
  SELECT l.link_row FROM codes c JOIN links l ON l.link_row = c.link_row
  WHERE c.key = ? AND c.account_id = ? AND c.alias IS NOT NULL AND c.live = 1 AND l.deleted_at IS NULL`;
const lockHolder = `SELECT link_row FROM links WHERE link_row = (${holder})`;
const removal =
  'UPDATE codes SET live = 0, alias = NULL WHERE key = ? AND link_row = ? AND alias IS NOT NULL';

/** Stops an alias from leading anywhere. It stays with its account. @returns whether there was one */
export async function removeAlias(db: Db, accountId: number, folded: string, now: number): Promise<boolean> {
  const named = [folded, accountId];
  await db.lockRows('no key update', lockHolder, named);
  const found = await db.get<{ link_row: number }>(holder, named);
  if (found === undefined) return false;
  const row = found.link_row;
  if ((await db.run(removal, [folded, row])) === 0) return false;
  await all(db.run(touch, [now, now, row]), noteChange(db, 'target', folded));
  await keepSearchText(db, row);
  return true;
}

const aliasesOf = `
  SELECT c.alias FROM links l LEFT JOIN codes c ON c.link_row = l.link_row AND c.alias IS NOT NULL
  WHERE l.id = ? AND l.account_id = ? AND l.deleted_at IS NULL ORDER BY c.key`;

/** The aliases of a live link, in their order; undefined when the account has no such link. */
export async function aliases(db: Db, accountId: number, id: string): Promise<readonly string[] | undefined> {
  const rows = await db.all<{ alias: string | null }>(aliasesOf, [idBytes(id), accountId]);
  return rows.length === 0 ? undefined : rows.flatMap(({ alias }) => alias ?? []);
}
