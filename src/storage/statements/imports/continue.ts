import { Failure } from '../../../model/failures.ts';
import { idText } from '../../../model/ids.ts';
import { type Import, importStates } from '../../../model/imports/imports.ts';
import { comparedFields } from '../../../model/links/link-field-values.ts';
import type { LinkChange } from '../../../model/links/link-records.ts';
import { type Db, one } from '../../db/db.ts';
import type { Write } from '../../db/statements.ts';
import { appendEvent, sparseFields } from '../events/append.ts';
import { revisionEvents } from '../events/read.ts';
import { findTags } from '../finding/link-tags.ts';
import { deleteLink, updateLink } from '../links/links.ts';
import { changeImport, type ImportRow, lockImport } from './imports.ts';

export const undoImport: Write<'undoImport'> = async (db, accountId, id, now) => {
  const row = await lockImport(db, accountId, id, importStates);
  const isBegun = row.state === 'undoing' || row.state === 'removing' || row.state === 'undone';
  if (isBegun) return changeImport(db, row, {}, now);
  const body = sparseFields({ source: row.name, instance: row.instance });
  await appendEvent(db, { accountId, name: 'import.undone', at: now, targetId: id, body });
  return changeImport(db, row, { state: 'undoing', progress: 0 }, now);
};

const nextImport = `
  SELECT id, account_id, state FROM imports i WHERE i.state = 'undoing'
    OR (i.state = 'counting' AND NOT EXISTS (SELECT 1 FROM import_clicks c WHERE c.import_row = i.import_row))
    OR (i.state = 'removing' AND i.progress < 0)
  ORDER BY i.import_row LIMIT 1`;
/** Query for the next import with clicks to add to the click columns, or to remove from them. */
export const importToFold = `
  SELECT import_row, source_row, account_id, state, progress FROM imports i
  WHERE (i.state = 'counting' AND EXISTS (SELECT 1 FROM import_clicks c WHERE c.import_row = i.import_row))
    OR (i.state = 'removing' AND i.progress >= 0)
  ORDER BY i.import_row LIMIT 1`;
/** Query that returns a row when an import has background work left after all its lines were read. */
export const importsToContinue =
  "SELECT import_row FROM imports WHERE state IN ('counting', 'undoing', 'removing') LIMIT 1";

/**
 * Runs one step of the background work for imports. Clicks with a date are not handled here, but in the steps that
 * change the click columns.
 */
export const continueImports: Write<'continueImports'> = async (db, max, now) => {
  const found = await db.get<{ id: Uint8Array; account_id: number; state: Import['state'] }>(nextImport, []);
  if (found === undefined) return false;
  const row = await lockImport(db, found.account_id, idText(found.id), [found.state]);
  if (row.state === 'counting') await countUndated(db, row, max, now);
  else if (row.state === 'undoing') await undoBatch(db, row, max, now);
  else await removeRemainder(db, row, max, now);
  return true;
};

// SQL expression for the undated clicks to add: the amount by which the source's counter exceeds the number of dated
// clicks, minus the undated clicks already added.
const undatedDifference = 'CASE WHEN counter > dated THEN counter - dated ELSE 0 END - undated';
const inPage = `source_row = ? AND link_row > ? AND (counter IS NOT NULL OR undated > 0)`;
const sumPage = `
  SELECT MAX(link_row) AS last, CAST(COALESCE(SUM(added), 0) AS BIGINT) AS added FROM (
    SELECT link_row, ${undatedDifference} AS added FROM import_links WHERE ${inPage} ORDER BY link_row LIMIT ?) p`;
const onTotal = 'ON CONFLICT (link_row) DO UPDATE SET total = link_clicks.total + excluded.total';
const addUndated = `INSERT INTO link_clicks (link_row, account_id, total) VALUES (?, ?, ?) ${onTotal}`;
const addPage = `
  INSERT INTO link_clicks (link_row, account_id, total) SELECT link_row, CAST(? AS BIGINT), ${undatedDifference}
  FROM import_links WHERE ${inPage} AND link_row <= ? AND ${undatedDifference} <> 0 ORDER BY link_row ${onTotal}`;
const setPage = `UPDATE import_links SET undated = undated + ${undatedDifference} WHERE ${inPage} AND link_row <= ?`;

/** Adds, as undated clicks, the clicks for which a source reports a count but no dates. */
async function countUndated(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  const { last, undatedClicks } = await countPage(db, row, row.progress, max);
  if (last !== undefined)
    return void (await changeImport(db, row, { progress: last, counts: { undatedClicks } }, now));
  const done = await changeImport(db, row, { state: 'done', progress: 0 }, now);
  const body = sparseFields({ source: done.source, instance: done.instance, counts: done.counts });
  const event = { accountId: row.account_id, name: 'import.finished', at: now, targetId: done.id } as const;
  await appendEvent(db, { ...event, was: {}, body });
}

/** Updates the undated clicks of a source's next links. */
async function countPage(db: Db, { source_row, account_id }: ImportRow, after: number, max: number) {
  const page = [source_row, after];
  const found = await one<{ last: number | null; added: number }>(db, sumPage, [...page, max]);
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
  /** The link's revision after the import, if the import changed an existing link. */
  readonly revision: number | null;
}

const importedItems = `
  SELECT t.line, t.revision, l.id, l.deleted_at, CASE WHEN m.imported_at = l.updated_at THEN 1 ELSE 0 END AS is_same
  FROM import_items t LEFT JOIN links l ON l.id = t.link_id
  LEFT JOIN import_links m ON m.link_row = l.link_row AND m.source_row = ? AND m.import_row = t.import_row
  WHERE t.import_row = ? AND t.line > ? AND t.outcome IN ('taken', 'renamed', 'changed', 'kept', 'undone')
  ORDER BY t.line LIMIT ?`;
