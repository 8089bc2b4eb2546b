import type { BulkInput, Db } from '../../db/db.ts';
import { addCounts } from './import-counts.ts';
import { addTotals } from './recent-clicks.ts';

export interface ImportedClicks {
  readonly link: number;
  /** Number of clicks added; negative if clicks are removed. */
  readonly clicks: number;
  /**
   * The last hours in which clicks were added and removed, in hours since the epoch; 0 if no clicks were added or
   * removed.
   */
  readonly lastAdded: number;
  readonly lastRemoved: number;
}

/** The changes that one step makes to an import's clicks. */
export interface ImportedChange {
  readonly importRow: number;
  readonly sourceRow: number;
  readonly accountId: number;
  /** Days whose clicks are now in columns, so their temporary copies are deleted. */
  readonly days: readonly number[];
  /** Days that no longer have clicks from the source. */
  readonly emptied: readonly number[];
  /**
   * Number of clicks in the import that were not added, either because they were already counted or because an earlier
   * import had more clicks.
   */
  readonly unchangedClicks: number;
  /** Changes per link, in row order. */
  readonly links: readonly ImportedClicks[];
  /** Progress of an undo: the next day whose clicks must be removed; below 0 when no day is left. */
  readonly removedTo?: number | undefined;
}

const totalColumns = {
  link_row: 'integer',
  account_id: 'integer',
  total: 'integer',
  last_hour: 'integer',
} as const;
const totalNames = Object.keys(totalColumns).join(', ');
const addToTotals = `INSERT INTO link_clicks (${totalNames}) SELECT ${totalNames} FROM input ORDER BY link_row ${addTotals}`;

const hourColumns = { link_row: 'integer', hour: 'integer' } as const;
const resetLastHours = `
  UPDATE link_clicks AS k SET last_hour = CASE WHEN k.total = 0 THEN 0 ELSE -1 END
  FROM input g WHERE k.link_row = g.link_row AND k.last_hour <= g.hour`;

/** Query for links whose last hour must be recalculated, because clicks from that hour were removed. */
export const linksWithoutLastHour = `
  SELECT k.link_row, k.account_id FROM link_clicks k WHERE k.last_hour < 0 ORDER BY k.link_row LIMIT ?`;
const setLastHours = `
  UPDATE link_clicks AS k SET last_hour = g.hour FROM input g WHERE k.link_row = g.link_row AND k.last_hour < 0`;

/** Stores last hours. @param hours pairs of a link and its last hour with a click; 0 if the link has no clicks */
export async function writeLastHours(db: Db, hours: readonly number[]): Promise<void> {
  await db.bulk<number>({ columns: hourColumns, values: hours }, undefined, setLastHours);
}

const datedColumns = { source_row: 'integer', link_row: 'integer', clicks: 'integer' } as const;
const addDated = `
  UPDATE import_links AS m SET dated = m.dated + g.clicks FROM input g
  WHERE m.source_row = g.source_row AND m.link_row = g.link_row`;

const deleteDayClicks = 'DELETE FROM import_clicks WHERE import_row = ? AND day = ?';
const insertDay = 'INSERT INTO import_days (source_row, day) VALUES (?, ?) ON CONFLICT DO NOTHING';

const deleteDay = 'DELETE FROM import_days WHERE source_row = ? AND day = ?';

/**
 * Updates the totals for an import's clicks. Runs in the transaction that adds the clicks to the click columns or
 * removes them.
 */
export async function writeImported(db: Db, change: ImportedChange): Promise<void> {
  const { importRow, sourceRow, accountId, days, emptied, links, removedTo, unchangedClicks } = change;
  const write = (columns: BulkInput['columns'], values: readonly number[], sql: string) =>
    db.bulk<number>({ columns, values }, undefined, sql);
  const totals = links.flatMap(({ link, clicks, lastAdded }) => [link, accountId, clicks, lastAdded]);
  await write(totalColumns, totals, addToTotals);
  const lost = links.filter(({ lastRemoved }) => lastRemoved > 0);
  await write(
    hourColumns,
    lost.flatMap(({ link, lastRemoved }) => [link, lastRemoved]),
    resetLastHours,
  );
  await write(
    datedColumns,
    links.flatMap(({ link, clicks }) => [sourceRow, link, clicks]),
    addDated,
  );
  for (const day of days) {
    await db.run(deleteDayClicks, [importRow, day]);
    await db.run(insertDay, [sourceRow, day]);
  }
  for (const day of emptied) await db.run(deleteDay, [sourceRow, day]);
  if (unchangedClicks > 0) await addCounts(db, importRow, { unchangedClicks });
  if (removedTo !== undefined)
    await db.run('UPDATE imports SET progress = ? WHERE import_row = ?', [removedTo, importRow]);
}
