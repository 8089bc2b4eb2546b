import { setTimeout as pause } from 'node:timers/promises';
import { migrations as allMigrations } from '../migrations/list.ts';
import {
  type MakeIndex,
  type MigrationOptions,
  type MigrationStatus,
  migrate,
  migrationStatusOf,
} from '../migrations/migrate.ts';
import { type Connection, postgresDialect } from './connections/connection.ts';
import { isConflict, sqlStateOf } from './connections/errors.ts';

const lookEveryMs = 200;
/** So long a statement waits for a table, and so do all statements behind it. */
const lockMs = 1_000;
const lockPauseMs = 1_000;
const lockPatienceMs = 300_000;

/**
 * Brings the database's schema up to date. One process does it while others wait for it. Servers that run continue serving.
 * @param connect makes a connection on which statements may take as long as they do
 * @throws Error when the database is newer than this program, or a table could not be had in five minutes
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
      const makeIndex = makeIndexOn(connection);
      return await migrate(connection, postgresDialect, exclusively, migrations, onBackfill, makeIndex);
    } finally {
      await lock.end();
    }
  } finally {
    await connection.end();
  }
}

const createTurn = 'CREATE TABLE IF NOT EXISTS migration_turn (number BIGINT PRIMARY KEY)';
const makeTurn = 'INSERT INTO migration_turn (number) VALUES (1) ON CONFLICT (number) DO NOTHING';
const acquireLease = 'SELECT number FROM migration_turn WHERE number = 1 FOR UPDATE NOWAIT';

/** Two processes may make a table at the same time. One of them then gets another error than "exists". */
const isMadeByAnother: ReadonlySet<string | undefined> = new Set(['23505', '42P07', '42710']);
const isTaken = '55P03';

/**
 * A lock of a row, held by a transaction of its own. PostgreSQL releases it when its process is gone, and it works through
 * poolers, which advisory locks of a session do not.
 */
async function awaitLock(
  connect: () => Promise<Connection>,
  onWait: (() => void) | undefined,
): Promise<{ end(): Promise<void> }> {
  const connection = await connect();
  try {
    await connection.run(createTurn, []).catch((error: unknown) => {
      if (!isMadeByAnother.has(sqlStateOf(error))) throw error;
    });
    await connection.run(makeTurn, []);
    for (let look = 0; ; look += 1) {
      await connection.command('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
      try {
        // As a command: the portal of a query with parameters would stay open and keep an index from being finished.
        await connection.command(acquireLease);
        return {
          end: () =>
            connection
              .command('ROLLBACK')
              .finally(() => connection.end())
              .then(() => {}),
        };
      } catch (error) {
        await connection.command('ROLLBACK');
        if (sqlStateOf(error) !== isTaken) throw error;
      }
      if (look === 0) onWait?.();
      await pause(lookEveryMs);
    }
  } catch (error) {
    await connection.end();
    throw error;
  }
}

/** Runs work in a transaction that waits for a table a second at most, so that others behind it hardly notice, and tries again. */
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
        if (sqlStateOf(error) !== isTaken && !isConflict(error)) throw error;
        if (performance.now() > end)
          throw new Error('A migration could not have its tables for itself in five minutes.', {
            cause: error,
          });
      }
      await pause(lockPauseMs);
    }
  };
}

const isWhole = `
  SELECT i.indisvalid AS whole FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = ? AND c.relnamespace = CAST(current_schema() AS regnamespace)`;

/** Creates an index while others continue writing to its table. One that was left half-made is not used: it is made again. */
function makeIndexOn(connection: Connection): MakeIndex {
  return async ({ name, on, unique }) => {
    const found = await connection.get<{ whole: boolean }>(isWhole, [name]);
    if (found?.whole) return;
    if (found !== undefined) await connection.command(`DROP INDEX CONCURRENTLY ${name}`);
    await connection.command(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
  };
}
