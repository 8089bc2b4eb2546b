import type { DeletedLink, DeletedPlace } from '../../../model/links/link-records.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';
import { joined, within } from './link-conditions.ts';
import { appliedTo, type LinkRowWithPosition, linkColumns, storedLinkOf } from './link-reads.ts';

// Omits a condition on `l.account_id`: a code and its link always have the same account, and with the condition the
// planner would look up the link by account.
function selectByCode(condition: string): string {
  return `
  SELECT ${linkColumns}, l.deleted_at, ${appliedTo}
  FROM codes c
  JOIN links l ON l.link_row = c.link_row
  LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE c.account_id = ? AND c.key = ? AND ${condition}`;
}
const liveByCode = selectByCode('c.live = 1 AND l.deleted_at IS NULL');
const deletedByCode = selectByCode('l.deleted_at IS NOT NULL');

export const linkByCode: Read<'linkByCode'> = async (db, accountId, key) => {
  const row = await db.get<LinkRowWithPosition>(liveByCode, [db.journal, accountId, key]);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
};

const selectByExternalId = `
  SELECT ${linkColumns}, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE l.account_id = ? AND l.external_id = ? AND l.deleted_at IS NULL`;

export const linkByExternalId: Read<'linkByExternalId'> = async (db, accountId, externalId) => {
  const row = await db.get<LinkRowWithPosition>(selectByExternalId, [db.journal, accountId, externalId]);
  return row && { link: storedLinkOf(row), appliedTo: row.applied_to };
};

type DeletedRow = LinkRowWithPosition & { deleted_at: number };

function deletedLinkOf(row: DeletedRow): DeletedLink {
  return { ...storedLinkOf(row), deletedAt: row.deleted_at };
}

export const deletedLinkByCode: Read<'deletedLinkByCode'> = async (db, accountId, key) => {
  const row = await db.get<DeletedRow>(deletedByCode, [db.journal, accountId, key]);
  return row && { link: deletedLinkOf(row), appliedTo: row.applied_to };
};

// An index stores an account's deleted links in this order, so a page at any depth is read without reading other rows.
function selectDeletedPage(condition: string): string {
  return `
  SELECT ${linkColumns}, l.deleted_at, ${appliedTo}
  FROM links l LEFT JOIN link_clicks k ON k.link_row = l.link_row
  WHERE ${condition} AND (l.deleted_at, l.id) < (?, ?)
  ORDER BY l.deleted_at DESC, l.id DESC LIMIT ?`;
}
const deletedOfAccount = 'l.account_id = ? AND l.deleted_at IS NOT NULL';
export const deletedPage = selectDeletedPage(deletedOfAccount);
// Uses a subquery, because few links have the same external id. The planner would otherwise scan all deleted links in
// order.
const deletedByExternalId = `l.link_row IN (
    SELECT x.link_row FROM links x WHERE x.account_id = ? AND x.external_id = ? AND x.deleted_at IS NOT NULL)`;
export const deletedPageByExternalId = selectDeletedPage(deletedByExternalId);

const firstPlace: DeletedPlace = {
  deletedAt: Number.MAX_SAFE_INTEGER,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

export const deletedLinks: Read<'deletedLinks'> = async (
  db,
  accountId,
  limit,
  behind = firstPlace,
  externalId,
  restrictions,
) => {
  const condition = externalId === undefined ? deletedOfAccount : deletedByExternalId;
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
      ? await db.all<DeletedRow>(externalId === undefined ? deletedPage : deletedPageByExternalId, params)
      : await db.allUncached<DeletedRow>(selectDeletedPage(`${condition} AND ${bounds.sql}`), params);
  return { links: rows.map(deletedLinkOf), appliedTo: rows[0]?.applied_to ?? 0 };
};

export const linkLookUpReads = { linkByCode, linkByExternalId, deletedLinks, deletedLinkByCode };
