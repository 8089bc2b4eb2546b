import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { environmentOf, type Server } from './server.ts';

/** Backdates the start or last use of every session on a server, by 16 minutes by default. */
export async function ageSessions(
  { dataDir }: Pick<Server, 'dataDir'>,
  by: 'created_at' | 'last_seen_at' = 'created_at',
  minutes = 16,
): Promise<void> {
  const older = `UPDATE sessions SET ${by} = ${by} - ${minutes} * CAST(60000 AS bigint)`;
  const { DATABASE_URL } = await environmentOf(dataDir);
  if (DATABASE_URL?.startsWith('postgres')) {
    const url = new URL(DATABASE_URL);
    url.searchParams.delete('durability');
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(older);
    await client.end();
    return;
  }
  const database = new DatabaseSync(join(dataDir, 'linkfold.db'), { timeout: 10_000 });
  database.exec(older);
  database.close();
}
