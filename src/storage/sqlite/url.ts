import { statSync } from 'node:fs';
import { isPostgresUrl } from '../db/url.ts';

/**
 * Returns the file of a `sqlite:PATH` URL. `sqlite:data/links.db` is relative to the working directory,
 * `sqlite:/data/links.db` and `sqlite:///data/links.db` are absolute.
 * @throws Error for other schemes, and for an in-memory database, which threads and processes could not share
 */
export function sqlitePathIn(url: string): string {
  if (isPostgresUrl(url))
    throw new Error(
      'This command only works with SQLite, but DATABASE_URL is a PostgreSQL database. Back up PostgreSQL with pg_dump.',
    );
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  if (scheme.toLowerCase() !== 'sqlite') {
    throw new Error(
      `DATABASE_URL must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE${scheme === '' ? '' : `, but its scheme is "${scheme}:"`}.`,
    );
  }
  const file = path.startsWith('//') ? path.slice(2) : path;
  if (file === '' || file.startsWith(':memory:'))
    throw new Error('DATABASE_URL must contain a file path: sqlite:PATH.');
  return file;
}

/**
 * Returns the existing file of a `sqlite:PATH` URL.
 * @throws Error when the file does not exist; a system error when it is inaccessible
 */
export function databaseFileIn(url: string): string {
  const path = sqlitePathIn(url);
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new Error(`There is no database at ${path}.`);
  return path;
}
