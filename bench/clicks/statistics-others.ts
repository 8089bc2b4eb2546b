import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DayClicks } from '../../src/statistics/columns/day-clicks.ts';
import { secondsPerDay } from '../../src/statistics/columns/dimensions.ts';
import { countingSort } from '../../src/statistics/columns/sort.ts';
import { loadDuckdb } from './duckdb.ts';

/**
 * The same clicks as rows of one table, ordered by time. Codes and dimension values are stored as numbers that refer
 * to a table of texts.
 */
export interface OtherStore {
  readonly name: string;
  add(day: number, clicks: DayClicks): void | Promise<void>;
  /** Optimizes the database for size and speed. @returns size of the file, bytes */
  finish(): Promise<number>;
  /** Returns rows of numbers. @param sql with `"at" / 86400` for whole days */
  ask(sql: string): Promise<readonly (readonly number[])[]>;
  close(): void;
}

const columns = [
  'at',
  'link',
  'visitor',
  'class',
  'country',
  'os',
  'browser',
  'device',
  'language',
  'trigger',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
] as const;
const names = columns.map((name) => `"${name}"`);

/** Columnar, ordered by time. */
function valuesOf(day: number, { codes, combined, ...clicks }: DayClicks): readonly ArrayLike<number>[] {
  const byTime = countingSort(
    new Uint32Array(clicks.length).map((_, at) => at),
    clicks.second,
    secondsPerDay,
  );
  const unordered = [
    clicks.second.map((second) => day * secondsPerDay + second),
    clicks.link,
    clicks.visitor,
    codes.class,
    codes.country,
    codes.os,
    codes.browser,
    codes.device,
    codes.language,
    codes.trigger,
    clicks.referrer,
    combined.utmSource,
    combined.utmMedium,
    combined.utmCampaign,
    combined.utmTerm,
    combined.utmContent,
  ];
  return unordered.map((column) => byTime.map((click) => column[click] as number));
}

const rowsPerChunk = 2_048;

/** One thread; values are stored as texts, which DuckDB encodes with dictionaries. */
export async function openDuckdb(file: string, words: readonly string[]): Promise<OtherStore> {
  const { DuckDBInstance, DuckDBDataChunk, UINTEGER, USMALLINT } = loadDuckdb();
  const instance = await DuckDBInstance.create(file, { threads: '1' });
  const connection = await instance.connect();
  const isWide = (place: number): boolean => place < 3;
  const typed = names.map((name, place) => `${name} ${isWide(place) ? 'UINTEGER' : 'USMALLINT'} NOT NULL`);
  await connection.run(`CREATE TEMP TABLE staging (${typed.join(', ')})`);
  const appender = await connection.createAppender('staging', 'main', 'temp');
  const types = names.map((_, place) => (isWide(place) ? UINTEGER : USMALLINT));
  return {
    name: 'DuckDB',
    add(day, clicks) {
      const values = valuesOf(day, clicks);
      for (let from = 0; from < clicks.length; from += rowsPerChunk) {
        const rows = Math.min(rowsPerChunk, clicks.length - from);
        const chunk = DuckDBDataChunk.create(types, rows);
        for (const [place, column] of values.entries()) {
          const vector = chunk.getColumnVector(place);
          for (let row = 0; row < rows; row += 1) vector.setItem(row, column[from + row] as number);
          vector.flush();
        }
        appender.appendDataChunk(chunk);
      }
    },
    async finish() {
      appender.closeSync();
      const narrow = ['class', 'country', 'os', 'browser', 'device', 'language', 'trigger'];
      const selected = columns.map((name, place) => {
        if (place >= columns.indexOf('referrer')) return `texts[${name} + 1] AS ${name}`;
        return narrow.includes(name) ? `"${name}"::UTINYINT AS "${name}"` : `"${name}"`;
      });
      const texts = `(SELECT [${words.map((word) => `'${word}'`).join(', ')}] AS texts)`;
      await connection.run(`CREATE TABLE clicks AS SELECT ${selected.join(', ')} FROM staging, ${texts}`);
      await connection.run('DROP TABLE staging');
      await connection.run('CHECKPOINT');
      return statSync(file).size;
    },
    async ask(sql) {
      const reader = await connection.runAndReadAll(sql.replaceAll('"at" / 86400', '"at" // 86400'));
      return reader.getRows().map((row) => row.map(Number));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Indexes by time, and by link and time; values are stored as their index. */
export function openRows(file: string, words: readonly string[]): OtherStore {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA cache_size = -65536');
  database.exec(`CREATE TABLE clicks (${names.map((name) => `${name} INTEGER NOT NULL`).join(', ')}) STRICT`);
  const insert = database.prepare(`INSERT INTO clicks VALUES (${names.map(() => '?').join(', ')})`);
  return {
    name: 'SQLite rows',
    add(day, clicks) {
      const values = valuesOf(day, clicks);
      database.exec('BEGIN');
      for (let row = 0; row < clicks.length; row += 1)
        insert.run(...values.map((column) => column[row] as number));
      database.exec('COMMIT');
    },
    async finish() {
      database.exec('CREATE INDEX clicks_by_time ON clicks ("at")');
      database.exec('CREATE INDEX clicks_by_link ON clicks (link, "at")');
      return statSync(file).size;
    },
    async ask(sql) {
      const numbered = sql.replace(/'([^']*)'/g, (_, word: string) => String(words.indexOf(word)));
      const rows = database.prepare(numbered.replace('::UBIGINT', '')).all();
      return rows.map((row) => Object.values(row).map(Number));
    },
    close: () => database.close(),
  };
}
