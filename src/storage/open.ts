import { statSync } from 'node:fs';
import type { Storage } from '../model/storage.ts';
import { isPostgresUrl } from './db/url.ts';
import { migrations } from './migrations/list.ts';
import { type MigrationStatus, migrationStatusOf } from './migrations/migrate.ts';
import type { PostgresOptions } from './postgres/engine.ts';
import { openConnection, sqliteDialect } from './sqlite/connection.ts';
import { openSqlite, type SqliteOptions } from './sqlite/engine.ts';
import { sqlitePathIn } from './sqlite/url.ts';

export type { MigrationStatus } from './migrations/migrate.ts';

export interface StorageOptions extends SqliteOptions, PostgresOptions {}

/**
 * Opens storage by the scheme of its URL (`sqlite:PATH` or `postgres://…`) and brings its schema up to date.
 * @throws Error for an unknown scheme, or a database newer than this program; Failure STORAGE_UNAVAILABLE
 */
export async function openStorage(url: string, options: StorageOptions = {}): Promise<Storage> {
  return isPostgresUrl(url)
    ? (await postgres()).openPostgres(url, options)
    : openSqlite(sqlitePathIn(url), options);
}

/** Loads the PostgreSQL engine on demand, so that a server on SQLite does not load the PostgreSQL driver. */
function postgres() {
  return import('./postgres/engine.ts');
}

/**
 * Compares a database's schema with this program's. Changes nothing.
 * @throws Error when the database is newer than the program, an applied migration was edited, or the file is
 * inaccessible
 */
export async function migrationStatus(url: string): Promise<MigrationStatus> {
  if (isPostgresUrl(url)) return (await postgres()).postgresMigrationStatus(url);
  const path = sqlitePathIn(url);
  // If this user may not access the file, this throws instead of treating the file as missing.
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    return migrationStatusOf(emptyDatabase, sqliteDialect, migrations);
  const connection = openConnection(path, { readsOnly: true });
  try {
    return await migrationStatusOf(connection, sqliteDialect);
  } finally {
    connection.close();
  }
}

const emptyDatabase = {
  all: () => [],
  allUncached: () => [],
  hasSearchTable: true,
  get: () => undefined,
  run: () => 0,
  insert: () => 0,
  bulk: () => 0,
  lockRows: () => {},
  counterSlot: () => 0,
  journal: '',
};
