import { maxShares, type Report } from '../../../model/clicks/shares.ts';
import { limitReached } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { linkNotFound } from '../../../model/links/links.ts';
import { getLocked, one } from '../../db/db.ts';
import { idBytes } from '../../db/ids.ts';
import { insertRow, isSet, json, plain, type Row, stored, uuid } from '../../db/records.ts';
import type { Read, Write } from '../../db/statements.ts';
import { canAccessLink, requireAccess } from '../finding/access.ts';
import type { LinkRow } from '../finding/link-reads.ts';
import { folderIdOf } from '../groups/deleted-folders.ts';
import { lockAccount } from '../groups/link-counts.ts';

const liveLink = `
  SELECT link_row, space, ${folderIdOf('links')} AS folder_id FROM links
  WHERE id = ? AND account_id = ? AND deleted_at IS NULL`;
type LinkPlace = Pick<LinkRow, 'link_row' | 'space' | 'folder_id'>;
const deleteExpired = 'DELETE FROM shares WHERE link_row = ? AND expires_at <= ?';
const countShares = 'SELECT COUNT(*) AS shares FROM shares WHERE link_row = ?';

/** Creates a share of a live link, and deletes the link's expired shares. */
export const shareLink: Write<'shareLink'> = async (db, accountId, linkId, share) => {
  const link = [idBytes(linkId), accountId];
  const found = await getLocked<LinkPlace>(db, 'no key update', liveLink, link);
  if (found === undefined) throw linkNotFound();
  requireAccess(db, found);
  const { link_row: row } = found;
  const { id, digest, createdAt, expiresAt } = share;
  await db.run(deleteExpired, [row, createdAt]);
  const { shares } = await one<{ shares: number }>(db, countShares, [row]);
  if (shares >= maxShares) throw limitReached('shares', maxShares);
  const values = { ...storedShare.values(share), account_id: accountId, link_row: row, digest };
  await insertRow(db, 'shares', values);
  return { id, createdAt, expiresAt };
};

const linkOfShare = `
  SELECT s.link_row, l.space, ${folderIdOf('l')} AS folder_id
  FROM shares s LEFT JOIN links l ON l.link_row = s.link_row WHERE s.id = ? AND s.account_id = ?`;
const revoke = 'DELETE FROM shares WHERE id = ? AND account_id = ?';

export const revokeShare: Write<'revokeShare'> = async (db, accountId, id) => {
  const share = [idBytes(id), accountId];
  const found = await db.get<LinkPlace | { link_row: null }>(linkOfShare, share);
  if (found === undefined || (found.link_row !== null && !canAccessLink(db, found))) return false;
  return (await db.run(revoke, share)) > 0;
};

const deleteExpiredReports =
  'DELETE FROM shares WHERE account_id = ? AND link_row IS NULL AND expires_at <= ?';
const countOfAccount = 'SELECT COUNT(*) AS shares FROM shares WHERE account_id = ? AND link_row IS NULL';

/** Creates a share of several subjects, and deletes expired shares. */
export const createShare: Write<'createShare'> = async (db, accountId, share) => {
  const { id, digest, createdAt, expiresAt, subjects, password } = share;
  await lockAccount(db, accountId);
  await db.run(deleteExpiredReports, [accountId, createdAt]);
  const { shares } = await one<{ shares: number }>(db, countOfAccount, [accountId]);
  if (shares >= maxShares) throw limitReached('allShares', maxShares);
  const values = { ...storedReport.values(share), account_id: accountId, digest, password_hash: password };
  await insertRow(db, 'shares', values);
  return { id, createdAt, expiresAt, subjects, hasPassword: password !== null };
};

const storedShare = stored('', {
  id: uuid(),
  createdAt: plain<number>(),
  expiresAt: plain<number | null>(),
});
const storedReport = stored('', {
  ...storedShare.fields,
  subjects: json<Report['subjects']>(),
  hasPassword: isSet({ column: 'password_hash' }),
});
const reportsOfAccount = `
  SELECT ${storedReport.columns} FROM shares WHERE account_id = ? AND link_row IS NULL ORDER BY id`;

export const accountShares: Read<'accountShares'> = async (db, accountId) =>
  (await db.all<Row>(reportsOfAccount, [accountId])).map(storedReport.of);

const sharesOfLink = `SELECT ${storedShare.columns} FROM shares WHERE link_row = ? ORDER BY id`;

export const shares: Read<'shares'> = async (db, accountId, linkId) => {
  const found = await db.get<{ link_row: number }>(liveLink, [idBytes(linkId), accountId]);
  if (found === undefined) return undefined;
  return (await db.all<Row>(sharesOfLink, [found.link_row])).map(storedShare.of);
};

const byDigest = `
  SELECT s.id, s.account_id, s.subjects, s.password_hash, l.id AS link_id, l.code, l.title, l.destination, d.host
  FROM shares s LEFT JOIN links l ON l.link_row = s.link_row JOIN accounts a ON a.id = s.account_id
    LEFT JOIN domains d ON d.space = l.space
  WHERE s.digest = ? AND (s.expires_at IS NULL OR s.expires_at > ?)
    AND (s.link_row IS NULL OR l.deleted_at IS NULL) AND a.suspended_at IS NULL`;

/** Returns a share only if it has not expired, its link is live, and its account is not suspended. */
export const shared: Read<'shared'> = async (db, digest, now) => {
  const row = await db.get<{
    id: Uint8Array;
    account_id: number;
    subjects: string | null;
    password_hash: string | null;
    link_id: Uint8Array | null;
    code: string;
    title: string | null;
    destination: string;
    host: string | null;
  }>(byDigest, [digest, now]);
  if (row === undefined) return undefined;
  const { code, title, destination, host } = row;
  const id = row.link_id === null ? undefined : idText(row.link_id);
  return {
    shareId: idText(row.id),
    accountId: row.account_id,
    password: row.password_hash,
    link: id === undefined ? undefined : { code, host, title, destination },
    subjects: id === undefined ? JSON.parse(row.subjects ?? '[]') : [{ kind: 'link', id }],
  };
};

export const shareReads = { shares, accountShares, shared };

export const shareWrites = { shareLink, createShare, revokeShare };
