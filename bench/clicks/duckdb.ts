import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheDir } from '../measuring/database.ts';

/** The used part of DuckDB's package, which is not a dependency: the benchmark downloads it. */
export interface Duckdb {
  readonly DuckDBInstance: {
    create(file: string, options: Readonly<Record<string, string>>): Promise<DuckdbInstance>;
  };
  readonly DuckDBDataChunk: { create(types: readonly unknown[], rows: number): DuckdbChunk };
  readonly UINTEGER: unknown;
  readonly USMALLINT: unknown;
}

interface DuckdbInstance {
  connect(): Promise<DuckdbConnection>;
  closeSync(): void;
}

export interface DuckdbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>;
  createAppender(table: string, schema: string, catalog: string): Promise<DuckdbAppender>;
  closeSync(): void;
}

interface DuckdbAppender {
  appendDataChunk(chunk: DuckdbChunk): void;
  closeSync(): void;
}

interface DuckdbChunk {
  getColumnVector(column: number): { setItem(row: number, value: number): void; flush(): void };
}

const packageSpec = '@duckdb/node-api@1.5.6-r.1';

/** Installs DuckDB in the benchmark's cache, once. @throws if the registry cannot be reached */
export function loadDuckdb(): Duckdb {
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
