import type { Db } from '../../../src/storage/db/db.ts';
import { isPostgresUrl } from '../../../src/storage/db/url.ts';
import { postgresAddressIn } from '../../../src/storage/postgres/connections/url.ts';
import { withConnection } from '../../../src/storage/postgres/engine.ts';
import { openConnection } from '../../../src/storage/sqlite/connection.ts';
import { sqlitePathIn } from '../../../src/storage/sqlite/url.ts';

/** Runs a function with direct access to a database, for tests that no public function supports. */
export async function withDatabase<T>(url: string, work: (database: Db) => Promise<T>): Promise<T> {
  if (isPostgresUrl(url)) return withConnection(postgresAddressIn(url), work);
  const connection = openConnection(sqlitePathIn(url), { readsOnly: true });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
