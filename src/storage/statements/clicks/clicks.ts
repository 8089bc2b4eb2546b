import { createHash } from 'node:crypto';
import type { ClickBatch } from '../../../model/clicks/clicks.ts';
import type { LinkReference } from '../../../model/links/link-records.ts';
import { type Db, one, whenKnown } from '../../db/db.ts';

const position = 'SELECT COALESCE((SELECT applied_to FROM click_journals WHERE id = ?), 0) AS applied_to';

/** Up to which position a journal's clicks are part of the counts; 0 for an unknown journal. */
export async function appliedTo(db: Db, journal: string): Promise<number> {
  return (await one<{ applied_to: number }>(db, position, [journal])).applied_to;
}

const startJournal = `
  INSERT INTO click_journals (id, applied_to) VALUES (?, ?)
  ON CONFLICT (id) DO UPDATE SET applied_to = excluded.applied_to WHERE click_journals.applied_to = 0`;
const advanceJournal = 'UPDATE click_journals SET applied_to = ? WHERE id = ? AND applied_to = ?';

const raise = 'UPDATE recent_clicks SET clicks = clicks + ? WHERE link_row = ? AND hour = ? AND class = ?';
// Selecting from links skips a link that does not exist, where a plain insert would fail the whole batch.
const add = `
  INSERT INTO recent_clicks (link_row, hour, class, clicks)
  SELECT link_row, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM links WHERE link_row = ?`;
// To rows of this journal alone: besides it only a roll-up locks them, in the same order.
const addBulk = `
  INSERT INTO recent_clicks (link_row, hour, class, source, clicks)
  SELECT g.link_row, g.hour, g.class, CAST(? AS BIGINT), g.clicks
  FROM input g JOIN links l ON l.link_row = g.link_row
  ORDER BY g.link_row, g.hour, g.class
  ON CONFLICT (link_row, hour, class, source) DO UPDATE SET clicks = recent_clicks.clicks + excluded.clicks`;
const sumColumns = { link_row: 'integer', hour: 'integer', class: 'integer', clicks: 'integer' } as const;

const keep = 'INSERT INTO click_batches (layout, clicks, records) VALUES (?, ?, ?)';

/**
 * Adds a batch of clicks and moves the journal's position, both or neither: that makes a replay harmless.
 * The sums go to the recent clicks, which are few pages: each link has pages of its own in the tables of totals and hours.
 * What each click says goes to `click_batches` as it is. A reader of them must not expect that they become visible in the
 * order of their ids: where many write at a time, a lower one may be committed later.
 * @returns false, having changed nothing, when the position is no longer `from`
 */
export async function applyClicks(
  db: Db,
  { journal, from, to, sums, records = [] }: ClickBatch,
): Promise<boolean> {
  if (to <= from) throw new Error(`A click batch must move its journal forward, not from ${from} to ${to}.`);
  const moved =
    from === 0
      ? await db.run(startJournal, [journal, to])
      : await db.run(advanceJournal, [to, journal, from]);
  if (moved === 0) return false;

  const addOne = (...[row = 0, hour = 0, clickClass = 0, clicks = 0]: (number | string)[]) =>
    whenKnown(db.run(raise, [clicks, row, hour, clickClass]), (raised) =>
      raised === 0 ? db.run(add, [hour, clickClass, clicks, row]) : raised,
    );
  await db.bulk({ columns: sumColumns, values: sums }, addOne, addBulk, [sourceOf(journal)]);
  for (const { layout, clicks, bytes } of records) await db.run(keep, [layout, clicks, bytes]);
  return true;
}

/** A journal as a number: eight bytes of a row instead of forty. Two journals with the same number share rows. */
function sourceOf(journal: string): number {
  return createHash('sha256').update(journal).digest().readUIntBE(0, 6);
}

const removeJournal = 'DELETE FROM click_journals WHERE id = ?';

/** Forgets a journal that is gone permanently. */
export async function deleteJournal(db: Db, journal: string): Promise<void> {
  await db.run(removeJournal, [journal]);
}

// One prepared statement for any number of ids: the last group is filled up with its first id.
const idsPerStatement = 64;
const rowsByIds = `SELECT id, link_row, account_id FROM links WHERE id IN (${Array(idsPerStatement).fill('?').join(', ')})`;

interface FoundRow {
  readonly id: Uint8Array;
  readonly link_row: number;
  readonly account_id: number;
}

/** The rows of links, deleted ones too, and their accounts, by their ids in lower-case hex. Unknown ids are absent. */
export async function rowsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, LinkReference>> {
  const rows = new Map<string, LinkReference>();
  for (let at = 0; at < ids.length; at += idsPerStatement) {
    const group = ids.slice(at, at + idsPerStatement).map((hex) => Buffer.from(hex, 'hex'));
    const [filler = Buffer.alloc(0)] = group;
    while (group.length < idsPerStatement) group.push(filler);
    for (const { id, link_row: row, account_id: account } of await db.all<FoundRow>(rowsByIds, group))
      rows.set(id.toHex(), { row, account });
  }
  return rows;
}
