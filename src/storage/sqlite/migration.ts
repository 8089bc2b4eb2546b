import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrations as allMigrations } from '../migrations/list.ts';
import {
  type MigrationOptions,
  type MigrationStatus,
  migrate,
  migrationStatusOf,
} from '../migrations/migrate.ts';
import { type Connection, checkpointLog, openConnection, sqliteDialect } from './connection.ts';

// Maximum wait in ms for other processes' transactions.
const patienceMs = 60_000;
const retryEveryMs = 100;
const busy = 5;

/**
 * Migrates the schema of a file.
 * @throws Error when the database is newer than this program, or a migration that a different version started is
 * incomplete
 */
export async function migrateSqlite(
  path: string,
  { onBackfill, onWait, migrations = allMigrations }: MigrationOptions = {},
): Promise<MigrationStatus> {
  const connection = openConnection(path, { readsOnly: false });
  try {
    connection.database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    const status = await migrationStatusOf(connection, sqliteDialect, migrations);
    if (status.pending.length === 0) return status;
    const lock = await awaitLock(`${path}-migrating`, onWait);
    try {
      const migrated = await migrate(
        connection,
        sqliteDialect,
        exclusivelyOn(connection),
        migrations,
        onBackfill,
      );
      // Checkpoints now, while the disk still has space for the database to grow. Later, the log may have filled the
      // disk.
      checkpointLog(connection);
      return migrated;
    } finally {
      lock.end();
    }
  } finally {
    connection.close();
  }
}

/**
 * Acquires the migration lock. Concurrent migrations would be safe, but not faster. The lock is an open transaction on
 * a separate file: the kernel releases it if the process is killed.
 */
async function awaitLock(file: string, onWait: (() => void) | undefined): Promise<{ end(): void }> {
  for (let attempt = 0; ; attempt += 1) {
    const lock = new DatabaseSync(file, { timeout: 0 });
    try {
      lock.exec('PRAGMA journal_mode = MEMORY');
      lock.exec('BEGIN IMMEDIATE');
      return {
        end() {
          rmSync(file, { force: true });
          lock.close();
        },
      };
    } catch (error) {
      lock.close();
      if ((error as { errcode?: number }).errcode !== busy) throw error;
    }
    if (attempt === 0) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
  }
}

/** Returns a function that runs work in a transaction without concurrent writers. */
export function exclusivelyOn({ database }: Connection) {
  return async (work: () => Promise<void>): Promise<void> => {
    database.exec('BEGIN IMMEDIATE');
    try {
      await work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}
