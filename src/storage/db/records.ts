import { idText } from '../../model/ids.ts';
import type { Value } from './db.ts';

/** A row as the engine returns it, by column. */
export type Row = Readonly<Record<string, Value>>;

/** How a field of a record is stored. */
export interface StoredField<T> {
  /** The column; by default the field's name in snake case. */
  readonly column?: string;
  /** The SQL expression that the column is read from, where it is not a column of the record's own table. */
  readonly from?: string;
  readonly read: (value: Value) => T;
}

type Options = Omit<StoredField<unknown>, 'read'>;

/** A text, number or bytes, stored as it is. */
export function plain<T extends Value>(options: Options = {}): StoredField<T> {
  return { ...options, read: (value) => value as T };
}

/** A UUID, stored as 16 bytes. */
export function uuid(options: Options = {}): StoredField<string> {
  return { ...options, read: (value) => idText(value as Uint8Array) };
}

/** A boolean, stored as 0 or 1. */
export function flag(options: Options = {}): StoredField<boolean> {
  return { ...options, read: (value) => value === 1 };
}

/** A boolean: whether a column is not null. */
export function isSet(options: Options): StoredField<boolean> {
  return { ...options, read: (value) => value !== null };
}

/** A value stored as JSON. */
export function json<T>(options: Options = {}): StoredField<T> {
  return { ...options, read: (value) => (value === null ? null : JSON.parse(value as string)) as T };
}

type Fields = Readonly<Record<string, StoredField<unknown>>>;

/** What the fields of a description hold. */
export type RecordOf<F extends Fields> = { readonly [N in keyof F]: ReturnType<F[N]['read']> };

/**
 * Describes a stored record once: its columns for SELECT and how a row becomes a record follow.
 * @param table the alias of the record's table in statements; empty for none
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
    /** For SELECT, in the order of the fields. */
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
