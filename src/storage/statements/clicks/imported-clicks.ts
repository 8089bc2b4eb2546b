import type { BulkInput, Db } from '../../db/db.ts';
import { addCounts } from './import-counts.ts';
import { addTotals } from './recent-clicks.ts';

export interface ImportedClicks {
  readonly link: number;
  /** How many clicks are added; negative if clicks are removed. */
  readonly clicks: number;
  /** The last hours, since the epoch, that get clicks and that lose some; 0 for none. */
  readonly lastAdded: number;
  readonly lastRemoved: number;
}

/** What a step of the folding does with clicks of an import. */
export interface ImportedChange {
  readonly importRow: number;
  readonly sourceRow: number;
  readonly accountId: number;
  /** Days whose clicks are in columns now, and so are kept apart no more. */
  readonly days: readonly number[];
  /** Days that have no clicks of the source any more. */
  readonly emptied: readonly number[];
  /** Clicks of the import that statistics had before, or that an earlier import has more of. */
  readonly unchangedClicks: number;
  /** By link, in the order of their rows. */
  readonly links: readonly ImportedClicks[];
  /** Of an import that is taken back: how far that has come; below 0 when nothing is left. */
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

const lostColumns = { link_row: 'integer', hour: 'integer' } as const;
const loseLastHours = `
  UPDATE link_clicks AS k SET last_hour = CASE WHEN k.total = 0 THEN 0 ELSE -1 END
  FROM input g WHERE k.link_row = g.link_row AND k.last_hour <= g.hour`;

/** Links whose last hour is to be found again, because clicks of that hour were removed. */
export const linksWithoutLastHour = `
  SELECT k.link_row, k.account_id FROM link_clicks k WHERE k.last_hour < 0 ORDER BY k.link_row LIMIT ?`;
const setLastHours = `
  UPDATE link_clicks AS k SET last_hour = g.hour FROM input g WHERE k.link_row = g.link_row AND k.last_hour < 0`;

/** @param hours a link and its last hour with a click, 0 for none: two numbers each */
export async function writeLastHours(db: Db, hours: readonly number[]): Promise<void> {
  await db.bulk<number>({ columns: lostColumns, values: hours }, undefined, setLastHours);
}

const datedColumns = { source_row: 'integer', link_row: 'integer', clicks: 'integer' } as const;
const addDated = `
  UPDATE import_links AS m SET dated = m.dated + g.clicks FROM input g
  WHERE m.source_row = g.source_row AND m.link_row = g.link_row`;

const forgetDay = 'DELETE FROM import_clicks WHERE import_row = ? AND day = ?';
const keepDay = 'INSERT INTO import_days (source_row, day) VALUES (?, ?) ON CONFLICT DO NOTHING';

const dropDay = 'DELETE FROM import_days WHERE source_row = ? AND day = ?';

/** Counts clicks of an import that enter the columns of statistics, or leave them, in the same transaction. */
export async function writeImported(db: Db, change: ImportedChange): Promise<void> {
  const { importRow, sourceRow, accountId, days, emptied, links, removedTo, unchangedClicks } = change;
  const write = (columns: BulkInput['columns'], values: readonly number[], sql: string) =>
    db.bulk<number>({ columns, values }, undefined, sql);
  const totals = links.flatMap(({ link, clicks, lastAdded }) => [link, accountId, clicks, lastAdded]);
  await write(totalColumns, totals, addToTotals);
  const lost = links.filter(({ lastRemoved }) => lastRemoved > 0);
  await write(
    lostColumns,
    lost.flatMap(({ link, lastRemoved }) => [link, lastRemoved]),
    loseLastHours,
  );
  await write(
    datedColumns,
    links.flatMap(({ link, clicks }) => [sourceRow, link, clicks]),
    addDated,
  );
  for (const day of days) {
    await db.run(forgetDay, [importRow, day]);
    await db.run(keepDay, [sourceRow, day]);
  }
  for (const day of emptied) await db.run(dropDay, [sourceRow, day]);
  if (unchangedClicks > 0) await addCounts(db, importRow, { unchangedClicks });
  if (removedTo !== undefined)
    await db.run('UPDATE imports SET progress = ? WHERE import_row = ?', [removedTo, importRow]);
}
