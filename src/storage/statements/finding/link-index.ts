import { type Db, one } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { accountMark } from './link-trigrams.ts';
import { columnList, foldColumns, type SearchColumns, searchTextOf, storeSearchText } from './search-text.ts';

/** Query that returns a row when the number of links missing from the search index exceeds its parameter. */
export const lacksLinks = `
  SELECT 1 AS found FROM link_index i WHERE i.reached + ? < COALESCE((SELECT MAX(link_row) FROM links), 0)`;
/**
 * Query that returns a row when the number of indexed links with changed search columns exceeds its parameter. Only for
 * engines that store the search index in its own table (SQLite).
 */
export const hasChangedColumns = 'SELECT 1 AS found FROM link_text_changes LIMIT 1 OFFSET ?';

const reached = 'SELECT reached FROM link_index WHERE id = 1';
const columns = `link_row, account_id, ${columnList}, search_text`;
const nextLinks = `SELECT ${columns} FROM links WHERE link_row > ? ORDER BY link_row LIMIT ?`;
const changedLinks = `
  SELECT ${columns} FROM links WHERE link_row IN (SELECT link_row FROM link_text_changes ORDER BY link_row LIMIT ?)`;
const setIndexedUpTo = 'UPDATE link_index SET reached = ? WHERE id = 1';
const deleteTextChange = 'DELETE FROM link_text_changes WHERE link_row = ?';
const linkByRow = 'SELECT link_row FROM links WHERE link_row = ?';
const insertText = 'INSERT OR REPLACE INTO link_texts (rowid, text) VALUES (?, ?)';
type ColumnsRow = SearchColumns & { link_row: number; account_id: number; search_text: string | null };

/**
 * Adds links to the search index. Searches read the rows of links that are not indexed yet, so indexing never changes a
 * result.
 */
export const indexLinks: Write<'indexLinks'> = async (db, max) => {
  // Locks this row, so that only one process at a time adds links to the index.
  await db.lockRows('no key update', reached, []);
  const changed = db.hasSearchTable ? await db.all<ColumnsRow>(changedLinks, [max]) : [];
  for (const row of changed) {
    await indexTexts(db, row);
    await db.run(deleteTextChange, [row.link_row]);
  }
  const { reached: from } = await one<{ reached: number }>(db, reached, []);
  const rows = await db.all<ColumnsRow>(nextLinks, [from, max]);
  const upto = rows.at(-1)?.link_row;
  if (upto !== undefined) {
    for (const row of rows) await indexTexts(db, row);
    await db.run(setIndexedUpTo, [upto]);
  }
  return changed.length === max || rows.length === max;
};

async function indexTexts(db: Db, row: ColumnsRow): Promise<void> {
  if (searchTextOf(row) !== row.search_text) {
    // Locks the link, because a client may be changing its search columns.
    await db.lockRows('no key update', linkByRow, [row.link_row]);
    await storeSearchText(db, row.link_row);
  }
  if (!db.hasSearchTable) return;
  await db.run(insertText, [row.link_row, `${accountMark(row.account_id)}\n${foldColumns(row)}`]);
}
