import { isPostgresUrl } from '../db/url.ts';
import { type Connection, openConnection, sqliteDialect } from '../sqlite/connection.ts';
import { databaseFileIn } from '../sqlite/url.ts';
import { dataFindings, maxPerCheck, type OnProgress, requireSchema } from './findings.ts';

export type { OnProgress } from './findings.ts';

/** Finds damage in the database file: broken pages, incomplete indexes, dangling references. */
export function fileFindings(connection: Connection): string[] {
  return [
    ...connection
      .all<{ integrity_check: string }>(`PRAGMA integrity_check(${maxPerCheck})`, [])
      .filter((row) => row.integrity_check !== 'ok')
      .map((row) => `The file is damaged: ${row.integrity_check}.`),
    ...connection
      .all<{ table: string; parent: string }>('PRAGMA foreign_key_check', [])
      .slice(0, maxPerCheck)
      .map(({ table, parent }) => `A row of ${table} refers to a row of ${parent} that does not exist.`),
  ];
}

/**
 * Checks a database, even while it is in use: its file, references, counters and codes. PostgreSQL's own files are not
 * checked; use `pg_amcheck` for them.
 * @returns the problems, one sentence each; empty for a valid database
 * @throws Error when there is no database, or it does not have this program's schema
 */
export async function checkDatabase(
  url: string,
  { onProgress }: { onProgress?: OnProgress } = {},
): Promise<string[]> {
  if (isPostgresUrl(url)) return (await import('./postgres.ts')).checkPostgres(url, onProgress);
  const path = databaseFileIn(url);
  const connection = openConnection(path, { readsOnly: true });
  try {
    await requireSchema(connection, sqliteDialect);
    connection.database.exec('BEGIN');
    onProgress?.(0, 1);
    const ofFile = fileFindings(connection);
    const ofData = await dataFindings(connection, sqliteDialect, (done, total) =>
      onProgress?.(done + 1, total + 1),
    );
    return [...ofFile, ...ofData];
  } finally {
    connection.close();
  }
}
