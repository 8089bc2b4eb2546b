import type { Db, Value } from '../../db/db.ts';
import { addCounts } from './import-counts.ts';

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
  /** What is added to each sum of a link, an hour and a class: four numbers each. It may be negative. */
  readonly sums: readonly number[];
  /** What is added to the clicks of each link, and their last hour: three numbers each. */
  readonly links: readonly number[];
  /** Of an import that is taken back: how far that has come; below 0 when nothing is left. */
  readonly removedTo?: number | undefined;
}

const sumColumns = { link_row: 'integer', hour: 'integer', class: 'integer', clicks: 'integer' } as const;
const onSum =
  'ON CONFLICT (link_row, hour, class) DO UPDATE SET clicks = link_clicks_hourly.clicks + excluded.clicks';
const addSum = `INSERT INTO link_clicks_hourly (link_row, hour, class, clicks) VALUES (?, ?, ?, ?) ${onSum}`;
const addSums = `
  INSERT INTO link_clicks_hourly (link_row, hour, class, clicks)
  SELECT link_row, hour, class, clicks FROM input ORDER BY link_row, hour, class ${onSum}`;
const noSum = 'DELETE FROM link_clicks_hourly WHERE link_row = ? AND hour = ? AND class = ? AND clicks = 0';
const noSums = `
  DELETE FROM link_clicks_hourly h USING input g
  WHERE h.link_row = g.link_row AND h.hour = g.hour AND h.class = g.class AND h.clicks = 0`;

const totalColumns = {
  link_row: 'integer',
  account_id: 'integer',
  total: 'integer',
  last_hour: 'integer',
} as const;
const totalNames = Object.keys(totalColumns).join(', ');
const onTotal = `ON CONFLICT (link_row) DO UPDATE SET total = link_clicks.total + excluded.total,
  last_hour = CASE WHEN link_clicks.last_hour > excluded.last_hour THEN link_clicks.last_hour ELSE excluded.last_hour END`;
const addTotal = `INSERT INTO link_clicks (${totalNames}) VALUES (?, ?, ?, ?) ${onTotal}`;
const addTotals = `INSERT INTO link_clicks (${totalNames}) SELECT ${totalNames} FROM input ORDER BY link_row ${onTotal}`;

// The last hour of a link goes back with its clicks.
const setLastHour = `last_hour = COALESCE((SELECT MAX(h.hour) FROM link_clicks_hourly h WHERE h.link_row = k.link_row), 0)`;
const lastHour = `UPDATE link_clicks AS k SET ${setLastHour} WHERE k.link_row = ?`;
const lastHours = `UPDATE link_clicks k SET ${setLastHour} FROM input g WHERE k.link_row = g.link_row`;

const datedColumns = { source_row: 'integer', link_row: 'integer', clicks: 'integer' } as const;
const addDated = 'UPDATE import_links SET dated = dated + ? WHERE source_row = ? AND link_row = ?';
const addAllDated = `
  UPDATE import_links m SET dated = m.dated + g.clicks FROM input g
  WHERE m.source_row = g.source_row AND m.link_row = g.link_row`;

const forgetDay = 'DELETE FROM import_clicks WHERE import_row = ? AND day = ?';
const keepDay = 'INSERT INTO import_days (source_row, day) VALUES (?, ?) ON CONFLICT DO NOTHING';

const dropDay = 'DELETE FROM import_days WHERE source_row = ? AND day = ?';

/** Counts clicks of an import that enter the columns of statistics, or leave them, in the same transaction. */
export async function writeImported(db: Db, change: ImportedChange): Promise<void> {
  const { importRow, sourceRow, accountId, days, emptied, sums, links, removedTo, unchangedClicks } = change;
  await db.bulk<number>({ columns: sumColumns, values: sums }, (...row) => db.run(addSum, row), addSums);
  const less = sums.filter((_, at) => (sums[at - (at % 4) + 3] ?? 0) < 0);
  if (less.length > 0)
    await db.bulk<number>(
      { columns: sumColumns, values: less },
      (row = 0, hour = 0, ofClass = 0) => db.run(noSum, [row, hour, ofClass]),
      noSums,
    );
  const totals: Value[] = [];
  const dated: number[] = [];
  for (let at = 0; at < links.length; at += 3) {
    const [row = 0, clicks = 0, lastHour = 0] = links.slice(at, at + 3);
    totals.push(row, accountId, clicks, lastHour);
    dated.push(sourceRow, row, clicks);
  }
  await db.bulk<Value>(
    { columns: totalColumns, values: totals },
    (...row) => db.run(addTotal, row),
    addTotals,
  );
  if (less.length > 0)
    await db.bulk<number>(
      { columns: { link_row: 'integer' }, values: [...new Set(less.filter((_, at) => at % 4 === 0))] },
      (row = 0) => db.run(lastHour, [row]),
      lastHours,
    );
  await db.bulk<number>(
    { columns: datedColumns, values: dated },
    (source = 0, row = 0, clicks = 0) => db.run(addDated, [clicks, source, row]),
    addAllDated,
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
