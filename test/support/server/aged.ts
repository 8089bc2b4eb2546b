import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { environmentOf, type Server } from './server.ts';

const older = 'UPDATE sessions SET created_at = created_at - 16 * 60000';

/** Makes every session that a server has a quarter of an hour older, and a minute. */
export async function ageSessions({ dataDir }: Pick<Server, 'dataDir'>): Promise<void> {
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
