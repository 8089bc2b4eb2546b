import { createHash } from 'node:crypto';
import { one, whenKnown } from '../../db/db.ts';
import { queryInGroups } from '../../db/in-groups.ts';
import type { Read, Write } from '../../db/statements.ts';

const positionOfJournal =
  'SELECT COALESCE((SELECT applied_to FROM click_journals WHERE id = ?), 0) AS applied_to';

export const appliedTo: Read<'appliedTo'> = async (db, journal) =>
  (await one<{ applied_to: number }>(db, positionOfJournal, [journal])).applied_to;

const startJournal = `
  INSERT INTO click_journals (id, applied_to) VALUES (?, ?)
  ON CONFLICT (id) DO UPDATE SET applied_to = excluded.applied_to WHERE click_journals.applied_to = 0`;
const advanceJournal = 'UPDATE click_journals SET applied_to = ? WHERE id = ? AND applied_to = ?';

const addToSum = 'UPDATE recent_clicks SET clicks = clicks + ? WHERE link_row = ? AND hour = ? AND class = ?';
// Selects from links, so that clicks on a link that does not exist are skipped. With a plain insert, they would make
// the whole batch fail.
const insertSum = `
  INSERT INTO recent_clicks (link_row, hour, class, clicks)
  SELECT link_row, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM links WHERE link_row = ?`;
// Each row belongs to one journal. Only roll-ups and the process that owns the journal lock the row, and they lock rows
// in the same order, so deadlocks cannot occur.
const upsertSums = `
  INSERT INTO recent_clicks (link_row, hour, class, source, clicks)
  SELECT g.link_row, g.hour, g.class, CAST(? AS BIGINT), g.clicks
  FROM input g JOIN links l ON l.link_row = g.link_row
  ORDER BY g.link_row, g.hour, g.class
  ON CONFLICT (link_row, hour, class, source) DO UPDATE SET clicks = recent_clicks.clicks + excluded.clicks`;
const sumColumns = { link_row: 'integer', hour: 'integer', class: 'integer', clicks: 'integer' } as const;

const insertBatch = 'INSERT INTO click_batches (layout, clicks, records) VALUES (?, ?, ?)';

/**
 * Adds a batch of clicks and advances the journal's position in one transaction, so that replaying a batch is harmless.
 * The sums go to `recent_clicks`, because this table needs only a few database pages. In the table of totals, each link
 * may be on a different page. The click records go to `click_batches` unchanged. Readers must not expect batches to
 * become visible in id order: with several writers, a lower id may be committed later.
 */
export const applyClicks: Write<'applyClicks'> = async (db, { journal, from, to, sums, records = [] }) => {
  if (to <= from) throw new Error(`Click batch does not advance the journal offset (from ${from} to ${to}).`);
  const moved =
    from === 0
      ? await db.run(startJournal, [journal, to])
      : await db.run(advanceJournal, [to, journal, from]);
  if (moved === 0) return false;

  const addOne = (...[row = 0, hour = 0, clickClass = 0, clicks = 0]: (number | string)[]) =>
    whenKnown(db.run(addToSum, [clicks, row, hour, clickClass]), (raised) =>
      raised === 0 ? db.run(insertSum, [hour, clickClass, clicks, row]) : raised,
    );
  await db.bulk({ columns: sumColumns, values: sums }, addOne, upsertSums, [journalNumber(journal)]);
  for (const { layout, clicks, bytes } of records) await db.run(insertBatch, [layout, clicks, bytes]);
  return true;
};

/**
 * Returns a number that identifies a journal. Rows store it instead of the id, because it takes eight bytes instead of
 * forty. Two journals that get the same number share rows.
 */
function journalNumber(journal: string): number {
  return createHash('sha256').update(journal).digest().readUIntBE(0, 6);
}

const removeJournal = 'DELETE FROM click_journals WHERE id = ?';

/** Deletes the position of a journal that no longer exists. */
export const deleteJournal: Write<'deleteJournal'> = async (db, journal) => {
  await db.run(removeJournal, [journal]);
};

const rowsByIds = (ids: string): string => `SELECT id, link_row, account_id FROM links WHERE id IN (${ids})`;

interface FoundRow {
  readonly id: Uint8Array;
  readonly link_row: number;
  readonly account_id: number;
}

export const rowsOf: Read<'rowsOf'> = async (db, ids) => {
  const bytes = ids.map((hex) => Buffer.from(hex, 'hex'));
  const rows = await queryInGroups<FoundRow>(db, rowsByIds, [], bytes);
  return new Map(rows.map((row) => [row.id.toHex(), { row: row.link_row, account: row.account_id }]));
};

export const clickReads = { rowsOf, appliedTo };

export const clickWrites = { applyClicks, deleteJournal };
