import { idText } from '../../model/ids.ts';
import type { Read } from '../db/statements.ts';

function selectNewest(table: string): string {
  return `SELECT id, created_at FROM (SELECT id, created_at FROM ${table} ORDER BY id DESC LIMIT 1) AS newest_of_${table}`;
}
const newestLinkAndFolder = `${selectNewest('links')} UNION ALL ${selectNewest('folders')}`;

export const newest: Read<'newest'> = async (db) => {
  const rows = await db.all<{ id: Uint8Array; created_at: number }>(newestLinkAndFolder, []);
  const ids = rows.map(({ id }) => idText(id)).sort();
  const id = ids.at(-1);
  return id === undefined ? undefined : { id, createdAt: Math.max(...rows.map((row) => row.created_at)) };
};
