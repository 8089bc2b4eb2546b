import { idText } from '../../../model/ids.ts';
import { type Import, importStates } from '../../../model/imports/imports.ts';
import { type Db, one } from '../../db/db.ts';
import { appendEvent, sparseFields } from '../events/append.ts';
import { deleteLink } from '../links/links.ts';
import { giveBack } from './give-back.ts';
import { changeImport, type ImportRow, lockImport } from './imports.ts';

/**
 * Starts to undo an import; records that changed since are left alone.
 * @throws Failure IMPORT_NOT_FOUND
 */
export async function undoImport(db: Db, accountId: number, id: string, now: number): Promise<Import> {
  const row = await lockImport(db, accountId, id, importStates);
  const isBegun = row.state === 'undoing' || row.state === 'removing' || row.state === 'undone';
  if (isBegun) return changeImport(db, row, {}, now);
  const body = sparseFields({ source: row.name, instance: row.instance });
  await appendEvent(db, { accountId, name: 'import.undone', at: now, targetId: id, body });
  return changeImport(db, row, { state: 'undoing', progress: 0 }, now);
}

const underWay = `
  SELECT id, account_id, state FROM imports i WHERE i.state = 'undoing'
    OR (i.state = 'counting' AND NOT EXISTS (SELECT 1 FROM import_clicks c WHERE c.import_row = i.import_row))
    OR (i.state = 'removing' AND i.progress < 0)
  ORDER BY i.import_row LIMIT 1`;
/** The next import that has clicks which are to enter columns, or to leave them. */
export const importToFold = `
  SELECT import_row, source_row, account_id, state, progress FROM imports i
  WHERE (i.state = 'counting' AND EXISTS (SELECT 1 FROM import_clicks c WHERE c.import_row = i.import_row))
    OR (i.state = 'removing' AND i.progress >= 0)
  ORDER BY i.import_row LIMIT 1`;
/** Whether any import has something left to do behind its lines. */
export const importsToContinue =
  "SELECT import_row FROM imports WHERE state IN ('counting', 'undoing', 'removing') LIMIT 1";

/**
 * Does a little of what imports need behind their lines. Clicks with a date are no part of it: they go into columns.
 * @param max how many links
 * @returns whether there may be more
 */
export async function continueImports(db: Db, max: number, now: number): Promise<boolean> {
  const found = await db.get<{ id: Uint8Array; account_id: number; state: Import['state'] }>(underWay, []);
  if (found === undefined) return false;
  const row = await lockImport(db, found.account_id, idText(found.id), [found.state]);
  if (row.state === 'counting') await countUndated(db, row, max, now);
  else if (row.state === 'undoing') await undoBatch(db, row, max, now);
  else await forget(db, row, max, now);
  return true;
}

// What the counter of a source has beyond clicks with a date, less what was counted of it.
const more = 'CASE WHEN counter > dated THEN counter - dated ELSE 0 END - undated';
const pageOf = `source_row = ? AND link_row > ? AND (counter IS NOT NULL OR undated > 0)`;
const sumOfPage = `
  SELECT MAX(link_row) AS last, CAST(COALESCE(SUM(added), 0) AS BIGINT) AS added FROM (
    SELECT link_row, ${more} AS added FROM import_links WHERE ${pageOf} ORDER BY link_row LIMIT ?) p`;
const onTotal = 'ON CONFLICT (link_row) DO UPDATE SET total = link_clicks.total + excluded.total';
const addUndated = `INSERT INTO link_clicks (link_row, account_id, total) VALUES (?, ?, ?) ${onTotal}`;
const addPage = `
  INSERT INTO link_clicks (link_row, account_id, total) SELECT link_row, CAST(? AS BIGINT), ${more}
  FROM import_links WHERE ${pageOf} AND link_row <= ? AND ${more} <> 0 ORDER BY link_row ${onTotal}`;
const setPage = `UPDATE import_links SET undated = undated + ${more} WHERE ${pageOf} AND link_row <= ?`;

/** Clicks that a source counts beyond those with a date count as clicks of no date. */
async function countUndated(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  const { last, undatedClicks } = await recount(db, row, row.progress, max);
  if (last !== undefined)
    return void (await changeImport(db, row, { progress: last, counts: { undatedClicks } }, now));
  const done = await changeImport(db, row, { state: 'done', progress: 0 }, now);
  const body = sparseFields({ source: done.source, instance: done.instance, counts: done.counts });
  const event = { accountId: row.account_id, name: 'import.finished', at: now, targetId: done.id } as const;
  await appendEvent(db, { ...event, was: {}, body });
}

/** Counts the clicks without a date of the next links of a source. */
async function recount(db: Db, { source_row, account_id }: ImportRow, after: number, max: number) {
  const page = [source_row, after];
  const found = await one<{ last: number | null; added: number }>(db, sumOfPage, [...page, max]);
  const { last, added: undatedClicks } = found;
  if (last === null) return { last: undefined, undatedClicks };
  await db.run(addPage, [account_id, ...page, last]);
  await db.run(setPage, [...page, last]);
  return { last, undatedClicks };
}

