import { type Db, one } from '../../db/db.ts';
import { foldedTexts, type LinkTexts, searchTextOf, storeSearchText, textList } from './link-texts.ts';
import { accountMark } from './link-trigrams.ts';

/** A query: one row where there are more links to take in than its parameter. */
export const lacksLinks = `
  SELECT 1 AS found FROM link_index i WHERE i.reached + ? < COALESCE((SELECT MAX(link_row) FROM links), 0)`;
/** Same as above, for changed texts, where texts are found through a table of their own. */
export const hasChangedTexts = 'SELECT 1 AS found FROM link_text_changes LIMIT 1 OFFSET ?';

const reached = 'SELECT reached FROM link_index WHERE id = 1';
const columns = `link_row, account_id, ${textList}, search_text`;
const nextLinks = `SELECT ${columns} FROM links WHERE link_row > ? ORDER BY link_row LIMIT ?`;
const changedLinks = `
  SELECT ${columns} FROM links WHERE link_row IN (SELECT link_row FROM link_text_changes ORDER BY link_row LIMIT ?)`;
const reach = 'UPDATE link_index SET reached = ? WHERE id = 1';
const taken = 'DELETE FROM link_text_changes WHERE link_row = ?';
const linkByRow = 'SELECT link_row FROM links WHERE link_row = ?';
const insertText = 'INSERT OR REPLACE INTO link_texts (rowid, text) VALUES (?, ?)';
type TextRow = LinkTexts & { link_row: number; account_id: number; search_text: string | null };

/**
 * Takes some links into what finds them: those whose texts were changed, then the next ones in the order of their rows.
 * Until then a search reads their rows, so this changes none of its answers.
 * @param max how many links
 * @returns whether there may be more
 */
export async function indexLinks(db: Db, max: number): Promise<boolean> {
  // Another process that does the same waits.
  await db.lockRows('no key update', reached, []);
  const changed = db.searchesApart ? await db.all<TextRow>(changedLinks, [max]) : [];
  for (const row of changed) {
    await indexTexts(db, row);
    await db.run(taken, [row.link_row]);
  }
  const { reached: from } = await one<{ reached: number }>(db, reached, []);
  const rows = await db.all<TextRow>(nextLinks, [from, max]);
  const upto = rows.at(-1)?.link_row;
  if (upto !== undefined) {
    for (const row of rows) await indexTexts(db, row);
    await db.run(reach, [upto]);
  }
  return changed.length === max || rows.length === max;
}

async function indexTexts(db: Db, row: TextRow): Promise<void> {
  if (searchTextOf(row) !== row.search_text) {
    // A client may be changing its texts at this moment.
    await db.lockRows('no key update', linkByRow, [row.link_row]);
    await storeSearchText(db, row.link_row);
  }
  if (!db.searchesApart) return;
  await db.run(insertText, [row.link_row, `${accountMark(row.account_id)}\n${foldedTexts(row)}`]);
}
