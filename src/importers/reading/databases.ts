import { SourceFailure } from '../service.ts';

/** Runs a query in another service's database and streams the rows. */
export type RowsOf = (select: string) => AsyncIterable<unknown>;

const rowsAtOnce = 1_000;

/**
 * Opens a database for reading.
 * @param place path of a SQLite file, or URL of a PostgreSQL server
 * @throws SourceFailure if the database cannot be read. The message contains no part of the URL.
 */
export async function withDatabase<T>(place: string, work: (rows: RowsOf) => Promise<T>): Promise<T> {
  try {
    return /^postgres(?:ql)?:/i.test(place) ? await withPostgres(place, work) : await withSqlite(place, work);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'EPIPE') throw error;
    const why =
      code === 'ERR_SQLITE_ERROR' ? message : `${code}${/^[\dA-Z]{5}$/.test(code) ? `: ${message}` : ''}`;
    throw new SourceFailure(`Could not read the database: ${why}.`);
  }
}

async function withSqlite<T>(path: string, work: (rows: RowsOf) => Promise<T>): Promise<T> {
  // This module is imported on demand, because older versions of Node.js lack it, and the command must show its help
  // even on them.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return await work(async function* (select) {
      yield* database.prepare(select).iterate();
    });
  } finally {
    database.close();
  }
}

async function withPostgres<T>(url: string, work: (rows: RowsOf) => Promise<T>): Promise<T> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'linkfold import' });
  await client.connect();
  try {
    // The transaction ensures that links and clicks come from one snapshot. A cursor fetches the rows in batches.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(async function* (select) {
      await client.query(`DECLARE rows NO SCROLL CURSOR FOR ${select}`);
      for (;;) {
        const { rows } = await client.query(`FETCH ${rowsAtOnce} FROM rows`);
        yield* rows;
        if (rows.length < rowsAtOnce) break;
      }
      await client.query('CLOSE rows');
    });
  } finally {
    await client.end();
  }
}
