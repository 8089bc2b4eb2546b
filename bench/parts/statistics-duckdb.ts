import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheDir } from '../harness/database.ts';
import type { SampleClick } from './statistics-sample.ts';

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>;
  closeSync(): void;
}

/**
 * The part of DuckDB's package that the benchmark uses. The package is not a dependency; the benchmark downloads it.
 */
interface Duckdb {
  readonly DuckDBInstance: {
    create(file: string, options: object): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}

const packageSpec = '@duckdb/node-api@1.5.6-r.1';

/**
 * Loads DuckDB. Installs it in the benchmark's cache if it is missing.
 * @throws Error if the registry cannot be reached
 */
function loadDuckdb(): Duckdb {
  const folder = join(cacheDir, 'duckdb');
  if (!existsSync(join(folder, 'node_modules', '@duckdb', 'node-api'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', packageSpec], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return createRequire(join(folder, 'package.json'))('@duckdb/node-api') as Duckdb;
}

const secondsPerDay = 86_400;

/**
 * Opens DuckDB with one thread and one table of clicks. Clicks are ordered by time, and codes are stored as numbers.
 */
export async function openDuckdb(dir: string, example: SampleClick) {
  const file = join(dir, 'clicks.duckdb');
  const csv = join(dir, 'day.csv');
  const instance = await loadDuckdb().DuckDBInstance.create(file, { threads: '1' });
  const connection = await instance.connect();
  const columns = Object.entries({ at: 0, ...example });
  const typed = columns.map(([name, value]) => `"${name}" ${value === '' ? 'VARCHAR' : 'UINTEGER'}`);
  await connection.run(`CREATE TABLE clicks (${typed.join(', ')})`);
  return {
    async add(day: number, clicks: readonly SampleClick[]): Promise<void> {
      const timed = clicks.map((click) => ({ at: day * secondsPerDay + click.second, ...click }));
      timed.sort((a, b) => a.at - b.at);
      const lines = timed.map((click) =>
        columns.map(([name]) => click[name as keyof typeof click]).join(','),
      );
      writeFileSync(csv, lines.join('\n'));
      await connection.run(`COPY clicks FROM '${csv}' (HEADER false, NULLSTR '\\N')`);
    },
    /** Writes all clicks to the file. @returns size of the file in bytes */
    async finish(): Promise<number> {
      await connection.run('CHECKPOINT');
      return statSync(file).size;
    },
    /** Runs a query and returns rows of numbers. */
    async ask(sql: string): Promise<readonly (readonly number[])[]> {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRows().map((row) => row.map(Number));
    },
    close(): void {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
