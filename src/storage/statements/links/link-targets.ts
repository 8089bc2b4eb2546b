import type { LinkTargets } from '../../../domain/links/host-lists.ts';
import type { Db } from '../../db/db.ts';

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

/** Where live links of all accounts lead, in the order of their rows. @param after the row of the last one before */
export async function linkTargets(db: Db, after: number, limit: number): Promise<readonly LinkTargets[]> {
  const rows = await db.all<Row>(nextTargets, [after, limit]);
  return rows.map(({ link_row: row, code, account, destination, expired_url: expiredUrl, rules, card }) => ({
    ...{ row, code, account },
    urls: [destination, ...(expiredUrl === null ? [] : [expiredUrl]), ...urlsIn(rules), ...urlsIn(card)],
  }));
}

/** Every URL of stored rules or of a stored card, wherever it stands in them. */
function urlsIn(stored: string | null): readonly string[] {
  const urls: string[] = [];
  if (stored !== null)
    JSON.parse(stored, (key, value: unknown) => {
      if ((key === 'url' || key === 'image') && typeof value === 'string') urls.push(value);
      return value;
    });
  return urls;
}
