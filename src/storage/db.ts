import type { MaybePromise } from '../domain/storage.ts';

/** What a column can hold. Whole numbers arrive as integers, never as floating point. */
export type Value = number | string | null | Uint8Array;

/**
 * What a statement needs of an engine: an open connection, and for writes a serializable transaction around the call.
 * Statements are written once, in the subset that SQLite and PostgreSQL share: `?` placeholders, `ON CONFLICT`,
 * `RETURNING`, no functions that only one of them has.
 */
export interface Db {
  all<R>(sql: string, params: readonly Value[]): MaybePromise<R[]>;
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
  /** Which of a counter's rows to add to: always 0 with one writer, spread where writers would wait for each other. */
  counterSlot(): number;
  /** The click journal of this process; empty when it has none. */
  readonly journal: string;
}

/** Reads a row that must be there. @throws Error when it is not, which is a fault of ours */
export const one = async <R>(db: Db, sql: string, params: readonly Value[]): Promise<R> => {
  const row = await db.get<R>(sql, params);
  if (row === undefined) throw new Error('A statement that always answers one row answered none.');
  return row;
};

/** Goes on with a value now if it is here already, so that an embedded engine's reads stay synchronous. */
export const whenKnown = <A, B>(value: MaybePromise<A>, next: (value: A) => B): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value);
