import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { type Db, one, type Value } from '../db/db.ts';
import type { Dialect } from '../db/dialect.ts';
import { isPostgresUrl } from '../db/url.ts';
import { postgresDialect } from '../postgres/connection.ts';
import { postgresAddressIn } from '../postgres/url.ts';
import { openConnection, sqliteDialect } from '../sqlite/connection.ts';
import { createFile } from '../sqlite/engine.ts';
import { exclusivelyOn, migrateSqlite } from '../sqlite/migration.ts';
import { sqlitePathIn } from '../sqlite/url.ts';
import { boundsOf, type CopiedTable, copiedTables, setNumber, textIn } from './tables.ts';

/** The values of a primary key, in the order of its columns. */
export type Key = readonly Value[];

/** Rows whose keys are beyond one and not beyond another; without these, from the first and to the last. */
export interface Range {
  readonly after?: Key | undefined;
  readonly upto?: Key | undefined;
}

export interface Digest {
  readonly rows: number;
  /** SHA-256 in hex over the rows in the order of their keys: the same on every engine. */
  readonly digest: string;
}

/** One of the two databases of a copy. */
export interface Side {
  /** For people: never with a password. */
  readonly name: string;
  readonly words: Dialect;
  readonly db: Db;
  /** Whether other work can be done while it answers. */
  readonly isRemote: boolean;
  /** Until `release`, everything that is read is of this moment. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Runs work in a transaction. */
  write(work: () => Promise<void>): Promise<void>;
  /** @param most so many rows are read; more do not fit into a slice */
  digest(table: CopiedTable, range: Range, most: number): Promise<Digest>;
  /** Lets the engine number new rows behind those that are there. */
  resetSequences(): Promise<void>;
  /** Differs from what it was when somebody wrote in between; perhaps also when nobody did. */
  version(): Promise<string>;
  close(): Promise<void>;
}

type Role = 'FROM' | 'TO';
interface SideOptions {
  readonly readsOnly: boolean;
}

/** Opens a database that is there, and makes nothing. @param role how the operator knows it */
export async function openSide(url: string, role: Role, options: SideOptions): Promise<Side> {
  try {
    if (isPostgresUrl(url)) return await openPostgresSide(url, options);
    const path = sqlitePathIn(url);
    if (!existsSync(path)) throw new Error(`There is no database at ${path}.`);
    return openSqliteSide(path, options);
  } catch (error) {
    throw about(role, error);
  }
}

/** Makes the file of a database that has one, where it is not there yet. */
export function makeFile(url: string): void {
  if (!isPostgresUrl(url)) createFile(sqlitePathIn(url));
}

/** Brings TO to the schema of this program. */
export async function migrateTarget(url: string): Promise<void> {
  if (!isPostgresUrl(url)) return void (await migrateSqlite(sqlitePathIn(url)));
  const { preparePostgres } = await import('../postgres/engine.ts');
  await preparePostgres(postgresAddressIn(url), {});
}

/** Others speak of the one database that there is. */
export function about(role: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  return new Error(error.message.replaceAll('DATABASE_URL', role), { cause: error.cause });
}

function openSqliteSide(path: string, options: SideOptions): Side {
  const connection = openConnection(path, options);
  const { database } = connection;
  return {
    name: path,
    words: sqliteDialect,
    db: connection,
    isRemote: false,
    async hold() {
      database.exec('BEGIN');
      // The transaction begins with its first read.
      connection.get('SELECT 1 FROM migrations', []);
    },
    async release() {
      if (database.isTransaction) database.exec('ROLLBACK');
    },
    write: exclusivelyOn(connection),
    async digest(table, range, most) {
      const sql = textIn(table, range, hexInSqlite, (text) => `CAST(${text} AS BLOB)`);
      const { count, text } = await one<{ count: number; text: Uint8Array | null }>(connection, sql, [
        ...boundsOf(range),
        most,
      ]);
      return { rows: count, digest: hash('sha256', text ?? '') };
    },
    // The next row is the one after the last.
    resetSequences: async () => {},
    version: async () => String(Object.values(database.prepare('PRAGMA data_version').get() ?? {})[0]),
    close: async () => connection.close(),
  };
}

// To SQLite no bytes are hex too.
function hexInSqlite(column: string): string {
  return `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END`;
}
function hexInPostgres(column: string): string {
  return `encode(${column}, 'hex')`;
}
function digestInPostgres(text: string): string {
  return `encode(sha256(convert_to(COALESCE(${text}, ''), 'UTF8')), 'hex')`;
}

const noLimits = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
// Which transactions were over: also one that had begun before is another snapshot when it ends.
const transactions = 'SELECT CAST(pg_current_snapshot() AS TEXT) AS version';

async function openPostgresSide(url: string, { readsOnly }: SideOptions): Promise<Side> {
  const { connectAlone } = await import('../postgres/engine.ts');
  const address = postgresAddressIn(url);
  const connection = await connectAlone(address);
  const mode = readsOnly ? 'READ ONLY' : 'READ WRITE';
  return {
    name: `${address.host}:${address.port}/${address.database}`,
    words: postgresDialect,
    db: connection,
    isRemote: true,
    async hold() {
      await connection.command(`BEGIN ISOLATION LEVEL REPEATABLE READ, ${mode}; ${noLimits}`);
      // The snapshot is taken with the first query.
      await connection.get('SELECT 1 AS found', []);
    },
    async release() {
      await connection.command('ROLLBACK');
    },
    async write(work) {
      await connection.command(`BEGIN ISOLATION LEVEL READ COMMITTED; ${noLimits}`);
      try {
        await work();
      } catch (error) {
        await connection.command('ROLLBACK').catch(() => {}); // it may be gone
        throw error;
      }
      const said = await connection.command('COMMIT');
      if (said !== 'COMMIT') throw new Error(`PostgreSQL answered a COMMIT with ${said}.`);
    },
    async digest(table, range, most) {
      const sql = textIn(table, range, hexInPostgres, digestInPostgres);
      const { count, text } = await one<{ count: number; text: string }>(connection, sql, [
        ...boundsOf(range),
        most,
      ]);
      return { rows: count, digest: text };
    },
    async resetSequences() {
      for (const table of copiedTables)
        if (table.numbered !== undefined) await connection.get(setNumber(table), []);
    },
    version: async () => (await one<{ version: string }>(connection, transactions, [])).version,
    close: () => connection.end(),
  };
}

/** What both sides hold in a range; one works while the other does, where they can. */
export async function digestsOf(
  [source, target]: readonly [Side, Side],
  table: CopiedTable,
  range: Range,
  most: number,
): Promise<readonly [Digest, Digest]> {
  const ask = (side: Side): Promise<Digest> => side.digest(table, range, most);
  if (!target.isRemote) {
    const fromSource = ask(source);
    await sent(fromSource);
    return Promise.all([fromSource, ask(target)]);
  }
  const fromTarget = ask(target);
  await sent(fromTarget);
  return Promise.all([ask(source), fromTarget]);
}

/** Lets a question leave before this thread is busy. */
async function sent(answer: Promise<unknown>): Promise<void> {
  answer.catch(() => {}); // told to whoever waits for it
  await turn();
}
