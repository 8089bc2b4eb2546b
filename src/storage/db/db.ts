import type { Author } from '../../model/accounts/actors.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';

/** What a column can hold. Whole numbers arrive as integers, never as floating point. */
export type Value = number | string | null | Uint8Array;

/** Rows that a statement reads: names and kinds of their columns, and the values of one row after another. */
export interface BulkInput<V extends Value = number | string> {
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'bytes'>>;
  readonly values: ArrayLike<V>;
}

/**
 * What a statement needs of an engine: an open connection, and for writes a transaction around the call.
 * Statements are written once, in the subset that SQLite and PostgreSQL share: `?` placeholders, `ON CONFLICT`,
 * `RETURNING`, no functions that only one of them has.
 *
 * Where many write at a time, each statement of a transaction sees what was committed before that statement. What
 * must not change between a read and the write that follows from it is locked ({@link Db.lockRows}), or decided in one
 * statement.
 */
export interface Db {
  all<R>(sql: string, params: readonly Value[]): MaybePromise<R[]>;
  /** The same for a statement that has too many forms for each to be kept prepared. */
  ask<R>(sql: string, params: readonly Value[]): MaybePromise<R[]>;
  get<R>(sql: string, params: readonly Value[]): MaybePromise<R | undefined>;
  /** @returns how many rows changed */
  run(sql: string, params: readonly Value[]): MaybePromise<number>;
  /**
   * Inserts one row into a table whose rows the engine numbers. `RETURNING` would do, but SQLite makes a table in
   * memory for its answer, which costs more than the insert.
   * @param identity the column that holds the number
   * @returns the row's number
   */
  insert(sql: string, identity: string, params: readonly Value[]): MaybePromise<number>;
  /**
   * Performs one change for many rows: `each` for one row after another where a statement is a function call, `sql` where
   * it is a round trip.
   * @param sql reads the rows from the table `input`
   * @param params of `sql`
   * @returns how many rows changed, where `each` says so
   */
  bulk<V extends Value = number | string>(
    input: BulkInput<V>,
    each: (...row: NoInfer<V>[]) => MaybePromise<unknown>,
    sql: string,
    params?: readonly Value[],
  ): MaybePromise<number>;
  /** Locks the rows that a query finds until the transaction ends. With one writer there is nothing to lock. */
  lockRows(lock: RowLock, sql: string, params: readonly Value[]): MaybePromise<void>;
  /** Which of a counter's rows to add to: always 0 with one writer, spread where writers would wait for each other. */
  counterSlot(): number;
  /** Whether parts of texts are found through a table of their own (`link_texts`), not through an index on links. */
  readonly searchesApart: boolean;
  /** The click journal of this process; empty when it has none. */
  readonly journal: string;
  /** Who makes the change, for what remembers changes; undefined for the service by itself. */
  readonly by?: Author | undefined;
  /** Called with what a transaction changes of what this process keeps in memory and must forget at the commit. */
  readonly onChange?: OnChange;
}

/**
 * A lock on rows, from weak to strong. `key share`: nothing else removes them. `no key update`: nothing else changes them,
 * other rows may refer to them. `update`: nothing else changes or refers to them.
 */
export type RowLock = 'key share' | 'no key update' | 'update';

/** A code that leads elsewhere, or nowhere, or until another time; a key that is no longer what it was. */
export type ChangeKind = 'target' | 'key';

/** @param name undefined for every one of its kind */
export type OnChange = (kind: ChangeKind, name: string | undefined) => void;
/** What such a call was told. */
export type Changed = Parameters<OnChange>;

/** Reads a row that must be there. @throws Error when it is not, which is a fault of this program */
export async function one<R>(db: Db, sql: string, params: readonly Value[]): Promise<R> {
  const row = await db.get<R>(sql, params);
  if (row === undefined) throw new Error('A statement that always answers one row answered none.');
  return row;
}

/** PostgreSQL's SQLSTATE for a statement in a transaction of which another one has failed. */
function isRefusalAfterFailure(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === '25P02';
}

/**
 * The answers of several statements, none of which needs another's: where a statement is a round trip, they share one.
 * @throws what failed first, because a transaction refuses every statement after that one; thrown when all have ended, so
 * that none is still under way when the transaction is rolled back
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
  // Of two answers in one packet the refusal of the second may come through first.
  if (failed.length > 0) throw failed.find((error) => !isRefusalAfterFailure(error)) ?? failed[0];
  return answers as unknown as T;
}

/** Goes on with a value now if it is here already, so that an embedded engine's reads stay synchronous. */
export function whenKnown<A, B>(value: MaybePromise<A>, next: (value: A) => B): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}
