import type { ResolvedRestrictions } from '../../../model/accounts/key-restrictions.ts';
import type { DeletedLink, DeletedPlace, StoredLink } from '../../../model/links/link-records.ts';
import type { Db } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { joined, within } from './link-conditions.ts';
import { appliedTo, type LinkRowWithPosition, linkColumns, storedLinkOf } from './link-reads.ts';

// A code's link is of the code's account. The statement does not say so: the planner would look for the link by account.
function byCode(condition: string): string {
  return `
  SELECT ${linkColumns}, l.deleted_at, ${appliedTo}
  FROM codes c
  JOIN links l ON l.link_row = c.link_row
  LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE c.account_id = ? AND c.key = ? AND ${condition}`;
}
const liveByCode = byCode('c.live = 1 AND l.deleted_at IS NULL');
const deletedByCode = byCode('l.deleted_at IS NOT NULL');

/** Finds the live link of the account that has a code, by its key, with the journal position that its clicks include. */
export async function linkByCode(
  db: Db,
  accountId: number,
  key: string,
): Promise<{ link: StoredLink; appliedTo: number } | undefined> {
  const row = await db.get<LinkRowWithPosition>(liveByCode, [db.journal, accountId, key]);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
}

const byExternalId = `
  SELECT ${linkColumns}, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE l.account_id = ? AND l.external_id = ? AND l.deleted_at IS NULL`;

/** Finds the live link of the account that another system knows by a name. */
export async function linkByExternalId(
  db: Db,
  accountId: number,
  externalId: string,
): Promise<{ link: StoredLink; appliedTo: number } | undefined> {
  const row = await db.get<LinkRowWithPosition>(byExternalId, [db.journal, accountId, externalId]);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
}

type DeletedRow = LinkRowWithPosition & { deleted_at: number };

function deletedLinkOf(row: DeletedRow): DeletedLink {
  return { ...storedLinkOf(row), deletedAt: row.deleted_at };
}

/** Finds the deleted link of the account that had a code last, by its key, unless a live one has it now. */
export async function deletedLinkByCode(
  db: Db,
  accountId: number,
  key: string,
): Promise<{ link: DeletedLink; appliedTo: number } | undefined> {
  const row = await db.get<DeletedRow>(deletedByCode, [db.journal, accountId, key]);
  return row && { link: deletedLinkOf(row), appliedTo: row.applied_to };
}

// One index holds the deleted links of an account in this order, so a page costs its own rows, however far back it is.
function deletedWith(condition: string): string {
  return `
  SELECT ${linkColumns}, l.deleted_at, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE ${condition} AND (l.deleted_at, l.id) < (?, ?)
  ORDER BY l.deleted_at DESC, l.id DESC LIMIT ?`;
}
const ofAccount = 'l.account_id = ? AND l.deleted_at IS NOT NULL';
export const deletedPage = deletedWith(ofAccount);
// Said apart: the planner would walk all deleted links in their order, and these are few.
const named = `l.link_row IN (
    SELECT x.link_row FROM links x WHERE x.account_id = ? AND x.external_id = ? AND x.deleted_at IS NOT NULL)`;
export const deletedNamed = deletedWith(named);

const beforeAll: DeletedPlace = {
  deletedAt: Number.MAX_SAFE_INTEGER,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The deleted links of an account, or those that had an externalId, behind a place in their list, the last deleted first. */
export async function deletedLinks(
  db: Db,
  accountId: number,
  limit: number,
  behind: DeletedPlace = beforeAll,
  externalId?: string,
  restrictions?: ResolvedRestrictions,
): Promise<{ links: readonly DeletedLink[]; appliedTo: number }> {
  const condition = externalId === undefined ? ofAccount : named;
  const bounds = joined(within(restrictions), ' AND ');
  const params = [
    db.journal,
    accountId,
    ...(externalId === undefined ? [] : [externalId]),
    ...bounds.params,
    behind.deletedAt,
    idBytes(behind.id),
    limit,
  ];
  const rows =
    bounds.sql === ''
      ? await db.all<DeletedRow>(externalId === undefined ? deletedPage : deletedNamed, params)
      : await db.ask<DeletedRow>(deletedWith(`${condition} AND ${bounds.sql}`), params);
  return { links: rows.map(deletedLinkOf), appliedTo: rows[0]?.applied_to ?? 0 };
}
