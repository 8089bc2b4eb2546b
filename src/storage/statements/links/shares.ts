import { maxShares, type NewShare, type Share, type SharedLink } from '../../../model/clicks/shares.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { type Db, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import type { LinkRow } from '../finding/link-reads.ts';
import { isReached, requireReached } from '../finding/within.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';

const liveLink = `
  SELECT link_row, space, ${folderIdOf('links')} AS folder_id FROM links
  WHERE id = ? AND account_id = ? AND deleted_at IS NULL`;
type LinkPlace = Pick<LinkRow, 'link_row' | 'space' | 'folder_id'>;
const removeExpired = 'DELETE FROM shares WHERE link_row = ? AND expires_at <= ?';
const countShares = 'SELECT COUNT(*) AS shares FROM shares WHERE link_row = ?';
const insertShare = `
  INSERT INTO shares (id, account_id, link_row, digest, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`;

/** Makes a share of a live link, and removes its expired ones. @throws Failure LINK_NOT_FOUND, LIMIT_REACHED */
export async function shareLink(db: Db, accountId: number, linkId: string, share: NewShare): Promise<Share> {
  const link = [idBytes(linkId), accountId];
  await db.lockRows('no key update', liveLink, link);
  const found = await db.get<LinkPlace>(liveLink, link);
  if (found === undefined) throw linkNotFound();
  requireReached(db, found);
  const { link_row: row } = found;
  const { id, digest, createdAt, expiresAt } = share;
  await db.run(removeExpired, [row, createdAt]);
  const { shares } = await one<{ shares: number }>(db, countShares, [row]);
  if (shares >= maxShares) throw limitReached('shares', maxShares);
  await db.run(insertShare, [idBytes(id), accountId, row, digest, createdAt, expiresAt]);
  return { id, createdAt, expiresAt };
}

const linkOfShare = `
  SELECT l.link_row, l.space, ${folderIdOf('l')} AS folder_id
  FROM shares s JOIN links l ON l.link_row = s.link_row WHERE s.id = ? AND s.account_id = ?`;
const revoke = 'DELETE FROM shares WHERE id = ? AND account_id = ?';

/** @returns whether there was one */
export async function revokeShare(db: Db, accountId: number, id: string): Promise<boolean> {
  const share = [idBytes(id), accountId];
  const found = await db.get<LinkPlace>(linkOfShare, share);
  return found !== undefined && isReached(db, found) && (await db.run(revoke, share)) > 0;
}

interface ShareRow {
  id: Uint8Array;
  created_at: number;
  expires_at: number | null;
}

const sharesOf = 'SELECT id, created_at, expires_at FROM shares WHERE link_row = ? ORDER BY id';

/** The shares of a live link, oldest first; undefined when the account has no such link. */
export async function shares(
  db: Db,
  accountId: number,
  linkId: string,
): Promise<readonly Share[] | undefined> {
  const found = await db.get<{ link_row: number }>(liveLink, [idBytes(linkId), accountId]);
  if (found === undefined) return undefined;
  const rows = await db.all<ShareRow>(sharesOf, [found.link_row]);
  return rows.map((row) => ({
    id: idText(row.id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

const byDigest = `
  SELECT s.id, s.account_id, l.id AS link_id, l.code, l.title, l.destination, d.host
  FROM shares s JOIN links l ON l.link_row = s.link_row JOIN accounts a ON a.id = s.account_id
    LEFT JOIN domains d ON d.space = l.space
  WHERE s.digest = ? AND (s.expires_at IS NULL OR s.expires_at > ?)
    AND l.deleted_at IS NULL AND a.suspended_at IS NULL`;

/** Finds the live link that a share is of, while the share has not expired and the account is not suspended. */
export async function sharedLink(db: Db, digest: Uint8Array, now: number): Promise<SharedLink | undefined> {
  const row = await db.get<{
    id: Uint8Array;
    account_id: number;
    link_id: Uint8Array;
    code: string;
    title: string | null;
    destination: string;
    host: string | null;
  }>(byDigest, [digest, now]);
  return (
    row && {
      shareId: idText(row.id),
      accountId: row.account_id,
      linkId: idText(row.link_id),
      code: row.code,
      host: row.host,
      title: row.title,
      destination: row.destination,
    }
  );
}
