import { type Db, one } from '../db/db.ts';
import type { Dialect } from '../db/dialect.ts';
import { isPostgresUrl } from '../db/url.ts';
import { postgresDialect } from '../postgres/connections/connection.ts';
import { sqlStateOf } from '../postgres/connections/errors.ts';
import { postgresAddressIn } from '../postgres/connections/url.ts';
import { openConnection, sqliteDialect } from '../sqlite/connection.ts';
import { createFile } from '../sqlite/engine.ts';
import { migrateSqlite } from '../sqlite/migration.ts';
import { databaseFileIn, sqlitePathIn } from '../sqlite/url.ts';
import type { CopiedTable } from './tables.ts';

/** One of the two databases of a copy, in a transaction. */
export interface End {
  /** Display name, without a password. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly db: Db;
  /** Rolls back uncommitted changes. */
  close(): Promise<void>;
}

export interface Target extends End {
  commit(): Promise<void>;
}

/** Opens the source in a read-only snapshot transaction. */
export async function openSource(url: string): Promise<End> {
  if (isPostgresUrl(url)) return openPostgres(url, 'ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const path = databaseFileIn(url);
  const connection = openConnection(path, { readsOnly: true });
  connection.database.exec('BEGIN');
  // The first read takes the snapshot.
  connection.get('SELECT 1 FROM sqlite_schema', []);
  return { name: path, dialect: sqliteDialect, db: connection, close: async () => connection.close() };
}

/**
 * Opens the target with this program's schema, in the copy's only transaction. The tables stay locked until that
 * transaction ends, so that no server can start on an incomplete copy.
 */
export function openTarget(url: string, tables: readonly CopiedTable[]): Promise<Target> {
  return isPostgresUrl(url) ? openPostgresTarget(url, tables) : openSqliteTarget(sqlitePathIn(url));
}

const busy = 5;

async function openSqliteTarget(path: string): Promise<Target> {
  createFile(path);
  await migrateSqlite(path);
  const connection = openConnection(path, { readsOnly: false });
  const { database } = connection;
  try {
    // Without a write-ahead log, new pages go directly into the file, however large the transaction is. SQLite refuses
    // to leave WAL mode while another process has the file open.
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw (error as { errcode?: number }).errcode === busy ? inUse(path, error) : error;
  }
  return {
    name: path,
    dialect: sqliteDialect,
    db: connection,
    async commit() {
      database.exec('COMMIT; PRAGMA journal_mode = WAL');
    },
    close: async () => connection.close(),
  };
}

const lockMs = 5_000;
const isLocked = '55P03';

async function openPostgresTarget(url: string, tables: readonly CopiedTable[]): Promise<Target> {
  const { preparePostgres } = await import('../postgres/engine.ts');
  await preparePostgres(postgresAddressIn(url), {});
  const { connection, ...end } = await openPostgres(url, 'ISOLATION LEVEL READ COMMITTED');
  const names = tables.map(({ name }) => name).join(', ');
  try {
    await connection.command(
      `SET LOCAL lock_timeout = ${lockMs}; LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`,
    );
  } catch (error) {
    await end.close();
    throw sqlStateOf(error) === isLocked ? inUse(end.name, error) : error;
  }
  return {
    ...end,
    async commit() {
      for (const table of tables) await setNextNumber(connection, table);
      const answer = await connection.command('COMMIT');
      if (answer !== 'COMMIT')
        throw new Error(`Could not commit the copy: PostgreSQL returned ${answer} to COMMIT.`);
    },
  };
}

/**
 * Advances PostgreSQL's sequence of row numbers, because inserts with explicit numbers do not advance it. No-op for
 * tables without numbered rows.
 */
async function setNextNumber(db: Db, { name, key: [column = '', ...others], columns }: CopiedTable) {
  if (others.length > 0 || columns[column] !== 'integer') return;
  const next = `(SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${name})`;
  await one(db, `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), ${next}, false)`, []);
}

const noLimits = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

async function openPostgres(url: string, mode: string) {
  const { connectUnpooled } = await import('../postgres/engine.ts');
  const address = postgresAddressIn(url);
  const connection = await connectUnpooled(address);
  // The first query takes the snapshot.
  await connection.command(`BEGIN ${mode}; ${noLimits}; SELECT 1`);
  const name = `${address.host}:${address.port}/${address.database}`;
  return {
    name,
    dialect: postgresDialect,
    db: connection,
    connection,
    close: () => connection.end(),
  };
}

function inUse(name: string, cause: unknown): Error {
  return new Error(`TO (${name}) is in use. Stop the process that has it open.`, { cause });
}
