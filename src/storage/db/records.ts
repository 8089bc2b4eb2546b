import { idText } from '../../model/ids.ts';
import type { Value } from './db.ts';

/** A row as returned by the engine, by column. */
export type Row = Readonly<Record<string, Value>>;

/** Defines how a field of a record is stored. */
export interface StoredField<T> {
  /** Column name; defaults to the field's name in snake case. */
  readonly column?: string;
  /** SQL expression, if the field is not a column of the record's own table. */
  readonly from?: string;
  readonly read: (value: Value) => T;
}

type Options = Omit<StoredField<unknown>, 'read'>;

/** Defines a string, number or byte field, stored unchanged. */
export function plain<T extends Value>(options: Options = {}): StoredField<T> {
  return { ...options, read: (value) => value as T };
}

/** Defines a UUID, stored as 16 bytes. */
export function uuid(options: Options = {}): StoredField<string> {
  return { ...options, read: (value) => idText(value as Uint8Array) };
}

/** Defines a boolean, stored as 0 or 1. */
export function flag(options: Options = {}): StoredField<boolean> {
  return { ...options, read: (value) => value === 1 };
}

/** Defines a boolean that is true if the column is not NULL. */
export function isSet(options: Options): StoredField<boolean> {
  return { ...options, read: (value) => value !== null };
}

/** Defines a value stored as JSON. */
export function json<T>(options: Options = {}): StoredField<T> {
  return { ...options, read: (value) => (value === null ? null : JSON.parse(value as string)) as T };
}

type Fields = Readonly<Record<string, StoredField<unknown>>>;

/** The record type of a set of fields. */
export type RecordOf<F extends Fields> = { readonly [N in keyof F]: ReturnType<F[N]['read']> };

/**
 * Defines a stored record: the column list for SELECT, and the conversion from rows.
 * @param table table alias in statements; empty for none
 */
export function stored<const F extends Fields>(table: string, fields: F) {
  const described = Object.entries(fields).map(([name, { column = snakeCase(name), from, read }]) => ({
    name,
    column,
    sql: from === undefined ? `${table && `${table}.`}${column}` : `${from} AS ${column}`,
    read,
  }));
  return {
    fields,
    /** Column list for SELECT, in the order of the fields. */
    columns: described.map(({ sql }) => sql).join(', '),
    of: (row: Row): RecordOf<F> =>
      Object.fromEntries(
        described.map(({ name, column, read }) => [name, read(row[column] ?? null)]),
      ) as RecordOf<F>,
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