const setOutcome = 'UPDATE import_items SET outcome = ? WHERE import_row = ? AND line = ?';

/**
 * Undoes a batch of an import's links: deletes links that the import created, and restores the previous values of links
 * that it changed, unless somebody has changed the link since the import.
 */
async function undoBatch(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  if (row.progress === 0) await db.run('DELETE FROM import_clicks WHERE import_row = ?', [row.import_row]);
  const rows = await db.all<ItemRow>(importedItems, [row.source_row, row.import_row, row.progress, max]);
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
    return restoreImportedLink(db, { accountId, sourceRow, id: idText(id), idBytes: id, revision }, now);
  if (is_same === 1) await deleteLink(db, accountId, idText(id), now);
  return is_same === 1;
}

const setImportedAt = `
  UPDATE import_links SET imported_at = ? WHERE source_row = ? AND link_row = (SELECT link_row FROM links WHERE id = ?)`;

interface ChangedLink {
  readonly accountId: number;
  readonly sourceRow: number;
  readonly id: string;
  readonly idBytes: Uint8Array;
  /** The link's revision after the import changed it. */
  readonly revision: number;
}

/**
 * Restores the values that a link had before an import changed it, if nobody has changed the link since the import.
 * Deleted tags are not created again.
 * @returns true if the link was restored
 */
async function restoreImportedLink(db: Db, changed: ChangedLink, now: number): Promise<boolean> {
  const { accountId, id, revision } = changed;
  const [event] = await revisionEvents(db, accountId, id, revision);
  if (event?.revision !== revision || event.was === null) return false;
  const { was } = event;
  const fields = comparedFields.filter((name) => name in was).map((name) => [name, was[name]]);
  const names = (was['tags'] ?? []) as readonly string[];
  const choice = { tags: names.map((name) => ({ id: '', name })), at: now, limit: 0 };
  const existingTags = 'tags' in was ? await findTags(db, accountId, choice) : undefined;
  const change: LinkChange = {
    ...Object.fromEntries(fields),
    // An import sets a password only on links without one, so the previous value is always null.
    ...('password' in was && { password: null }),
    ...(existingTags && {
      tags: { ...choice, tags: choice.tags.filter((_, at) => existingTags[at] !== undefined) },
    }),
  };
  await db.run('SAVEPOINT give_back', []);
  try {
    const after = await updateLink(db, accountId, id, change, now, [revision]);
    // Records this change as the import's own, so that undoing the import that created the link still deletes it.
    if (after !== undefined)
      await db.run(setImportedAt, [after.updatedAt, changed.sourceRow, changed.idBytes]);
    return after !== undefined;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'STORAGE_UNAVAILABLE') throw error;
    await db.run('ROLLBACK TO SAVEPOINT give_back', []);
    return false;
  } finally {
    await db.run('RELEASE SAVEPOINT give_back', []);
  }
}

/** Query for the links that an import created. */
export const createdLinks = `
  SELECT m.link_row, m.undated, l.deleted_at FROM import_links m JOIN links l ON l.link_row = m.link_row
  WHERE m.import_row = ?`;
const deletedLinks = `${createdLinks} AND l.deleted_at IS NOT NULL LIMIT ?`;
const deleteLinkEntry = 'DELETE FROM import_links WHERE source_row = ? AND link_row = ?';
const deleteCountersOfLink = 'DELETE FROM import_counters WHERE link_row = ?';
// Leaves out links that the import created and that were not deleted, because these links keep their clicks.
const countersOfImport = `
  SELECT c.link_row FROM import_counters c WHERE c.import_row = ? AND NOT EXISTS (
    SELECT 1 FROM import_links m WHERE m.link_row = c.link_row AND m.import_row = c.import_row) LIMIT ?`;
const deleteCounter = 'DELETE FROM import_counters WHERE import_row = ? AND link_row = ?';
const lowerCounter = `
  UPDATE import_links SET counter = (SELECT MAX(c.counter) FROM import_counters c WHERE c.link_row = import_links.link_row)
  WHERE source_row = ? AND link_row = ?`;

/**
 * Runs the last step of an undo, after clicks with a date were removed. First releases deleted links, so that another
 * import creates them again, then restores counters, and finally updates undated clicks. While it updates undated
 * clicks, `progress` is -1 minus the last link.
 */
async function removeRemainder(db: Db, row: ImportRow, max: number, now: number): Promise<void> {
  const { import_row: importRow, source_row: sourceRow } = row;
  const links = await db.all<{ link_row: number; undated: number }>(deletedLinks, [importRow, max]);
  for (const { link_row, undated } of links) {
    if (undated > 0) await db.run(addUndated, [link_row, row.account_id, -undated]);
    await db.run(deleteLinkEntry, [sourceRow, link_row]);
    await db.run(deleteCountersOfLink, [link_row]);
  }
  if (links.length > 0) return;
  const counters = await db.all<{ link_row: number }>(countersOfImport, [importRow, max]);
  for (const { link_row } of counters) {
    await db.run(deleteCounter, [importRow, link_row]);
    await db.run(lowerCounter, [sourceRow, link_row]);
  }
  if (counters.length > 0) return;
  const { last } = await countPage(db, row, -1 - row.progress, max);
  const change = last === undefined ? { state: 'undone' as const } : { progress: -1 - last };
  await changeImport(db, row, change, now);
}

export const importContinuationWrites = { undoImport, continueImports };
