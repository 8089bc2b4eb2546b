import { statSync } from 'node:fs';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBUIntegerVector,
  UINTEGER,
  USMALLINT,
  UTINYINT,
} from '@duckdb/node-api';
import type { DayClicks } from '../src/statistics/columns/day-clicks.ts';
import { secondsPerDay } from '../src/statistics/columns/dimensions.ts';
import { countingSort } from '../src/statistics/columns/sort.ts';

/** The same clicks as rows of one table of DuckDB, in the order of time, one thread. */
export interface ClicksInDuckdb {
  add(day: number, clicks: DayClicks): void;
  /** Writes out what was added. @returns bytes of the file */
  finish(): Promise<number>;
  /** Rows of numbers. */
  ask(sql: string): Promise<readonly (readonly number[])[]>;
  close(): void;
}

const rowsPerChunk = 2_048;
/** Of words their places in `words`. */
const columns = [
  ...[
    ['at', UINTEGER],
    ['link', UINTEGER],
    ['visitor', UINTEGER],
  ],
  ...['class', 'country', 'os', 'browser', 'device', 'language', 'trigger'].map((name) => [name, UTINYINT]),
  ...['referrer', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'].map((name) => [
    name,
    USMALLINT,
  ]),
] as [string, typeof UINTEGER | typeof UTINYINT | typeof USMALLINT][];

/** Coded dimensions stay numbers, words become texts. */
export async function openDuckdb(file: string, words: readonly string[]): Promise<ClicksInDuckdb> {
  const instance = await DuckDBInstance.create(file, { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    `CREATE TEMP TABLE staging (${columns.map(([name, type]) => `"${name}" ${type} NOT NULL`).join(', ')})`,
  );
  const appender = await connection.createAppender('staging', 'main', 'temp');
  const types = columns.map(([, type]) => type);

  return {
    add(day, clicks) {
      const byTime = countingSort(
        new Uint32Array(clicks.length).map((_, at) => at),
        clicks.second,
        secondsPerDay,
      );
      const { codes, utm } = clicks;
      const seconds = clicks.second.map((second) => day * secondsPerDay + second);
      const values = [
        ...[seconds, clicks.link, clicks.visitor],
        ...[codes.class, codes.country, codes.os, codes.browser, codes.device, codes.language, codes.trigger],
        ...[clicks.referrer, utm.utmSource, utm.utmMedium, utm.utmCampaign, utm.utmTerm, utm.utmContent],
      ];
      for (let from = 0; from < clicks.length; from += rowsPerChunk) {
        const rows = byTime.subarray(from, from + rowsPerChunk);
        const chunk = DuckDBDataChunk.create(types, rows.length);
        for (const [place, column] of values.entries()) {
          // Each kind of column takes numbers in the same way.
          const vector = chunk.getColumnVector(place) as DuckDBUIntegerVector;
          for (let at = 0; at < rows.length; at += 1)
            vector.setItem(at, column[rows[at] as number] as number);
          vector.flush();
        }
        appender.appendDataChunk(chunk);
      }
    },
    async finish() {
      appender.closeSync();
      const selected = columns.map(([name, type]) =>
        type === USMALLINT ? `texts[${name} + 1] AS ${name}` : `"${name}"`,
      );
      const texts = `(SELECT [${words.map((word) => `'${word}'`).join(', ')}] AS texts)`;
      await connection.run(`CREATE TABLE clicks AS SELECT ${selected.join(', ')} FROM staging, ${texts}`);
      await connection.run('DROP TABLE staging');
      await connection.run('CHECKPOINT');
      return statSync(file).size;
    },
    ask: (sql) => ask(connection, sql),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function ask(connection: DuckDBConnection, sql: string): Promise<readonly (readonly number[])[]> {
  const { getRows } = await connection
    .runAndReadAll(sql)
    .then((reader) => ({ getRows: () => reader.getRows() }));
  return getRows().map((row) => row.map(Number));
}
