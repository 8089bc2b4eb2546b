import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DayClicks } from '../src/statistics/columns/day-clicks.ts';
import { encodeSegment } from '../src/statistics/columns/encode.ts';
import { openSegment } from '../src/statistics/columns/segment.ts';
import type { Answer, Names, Query } from '../src/statistics/query.ts';
import { leastClicksOfRollup, rollUpDay } from '../src/statistics/rollup.ts';
import { createStatistics } from '../src/statistics/statistics.ts';

/** Sealed segments and roll-ups of one account in a table of SQLite, read anew for each question. */
export interface ClicksInColumns {
  add(day: number, clicks: DayClicks): void;
  /** @returns bytes of the file */
  finish(): number;
  ask(query: Query): Answer;
  close(): void;
}

export function openColumns(file: string, names: Names): ClicksInColumns {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = off; PRAGMA synchronous = off');
  database.exec('CREATE TABLE days (day INTEGER PRIMARY KEY, rollup BLOB, segment BLOB NOT NULL)');
  const insert = database.prepare('INSERT INTO days VALUES (?, ?, ?)');
  // The roll-up stands before the segment, so reading it does not read the segment's pages.
  const rollups = database.prepare('SELECT day, rollup FROM days WHERE day BETWEEN ? AND ? ORDER BY day');
  const all = database.prepare('SELECT day, NULL AS rollup FROM days WHERE day BETWEEN ? AND ? ORDER BY day');
  const segment = database.prepare('SELECT segment FROM days WHERE day = ?');
  return {
    add(day, clicks) {
      const file = encodeSegment(clicks, { keepsHashes: false });
      insert.run(day, clicks.length < leastClicksOfRollup ? null : rollUpDay([openSegment(file)]), file);
    },
    finish: () => statSync(file).size,
    ask(query) {
      const statistics = createStatistics(query, names);
      const days = [Math.floor(query.from / 86_400_000), Math.floor((query.to - 1) / 86_400_000)] as const;
      for (const { day, rollup } of statistics.usesRollups
        ? rollups.iterate(...days)
        : all.iterate(...days)) {
        const at = Number(day);
        if (rollup instanceof Uint8Array && statistics.addRollup(at, new Uint8Array(rollup))) continue;
        statistics.addDay(at, [segment.get(at)?.['segment'] as Uint8Array<ArrayBuffer>]);
      }
      return statistics.answer();
    },
    close: () => database.close(),
  };
}
