import type { LinkDomain } from '../../../model/domains/hosts.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { maxAliases } from '../../../model/links/aliases.ts';
import { codeKey, spaceOf } from '../../../model/links/codes/codes.ts';
import { codeTaken } from '../../../model/links/conflicts.ts';
import type { HostedCode, Link } from '../../../model/links/link-records.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { recordChange } from '../../db/change-log.ts';
import { all, type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read, Write } from '../../db/statements.ts';
import { canAccessLink } from '../finding/access.ts';
import { hostsOf, requireSpace } from '../finding/link-domains.ts';
import { findLive, type LinkRow, linkOf } from '../finding/link-reads.ts';
import { storeSearchText } from '../finding/search-text.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { countDomainChange } from '../groups/link-counts.ts';
import { claimAlias, claimCode } from './codes.ts';
import { keyOf, lockLive, touch } from './links.ts';
import { recordLink } from './record.ts';

const aliasOfLink = 'SELECT alias FROM codes WHERE key = ? AND link_row = ? AND alias IS NOT NULL';
const countAliases = 'SELECT COUNT(*) AS aliases FROM codes WHERE link_row = ? AND alias IS NOT NULL';
const updateAlias = 'UPDATE codes SET alias = ? WHERE key = ?';
const updateCode = 'UPDATE links SET code = ?, space = ? WHERE link_row = ?';

/** Returns a link's alias as it was entered. @param key the alias's key */
export async function findAlias(db: Db, linkRow: number, key: string): Promise<string | undefined> {
  return (await db.get<{ alias: string }>(aliasOfLink, [key, linkRow]))?.alias;
}

/** @throws Failure LIMIT_REACHED when the link already has the maximum number of aliases */
async function requireRoom(db: Db, linkRow: number): Promise<void> {
  const { aliases } = await one<{ aliases: number }>(db, countAliases, [linkRow]);
  if (aliases < maxAliases) return;
  throw limitReached('aliases', maxAliases);
}

export const changeCode: Write<'changeCode'> = async (db, accountId, id, code, now, domain, ifMatch) => {
  const write = { accountId, id, action: 'code-changed', now, ifMatch, aliases: true } as const;
  const { value, revision } = await recordLink(db, write, () =>
    replaceCode(db, accountId, id, code, now, domain),
  );
  return { ...value, revision: revision ?? value.revision };
};

/** Like {@link changeCode}, but the caller records the change. */
export async function replaceCode(
  db: Db,
  accountId: number,
  id: string,
  code: string,
  now: number,
  domain?: LinkDomain | null,
): Promise<Link> {
  const before = await lockLive(db, accountId, id);
  if (before === undefined) throw linkNotFound();
  const row = before.link_row;
  const space = domain === undefined ? before.space : (domain?.space ?? '');
  if (before.code === code && before.space === space) return linkOf(before);
  const codeSpace = await requireSpace(db, accountId, space);
  const [wanted, old] = [codeKey(space, code), keyOf(before)];
  if (wanted !== old) {
    if ((await findAlias(db, row, wanted)) === undefined) {
      await requireRoom(db, row);
      await claimCode(db, accountId, codeSpace, [code], row);
    } else await db.run(updateAlias, [null, wanted]);
    await db.run(updateAlias, [before.code, old]);
  }
  await all(db.run(updateCode, [code, space, row]), db.run(touch, [now, now, row]));
  await storeSearchText(db, row);
  await countDomainChange(db, accountId, before.space, space);
  const after = await findLive(db, accountId, id);
  if (after === undefined) throw linkNotFound();
  return linkOf(after);
}

export const addAlias: Write<'addAlias'> = async (db, accountId, id, code, now, domain) => {
  const write = { accountId, id, action: 'updated', now, aliases: true } as const;
  return (await recordLink(db, write, () => createAlias(db, accountId, id, code, now, domain))).value;
};

async function createAlias(
  db: Db,
  accountId: number,
  id: string,
  code: string,
  now: number,
  domain?: LinkDomain | null,
): Promise<{ alias: HostedCode; isNew: boolean }> {
  const found = await lockLive(db, accountId, id);
  if (found === undefined) throw linkNotFound();
  const row = found.link_row;
  const space = domain === undefined ? found.space : (domain?.space ?? '');
  const host = domain === undefined ? found.host : (domain?.host ?? null);
  const key = codeKey(space, code);
  if (keyOf(found) === key) throw codeTaken([code], 'An alias must differ from the code of its link.');
  const alias = await findAlias(db, row, key);
  if (alias !== undefined) return { alias: { code: alias, host }, isNew: false };
  const codeSpace = await requireSpace(db, accountId, space);
  await requireRoom(db, row);
  await claimAlias(db, accountId, codeSpace, code, row);
  await db.run(touch, [now, now, row]);
  await storeSearchText(db, row);
  return { alias: { code, host }, isNew: true };
}

const linkOfAlias = `
  SELECT l.link_row, l.id, l.space, ${folderIdOf('l')} AS folder_id FROM codes c JOIN links l ON l.link_row = c.link_row
  WHERE c.key = ? AND c.account_id = ? AND c.alias IS NOT NULL AND c.live = 1 AND l.deleted_at IS NULL`;
const lockLinkOfAlias = `SELECT link_row FROM links WHERE link_row = (SELECT h.link_row FROM (${linkOfAlias}) AS h)`;
const deleteAlias =
  'UPDATE codes SET live = 0, alias = NULL WHERE key = ? AND link_row = ? AND alias IS NOT NULL';

export const removeAlias: Write<'removeAlias'> = async (db, accountId, key, now) => {
  const named = [key, accountId];
  await db.lockRows('no key update', lockLinkOfAlias, named);
  const found = await db.get<Pick<LinkRow, 'link_row' | 'id' | 'space' | 'folder_id'>>(linkOfAlias, named);
  if (found === undefined || !canAccessLink(db, found)) return false;
  const write = { accountId, id: idText(found.id), action: 'updated', now, aliases: true } as const;
  return (await recordLink(db, write, () => dropAlias(db, key, found.link_row, now))).value;
};

async function dropAlias(db: Db, key: string, row: number, now: number): Promise<boolean> {
  if ((await db.run(deleteAlias, [key, row])) === 0) return false;
  await all(db.run(touch, [now, now, row]), recordChange(db, 'target', key));
  await storeSearchText(db, row);
  return true;
}

const aliasesOf = `
  SELECT c.alias, c.key FROM links l LEFT JOIN codes c ON c.link_row = l.link_row AND c.alias IS NOT NULL
  WHERE l.id = ? AND l.account_id = ? AND l.deleted_at IS NULL ORDER BY c.key`;

export const aliases: Read<'aliases'> = async (db, accountId, id) => {
  const rows = await db.all<{ alias: string | null; key: string }>(aliasesOf, [idBytes(id), accountId]);
  if (rows.length === 0) return undefined;
  const hosts = rows.some(({ key }) => key !== null && spaceOf(key) !== '')
    ? await hostsOf(db, accountId)
    : new Map<string, string>();
  return rows.flatMap(({ alias, key }) =>
    alias === null ? [] : [{ code: alias, host: hosts.get(spaceOf(key)) ?? null }],
  );
};

export const aliasWrites = { changeCode, addAlias, removeAlias };
