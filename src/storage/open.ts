import { existsSync } from 'node:fs';
import type { Storage } from '../domain/storage.ts';
import { type MigrationStatus, migrationStatusOf } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import type { PostgresOptions } from './postgres.ts';
import { isPostgresUrl } from './postgres-url.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import { openConnection, sqliteWords } from './sqlite-connection.ts';

export type { MigrationStatus } from './migrate.ts';

export interface StorageOptions extends SqliteOptions, PostgresOptions {}

/**
 * Opens storage by the scheme of its URL (`sqlite:PATH` or `postgres://…`) and brings its schema up to date.
 * @throws Error for an unknown scheme, or a database newer than this program; Failure STORAGE_UNAVAILABLE
 */
export const openStorage = async (url: string, options: StorageOptions = {}): Promise<Storage> =>
  isPostgresUrl(url) ? (await postgres()).openPostgres(url, options) : openSqlite(sqlitePathIn(url), options);

/** Loaded only where it is used: who has SQLite starts without its driver. */
const postgres = () => import('./postgres.ts');

/**
 * The file a `sqlite:PATH` URL names. `sqlite:data/links.db` is relative to the working directory, `sqlite:/data/links.db`
 * and `sqlite:///data/links.db` are absolute.
 * @throws Error for any other scheme, and for a database in memory, which threads and processes could not share
 */
export const sqlitePathIn = (url: string): string => {
  if (isPostgresUrl(url))
    throw new Error(
      'DATABASE_URL names a PostgreSQL database; this command works on the file of SQLite only.',
    );
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  if (scheme.toLowerCase() !== 'sqlite') {
    throw new Error(
      `DATABASE_URL must be sqlite:PATH or postgres://…${scheme === '' ? '' : `, but its scheme is "${scheme}:"`}.`,
    );
  }
  const file = path.startsWith('//') ? path.slice(2) : path;
  if (file === '' || file.startsWith(':memory:'))
    throw new Error('DATABASE_URL must name a file: sqlite:PATH.');
  return file;
};

/**
 * Compares a database's schema with this program's, and changes nothing.
 * @throws Error when the database is newer than the program, or an applied migration was edited since
 */
export const migrationStatus = async (url: string): Promise<MigrationStatus> => {
  if (isPostgresUrl(url)) return (await postgres()).postgresMigrationStatus(url);
  const path = sqlitePathIn(url);
  if (!existsSync(path)) return migrationStatusOf(nothing, sqliteWords, migrations);
  const connection = openConnection(path, { readsOnly: true });
  try {
    return await migrationStatusOf(connection, sqliteWords);
  } finally {
    connection.close();
  }
};

const nothing = {
  all: () => [],
  get: () => undefined,
  run: () => 0,
  insert: () => 0,
  change: () => {},
  hold: () => {},
  counterSlot: () => 0,
  journal: '',
};
