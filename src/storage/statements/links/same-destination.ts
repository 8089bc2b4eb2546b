import { idText } from '../../../model/ids.ts';
import { codeKey } from '../../../model/links/codes/codes.ts';
import { linkExists } from '../../../model/links/conflicts.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import type { Db, Value } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { requirePlaceAccess } from '../finding/access.ts';
import { joined, within } from '../finding/link-conditions.ts';
import { findLive, linkOf } from '../finding/link-reads.ts';
import { requireFolder } from '../groups/folders.ts';
import { lockAccount, requireRoom } from '../groups/link-counts.ts';
import { createLink } from './links.ts';

/** Number of leading characters of a location that the index `links_by_location` contains. */
const indexedLength = 2_048;
const location = 'COALESCE(l.location, l.destination)';

const inOrder = 'ORDER BY (l.link_row + 0) LIMIT 1';

/**
 * Returns a query for the oldest link with a destination. Uses the same expressions and order as the index
 * `links_by_location`, so that the query does not read other links.
 */
export function oldestWithDestination(condition: string): string {
  return `
  SELECT l.id, l.code FROM links l
  WHERE l.account_id = ? AND l.deleted_at IS NULL AND substr(${location}, 1, ${indexedLength}) = ? AND ${location} = ?
    AND l.utm IS NOT DISTINCT FROM ? AND l.space = ? AND l.template = ?
    AND l.disabled = 0 AND (l.expires_at IS NULL OR l.expires_at > ?)
    AND (l.max_clicks IS NULL OR l.used_clicks < l.max_clicks)${condition}
  ${inOrder}`;
}
const anyLink = oldestWithDestination('');
// Excludes links with a password, because a caller that reuses an existing link does not expect one.
const hasNoPassword = ' AND l.password_hash IS NULL';
const linkWithoutPassword = oldestWithDestination(hasNoPassword);
const linkByCode = oldestWithDestination(
  `${hasNoPassword} AND l.link_row = (SELECT c.link_row FROM codes c WHERE c.key = ? AND c.account_id = ? AND c.live = 1)`,
);

/** Finds a link, restricted to links that the author may access. */
async function findLink<R>(db: Db, sql: string, params: readonly Value[]): Promise<R | undefined> {
  const bounds = within(db.by?.restrictions);
  if (bounds.length === 0) return db.get<R>(sql, params);
  const { sql: bound, params: more } = joined(bounds, ' AND ');
  const [found] = await db.allUncached<R>(sql.replace(inOrder, `AND ${bound} ${inOrder}`), [
    ...params,
    ...more,
  ]);
  return found;
}

/**
 * Creates a link unless a link with the same destination exists. Concurrent calls for the same account wait until the
 * transaction ends, so that two concurrent requests create only one link.
 */
export const createUnlessExists: Write<'createUnlessExists'> = async (
  db,
  accountId,
  draft,
  { ifExists, customCode, now },
) => {
  await lockAccount(db, accountId);
  const space = draft.domain?.space ?? '';
  const to = [
    accountId,
    draft.location.slice(0, indexedLength),
    draft.location,
    draft.utm ?? null,
    space,
    draft.template ?? 0,
    now,
  ];
  requirePlaceAccess(db, space, draft.folderId ?? null);
  if (typeof draft.folderId === 'string') await requireFolder(db, accountId, draft.folderId);
  if (ifExists === 'fail') {
    // Checks quota first: existence and quota are checked before conflicts (CONTRACT §1.4).
    await requireRoom(db, accountId, draft.quota);
    const there = await findLink<{ id: Uint8Array; code: string }>(db, anyLink, to);
    if (there !== undefined) throw linkExists(there.code, idText(there.id));
    return { link: await createLink(db, accountId, draft), isNew: true };
  }
  const there =
    customCode === undefined
      ? await findLink<{ id: Uint8Array }>(db, linkWithoutPassword, to)
      : await findLink<{ id: Uint8Array }>(db, linkByCode, [...to, codeKey(space, customCode), accountId]);
  if (there === undefined) return { link: await createLink(db, accountId, draft), isNew: true };
  const row = await findLive(db, accountId, idText(there.id));
  if (row === undefined) throw linkNotFound();
  return { link: linkOf(row), isNew: false };
};
