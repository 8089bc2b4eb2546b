import type { Author } from '../../model/accounts/actors.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';

/** The value of a column. Integers are never returned as floating point. */
export type Value = number | string | null | Uint8Array;

/** Rows for a bulk statement: column names and types, and the values row by row. */
export interface BulkInput<V extends Value = number | string> {
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'bytes'>>;
  readonly values: ArrayLike<V>;
}

/**
 * The database interface for statements: an open connection and, for writes, a transaction around the call. Statements
 * use the SQL subset that SQLite and PostgreSQL share: `?` placeholders, `ON CONFLICT`, `RETURNING`, no engine-specific
 * functions.
 *
 * With concurrent writers, each statement of a transaction sees everything that was committed before the statement
 * started. If rows must not change between a read and a dependent write, lock them ({@link Db.lockRows}) or use a
 * single statement.
 */
export interface Db {
  all<R>(sql: string, params: readonly Value[]): MaybePromise<R[]>;
  /** Like `get` and `all`, for statements with too many variants to cache as prepared statements. */
  allUncached<R>(sql: string, params: readonly Value[]): MaybePromise<R[]>;
  get<R>(sql: string, params: readonly Value[]): MaybePromise<R | undefined>;
  /** Runs a statement. @returns number of changed rows */
  run(sql: string, params: readonly Value[]): MaybePromise<number>;
  /**
   * Inserts one row into a table with generated row numbers. On SQLite this avoids `RETURNING`, which builds an
   * in-memory table and costs more than the insert.
   * @param identity name of the row number column
   * @returns the row number
   */
  insert(sql: string, identity: string, params: readonly Value[]): MaybePromise<number>;
  /**
   * Applies one change to many rows. On SQLite, where a statement is only a function call, `each` runs for every row.
   * On PostgreSQL, or without `each`, `sql` changes many rows at once.
   * @param sql reads the rows from the table `input`
   * @param params parameters of `sql`
   * @returns the number of changed rows
   */
  bulk<V extends Value = number | string>(
    input: BulkInput<V>,
    each: ((...row: NoInfer<V>[]) => MaybePromise<unknown>) | undefined,
    sql: string,
    params?: readonly Value[],
  ): MaybePromise<number>;
  /** Locks the rows of a query until the transaction ends. No-op with a single writer. */
  lockRows(lock: RowLock, sql: string, params: readonly Value[]): MaybePromise<void>;
  /**
   * Returns the slot of a split counter that this connection adds to: always 0 with a single writer. With several
   * writers, connections use different slots, so that they don't wait for each other.
   */
  counterSlot(): number;
  /** True if substring search uses its own table (`link_texts`) instead of an index on links. */
  readonly hasSearchTable: boolean;
  /** This process's click journal; empty if it has none. */
  readonly journal: string;
  /** The author recorded in the history; undefined if Linkfold itself makes the change. */
  readonly by?: Author | undefined;
  /** Called for each cache invalidation in a transaction. The invalidation takes effect on commit. */
  readonly onChange?: OnChange;
}

/**
 * Row locks, weakest first. `key share`: prevents deletion. `no key update`: prevents changes, but other rows may
 * reference the row. `update`: prevents changes and references.
 */
export type RowLock = 'key share' | 'no key update' | 'update';

/** What changed: the target of a code, or a key. */
export type ChangeKind = 'target' | 'key';

/** Called for each change. @param name what changed; undefined if anything of this kind may have changed */
export type OnChange = (kind: ChangeKind, name: string | undefined) => void;
export type ChangeNotice = Parameters<OnChange>;

/** Reads a row that must exist. @throws Error if the row does not exist, which is a bug */
export async function one<R>(db: Db, sql: string, params: readonly Value[]): Promise<R> {
  const row = await db.get<R>(sql, params);
  if (row === undefined) throw new Error('A statement that must return one row returned none.');
  return row;
}

/** Locks the rows of a query until the transaction ends, and returns the first row. */
export async function getLocked<R>(
  db: Db,
  lock: RowLock,
  sql: string,
  params: readonly Value[],
): Promise<R | undefined> {
  const [, row] = await all(db.lockRows(lock, sql, params), db.get<R>(sql, params));
  return row;
}

/**
 * Returns true if PostgreSQL rejected a statement only because an earlier statement in the same transaction had failed.
 */
function isRefusalAfterFailure(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === '25P02';
}

/**
 * Runs independent statements, which share one round trip on PostgreSQL.
 * @throws the failure that made the transaction reject later statements. It is thrown only after all statements have
 * ended, so that none is in flight during the rollback
 */
export async function all<T extends readonly unknown[]>(
  ...statements: { [K in keyof T]: MaybePromise<T[K]> }
): Promise<T> {
  const failed: unknown[] = [];
  const answers = await Promise.all(
    statements.map(async (statement) => {
      try {
        return await statement;
      } catch (error) {
        return void failed.push(error);
      }
    }),
  );
  // The rejection of a later statement may arrive before the failure that caused it.
  if (failed.length > 0) throw failed.find((error) => !isRefusalAfterFailure(error)) ?? failed[0];
  return answers as unknown as T;
}

/**
 * Calls the continuation synchronously if the value is already available, so that reads from SQLite stay synchronous.
 */
export function whenKnown<A, B>(
  value: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>,
): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}