interface ItemRow {
  readonly line: number;
  readonly id: Uint8Array | null;
  readonly deleted_at: number | null;
  readonly is_same: number | null;
  /** Of a link that was changed: what the import made it. */
  readonly revision: number | null;
}

const madeItems = `
  SELECT t.line, t.revision, l.id, l.deleted_at, CASE WHEN m.imported_at = l.updated_at THEN 1 ELSE 0 END AS is_same
  FROM import_items t LEFT JOIN links l ON l.id = t.link_id
  LEFT JOIN import_links m ON m.link_row = l.link_row AND m.source_row = ? AND m.import_row = t.import_row
  WHERE t.import_row = ? AND t.line > ? AND t.outcome IN ('taken', 'renamed', 'changed', 'kept', 'undone')
  ORDER BY t.line LIMIT ?`;
const setOutcome = 'UPDATE import_items SET outcome = ? WHERE import_row = ? AND line = ?';

/** Deletes links that are as they were imported, and gives others back what they had before. */
async function undoBatch(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  if (row.progress === 0) await db.run('DELETE FROM import_clicks WHERE import_row = ?', [row.import_row]);
  const rows = await db.all<ItemRow>(madeItems, [row.source_row, row.import_row, row.progress, max]);
  let [kept, undone] = [0, 0];
  for (const item of rows) {
    const { line } = item;
    const isUndone = await undoLink(db, row, item, now);
    await db.run(setOutcome, [isUndone ? 'undone' : 'kept', row.import_row, line]);
    if (isUndone) undone += 1;
    else kept += 1;
  }
  const last = rows.at(-1)?.line;
  const counts = { kept, undone };
  if (last !== undefined) await changeImport(db, row, { progress: last, counts }, now);
  else await changeImport(db, row, { state: 'removing', progress: 0 }, now);
}

async function undoLink(
  db: Db,
  { account_id: accountId, source_row: sourceRow }: ImportRow,
  { id, deleted_at, is_same, revision }: ItemRow,
  now: number,
): Promise<boolean> {
  if (id === null || deleted_at !== null) return false;
  if (revision !== null)
    return giveBack(db, { accountId, sourceRow, id: idText(id), idBytes: id, revision }, now);
  if (is_same === 1) await deleteLink(db, accountId, idText(id), now);
  return is_same === 1;
}

/** The links that an import made. */
export const linksMade = `
  SELECT m.link_row, m.undated, l.deleted_at FROM import_links m JOIN links l ON l.link_row = m.link_row
  WHERE m.import_row = ?`;
const deletedLinks = `${linksMade} AND l.deleted_at IS NOT NULL LIMIT ?`;
const forgetLink = 'DELETE FROM import_links WHERE source_row = ? AND link_row = ?';
const forgetCounters = 'DELETE FROM import_counters WHERE link_row = ?';
// Links of its own that are left keep their clicks.
const countersOf = `
  SELECT c.link_row FROM import_counters c WHERE c.import_row = ? AND NOT EXISTS (
    SELECT 1 FROM import_links m WHERE m.link_row = c.link_row AND m.import_row = c.import_row) LIMIT ?`;
const forgetCounter = 'DELETE FROM import_counters WHERE import_row = ? AND link_row = ?';
const lowerCounter = `
  UPDATE import_links SET counter = (SELECT MAX(c.counter) FROM import_counters c WHERE c.link_row = import_links.link_row)
  WHERE source_row = ? AND link_row = ?`;

/**
 * Undoes what is left once clicks with a date are gone: releases the links that were deleted, so that another import takes them as
 * new ones, then restores counters, then counts clicks without a date again (`progress` is then -1 less the last link).
 */
async function forget(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  const { import_row: importRow, source_row: sourceRow } = row;
  const links = await db.all<{ link_row: number; undated: number }>(deletedLinks, [importRow, max]);
  for (const { link_row, undated } of links) {
    if (undated > 0) await db.run(addUndated, [link_row, row.account_id, -undated]);
    await db.run(forgetLink, [sourceRow, link_row]);
    await db.run(forgetCounters, [link_row]);
  }
  if (links.length > 0) return;
  const counters = await db.all<{ link_row: number }>(countersOf, [importRow, max]);
  for (const { link_row } of counters) {
    await db.run(forgetCounter, [importRow, link_row]);
    await db.run(lowerCounter, [sourceRow, link_row]);
  }
  if (counters.length > 0) return;
  const { last } = await recount(db, row, -1 - row.progress, max);
  const change = last === undefined ? { state: 'undone' as const } : { progress: -1 - last };
  await changeImport(db, row, change, now);
}
