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

// Timeout for other transactions, ms.
const patienceMs = 60_000;
const retryEveryMs = 100;
const busy = 5;

/**
 * Migrates the schema of a file.
 * @throws Error when the database is newer than this program, or another program's migration is incomplete
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
      // Moved now, while the disk has space for the database to grow: the log may use the rest of it.
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
 * Concurrent migrations are safe but not faster. An open transaction on a separate file is a lock that the kernel releases if the
 * process is killed.
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

/** Runs work in a transaction that no other writer shares. */
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
