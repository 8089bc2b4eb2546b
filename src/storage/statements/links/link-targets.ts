import { idText } from '../../../model/ids.ts';
import { idBytes } from '../../db/ids.ts';
import type { Read } from '../../db/statements.ts';

const nextTargets = `
  SELECT l.link_row, l.code, a.name AS account, l.destination, l.expired_url, l.rules, l.card
  FROM links l JOIN accounts a ON a.id = l.account_id
  WHERE l.link_row > ? AND l.deleted_at IS NULL ORDER BY l.link_row LIMIT ?`;

interface Row {
  link_row: number;
  code: string;
  account: string;
  destination: string;
  expired_url: string | null;
  rules: string | null;
  card: string | null;
}

export const linkTargets: Read<'linkTargets'> = async (db, after, limit) => {
  const rows = await db.all<Row>(nextTargets, [after, limit]);
  return rows.map(({ link_row: row, code, account, destination, expired_url: expiredUrl, rules, card }) => ({
    place: String(row),
    code,
    folder: null,
    account,
    urls: [destination, ...given(expiredUrl), ...urlsIn(rules), ...urlsIn(card)],
  }));
};

const nextBrandings = `
  SELECT b.account_id, a.name AS account, b.expired_url, b.contact
  FROM branding b JOIN accounts a ON a.id = b.account_id
  WHERE b.account_id > ? ORDER BY b.account_id LIMIT ?`;

export const brandingTargets: Read<'brandingTargets'> = async (db, after, limit) => {
  const rows = await db.all<
    Pick<Row, 'account' | 'expired_url'> & { account_id: number; contact: string | null }
  >(nextBrandings, [after, limit]);
  return rows.map(({ account_id: place, account, expired_url: expiredUrl, contact }) => ({
    place: String(place),
    code: null,
    folder: null,
    account,
    urls: [...given(expiredUrl), ...given(contact)],
  }));
};

const nextFolders = `
  SELECT f.id, a.name AS account, f.expired_url FROM folders f JOIN accounts a ON a.id = f.account_id
  WHERE f.id > ? AND f.deleted = 0 ORDER BY f.id LIMIT ?`;

export const folderTargets: Read<'folderTargets'> = async (db, after, limit) => {
  const rows = await db.all<Pick<Row, 'account' | 'expired_url'> & { id: Uint8Array }>(nextFolders, [
    // On the first page, `after` is missing, and an empty value sorts before every id.
    idBytes(after ?? ''),
    limit,
  ]);
  return rows.map(({ id, account, expired_url: expiredUrl }) => {
    const folder = idText(id);
    return { place: folder, code: null, folder, account, urls: given(expiredUrl) };
  });
};

function given(url: string | null): readonly string[] {
  return url === null ? [] : [url];
}

const urlFields: ReadonlySet<string> = new Set(['url', 'image', 'appUrl', 'storeUrl']);

/** Returns all web URLs in stored rules or a stored card, at any depth. */
function urlsIn(stored: string | null): readonly string[] {
  const urls: string[] = [];
  if (stored !== null)
    JSON.parse(stored, (key, value: unknown) => {
      if (urlFields.has(key) && typeof value === 'string' && /^\s*https?:/i.test(value)) urls.push(value);
      return value;
    });
  return urls;
}

export const linkTargetReads = { linkTargets, brandingTargets, folderTargets };
