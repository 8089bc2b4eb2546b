import { setTimeout as pause } from 'node:timers/promises';
import { migrations as allMigrations } from '../migrations/list.ts';
import {
  type CreateIndex,
  type MigrationOptions,
  type MigrationStatus,
  migrate,
  migrationStatusOf,
} from '../migrations/migrate.ts';
import { type Connection, postgresDialect } from './connections/connection.ts';
import { isConflict, sqlStateOf } from './connections/errors.ts';

const retryEveryMs = 200;
/**
 * Timeout for locking a table, in ms. While one statement waits for the lock, other statements on that table queue
 * behind it.
 */
const lockMs = 1_000;
const lockPauseMs = 1_000;
const lockPatienceMs = 300_000;

/**
 * Migrates the schema. One process migrates while other processes wait. Running servers continue to work.
 * @param connect opens a connection without a statement timeout
 * @throws Error when the database is newer than this program, or a table could not be locked within five minutes
 */
export async function migratePostgres(
  connect: () => Promise<Connection>,
  { onBackfill, onWait, migrations = allMigrations }: MigrationOptions = {},
): Promise<MigrationStatus> {
  const connection = await connect();
  try {
    const status = await migrationStatusOf(connection, postgresDialect, migrations);
    if (status.pending.length === 0) return status;
    const lock = await awaitLock(connect, onWait);
    try {
      const exclusively = exclusivelyOn(connection);
      const createIndex = createIndexOn(connection);
      return await migrate(connection, postgresDialect, exclusively, migrations, onBackfill, createIndex);
    } finally {
      await lock.end();
    }
  } finally {
    await connection.end();
  }
}

const createLockTable = 'CREATE TABLE IF NOT EXISTS migration_turn (number BIGINT PRIMARY KEY)';
const insertLockRow = 'INSERT INTO migration_turn (number) VALUES (1) ON CONFLICT (number) DO NOTHING';
const lockRow = 'SELECT number FROM migration_turn WHERE number = 1 FOR UPDATE NOWAIT';

/** SQLSTATEs of the errors that CREATE TABLE returns when another process creates the same table at the same time. */
const isCreatedConcurrently: ReadonlySet<string | undefined> = new Set(['23505', '42P07', '42710']);
const lockNotAvailable = '55P03';

/**
 * Waits for the migration lock, which is a locked row in a separate transaction. PostgreSQL releases this lock when the
 * process ends. Unlike a session-level advisory lock, a row lock works with poolers.
 */
async function awaitLock(
  connect: () => Promise<Connection>,
  onWait: (() => void) | undefined,
): Promise<{ end(): Promise<void> }> {
  const connection = await connect();
  try {
    await connection.run(createLockTable, []).catch((error: unknown) => {
      if (!isCreatedConcurrently.has(sqlStateOf(error))) throw error;
    });
    await connection.run(insertLockRow, []);
    for (let attempt = 0; ; attempt += 1) {
      await connection.command('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
      try {
        // Runs as a command without parameters: the portal of a query with parameters would stay open and block index
        // creation.
        await connection.command(lockRow);
        return {
          end: () =>
            connection
              .command('ROLLBACK')
              .finally(() => connection.end())
              .then(() => {}),
        };
      } catch (error) {
        await connection.command('ROLLBACK');
        if (sqlStateOf(error) !== lockNotAvailable) throw error;
      }
      if (attempt === 0) onWait?.();
      await pause(retryEveryMs);
    }
  } catch (error) {
    await connection.end();
    throw error;
  }
}

/**
 * Returns a function that runs work in a transaction. If the transaction does not get a table lock within a second, it
 * retries later, because other statements queue behind a pending lock.
 */
function exclusivelyOn(connection: Connection) {
  return async (work: () => Promise<void>): Promise<void> => {
    const end = performance.now() + lockPatienceMs;
    for (;;) {
      await connection.command(`BEGIN; SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = 0`);
      try {
        await work();
        await connection.command('COMMIT');
        return;
      } catch (error) {
        await connection.command('ROLLBACK').catch(() => {});
        if (sqlStateOf(error) !== lockNotAvailable && !isConflict(error)) throw error;
        if (performance.now() > end)
          throw new Error(
            'A migration could not lock its tables within five minutes. End long-running transactions, then start Linkfold again.',
            { cause: error },
          );
      }
      await pause(lockPauseMs);
    }
  };
}

const isIndexValid = `
  SELECT i.indisvalid AS whole FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = ? AND c.relnamespace = CAST(current_schema() AS regnamespace)`;

/**
 * Returns a function that creates an index while other connections write to its table. An invalid index from an
 * interrupted attempt is dropped and created again.
 */
function createIndexOn(connection: Connection): CreateIndex {
  return async ({ name, on, unique }) => {
    const found = await connection.get<{ whole: boolean }>(isIndexValid, [name]);
    if (found?.whole) return;
    if (found !== undefined) await connection.command(`DROP INDEX CONCURRENTLY ${name}`);
    await connection.command(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
  };
}
